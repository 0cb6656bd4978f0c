// SPDX-License-Identifier: MIT
// Checks that streams use stream-ordered memory after its allocation, and that its free comes after the uses.
#include <algorithm>

#include "machine/memory/memory.hpp"
#include "machine/stream/context.hpp"
#include "machine/stream/stream.hpp"

namespace yoke::simulator {

namespace {

std::string ordered_memory(const memory_block& block) {
  return "device memory of " + std::to_string(block.bytes) + " bytes of " + text_of(*block.order);
}

}  // namespace

std::string memory_table::note_use(memory_block& block, const ticket& at, const std::string& what) {
  if (block.order == nullptr && &at.on->owner == block.owner) return {};  // freeing it waits for the context's work
  const auto same =
      std::find_if(block.uses.begin(), block.uses.end(), [&](const memory_use& each) { return each.at.on == at.on; });
  if (same == block.uses.end()) {
    block.uses.push_back({at, what});
  } else {
    *same = {at, what};
  }
  if (!block.allocated || at.is_behind(*block.allocated)) return {};
  return what + " in " + text_of(*at.on) + " uses " + ordered_memory(block) +
         ", and nothing orders that behind the allocation: write other.wait(owner.record()) before; made at " +
         block.made.text();
}

std::string memory_table::check_free(const memory_block& block, const ticket& at) {
  if (block.allocated && !at.is_behind(*block.allocated)) {
    return ordered_memory(block) + " is freed in " + text_of(*at.on) +
           ", and nothing orders that behind the allocation; made at " + block.made.text();
  }
  for (const memory_use& each : block.uses) {
    if (at.is_behind(each.at)) continue;
    return ordered_memory(block) + " is freed in " + text_of(*at.on) + ", and nothing orders that behind " + each.what +
           " in " + text_of(*each.at.on) + ", which uses it: write memory.record_use(other) behind that use; made at " +
           block.made.text() + "; freed at " + block.freed.text();
  }
  return {};
}

void memory_table::observe(const ticket& done) {
  if (ordered_blocks_ == 0) return;
  for (auto& [base, block] : blocks_) {
    if (block.order == nullptr) continue;
    if (block.allocated && done.is_behind(*block.allocated)) block.allocated.reset();
    std::erase_if(block.uses, [&](const memory_use& each) { return done.is_behind(each.at); });
  }
}

std::vector<ticket> memory_table::users_of(const context& owner) const {
  std::vector<ticket> users;
  for (const auto& [base, block] : blocks_) {
    if (block.owner != &owner) continue;
    for (const memory_use& each : block.uses) users.push_back(each.at);
  }
  return users;
}

}  // namespace yoke::simulator

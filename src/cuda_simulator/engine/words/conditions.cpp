// SPDX-License-Identifier: MIT
// Keeps the living conditions by their numbers.
#include "engine/words/conditions.hpp"

#include <mutex>
#include <unordered_map>

namespace yoke::simulator {

namespace {

struct condition_table {
  std::mutex mutex;
  std::unordered_map<unsigned long long, std::weak_ptr<graph_condition>> all;
  unsigned long long issued = 0;
};
condition_table& table() {
  static auto* const made = new condition_table;  // graphs may end while the program ends
  return *made;
}

}  // namespace

std::shared_ptr<graph_condition> make_condition() {
  constexpr unsigned long long step = 64, first = 0x700000000000;  // like no number that a kernel would make up
  const auto made = std::make_shared<graph_condition>();
  condition_table& living = table();
  const std::lock_guard lock(living.mutex);
  std::erase_if(living.all, [](const auto& each) { return each.second.expired(); });
  made->number = first + step * ++living.issued;
  living.all.emplace(made->number, made);
  return made;
}

bool set_condition(unsigned long long number, unsigned value) {
  condition_table& living = table();
  const std::lock_guard lock(living.mutex);
  const auto found = living.all.find(number);
  const auto condition = found == living.all.end() ? nullptr : found->second.lock();
  if (condition != nullptr) condition->value = value;
  return condition != nullptr;
}

}  // namespace yoke::simulator

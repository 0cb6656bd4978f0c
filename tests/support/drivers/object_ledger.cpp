// SPDX-License-Identifier: MIT
// Bodies of the ledger of driver objects.
#include <support/drivers/object_ledger.hpp>

#include <algorithm>

namespace yoke_test {

namespace {
const char* word(object_kind kind) {
  switch (kind) {
    case object_kind::device: return "sub-device";
    case object_kind::context: return "context";
    case object_kind::queue: return "queue";
    case object_kind::memory: return "memory";
    case object_kind::program: return "program";
    case object_kind::kernel: return "kernel";
    case object_kind::event: return "event";
    case object_kind::mapping: return "mapping";
    case object_kind::svm: return "svm";
    case object_kind::svm_mapping: return "svm mapping";
    case object_kind::sampler: return "sampler";
    case object_kind::texture: return "texture";
    case object_kind::surface: return "surface";
    case object_kind::pool: return "pool";
    case object_kind::physical: return "physical memory";
    case object_kind::address_range: return "address range";
    case object_kind::device_mapping: return "device mapping";
    case object_kind::graph: return "graph";
    case object_kind::executable: return "executable graph";
  }
  return "object";
}
}  // namespace

void object_ledger::gained(object_kind kind, const void* object, const char* symbol) {
  const std::lock_guard lock(mutex_);
  account& entry = accounts_[{kind, object}];
  // An address comes back after a release: then this is another object.
  if (entry.references == 0) entry = account{symbol, 0, 0};
  ++entry.references;
}

object_ledger::standing object_ledger::lost(object_kind kind, const void* object, const char* symbol) {
  const std::lock_guard lock(mutex_);
  const auto found = accounts_.find({kind, object});
  if (found == accounts_.end()) {
    bad_releases_.push_back(std::string(symbol) + " of an unknown " + word(kind));
    return standing::unknown;
  }
  account& entry = found->second;
  if (entry.references == 0) {
    bad_releases_.push_back(std::string(symbol) + " of a dead " + word(kind) + " (created by " + entry.creator + ")");
    return standing::dead;
  }
  --entry.references;
  entry.given_up = std::min(entry.given_up, entry.references);
  return standing::alive;
}

void object_ledger::kept(object_kind kind, const void* object) {
  const std::lock_guard lock(mutex_);
  ++accounts_[{kind, object}].references;
}

void object_ledger::gave_up(object_kind kind, const void* object) {
  const std::lock_guard lock(mutex_);
  const auto found = accounts_.find({kind, object});
  if (found == accounts_.end()) return;
  account& entry = found->second;
  entry.given_up = std::min(entry.given_up + 1, entry.references);
}

bool object_ledger::knows(object_kind kind, const void* object) const {
  const std::lock_guard lock(mutex_);
  return accounts_.count({kind, object}) != 0;
}

std::vector<std::string> object_ledger::live() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> lines;
  for (const auto& [key, entry] : accounts_) {
    const long count = entry.references - entry.given_up;
    if (count == 0) continue;
    std::string line = std::string(word(key.first)) + " (created by " + entry.creator + ")";
    if (count > 1) line += " x" + std::to_string(count);
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<std::string> object_ledger::bad_releases() const {
  const std::lock_guard lock(mutex_);
  return bad_releases_;
}

}  // namespace yoke_test

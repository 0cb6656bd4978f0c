// SPDX-License-Identifier: MIT
// Detects accesses to memory that a kernel may not touch: by faults, or by checks of the watched bytes.
#include <dlfcn.h>

#include <cstdio>
#include <string>
#include <utility>

#include "engine/launch/block.hpp"
#include "engine/launch/places.hpp"

namespace yoke::simulator {

namespace {

const char* name_of(memory_fault::access what) {
  if (what == memory_fault::access::read) return "read of";
  return what == memory_fault::access::write ? "write to" : "access to";
}

const void* file_of(const void* address) noexcept {
  Dl_info info{};
  return ::dladdr(address, &info) == 0 ? nullptr : info.dli_fbase;
}

std::string address_text(const std::optional<std::uintptr_t>& address) {
  if (!address) return "an address that no memory can have";
  char text[20];
  std::snprintf(text, sizeof text, "0x%zx", static_cast<std::size_t>(*address));
  return text;
}

}  // namespace

bool block_run::runs_code(const void* at) const noexcept {
  if (current_ == nobody) return false;
  const void* const own = file_of(reinterpret_cast<const void*>(state_.what.record->function));
  return own != nullptr && file_of(at) == own;
}

void block_run::fail_access(memory_fault fault) {
  failed_ = true;
  fault.who = "block " + text_of(index_);
  if (current_ != nobody) fault.who += ", thread " + position(current_);
  // A write to watched bytes is detected later, and by every OS thread.
  if (fault.is_late && state_.os_threads > 1) fault.who += ", or in one that ran at the same time";
  const std::string text =
      state_.what.readable + ": " + name_of(fault.what) + " " + address_text(fault.address) + ", in " + fault.who;
  state_.fail({launch_status::illegal_address, text, std::move(fault)});
}

void block_run::look_around() {
  for (const watched_bytes& each : state_.shape.watched) {
    if (!failed_ && std::memcmp(each.at, each.expected, each.bytes) != 0) fail_overrun(each);
  }
}

void block_run::fail_overrun(const watched_bytes& where) {
  std::size_t first = 0;
  while (first + 1 < where.bytes && where.at[first] == where.expected[first]) ++first;
  fail_access({memory_fault::access::write, reinterpret_cast<std::uintptr_t>(where.at + first), true, {}});
}

}  // namespace yoke::simulator

// SPDX-License-Identifier: MIT
// Takes and prints call chains.
#include "ledger.hpp"

#include <dlfcn.h>
#include <execinfo.h>

#include <cxxabi.h>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace yoke::simulator {

namespace {

constexpr int frames_shown = 6;

const char* name_of(object_kind kind) {
  switch (kind) {
    case object_kind::context: return "context";
    case object_kind::primary_context: return "retained primary context";
    case object_kind::stream: return "stream";
    case object_kind::event: return "event";
    case object_kind::device_memory: return "device memory";
    case object_kind::host_memory: return "page-locked memory";
    case object_kind::registered_range: return "registered host range";
    case object_kind::library: return "library";
    case object_kind::module: return "module";
    case object_kind::link: return "link state";
    case object_kind::program: return "NVRTC program";
  }
  return "object";
}

const void* own_base() {
  Dl_info info{};
  return ::dladdr(reinterpret_cast<const void*>(&own_base), &info) != 0 ? info.dli_fbase : nullptr;
}

std::string hexadecimal(std::uintptr_t number) {
  char text[20];
  std::snprintf(text, sizeof text, "0x%zx", static_cast<std::size_t>(number));
  return text;
}

/// Returns: "program(function+0x12)", or "program(+0x1234)" for what addr2line must name.
std::string place_of(const void* address, const Dl_info& info) {
  std::string file = info.dli_fname == nullptr ? "?" : info.dli_fname;
  file.erase(0, file.rfind('/') + 1);
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  if (info.dli_sname == nullptr)
    return file + "(+" + hexadecimal(at - reinterpret_cast<std::uintptr_t>(info.dli_fbase)) + ")";
  const std::unique_ptr<char, decltype(&std::free)> plain{
      ::abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, nullptr), &std::free};
  return file + "(" + (plain == nullptr ? info.dli_sname : plain.get()) + "+" +
         hexadecimal(at - reinterpret_cast<std::uintptr_t>(info.dli_saddr)) + ")";
}

}  // namespace

void ledger::add(object_kind kind, std::uintptr_t key, std::size_t bytes) {
  entry made{kind, bytes};
  made.frame_count = ::backtrace(made.frames.data(), frames_kept);
  const auto [at, fresh] = live_.try_emplace({kind, key}, made);
  if (fresh) return;
  lost_.push_back(at->second);
  at->second = made;
}

std::string ledger::line(const entry& leaked) {
  std::string text = std::string("leak: ") + name_of(leaked.kind);
  if (leaked.bytes != 0) text += ", " + std::to_string(leaked.bytes) + " bytes";
  const void* const self = own_base();
  int shown = 0;
  for (int each = 0; each < leaked.frame_count && shown < frames_shown; ++each) {
    const void* const address = leaked.frames[static_cast<std::size_t>(each)];
    Dl_info info{};
    const bool known = ::dladdr(address, &info) != 0;
    if (known && info.dli_fbase == self) continue;
    text += (shown++ == 0 ? ", made at " : " <- ") +
            (known ? place_of(address, info) : hexadecimal(reinterpret_cast<std::uintptr_t>(address)));
  }
  return text;
}

std::vector<std::string> ledger::leaks() const {
  std::vector<std::string> lines;
  for (const entry& each : lost_) lines.push_back(line(each));
  for (const auto& [key, each] : live_) lines.push_back(line(each));
  return lines;
}

}  // namespace yoke::simulator

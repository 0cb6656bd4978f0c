// SPDX-License-Identifier: MIT
// Takes and prints call chains.
#include "call_site.hpp"

#include <dlfcn.h>
#include <execinfo.h>

#include <cxxabi.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace yoke::simulator {

namespace {

constexpr int frames_shown = 6;

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

call_site call_site::here() {
  call_site site;
  site.count_ = ::backtrace(site.frames_.data(), frames_kept);
  return site;
}

std::string call_site::text() const {
  std::string chain;
  const void* const self = own_base();
  int shown = 0;
  const auto is_own = [&](const void* address) {
    Dl_info info{};
    return ::dladdr(address, &info) != 0 && info.dli_fbase == self;
  };
  // Before the library's own frames stands what took the chain: `backtrace` as a sanitizer replaces it, shared or not.
  const auto end = frames_.begin() + count_;
  const auto own = std::find_if(frames_.begin(), end, is_own);
  for (auto each = own == end ? frames_.begin() : own; each != end && shown < frames_shown; ++each) {
    const void* const address = *each;
    Dl_info info{};
    const bool known = ::dladdr(address, &info) != 0;
    if (known && info.dli_fbase == self) continue;
    chain += (shown++ == 0 ? "" : " <- ") +
             (known ? place_of(address, info) : hexadecimal(reinterpret_cast<std::uintptr_t>(address)));
  }
  return chain;
}

}  // namespace yoke::simulator

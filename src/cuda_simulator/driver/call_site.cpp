// SPDX-License-Identifier: MIT
// Takes and prints call chains.
#include "call_site.hpp"

#include <dlfcn.h>
#include <execinfo.h>

#include <cxxabi.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

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

/// Whether a frame is of a sanitizer's own runtime, which stands between `backtrace` and its caller: the interceptor of
/// a shared one, or of one that is linked into the program.
bool is_of_sanitizer(const Dl_info& info) {
  const std::string_view file = info.dli_fname == nullptr ? "" : info.dli_fname;
  const std::string_view stem = file.substr(file.rfind('/') + 1);
  for (const std::string_view runtime : {"libtsan.", "libasan.", "libubsan.", "liblsan.", "libclang_rt."}) {
    if (stem.starts_with(runtime)) return true;
  }
  return info.dli_sname != nullptr && std::string_view(info.dli_sname).find("__interceptor_") != std::string_view::npos;
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
  for (int each = 0; each < count_ && shown < frames_shown; ++each) {
    const void* const address = frames_[static_cast<std::size_t>(each)];
    Dl_info info{};
    const bool known = ::dladdr(address, &info) != 0;
    if (known && (info.dli_fbase == self || is_of_sanitizer(info))) continue;
    chain += (shown++ == 0 ? "" : " <- ") +
             (known ? place_of(address, info) : hexadecimal(reinterpret_cast<std::uintptr_t>(address)));
  }
  return chain;
}

}  // namespace yoke::simulator

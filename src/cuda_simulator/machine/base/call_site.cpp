// SPDX-License-Identifier: MIT
// Takes call chains, and prints them without the frames of the simulator and the library.
#include "machine/base/call_site.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>

#include <cxxabi.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "machine/base/symbols.hpp"

namespace yoke::simulator {

namespace {

constexpr int frames_shown = 6;

std::string hexadecimal(std::uintptr_t number) {
  char text[20];
  std::snprintf(text, sizeof text, "0x%zx", static_cast<std::size_t>(number));
  return text;
}

std::string demangled(const std::string& name) {
  const std::unique_ptr<char, decltype(&std::free)> plain{
      ::abi::__cxa_demangle(name.c_str(), nullptr, nullptr, nullptr), &std::free};
  return plain == nullptr ? name : plain.get();
}

/// Whether the mangled name is a function in namespace yoke, or a template of std with an argument from it.
bool is_of_library(std::string_view name) {
  if (name.substr(0, 2) != "_Z") return false;
  name.remove_prefix(2);
  // Skips the marks of nested and local names, and the qualifiers of member functions.
  name.remove_prefix(std::min(name.find_first_not_of("ZNKVrRO"), name.size()));
  return name.substr(0, 5) == "4yoke" || (name.substr(0, 2) == "St" && name.find("N4yoke") != name.npos);
}

/// An address, with its file and function, as far as they are known.
class frame {
 public:
  explicit frame(const void* address) : at_(reinterpret_cast<std::uintptr_t>(address)) {
    Dl_info info{};
    link_map* map = nullptr;
    if (::dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 || map == nullptr) return;
    file_ = info.dli_fname == nullptr ? "?" : info.dli_fname;
    base_ = reinterpret_cast<std::uintptr_t>(info.dli_fbase);
    bias_ = map->l_addr;
    const bool is_program = map->l_name == nullptr || *map->l_name == '\0';
    // The address is after a call, which may be the last instruction of a function.
    function_ = find_symbol(is_program ? "/proc/self/exe" : file_.c_str(), bias_, at_ - 1);
    if (function_.name.empty() && info.dli_sname != nullptr) {
      function_ = {info.dli_sname, reinterpret_cast<std::uintptr_t>(info.dli_saddr)};
    }
    file_.erase(0, file_.rfind('/') + 1);
  }
  bool is_in(std::uintptr_t file_base) const { return base_ != 0 && base_ == file_base; }
  /// Whether the frame belongs to the library, in its own file or linked into the program.
  bool is_library() const { return is_of_library(function_.name) || file_.rfind("libyoke.so", 0) == 0; }
  bool is_main() const { return function_.name == "main"; }
  /// Returns: "program(function+0x12)", or "program(+0x1234)" if only addr2line can name the function.
  std::string text() const {
    if (base_ == 0) return hexadecimal(at_);
    if (function_.name.empty()) return file_ + "(+" + hexadecimal(at_ - bias_) + ")";
    return file_ + "(" + demangled(function_.name) + "+" + hexadecimal(at_ - function_.begin) + ")";
  }

 private:
  std::uintptr_t at_;
  std::uintptr_t base_ = 0;  ///< 0: no file contains the address
  std::uintptr_t bias_ = 0;
  std::string file_{};
  symbol function_{};
};

std::uintptr_t own_base() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&own_base), &info) == 0) return 0;
  return reinterpret_cast<std::uintptr_t>(info.dli_fbase);
}

}  // namespace

call_site call_site::here() {
  call_site site;
  site.count_ = ::backtrace(site.frames_.data(), frames_kept);
  return site;
}

std::string call_site::text() const {
  const std::vector<frame> all(frames_.begin(), frames_.begin() + count_);
  const auto is_own = [self = own_base()](const frame& each) { return each.is_in(self); };
  // Frames before the simulator's own took the chain: `backtrace`, which a sanitizer may replace.
  const auto own = std::find_if(all.begin(), all.end(), is_own);
  const auto caller = own == all.end() ? all.begin() : std::find_if_not(own, all.end(), is_own);
  const auto user = std::find_if_not(caller, all.end(), [](const frame& each) { return each.is_library(); });
  std::string chain;
  int shown = 0;
  for (auto each = user == all.end() ? caller : user; each != all.end() && shown < frames_shown; ++each) {
    if (!is_own(*each)) chain += (shown++ == 0 ? "" : " <- ") + each->text();
    if (each->is_main()) break;
  }
  return chain;
}

}  // namespace yoke::simulator

// SPDX-License-Identifier: MIT
// What the floors above a port know about its kernel language: a value that the port returns.
#ifndef YOKE_LANGUAGE_LANGUAGE_HPP
#define YOKE_LANGUAGE_LANGUAGE_HPP

#include <yoke/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace yoke::inline v0_1 {

struct environment;

/// The names that a language gives to types that it shares with the host.
enum class type_names : unsigned char { opencl_c, cuda, dialect };

namespace detail {
/// A vector that the other backend's language lays out otherwise has a name with a prefix, which no source has.
/// Returns: the name behind such a prefix; "" for other names.
[[nodiscard]] constexpr std::string_view name_on_other_side(std::string_view name) noexcept {
  for (const std::string_view prefix : {std::string_view("cuda::"), std::string_view("yoke::opencl::")}) {
    if (name.starts_with(prefix)) {
      name.remove_prefix(prefix.size());
      return name.find(':') == name.npos ? name : std::string_view{};
    }
  }
  return {};
}
}  // namespace detail

/// A compiler's options for the rules of arithmetic: words between blanks; "" where it has none.
struct math_spelling {
  struct choice {
    std::string_view on = "";
    std::string_view off = "";  ///< "": off is the compiler's default
  };
  std::string_view fast = "";
  choice flush_denormals{};
  choice contract{};
  choice exact_division{};
  std::string_view finite_only = "";
  std::string_view no_contract_line = "";     ///< a line of the source that has the effect of `contract.off`
  std::string_view contracting_options = "";  ///< options that win over that line
};

/// A backend's kernel language. Generic code asks this value, and never which backend it is.
/// Thread safety: a value.
struct kernel_language {
  const char* name = "";                   ///< "OpenCL C", for messages
  const char* backend = "";                ///< "OpenCL", for messages about its options
  const char* source_name = "";            ///< "kernel.cl": an unnamed source, in messages
  std::string_view prelude = "";           ///< the dialect's prelude, of parts; the text lives as long as the process
  std::string_view opencl_c_prelude = "";  ///< further parts for translated OpenCL C
  type_names types = type_names::opencl_c;
  bool cxx = false;                  ///< whether the language has raw strings and separators in numbers
  bool translates_opencl_c = false;  ///< whether OpenCL C has to become CUDA C++ before the compiler gets it

  bool blocks_progress =
      false;  ///< whether a block may wait for one that began before it: no other block keeps that from going on

  std::uint32_t sure_block = 256;  ///< the threads that a block may have on every device

  bool coalesces =
      false;  ///< whether memory that neighbouring threads access is one access, so that a thread should take several elements

  const char* options_variable = "";            ///< the environment variable with options for every source; "": none
  std::string environment::*options = nullptr;  ///< that variable; null: none
  bool options_are_one_text = false;  ///< whether the driver splits them, so that they cannot carry blanks and quotes
  const char* folder_joint = "";      ///< between "-I" and its folder
  std::string_view valued_options = "";  ///< options, between blanks, whose value is the next word or follows "="
  math_spelling math{};

  /// The source of `yoke_g_condition(condition, value)`, which sets a condition of graphs; "": launches read the value.
  std::string_view condition_source = "";

  /// How an include of the compiler's own headers begins in a prelude; "": preludes include nothing.
  std::string_view own_include = "";
  /// Returns: the ending of a file with these bytes of a compiled program: ".cubin".
  const char* (*binary_ending)(std::span<const std::byte> bytes) = nullptr;
};

}  // namespace yoke::inline v0_1

#endif

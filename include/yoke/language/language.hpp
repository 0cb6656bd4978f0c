// SPDX-License-Identifier: MIT
// Describes a backend's kernel language to the floors above the ports.
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

/// Which names a language uses for the types that it shares with the host.
enum class type_names : unsigned char { opencl_c, cuda, dialect };

namespace detail {
/// Vectors that the other backend's language lays out differently have names with a prefix that sources never use.
/// Returns: the name without such a prefix; "" for names that have none.
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

/// A compiler's options for `math_options`: words separated by blanks; "" if it has no such option.
struct math_spelling {
  struct choice {
    std::string_view on = "";
    std::string_view off = "";  ///< "": off is the default and needs no option
  };
  std::string_view fast = "";
  choice flush_denormals{};
  choice contract{};
  choice exact_division{};
  std::string_view finite_only = "";
  std::string_view no_contract_line = "";     ///< a line of source with the effect of `contract.off`
  std::string_view contracting_options = "";  ///< options that override that line
};

/// A backend's kernel language. Generic code asks this value instead of asking for the backend.
/// Thread safety: a value.
struct kernel_language {
  const char* name = "";                   ///< "OpenCL C", for messages
  const char* backend = "";                ///< "OpenCL", for messages about its options
  const char* source_name = "";            ///< "kernel.cl": the name of an unnamed source in messages
  std::string_view prelude = "";           ///< the dialect's prelude, in parts; lives as long as the process
  std::string_view opencl_c_prelude = "";  ///< further parts for translated OpenCL C
  type_names types = type_names::opencl_c;
  bool cxx = false;                  ///< whether the language has raw strings and separators in numbers
  bool translates_opencl_c = false;  ///< whether OpenCL C is translated to CUDA C++ for the compiler

  /// Whether a block may wait for an earlier one: blocks that have begun always make progress.
  bool blocks_progress = false;
  std::uint32_t sure_block = 256;  ///< the number of threads that a block may have on every device
  /// Whether the device coalesces accesses of neighbouring threads, so that a thread should take several elements.
  bool coalesces = false;

  const char* options_variable = "";            ///< the environment variable with options for every source; "": none
  std::string environment::*options = nullptr;  ///< that variable's value; null: none
  /// Whether the driver splits one text, so that options cannot contain blanks and quotes.
  bool options_are_one_text = false;
  const char* folder_joint = "";         ///< between "-I" and its folder
  std::string_view valued_options = "";  ///< options, separated by blanks, whose value is the next word or follows "="
  math_spelling math{};

  /// The source of `yoke_g_condition(condition, value)`, which sets a condition of graphs; "": launches read the value.
  std::string_view condition_source = "";

  /// How an include of the compiler's own headers begins in a prelude; "": preludes do not include headers.
  std::string_view own_include = "";
  /// Returns: the file ending for these bytes of a compiled program: ".cubin".
  const char* (*binary_ending)(std::span<const std::byte> bytes) = nullptr;
};

}  // namespace yoke::inline v0_1

#endif

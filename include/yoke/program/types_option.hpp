// SPDX-License-Identifier: MIT
// The structs that a compilation and its module are told of. A program that names none has none of the code for them.
#ifndef YOKE_PROGRAM_TYPES_OPTION_HPP
#define YOKE_PROGRAM_TYPES_OPTION_HPP

#include <yoke/core/shared.hpp>
#include <yoke/core/source_location.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace yoke::inline YOKE_ABI {

class types_option;
enum class struct_words : std::uint8_t;
struct struct_description;
struct parameter_info;
struct typed_kernel;

namespace detail {

struct kernel_structs;

/// What is done with structs. Only a list that has some, and a parameter that is or points to one, lead here.
struct struct_functions {
  /// As `struct_source`.
  std::string (*source)(std::span<const struct_description>, struct_words, const source_location&);
  /// As `binary_with_structs`.
  std::vector<std::byte> (*record)(std::vector<std::byte>, std::span<const struct_description>);
  /// Returns: whether each struct of the signature is one that was told in full. Throws: `logic_error` for one that differs.
  bool (*compare)(const std::string& kernel, const std::vector<parameter_info>& asked, bool cxx,
                  std::span<const struct_description> told, const source_location& where);
  /// As `is_untold_struct`.
  bool (*is_untold)(const parameter_info&, std::span<const struct_description> told);
  /// As `structs_of`.
  kernel_structs (*of_kernels)(const std::vector<typed_kernel>&, const types_option& told,
                               const source_location& where);
  /// As `linked_types`.
  types_option (*link)(std::span<const types_option>);
};

/// Returns: these functions.
YOKE_API const struct_functions& all_struct_functions() noexcept;

struct told_structs;

}  // namespace detail

/// What `compile_options::types` holds: structs as `describe_struct<T>()` describes them. Copies share them.
/// Thread safety: a value.
class types_option {
 public:
  types_option() noexcept = default;
  YOKE_API types_option(std::vector<struct_description> types);  // NOLINT: a list
  YOKE_API types_option(std::initializer_list<struct_description> types);

  [[nodiscard]] YOKE_API std::span<const struct_description> list() const noexcept;
  [[nodiscard]] bool empty() const noexcept { return !told_; }

  // For `compile`, and what comes behind it.
  /// Requires: structs.
  [[nodiscard]] YOKE_API const detail::struct_functions& functions() const noexcept;

 private:
  detail::shared<const detail::told_structs> told_;
};

namespace detail {

/// Returns: the structs of programs that are linked into one. Of a name that they use for different ones nothing is known.
/// Throws: `std::bad_alloc`.
YOKE_API types_option linked_types(std::span<const types_option> parts);

}  // namespace detail

}  // namespace yoke::inline YOKE_ABI

// The bodies are behind those of <yoke/program/signature.hpp>, which has structs to compare.

#endif

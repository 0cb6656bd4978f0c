// SPDX-License-Identifier: MIT
// The described structs of a compilation and its module. Programs without structs do not link the code for them.
#ifndef YOKE_PROGRAM_STRUCTS_TYPES_OPTION_HPP
#define YOKE_PROGRAM_STRUCTS_TYPES_OPTION_HPP

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

/// The functions for structs. Only a list with structs, and a parameter with one, refer to them.
struct struct_functions {
  /// As `struct_source`.
  std::string (*source)(std::span<const struct_description>, struct_words, const source_location&);
  /// As `binary_with_structs`.
  std::vector<std::byte> (*record)(std::vector<std::byte>, std::span<const struct_description>);
  /// Returns: whether each struct of the signature is described. Throws: `logic_error` for one that differs.
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

/// The type of `compile_options::types`: results of `describe_struct<T>()`. Copies share them.
/// Thread safety: a value.
class types_option {
 public:
  types_option() noexcept = default;
  YOKE_API types_option(std::vector<struct_description> types);  // NOLINT: a list
  YOKE_API types_option(std::initializer_list<struct_description> types);

  [[nodiscard]] YOKE_API std::span<const struct_description> list() const noexcept;
  [[nodiscard]] bool empty() const noexcept { return !told_; }

  // For `compile` and its callees.
  /// Requires: structs.
  [[nodiscard]] YOKE_API const detail::struct_functions& functions() const noexcept;

 private:
  detail::shared<const detail::told_structs> told_;
};

namespace detail {

/// Returns: the structs of linked programs, except a name that they use for different ones.
/// Throws: `std::bad_alloc`.
YOKE_API types_option linked_types(std::span<const types_option> parts);

}  // namespace detail

}  // namespace yoke::inline YOKE_ABI

// The bodies stand with those of <yoke/program/kernel/signature.hpp>.

#endif

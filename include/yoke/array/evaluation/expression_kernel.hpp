// SPDX-License-Identifier: MIT
// Writes the text of an expression's kernel.
#ifndef YOKE_ARRAY_EVALUATION_EXPRESSION_KERNEL_HPP
#define YOKE_ARRAY_EVALUATION_EXPRESSION_KERNEL_HPP

#include <yoke/array/evaluation/expression_form.hpp>

#include <string>
#include <vector>

namespace yoke::inline v0_1::detail {

/// Returns: the source of `yoke_x_evaluate`, which writes elements of type `to`.
YOKE_API std::string evaluation_source(const expression_form& form, value_type_name to);

/// The functions below write parts of kernels; reductions and scans use them, too.
/// Returns: the macros `YOKE_X_INDEX` and `YOKE_X_PLACE`: the types of step numbers and of offsets.
[[nodiscard]] YOKE_API std::string counting_text(bool wide);
YOKE_API std::string inputs_text(const expression_form& form);
/// Whether a text contains the word `return` outside of comments.
[[nodiscard]] YOKE_API bool returns(std::string_view body) noexcept;
/// Returns: a function whose body is a text: statements that return, or one expression. A `#line` gives each text of
/// the program its own file name, so that compiler messages name its lines.
YOKE_API std::string function_text(value_type_name type, const std::string& name, const std::string& parameters,
                                   const char* body, bool is_given = true);
/// Returns: the functions of the steps whose text is a body.
YOKE_API std::string functions_text(const expression_form& form);
/// An operand and the variable in the kernel that holds its offset.
struct placed_operand {
  std::string variable;
  std::size_t operand;
};
/// Effects: writes statements that calculate the offsets at step `index` and add them to the operands' variables. The
/// names are members of `steps`.
YOKE_API void places_text(std::string& to, std::size_t rank, const char* index, const char* extents,
                          const char* strides, std::span<const placed_operand> variables);
/// Effects: writes statements that read the inputs at `place`; if it is null, at `at0`, `at1`, .... `once`: uses
/// `yoke_load_once`.
YOKE_API void loads_text(std::string& to, const expression_form& form, const char* place, bool once = false);
/// Returns: the expression that reads an element from memory.
std::string load_text(const value_type_name& type, const std::string& from, const std::string& place,
                      bool once = false);
/// Effects: calls `each(input, type)` for each distinct input.
template <class Each>
void for_each_input(const expression_form& form, Each&& each) {
  std::size_t input = 0;
  for (const expression_step& step : form.steps) {
    if (step.what != expression_step::form::input) continue;
    if (form.slots[input] == input) each(input, step.type);
    ++input;
  }
}
/// A value in a kernel's text.
struct named_value {
  std::string name;  ///< a variable, or an expression that needs no parentheses
  value_kind kind;
};
/// Effects: writes the statements that calculate an expression from its inputs; to `fixed`, if it is given, those that
/// need none. Returns: the value of each root step.
YOKE_API std::vector<named_value> values_text(std::string& to, const expression_form& form,
                                              std::string* fixed = nullptr);
/// Returns: the value converted to another kind. To bool it is compared with 0; a literal is written as one of that
/// kind.
YOKE_API std::string converted_text(value_kind to, const named_value& value);
YOKE_API std::string truth_text(const named_value& value);
YOKE_API std::string number_text(value_kind kind, const char* number);
/// Returns: the statement that stores a value. `once`: uses `yoke_store_once`.
YOKE_API std::string store_text(value_type_name type, const named_value& value, const std::string& to,
                                const std::string& place, bool once = false);
[[nodiscard]] YOKE_API const char* kind_name(const value_type_name& type) noexcept;  ///< the type in memory
[[nodiscard]] YOKE_API const char* value_name(
    const value_type_name& type) noexcept;  ///< the type in which expressions calculate

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/evaluation/expression_kernel.ipp>
#endif

#endif

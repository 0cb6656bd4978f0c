// SPDX-License-Identifier: MIT
// From an expression's operations to the text of its kernel.
#ifndef YOKE_ARRAY_EVALUATION_EXPRESSION_KERNEL_HPP
#define YOKE_ARRAY_EVALUATION_EXPRESSION_KERNEL_HPP

#include <yoke/array/evaluation/expression_form.hpp>

#include <string>
#include <vector>

namespace yoke::inline v0_1::detail {

/// Returns: `yoke_x_evaluate`, which writes elements of that type.
YOKE_API std::string evaluation_source(const expression_form& form, value_type_name to);

/// The parts of such a text, for other kernels of expressions.
/// Returns: the macros `YOKE_X_INDEX` and `YOKE_X_PLACE`, the types in which a kernel counts steps and places.
[[nodiscard]] YOKE_API std::string counting_text(bool wide);
YOKE_API std::string inputs_text(const expression_form& form);
/// Whether a text has the word `return`, outside of comments.
[[nodiscard]] YOKE_API bool returns(std::string_view body) noexcept;
/// Returns: a function from the text of its body: statements that return, or an expression that is returned. The lines of a text
/// that the program gave are counted in a file of their own, so that messages name them.
YOKE_API std::string function_text(value_type_name type, const std::string& name, const std::string& parameters,
                                   const char* body, bool is_given = true);
/// Returns: the functions of the steps that have one.
YOKE_API std::string functions_text(const expression_form& form);
/// An operand and the variable that gets its place.
struct placed_operand {
  std::string variable;
  std::size_t operand;
};
/// Effects: writes the statements that add the place of step `index` to variables, by the members of `steps` of these names.
YOKE_API void places_text(std::string& to, std::size_t rank, const char* index, const char* extents,
                          const char* strides, std::span<const placed_operand> variables);
/// Effects: writes the statements that read the inputs at `place`, or at `at0`, `at1`, ... for null. `once`: by `yoke_load_once`.
YOKE_API void loads_text(std::string& to, const expression_form& form, const char* place, bool once = false);
/// Returns: the expression that reads an element of memory.
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
/// A value in a text.
struct named_value {
  std::string name;  ///< a variable, or an expression that needs no brackets
  value_kind kind;
};
/// Effects: writes the statements that calculate the values of expressions from the inputs that were read. Returns: the values.
YOKE_API std::vector<named_value> values_text(std::string& to, const expression_form& form);
/// Returns: a value as one of another kind; whether it is not 0; a number without brackets as one of a kind.
YOKE_API std::string converted_text(value_kind to, const named_value& value);
YOKE_API std::string truth_text(const named_value& value);
YOKE_API std::string number_text(value_kind kind, const char* number);
/// Returns: the statement that stores a value. `once`: by `yoke_store_once`.
YOKE_API std::string store_text(value_type_name type, const named_value& value, const std::string& to,
                                const std::string& place, bool once = false);
[[nodiscard]] YOKE_API const char* kind_name(const value_type_name& type) noexcept;  ///< as memory holds it
[[nodiscard]] YOKE_API const char* value_name(
    const value_type_name& type) noexcept;  ///< as expressions calculate with it

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/evaluation/expression_kernel.ipp>
#endif

#endif

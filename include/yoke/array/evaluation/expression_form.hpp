// SPDX-License-Identifier: MIT
// The properties that the text of an expression's kernel depends on: the steps, and how threads share them.
#ifndef YOKE_ARRAY_EVALUATION_EXPRESSION_FORM_HPP
#define YOKE_ARRAY_EVALUATION_EXPRESSION_FORM_HPP

#include <yoke/array/evaluation/expression_axes.hpp>

namespace yoke::inline v0_1::detail {

/// One step of an expression. The steps of its operands precede it.
struct expression_step {
  enum class form : std::uint8_t { input, scalar, operation, reduced };
  form what = form::operation;
  value_type_name type{};      ///< of the result
  value_type_name argument{};  ///< the type that `@0` converts to
  std::uint8_t arity = 0;      ///< of an operation; of a reduction the number of its stage
  /// In the dialect. `$0` is the first operand in its own type, `@0` the operand converted, "`0" the operand too, but
  /// of complex numbers a test that it is not 0, `#` the suffix of complex functions.
  const char* text = "";
  bool is_body = false;  ///< the text is the body of a function of `a`, `b`, ..., or the expression that it returns
};

/// The threads of a block of an evaluation, and the side of the squares that go through local memory.
inline constexpr std::size_t expression_block = 256;
inline constexpr std::size_t expression_square = 32;
/// How the threads of a block share its steps. A thread reads all its vectors before it uses the first. Where an
/// operand is fastest along another axis than the destination, squares of steps go through local memory. Of several
/// axes, a thread goes down a column.
struct expression_tiles {
  std::uint32_t width = 1;    ///< the elements of a vector; of columns, the threads of a block along the last axis
  std::uint32_t vectors = 1;  ///< per thread
  std::uint32_t tall = 0;     ///< the rows of a thread; 0: threads do not go down columns
  bool ahead = false;         ///< a thread reads all elements of its column before it uses the first
  std::uint32_t across = 0;   ///< the fastest axis of those operands, counted from 1; 0: none
  std::uint32_t inputs = 0;   ///< one bit for each input that is fastest along `across`

  /// Returns: the steps of a block.
  [[nodiscard]] constexpr std::int64_t steps() const noexcept {
    return static_cast<std::int64_t>(expression_block) * width * vectors;
  }
};
/// The properties that a kernel's text depends on.
struct expression_form {
  std::span<const expression_step> steps{};
  const std::uint8_t* slots = nullptr;  ///< for each input the first input in the same memory
  std::size_t inputs = 0;
  std::size_t rank = 0;  ///< 0: operands without gaps
  bool wide = false;
  expression_tiles tiles{};
  std::size_t scalars_before = 0;    ///< numbers of the kernel that belong to other expressions
  std::size_t functions_before = 0;  ///< operations of the kernel's other expressions
};

}  // namespace yoke::inline v0_1::detail

#endif

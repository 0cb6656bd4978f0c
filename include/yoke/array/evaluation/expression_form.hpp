// SPDX-License-Identifier: MIT
// What the text of an expression's kernel depends on: its steps, and how threads share them.
#ifndef YOKE_ARRAY_EVALUATION_EXPRESSION_FORM_HPP
#define YOKE_ARRAY_EVALUATION_EXPRESSION_FORM_HPP

#include <yoke/array/evaluation/expression_axes.hpp>

namespace yoke::inline v0_1::detail {

/// One step of an expression, its operands first.
struct expression_step {
  enum class form : std::uint8_t { input, scalar, operation };
  form what = form::operation;
  value_type_name type{};      ///< of the result
  value_type_name argument{};  ///< what `@0` converts an operand to
  std::uint8_t arity = 0;
  /// In the dialect: `$0` is an operand, `@0` one converted, "`0" whether it is not 0, `#` the letter of complex arguments.
  const char* text = "";
  bool is_body = false;  ///< the text is the body of a function of `a`, `b`, ..., or the expression that it returns
};

/// The threads of a block of an evaluation, and the side of a square that goes through local memory.
inline constexpr std::size_t expression_block = 256;
inline constexpr std::size_t expression_square = 32;
/// How the threads of a block share its steps. A vector is read and written in one go, all of a thread's before the first is
/// used; where an operand is fastest along another axis than the destination, squares of steps go through local memory.
struct expression_tiles {
  std::uint32_t width = 1;    ///< the elements of a vector
  std::uint32_t vectors = 1;  ///< of a thread
  std::uint32_t across = 0;   ///< the other axis, counted from 1; 0: none
  std::uint32_t inputs = 0;   ///< a bit for each input that is fastest along it

  /// Returns: the steps of a block.
  [[nodiscard]] constexpr std::int64_t steps() const noexcept {
    return static_cast<std::int64_t>(expression_block) * width * vectors;
  }
};
/// What a kernel's text depends on.
struct expression_form {
  std::span<const expression_step> steps{};
  const std::uint8_t* slots = nullptr;  ///< for each input the first one that is the same memory
  std::size_t inputs = 0;
  std::size_t rank = 0;  ///< 0: without gaps
  bool wide = false;
  expression_tiles tiles{};
};

}  // namespace yoke::inline v0_1::detail

#endif

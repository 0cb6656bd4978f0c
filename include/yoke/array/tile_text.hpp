// SPDX-License-Identifier: MIT
// The parts of an evaluation's text by which threads take several steps: vectors, strides, squares through local memory.
#ifndef YOKE_ARRAY_TILE_TEXT_HPP
#define YOKE_ARRAY_TILE_TEXT_HPP

#include <yoke/array/expression_kernel.hpp>

namespace yoke::inline YOKE_ABI::detail {

/// The texts that the forms of an evaluation share.
struct evaluation_texts {
  value_type_name to;
  std::vector<placed_operand> variables;  ///< the places of the destination and of each distinct input
  std::string value;                      ///< a call that makes an element of `x0`, `x1`, ...
  value_kind kind{};                      ///< of it
};

/// Returns: the statements by which a thread evaluates its vectors of a full tile, if they are aligned.
/// Effects: adds the types of vectors.
std::string vectors_text(std::string& types, const expression_form& form, const evaluation_texts& of);
/// Returns: the statements by which a thread evaluates its steps of a full tile: all are read before the first is written.
std::string scattered_text(const expression_form& form, const evaluation_texts& of);
/// Returns: the statements by which a block evaluates a square of steps along two axes. Its inputs that are fastest along the
/// other axis are read along that, into local memory.
std::string square_text(const expression_form& form, const evaluation_texts& of);

}  // namespace yoke::inline YOKE_ABI::detail

#if defined(YOKE_BODIES)
#include <yoke/array/impl/tile_text.ipp>
#endif

#endif

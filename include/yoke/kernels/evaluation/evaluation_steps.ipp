// SPDX-License-Identifier: MIT
// The parameter that gives the kernel of an expression the axes that it walks, in elements.
R"yoke(// Before it stand the macros
//   YOKE_EVALUATE_OPERANDS  the number of operands: the destination and the inputs
//   YOKE_EVALUATE_RANK      the number of axes; 0: element `i` of each operand is at offset `i`
//   YOKE_EVALUATE_AXES      the maximum number of axes
YOKE_STRUCT(yoke_x_steps) {
  yoke_int64 count, offsets[YOKE_EVALUATE_OPERANDS];
#if YOKE_EVALUATE_RANK > 0
  yoke_int64 extents[YOKE_EVALUATE_AXES];
  yoke_int64 strides[YOKE_EVALUATE_OPERANDS * YOKE_EVALUATE_AXES];
#endif
};
)yoke"

// SPDX-License-Identifier: MIT
// What the evaluation of an expression gets of the axes that it walks, in elements.
R"yoke(// Before it stand the macros
//   YOKE_EVALUATE_OPERANDS  how many operands have places: the destination and the inputs
//   YOKE_EVALUATE_RANK      how many axes are walked; 0: element `i` of each operand is at place `i`
//   YOKE_EVALUATE_AXES      how many axes there are at most
YOKE_STRUCT(yoke_x_steps) {
  yoke_int64 count, offsets[YOKE_EVALUATE_OPERANDS];
#if YOKE_EVALUATE_RANK > 0
  yoke_int64 extents[YOKE_EVALUATE_AXES];
  yoke_int64 strides[YOKE_EVALUATE_OPERANDS * YOKE_EVALUATE_AXES];
#endif
};
)yoke"

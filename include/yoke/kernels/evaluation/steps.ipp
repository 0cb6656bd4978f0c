// SPDX-License-Identifier: MIT
// The parameter that gives the kernels of a reduction or a scan the axes that they walk, in elements.
R"yoke(// Before it stand the macros
//   YOKE_STEPS           the name of the type
//   YOKE_STEPS_OPERANDS  the number of operands
//   YOKE_STEPS_AXES      the maximum number of axes
YOKE_STRUCT(YOKE_STEPS) {
  yoke_int64 results, count, tiles, elements;
  yoke_int64 offsets[YOKE_STEPS_OPERANDS];
  yoke_int64 result_extents[YOKE_STEPS_AXES];
  yoke_int64 result_strides[YOKE_STEPS_OPERANDS * YOKE_STEPS_AXES];
  yoke_int64 extents[YOKE_STEPS_AXES];
  yoke_int64 strides[YOKE_STEPS_OPERANDS * YOKE_STEPS_AXES];
};
)yoke"

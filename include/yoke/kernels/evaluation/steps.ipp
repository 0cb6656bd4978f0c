// SPDX-License-Identifier: MIT
// What a reduction or a scan gets of the axes that it walks, in elements.
R"yoke(// Before it stand the macros
//   YOKE_STEPS           the name of the type
//   YOKE_STEPS_OPERANDS  how many operands have strides
//   YOKE_STEPS_AXES      how many axes they have at most
YOKE_STRUCT(YOKE_STEPS) {
  yoke_int64 results, count, tiles, elements;
  yoke_int64 offsets[YOKE_STEPS_OPERANDS];
  yoke_int64 result_extents[YOKE_STEPS_AXES];
  yoke_int64 result_strides[YOKE_STEPS_OPERANDS * YOKE_STEPS_AXES];
  yoke_int64 extents[YOKE_STEPS_AXES];
  yoke_int64 strides[YOKE_STEPS_OPERANDS * YOKE_STEPS_AXES];
};
)yoke"

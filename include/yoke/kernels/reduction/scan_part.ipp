// SPDX-License-Identifier: MIT
// The part that a scan joins: a value and, for segments, a flag that one begins there.
R"yoke(// Before it stand yoke_x_combine(a, b), which joins two values, yoke_x_begin(), the neutral one, and the macros
//   YOKE_SCAN_VALUE     the type of a value
//   YOKE_SCAN_SEGMENTS  1 for segments, else 0
YOKE_STRUCT(yoke_x_part) {
  YOKE_SCAN_VALUE f;
#if YOKE_SCAN_SEGMENTS
  int s;
#endif
};

yoke_x_part yoke_x_join(yoke_x_part a, yoke_x_part b) {
#if YOKE_SCAN_SEGMENTS
  if (b.s != 0) return b;
#endif
  a.f = yoke_x_combine(a.f, b.f);
  return a;
}

yoke_x_part yoke_x_neutral(void) {
  yoke_x_part x;
  x.f = yoke_x_begin();
#if YOKE_SCAN_SEGMENTS
  x.s = 0;
#endif
  return x;
}
)yoke"

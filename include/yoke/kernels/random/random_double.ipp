// SPDX-License-Identifier: MIT
// Random words as doubles: uniform and normal numbers.
R"yoke(// By operations that round in one way everywhere, as floats.

// Returns: a number of [0, 1).
double yoke_uniform_of_double(yoke_uint64 bits) { return (double)(bits >> 11) * 1.1102230246251565404e-16; }

// Returns: two numbers by Box and Muller: the logarithm of the first word, the angle of the second.
double2 yoke_normals_of_double(yoke_uint64 first, yoke_uint64 second) {
  double u = fma((double)first, 5.42101086242752217e-20, 2.710505431213761085e-20);
  yoke_uint64 bits = as_ulong(u);
  int exponent = (int)((yoke_int64)(bits - 0x3fe6a09e667f3bcdul) >> 52);
  double f = as_double(bits - ((yoke_uint64)(yoke_int64)exponent << 52)) - 1.0;
  double s = f / (2.0 + f);
  double z = s * s;
  double p = fma(z, 0.13086626147840102, 0.13268773138656886);
  p = fma(p, z, 0.15386239702814658);
  p = fma(p, z, 0.18181795640132906);
  p = fma(p, z, 0.22222222391713917);
  p = fma(p, z, 0.28571428570803614);
  p = fma(p, z, 0.4000000000000088);
  p = fma(p, z, 0.6666666666666666);
  double logarithm = fma(s * z, p, 2.0 * s);
  double x = -2.0 * fma((double)exponent, 0.6931471805599453, logarithm);
  double r = sqrt(x);
  uint quarter = (uint)((second + 0x2000000000000000ul) >> 62);
  double angle = (double)(yoke_int64)(second - ((yoke_uint64)quarter << 62)) * 3.4061215800865545e-19;
  z = angle * angle;
  double sine = fma(z, -7.586697117706918e-13, 1.6058531618986147e-10);
  sine = fma(sine, z, -2.5052106232447578e-8);
  sine = fma(sine, z, 2.7557319219339167e-6);
  sine = fma(sine, z, -0.00019841269841265065);
  sine = fma(sine, z, 0.008333333333333331);
  sine = fma(sine, z, -0.16666666666666666);
  sine = fma(sine, angle * z, angle);
  double cosine = fma(z, 4.7458719020432915e-14, -1.1470460887609959e-11);
  cosine = fma(cosine, z, 2.087675579108042e-9);
  cosine = fma(cosine, z, -2.7557319221402824e-7);
  cosine = fma(cosine, z, 2.4801587301584645e-5);
  cosine = fma(cosine, z, -0.0013888888888888887);
  cosine = fma(cosine, z, 0.041666666666666664);
  cosine = fma(cosine, z, -0.5);
  cosine = fma(cosine, z, 1.0);
  double across = (quarter & 1u) != 0u ? sine : cosine;
  double up = (quarter & 1u) != 0u ? cosine : sine;
  if (quarter == 1u || quarter == 2u) across = -across;
  if (quarter > 1u) up = -up;
  return make_double2(r * across, r * up);
}
)yoke"

// SPDX-License-Identifier: MIT
// Draws random doubles in the program's kernels by a seed, an index and a number.
R"yoke(double yoke_random_uniform_double(yoke_uint64 seed, yoke_uint64 index, uint k) {
  return yoke_uniform_of_double(yoke_random_bits64(seed, index, k));
}
double2 yoke_random_normal2_double(yoke_uint64 seed, yoke_uint64 index, uint k) {
  uint4 block = yoke_random_block(seed, index, k);
  return yoke_normals_of_double((yoke_uint64)block.y << 32 | block.x, (yoke_uint64)block.w << 32 | block.z);
}
double yoke_random_normal_double(yoke_uint64 seed, yoke_uint64 index, uint k) {
  return yoke_random_normal2_double(seed, index, k).x;
}
)yoke"

// SPDX-License-Identifier: MIT
// Draws random numbers in the program's kernels by a seed, an index and a number.
R"yoke(// The last word of a counter keeps these numbers apart from those of arrays.
uint4 yoke_random_block(yoke_uint64 seed, yoke_uint64 index, uint k) {
  return yoke_philox4x32(make_uint4((uint)index, (uint)(index >> 32), k, 16u), make_uint2((uint)seed, (uint)(seed >> 32)));
}
uint yoke_random_bits(yoke_uint64 seed, yoke_uint64 index, uint k) { return yoke_random_block(seed, index, k).x; }
yoke_uint64 yoke_random_bits64(yoke_uint64 seed, yoke_uint64 index, uint k) {
  uint4 block = yoke_random_block(seed, index, k);
  return (yoke_uint64)block.y << 32 | block.x;
}
uint yoke_random_below(yoke_uint64 seed, yoke_uint64 index, uint k, uint n) {
  return (uint)mul_hi(yoke_random_bits64(seed, index, k), (yoke_uint64)n);
}
float yoke_random_uniform(yoke_uint64 seed, yoke_uint64 index, uint k) {
  return yoke_uniform_of(yoke_random_bits(seed, index, k));
}
float4 yoke_random_uniform4(yoke_uint64 seed, yoke_uint64 index, uint k) {
  uint4 block = yoke_random_block(seed, index, k);
  return make_float4(yoke_uniform_of(block.x), yoke_uniform_of(block.y), yoke_uniform_of(block.z), yoke_uniform_of(block.w));
}
float2 yoke_random_normal2(yoke_uint64 seed, yoke_uint64 index, uint k) {
  uint4 block = yoke_random_block(seed, index, k);
  return yoke_normals_of(block.x, block.y);
}
float yoke_random_normal(yoke_uint64 seed, yoke_uint64 index, uint k) { return yoke_random_normal2(seed, index, k).x; }
)yoke"

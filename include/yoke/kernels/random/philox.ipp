// SPDX-License-Identifier: MIT
// Philox 4x32-10: 128 random bits from a counter and a key.
R"yoke(// Each counter gives other words. Source: Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (SC 2011).
uint4 yoke_philox4x32(uint4 counter, uint2 key) {
  uint a = counter.x, b = counter.y, c = counter.z, d = counter.w, k = key.x, l = key.y;
  YOKE_UNROLL(10)
  for (int turn = 0; turn < 10; ++turn) {
    yoke_uint64 one = (yoke_uint64)a * 0xd2511f53u, other = (yoke_uint64)c * 0xcd9e8d57u;
    a = (uint)(other >> 32) ^ b ^ k;
    b = (uint)other;
    c = (uint)(one >> 32) ^ d ^ l;
    d = (uint)one;
    k += 0x9e3779b9u;
    l += 0xbb67ae85u;
  }
  return make_uint4(a, b, c, d);
}
)yoke"

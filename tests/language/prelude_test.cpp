// SPDX-License-Identifier: MIT
// The portable dialect, word by word: each is used in a kernel whose result is known.
#include <support/rig.hpp>

#include <cmath>

using namespace yoke_test;

namespace {

template <class Backend>
struct dialect_bench : rig<Backend> {
  dialect_bench(const typename Backend::device& on, const char* source)
      : rig<Backend>(on), module(yoke::compile(this->context, source)) {}
  typename Backend::module module;
};
template <class Port>
dialect_bench(const yoke::device<Port>&, const char*) -> dialect_bench<backend_of<Port>>;

}  // namespace

YOKE_DEVICE_TEST_CASE("the dialect's words for kernels, memory and threads", "[program][dialect]") {
  dialect_bench on(device, R"(
    #if YOKE_BACKEND_OPENCL + YOKE_BACKEND_CUDA + YOKE_BACKEND_HOST != 1
    #error "one backend at a time"
    #endif
    YOKE_CONSTANT int primes[4] = {2, 3, 5, 7};

    YOKE_KERNEL threads(YOKE_GLOBAL int* out) {
      int at = (int)get_global_id(0) * 10;
      out[at] = get_global_id(0);
      out[at + 1] = get_local_id(0);
      out[at + 2] = get_group_id(0);
      out[at + 3] = get_global_size(0);
      out[at + 4] = get_local_size(0);
      out[at + 5] = get_num_groups(0);
      out[at + 6] = get_global_offset(0);
      out[at + 7] = get_work_dim();
      out[at + 8] = get_global_id(1) + get_local_size(2);
      out[at + 9] = primes[get_local_id(0) % 4];
    }

    int from_table(YOKE_CONSTANT_POINTER const int* table, int at) { return table[at]; }
    int from_local(YOKE_LOCAL_POINTER const int* scratch, int at) { return scratch[at]; }

    YOKE_KERNEL memories(YOKE_GLOBAL int* YOKE_RESTRICT out, const YOKE_GLOBAL int* YOKE_RESTRICT in,
                         YOKE_CONSTANT_POINTER int* table, YOKE_LOCAL_ARG(int, scratch), YOKE_LOCAL_ARG(float, reals)) {
      YOKE_LOCAL_BIND(int, scratch);
      YOKE_LOCAL_BIND(float, reals);
      YOKE_LOCAL int fixed[8];
      YOKE_PRIVATE int mine[2];
      int i = get_local_id(0);
      int n = get_local_size(0);
      scratch[i] = in[i];
      YOKE_BARRIER_LOCAL();
      fixed[i] = from_local(scratch, n - 1 - i);
      reals[i] = 0.5f * i;
      YOKE_BARRIER();
      mine[0] = fixed[(i + 1) % n];
      mine[1] = from_table(table, i % 2);
      out[i] = mine[0] * 100 + mine[1] * 10 + (int)(2.0f * reals[n - 1 - i]);
      YOKE_BARRIER_GLOBAL();
      if (i == 0) out[n] = out[1] + out[n - 1];
    }
  )");
  std::vector<int> out(60);
  yoke::get_kernel<void(int*)>(on.module, "threads")(on.stream, {.grid = 2, .block = 3}, yoke::out(out));
  const int primes[] = {2, 3, 5, 7};
  for (int i = 0; i < 6; ++i) {
    const std::vector<int> row(out.begin() + i * 10, out.begin() + i * 10 + 10);
    CHECK(row == std::vector<int>{i, i % 3, i / 3, 6, 3, 2, 0, 1, 1, primes[i % 3]});
  }

  const auto memories =
      yoke::get_kernel<void(int*, const int*, yoke::constant<int>, yoke::local<int>, yoke::local<float>)>(on.module,
                                                                                                          "memories");
  CHECK(memories.checked() == Backend::dialect_check);
  constexpr int n = 8;
  std::vector<int> result(n + 1);
  memories(on.stream, {.grid = 1, .block = n}, yoke::out(result), yoke::in(counting(n)),
           yoke::in(std::vector<int>{3, 4}), yoke::local<int>(n), yoke::local<float>(n));
  std::vector<int> expected;
  for (int i = 0; i < n; ++i) expected.push_back((n - (i + 1) % n) * 100 + (i % 2 == 0 ? 3 : 4) * 10 + n - 1 - i);
  expected.push_back(expected[1] + expected[n - 1]);
  CHECK(result == expected);
}

YOKE_DEVICE_TEST_CASE("the dialect's atomics return the old value", "[program][dialect]") {
  dialect_bench on(device, R"(
    YOKE_KERNEL old_values(YOKE_GLOBAL int* i, YOKE_GLOBAL unsigned* u, YOKE_GLOBAL int* io, YOKE_GLOBAL unsigned* uo) {
      io[0] = yoke_atomic_add(i, 5);                  // 10 -> 15
      io[1] = yoke_atomic_sub(i, 20);                 // 15 -> -5
      io[2] = yoke_atomic_min(i, -7);                 // -5 -> -7
      io[3] = yoke_atomic_max(i, 12);                 // -7 -> 12
      io[4] = yoke_atomic_and(i, 6);                  // 12 -> 4
      io[5] = yoke_atomic_or(i, 3);                   // 4 -> 7
      io[6] = yoke_atomic_xor(i, 2);                  // 7 -> 5
      io[7] = yoke_atomic_exchange(i, 99);            // 5 -> 99
      io[8] = yoke_atomic_compare_exchange(i, 1, 2);  // 99 stays
      io[9] = yoke_atomic_compare_exchange(i, 99, 3); // 99 -> 3
      uo[0] = yoke_atomic_add(u, 1u);                 // 4294967295 -> 0
      uo[1] = yoke_atomic_sub(u, 1u);                 // 0 -> 4294967295
      uo[2] = yoke_atomic_max(u, 7u);                 // unsigned: stays
      uo[3] = yoke_atomic_min(u, 7u);                 // -> 7
      uo[4] = yoke_atomic_and(u, 5u);                 // 7 -> 5
      uo[5] = yoke_atomic_or(u, 8u);                  // 5 -> 13
      uo[6] = yoke_atomic_xor(u, 1u);                 // 13 -> 12
      uo[7] = yoke_atomic_exchange(u, 77u);           // 12 -> 77
      uo[8] = yoke_atomic_compare_exchange(u, 77u, 6u);
    }
    YOKE_KERNEL together(YOKE_GLOBAL int* counter, YOKE_GLOBAL int* seen, YOKE_LOCAL_ARG(int, shared)) {
      YOKE_LOCAL_BIND(int, shared);
      if (get_local_id(0) == 0) shared[0] = 0;
      YOKE_BARRIER_LOCAL();
      yoke_atomic_add(shared, 1);
      YOKE_BARRIER_LOCAL();
      if (get_local_id(0) == 0) yoke_atomic_add(counter + 1, shared[0]);
      seen[yoke_atomic_add(counter, 1)] += 1;
    }
  )");
  std::vector<int> i{10};
  std::vector<unsigned> u{~0U};
  std::vector<int> io(10);
  std::vector<unsigned> uo(9);
  yoke::get_kernel<void(int*, unsigned*, int*, unsigned*)>(on.module, "old_values")(
      on.stream, {.grid = 1}, yoke::in_out(i), yoke::in_out(u), yoke::out(io), yoke::out(uo));
  CHECK(io == std::vector<int>{10, 15, -5, -7, 12, 4, 7, 5, 99, 99});
  CHECK(i[0] == 3);
  CHECK(uo == std::vector<unsigned>{~0U, 0, ~0U, ~0U, 7, 5, 13, 12, 77});
  CHECK(u[0] == 6);

  std::vector<int> counter(2);
  std::vector<int> seen(512);
  yoke::get_kernel<void(int*, int*, yoke::local<int>)>(on.module, "together")(
      on.stream, {.grid = 8, .block = 64}, yoke::in_out(counter), yoke::in_out(seen), yoke::local<int>(1));
  CHECK(counter == std::vector<int>{512, 512});
  CHECK(seen == std::vector<int>(512, 1));  // each old value once
}

YOKE_DEVICE_TEST_CASE("the dialect's vectors are those of the host", "[program][dialect]") {
  dialect_bench on(device, R"(
    YOKE_KERNEL vectors(YOKE_GLOBAL float2* f2, YOKE_GLOBAL float4* f4, YOKE_GLOBAL int2* i2, YOKE_GLOBAL int4* i4,
                        float2 a, int4 b) {
      f2[0] = make_float2(f2[0].y, f2[0].x + a.y);
      f4[0] = make_float4(f4[0].w, f4[0].z, f4[0].y, f4[0].x * a.x);
      i2[0] = make_int2(i2[0].y - b.x, i2[0].x);
      i4[0] = make_int4(i4[0].w, i4[0].z + b.y, i4[0].y + b.z, i4[0].x + b.w);
      float4 made = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
      made.x += 0.5f;
      f4[1] = made;
    }
  )");
  std::vector<yoke::float2> f2{{1, 2}};
  std::vector<yoke::float4> f4{{1, 2, 3, 4}, {}};
  std::vector<yoke::int2> i2{{5, 6}};
  std::vector<yoke::int4> i4{{1, 2, 3, 4}};
  const auto vectors =
      yoke::get_kernel<void(yoke::float2*, yoke::float4*, yoke::int2*, yoke::int4*, yoke::float2, yoke::int4)>(
          on.module, "vectors");
  CHECK(vectors.checked() == Backend::dialect_check);
  vectors(on.stream, {.grid = 1}, yoke::in_out(f2), yoke::in_out(f4), yoke::in_out(i2), yoke::in_out(i4),
          yoke::float2{2, 10}, yoke::int4{1, 10, 20, 30});
  CHECK(f2[0] == yoke::float2{2, 11});
  CHECK(f4[0] == yoke::float4{4, 3, 2, 2});
  CHECK(f4[1] == yoke::float4{1.5F, 2, 3, 4});
  CHECK(i2[0] == yoke::int2{5, 5});
  CHECK(i4[0] == yoke::int4{4, 13, 22, 31});
}

YOKE_DEVICE_TEST_CASE("the dialect's scalars have fixed widths", "[program][dialect]") {
  dialect_bench on(device, R"(
    YOKE_KERNEL sizes(YOKE_GLOBAL int* out) {
      out[0] = sizeof(yoke_int8); out[1] = sizeof(yoke_uint8); out[2] = sizeof(yoke_int16);
      out[3] = sizeof(yoke_uint16);
      out[4] = sizeof(yoke_int32); out[5] = sizeof(yoke_uint32); out[6] = sizeof(yoke_int64);
      out[7] = sizeof(yoke_uint64); out[8] = sizeof(yoke_float32);
      out[9] = (yoke_int8)-1 < 0; out[10] = (yoke_uint8)-1 > 0; out[11] = (yoke_int16)-1 < 0;
      out[12] = (yoke_uint16)-1 > 0; out[13] = (yoke_int32)-1 < 0; out[14] = (yoke_uint32)-1 > 0;
      out[15] = (yoke_int64)-1 < 0; out[16] = (yoke_uint64)-1 > 0; out[17] = (yoke_float32)0.5f > 0;
    }
    YOKE_KERNEL parameters(YOKE_GLOBAL yoke_int64* out, yoke_int8 a, yoke_uint8 b, yoke_int16 c, yoke_uint16 d,
                           yoke_int32 e, yoke_uint32 f, yoke_int64 g, yoke_uint64 h, yoke_float32 i) {
      out[0] = a + b + c + d + e + f + g + (yoke_int64)h + (yoke_int64)i;
    }
  )");
  std::vector<int> out(18);
  yoke::get_kernel<void(int*)>(on.module, "sizes")(on.stream, {.grid = 1}, yoke::out(out));
  CHECK(out == std::vector<int>{1, 1, 2, 2, 4, 4, 8, 8, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1});

  std::vector<std::int64_t> sum(1);
  const auto parameters =
      yoke::get_kernel<void(std::int64_t*, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                            std::uint32_t, std::int64_t, std::uint64_t, float)>(on.module, "parameters");
  CHECK(parameters.checked() == Backend::dialect_check);  // the dialect's own names are built in
  parameters(on.stream, {.grid = 1}, yoke::out(sum), -1, 2, -3, 4, -5, 6, std::int64_t{1} << 40, 8, 9);
  CHECK(sum[0] == (std::int64_t{1} << 40) + 20);
  refusal<yoke::logic_error>(yoke::errc::signature_mismatch, [&] {
    (void)yoke::get_kernel<void(std::int64_t*, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int64_t,
                                std::uint32_t, std::int64_t, std::uint64_t, float)>(on.module, "parameters");
  });
}

YOKE_DEVICE_TEST_CASE("the dialect's mathematics agrees with the host's", "[program][dialect]") {
  dialect_bench on(device, R"(
    YOKE_KERNEL reals(YOKE_GLOBAL float* out, YOKE_GLOBAL const float* in, int n) {
      int i = get_global_id(0);
      if (i >= n) return;
      float x = in[i];
      YOKE_GLOBAL float* to = out + 8 * i;
      to[0] = min(x, 0.5f);
      to[1] = max(x, 0.5f);
      to[2] = clamp(x, -1.0f, 1.0f);
      to[3] = fma(x, 2.0f, 1.0f);
      to[4] = sqrt(x * x);
      to[5] = exp(x);
      to[6] = sin(x);
      to[7] = cos(x);
    }
    YOKE_KERNEL integers(YOKE_GLOBAL int* out, int a, int b, unsigned c, unsigned d) {
      out[0] = min(a, b);
      out[1] = max(a, b);
      out[2] = clamp(a, -5, 5);
      out[3] = min(c, d) == d;
      out[4] = max(c, d) == c;
      out[5] = clamp(c, 1u, 9u);
    }
  )");
  const std::vector<float> in{-3.25F, -1.0F, -0.1F, 0.0F, 0.3F, 0.5F, 1.75F, 3.0F, 5.5F};
  const int n = static_cast<int>(in.size());
  std::vector<float> out(in.size() * 8);
  yoke::get_kernel<void(float*, const float*, int)>(on.module, "reals")(on.stream, yoke::launch_over(n, 16),
                                                                        yoke::out(out), yoke::in(in), n);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const float x = in[i];
    const float* const got = &out[8 * i];
    INFO("x is " << x);
    CHECK(got[0] == std::min(x, 0.5F));
    CHECK(got[1] == std::max(x, 0.5F));
    CHECK(got[2] == std::clamp(x, -1.0F, 1.0F));
    CHECK(got[3] == std::fma(x, 2.0F, 1.0F));
    CHECK_THAT(got[4], WithinULP(std::abs(x), 4));
    CHECK_THAT(got[5], WithinULP(std::exp(x), 4));
    CHECK_THAT(got[6], WithinAbs(std::sin(static_cast<double>(x)), 1e-6));
    CHECK_THAT(got[7], WithinAbs(std::cos(static_cast<double>(x)), 1e-6));
  }
  std::vector<int> words(6);
  yoke::get_kernel<void(int*, int, int, unsigned, unsigned)>(on.module, "integers")(
      on.stream, {.grid = 1}, yoke::out(words), -9, 4, 4000000000U, 3U);
  CHECK(words == std::vector<int>{-9, 4, -5, 1, 1, 9});
}

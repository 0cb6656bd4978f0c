// SPDX-License-Identifier: MIT
// Every kind of kernel argument: what arrives in the kernel, and what is refused with which words.
#include <support/rig.hpp>

#include <limits>

using namespace yoke_test;

namespace {

struct mixed {
  std::int64_t wide;
  float real;
  std::int8_t narrow;
};

const char* const kernels = R"(
  kernel void integers(global long* out, char a, uchar b, short c, ushort d, int e, uint f, long g, ulong h) {
    out[0] = a; out[1] = b; out[2] = c; out[3] = d; out[4] = e; out[5] = f; out[6] = g; out[7] = (long)h;
  }
  kernel void reals(global float* out, float a, float2 b, float4 c) {
    out[0] = a; out[1] = b.x; out[2] = b.y; vstore4(c, 0, out + 3);
  }
  kernel void words(global int* out, int2 a, int4 b) { vstore2(a, 0, out); vstore4(b, 0, out + 2); }
  typedef struct { long wide; float real; char narrow; } mixed;
  kernel void structure(global long* out, mixed m) { out[0] = m.wide; out[1] = (long)m.real; out[2] = m.narrow; }
  kernel void memories(global int* to, const global int* from, constant int* table, local int* scratch, int n) {
    size_t i = get_local_id(0);
    scratch[i] = from[i] * table[i % 2];
    barrier(CLK_LOCAL_MEM_FENCE);
    to[i] = scratch[n - 1 - i];
  }
  kernel void maybe(global int* out, const global int* in) { out[0] = in == 0 ? -1 : in[0]; }
  kernel void store(global int* out, int value) { out[get_global_id(0)] = value; }
  kernel void store_byte(global int* out, uchar value) { out[0] = value; }
  kernel void store_float(global float* out, float value) { out[0] = value; }
)";

using integers_signature = void(std::int64_t*, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                                std::uint32_t, std::int64_t, std::uint64_t);

}  // namespace

YOKE_OPENCL_TEST_CASE("values of every type arrive as they were given", "[program]") {
  rig on(device);
  const auto module = yoke::compile(on.context, kernels);
  std::vector<std::int64_t> longs(8);
  const auto integers = module.get_kernel<integers_signature>("integers");
  integers(on.stream, {.grid = 1}, yoke::out(longs), std::int8_t{-128}, std::uint8_t{255}, std::int16_t{-32768},
           std::uint16_t{65535}, std::numeric_limits<std::int32_t>::min(), 4294967295U,
           std::numeric_limits<std::int64_t>::min(), std::uint64_t{1} << 62);
  CHECK(longs == std::vector<std::int64_t>{-128, 255, -32768, 65535, -2147483648LL, 4294967295LL,
                                           std::numeric_limits<std::int64_t>::min(), std::int64_t{1} << 62});
  // Any other integer type, when the value fits.
  integers(on.stream, {.grid = 1}, yoke::out(longs), -1L, 2, 3UL, short{4}, std::int8_t{5}, 6LL, 7U, 8);
  CHECK(longs == std::vector<std::int64_t>{-1, 2, 3, 4, 5, 6, 7, 8});

  std::vector<float> floats(7);
  module.get_kernel<void(float*, float, yoke::float2, yoke::float4)>("reals")(
      on.stream, {.grid = 1}, yoke::out(floats), 0.5F, yoke::float2{1, 2}, yoke::float4{3, 4, 5, 6});
  CHECK(floats == std::vector<float>{0.5F, 1, 2, 3, 4, 5, 6});
  std::vector<int> ints(6);
  module.get_kernel<void(int*, yoke::int2, yoke::int4)>("words")(on.stream, {.grid = 1}, yoke::out(ints),
                                                                 yoke::int2{-1, 2}, yoke::int4{3, -4, 5, 6});
  CHECK(ints == std::vector<int>{-1, 2, 3, -4, 5, 6});
  std::vector<std::int64_t> members(3);
  module.get_kernel<void(std::int64_t*, mixed)>("structure")(on.stream, {.grid = 1}, yoke::out(members),
                                                             mixed{std::int64_t{1} << 40, 7.0F, -3});
  CHECK(members == std::vector<std::int64_t>{std::int64_t{1} << 40, 7, -3});
}

YOKE_OPENCL_TEST_CASE("double values arrive where the device has them", "[program]") {
  rig on(device);
  if (ocl::try_get(on.device, ocl::info::double_fp_config).value_or(0) == 0)
    YOKE_SKIP("this device has no double precision");
  const auto module = yoke::compile(on.context, R"(
    #pragma OPENCL EXTENSION cl_khr_fp64 : enable
    kernel void f(global double* out, double a, double b, double c) { out[0] = a; out[1] = b; out[2] = c; })");
  std::vector<double> out(3);
  const auto f = module.get_kernel<void(double*, double, double, double)>("f");
  CHECK(f.checked() == yoke::signature_check::names);
  f(on.stream, {.grid = 1}, yoke::out(out), 1e300, 0.5F, std::int64_t{1} << 53);
  CHECK(out == std::vector<double>{1e300, 0.5, 9007199254740992.0});
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::out_of_range,
                                 [&] { f(on.stream, {.grid = 1}, yoke::out(out), (std::int64_t{1} << 53) + 1, 0, 0); }),
      ContainsSubstring("argument 2 is 9007199254740993, which double cannot hold exactly"));
}

YOKE_OPENCL_TEST_CASE("device memory of every kind is an argument", "[program]") {
  rig on(device);
  const auto module = yoke::compile(on.context, kernels);
  const auto memories =
      module.get_kernel<void(int*, const int*, yoke::constant<int>, yoke::local<int>, int)>("memories");
  const std::vector<int> expected{12, 5, 8, 3, 4, 1};  // 1 2 3 4 5 6 times 1 2, reversed: 12 5 8 3 4 1
  auto from = yoke::to_device(counting(6), on.stream);
  auto table = yoke::to_device(std::vector<int>{1, 2}, on.stream);
  ocl::device_allocation<int> to{on.context, 6};
  const auto& constant = from;
  const yoke::launch_shape shape{.grid = 1, .block = 6};

  memories(on.stream, shape, to, from, table, yoke::local<int>(6), 6);
  CHECK(download(to, on.stream) == expected);
  yoke::fill(to, 0, on.stream);
  memories(on.stream, shape, to.span(), constant, table.span(), yoke::local<int>(6U), 6);
  CHECK(download(to, on.stream) == expected);

  std::vector<int> host(6);
  memories(on.stream, shape, yoke::out(host), yoke::in(counting(6)), yoke::in(std::vector<int>{1, 2}),
           yoke::local<int>(6), 6);
  CHECK(host == expected);
  ocl::pagelocked_array<int> locked{on.context, 6};
  memories(on.stream, shape, yoke::out(locked), constant.span(), table, yoke::local<int>(6), 6);
  CHECK(std::ranges::equal(locked, expected));

  const std::size_t step = on.stream.limits().base_alignment_bytes / sizeof(int);
  ocl::device_allocation<int> large{on.context, step + 6};
  ocl::sub_buffer<int> part(large, step, 6);
  memories(on.stream, shape, part, from, table, yoke::local<int>(6), 6);
  CHECK(download(part.allocation(), on.stream) == expected);
  auto whole = large.subspan(step, 6);
  CHECK(download(whole, on.stream) == expected);

  const auto maybe = module.get_kernel<void(int*, const int*)>("maybe");
  maybe(on.stream, {.grid = 1}, to, nullptr);
  CHECK(download(to, on.stream)[0] == -1);
  maybe(on.stream, {.grid = 1}, to, ocl::device_allocation<int>{on.context, 0});  // nothing is null in the kernel
  CHECK(download(to, on.stream)[0] == -1);
  maybe(on.stream, {.grid = 1}, to, from);
  CHECK(download(to, on.stream)[0] == 1);
}

YOKE_OPENCL_TEST_CASE("SVM is an argument", "[program]") {
  rig on(device);
  if (!on.device.port().svm(on.device.native_handle(), {}).coarse) YOKE_SKIP("this device has no coarse-grained SVM");
  const auto store = yoke::compile(on.context, kernels).get_kernel<void(int*, int)>("store");
  ocl::svm_allocation<int, ocl::svm::coarse> shared{on.context, 4, on.stream};
  store(on.stream, yoke::launch_over(4, 4), shared, 9);
  {
    const auto view = shared.map(on.stream, ocl::map_read);
    CHECK(std::count(view.begin(), view.end(), 9) == 4);
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::mapped, [&] { store(on.stream, {.grid = 1}, shared, 1); }),
               ContainsSubstring("argument 1 is mapped for the host: let the mapped view end first"));
  }
  store(on.stream, yoke::launch_over(4, 4), shared, 8);
  CHECK(download(shared, on.stream) == std::vector<int>(4, 8));
}

YOKE_OPENCL_TEST_CASE("host ranges travel there, back, or both ways", "[program]") {
  rig on(device);
  const auto module = yoke::compile(on.context, R"(
    kernel void add(global int* a, int by) { a[get_global_id(0)] += by; })");
  const auto add = module.get_kernel<void(int*, int)>("add");
  std::vector<int> host = counting(4);
  const auto shape = yoke::launch_over(4, 4);
  std::size_t mark = on.driver.mark();
  add(on.stream, shape, yoke::in(host), 10);
  CHECK(host == counting(4));
  CHECK(on.driver.count("enqueue_write_buffer", mark) == 1);
  CHECK(on.driver.count("enqueue_read_buffer", mark) == 0);
  add(on.stream, shape, yoke::in_out(host), 10);
  CHECK(host == counting(4, 11));
  mark = on.driver.mark();
  add(on.stream, shape, yoke::out(host), 0);
  CHECK(on.driver.count("enqueue_write_buffer", mark) == 0);
  CHECK(on.driver.count("enqueue_read_buffer", mark) == 1);
  int array[4] = {};
  add(on.stream, shape, yoke::in_out(array), 3);
  CHECK(array[3] == 3);
  CHECK(on.live().size() == 3);  // program and kernel's original and clone: nothing of the host ranges
}

YOKE_OPENCL_TEST_CASE("arguments that cannot be used are refused by number", "[program]") {
  rig on(device);
  const auto store = yoke::compile(on.context, kernels).get_kernel<void(int*, int)>("store");
  ocl::device_allocation<int> memory{on.context, 16};
  const ocl::context elsewhere(on.device);
  ocl::device_allocation<int> foreign{elsewhere, 16};
  const ocl::stream foreign_stream(elsewhere);
  ocl::device_allocation<int> gone{on.context, 1};
  const auto here = std::move(gone);
  const std::size_t mark = on.driver.mark();
  const auto refused = [&](yoke::errc why, auto& argument) {
    return refusal<yoke::logic_error>(why, [&] { store(on.stream, {.grid = 1}, argument, 1); });
  };
  using yoke::errc;
  CHECK_THAT(refused(errc::empty_handle, gone),
             ContainsSubstring("argument 1 is empty (moved from, released or never set)"));
  CHECK_THAT(refused(errc::wrong_context, foreign),
             ContainsSubstring("argument 1 is of another context than the stream"));
  CHECK_THAT(refusal<yoke::logic_error>(errc::wrong_context, [&] { store(foreign_stream, {.grid = 1}, foreign, 1); }),
             ContainsSubstring("the kernel is of another context than the stream"));
  refusal<yoke::logic_error>(errc::empty_handle, [&] { store(ocl::stream{}, {.grid = 1}, memory, 1); });
  CHECK(on.enqueued(mark) == 0);

  auto shifted = memory.subspan(3, 4);
  const std::string alignment = std::to_string(on.stream.limits().base_alignment_bytes);
  CHECK_THAT(refused(errc::misaligned, shifted),
             ContainsSubstring("a span that starts at byte 12 cannot be an OpenCL kernel argument") &&
                 ContainsSubstring("opencl::sub_buffer, which must start at a multiple of " + alignment + " bytes"));
  {
    const auto view = ocl::map(memory, on.stream, ocl::map_read);
    CHECK_THAT(refused(errc::mapped, memory), ContainsSubstring("argument 1 is mapped for the host"));
  }
  CHECK(on.driver.count("enqueue_kernel", mark) == 0);
}

YOKE_OPENCL_TEST_CASE("integers out of a parameter's range are refused at the caller's line", "[program]") {
  rig on(device);
  const auto module = yoke::compile(on.context, kernels);
  const auto store = module.get_kernel<void(int*, int)>("store");
  const auto store_byte = module.get_kernel<void(int*, std::uint8_t)>("store_byte");
  const auto store_float = module.get_kernel<void(float*, float)>("store_float");
  ocl::device_allocation<int> memory{on.context, 1};
  ocl::device_allocation<float> floats{on.context, 1};
  const yoke::launch_shape one{.grid = 1};
  const auto refused = [](auto act) { return refusal<yoke::logic_error>(yoke::errc::out_of_range, act); };
  const std::size_t mark = on.driver.mark();
  CHECK_THAT(refused([&] { store(on.stream, one, memory, std::int64_t{1} << 31); }),
             ContainsSubstring("argument 2 is 2147483648, outside -2147483648 .. 2147483647 of int"));
  CHECK_THAT(refused([&] { store(on.stream, one, memory, ~0U); }), ContainsSubstring("argument 2 is 4294967295"));
  CHECK_THAT(refused([&] { store_byte(on.stream, one, memory, 256); }),
             ContainsSubstring("argument 2 is 256, outside 0 .. 255 of uchar"));
  CHECK_THAT(refused([&] { store_byte(on.stream, one, memory, -1); }), ContainsSubstring("argument 2 is -1"));
  CHECK_THAT(refused([&] { store_float(on.stream, one, floats, (1 << 24) + 1); }),
             ContainsSubstring("argument 2 is 16777217, which float cannot hold exactly"));
  refused([&] { store_float(on.stream, one, floats, std::numeric_limits<std::int32_t>::max()); });
  refused([&] { store_float(on.stream, one, floats, std::numeric_limits<std::uint64_t>::max()); });
  CHECK(on.driver.count_all(mark) == 0);
  try {
    store(on.stream, one, memory, ~0U);
  } catch (const yoke::logic_error& e) {
    CHECK(e.where().line() == __LINE__ - 2);
    CHECK_THAT(e.where().file_name(), EndsWith("argument_test.cpp"));
  }
  for (const std::int64_t exact :
       {std::int64_t{0}, std::int64_t{1} << 24, -(std::int64_t{1} << 40), std::int64_t{-3}}) {
    store_float(on.stream, one, floats, exact);
    CHECK(download(floats, on.stream)[0] == static_cast<float>(exact));
  }
  store_byte(on.stream, one, memory, 255LL);
  CHECK(download(memory, on.stream)[0] == 255);
}

YOKE_OPENCL_TEST_CASE("two arguments that write the same host memory are refused", "[program]") {
  rig on(device);
  const auto pair = yoke::compile(on.context, R"(
    kernel void pair(global int* a, int n, global int* b) { a[get_global_id(0)] = n; b[get_global_id(0)] = n + 1; })")
                        .get_kernel<void(int*, int, int*)>("pair");
  std::vector<int> host(8);
  const std::span<int> all(host);
  const yoke::launch_shape shape{.grid = 1, .block = 4};
  const std::size_t mark = on.driver.mark();
  const auto refused = [&](auto&& first, auto&& second) {
    return refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { pair(on.stream, shape, first, 1, second); });
  };
  CHECK_THAT(refused(yoke::out(host), yoke::out(host)),
             ContainsSubstring("arguments 1 and 3 both write the same 32 bytes of host memory") &&
                 ContainsSubstring("argument_test.cpp:"));
  CHECK_THAT(refused(yoke::in_out(all.first(5)), yoke::out(all.last(5))),
             ContainsSubstring("both write the same 8 bytes"));
  CHECK(on.driver.count_all(mark) == 0);
  pair(on.stream, shape, yoke::out(all.first(4)), 1, yoke::out(all.last(4)));  // side by side is well
  CHECK(host == std::vector<int>{1, 1, 1, 1, 2, 2, 2, 2});
  const auto add = yoke::compile(on.context, R"(
    kernel void add(global int* a, const global int* b) { a[get_global_id(0)] += b[get_global_id(0)]; })")
                       .get_kernel<void(int*, const int*)>("add");
  add(on.stream, {.grid = 1, .block = 8}, yoke::in_out(host), yoke::in(host));  // one writes, one reads: no doubt
  CHECK(host == std::vector<int>{2, 2, 2, 2, 4, 4, 4, 4});
}

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
  YOKE_KERNEL integers(YOKE_GLOBAL yoke_int64* out, yoke_int8 a, yoke_uint8 b, yoke_int16 c, yoke_uint16 d,
                       yoke_int32 e, yoke_uint32 f, yoke_int64 g, yoke_uint64 h) {
    out[0] = a; out[1] = b; out[2] = c; out[3] = d; out[4] = e; out[5] = f; out[6] = g; out[7] = (yoke_int64)h;
  }
  YOKE_KERNEL reals(YOKE_GLOBAL float* out, float a, float2 b, float4 c) {
    out[0] = a; out[1] = b.x; out[2] = b.y; out[3] = c.x; out[4] = c.y; out[5] = c.z; out[6] = c.w;
  }
  YOKE_KERNEL words(YOKE_GLOBAL int* out, int2 a, int4 b) { out[0] = a.x; out[1] = a.y; out[2] = b.x; out[3] = b.y; out[4] = b.z; out[5] = b.w; }
  typedef struct { yoke_int64 wide; float real; yoke_int8 narrow; } mixed;
  YOKE_KERNEL structure(YOKE_GLOBAL yoke_int64* out, mixed m) { out[0] = m.wide; out[1] = (yoke_int64)m.real; out[2] = m.narrow; }
  YOKE_KERNEL memories(YOKE_GLOBAL int* to, const YOKE_GLOBAL int* from, YOKE_CONSTANT_POINTER int* table,
                       YOKE_LOCAL_ARG(int, scratch), int n) {
    YOKE_LOCAL_BIND(int, scratch)
    size_t i = get_local_id(0);
    scratch[i] = from[i] * table[i % 2];
    YOKE_BARRIER_LOCAL();
    to[i] = scratch[n - 1 - i];
  }
  YOKE_KERNEL maybe(YOKE_GLOBAL int* out, const YOKE_GLOBAL int* in) { out[0] = in == 0 ? -1 : in[0]; }
  YOKE_KERNEL store(YOKE_GLOBAL int* out, int value) { out[get_global_id(0)] = value; }
  YOKE_KERNEL store_byte(YOKE_GLOBAL int* out, yoke_uint8 value) { out[0] = value; }
  YOKE_KERNEL store_char(YOKE_GLOBAL int* out, char value) { out[0] = value; }
  YOKE_KERNEL store_float(YOKE_GLOBAL float* out, float value) { out[0] = value; }
)";

using integers_signature = void(std::int64_t*, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                                std::uint32_t, std::int64_t, std::uint64_t);

}  // namespace

YOKE_DEVICE_TEST_CASE("values of every type arrive as they were given", "[program]") {
  rig on(device);
  const auto module = yoke::compile(on.context, kernels);
  std::vector<std::int64_t> longs(8);
  const auto integers = yoke::get_kernel<integers_signature>(module, "integers");
  integers(on.stream, {.grid = 1}, yoke::out(longs), std::int8_t{-128}, std::uint8_t{255}, std::int16_t{-32768},
           std::uint16_t{65535}, std::numeric_limits<std::int32_t>::min(), 4294967295U,
           std::numeric_limits<std::int64_t>::min(), std::uint64_t{1} << 62);
  CHECK(longs == std::vector<std::int64_t>{-128, 255, -32768, 65535, -2147483648LL, 4294967295LL,
                                           std::numeric_limits<std::int64_t>::min(), std::int64_t{1} << 62});
  // Any other integer type, when the value fits.
  integers(on.stream, {.grid = 1}, yoke::out(longs), -1L, 2, 3UL, short{4}, std::int8_t{5}, 6LL, 7U, 8);
  CHECK(longs == std::vector<std::int64_t>{-1, 2, 3, 4, 5, 6, 7, 8});

  std::vector<float> floats(7);
  yoke::get_kernel<void(float*, float, yoke::float2, yoke::float4)>(module, "reals")(
      on.stream, {.grid = 1}, yoke::out(floats), 0.5F, yoke::float2{1, 2}, yoke::float4{3, 4, 5, 6});
  CHECK(floats == std::vector<float>{0.5F, 1, 2, 3, 4, 5, 6});
  std::vector<int> ints(6);
  yoke::get_kernel<void(int*, yoke::int2, yoke::int4)>(module, "words")(on.stream, {.grid = 1}, yoke::out(ints),
                                                                        yoke::int2{-1, 2}, yoke::int4{3, -4, 5, 6});
  CHECK(ints == std::vector<int>{-1, 2, 3, -4, 5, 6});
  std::vector<std::int64_t> members(3);
  yoke::get_kernel<void(std::int64_t*, mixed)>(module, "structure")(on.stream, {.grid = 1}, yoke::out(members),
                                                                    mixed{std::int64_t{1} << 40, 7.0F, -3});
  CHECK(members == std::vector<std::int64_t>{std::int64_t{1} << 40, 7, -3});
}

YOKE_DEVICE_TEST_CASE("device memory of every kind is an argument", "[program]") {
  rig on(device);
  const auto module = yoke::compile(on.context, kernels);
  const auto memories =
      yoke::get_kernel<void(int*, const int*, yoke::constant<int>, yoke::local<int>, int)>(module, "memories");
  const std::vector<int> expected{12, 5, 8, 3, 4, 1};  // 1 2 3 4 5 6 times 1 2, reversed: 12 5 8 3 4 1
  auto from = yoke::to_device(counting(6), on.stream);
  auto table = yoke::to_device(std::vector<int>{1, 2}, on.stream);
  backend::device_allocation<int> to{on.context, 6};
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
  backend::pagelocked_array<int> locked{on.context, 6};
  memories(on.stream, shape, yoke::out(locked), constant.span(), table, yoke::local<int>(6), 6);
  CHECK(std::ranges::equal(locked, expected));

  const auto maybe = yoke::get_kernel<void(int*, const int*)>(module, "maybe");
  maybe(on.stream, {.grid = 1}, to, nullptr);
  CHECK(download(to, on.stream)[0] == -1);
  maybe(on.stream, {.grid = 1}, to, backend::device_allocation<int>{on.context, 0});  // nothing is null in the kernel
  CHECK(download(to, on.stream)[0] == -1);
  maybe(on.stream, {.grid = 1}, to, from);
  CHECK(download(to, on.stream)[0] == 1);
}

YOKE_DEVICE_TEST_CASE("host ranges travel there, back, or both ways", "[program]") {
  rig on(device);
  const auto module = yoke::compile(on.context, R"(
    YOKE_KERNEL add(YOKE_GLOBAL int* a, int by) { a[get_global_id(0)] += by; }
    YOKE_KERNEL set(YOKE_GLOBAL int* a, int to) { a[get_global_id(0)] = to; })");
  const auto add = yoke::get_kernel<void(int*, int)>(module, "add");
  const auto set = yoke::get_kernel<void(int*, int)>(module, "set");
  std::vector<int> host = counting(4);
  const auto shape = yoke::launch_over(4, 4);
  std::size_t mark = on.driver.mark();
  add(on.stream, shape, yoke::in(host), 10);
  CHECK(host == counting(4));
  CHECK(on.driver.count(calls::write, mark) == 1);
  CHECK(on.driver.count(calls::read, mark) == 0);
  add(on.stream, shape, yoke::in_out(host), 10);
  CHECK(host == counting(4, 11));
  mark = on.driver.mark();
  set(on.stream, shape, yoke::out(host), 7);
  CHECK(host == std::vector<int>(4, 7));
  CHECK(on.driver.count(calls::write, mark) == 0);
  CHECK(on.driver.count(calls::read, mark) == 1);
  int array[4] = {};
  add(on.stream, shape, yoke::in_out(array), 3);
  CHECK(array[3] == 3);
  CHECK(on.live().size() == 1 + 2 * Backend::kernel_objects);  // program and kernels: nothing of the host ranges
}

YOKE_DEVICE_TEST_CASE("arguments that cannot be used are refused by number", "[program]") {
  rig on(device);
  const auto store = yoke::get_kernel<void(int*, int)>(yoke::compile(on.context, kernels), "store");
  backend::device_allocation<int> memory{on.context, 16};
  const backend::context elsewhere = Backend::another_context(on.device);
  backend::device_allocation<int> foreign{elsewhere, 16};
  const backend::stream foreign_stream(elsewhere);
  backend::device_allocation<int> gone{on.context, 1};
  const auto here = std::move(gone);
  backend::pagelocked_array<int> host{on.context, 4};
  const auto taken = std::move(host);
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
  refusal<yoke::logic_error>(errc::empty_handle, [&] { store(backend::stream{}, {.grid = 1}, memory, 1); });
  const std::string empty = "argument 1 is empty (moved from, released or never set)";
  const auto launch = [&](auto argument) {
    return refusal<yoke::logic_error>(errc::empty_handle, [&] { store(on.stream, {.grid = 1}, argument, 1); });
  };
  CHECK_THAT(launch(yoke::in(host)), ContainsSubstring(empty));
  CHECK_THAT(launch(yoke::out(host)), ContainsSubstring(empty));
  CHECK_THAT(launch(yoke::in_out(host)), ContainsSubstring(empty));
  CHECK(on.enqueued(mark) == 0);
}

YOKE_DEVICE_TEST_CASE("integers out of a parameter's range are refused at the caller's line", "[program]") {
  rig on(device);
  const auto module = yoke::compile(on.context, kernels);
  const auto store = yoke::get_kernel<void(int*, int)>(module, "store");
  const auto store_byte = yoke::get_kernel<void(int*, std::uint8_t)>(module, "store_byte");
  const auto store_float = yoke::get_kernel<void(float*, float)>(module, "store_float");
  backend::device_allocation<int> memory{on.context, 1};
  backend::device_allocation<float> floats{on.context, 1};
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

YOKE_DEVICE_TEST_CASE("two arguments that write the same host memory are refused", "[program]") {
  rig on(device);
  const auto pair = yoke::get_kernel<void(int*, int, int*)>(yoke::compile(on.context, R"(
    YOKE_KERNEL pair(YOKE_GLOBAL int* a, int n, YOKE_GLOBAL int* b) { a[get_global_id(0)] = n; b[get_global_id(0)] = n + 1; })"),
                                                            "pair");
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
  const auto add = yoke::get_kernel<void(int*, const int*)>(yoke::compile(on.context, R"(
    YOKE_KERNEL add(YOKE_GLOBAL int* a, const YOKE_GLOBAL int* b) { a[get_global_id(0)] += b[get_global_id(0)]; })"),
                                                            "add");
  add(on.stream, {.grid = 1, .block = 8}, yoke::in_out(host), yoke::in(host));  // one writes, one reads: no doubt
  CHECK(host == std::vector<int>{2, 2, 2, 2, 4, 4, 4, 4});
}

YOKE_DEVICE_TEST_CASE("integers become parameters of every narrow type when they fit", "[program]") {
  rig on(device);
  const auto module = yoke::compile(on.context, kernels);
  const yoke::launch_shape one{.grid = 1};
  std::vector<int> out(1);
  const auto store_char = yoke::get_kernel<void(int*, char)>(module, "store_char");
  store_char(on.stream, one, yoke::out(out), 5);
  CHECK(out[0] == 5);
  store_char(on.stream, one, yoke::out(out), 'a');
  CHECK(out[0] == 'a');
  store_char(on.stream, one, yoke::out(out), 127UL);
  CHECK(out[0] == 127);
  constexpr int least = std::numeric_limits<char>::min(), most = std::numeric_limits<char>::max();
  store_char(on.stream, one, yoke::out(out), least);
  CHECK(out[0] == least);
  const std::size_t mark = on.driver.mark();
  for (const int outside : {least - 1, most + 1}) {
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range,
                                          [&] { store_char(on.stream, one, yoke::out(out), outside); }),
               ContainsSubstring("argument 2 is " + std::to_string(outside) + ", outside " + std::to_string(least) +
                                 " .. " + std::to_string(most) + " of char"));
  }
  CHECK(on.driver.count_all(mark) == 0);
  yoke::get_kernel<void(int*, std::uint8_t)>(module, "store_byte")(on.stream, one, yoke::out(out), 200);
  CHECK(out[0] == 200);
}

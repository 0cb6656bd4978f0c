// SPDX-License-Identifier: MIT
// Values that a launch's kernel has from the launch before are not set again; all that is new, or may be, is.
#include <program/kernel_bench.hpp>
#include <support/devices/any_context.hpp>
#include <support/devices/backends.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <thread>

using namespace yoke_test;

namespace {

constexpr const char* value_kernels = R"(
  YOKE_KERNEL bits(YOKE_GLOBAL ulong* out, char c, ushort s, float f, double_bits d, long l) {
    out[0] = (ulong)(uchar)c;
    out[1] = s;
    out[2] = as_uint(f);
    out[3] = d;
    out[4] = (ulong)l;
  }
  typedef struct { int x, y, z; } triple;
  YOKE_KERNEL sum_of(YOKE_GLOBAL int* out, triple t, int w) { out[0] = t.x + t.y + t.z + w; }
  typedef struct { char c; int i; } padded;
  YOKE_KERNEL sum_of_padded(YOKE_GLOBAL int* out, padded p) { out[0] = p.c + p.i; }
  typedef struct { short a, b; } dense;
  YOKE_KERNEL sum_of_dense(YOKE_GLOBAL int* out, dense d) { out[0] = d.a + d.b; }
  YOKE_KERNEL eighteen(YOKE_GLOBAL int* out, int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k,
                       int l, int m, int n, int o, int p, int q) {
    out[0] = a + b + c + d + e + f + g + h + i + j + k + l + m + n + o;
    out[1] = p;
    out[2] = q;
  }
  YOKE_KERNEL nothing_but_values(int a, int b) {}
)";

/// Calls of `clSetKernelArg` that `act` makes.
template <class Driver, class Act>
std::size_t sets(Driver& driver, Act act) {
  const std::size_t mark = driver.mark();
  act();
  return driver.count("set_kernel_arg", mark);
}

}  // namespace

YOKE_OPENCL_TEST_CASE("values that are the same again are not set again", "[program]") {
  bench on(device);
  ocl::device_allocation<int> first{on.context, 4};
  ocl::device_allocation<int> second{on.context, 4};
  yoke::fill(first, 1, on.stream);
  yoke::fill(second, 1, on.stream);
  const auto shape = yoke::launch_over(4, 4);
  const auto launch = [&](auto&& memory, int by, int plus) {
    return sets(on.driver, [&] { on.axpb(on.stream, shape, memory, by, plus); });
  };
  CHECK(launch(first, 1, 0) == 3);          // makes the clone, and goes the general way
  CHECK(launch(first, 2, 1) == 3);          // 3
  CHECK(launch(first, 2, 1) == 1);          // 7: memory is set each time
  CHECK(launch(first, 2, 3) == 2);          // 17
  CHECK(launch(first, 3, 3) == 2);          // 54
  CHECK(launch(second, 3, 3) == 1);         // 6
  CHECK(launch(second, 1, 1) == 3);         // 7
  CHECK(launch(second.span(), 1, 1) == 1);  // 8
  CHECK(download(first, on.stream) == std::vector<int>(4, 54));
  CHECK(download(second, on.stream) == std::vector<int>(4, 8));
}

YOKE_OPENCL_TEST_CASE("values are compared by their bits, whatever their size", "[program]") {
  rig on(device);
  const auto module = yoke::compile(on.context, std::string("#define double_bits ulong\n") + value_kernels);
  const auto bits =
      module.template get_kernel<void(std::uint64_t*, std::int8_t, std::uint16_t, float, std::uint64_t, std::int64_t)>(
          "bits");
  ocl::device_allocation<std::uint64_t> out{on.context, 5};
  const auto launch = [&](std::int8_t c, std::uint16_t s, float f, std::uint64_t d, std::int64_t l) {
    const std::size_t made = sets(on.driver, [&] { bits(on.stream, yoke::launch_over(1, 1), out, c, s, f, d, l); });
    const std::array<std::uint64_t, 5> expected{static_cast<unsigned char>(c), s, std::bit_cast<std::uint32_t>(f), d,
                                                static_cast<std::uint64_t>(l)};
    CHECK(download(out, on.stream) == std::vector<std::uint64_t>(expected.begin(), expected.end()));
    return made;
  };
  constexpr std::uint64_t high = std::uint64_t{1} << 63;
  CHECK(launch(0, 0, 0.0f, 0, 0) == 6);
  CHECK(launch(0, 0, 0.0f, 0, 0) == 6);  // what nothing was set to is no zero
  CHECK(launch(0, 0, 0.0f, 0, 0) == 1);
  CHECK(launch(0, 0, -0.0f, 0, 0) == 2);
  CHECK(launch(-1, 0xffff, -0.0f, high, -1) == 5);
  CHECK(launch(-1, 0xffff, -0.0f, high | 1, -1) == 2);
  CHECK(launch(-1, 0xffff, -0.0f, 1, -1) == 2);
  CHECK(launch(1, 0xff, -0.0f, 1, 1) == 4);
  const float none = std::numeric_limits<float>::quiet_NaN();
  CHECK(launch(1, 0xff, none, 1, 1) == 2);
  CHECK(launch(1, 0xff, none, 1, 1) == 1);
}

YOKE_OPENCL_TEST_CASE("a backend that is chosen at run time sets no value again, either", "[program]") {
  rig on(device);
  const auto context = any_context(on);
  const yoke::stream<yoke::any_port> stream(context);
  const auto module = yoke::compile(context, bench_kernels);
  const auto axpb = module.get_kernel<void(int*, int, int)>("axpb");
  yoke::device_allocation<int, yoke::any_port> memory{context, 4};
  yoke::fill(memory, 1, stream);
  const auto shape = yoke::launch_over(4, 4);
  const auto launch = [&](int by, int plus) { return sets(on.driver, [&] { axpb(stream, shape, memory, by, plus); }); };
  CHECK(launch(1, 0) == 3);  // makes the clone
  CHECK(launch(2, 1) == 3);  // 3
  CHECK(launch(2, 1) == 1);  // 7
  CHECK(launch(2, 3) == 2);  // 17
  for (const std::size_t nth : {1u, 2u, 3u}) {
    CAPTURE(nth);
    on.driver.fail_function("set_kernel_arg", nth, fault_mode::once, -5);
    CHECK_THROWS_AS(axpb(stream, shape, memory, 5, 5), yoke::error);
    on.driver.disarm();
    CHECK(launch(1, 0) == 3);
  }
  CHECK(launch(1, 0) == 1);
  std::vector<int> host(4);
  yoke::copy(memory, host, stream);
  CHECK(host == std::vector<int>(4, 17));
}

YOKE_OPENCL_TEST_CASE("large structs, and arguments behind the sixteenth, are set each time", "[program]") {
  rig on(device);
  const auto module = yoke::compile(on.context, std::string("#define double_bits ulong\n") + value_kernels);
  struct triple {
    int x, y, z;
  };
  ocl::device_allocation<int> out{on.context, 3};
  const auto sum_of = module.template get_kernel<void(int*, triple, int)>("sum_of");
  const auto add = [&](triple t, int w, int expected) {
    const std::size_t made = sets(on.driver, [&] { sum_of(on.stream, yoke::launch_over(1, 1), out, t, w); });
    CHECK(download(out, on.stream).front() == expected);
    return made;
  };
  CHECK(add({1, 2, 3}, 4, 10) == 3);
  CHECK(add({1, 2, 3}, 4, 10) == 3);
  CHECK(add({1, 2, 3}, 4, 10) == 2);
  CHECK(add({1, 2, 4}, 4, 11) == 2);

  const auto eighteen = module.template get_kernel<void(int*, int, int, int, int, int, int, int, int, int, int, int,
                                                        int, int, int, int, int, int)>("eighteen");
  const auto launch = [&](int a, int p, int q) {
    const std::size_t made = sets(on.driver, [&] {
      eighteen(on.stream, yoke::launch_over(1, 1), out, a, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, p, q);
    });
    CHECK(download(out, on.stream) == std::vector<int>{a + 14, p, q});
    return made;
  };
  CHECK(launch(5, 6, 7) == 18);
  CHECK(launch(5, 6, 7) == 18);
  CHECK(launch(5, 6, 7) == 3);
  CHECK(launch(5, 8, 9) == 3);
  CHECK(launch(6, 8, 9) == 4);
}

YOKE_OPENCL_TEST_CASE("what has padding is set each time", "[program]") {
  rig on(device);
  const auto module = yoke::compile(on.context, std::string("#define double_bits ulong\n") + value_kernels);
  struct padded {
    char c;
    int i;
  };
  struct dense {
    short a, b;
  };
  ocl::device_allocation<int> out{on.context, 1};
  const auto launch = [&](const auto& kernel, auto value, int expected) {
    const std::size_t made = sets(on.driver, [&] { kernel(on.stream, yoke::launch_over(1, 1), out, value); });
    CHECK(download(out, on.stream).front() == expected);
    return made;
  };
  const auto sum_of_padded = module.template get_kernel<void(int*, padded)>("sum_of_padded");
  for (int i = 0; i < 4; ++i) CHECK(launch(sum_of_padded, padded{1, 2}, 3) == 2);
  const auto sum_of_dense = module.template get_kernel<void(int*, dense)>("sum_of_dense");
  CHECK(launch(sum_of_dense, dense{1, 2}, 3) == 2);
  CHECK(launch(sum_of_dense, dense{1, 2}, 3) == 2);
  CHECK(launch(sum_of_dense, dense{1, 2}, 3) == 1);
}

YOKE_OPENCL_TEST_CASE("what another kind of launch has set is set anew", "[program]") {
  bench on(device);
  ocl::device_allocation<int> memory{on.context, 4};
  yoke::fill(memory, 1, on.stream);
  const auto shape = yoke::launch_over(4, 4);
  const auto launch = [&](int by, int plus) {
    return sets(on.driver, [&] { on.axpb(on.stream, shape, memory, by, plus); });
  };
  CHECK(launch(1, 0) == 3);
  CHECK(launch(2, 0) == 3);
  CHECK(launch(2, 0) == 1);                               // 4
  (void)on.axpb.enqueue(on.stream, shape, memory, 3, 1);  // 13, through the same clone
  CHECK(launch(2, 0) == 3);                               // 26
  std::vector<int> host = counting(4);
  on.axpb(on.stream, shape, yoke::in_out(host), 5, 5);
  CHECK(launch(2, 0) == 3);  // 52
  CHECK(launch(2, 0) == 1);  // 104
  CHECK(download(memory, on.stream) == std::vector<int>(4, 104));
  // Another thread has a clone of its own, with values of its own.
  std::thread([&] { CHECK_NOTHROW(on.axpb(on.stream, shape, memory, 7, 7)); }).join();
  CHECK(launch(2, 0) == 1);
  CHECK(download(memory, on.stream) == std::vector<int>(4, (104 * 7 + 7) * 2));
}

YOKE_OPENCL_TEST_CASE("behind an argument that was refused all values are set", "[program]") {
  bench on(device);
  ocl::device_allocation<int> memory{on.context, 4};
  yoke::fill(memory, 1, on.stream);
  const auto shape = yoke::launch_over(4, 4);
  for (int i = 0; i < 2; ++i) on.axpb(on.stream, shape, memory, 1, 0);
  const auto nth = static_cast<std::size_t>(GENERATE(1, 2, 3));
  CAPTURE(nth);
  on.driver.fail_function("set_kernel_arg", nth, fault_mode::once, -5);
  CHECK_THROWS_AS(on.axpb(on.stream, shape, memory, 3, 2), yoke::error);
  on.driver.disarm();
  CHECK(sets(on.driver, [&] { on.axpb(on.stream, shape, memory, 1, 0); }) == 3);
  CHECK(sets(on.driver, [&] { on.axpb(on.stream, shape, memory, 3, 2); }) == 3);
  CHECK(download(memory, on.stream) == std::vector<int>(4, 5));
  // The first launch sets the values before the memory: what fails there leaves nothing known, either.
  const auto fresh = on.module.get_kernel<void(int*, int, int)>("axpb");
  (void)fresh.enqueue(on.stream, shape, memory, 1, 0);  // makes the clone
  on.driver.fail_function("set_kernel_arg", nth, fault_mode::once, -5);
  CHECK_THROWS_AS(fresh(on.stream, shape, memory, 1, 0), yoke::error);
  on.driver.disarm();
  CHECK(sets(on.driver, [&] { fresh(on.stream, shape, memory, 1, 0); }) == 3);
  CHECK(sets(on.driver, [&] { fresh(on.stream, shape, memory, 1, 0); }) == 1);
  CHECK(download(memory, on.stream) == std::vector<int>(4, 5));
}

YOKE_OPENCL_TEST_CASE("a launch that is refused leaves its values known", "[program]") {
  bench on(device);
  ocl::device_allocation<int> memory{on.context, 4};
  yoke::fill(memory, 1, on.stream);
  const auto shape = yoke::launch_over(4, 4);
  for (int i = 0; i < 2; ++i) on.axpb(on.stream, shape, memory, 1, 0);
  on.driver.fail_function("enqueue_kernel", 1, fault_mode::once, -5);
  CHECK_THROWS_AS(on.axpb(on.stream, shape, memory, 3, 2), yoke::error);
  on.driver.disarm();
  CHECK(sets(on.driver, [&] { on.axpb(on.stream, shape, memory, 3, 2); }) == 1);
  CHECK(download(memory, on.stream) == std::vector<int>(4, 5));
}

YOKE_OPENCL_TEST_CASE("what one thread's clone was set to is not what another's was", "[program][threads]") {
  bench on(device);
  ocl::device_allocation<int> mine{on.context, 4};
  ocl::device_allocation<int> theirs{on.context, 4};
  yoke::fill(mine, 1, on.stream);
  yoke::fill(theirs, 1, on.stream);
  const auto shape = yoke::launch_over(4, 4);
  const auto launch = [&](int by, int plus) {
    return sets(on.driver, [&] { on.axpb(on.stream, shape, mine, by, plus); });
  };
  const auto elsewhere = [&](int by, int plus) {
    std::size_t made = 0;
    std::thread([&] { made = sets(on.driver, [&] { on.axpb(on.stream, shape, theirs, by, plus); }); }).join();
    return made;
  };
  for (int i = 0; i < 2; ++i) CHECK(launch(1, 0) == 3);
  for (int i = 0; i < 2; ++i) CHECK(elsewhere(1, 2) == 3);
  CHECK(elsewhere(1, 2) == 1);  // 7
  CHECK(launch(1, 2) == 2);     // 3: not what the others' clone has
  CHECK(launch(1, 0) == 2);     // 3
  CHECK(elsewhere(1, 2) == 1);  // 9
  CHECK(elsewhere(2, 0) == 3);  // 18
  CHECK(launch(1, 0) == 1);     // 3
  CHECK(launch(2, 0) == 2);     // 6
  CHECK(download(mine, on.stream) == std::vector<int>(4, 6));
  CHECK(download(theirs, on.stream) == std::vector<int>(4, 18));
}

// SPDX-License-Identifier: MIT
// Arguments of OpenCL's own: sub-buffers, SVM, double precision; spans and mapped memory that are refused.
#include <support/rig.hpp>

using namespace yoke_test;

namespace {

const char* const kernels = R"(
  kernel void memories(global int* to, const global int* from, constant int* table, local int* scratch, int n) {
    size_t i = get_local_id(0);
    scratch[i] = from[i] * table[i % 2];
    barrier(CLK_LOCAL_MEM_FENCE);
    to[i] = scratch[n - 1 - i];
  }
  kernel void store(global int* out, int value) { out[get_global_id(0)] = value; }
)";

}  // namespace

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

YOKE_OPENCL_TEST_CASE("a sub-buffer is an argument", "[program]") {
  rig on(device);
  const auto memories = yoke::compile(on.context, kernels)
                            .get_kernel<void(int*, const int*, yoke::constant<int>, yoke::local<int>, int)>("memories");
  const std::vector<int> expected{12, 5, 8, 3, 4, 1};
  auto from = yoke::to_device(counting(6), on.stream);
  auto table = yoke::to_device(std::vector<int>{1, 2}, on.stream);
  const yoke::launch_shape shape{.grid = 1, .block = 6};
  const std::size_t step = on.stream.limits().base_alignment_bytes / sizeof(int);
  ocl::device_allocation<int> large{on.context, step + 6};
  ocl::sub_buffer<int> part(large, step, 6);
  memories(on.stream, shape, part, from, table, yoke::local<int>(6), 6);
  CHECK(download(part.allocation(), on.stream) == expected);
  auto whole = large.subspan(step, 6);
  CHECK(download(whole, on.stream) == expected);
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

YOKE_OPENCL_TEST_CASE("a span that is no sub-buffer and memory that is mapped are no arguments", "[program]") {
  rig on(device);
  const auto store = yoke::compile(on.context, kernels).get_kernel<void(int*, int)>("store");
  ocl::device_allocation<int> memory{on.context, 16};
  const std::size_t mark = on.driver.mark();
  const auto refused = [&](yoke::errc why, auto& argument) {
    return refusal<yoke::logic_error>(why, [&] { store(on.stream, {.grid = 1}, argument, 1); });
  };
  using yoke::errc;
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

YOKE_OPENCL_TEST_CASE("an aligned part of memory is an argument, by a sub-buffer of the launch", "[program]") {
  rig on(device);
  const auto store = yoke::compile(on.context, kernels).get_kernel<void(int*, int)>("store");
  const std::size_t step = on.stream.limits().base_alignment_bytes / sizeof(int);
  ocl::device_allocation<int> memory{on.context, 4 * step};
  yoke::fill(memory, 1, on.stream);
  const std::size_t mark = on.driver.mark();
  for (int round = 0; round < 3; ++round) {
    auto part = memory.subspan(step, step);
    store(on.stream, yoke::launch_over(4, 4), part, 5 + round);
    // a part of a part
    ocl::sub_buffer<int> half{memory, 2 * step, 2 * step};
    const yoke::device_span<int, yoke::opencl::port> last{
        on.context.native_handle(), half.native_handle(), step, 4, {}};
    store(on.stream, yoke::launch_over(4, 4), last, 8 + round);
  }
  CHECK(on.driver.count("create_sub_buffer", mark) == 9);
  std::vector<int> expected(4 * step, 1);
  std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(step), 4, 7);
  std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(3 * step), 4, 10);
  CHECK(download(memory, on.stream) == expected);
  // None is left where a launch is refused, or a later argument.
  auto part = memory.subspan(step, step);
  CHECK_THROWS_AS(store(on.stream, {.grid = 1, .block = 1'000'000}, part, 1), yoke::error);
  store.enqueue(on.stream, yoke::launch_over(4, 4), part, 3).wait();
  CHECK(download(part, on.stream)[3] == 3);
  on.driver.fail_function("create_sub_buffer", 1, fault_mode::once, -5);
  CHECK_THROWS_AS(store(on.stream, yoke::launch_over(4, 4), part, 1), yoke::error);
  memory.reset();
  on.stream.synchronize();
  CHECK(on.driver.bad_releases().empty());
}

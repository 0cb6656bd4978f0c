// SPDX-License-Identifier: MIT
// After fork no operation on OpenCL works where the parent has used it, and each says so; a child that is the first one works.
#include <support/devices/devices.hpp>
#include <support/process/forked.hpp>
#include <support/process/in_child.hpp>

#include <yoke/array.hpp>
#include <yoke/image.hpp>
#include <yoke/opencl.hpp>

#include <cstring>

using namespace yoke_test;
namespace ocl = yoke::opencl;

namespace {

/// Returns: the same device for `any_port`.
yoke::device<yoke::any_port> as_any(const ocl::device& device) {
  yoke::any_port::device_handle native{};
  const auto handle = device.native_handle();
  std::memcpy(&native.value, &handle, sizeof handle);
  return yoke::device<yoke::any_port>::borrow(device.port(), native);
}

/// Returns: 0 if a new device of OpenCL calculates.
int does_not_calculate() {
  const ocl::context context{ocl::devices().at(0)};
  const ocl::stream stream{context};
  const auto a = yoke::arange<int>(5, stream);
  return (a * a).to_host() == std::vector<int>{0, 1, 4, 9, 16} ? 0 : 1;
}

}  // namespace

YOKE_OPENCL_TEST_CASE("in a process forked after OpenCL was used each operation is refused, on each port", "[opencl]") {
  if (!in_child({})) return;
  const char* const source = "YOKE_KERNEL one(YOKE_GLOBAL int* a) { a[0] = 1; }";
  static int reports = 0;
  yoke::set_cleanup_handler([](const yoke::cleanup_failure& of) noexcept {
    std::fprintf(stderr, "after fork, %s: %s\n", of.call, of.message);
    ++reports;
  });
  const auto with_all = [&](const auto& on, auto more) {
    using port = typename std::remove_cvref_t<decltype(on)>::port_type;
    const yoke::context<port> context(on);
    yoke::stream<port> stream(context, {.timing = true});
    auto plain = std::make_unique<yoke::device_allocation<int, port>>(context, 16);
    auto ordered = std::make_unique<yoke::device_allocation<int, port>>(context, 16, stream);
    auto host = std::make_unique<yoke::pagelocked_array<int, port>>(context, 16);
    auto kernel = yoke::compile(context, source).template get_kernel<void(int*)>("one");
    kernel(stream, yoke::launch_over(1), *plain);
    auto point = stream.record();
    auto first = stream.record_timed(), last = stream.record_timed();
    auto array = yoke::arange<int>(5, stream);
    stream.synchronize();
    in_fork([&] {
      int wrong = shared_not_refused<port>(on, context, stream, *plain, *ordered, *host, point, first, last, kernel) +
                  NOT_REFUSED(array.to_host()) + NOT_REFUSED(yoke::zeros<int>({3}, stream)) +
                  NOT_REFUSED((2 * array).to_host()) + NOT_REFUSED(yoke::sum(array).get()) +
                  NOT_REFUSED(array.fill(3)) + more(context, stream, *plain);
      // Everything ends in silence.
      array.reset();
      plain.reset();
      ordered.reset();
      host.reset();
      kernel.reset();
      first.reset();
      last.reset();
      point.reset();
      stream.reset();
      if (reports != 0) std::fprintf(stderr, "after fork, %d cleanups failed\n", reports);
      return wrong + reports;
    });
    // The parent goes on.
    yoke::fill(*plain, 7, stream);
    CHECK(yoke::to_host(*plain, stream) == std::vector<int>(16, 7));
  };
  with_all(device, [&](const ocl::context& context, const ocl::stream& stream, auto& plain) {
    return NOT_REFUSED(ocl::devices()) + (ocl::available() ? 1 : 0) +
           NOT_REFUSED(ocl::svm_allocation<int, ocl::svm::coarse>(context, 16, stream)) +
           NOT_REFUSED(ocl::out_of_order_stream(context)) + NOT_REFUSED(ocl::map(plain, stream, ocl::map_write)) +
           NOT_REFUSED(yoke::image<float, 2, ocl::port>(context, {4, 4}));
  });
  with_all(as_any(device), [&](const auto&, const auto&, auto&) { return 0; });
}

TEST_CASE("a forked process that is the first to use OpenCL can", "[opencl]") {
  if (!in_child({})) return;
  in_fork([] {
    const int wrong = does_not_calculate();
    // Its own children cannot.
    const pid_t forked = ::fork();
    if (forked == 0) ::_exit(NOT_REFUSED(ocl::devices()));
    int status = -1;
    ::waitpid(forked, &status, 0);
    return wrong + (status == 0 ? 0 : 1);
  });
  // And the parent behind it.
  CHECK(does_not_calculate() == 0);
}

// SPDX-License-Identifier: MIT
// After fork no operation on CUDA works, and each says so.
#include <support/devices.hpp>
#include <support/in_child.hpp>

#include <yoke/yoke.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/wait.h>
#include <unistd.h>

using namespace yoke_test;
namespace cu = yoke::cuda;

namespace {

/// Returns: the same device for `any_port`.
yoke::device<yoke::any_port> as_any(const cu::device& device) {
  yoke::any_port::device_handle native{};
  const auto handle = device.native_handle();
  std::memcpy(&native.value, &handle, sizeof handle);
  return yoke::device<yoke::any_port>::borrow(device.port(), native);
}

/// Returns: 1 unless `act` is refused because this process was forked.
template <class Act>
int not_refused(const char* what, Act act) {
  std::string how = "nothing was thrown";
  try {
    act();
  } catch (const yoke::unsupported_error& e) {
    if (std::string(e.what()).find("forked") != std::string::npos) return 0;
    how = e.what();
  } catch (const std::exception& e) {
    how = e.what();
  }
  std::fprintf(stderr, "after fork, %s: %s\n", what, how.c_str());
  return 1;
}
#define NOT_REFUSED(...) not_refused(#__VA_ARGS__, [&] { (void)(__VA_ARGS__); })

/// Returns: how many operations that each backend has are not refused in a forked process.
template <class Port>
int shared_not_refused(const yoke::device<Port>& device, const yoke::context<Port>& context,
                       const yoke::stream<Port>& stream, yoke::device_allocation<int, Port>& plain,
                       yoke::device_allocation<int, Port>& ordered, yoke::pagelocked_array<int, Port>& host,
                       yoke::event<Port>& point, const yoke::timed_event<Port>& first,
                       const yoke::timed_event<Port>& last, const yoke::kernel<void(int*), Port>& kernel) {
  std::vector<int> own(16);
  return NOT_REFUSED(yoke::context<Port>(device)) + NOT_REFUSED(yoke::stream<Port>(context)) +
         // Without a named driver OpenCL's devices are left.
         (std::getenv("YOKE_CUDA_DRIVER") != nullptr ? NOT_REFUSED(yoke::devices()) : 0) + NOT_REFUSED(stream.flush()) +
         NOT_REFUSED(plain.record_use(stream)) + NOT_REFUSED(ordered.record_use(stream)) +
         NOT_REFUSED(stream.synchronize()) + NOT_REFUSED(stream.is_done()) + NOT_REFUSED(stream.record()) +
         NOT_REFUSED(stream.record_timed()) + NOT_REFUSED(stream.record_into(point)) + NOT_REFUSED(stream.wait(point)) +
         NOT_REFUSED(point.wait()) + NOT_REFUSED(point.is_done()) + NOT_REFUSED(point.status()) +
         NOT_REFUSED(last.time_since(first)) + NOT_REFUSED(yoke::device_allocation<int, Port>(context, 16)) +
         NOT_REFUSED(yoke::device_allocation<int, Port>(context, 16, stream)) +
         NOT_REFUSED(yoke::pagelocked_array<int, Port>(context, 16)) + NOT_REFUSED(yoke::copy(own, plain, stream)) +
         NOT_REFUSED(yoke::copy(plain, own, stream)) + NOT_REFUSED(yoke::enqueue_copy(plain, ordered, stream)) +
         NOT_REFUSED(yoke::enqueue_copy(host, plain, stream)) + NOT_REFUSED(yoke::copy_async(plain, host, stream)) +
         NOT_REFUSED(yoke::copy(yoke::strided(host, {.width = 2, .height = 2, .row_pitch = 4}),
                                yoke::strided(plain, {.width = 2, .height = 2, .row_pitch = 4}), stream)) +
         NOT_REFUSED(yoke::fill(plain, 0, stream)) + NOT_REFUSED(yoke::fill(ordered, 7, stream)) +
         NOT_REFUSED(kernel(stream, yoke::launch_over(1), plain)) +
         NOT_REFUSED(kernel.enqueue(stream, yoke::launch_over(1), plain)) +
         NOT_REFUSED(yoke::compile(context, "YOKE_KERNEL other(YOKE_GLOBAL int* a) { a[0] = 1; }"));
}

}  // namespace

YOKE_CUDA_TEST_CASE("in a forked process each operation is refused, on each port", "[cuda]") {
  if (!in_child({{"YOKE_SIMULATOR_LEAKS", "fail"}})) return;
  const char* const source = "YOKE_KERNEL one(YOKE_GLOBAL int* a) { a[0] = 1; }";
  const auto with_all = [&](const auto& on, auto check) {
    using port = typename std::remove_cvref_t<decltype(on)>::port_type;
    const yoke::context<port> context(on);
    const yoke::stream<port> stream(context, {.timing = true});
    yoke::device_allocation<int, port> plain(context, 16), ordered(context, 16, stream);
    yoke::pagelocked_array<int, port> host(context, 16);
    const auto kernel = yoke::compile(context, source).template get_kernel<void(int*)>("one");
    auto point = stream.record();
    const auto first = stream.record_timed(), last = stream.record_timed();
    stream.synchronize();
    check(context, [&] {
      return shared_not_refused<port>(on, context, stream, plain, ordered, host, point, first, last, kernel);
    });
  };
  const auto in_fork = [](auto wrong) {
    std::fflush(nullptr);
    const pid_t forked = ::fork();
    if (forked == 0) ::_exit(wrong());
    int status = -1;
    REQUIRE(::waitpid(forked, &status, 0) == forked);
    CHECK(status == 0);
  };
  with_all(device, [&](const cu::context& context, auto shared) {
    const cu::stream stream{context};
    const cu::event point = stream.record();
    std::vector<int> own(5000);
    const auto module = yoke::compile(context, "extern \"C\" __global__ void two(int* a) { a[0] = 1; }");
    auto kernel = module.get_kernel<void(int*)>("two");
    in_fork([&] {
      return shared() + NOT_REFUSED(cu::devices()) + NOT_REFUSED(cu::create_context(device)) +
             NOT_REFUSED(cu::create_context(device, {})) + NOT_REFUSED(context.activate()) +
             NOT_REFUSED(cu::synchronize(context)) + NOT_REFUSED(cu::memory_of(context)) +
             NOT_REFUSED(cu::get_limit(context, cu::limit::stack_bytes)) +
             NOT_REFUSED(cu::set_limit(context, cu::limit::stack_bytes, 2048)) +
             NOT_REFUSED(cu::stream_priorities(context)) + NOT_REFUSED(cu::id_of(context)) +
             NOT_REFUSED(cu::options_of(context)) + NOT_REFUSED(cu::primary_state_of(device)) +
             NOT_REFUSED(cu::uuid_of(device)) + NOT_REFUSED(cu::pci_bus_id_of(device)) +
             NOT_REFUSED(cu::device_of_pci_bus_id("0000:01:00.0")) +
             NOT_REFUSED(cu::pitched_allocation<int>(context, 10, 10)) +
             NOT_REFUSED(cu::registered_memory<int>(context, std::span{own})) +
             NOT_REFUSED(cu::describe_pointer(device.port(), own.data())) + NOT_REFUSED(stream.call([] {})) +
             NOT_REFUSED(module.get_kernel<void(int*)>("two")) +
             NOT_REFUSED(kernel(stream, {.grid = 1, .block = 1}, nullptr));
    });
  });
  with_all(as_any(device), [&](const auto&, auto shared) { in_fork(shared); });
}

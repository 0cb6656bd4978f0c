// SPDX-License-Identifier: MIT
// After fork no operation on CUDA works, and each says so.
#include <support/devices/devices.hpp>
#include <support/process/forked.hpp>
#include <support/process/in_child.hpp>

#include <cstring>

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

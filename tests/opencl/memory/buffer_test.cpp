// SPDX-License-Identifier: MIT
// What only OpenCL has of buffers: access flags, memory of the host, facts, migration, calls at their end.
#include <support/devices/background.hpp>
#include <support/drivers/platform_name.hpp>
#include <support/drivers/raw_opencl.hpp>
#include <support/rig.hpp>
#include <support/soon.hpp>

#include <yoke/opencl/opencl.hpp>

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

using namespace yoke_test;
namespace ocl = yoke::opencl;

namespace {

constexpr const char* source =
    "__kernel void twice(__global int* a) { a[get_global_id(0)] *= 2; }"
    "__kernel void take(__global const int* a, __global int* b) { b[get_global_id(0)] = a[get_global_id(0)]; }";

/// A host range that tells when it ends.
struct told_vector {
  std::vector<int> values;
  std::shared_ptr<std::atomic<int>> ends;
  told_vector(std::vector<int> from, std::shared_ptr<std::atomic<int>> count)
      : values(std::move(from)), ends(std::move(count)) {}
  told_vector(told_vector&&) noexcept = default;
  told_vector& operator=(told_vector&&) noexcept = default;
  ~told_vector() {
    if (ends) ++*ends;
  }
  [[nodiscard]] int* data() noexcept { return values.data(); }
  [[nodiscard]] const int* data() const noexcept { return values.data(); }
  [[nodiscard]] std::size_t size() const noexcept { return values.size(); }
};

abi::ulong flags_of(const ocl::context& context, const ocl::buffer_options& options) {
  return ocl::description_of(ocl::make_buffer<int>(context, 4, options)).flags;
}

template <class Buffer>
concept gives_host_memory = requires(Buffer&& buffer) { ocl::host_memory_of(std::forward<Buffer>(buffer)); };

}  // namespace

YOKE_OPENCL_TEST_CASE("options of a buffer are the driver's flags", "[opencl]") {
  const ocl::context context{device};
  CHECK(flags_of(context, {}) == abi::mem_read_write);
  CHECK(flags_of(context, {.kernels = ocl::kernel_access::read_only}) == abi::mem_read_only);
  CHECK(flags_of(context, {.kernels = ocl::kernel_access::write_only}) == abi::mem_write_only);
  CHECK(flags_of(context, {.host = ocl::host_access::read_only}) == (abi::mem_read_write | abi::mem_host_read_only));
  CHECK(flags_of(context, {.host = ocl::host_access::write_only}) == (abi::mem_read_write | abi::mem_host_write_only));
  CHECK(flags_of(context, {.host = ocl::host_access::none}) == (abi::mem_read_write | abi::mem_host_no_access));
  CHECK(flags_of(context, {.in_host_memory = true}) == (abi::mem_read_write | abi::mem_alloc_host_ptr));
  CHECK(ocl::make_buffer<int>(context, 0, {}).empty());
  CHECK_THROWS_AS(ocl::make_buffer<int>(context, -1, {}), yoke::logic_error);
}

YOKE_OPENCL_TEST_CASE("the driver refuses what a buffer's flags exclude", "[opencl]") {
  const ocl::context context{device};
  const ocl::stream stream{context};
  std::vector<int> host{1, 2, 3, 4};
  auto closed = ocl::make_buffer<int>(context, 4, {.host = ocl::host_access::none});
  if (raw_opencl().enqueue_read_buffer(stream.native_handle(), closed.native_handle(), 1, 0, 4, host.data(), 0, nullptr,
                                       nullptr) == 0) {
    YOKE_SKIP("the driver does not keep the host from memory");
  }
  const auto why = ContainsSubstring("made with a host_access that excludes this");
  CHECK_THROWS_WITH(yoke::copy(host, closed, stream), why && ContainsSubstring("clEnqueueWriteBuffer"));
  CHECK_THROWS_WITH(yoke::copy(closed, host, stream), why && ContainsSubstring("clEnqueueReadBuffer"));
  CHECK_THROWS_WITH(ocl::map(closed, stream, ocl::map_read), why && ContainsSubstring("clEnqueueMapBuffer"));
  auto readable = ocl::make_buffer(context, host, {.host = ocl::host_access::read_only});
  CHECK_THROWS_WITH(yoke::copy(host, readable, stream), why);
  CHECK(yoke::to_host(readable, stream) == host);
}

YOKE_OPENCL_TEST_CASE("a map that flags exclude is told as that, whatever the driver calls it", "[opencl]") {
  rig on(device);
  auto closed = ocl::make_buffer<int>(on.context, 4, {.host = ocl::host_access::none});
  ocl::device_allocation<int> open{on.context, 4};
  constexpr abi::status invalid_value = -30;  // Intel's CPU runtime
  const auto refused = [&](ocl::device_allocation<int>& memory, yoke::errc condition, auto&& map) {
    on.driver.fail_function("enqueue_map_buffer", 1, fault_mode::once, invalid_value);
    const std::string what = refusal<yoke::error>(condition, [&] { (void)map(memory); });
    on.driver.disarm();
    return what;
  };
  const auto now = [&](auto& memory) { return ocl::map(memory, on.stream, ocl::map_read); };
  const auto later = [&](auto& memory) { return ocl::map_async(memory, on.stream, ocl::map_read); };
  const auto why = ContainsSubstring("made with a host_access that excludes this");
  CHECK_THAT(refused(closed, yoke::errc::unsupported, now), why);
  CHECK_THAT(refused(closed, yoke::errc::unsupported, later), why);
  CHECK_THAT(refused(open, yoke::errc::invalid_argument, now), !why);
  CHECK_THAT(refused(open, yoke::errc::invalid_argument, later), !why);
  CHECK(ocl::map(open, on.stream, ocl::map_read).size() == 4);
}

YOKE_OPENCL_TEST_CASE("a buffer with a copy of host memory is an argument as any other", "[opencl]") {
  const ocl::context context{device};
  const ocl::stream stream{context};
  std::vector<int> host{1, 2, 3, 4};
  const auto constants = ocl::make_buffer(context, host, {.kernels = ocl::kernel_access::read_only});
  static_assert(std::same_as<decltype(constants), const ocl::device_allocation<int>>);
  host.assign(4, 0);  // it was copied
  ocl::device_allocation<int> out{context, 4};
  yoke::compile(context, source)
      .get_kernel<void(const int*, int*)>("take")(stream, {.grid = 1, .block = 4}, constants, out);
  CHECK(yoke::to_host(out, stream) == std::vector{1, 2, 3, 4});
  CHECK(ocl::description_of(constants).host_pointer == nullptr);
  CHECK(ocl::make_buffer(context, std::vector<int>{}).empty());
}

YOKE_OPENCL_TEST_CASE("a buffer over host memory keeps it until the last command has ended", "[opencl]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const ocl::context context{device};
  const ocl::stream stream{context};
  const auto ends = std::make_shared<std::atomic<int>>(0);
  auto buffer = ocl::buffer_over(context, told_vector({1, 2, 3, 4}, ends));
  static_assert(std::same_as<decltype(buffer), ocl::device_allocation<int>>);
  const auto twice = yoke::compile(context, source).get_kernel<void(int*)>("twice");
  twice(stream, {.grid = 1, .block = 4}, buffer);
  {
    const auto view = ocl::map(buffer, stream, ocl::map_read);
    CHECK(view[3] == 8);
    const std::span<int> host = ocl::host_memory_of(buffer);
    CHECK(host.size() == 4);
    CHECK(host[0] == 2);
    CHECK(view.data() == host.data());
  }
  stream.synchronize();
  CHECK(*ends == 0);
  ocl::user_event gate{context};
  stream.wait(gate.as_event());
  twice(stream, {.grid = 1, .block = 4}, buffer);
  stream.flush();
  buffer.reset();
  CHECK(*ends == 0);  // the command still uses it
  gate.complete();
  stream.synchronize();
  CHECK(soon([&] { return *ends == 1; }));

  const auto shared = std::make_shared<std::vector<int>>(4, 3);
  auto over = ocl::buffer_over(context, shared);
  CHECK(shared.use_count() == 2);
  CHECK(ocl::host_memory_of(over).data() == shared->data());
  over.reset();
  CHECK(soon([&] { return shared.use_count() == 1; }));
}

YOKE_OPENCL_TEST_CASE("a buffer over host memory is refused where it cannot be", "[opencl]") {
  const ocl::context context{device};
  ocl::device_allocation<int> plain{context, 4};
  CHECK_THROWS_WITH(ocl::host_memory_of(plain), ContainsSubstring("is over no host memory"));
  const auto fixed = std::make_shared<const std::vector<int>>(4, 3);
  CHECK_THROWS_WITH(ocl::buffer_over(context, fixed), ContainsSubstring(".kernels = kernel_access::read_only"));
  ocl::device_allocation<int> constant = ocl::buffer_over(context, fixed, {.kernels = ocl::kernel_access::read_only});
  CHECK(constant.size() == 4);
  static_assert(std::same_as<decltype(ocl::host_memory_of(std::as_const(constant))), std::span<const int>>);
  static_assert(gives_host_memory<ocl::device_allocation<int>&> && !gives_host_memory<ocl::device_allocation<int>>);
  CHECK(ocl::host_memory_of(std::as_const(constant)).data() == fixed->data());
  CHECK_THROWS_WITH(ocl::host_memory_of(constant), ContainsSubstring("kernels only read this buffer"));
  CHECK_THROWS_WITH(ocl::host_memory_of(std::as_const(plain)), ContainsSubstring("is over no host memory"));
  CHECK_THROWS_WITH(ocl::buffer_over(context, std::shared_ptr<std::vector<int>>{}), ContainsSubstring("is null"));
  CHECK_THROWS_WITH(ocl::buffer_over(context, std::vector{1}, {.in_host_memory = true}),
                    ContainsSubstring("cannot also be in host memory of the driver's"));
  CHECK(ocl::buffer_over(context, std::vector<int>{}).empty());
}

YOKE_OPENCL_TEST_CASE("a buffer tells what the driver says of it", "[opencl]") {
  const ocl::context context{device};
  const ocl::stream stream{context};
  ocl::device_allocation<int> memory{context, 1024};
  const ocl::buffer_description told = ocl::description_of(memory);
  CHECK(told.type == abi::mem_object_buffer);
  CHECK(told.flags == abi::mem_read_write);
  CHECK(told.size_bytes == 4096);
  CHECK(told.map_count == 0);
  CHECK(told.reference_count == 1);
  CHECK(told.context == context.native_handle());
  CHECK(told.whole == nullptr);
  CHECK(told.offset_bytes == 0);
  CHECK_FALSE(told.uses_svm);
  CHECK(told.properties.empty());
  const auto view = ocl::map(memory, stream, ocl::map_read);
  CHECK(ocl::description_of(memory).map_count == 1);
  const ocl::sub_buffer<int> part{memory, 512, 256};
  CHECK(ocl::description_of(part).whole == memory.native_handle());
  CHECK(ocl::description_of(part).offset_bytes == 2048);
  CHECK(ocl::description_of(part).size_bytes == 1024);
  CHECK_THROWS_WITH(ocl::description_of(ocl::device_allocation<int>{}), ContainsSubstring("empty"));
}

YOKE_OPENCL_TEST_CASE("a driver before OpenCL 2.0 has no facts about SVM and properties", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  driver.replace<&abi::functions::get_memory_info>(
      [&](abi::memory of, abi::uint what, std::size_t bytes, void* out, std::size_t* size) {
        if (what == abi::mem_uses_svm_pointer || what == abi::mem_properties) return abi::status{-30};
        return driver.real().get_memory_info(of, what, bytes, out, size);
      });
  const ocl::context context{through(driver, device)};
  const ocl::device_allocation<int> memory{context, 4};
  CHECK_FALSE(ocl::description_of(memory).uses_svm);
  CHECK(ocl::description_of(memory).properties.empty());
}

YOKE_OPENCL_TEST_CASE("allocations are equal where they are the same memory, and hash so", "[opencl]") {
  const ocl::context context{device};
  const ocl::device_allocation<int> first{context, 4};
  const ocl::device_allocation<int> second{context, 4};
  const auto same = ocl::device_allocation<int>::borrow(context, first.native_handle(), 2);
  CHECK(first == same);
  CHECK(first != second);
  CHECK(std::hash<ocl::device_allocation<int>>{}(first) == std::hash<ocl::device_allocation<int>>{}(same));
  CHECK(std::hash<ocl::device_allocation<int>>{}(first) != std::hash<ocl::device_allocation<int>>{}(second));
}

YOKE_OPENCL_TEST_CASE("a function is called once nothing uses a buffer any more", "[opencl]") {
  const ocl::context context{device};
  std::atomic<int> order{0};
  std::array<std::atomic<int>, 2> called{};
  {
    ocl::device_allocation<int> memory{context, 4};
    ocl::at_end(memory, [&] { called[0] = ++order; });
    ocl::at_end(memory, [&] {
      called[1] = ++order;
      throw std::runtime_error("goes to the cleanup handler");
    });
    const ocl::device_allocation<int> other = ocl::device_allocation<int>::borrow(context, memory.native_handle(), 4);
    CHECK(order == 0);
  }
  CHECK(soon([&] { return order == 2; }));
  CHECK(called[1] == 1);
  CHECK(called[0] == 2);
  CHECK_THROWS_WITH(ocl::at_end(ocl::device_allocation<int>{}, [] {}), ContainsSubstring("empty"));
  const ocl::device_allocation<int> memory{context, 4};
  CHECK_THROWS_WITH(ocl::at_end(memory, std::function<void()>{}), ContainsSubstring("the function of at_end is null"));
  CHECK_THROWS_WITH(ocl::at_end(memory, static_cast<void (*)()>(nullptr)),
                    ContainsSubstring("the function of at_end is null"));
}

YOKE_OPENCL_TEST_CASE("buffers and parts of them are migrated in one command", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  const ocl::stream stream{context};
  abi::ulong flags = 99;
  abi::uint count = 0;
  driver.replace<&abi::functions::enqueue_migrate_memory>(
      [&](abi::queue queue, abi::uint number, const abi::memory* memory, abi::ulong given, abi::uint events,
          const abi::event* list, abi::event* done) {
        flags = given;
        count = number;
        return driver.real().enqueue_migrate_memory(queue, number, memory, given, events, list, done);
      });
  ocl::device_allocation<int> memory{context, 1024};
  ocl::device_allocation<float> other{context, 8};
  ocl::sub_buffer<int> part{memory, 512, 512};
  yoke::fill(memory, 7, stream);
  const ocl::event there = ocl::migrate({part, other}, stream);
  there.wait();
  CHECK(count == 2);
  CHECK(flags == 0);
  ocl::migrate({memory}, stream, {.to_host = true, .after = there}).wait();
  CHECK(flags == abi::migrate_to_host);
  CHECK(yoke::to_host(memory, stream) == std::vector<int>(1024, 7));
  ocl::migrate({memory}, stream, {.without_content = true}).wait();
  CHECK(flags == abi::migrate_without_content);
  const std::size_t mark = driver.mark();
  CHECK_THROWS_WITH(ocl::migrate({}, stream), ContainsSubstring("no memory to migrate"));
  CHECK_THROWS_WITH(ocl::migrate({memory, ocl::device_allocation<int>{}}, stream),
                    ContainsSubstring("memory 2 of 2 to migrate is empty"));
  const ocl::context another{through(driver, device)};
  CHECK_THROWS_WITH(ocl::migrate({ocl::device_allocation<int>{another, 4}}, stream),
                    ContainsSubstring("of another context"));
  CHECK(driver.count("enqueue_migrate_memory", mark) == 0);
}

YOKE_OPENCL_TEST_CASE("NVIDIA's driver migrates whole buffers in place of their parts, each once", "[opencl][pains]") {
  opencl_interposer driver(raw_opencl());
  name_platform(driver, "NVIDIA CUDA");
  std::vector<abi::memory> migrated;
  driver.replace<&abi::functions::enqueue_migrate_memory>(
      [&](abi::queue queue, abi::uint number, const abi::memory* memory, abi::ulong given, abi::uint events,
          const abi::event* list, abi::event* done) {
        migrated.assign(memory, memory + number);
        return driver.real().enqueue_migrate_memory(queue, number, memory, given, events, list, done);
      });
  const ocl::context context{through(driver, device)};
  const ocl::stream stream{context};
  ocl::device_allocation<int> memory{context, 4096};
  ocl::device_allocation<float> other{context, 8};
  ocl::sub_buffer<int> first{memory, 0, 1024};
  ocl::sub_buffer<int> second{memory, 2048, 1024};
  ocl::migrate({first, other, second, memory}, stream, {.to_host = true}).wait();
  CHECK(migrated == std::vector<abi::memory>{memory.native_handle(), other.native_handle()});
  name_platform(driver, "another");
  const bool takes_parts = !is_nvidia_opencl(device);
  if (takes_parts) ocl::migrate({first, other}, stream, {.to_host = true}).wait();
  CHECK((!takes_parts || migrated == std::vector<abi::memory>{first.native_handle(), other.native_handle()}));
}

YOKE_OPENCL_TEST_CASE("allocators make memory with access flags, also for pools and arrays", "[opencl]") {
  const ocl::context context{device};
  const ocl::stream stream{context};
  const ocl::buffer_options options{.kernels = ocl::kernel_access::read_only, .host = ocl::host_access::write_only};
  const abi::ulong wanted = abi::mem_read_only | abi::mem_host_write_only;
  const auto deferred = std::make_shared<yoke::deferred_allocator<ocl::port>>(context, options);
  const auto immediate = std::make_shared<yoke::immediate_allocator<ocl::port>>(context, options);
  CHECK(ocl::description_of(ocl::device_allocation<int>{deferred, 4, stream}).flags == wanted);
  CHECK(ocl::description_of(ocl::device_allocation<int>{immediate, 4, stream}).flags == wanted);
  const yoke::memory_pool pool{deferred};
  CHECK(ocl::description_of(ocl::device_allocation<int>{pool, 4, stream}).flags == wanted);
  const auto in_host =
      std::make_shared<yoke::deferred_allocator<ocl::port>>(context, ocl::buffer_options{.in_host_memory = true});
  const ocl::device_allocation<int> seen{in_host, 4, stream};
  CHECK(ocl::description_of(seen).flags == (abi::mem_read_write | abi::mem_alloc_host_ptr));
  const auto plain = std::make_shared<yoke::deferred_allocator<ocl::port>>(context);
  CHECK(ocl::description_of(ocl::device_allocation<int>{plain, 4, stream}).flags == abi::mem_read_write);
  CHECK(ocl::description_of(ocl::device_allocation<int>{deferred, 4, stream}).size_bytes == 16);
  CHECK(deferred->allocate(0, stream, {}) == nullptr);
}

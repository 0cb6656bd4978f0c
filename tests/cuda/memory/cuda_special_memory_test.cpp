// SPDX-License-Identifier: MIT
// Kinds of page-locked memory, memory of the program's own page-locked, pitched memory, what pointers point to, and
// frees behind other streams.
#include <support/devices/devices.hpp>
#include <support/drivers/cuda_interposer.hpp>
#include <support/drivers/cuda_stack.hpp>
#include <support/faults/fault_run.hpp>

#include <algorithm>
#include <chrono>
#include <future>
#include <numeric>

using namespace yoke_test;
namespace cu = yoke::cuda;

namespace {

cu::device through(const cuda_interposer& driver, const cu::device& device) {
  return cu::device::borrow(cu::port{driver.table()}, device.native_handle());
}
std::vector<float> counting(std::size_t size) {
  std::vector<float> values(size);
  std::iota(values.begin(), values.end(), 1.0F);
  return values;
}

}  // namespace

YOKE_CUDA_TEST_CASE("page-locked memory has the flags that it was made with", "[cuda]") {
  const cu::context context{device};
  const cu::stream stream{context};
  cu::pagelocked_array<int> combined{context, 1000, {.mapped = true, .write_combined = true}};
  const cu::pagelocked_options told = cu::options_of(combined);
  CHECK(told.write_combined);
  CHECK(told.portable);
  CHECK(told.mapped);
  cu::pagelocked_array<int> plain{context, 1000, {.portable = true}};
  CHECK_FALSE(cu::options_of(plain).write_combined);
  CHECK(cu::options_of(plain).portable);
  CHECK_THROWS_AS(cu::options_of(cu::pagelocked_array<int>{}), yoke::logic_error);
  std::fill(combined.begin(), combined.end(), 4);
  cu::device_allocation<int> memory{context, 1000};
  auto up = yoke::copy_async(combined, memory, stream);
  auto down = yoke::copy_async(memory, plain, stream);
  up.wait();
  down.wait();
  CHECK(std::count(plain.begin(), plain.end(), 4) == 1000);
  const cu::pagelocked_array<int> nothing{context, 0, {.mapped = true}};
  CHECK_FALSE(static_cast<bool>(nothing));
  CHECK_THROWS_AS((cu::pagelocked_array<int>{context, -1, {.mapped = true}}), yoke::logic_error);
}

YOKE_CUDA_TEST_CASE("page-locked memory is mapped for the device as a span", "[cuda]") {
  const cu::context context{device};
  const cu::stream stream{context};
  cu::pagelocked_array<float> host{context, 1000, {.mapped = true}};
  std::fill(host.begin(), host.end(), 1.5F);
  const cu::device_span<float> seen = cu::mapped(host);
  CHECK(seen.size() == 1000);
  cu::device_allocation<float> memory{context, 1000};
  yoke::copy(seen, memory, stream);
  yoke::fill(seen.subspan(500, 500), 2.5F, stream);
  stream.synchronize();
  CHECK(host[499] == 1.5F);
  CHECK(host[500] == 2.5F);
  auto module = yoke::compile(context, R"(
    YOKE_KERNEL twice(YOKE_GLOBAL float* a, int n) { int i = (int)get_global_id(0); if (i < n) a[i] *= 2; })");
  auto twice = module.get_kernel<void(float*, int)>("twice");
  twice(stream, yoke::launch_over(1000), seen, 1000);
  stream.synchronize();
  CHECK(host[0] == 3.0F);
  CHECK(host[999] == 5.0F);
  const cu::pagelocked_array<float>& constant = host;
  static_assert(std::same_as<decltype(cu::mapped(constant)), cu::device_span<const float>>);
  CHECK(cu::mapped(constant).native_handle() == seen.native_handle());
  cu::pagelocked_array<float> empty;
  CHECK_THROWS_AS(cu::mapped(empty), yoke::logic_error);
}

YOKE_CUDA_TEST_CASE("a range of the program's own is page-locked while its view lives", "[cuda]") {
  cuda_interposer driver(*device.port().table());
  {
    const cu::context context{through(driver, device)};
    const cu::stream stream{context};
    std::vector<float> host = counting(100000);
    cu::device_allocation<float> memory{context, host.size()};
    {
      cu::registered_memory<float> pinned{context, std::span{host}};
      CHECK(pinned.size() == host.size());
      CHECK(pinned.data() == host.data());
      auto up = yoke::copy_async(pinned, memory, stream);
      up.wait();
      yoke::fill(memory.subspan(0, 10), 0.0F, stream);
      yoke::copy_async(memory, pinned, stream).wait();
      CHECK(host[9] == 0.0F);
      CHECK(host[10] == 11.0F);
      CHECK(cu::mapped(pinned).size() == host.size());
      CHECK_THROWS_WITH((cu::registered_memory<float>{context, std::span{host}.subspan(5, 10)}),
                        ContainsSubstring("page-locked already") && ContainsSubstring("40 bytes"));
      cu::registered_memory<float> moved = std::move(pinned);
      CHECK_FALSE(static_cast<bool>(pinned));  // NOLINT: that is what is asked
      CHECK(static_cast<bool>(moved));
      CHECK(driver.count("mem_host_unregister") == 0);
      std::vector<float> other(10);
      moved = cu::registered_memory<float>{context, std::span{other}};  // lets the first range go
      CHECK(driver.count("mem_host_unregister") == 1);
    }
    CHECK(driver.count("mem_host_unregister") == 2);
    // A transfer keeps the registration, not the memory.
    cu::registered_memory<float> pinned{context, std::span{host}};
    auto transfer = yoke::copy_async(memory, pinned, stream);
    pinned.reset();
    CHECK(driver.count("mem_host_unregister") == 2);
    transfer.wait();
    CHECK(driver.count("mem_host_unregister") == 3);
    const cu::registered_memory<float> nothing{context, std::span<float>{}};
    CHECK_FALSE(static_cast<bool>(nothing));
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_CUDA_TEST_CASE("a range is page-locked with the options that were asked for", "[cuda]") {
  static decltype(cu::abi::functions::mem_host_register) real = nullptr;
  static unsigned given = 0;
  cu::abi::functions table = *device.port().table();
  real = table.mem_host_register;
  table.mem_host_register = [](void* address, std::size_t bytes, unsigned flags) -> cu::abi::status {
    given = flags;
    return real(address, bytes, flags);
  };
  const cu::context context{cu::device::borrow(cu::port{&table}, device.native_handle())};
  const cu::stream stream{context};
  yoke::aligned_array<float> host{1000, yoke::zeroed};  // at a page
  const auto flags_of = [&](const cu::registration_options& options) {
    const cu::registered_memory<float> pinned{context, host.span(), options};
    const cu::device_span<float> seen = cu::mapped(pinned);  // on every device with unified addressing
    yoke::fill(seen.subspan(0, 1), host[0] + 1, stream);
    stream.synchronize();
    return given;
  };
  CHECK(flags_of({}) == cu::abi::host_register_portable);
  CHECK(flags_of({.portable = false}) == 0);
  CHECK(flags_of({.portable = false, .mapped = true}) == cu::abi::host_register_device_map);
  CHECK(flags_of({.mapped = true}) == (cu::abi::host_register_portable | cu::abi::host_register_device_map));
  CHECK(host[0] == 4.0F);
  if (!cu::try_get(device, cu::info::read_only_host_register_supported).value_or(false)) return;
  const cu::registered_memory<const float> read_only{context, std::as_const(host).span(), {.read_only = true}};
  CHECK(given == (cu::abi::host_register_portable | cu::abi::host_register_read_only));
}

YOKE_CUDA_TEST_CASE("a registration changes hands", "[cuda]") {
  cuda_interposer driver(*device.port().table());
  {
    const cu::context context{through(driver, device)};
    const cu::stream stream{context};
    std::vector<float> host = counting(1000);
    using registered = cu::registered_memory<float>;
    registered made{context, std::span{host}};
    const std::span<float> range = made.release();
    CHECK(range.data() == host.data());
    CHECK(range.size() == 1000);
    CHECK_FALSE(static_cast<bool>(made));
    cu::device_allocation<float> memory{context, 1000};
    {
      const registered borrowed = registered::borrow(context, range);
      yoke::copy_async(borrowed, memory, stream).wait();
      const registered part = registered::borrow(context, range.subspan(10, 5));
      CHECK(part[0] == 11.0F);
    }
    CHECK(driver.count("mem_host_unregister") == 0);
    {
      registered adopted = registered::adopt(context, range);
      auto transfer = yoke::copy_async(memory, adopted, stream);
      CHECK(adopted.release().data() == host.data());  // the transfer lets nothing go, either
      transfer.wait();
    }
    CHECK(driver.count("mem_host_unregister") == 0);
    { const registered adopted = registered::adopt(context, range); }
    CHECK(driver.count("mem_host_unregister") == 1);
    CHECK_THROWS_WITH(registered::adopt(context, range), ContainsSubstring("is not page-locked for 4000 bytes"));
    CHECK_THROWS_WITH(registered::borrow(context, std::span<float>{}), ContainsSubstring("is null"));
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_CUDA_TEST_CASE("a range that is moved in is page-locked, and lives as long as the transfers of it", "[cuda]") {
  cuda_interposer driver(*device.port().table());
  {
    const cu::context context{through(driver, device)};
    const cu::stream stream{context};
    std::vector<float> host = counting(100000);
    const float* const address = host.data();
    cu::device_allocation<float> memory{context, host.size()};
    cu::registered_memory pinned{context, std::move(host)};
    static_assert(std::same_as<decltype(pinned), cu::registered_memory<float>>);
    CHECK(pinned.data() == address);
    REQUIRE(pinned.size() == 100000);
    auto up = yoke::copy_async(pinned, memory, stream);
    pinned.reset();  // the transfer keeps the elements, too
    CHECK(driver.count("mem_host_unregister") == 0);
    up.wait();
    CHECK(driver.count("mem_host_unregister") == 1);
    CHECK(yoke::to_host(memory, stream) == counting(100000));

    yoke::aligned_array<float> pages{1000, yoke::zeroed};
    cu::registered_memory<float> own{context, std::move(pages), {.mapped = true}};
    yoke::fill(cu::mapped(own).subspan(1, 999), 2.0F, stream);
    stream.synchronize();
    CHECK(own[0] == 0.0F);
    CHECK(own[999] == 2.0F);
    CHECK(own.release().empty());  // nobody else could free the elements
    CHECK(static_cast<bool>(own));
    CHECK_THROWS_WITH((cu::registered_memory<float>{context, own.span()}), ContainsSubstring("page-locked already"));
    cu::registered_memory<float> moved = std::move(own);
    CHECK(moved[999] == 2.0F);
    const cu::registered_memory<float> nothing{context, std::vector<float>{}};
    CHECK(nothing.empty());
    static_assert(!std::is_constructible_v<cu::registered_memory<float>, const cu::context&, std::vector<int>>);
    const cu::registered_memory<const float> constant{context, std::vector<float>(1000, 4.0F)};  // owned, too
    CHECK(constant[999] == 4.0F);
    std::vector<float> lent(1000);
    const cu::registered_memory<float> view{context, lent};
    CHECK(view.data() == lent.data());
  }
  CHECK(driver.count("mem_host_unregister") == 4);
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_CUDA_TEST_CASE("read-only memory is page-locked as the source of copies", "[cuda]") {
  const cu::context context{device};
  const cu::stream stream{context};
  const std::vector<float> host = counting(5000);
  const bool can = cu::try_get(device, cu::info::read_only_host_register_supported).value_or(false);
  if (!can) {
    CHECK_THROWS_AS((cu::registered_memory<const float>{context, std::span{host}, {.read_only = true}}), yoke::error);
    return;
  }
  const cu::registered_memory<const float> pinned{context, std::span{host}, {.read_only = true}};
  cu::device_allocation<float> memory{context, host.size()};
  yoke::copy_async(pinned, memory, stream).wait();
  std::vector<float> back(host.size());
  yoke::copy(memory, back, stream);
  CHECK(back == host);
}

YOKE_CUDA_TEST_CASE("pitched memory is copied and filled as rows", "[cuda]") {
  cuda_interposer driver(*device.port().table());
  {
    const cu::context context{through(driver, device)};
    const cu::stream stream{context};
    cu::pitched_allocation<float> image{context, 100, 40};
    CHECK(image.width() == 100);
    CHECK(image.height() == 40);
    CHECK(image.row_pitch() >= 100);
    CHECK(image.row_pitch_bytes() == image.row_pitch() * sizeof(float));
    CHECK(image.span().size() == image.row_pitch() * 40);
    const std::vector<float> host = counting(4000);
    yoke::fill(image.span(), -1.0F, stream);  // the gaps too
    yoke::copy(host, image, stream);
    std::vector<float> back(4000);
    yoke::copy(image, back, stream);
    CHECK(back == host);
    std::vector<float> whole(image.span().size());
    yoke::copy(image.span(), whole, stream);
    CHECK(whole[100] == -1.0F);
    CHECK(whole[image.row_pitch()] == 101.0F);
    yoke::fill(image, 2.0F, stream);
    yoke::copy(image.span(), whole, stream);
    CHECK(whole[99] == 2.0F);
    CHECK(whole[100] == -1.0F);
    CHECK(std::count(whole.begin(), whole.end(), 2.0F) == 4000);
    cu::pitched_allocation<float> second{context, 100, 40};
    yoke::copy(image, second, stream);
    yoke::copy(second, back, stream);
    CHECK(back == std::vector<float>(4000, 2.0F));
    cu::pagelocked_array<float> locked{context, 4000};
    yoke::copy_async(second, locked, stream).wait();
    CHECK(locked[3999] == 2.0F);
    // A part of the rows.
    std::vector<float> part(30);
    yoke::copy(yoke::strided(image.span(), {.width = 10, .height = 3, .row_pitch = image.row_pitch(), .offset = 5}),
               part, stream);
    CHECK(part == std::vector<float>(30, 2.0F));
    CHECK_THROWS_AS(yoke::copy(std::vector<float>(3999), image, stream), yoke::logic_error);
    const cu::pitched_allocation<float>& constant = image;
    yoke::copy(constant, back, stream);
    cu::pitched_allocation<float> moved = std::move(image);
    CHECK(image.empty());  // NOLINT: that is what is asked
    CHECK(moved.height() == 40);
    moved.reset();
    CHECK_FALSE(static_cast<bool>(moved));
    CHECK_THROWS_AS(yoke::copy(moved, back, stream), yoke::logic_error);
    second = cu::pitched_allocation<float>{context, 7, 2};
    CHECK(second.width() == 7);
    const std::size_t mark = driver.mark();
    const cu::pitched_allocation<float> nothing{context, 0, 5};
    CHECK(nothing.empty());
    CHECK(driver.calls(mark).empty());
    CHECK_THROWS_AS((cu::pitched_allocation<float>{context, -1, 5}), yoke::logic_error);
    CHECK_THROWS_WITH((cu::pitched_allocation<float>{context, std::size_t{1} << 36, 1 << 20}),
                      ContainsSubstring("1048576 rows of 274877906944 bytes"));
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_CUDA_TEST_CASE("strided fills of wide elements keep the bytes between rows", "[cuda]") {
  struct wide {
    double x, y;
    bool operator==(const wide&) const = default;
  };
  const cu::context context{device};
  const cu::stream stream{context};
  cu::pitched_allocation<wide> rows{context, 5, 6};
  yoke::fill(rows.span(), wide{0, 0}, stream);
  yoke::fill(rows, wide{1, 2}, stream);
  std::vector<wide> whole(rows.span().size());
  yoke::copy(rows.span(), whole, stream);
  CHECK(std::count(whole.begin(), whole.end(), wide{1, 2}) == 30);
  CHECK(whole[4] == wide{1, 2});
  CHECK(whole[5] == wide{0, 0});
}

YOKE_CUDA_TEST_CASE("a pointer tells whose it is, of which kind, and how large its allocation", "[cuda]") {
  const cu::port& port = device.port();
  const cu::context context{device};
  const cu::stream stream{context};
  cu::device_allocation<int> plain{context, 1000};
  const auto device_facts = cu::describe_pointer(port, plain.subspan(100, 10));
  REQUIRE(device_facts.has_value());
  CHECK(device_facts->kind == cu::memory_kind::device);
  CHECK(device_facts->context == context.native_handle());
  CHECK(device_facts->device == device.native_handle().native());
  CHECK(device_facts->base == plain.native_handle());
  CHECK(device_facts->bytes >= 4000);
  CHECK(device_facts->device_address == plain.native_handle() + 400);
  CHECK(device_facts->host_address == nullptr);
  const cu::device_allocation<int> ordered{context, 1000, stream};
  const auto ordered_facts = cu::describe_pointer(port, ordered.native_handle());
  REQUIRE(ordered_facts.has_value());
  CHECK(ordered_facts->kind == cu::memory_kind::device);
  CHECK(ordered_facts->base == ordered.native_handle());
  CHECK(ordered_facts->buffer_id != device_facts->buffer_id);
  const cu::pagelocked_array<int> host{context, 1000};
  const auto host_facts = cu::describe_pointer(port, host.data() + 10);
  REQUIRE(host_facts.has_value());
  CHECK(host_facts->kind == cu::memory_kind::host);
  CHECK(host_facts->host_address == host.data() + 10);
  CHECK(host_facts->device_address != 0);
  const std::vector<int> pageable(10);
  CHECK_FALSE(cu::describe_pointer(port, pageable.data()).has_value());
  CHECK_FALSE(cu::describe_pointer(port, nullptr).has_value());
}

YOKE_CUDA_TEST_CASE("a stream-ordered free waits for the streams that were recorded", "[cuda]") {
  cuda_interposer driver(*device.port().table());
  const cu::context context{through(driver, device)};
  const cu::stream owner{context, {.non_blocking = true}}, other{context, {.non_blocking = true}};
  std::promise<void> opened;
  cu::device_allocation<int> memory{context, 100, owner};
  owner.synchronize();
  other.call([wait = opened.get_future()]() mutable { wait.wait_for(std::chrono::seconds(60)); });
  memory.record_use(other);
  memory.record_use(other);  // said twice, waited for once
  memory.record_use(owner);
  const std::size_t mark = driver.mark();
  memory.reset();
  CHECK(driver.count("stream_wait_event", mark) == 1);
  CHECK(driver.count("mem_free_async", mark) == 1);
  CHECK(driver.count("stream_synchronize", mark) == 0);  // the host does not wait
  CHECK_FALSE(owner.is_done());
  opened.set_value();
  owner.synchronize();
  CHECK(other.is_done());
}

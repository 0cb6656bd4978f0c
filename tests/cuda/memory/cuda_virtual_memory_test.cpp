// SPDX-License-Identifier: MIT
// Virtual memory: ranges, physical memory and mappings that keep both, and allocations that grow where they are.
#include <cuda/cuda_rig.hpp>

#include <yoke/image.hpp>

#include <fcntl.h>

#include <numeric>

using namespace yoke_test;
using Catch::Matchers::ContainsSubstring;
using yoke::errc;

namespace {

constexpr const char* source = R"(
YOKE_KERNEL twice(YOKE_GLOBAL int* a, int n) { int i = (int)get_global_id(0); if (i < n) a[i] *= 2; })";

bool has_virtual_memory(const cuda_device& device) {
  return cu::get(device, cu::info::virtual_memory_management_supported);
}

/// The device's granularity in elements of `int`.
std::size_t step_of(const cu::context& context) { return cu::memory_granularity(context) / sizeof(int); }

}  // namespace

YOKE_CUDA_TEST_CASE("memory is reserved, made, mapped and used, and a mapping keeps both", "[cuda]") {
  if (!has_virtual_memory(device)) YOKE_SKIP("the device has no virtual memory");
  cuda_rig on(device);
  const std::size_t bytes = cu::memory_granularity(on.context);
  CHECK(bytes > 0);
  CHECK(cu::memory_granularity(on.context, true) % bytes == 0);
  {
    cu::address_range range{on.context, 3 * bytes - 1};
    CHECK(range.size_bytes() == 3 * bytes);
    CHECK(range.native_handle() % bytes == 0);
    CHECK(range.context_of() == on.context);
    cu::physical_memory memory{on.context, 1};
    CHECK(memory.size_bytes() == bytes);
    CHECK_FALSE(memory.is_shareable());
    cu::memory_mapping mapping{range, bytes, memory};
    CHECK(mapping.native_handle() == range.native_handle() + bytes);
    CHECK(mapping.size_bytes() == bytes);
    CHECK(mapping.range() == range);
    CHECK(mapping.memory() == memory);
    CHECK(mapping.access(device) == cu::memory_access_flags::read_write);
    const cu::address_range another = range;
    range.reset();
    memory.reset();
    CHECK_FALSE(range);
    CHECK_FALSE(memory);
    const cu::device_span<int> numbers = mapping.span<int>();
    CHECK(numbers.size() == bytes / sizeof(int));
    yoke::fill(numbers, 7, on.stream);
    auto module = yoke::compile(on.context, source);
    const auto twice = module.get_kernel<void(int*, int)>("twice");
    twice(on.stream, yoke::launch_over(numbers.size()), numbers, static_cast<int>(numbers.size()));
    const auto back = yoke::to_host(numbers, on.stream);
    CHECK(back == std::vector<int>(numbers.size(), 14));

    cu::memory_mapping moved = std::move(mapping);
    CHECK_FALSE(mapping);  // NOLINT: it is empty then
    cuda_refusal<yoke::logic_error>(errc::empty_handle, [&] { (void)mapping.span<int>(); });
    cuda_refusal<yoke::logic_error>(errc::empty_handle, [&] { (void)range.size_bytes(); });
    cuda_refusal<yoke::logic_error>(errc::empty_handle, [&] { (void)memory.share(); });
    const std::size_t mark = on.driver.mark();
    moved.reset();
    const auto calls = on.driver.calls(mark);
    const auto place = [&](const char* name) { return std::find(calls.begin(), calls.end(), name) - calls.begin(); };
    CHECK(place("context_synchronize") < place("mem_unmap"));  // kernels may use it until then
    CHECK(place("mem_unmap") < place("mem_release"));
    CHECK(on.driver.count("mem_release", mark) == 1);
    CHECK(on.driver.count("mem_address_free", mark) == 0);  // `another` is left
  }
  CHECK(on.driver.count("mem_address_free") == 1);
  CHECK(on.driver.bad_releases().empty());
}

YOKE_CUDA_TEST_CASE("one piece of physical memory has several addresses, and one range several pieces", "[cuda]") {
  if (!has_virtual_memory(device)) YOKE_SKIP("the device has no virtual memory");
  const cu::context context{device};
  const cu::stream stream{context};
  const std::size_t bytes = cu::memory_granularity(context);
  const cu::physical_memory first{context, bytes}, second{context, bytes};
  const cu::address_range range{context, 3 * bytes};
  cu::memory_mapping one{range, 0, first}, two{range, bytes, second}, three{range, 2 * bytes, first};
  yoke::fill(one.span<int>(), 1, stream);
  yoke::fill(two.span<int>(), 2, stream);
  CHECK(yoke::to_host(three.span<int>(), stream)[5] == 1);
  three.reset();
  cu::memory_mapping again{range, 2 * bytes, second};
  CHECK(yoke::to_host(again.span<int>(), stream)[5] == 2);
  const auto same = cu::physical_memory::at(context, again.native_handle(), bytes);
  const cu::address_range elsewhere{context, bytes};
  const cu::memory_mapping fourth{elsewhere, 0, same};
  CHECK(yoke::to_host(fourth.span<int>(), stream)[step_of(context) - 1] == 2);
}

YOKE_CUDA_TEST_CASE("sizes, offsets and places that cannot be are refused with the limit", "[cuda]") {
  if (!has_virtual_memory(device)) YOKE_SKIP("the device has no virtual memory");
  cuda_rig on(device);
  const std::size_t bytes = cu::memory_granularity(on.context);
  const auto refused = [](errc condition, auto&& act) { return cuda_refusal<yoke::logic_error>(condition, act); };
  CHECK_THAT(refused(errc::invalid_argument, [&] { (void)cu::address_range(on.context, 0); }),
             ContainsSubstring("an address range of 0 bytes"));
  CHECK_THAT(refused(errc::invalid_argument, [&] { (void)cu::physical_memory(on.context, 0); }),
             ContainsSubstring("physical memory of 0 bytes"));
  CHECK_THROWS_AS(cu::physical_memory(on.context, -1), yoke::logic_error);
  CHECK_THAT(refused(errc::invalid_argument, [&] { (void)cu::address_range(on.context, ~std::size_t{0}); }),
             ContainsSubstring("the limit is"));
  CHECK_THAT(refused(errc::invalid_argument, [&] { (void)cu::address_range(on.context, 1, {.alignment_bytes = 3}); }),
             ContainsSubstring("an alignment of 3 bytes is no power of two"));
  CHECK_THROWS_AS(cu::address_range(on.context, std::size_t{1} << 60), yoke::error);
  const cu::address_range aligned{on.context, bytes, {.alignment_bytes = 16 * bytes}};
  CHECK(aligned.native_handle() % (16 * bytes) == 0);

  const cu::address_range range{on.context, 2 * bytes};
  const cu::physical_memory memory{on.context, bytes}, large{on.context, 3 * bytes};
  CHECK_THAT(
      refused(errc::misaligned, [&] { (void)cu::memory_mapping(range, 512, memory); }),
      ContainsSubstring("an offset of 512 bytes") && ContainsSubstring("no multiple of " + std::to_string(bytes)));
  CHECK_THAT(refused(errc::invalid_argument, [&] { (void)cu::memory_mapping(range, 2 * bytes, memory); }),
             ContainsSubstring("goes beyond its address range of " + std::to_string(2 * bytes) + " bytes"));
  CHECK_THAT(refused(errc::invalid_argument, [&] { (void)cu::memory_mapping(range, 0, large); }),
             ContainsSubstring("goes beyond its address range"));
  const cu::memory_mapping there{range, 0, memory};
  try {
    (void)cu::memory_mapping(range, 0, memory);
    FAIL_CHECK("mapped twice");
  } catch (const yoke::error& e) {
    CHECK_THAT(e.what(), ContainsSubstring("cannot be mapped to " + std::to_string(bytes) + " bytes at 0x"));
    CHECK(std::string(e.call()) == "cuMemMap");
  }
  CHECK_THROWS_AS(cu::physical_memory::at(on.context, range.native_handle() + bytes, bytes), yoke::error);
  cuda_refusal<yoke::logic_error>(errc::empty_handle,
                                  [&] { (void)cu::memory_mapping(cu::address_range(), 0, memory); });
  cuda_refusal<yoke::logic_error>(errc::empty_handle,
                                  [&] { (void)cu::memory_mapping(range, 0, cu::physical_memory()); });

  std::size_t all = 0, available = 0;
  {
    const auto active = on.context.activate();
    REQUIRE(device.port().table()->mem_get_info(&available, &all) == cuda_abi::success);
  }
  const std::string full =
      cuda_refusal<yoke::memory_error>(errc::out_of_memory, [&] { (void)cu::physical_memory(on.context, 2 * all); });
  CHECK_THAT(full,
             ContainsSubstring("physical memory of " + std::to_string(2 * all / bytes * bytes) + " bytes") ||
                 ContainsSubstring("physical memory of " + std::to_string((2 * all + bytes - 1) / bytes * bytes)));
  CHECK_THAT(full, ContainsSubstring("bytes are free"));
}

YOKE_CUDA_TEST_CASE("native ranges and memory are adopted and borrowed", "[cuda]") {
  if (!has_virtual_memory(device)) YOKE_SKIP("the device has no virtual memory");
  cuda_rig on(device);
  const std::size_t bytes = cu::memory_granularity(on.context);
  {
    const auto active = on.context.activate();
    const cuda_abi::functions& calls = *on.driver.table();
    cuda_abi::device_pointer at = 0;
    REQUIRE(calls.mem_address_reserve(&at, bytes, 0, 0, 0) == cuda_abi::success);
    cuda_abi::allocation_properties wanted{};
    wanted.type = cuda_abi::allocation_type::pinned;
    wanted.location = {cuda_abi::memory_location_type::device, device.native_handle().native()};
    cuda_abi::physical_memory native = 0;
    REQUIRE(calls.mem_create(&native, bytes, &wanted, 0) == cuda_abi::success);
    {
      const auto lent = cu::address_range::borrow(on.context, at, bytes);
      const auto memory = cu::physical_memory::borrow(on.context, native, bytes);
      const cu::memory_mapping mapping{lent, 0, memory};
      yoke::fill(mapping.span<int>(), 3, on.stream);
      on.stream.synchronize();
    }
    CHECK(on.driver.count("mem_address_free") == 0);
    CHECK(on.driver.count("mem_release") == 0);
    const auto owned = cu::address_range::adopt(on.context, at, bytes);
    const auto memory = cu::physical_memory::adopt(on.context, native, bytes);
    CHECK(owned.native_handle() == at);
    CHECK(memory.native_handle() == native);
  }
  CHECK(on.driver.count("mem_address_free") == 1);
  CHECK(on.driver.count("mem_release") == 1);
  cuda_refusal<yoke::logic_error>(errc::invalid_argument,
                                  [&] { (void)cu::address_range::adopt(on.context, 0, bytes); });
  cuda_refusal<yoke::logic_error>(errc::invalid_argument,
                                  [&] { (void)cu::physical_memory::borrow(on.context, 0, bytes); });
}

YOKE_CUDA_TEST_CASE("an allocation grows where it is, and keeps what it holds", "[cuda]") {
  if (!has_virtual_memory(device)) YOKE_SKIP("the device has no virtual memory");
  cuda_rig on(device);
  {
    auto module = yoke::compile(on.context, source);
    const auto twice = module.get_kernel<void(int*, int)>("twice");
    const std::size_t step = step_of(on.context);
    cu::growing_allocation<int> x{on.context, 8 * step};
    CHECK(x.max_size() == 8 * step);
    CHECK(x.empty());
    CHECK(x.capacity() == 0);
    CHECK(on.driver.count("mem_create") == 0);  // addresses cost nothing
    const auto address = x.native_handle();
    x.resize(1000);
    CHECK(x.size() == 1000);
    CHECK(x.size_bytes() == 4000);
    CHECK(x.capacity() == step);
    std::vector<int> numbers(1000);
    std::iota(numbers.begin(), numbers.end(), 0);
    yoke::copy(numbers, x, on.stream);
    const cu::device_span<int> before = x.span();
    x.resize(step);  // within what is mapped
    CHECK(on.driver.count("mem_create") == 1);
    x.resize(3 * step);
    CHECK(on.driver.count("mem_create") == 2);
    CHECK(x.capacity() == 3 * step);
    CHECK(x.native_handle() == address);
    CHECK(yoke::to_host(before, on.stream) == numbers);
    yoke::fill(x, 5, on.stream);  // over both pieces
    twice(on.stream, yoke::launch_over(x.size()), x, static_cast<int>(x.size()));
    cu::device_allocation<int> plain{on.context, 3 * step};
    yoke::copy(x, plain, on.stream);
    CHECK(yoke::to_host(plain, on.stream) == std::vector<int>(3 * step, 10));
    const cu::growing_allocation<int>& constant = x;
    static_assert(std::same_as<decltype(constant.span()), cu::device_span<const int>>);
    CHECK(yoke::to_host(constant.subspan(step - 1, 2), on.stream) == std::vector<int>{10, 10});
    CHECK_THROWS_AS(yoke::copy(numbers, x, on.stream), yoke::logic_error);

    x.resize(10);
    CHECK(x.capacity() == 3 * step);
    x.shrink_to_fit();
    CHECK(x.capacity() == step);
    CHECK(on.driver.count("mem_unmap") == 1);
    CHECK(yoke::to_host(x, on.stream) == std::vector<int>(10, 10));
    x.reserve(2 * step);
    CHECK(x.capacity() == 2 * step);
    CHECK(x.size() == 10);
    x.resize(0);
    x.shrink_to_fit();
    CHECK(x.capacity() == 0);
    CHECK(x.native_handle() == address);
    x.resize(2);
    yoke::fill(x, 1, on.stream);
    CHECK(yoke::to_host(x, on.stream) == std::vector<int>{1, 1});

    cu::growing_allocation<int> moved = std::move(x);
    CHECK(moved.native_handle() == address);
    CHECK_FALSE(x);  // NOLINT: it is empty then
    CHECK(x.size() == 0);
    CHECK(x.max_size() == 0);
    CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::empty_handle, [&] { x.resize(1); }),
               ContainsSubstring("this growing allocation is empty"));
    cuda_refusal<yoke::logic_error>(errc::empty_handle, [&] { x.shrink_to_fit(); });
    cuda_refusal<yoke::logic_error>(errc::empty_handle, [&] { x.allow_access(on.device); });
    CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::invalid_argument,
                                               [&] { (void)cu::growing_allocation<int>(on.context, 0); }),
               ContainsSubstring("a growing allocation of 0 elements at most"));
    cuda_refusal<yoke::logic_error>(errc::empty_handle, [&] { (void)x.span(); });
    CHECK_THROWS_AS(twice(on.stream, yoke::launch_over(1), x, 1), yoke::logic_error);
    x = std::move(moved);
    CHECK(x.size() == 2);
    cu::growing_allocation<int> other{on.context, 1};
    swap(x, other);
    CHECK(other.size() == 2);
    other.reset();
    CHECK_FALSE(other);
  }
  CHECK(on.driver.count("mem_create") == on.driver.count("mem_release"));
  CHECK(on.driver.count("mem_map") == on.driver.count("mem_unmap"));
  CHECK(on.driver.count("mem_address_reserve") == on.driver.count("mem_address_free"));
  CHECK(on.driver.bad_releases().empty());
}

// Drivers refuse copies over several pieces of mapped memory on threads that have no current context.
YOKE_CUDA_TEST_CASE("copies and fills go over all pieces of an allocation that has grown", "[cuda]") {
  if (!has_virtual_memory(device)) YOKE_SKIP("the device has no virtual memory");
  cuda_rig on(device);
  const std::size_t step = cu::memory_granularity(on.context) / sizeof(double);
  const std::size_t size = 3 * step;
  cu::growing_allocation<double> x{on.context, size}, y{on.context, size};
  for (std::size_t i = 1; i <= 3; ++i) x.resize(i * step);  // three pieces
  y.resize(step + 1);                                       // and two
  y.resize(size);
  std::vector<double> numbers(size);
  std::iota(numbers.begin(), numbers.end(), 0.5);
  const std::vector<double> zeros(size);

  yoke::copy(numbers, x, on.stream);
  CHECK((yoke::to_host(x, on.stream) == numbers));
  yoke::copy(x, y, on.stream);
  CHECK((yoke::to_host(y, on.stream) == numbers));

  yoke::fill(y, 7.25, on.stream);  // no fill of the driver's is as wide: it copies
  CHECK((yoke::to_host(y, on.stream) == std::vector<double>(size, 7.25)));
  yoke::fill(y, 0.0, on.stream);
  yoke::enqueue_copy(x.span(), y.span(), on.stream);
  cu::pagelocked_array<double> back{on.context, size};
  yoke::enqueue_copy(y.span(), back, on.stream);
  on.stream.synchronize();
  CHECK(std::equal(back.begin(), back.end(), numbers.begin()));
  std::fill(back.begin(), back.end(), 0.0);
  yoke::enqueue_copy(back, y.span(), on.stream);
  on.stream.synchronize();
  CHECK((yoke::to_host(y, on.stream) == zeros));

  // rows that lie in two pieces, and rows that begin in different ones
  const yoke::box_layout rows{.width = step / 2 + 3, .height = 4, .row_pitch = step / 2 + 7};
  yoke::copy(yoke::strided(x.span(), rows), yoke::strided(y.span(), rows), on.stream);
  std::vector<double> expected = zeros;
  for (std::size_t row = 0; row < 4; ++row) {
    const auto first = static_cast<std::ptrdiff_t>(row * rows.row_pitch);
    std::copy_n(numbers.begin() + first, rows.width, expected.begin() + first);
  }
  CHECK((yoke::to_host(y, on.stream) == expected));
  std::vector<double> apart = zeros;
  yoke::copy(yoke::strided(y.span(), rows), yoke::strided(apart, rows), on.stream);
  CHECK((apart == expected));
  yoke::fill(y, 0.0, on.stream);
  yoke::copy(yoke::strided(apart, rows), yoke::strided(y.span(), rows), on.stream);
  CHECK((yoke::to_host(y, on.stream) == expected));

  yoke::copy_list<cu::port> list{on.context};
  list.add(x.subspan(step - 3, 7), y.subspan(2 * step - 5, 7));
  list.add(x.subspan(0, 4), y.subspan(8, 4));
  yoke::copy(list, on.stream);
  std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(step) - 3, 7,
              expected.begin() + 2 * static_cast<std::ptrdiff_t>(step) - 5);
  std::copy_n(numbers.begin(), 4, expected.begin() + 8);
  CHECK((yoke::to_host(y, on.stream) == expected));
  CHECK_THROWS_AS(yoke::copy(x.subspan(0, 4), y.subspan(0, 5), on.stream), yoke::logic_error);

  const cu::context elsewhere = cu::create_context(device);
  const cu::stream their_stream{elsewhere};
  cu::device_allocation<double> theirs{elsewhere, size};
  yoke::copy(x, theirs, on.stream);
  CHECK((yoke::to_host(theirs, their_stream) == numbers));
  yoke::fill(theirs, 0.0, their_stream);
  their_stream.synchronize();
  yoke::copy(yoke::strided(x.span(), rows), yoke::strided(theirs, rows), on.stream);
  std::vector<double> their_rows = zeros;
  for (std::size_t row = 0; row < 4; ++row) {
    const auto first = static_cast<std::ptrdiff_t>(row * rows.row_pitch);
    std::copy_n(numbers.begin() + first, rows.width, their_rows.begin() + first);
  }
  CHECK((yoke::to_host(theirs, their_stream) == their_rows));
}

YOKE_CUDA_TEST_CASE("images are copied from and to an allocation that has grown", "[cuda][image]") {
  if (!has_virtual_memory(device)) YOKE_SKIP("the device has no virtual memory");
  cuda_rig on(device);
  const std::size_t step = cu::memory_granularity(on.context) / sizeof(float);
  cu::growing_allocation<float> x{on.context, 2 * step}, y{on.context, 2 * step};
  for (auto* const each : {&x, &y}) {
    each->resize(step);
    each->resize(2 * step);
  }
  std::vector<float> numbers(2 * step);
  std::iota(numbers.begin(), numbers.end(), 0.5F);
  yoke::copy(numbers, x, on.stream);
  yoke::image<float, 2, cu::port> picture{on.context, {1024, 2 * step / 1024}};
  yoke::copy(x, picture, on.stream);
  yoke::copy(picture, y, on.stream);
  CHECK((yoke::to_host(y, on.stream) == numbers));
}

YOKE_CUDA_TEST_CASE("an allocation that cannot grow is as it was", "[cuda]") {
  if (!has_virtual_memory(device)) YOKE_SKIP("the device has no virtual memory");
  cuda_rig on(device);
  const std::size_t step = step_of(on.context);
  std::size_t all = 0, available = 0;
  {
    const auto active = on.context.activate();
    REQUIRE(device.port().table()->mem_get_info(&available, &all) == cuda_abi::success);
  }
  cu::growing_allocation<int> x{on.context, all};  // four times what the device has
  x.resize(100);
  yoke::fill(x, 3, on.stream);
  const auto is_as_it_was = [&] {
    CHECK(x.size() == 100);
    CHECK(x.capacity() == step);
    CHECK(yoke::to_host(x, on.stream) == std::vector<int>(100, 3));
  };
  CHECK_THAT(cuda_refusal<yoke::memory_error>(errc::out_of_memory, [&] { x.resize(all / 2); }),
             ContainsSubstring("bytes are free"));
  is_as_it_was();
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::out_of_range, [&] { x.resize(x.max_size() + 1); }),
             ContainsSubstring("addresses are reserved for " + std::to_string(x.max_size())));
  is_as_it_was();
  CHECK_THROWS_AS(x.resize(-1), yoke::logic_error);
  for (const char* call : {"mem_create", "mem_map", "mem_set_access"}) {
    INFO(call);
    on.driver.fail_function(call, 1, fault_mode::once, cuda_abi::error_out_of_memory);
    CHECK_THROWS_AS(x.resize(2 * step), yoke::memory_error);
    on.driver.disarm();
    is_as_it_was();
  }
  CHECK(on.driver.count("mem_create") == on.driver.count("mem_release") + 3);  // two failed, one is there
  x.resize(2 * step);
  CHECK(x.capacity() == 2 * step);
}

YOKE_CUDA_TEST_CASE("another device uses what it was given access to", "[cuda]") {
  if (!has_virtual_memory(device)) YOKE_SKIP("the device has no virtual memory");
  const cu::context context{device};
  const cu::stream stream{context};
  const std::size_t step = step_of(context);
  cu::growing_allocation<int> x{context, 4 * step};
  x.resize(step);
  const auto address_access = [&](const cuda_device& of, std::size_t at) {
    return device.port().access_of(x.native_handle() + at * sizeof(int), of.native_handle(), {});
  };
  CHECK(address_access(device, 0) == cu::memory_access_flags::read_write);
  for (const cuda_device& other : cu::devices(device.port())) {
    if (other == device || !cu::can_access_peer(other, device)) continue;
    CHECK(address_access(other, 0) == cu::memory_access_flags::none);
    x.allow_access(other);
    x.allow_access(other);
    CHECK(address_access(other, 0) == cu::memory_access_flags::read_write);
    x.resize(3 * step);
    CHECK(address_access(other, 2 * step) == cu::memory_access_flags::read_write);
    yoke::fill(x, 6, stream);
    stream.synchronize();
    const cu::context there{other};
    const cu::stream order{there};
    const cu::device_span<int> view{there.native_handle(), x.native_handle(), 0, x.size()};
    auto module = yoke::compile(there, source);
    module.get_kernel<void(int*, int)>("twice")(order, yoke::launch_over(3 * step), view, static_cast<int>(3 * step));
    order.synchronize();
    CHECK(yoke::to_host(x, stream) == std::vector<int>(3 * step, 12));
    return;
  }
  // One device: its own access is taken away and given back.
  const cu::address_range range{context, 1};
  cu::memory_mapping mapping{range, 0, cu::physical_memory(context, 1)};
  mapping.set_access(device, cu::memory_access_flags::none);
  CHECK(mapping.access(device) == cu::memory_access_flags::none);
  mapping.set_access(device, cu::memory_access_flags::read_write);
  yoke::fill(mapping.span<int>(), 2, stream);
  CHECK(yoke::to_host(mapping.span<int>(), stream)[0] == 2);
}

YOKE_CUDA_TEST_CASE("what an older driver or another device lacks is told by name", "[cuda]") {
  if (!has_virtual_memory(device)) YOKE_SKIP("the device has no virtual memory");
  const auto told = [&](auto member, auto&& act) {
    cuda_abi::functions table = *device.port().table();
    table.*member = nullptr;
    const cu::context context(through_table(&table, device));
    return cuda_refusal<yoke::unsupported_error>(errc::unsupported, [&] { act(context); });
  };
  using entries = cuda_abi::functions;
  const auto grow = [](const cu::context& context) {
    cu::growing_allocation<int> x{context, 1};
    x.resize(1);
  };
  CHECK_THAT(told(&entries::mem_address_reserve, grow),
             ContainsSubstring("this CUDA driver has no cuMemAddressReserve"));
  CHECK_THAT(told(&entries::mem_create, grow), ContainsSubstring("has no cuMemCreate"));
  CHECK_THAT(told(&entries::mem_map, grow), ContainsSubstring("has no cuMemMap"));
  CHECK_THAT(told(&entries::mem_set_access, grow), ContainsSubstring("has no cuMemSetAccess"));

  const poorer_driver poorer(device);
  const cu::context context(through_table(&poorer.table, device));
  poorer_driver::lacking() = 102;
  CHECK_THAT(cuda_refusal<yoke::unsupported_error>(errc::unsupported, [&] { grow(context); }),
             ContainsSubstring("has no virtual memory (CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED)"));
  poorer_driver::lacking() = 103;
  CHECK_THAT(cuda_refusal<yoke::unsupported_error>(errc::unsupported,
                                                   [&] { (void)cu::physical_memory(context, 1, {.shareable = true}); }),
             ContainsSubstring("shares no memory by file descriptor"));
}

YOKE_CUDA_TEST_CASE("a descriptor keeps memory, and one that is of none is refused", "[cuda][ipc]") {
  if (!has_virtual_memory(device)) YOKE_SKIP("the device has no virtual memory");
  if (!cu::get(device, cu::info::handle_type_posix_file_descriptor_supported)) {
    YOKE_SKIP("the device shares no memory by file descriptor");
  }
  const cu::context context{device};
  const cu::stream stream{context};
  const std::size_t bytes = cu::memory_granularity(context);
  cu::file_descriptor descriptor;
  {
    const cu::physical_memory memory{context, bytes, {.shareable = true}};
    CHECK(memory.is_shareable());
    const cu::address_range range{context, bytes};
    const cu::memory_mapping mapping{range, 0, memory};
    yoke::fill(mapping.span<int>(), 11, stream);
    descriptor = memory.share();
    CHECK((::fcntl(descriptor.native_handle(), F_GETFD) & FD_CLOEXEC) != 0);
  }
  {
    const auto memory = cu::physical_memory::open(context, descriptor, bytes);
    descriptor.reset();
    CHECK_FALSE(descriptor);
    const cu::address_range range{context, bytes};
    const cu::memory_mapping mapping{range, 0, memory};
    CHECK(yoke::to_host(mapping.span<int>(), stream)[7] == 11);
  }
  const auto open = [&](const cu::file_descriptor& from) { (void)cu::physical_memory::open(context, from, bytes); };
  cuda_refusal<yoke::logic_error>(errc::empty_handle, [&] { open({}); });
  auto closed = cu::file_descriptor::adopt(999);
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::invalid_argument, [&] { open(closed); }),
             ContainsSubstring("file descriptor 999 is not open in this process"));
  CHECK(closed.release() == 999);
  const auto other = cu::file_descriptor::adopt(::open("/dev/null", O_RDWR | O_CLOEXEC));
  try {
    open(other);
    FAIL_CHECK("opened /dev/null");
  } catch (const yoke::error& e) {
    CHECK_THAT(e.what(), ContainsSubstring("file descriptor " + std::to_string(other.native_handle()) +
                                           " is no physical memory that a CUDA driver has exported"));
    CHECK(std::string(e.call()) == "cuMemImportFromShareableHandle");
  }
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::invalid_argument,
                                             [&] { (void)cu::physical_memory(context, bytes).share(); }),
             ContainsSubstring("made without .shareable = true"));
}

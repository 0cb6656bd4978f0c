// SPDX-License-Identifier: MIT
// Managed memory: one address for the host and the device, attachments, prefetches, advice, and what refuses them.
#include <cuda/cuda_rig.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

using namespace yoke_test;
using cu::memory_location;
using yoke::errc;

namespace {

constexpr const char* source = R"(
YOKE_KERNEL twice(YOKE_GLOBAL int* a, int n) { int i = (int)get_global_id(0); if (i < n) a[i] *= 2; })";

constexpr std::size_t page = 4096 / sizeof(int);

bool is_concurrent(const cuda_device& device) {
  return cu::get(device, cu::info::managed_memory) && cu::get(device, cu::info::concurrent_managed_access);
}

}  // namespace

YOKE_CUDA_TEST_CASE("managed memory is written by the host, doubled by a kernel, read by the host", "[cuda]") {
  cuda_rig on(device);
  {
    auto module = yoke::compile(on.context, source);
    const auto twice = module.get_kernel<void(int*, int)>("twice");
    cu::managed_allocation<int> memory{on.context, 3000};
    CHECK(memory.size() == 3000);
    CHECK(memory.size_bytes() == 12000);
    CHECK_FALSE(memory.empty());
    CHECK(memory.attached() == cu::attachment::global);
    const std::span<int> host = memory.host();
    CHECK(reinterpret_cast<std::uintptr_t>(host.data()) == memory.native_handle());
    std::iota(host.begin(), host.end(), 1);
    twice(on.stream, yoke::launch_over(3000), memory, 3000);
    const auto seen = memory.host();
    CHECK(seen[0] == 2);
    CHECK(seen[2999] == 6000);
    twice(on.stream, yoke::launch_over(10), memory.part(100, 10).span(), 10);
    const cu::managed_allocation<int>& constant = memory;
    static_assert(std::same_as<decltype(constant.host()), std::span<const int>>);
    static_assert(std::same_as<decltype(constant.span()), cu::device_span<const int>>);
    static_assert(std::same_as<decltype(constant.part(1)), cu::managed_span<const int>>);
    const auto after = constant.host();
    CHECK(after[99] == 200);
    CHECK(after[100] == 404);
    CHECK(after[110] == 222);
  }
  CHECK(on.driver.bad_releases().empty());
}

YOKE_CUDA_TEST_CASE("the host waits for one stream, or for all", "[cuda]") {
  cuda_rig on(device);
  cu::managed_allocation<int> memory{on.context, 100};
  yoke::fill(memory, 7, on.stream);
  std::size_t mark = on.driver.mark();
  CHECK(memory.host()[99] == 7);
  CHECK(on.driver.count("context_synchronize", mark) == 1);
  if (!is_concurrent(device)) return;
  yoke::fill(memory, 8, on.stream);
  mark = on.driver.mark();
  CHECK(memory.host(on.stream)[99] == 8);
  CHECK(on.driver.count("stream_synchronize", mark) == 1);
  CHECK(on.driver.count("context_synchronize", mark) == 0);
  cuda_refusal<yoke::logic_error>(errc::empty_handle, [&] { (void)memory.host(cu::stream{}); });
}

YOKE_CUDA_TEST_CASE("managed memory is a side of every copy and fill", "[cuda]") {
  cuda_rig on(device);
  cu::managed_allocation<int> memory{on.context, 1000}, other{on.context, 1000};
  std::vector<int> numbers(1000), back(1000);
  std::iota(numbers.begin(), numbers.end(), 1);
  yoke::copy(numbers, memory, on.stream);
  yoke::copy(memory, other, on.stream);
  cu::pagelocked_array<int> locked{on.context, 1000};
  yoke::copy_async(other, locked, on.stream).wait();
  CHECK(std::equal(locked.begin(), locked.end(), numbers.begin()));
  yoke::fill(other.part(10, 5), -1, on.stream);
  yoke::enqueue_copy(other, memory, on.stream);
  yoke::copy(std::as_const(memory), back, on.stream);
  CHECK(back[9] == 10);
  CHECK(back[10] == -1);
  CHECK(back[14] == -1);
  CHECK(back[15] == 16);
  yoke::copy(yoke::strided(memory, {.width = 2, .height = 3, .row_pitch = 10}), std::span(back).first(6), on.stream);
  CHECK(std::vector<int>(back.begin(), back.begin() + 6) == std::vector<int>{1, 2, -1, -1, 21, 22});
  // The host side of a copy, too: it is a range.
  cu::device_allocation<int> plain{on.context, 1000};
  yoke::copy(memory.host(), plain, on.stream);
  CHECK(yoke::to_host(plain, on.stream)[999] == 1000);
  CHECK_THROWS_AS(yoke::copy(numbers, memory.part(1), on.stream), yoke::logic_error);
  for (const bool rest : {false, true}) {  // the message has the caller's line
    CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::out_of_range,
                                               [&] { rest ? (void)memory.part(1001) : (void)memory.part(998, 5); }),
               ContainsSubstring("cuda_managed_memory_test.cpp"));
  }
}

YOKE_CUDA_TEST_CASE("managed memory is attached to all streams, the host, or one stream", "[cuda]") {
  cuda_rig on(device);
  {
    cu::managed_allocation<int> memory{on.context, 1000, cu::attachment::host};
    CHECK(memory.attached() == cu::attachment::host);
    std::ranges::fill(memory.host(on.stream), 3);  // safe on every device
    memory.attach(on.stream);
    CHECK(memory.attached() == cu::attachment::single);
    yoke::fill(memory.part(500), 4, on.stream);
    const auto host = memory.host(on.stream);
    CHECK(host[499] == 3);
    CHECK(host[500] == 4);
    memory.attach_global(on.stream);
    CHECK(memory.attached() == cu::attachment::global);
    memory.attach_host(on.stream);
    CHECK(on.driver.count("stream_attach_mem_async") == 3);
    // A stream to which memory is attached stays, or its end would attach the memory globally.
    {
      const cu::stream short_lived{on.context};
      memory.attach(short_lived);
    }
    CHECK(on.driver.count("stream_destroy") == 0);
    memory.attach_global(on.stream);
    CHECK(on.driver.count("stream_destroy") == 1);
    cuda_refusal<yoke::logic_error>(errc::empty_handle, [&] { memory.attach(cu::stream{}); });
    const auto single = [&] { cu::managed_allocation<int>(on.context, 4, cu::attachment::single); };
    CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::invalid_argument, single),
               ContainsSubstring("attach it to one stream afterwards"));
  }
  CHECK(on.driver.bad_releases().empty());
}

YOKE_CUDA_TEST_CASE("without concurrent managed access the host waits for all, or is refused", "[cuda]") {
  const poorer_driver driver(device, 89);
  const cu::context context{through_table(&driver.table, device)};
  const cu::stream stream{context}, other{context};
  cu::managed_allocation<int> memory{context, 100};
  const auto refused = [&](const cu::stream& after) {
    return cuda_refusal<yoke::unsupported_error>(errc::unsupported, [&] { (void)memory.host(after); });
  };
  CHECK_THAT(refused(stream), ContainsSubstring("no concurrent managed access") &&
                                  ContainsSubstring("the host would crash") && ContainsSubstring("attached globally") &&
                                  ContainsSubstring("attach_host(stream)"));
  CHECK(memory.host().size() == 100);
  memory.attach(stream);
  CHECK(memory.host(stream).size() == 100);
  CHECK(memory.part(10).host(stream).size() == 90);
  CHECK_THAT(refused(other), ContainsSubstring("attached to another stream"));
  memory.attach_host(stream);
  const auto part = memory.part(10);  // knows what happens to the memory behind it
  CHECK(part.host(other).size() == 90);
  CHECK(memory.host(other).size() == 100);
  memory.attach_global(stream);
  CHECK_THAT(refused(stream), ContainsSubstring("attached globally"));
  const auto by_part = [&] { (void)part.host(stream); };
  CHECK_THAT(cuda_refusal<yoke::unsupported_error>(errc::unsupported, by_part), ContainsSubstring("attached globally"));
  cu::managed_allocation<int> moved = std::move(memory);
  moved.attach(stream);
  CHECK(part.host(stream).size() == 90);
  std::optional<cu::managed_span<int>> left;  // a view may outlive a handle that does not own
  {
    auto borrowed = cu::managed_allocation<int>::borrow(context, moved.native_handle(), 100);
    left = borrowed.part(40);
    borrowed.attach_host(stream);
  }
  CHECK(left->host(stream).size() == 60);
}

namespace {
/// What `cuStreamAttachMemAsync` was asked for.
struct asked_attachment {
  cuda_abi::stream on = nullptr;
  cuda_abi::device_pointer memory = 0;
  std::size_t bytes = 1;
  unsigned flags = 0;
};
asked_attachment last_attachment;
}  // namespace

YOKE_CUDA_TEST_CASE("each attachment is the driver's, for all of the memory", "[cuda]") {
  cuda_abi::functions table = *device.port().table();
  static decltype(table.stream_attach_mem_async) plain;
  plain = table.stream_attach_mem_async;
  table.stream_attach_mem_async = [](cuda_abi::stream on, cuda_abi::device_pointer memory, std::size_t bytes,
                                     unsigned flags) {
    last_attachment = {on, memory, bytes, flags};
    return plain(on, memory, bytes, flags);
  };
  const cu::context context{through_table(&table, device)};
  const cu::stream stream{context}, other{context};
  cu::managed_allocation<int> memory{context, 100};
  const auto asked = [&](const cu::stream& on, unsigned flags) {
    const asked_attachment last = std::exchange(last_attachment, {});
    return last.on == on.native_handle() && last.memory == memory.native_handle() && last.bytes == 0 &&
           last.flags == flags;
  };
  memory.attach_host(stream);
  CHECK(asked(stream, 2));  // CU_MEM_ATTACH_HOST
  memory.attach(other);
  CHECK(asked(other, 4));  // CU_MEM_ATTACH_SINGLE
  memory.attach_global(stream);
  CHECK(asked(stream, 1));  // CU_MEM_ATTACH_GLOBAL
  other.synchronize();
  stream.synchronize();
}

YOKE_CUDA_TEST_CASE("a device without managed memory refuses it in words", "[cuda]") {
  cuda_abi::functions table = *device.port().table();
  table.mem_alloc_managed = [](cuda_abi::device_pointer*, std::size_t, unsigned) -> cuda_abi::status { return 801; };
  const cu::context context{through_table(&table, device)};
  CHECK_THAT(
      cuda_refusal<yoke::unsupported_error>(errc::unsupported, [&] { cu::managed_allocation<int>(context, 25); }),
      ContainsSubstring("managed allocation of 100 bytes") && ContainsSubstring("CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY"));
}

YOKE_CUDA_TEST_CASE("managed memory is prefetched whole and in parts", "[cuda]") {
  if (!is_concurrent(device)) YOKE_SKIP("the device lacks CONCURRENT_MANAGED_ACCESS");
  const int newest = GENERATE(0, 12000);  // either form of the call
  cuda_rig on(device, newest);
  cu::managed_allocation<int> memory{on.context, 4 * page};
  CHECK_FALSE(static_cast<bool>(memory.last_prefetch()));
  memory.prefetch(on.stream);
  CHECK(memory.last_prefetch() == memory_location(on.device));
  memory.prefetch(memory_location::host(), on.stream);
  CHECK(memory.last_prefetch() == memory_location::host());
  memory.part(0, page).prefetch(on.device, on.stream);
  CHECK_FALSE(static_cast<bool>(memory.last_prefetch()));
  CHECK(memory.part(0, page).last_prefetch() == memory_location(on.device));
  CHECK(memory.part(page).last_prefetch() == memory_location::host());
  CHECK(memory.part(page, 1).last_prefetch() == memory_location::host());
  std::ranges::fill(memory.host(on.stream), 1);
  yoke::fill(memory, 2, on.stream);
  CHECK(memory.host(on.stream)[4 * page - 1] == 2);
  const bool is_newer = newest == 0 && on.driver.table()->mem_prefetch_async_v2 != nullptr;
  CHECK(on.driver.count("mem_prefetch_async_v2") == (is_newer ? 3 : 0));
  CHECK(on.driver.count("mem_prefetch_async") == (is_newer ? 0 : 3));
  if (is_newer) {
    memory.prefetch(memory_location::host_numa(0), on.stream);
    CHECK(memory.last_prefetch() == memory_location::host_numa(0));
    memory.prefetch(memory_location::host_numa_current(), on.stream);
  } else {
    const auto numa = [&] { memory.prefetch(memory_location::host_numa(0), on.stream); };
    CHECK_THAT(cuda_refusal<yoke::unsupported_error>(errc::unsupported, numa),
               ContainsSubstring("knows no NUMA nodes in cuMemPrefetchAsync") && ContainsSubstring("NUMA node 0"));
  }
  const memory_location nowhere(cuda_abi::memory_location{cuda_abi::memory_location_type::device, 77});
  try {
    memory.prefetch(nowhere, on.stream);
    FAIL_CHECK("was not refused");
  } catch (const yoke::error& e) {
    CHECK_THAT(e.what(), ContainsSubstring("16384 bytes of managed memory") &&
                             ContainsSubstring("cannot be prefetched to device 77"));
  }
  cuda_refusal<yoke::logic_error>(errc::empty_handle, [&] { memory.prefetch(on.device, cu::stream{}); });
}

YOKE_CUDA_TEST_CASE("advice on managed memory is kept, and asked back for the whole or a part", "[cuda]") {
  if (!is_concurrent(device)) YOKE_SKIP("the device lacks CONCURRENT_MANAGED_ACCESS");
  const int newest = GENERATE(0, 12000);
  cuda_rig on(device, newest);
  cu::managed_allocation<int> memory{on.context, 4 * page};
  CHECK_FALSE(memory.is_read_mostly());
  CHECK_FALSE(static_cast<bool>(memory.preferred_location()));
  CHECK_FALSE(memory.is_accessed_by(on.device));
  memory.advise(cu::advice::read_mostly());
  CHECK(memory.is_read_mostly());
  memory.part(0, 1).advise(cu::advice::not_read_mostly());  // the whole page
  CHECK_FALSE(memory.is_read_mostly());
  CHECK_FALSE(memory.part(page - 1, 1).is_read_mostly());
  CHECK(memory.part(page).is_read_mostly());
  memory.advise(cu::advice::preferred_location(on.device));
  CHECK(memory.preferred_location() == memory_location(on.device));
  memory.part(page, page).advise(cu::advice::preferred_location(memory_location::host()));
  CHECK_FALSE(static_cast<bool>(memory.preferred_location()));
  CHECK(memory.part(page, page).preferred_location() == memory_location::host());
  memory.advise(cu::advice::no_preferred_location());
  CHECK_FALSE(static_cast<bool>(memory.part(page, page).preferred_location()));
  memory.advise(cu::advice::accessed_by(memory_location::host()));
  memory.advise(cu::advice::accessed_by(on.device));
  CHECK(memory.is_accessed_by(on.device));
  CHECK(memory.is_accessed_by(memory_location::host()));
  CHECK_FALSE(memory.is_accessed_by(memory_location::host_numa(0)));
  memory.part(2 * page).advise(cu::advice::not_accessed_by(on.device));
  CHECK_FALSE(memory.is_accessed_by(on.device));
  CHECK(memory.part(0, 2 * page).is_accessed_by(on.device));
  CHECK(memory.is_accessed_by(memory_location::host()));
  memory.advise(cu::advice::not_accessed_by(memory_location::host()));
  CHECK_FALSE(memory.part(0, 1).is_accessed_by(memory_location::host()));
  const bool is_newer = newest == 0 && on.driver.table()->mem_advise_v2 != nullptr;
  CHECK(on.driver.count("mem_advise_v2") == (is_newer ? 9 : 0));
  CHECK(on.driver.count("mem_advise") == (is_newer ? 0 : 9));
  const memory_location nowhere(cuda_abi::memory_location{cuda_abi::memory_location_type::device, 77});
  try {
    memory.advise(cu::advice::preferred_location(nowhere));
    FAIL_CHECK("was not refused");
  } catch (const yoke::error& e) {
    CHECK_THAT(e.what(), ContainsSubstring("cannot be advised to prefer device 77"));
  }
}

YOKE_CUDA_TEST_CASE("a pointer to managed memory is told as one", "[cuda]") {
  cuda_rig on(device);
  const cu::managed_allocation<int> memory{on.context, 1000};
  const auto facts = cu::describe_pointer(device.port(), memory.native_handle() + 40);
  REQUIRE(facts.has_value());
  CHECK(facts->kind == cu::memory_kind::managed);
  CHECK(facts->context == on.context.native_handle());
  CHECK(facts->base == memory.native_handle());
  CHECK(facts->device_address == memory.native_handle() + 40);
  CHECK(facts->host_address == reinterpret_cast<void*>(memory.native_handle() + 40));
  CHECK(facts->bytes >= 4000);
}

YOKE_CUDA_TEST_CASE("managed memory changes hands", "[cuda]") {
  cuda_rig on(device);
  {
    using managed = cu::managed_allocation<int>;
    managed made{on.context, 1000};
    yoke::fill(made, 6, on.stream);
    managed moved = std::move(made);
    CHECK_FALSE(static_cast<bool>(made));  // NOLINT: that is what is asked
    CHECK(made.empty());                   // NOLINT
    CHECK(moved.size() == 1000);
    const cuda_abi::device_pointer native = moved.release();
    CHECK_FALSE(static_cast<bool>(moved));
    {
      managed borrowed = managed::borrow(on.context, native + 40, 990);
      CHECK(borrowed.host()[989] == 6);
    }
    CHECK(on.driver.count("mem_free") == 0);
    const auto refused = [&](errc condition, auto act) { return cuda_refusal<yoke::logic_error>(condition, act); };
    CHECK_THAT(refused(errc::size_mismatch, [&] { (void)managed::adopt(on.context, native, 1 << 30); }),
               ContainsSubstring("cannot hold 1073741824 elements of 4 bytes"));
    CHECK_THAT(refused(errc::invalid_argument, [&] { (void)managed::adopt(on.context, native + 4, 10); }),
               ContainsSubstring("lies 4 bytes inside a block"));
    CHECK_THAT(refused(errc::misaligned, [&] { (void)managed::borrow(on.context, native + 2, 10); }),
               ContainsSubstring("is no multiple of 4 bytes"));
    CHECK_THAT(refused(errc::invalid_argument, [&] { (void)managed::adopt(on.context, 0, 10); }),
               ContainsSubstring("is null"));
    const cu::device_allocation<int> plain{on.context, 10};
    const cu::pagelocked_array<int> locked{on.context, 10};
    for (const auto address : {plain.native_handle(), reinterpret_cast<cuda_abi::device_pointer>(locked.data()),
                               reinterpret_cast<cuda_abi::device_pointer>(&on)}) {
      CHECK_THAT(refused(errc::invalid_argument, [&] { (void)managed::borrow(on.context, address, 1); }),
                 ContainsSubstring("is no managed memory"));
    }
    CHECK(on.driver.count("mem_free") == 0);
    managed adopted = managed::adopt(on.context, native, 1000);
    managed second{on.context, 5};
    swap(adopted, second);
    CHECK(second.size() == 1000);
    adopted = std::move(second);
    CHECK(on.driver.count("mem_free") == 1);
    adopted.reset();
    CHECK(on.driver.count("mem_free") == 2);
    for (const auto& act : std::vector<std::function<void()>>{
             [&] { (void)adopted.host(); }, [&] { adopted.prefetch(on.stream); },
             [&] { adopted.advise(cu::advice::read_mostly()); }, [&] { (void)adopted.is_read_mostly(); },
             [&] { (void)adopted.last_prefetch(); }, [&] { adopted.attach_host(on.stream); },
             [&] { yoke::fill(adopted, 1, on.stream); }}) {
      CHECK_THROWS_AS(act(), yoke::logic_error);
    }
  }
  CHECK(on.driver.bad_releases().empty());
}

YOKE_CUDA_TEST_CASE("no elements of managed memory cost no driver call", "[cuda]") {
  cuda_rig on(device);
  const std::size_t mark = on.driver.mark();
  cu::managed_allocation<int> nothing{on.context, 0};
  CHECK(nothing.empty());
  CHECK(nothing.host().empty());
  nothing.prefetch(memory_location::host(), on.stream);
  nothing.advise(cu::advice::read_mostly());
  CHECK_FALSE(static_cast<bool>(nothing.preferred_location()));
  CHECK_FALSE(nothing.is_accessed_by(memory_location::host()));
  nothing.attach_global(on.stream);
  CHECK(nothing.part(0).empty());
  CHECK(on.driver.calls(mark).empty());
  CHECK_THROWS_AS((cu::managed_allocation<int>{on.context, -1}), yoke::logic_error);
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::out_of_range, [&] { (void)nothing.part(1, 2); }),
             ContainsSubstring("elements 1 to 1 + 2 are outside the 0 there are"));
}

YOKE_CUDA_TEST_CASE("a managed variable is one for the host, too", "[cuda]") {
  if (!is_concurrent(device)) YOKE_SKIP("the device lacks CONCURRENT_MANAGED_ACCESS");
  cuda_rig on(device);
  const auto module = cu::compile(on.context, R"(
    __managed__ int counts[4] = {10, 20, 30, 40};
    __device__ int apart[4];
    extern "C" __global__ void count() { counts[threadIdx.x] += 3; })");
  const auto found = cu::get_global<int>(module, "counts");
  CHECK(cu::describe_pointer(device.port(), found)->kind == cu::memory_kind::managed);
  const auto counts = cu::as_managed(on.context, found);
  static_assert(std::same_as<decltype(counts), const cu::managed_span<int>>);
  CHECK(counts.size() == 4);
  CHECK(counts.host(on.stream)[3] == 40);
  counts.host(on.stream)[0] = 100;
  module.get_kernel<void()>("count")(on.stream, {.grid = 1, .block = 4});
  CHECK(std::ranges::equal(counts.host(on.stream), std::vector{103, 23, 33, 43}));
  counts.prefetch(on.stream);
  counts.advise(cu::advice::accessed_by(memory_location::host()));
  CHECK(counts.is_accessed_by(memory_location::host()));
  yoke::fill(counts, 1, on.stream);
  CHECK(counts.host(on.stream)[2] == 1);
  const auto plain = [&] { (void)cu::as_managed(on.context, cu::get_global<int>(module, "apart")); };
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::invalid_argument, plain), ContainsSubstring("is no managed memory"));
}

YOKE_CUDA_TEST_CASE("managed memory of one device is used on another, and prefetched to it", "[cuda]") {
  if (!is_concurrent(device)) YOKE_SKIP("the device lacks CONCURRENT_MANAGED_ACCESS");
  const auto all = cu::devices(device.port());
  if (all.size() < 2 || !is_concurrent(all[0]) || !is_concurrent(all[1])) YOKE_SKIP("there is one CUDA device");
  const cu::context first{all[0]}, second{all[1]};
  const cu::stream here{first}, there{second};
  cu::managed_allocation<int> memory{first, 100};
  yoke::fill(memory, 1, here);
  here.synchronize();
  cuda_refusal<yoke::logic_error>(errc::wrong_context, [&] { yoke::fill(memory, 2, there); });
  yoke::fill(memory.span_in(second).subspan(50, 50), 2, there);
  CHECK(memory.host(there)[49] == 1);
  CHECK(memory.host(there)[50] == 2);
  memory.prefetch(all[1], there);
  CHECK(memory.last_prefetch() == memory_location(all[1]));
  memory.advise(cu::advice::accessed_by(all[1]));
  CHECK(memory.is_accessed_by(all[1]));
  CHECK_FALSE(memory.is_accessed_by(all[0]));
  there.synchronize();
}

// SPDX-License-Identifier: MIT
// Shared virtual memory: parts mapped behind events, frees with events, system memory, buffers over it, what kernels reach.
#include <opencl/memory/svm_fixture.hpp>
#include <support/devices/background.hpp>
#include <support/rig.hpp>

#include <numeric>
#include <vector>

using namespace yoke_test;
namespace ocl = yoke::opencl;
using coarse = ocl::svm_allocation<int, ocl::svm::coarse>;
using fine = ocl::svm_allocation<int, ocl::svm::fine>;

namespace {

constexpr const char* source =
    "__kernel void twice(__global int* a) { a[get_global_id(0)] *= 2; }"
    "typedef struct node { __global struct node* next; int value; int pad; } node;"
    "__kernel void sum(__global const node* first, __global int* out) {"
    "  int total = 0;"
    "  for (__global const node* n = first; n != 0; n = n->next) total += n->value;"
    "  *out = total; }";

struct node {
  node* next;
  int value;
  int pad;
};

struct fixture : svm_fixture {
  ocl::stream other;
  explicit fixture(const opencl_device& device) : svm_fixture(device), other(context) {}
};

}  // namespace

YOKE_OPENCL_TEST_CASE("a part of shared memory is mapped, at once or behind events", "[opencl]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  YOKE_TEST_NEEDS_SVM(coarse)
  fixture in(device);
  const void* mapped_at = nullptr;
  std::size_t mapped_bytes = 0;
  in.driver.replace<&abi::functions::enqueue_svm_map>([&](abi::queue queue, abi::boolean blocks, abi::ulong flags,
                                                          void* at, std::size_t bytes, abi::uint events,
                                                          const abi::event* list, abi::event* done) {
    mapped_at = at;
    mapped_bytes = bytes;
    return in.driver.real().enqueue_svm_map(queue, blocks, flags, at, bytes, events, list, done);
  });
  coarse memory{in.context, 8, in.stream};
  yoke::fill(memory, 5, in.stream);
  {
    auto view = memory.map(in.stream, ocl::map_read_write, 2, 3);
    CHECK(mapped_at == memory.native_handle() + 2);
    CHECK(mapped_bytes == 3 * sizeof(int));
    CHECK(view.size() == 3);
    CHECK(view.data() == memory.native_handle() + 2);
    view[0] = 7;
  }
  ocl::user_event gate{in.context};
  auto pending = memory.map_async(in.stream, ocl::map_read, 2, 2, {.after = gate.as_event()});
  CHECK_FALSE(pending.is_done());
  CHECK_FALSE(pending.done().is_done());
  CHECK_THROWS_AS(yoke::fill(memory, 1, in.other), yoke::logic_error);
  gate.complete();
  auto view = pending.get();
  CHECK(view[0] == 7);
  CHECK(view[1] == 5);
  const ocl::event done = view.unmap();
  done.wait();
  auto whole = memory.map_async(in.stream, ocl::map_read_write).get();
  whole[7] = 9;
  in.stream.wait(whole.unmap(in.other, {.after = done}));
  CHECK(yoke::to_host(memory, in.stream) == std::vector{5, 5, 7, 5, 5, 5, 5, 9});
  CHECK_THROWS_AS(memory.map(in.stream, ocl::map_read, 6, 3), yoke::logic_error);
  CHECK(coarse(in.context, 0).map_async(in.stream, ocl::map_read).get().empty());
  CHECK(in.driver.count("enqueue_svm_map") == 3);
  CHECK(in.driver.count("enqueue_svm_unmap") == 3);
  CHECK(in.driver.bad_releases().empty());
}

YOKE_OPENCL_TEST_CASE("shared memory has the alignment and the access that it was made with", "[opencl]") {
  YOKE_TEST_NEEDS_SVM(coarse)
  fixture in(device);
  abi::ulong flags = 0;
  abi::uint alignment = 0;
  in.driver.replace<&abi::functions::svm_alloc>(
      [&](abi::context context, abi::ulong with, std::size_t bytes, abi::uint at) {
        flags = with;
        alignment = at;
        return in.driver.real().svm_alloc(context, with, bytes, at);
      });
  const coarse aligned{in.context, 4, {.alignment = 64, .kernels = ocl::kernel_access::read_only}};
  CHECK(alignment == 64);
  CHECK(flags == abi::mem_read_only);
  CHECK(reinterpret_cast<std::uintptr_t>(aligned.native_handle()) % 64 == 0);
  const coarse plain{in.context, 4, in.stream, {.kernels = ocl::kernel_access::write_only}};
  CHECK(alignment == alignof(int));
  CHECK(flags == abi::mem_write_only);
  CHECK_THROWS_WITH((coarse{in.context, 4, {.alignment = 48}}), ContainsSubstring("48 bytes is no power of two"));
  CHECK_THROWS_WITH((coarse{in.context, 4, {.alignment = 3}}), ContainsSubstring("3 bytes is no power of two"));
  alignment = 0;
  CHECK_THROWS_WITH((coarse{in.context, 4, {.alignment = std::size_t{1} << 32}}),
                    ContainsSubstring("4294967296 bytes exceeds the 2147483648"));
  CHECK(alignment == 0);  // the driver was not asked
}

YOKE_OPENCL_TEST_CASE("an alignment of shared memory that the device does not give is told from missing memory",
                      "[opencl]") {
  YOKE_TEST_NEEDS_SVM(coarse)
  fixture in(device);
  const std::size_t promised = device.limits().base_alignment_bytes;
  in.driver.replace<&abi::functions::svm_alloc>(
      [](abi::context, abi::ulong, std::size_t, abi::uint) { return static_cast<void*>(nullptr); });
  CHECK_THROWS_AS((coarse{in.context, 4, {.alignment = 2 * promised}}), yoke::logic_error);
  CHECK_THROWS_WITH((coarse{in.context, 4, in.stream, {.alignment = 2 * promised}}),
                    ContainsSubstring("an alignment of " + std::to_string(2 * promised) + " bytes") &&
                        ContainsSubstring("promises up to " + std::to_string(promised)));
  CHECK_THROWS_AS((coarse{in.context, 4, {.alignment = promised}}), yoke::memory_error);
}

YOKE_OPENCL_TEST_CASE("spans of shared memory are arguments, and sides of copies and fills", "[opencl]") {
  YOKE_TEST_NEEDS_SVM(coarse)
  const ocl::context context{device};
  const ocl::stream stream{context};
  coarse memory{context, 8, stream};
  yoke::fill(memory, 1, stream);
  yoke::fill(memory.subspan(4, 4), 3, stream);
  yoke::compile(context, source).get_kernel<void(int*)>("twice")(stream, {.grid = 1, .block = 2}, memory.subspan(2, 2));
  std::vector<int> host(4);
  yoke::copy(memory.subspan(2, 4), host, stream);
  CHECK(host == std::vector{2, 2, 3, 3});
  ocl::device_allocation<int> buffer{context, 2};
  yoke::copy(memory.subspan(2, 2), buffer, stream);
  CHECK(yoke::to_host(buffer, stream) == std::vector{2, 2});
  const coarse& constant = memory;
  static_assert(std::same_as<decltype(constant.span()), ocl::svm_span<const int>>);
  CHECK(yoke::to_host(constant.subspan(7, 1), stream) == std::vector{3});
  CHECK_THROWS_AS(memory.subspan(7, 2), yoke::logic_error);
  const auto view = memory.map(stream, ocl::map_read);
  CHECK_THROWS_AS(yoke::fill(memory.subspan(0, 1), 1, stream), yoke::logic_error);
}

YOKE_OPENCL_TEST_CASE("shared memory is freed behind events, and tells when", "[opencl]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  YOKE_TEST_NEEDS_SVM(coarse)
  fixture in(device);
  coarse memory{in.context, 8, in.stream};
  memory.record_use(in.other);
  ocl::user_event gate{in.context};
  {
    const auto view = memory.map(in.stream, ocl::map_read);
    CHECK_THROWS_WITH(memory.free_async(in.stream), ContainsSubstring("still uses this shared virtual memory"));
  }
  const std::size_t mark = in.driver.mark();
  const ocl::event done = memory.free_async(in.stream, {.after = gate.as_event()});
  CHECK(in.driver.count("enqueue_svm_free", mark) == 1);
  CHECK(in.driver.count("enqueue_marker", mark) == 1);  // for the other stream
  CHECK_FALSE(memory);
  CHECK_FALSE(done.is_done());
  gate.complete();
  done.wait();
  CHECK_THROWS_AS(memory.free_async(in.stream), yoke::logic_error);
  coarse nothing{in.context, 0, in.stream};
  nothing.free_async(in.stream).wait();
  CHECK(in.driver.count("enqueue_svm_free") == 1);
  coarse owned{in.context, 4};
  coarse borrowed = coarse::borrow(in.context, owned.native_handle(), 4);
  CHECK_THROWS_WITH(borrowed.free_async(in.stream), ContainsSubstring("borrowed"));
  owned.free_async(in.other).wait();  // also of memory that is bound to no stream
  in.driver.fail_function("enqueue_svm_free", 1, fault_mode::once, -5);
  coarse kept{in.context, 4, in.stream};
  CHECK_THROWS_AS(kept.free_async(in.stream), yoke::error);
  CHECK(kept.size() == 4);
}

YOKE_OPENCL_TEST_CASE("memory of a pool goes back behind events, and changes its stream", "[opencl]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  YOKE_TEST_NEEDS_SVM(coarse)
  fixture in(device);
  {
    const ocl::stream third{in.context};
    const yoke::memory_pool pool{in.context, ocl::svm::coarse{}};
    const auto take = [&](const ocl::stream& order) { return coarse{pool, 4, order}; };
    coarse memory = take(in.stream);
    int* const address = memory.native_handle();
    std::size_t mark = in.driver.mark();
    memory.free_async(in.stream).wait();
    CHECK_FALSE(memory);
    CHECK(in.driver.count("enqueue_marker", mark) == 1);  // the point that the caller asked for, and no more
    CHECK(in.driver.count("enqueue_svm_free", mark) == 0);
    CHECK(pool.statistics().held_blocks == 1);

    // In another stream, behind an event and behind the stream before.
    memory = take(in.stream);
    CHECK(memory.native_handle() == address);
    ocl::user_event gate{in.context};
    const ocl::event freed = memory.free_async(in.other, {.after = gate.as_event()});
    CHECK_FALSE(freed.is_done());
    CHECK(pool.statistics().active_blocks == 0);
    mark = in.driver.mark();
    memory = take(in.stream);  // the same block, behind that point
    CHECK(memory.native_handle() == address);
    CHECK(in.driver.count("enqueue_barrier", mark) == 1);
    yoke::fill(memory, 7, in.stream);
    const ocl::event filled = in.stream.record();
    in.stream.flush();
    CHECK_FALSE(filled.is_done());
    gate.complete();
    CHECK(yoke::to_host(memory, in.stream) == std::vector<int>(4, 7));
    CHECK(freed.is_done());

    // A stream that memory is bound to waits for the one before; the next owner waits for both.
    mark = in.driver.mark();
    memory.bind(in.stream);
    CHECK(in.driver.count_all(mark) == 0);
    memory.bind(third);
    CHECK(in.driver.count("enqueue_marker", mark) == 1);
    CHECK(in.driver.count("enqueue_barrier", mark) == 1);
    memory.reset();
    mark = in.driver.mark();
    memory = take(in.stream);
    CHECK(in.driver.count("enqueue_barrier", mark) == 1);
    CHECK_THROWS_WITH(memory.unbind(), ContainsSubstring("always freed in a stream's order"));

    // What uses it keeps it.
    {
      const auto view = memory.map(in.stream, ocl::map_read);
      CHECK_THROWS_WITH(memory.free_async(in.stream), ContainsSubstring("still uses this shared virtual memory"));
    }
    in.driver.fail_function("enqueue_marker", 1, fault_mode::once, -5);
    CHECK_THROWS_AS(memory.free_async(in.other), yoke::error);
    CHECK(memory.size() == 4);
    CHECK(pool.statistics().active_blocks == 1);
    // Spans of an owner that has gone do not speak of the next one.
    const auto span = memory.span();
    memory.reset();
    memory = take(in.stream);
    const auto view = memory.map(in.stream, ocl::map_read);
    CHECK(memory.span().maps().mapped());
    CHECK_FALSE(span.maps().mapped());
    coarse none = coarse{pool, 0, in.stream};
    none.free_async(in.stream).wait();
  }
  CHECK(in.driver.live().size() == 3);
  CHECK(in.driver.bad_releases().empty());
}

YOKE_OPENCL_TEST_CASE("a pool of shared memory notices that there is none left", "[opencl]") {
  YOKE_TEST_NEEDS_SVM(coarse)
  fixture in(device);
  const yoke::memory_pool pool{in.context, ocl::svm::coarse{}};
  for (const int count : {10, 1000, 100}) coarse(pool, count, in.stream).reset();
  CHECK(pool.statistics().held_blocks == 3);
  const std::size_t mark = in.driver.mark();
  in.driver.fail_function("svm_alloc", 1, fault_mode::once, -4);
  const coarse made{pool, 5000, in.stream};  // the largest idle block goes, and then there is memory
  CHECK(made.native_handle() != nullptr);
  CHECK(in.driver.count("svm_alloc", mark) == 2);
  CHECK(pool.statistics().held_blocks == 2);
  in.driver.fail_function("svm_alloc", 1, fault_mode::for_ever, -4);
  CHECK_THROWS_AS((coarse{pool, 9000, in.stream}), yoke::memory_error);
  CHECK_THROWS_WITH((coarse{pool, 9000, in.stream}), ContainsSubstring("pool allocation of 36000 bytes") &&
                                                         ContainsSubstring("1 blocks in use, and has 0 idle"));
  in.driver.disarm();
  CHECK(pool.statistics().active_blocks == 1);
  CHECK(pool.statistics().active_bytes == 20000);
}

YOKE_OPENCL_TEST_CASE("shared memory changes the stream that frees it", "[opencl]") {
  YOKE_TEST_NEEDS_SVM(coarse)
  fixture in(device);
  abi::queue freed_in = nullptr;
  in.driver.replace<&abi::functions::enqueue_svm_free>([&](abi::queue queue, abi::uint count, void** pointers,
                                                           abi::svm_free_callback call, void* with, abi::uint events,
                                                           const abi::event* list, abi::event* done) {
    freed_in = queue;
    return in.driver.real().enqueue_svm_free(queue, count, pointers, call, with, events, list, done);
  });
  std::size_t mark = in.driver.mark();
  {
    coarse memory{in.context, 8, in.stream};
    memory.bind(in.stream);
    CHECK(in.driver.count("enqueue_marker", mark) == 0);
    memory.bind(in.other);
    CHECK(in.driver.count("enqueue_marker", mark) == 1);
    CHECK(in.driver.count("enqueue_barrier", mark) == 1);
  }
  CHECK(freed_in == in.other.native_handle());
  mark = in.driver.mark();
  {
    coarse memory{in.context, 8};
    memory.bind(in.stream);
    CHECK(in.driver.count("enqueue_marker", mark) == 0);
    memory.unbind();
    CHECK(in.driver.count("finish", mark) == 0);  // it never waits
    yoke::fill(memory, 1, in.other);
  }
  CHECK(freed_in == in.other.native_handle());  // behind the stream that it was bound to
  CHECK(in.driver.count("enqueue_marker", mark) == 1);
  CHECK(in.driver.count("enqueue_barrier", mark) == 1);
  CHECK(in.driver.count("svm_free", mark) == 0);
  CHECK_THROWS_AS(coarse{}.bind(in.stream), yoke::logic_error);
  CHECK_THROWS_AS(coarse{}.unbind(), yoke::logic_error);
}

YOKE_OPENCL_TEST_CASE("shared memory is migrated", "[opencl]") {
  YOKE_TEST_NEEDS_SVM(coarse)
  fixture in(device);
  coarse memory{in.context, 8, in.stream};
  coarse more{in.context, 8, in.stream};
  yoke::fill(memory, 5, in.stream);
  abi::ulong flags = 99;
  std::vector<std::size_t> sizes;
  in.driver.replace<&abi::functions::enqueue_svm_migrate>(
      [&](abi::queue queue, abi::uint count, const void** pointers, const std::size_t* bytes, abi::ulong given,
          abi::uint events, const abi::event* list, abi::event* done) {
        flags = given;
        sizes.assign(bytes, bytes + count);
        return in.driver.real().enqueue_svm_migrate(queue, count, pointers, bytes, given, events, list, done);
      });
  const ocl::event there = ocl::migrate({memory.subspan(0, 4), more}, in.stream, {.to_host = true});
  there.wait();
  CHECK(flags == abi::migrate_to_host);
  CHECK(sizes == std::vector<std::size_t>{16, 32});
  ocl::migrate({memory}, in.stream, {.after = there}).wait();
  CHECK(yoke::to_host(memory, in.stream) == std::vector<int>(8, 5));
  CHECK_THROWS_WITH(ocl::migrate({coarse{}}, in.stream), ContainsSubstring("1 of the list is empty"));
  CHECK_THROWS_WITH(ocl::migrate({more, memory.subspan(4, 0)}, in.stream),
                    ContainsSubstring("2 of the list is empty"));  // not all of the memory
  in.driver.replace<&abi::functions::get_platform_info>(
      [&](abi::platform of, abi::uint what, std::size_t bytes, void* out, std::size_t* size) {
        const std::string_view old = "OpenCL 2.0 old";
        if (what != abi::platform_version) return in.driver.real().get_platform_info(of, what, bytes, out, size);
        if (size != nullptr) *size = old.size();
        if (out != nullptr) std::copy(old.begin(), old.end(), static_cast<char*>(out));
        return abi::status{0};
      });
  CHECK_THROWS_AS(ocl::migrate({memory}, in.stream), yoke::unsupported_error);
}

YOKE_OPENCL_TEST_CASE("shared memory as a buffer is the same memory, and lives as long as that", "[opencl]") {
  YOKE_TEST_NEEDS_SVM(coarse)
  fixture in(device);
  {
    coarse memory{in.context, 8, in.stream};
    yoke::fill(memory, 3, in.stream);
    auto buffer = ocl::as_buffer(memory, in.stream);
    static_assert(std::same_as<decltype(buffer), ocl::device_allocation<int>>);
    CHECK(ocl::description_of(buffer).host_pointer == memory.native_handle());
    CHECK(ocl::description_of(buffer).uses_svm);
    yoke::compile(in.context, source).get_kernel<void(int*)>("twice")(in.stream, {.grid = 1, .block = 8}, buffer);
    { const auto seen = ocl::map(buffer, in.stream, ocl::map_read); }
    CHECK(yoke::to_host(memory, in.stream) == std::vector<int>(8, 6));
    const std::size_t mark = in.driver.mark();
    memory.reset();
    CHECK(in.driver.count("enqueue_svm_free", mark) == 0);
    CHECK(yoke::to_host(buffer, in.stream) == std::vector<int>(8, 6));
    buffer.reset();
    CHECK(in.driver.count("enqueue_svm_free", mark) == 1);
    coarse nothing{in.context, 0};
    CHECK(ocl::as_buffer(nothing, in.stream).empty());
  }
  CHECK(in.driver.bad_releases().empty());
}

YOKE_OPENCL_TEST_CASE("a kernel reaches shared memory through pointers in memory", "[opencl]") {
  YOKE_TEST_NEEDS_SVM(fine)
  fixture in(device);
  ocl::svm_allocation<node, ocl::svm::fine> first{in.context, 1};
  ocl::svm_allocation<node, ocl::svm::fine> others{in.context, 2};
  others[1] = {nullptr, 30, 0};
  others[0] = {&others[1], 20, 0};
  first[0] = {&others[0], 10, 0};
  std::vector<std::vector<const void*>> told;
  in.driver.replace<&abi::functions::set_kernel_exec_info>(
      [&](abi::kernel kernel, abi::uint what, std::size_t bytes, const void* values) {
        CHECK(what == abi::kernel_exec_info_svm_ptrs);
        const auto* const begin = static_cast<const void* const*>(values);
        told.emplace_back(begin, begin + bytes / sizeof(void*));
        return in.driver.real().set_kernel_exec_info(kernel, what, bytes, values);
      });
  auto sum = yoke::compile(in.context, source).get_kernel<void(const node*, int*)>("sum");
  ocl::device_allocation<int> out{in.context, 1};
  ocl::reach(sum, {others});
  CHECK(told == std::vector<std::vector<const void*>>{{others.native_handle()}});  // the kernel itself
  sum(in.stream, {.grid = 1, .block = 1}, first, out);
  CHECK(yoke::to_host(out, in.stream) == std::vector{60});
  CHECK(told.size() == 2);  // the clone that was launched
  told.clear();
  ocl::reach(sum, {others, first});
  CHECK(told.size() == 2);  // both of them
  CHECK(told[1] == std::vector<const void*>{others.native_handle(), first.native_handle()});
  sum(in.stream, {.grid = 1, .block = 1}, first, out);
  CHECK(told.size() == 2);
  in.stream.synchronize();  // what it reaches is freed at once: no launch has named it
  CHECK_THROWS_WITH(ocl::reach(sum, {others, coarse{}}), ContainsSubstring("2 of the list is empty"));
  CHECK_THROWS_WITH(ocl::reach(sum, {others.subspan(2, 0)}), ContainsSubstring("1 of the list is empty"));
  in.driver.fail_function("set_kernel_exec_info", 1, fault_mode::once, -5);
  CHECK_THROWS_AS(ocl::reach(sum, {others}), yoke::error);
}

YOKE_OPENCL_TEST_CASE("the host's own memory is shared where the device reaches it, and refused elsewhere",
                      "[opencl]") {
  opencl_interposer driver(raw_opencl());
  bool reaches = false;
  driver.replace<&abi::functions::get_device_info>(
      [&](abi::device of, abi::uint what, std::size_t bytes, void* out, std::size_t* size) {
        const abi::status status = driver.real().get_device_info(of, what, bytes, out, size);
        if (what == ocl::info::svm_capabilities.code && status == 0 && out != nullptr) {
          auto& bits = *static_cast<abi::ulong*>(out);
          bits = reaches ? bits | 4u : bits & ~abi::ulong{4};
        }
        return status;
      });
  const ocl::context context{through(driver, device)};
  const ocl::stream stream{context};
  std::vector<int> host{1, 2, 3, 4};
  CHECK_THROWS_AS(ocl::system_svm(context, host), yoke::unsupported_error);
  CHECK_THROWS_WITH(ocl::system_svm(context, host),
                    ContainsSubstring("has no fine-grained system shared virtual memory"));
  if (ocl::port{}.svm(device.native_handle(), {}).fine) {  // PoCL's addresses are the host's, whatever it says
    reaches = true;
    const auto shared = ocl::system_svm(context, host);
    static_assert(std::same_as<decltype(shared), const ocl::svm_span<int>>);
    yoke::compile(context, source).get_kernel<void(int*)>("twice")(stream, {.grid = 1, .block = 4}, shared);
    stream.synchronize();
    CHECK(host == std::vector{2, 4, 6, 8});
    CHECK(ocl::system_svm(context, std::as_const(host)).native_handle() == host.data());
  }
}

YOKE_OPENCL_TEST_CASE("an allocator of shared memory gives its options to allocations and pools", "[opencl]") {
  YOKE_TEST_NEEDS_SVM(coarse)
  svm_fixture on(device);
  using floats = ocl::svm_allocation<float, ocl::svm::coarse>;
  std::vector<std::pair<abi::ulong, abi::uint>> asked;
  on.driver.replace<&abi::functions::svm_alloc>(
      [&](abi::context context, abi::ulong with, std::size_t bytes, abi::uint at) {
        asked.emplace_back(with, at);
        return on.driver.real().svm_alloc(context, with, bytes, 64);
      });
  const ocl::svm_allocator allocator{
      on.context, ocl::svm::coarse{}, {.alignment = 4096, .kernels = ocl::kernel_access::read_only}};
  CHECK(allocator.context_of() == on.context);
  CHECK(allocator.options().alignment == 4096);
  const std::pair<abi::ulong, abi::uint> wanted{abi::mem_read_only, 4096};
  const auto frees = [&] { return on.driver.count("enqueue_svm_free") + on.driver.count("svm_free"); };
  {
    const floats ordered{allocator, 100, on.stream};
    const floats loose{allocator, 10};
    CHECK(ordered.size() == 100);
    CHECK(floats{allocator, 0, on.stream}.empty());
    CHECK(asked == std::vector{wanted, wanted});
  }
  CHECK(frees() == 2);  // it keeps no memory
  const yoke::memory_pool pool{allocator, {.leading_bits = 0}};
  for (int i = 0; i < 3; ++i) (void)floats{pool, 100, on.stream};
  CHECK(asked == std::vector{wanted, wanted, wanted});
  CHECK(frees() == 2);
  CHECK(pool.statistics().held_blocks == 1);
  CHECK(pool.options().leading_bits == 0);
  const yoke::memory_pool plain{on.context, ocl::svm::coarse{}};
  (void)floats{plain, 100, on.stream};
  CHECK(asked.back() == std::pair<abi::ulong, abi::uint>{abi::mem_read_write, 128});
  for (const std::size_t bad : {std::size_t{48}, std::size_t{1} << 32}) {
    INFO(bad);
    CHECK_THAT(refusal<yoke::logic_error>(
                   yoke::errc::misaligned,
                   [&] { (void)ocl::svm_allocator(on.context, ocl::svm::coarse{}, {.alignment = bad}); }),
               ContainsSubstring("an alignment of " + std::to_string(bad)));
  }
  refusal<yoke::logic_error>(yoke::errc::empty_handle,
                             [&] { (void)ocl::svm_allocator(ocl::context::none(), ocl::svm::coarse{}); });
}

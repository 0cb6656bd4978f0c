// SPDX-License-Identifier: MIT
// Shared virtual memory: grains, maps, bounds, and the order in which it is freed.
#include <opencl/memory/svm_fixture.hpp>

#include <numeric>

using namespace yoke_test;
namespace ocl = yoke::opencl;
using fixture = svm_fixture;
using names = std::vector<std::string>;
using coarse = ocl::svm_allocation<int, ocl::svm::coarse>;
using fine = ocl::svm_allocation<int, ocl::svm::fine>;

static_assert(!std::is_copy_constructible_v<coarse> && std::is_nothrow_move_constructible_v<coarse>);
static_assert(std::ranges::contiguous_range<fine> && !std::ranges::range<coarse>);  // coarse memory must be mapped
static_assert(fine::is_fine && !coarse::is_fine);

namespace {

constexpr const char* source = "__kernel void twice(__global int* a) { a[get_global_id(0)] *= 2; }";

/// Whether the calls stand in the log in this order, others between them.
bool in_order(const names& calls, const names& wanted) {
  auto at = calls.begin();
  for (const std::string& each : wanted) {
    at = std::find(at, calls.end(), each);
    if (at == calls.end()) return false;
    ++at;
  }
  return true;
}

}  // namespace

// Without it a library that takes no device to have any shared memory would pass: every case below is skipped then.
YOKE_OPENCL_TEST_CASE("the grains of shared memory are the driver's bits", "[opencl]") {
  abi::ulong bits = 0;
  const abi::status known = raw_opencl().get_device_info(device.native_handle(), ocl::info::svm_capabilities.code,
                                                         sizeof bits, &bits, nullptr);
  if (known != 0 || raw_opencl().svm_alloc == nullptr) bits = 0;  // older than OpenCL 2.0
  const yoke::svm_support found = device.port().svm(device.native_handle(), {});
  CHECK(found.coarse == ((bits & 1) != 0));
  CHECK(found.fine == ((bits & 2) != 0));
  CHECK(found.fine_system == ((bits & 4) != 0));
  CHECK(found.atomics == ((bits & 8) != 0));
}

YOKE_OPENCL_TEST_CASE("coarse shared memory is written and read through maps", "[opencl]") {
  YOKE_TEST_NEEDS_SVM(coarse)
  const ocl::context context{device};
  const ocl::stream stream{context};
  coarse memory{context, 8, stream};
  {
    auto view = memory.map(stream, ocl::map_write);
    std::iota(view.begin(), view.end(), 1);
  }
  const auto twice = yoke::compile(context, source).get_kernel<void(int*)>("twice");
  twice(stream, {.grid = 2, .block = 4}, memory);
  const auto view = memory.map(stream, ocl::map_read);
  static_assert(std::same_as<decltype(view), const ocl::mapped_view<const int>>);
  CHECK(view.data() == memory.native_handle());
  CHECK(std::accumulate(view.begin(), view.end(), 0) == 72);
}

YOKE_OPENCL_TEST_CASE("fine shared memory is a host range as it is", "[opencl]") {
  YOKE_TEST_NEEDS_SVM(fine)
  const ocl::context context{device};
  const ocl::stream stream{context};
  fine memory{context, 4};
  std::iota(memory.begin(), memory.end(), 1);
  const auto twice = yoke::compile(context, source).get_kernel<void(int*)>("twice");
  twice(stream, {.grid = 1, .block = 4}, memory);
  stream.synchronize();
  CHECK((memory[0] == 2 && memory[3] == 8));
  CHECK(memory.data() == memory.begin());
}

YOKE_OPENCL_TEST_CASE("a grain that the device lacks is refused before clSVMAlloc", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  abi::ulong offered = 0;
  driver.replace<&abi::functions::get_device_info>(
      [&](abi::device of, abi::uint what, std::size_t bytes, void* out, std::size_t* size) {
        if (what != ocl::info::svm_capabilities.code) return driver.real().get_device_info(of, what, bytes, out, size);
        if (offered == 0) return abi::status{-30};  // an OpenCL 1.2 device does not know the question
        if (out != nullptr) *static_cast<abi::ulong*>(out) = offered;
        return abi::status{0};
      });
  const ocl::context context{through(driver, device)};
  const auto message = [&](auto make) -> std::string {
    try {
      make();
    } catch (const yoke::unsupported_error& e) {
      return e.what();
    }
    return "made";
  };
  const auto make_coarse = [&] { coarse{context, 4}; };
  const auto make_fine = [&] { fine{context, 4}; };
  const auto make_atomic = [&] { ocl::svm_allocation<int, ocl::svm::fine_atomics>{context, 4}; };
  CHECK_THAT(message(make_coarse), ContainsSubstring("has no coarse-grained shared virtual memory"));
  offered = 1;
  CHECK_THAT(message(make_fine), ContainsSubstring("has no fine-grained shared virtual memory"));
  offered = 3;
  CHECK_THAT(message(make_atomic), ContainsSubstring("has no fine-grained, atomic shared virtual memory"));
  CHECK_THAT(message(make_atomic), ContainsSubstring(device.name()));
  CHECK(driver.count("svm_alloc") == 0);
}

YOKE_OPENCL_TEST_CASE("shared memory of no elements costs no driver call", "[opencl]") {
  YOKE_TEST_NEEDS_SVM(coarse)
  fixture f(device);
  coarse nothing{f.context, 0, f.stream};
  const std::size_t mark = f.driver.mark();
  CHECK(nothing.empty());
  CHECK(nothing.native_handle() == nullptr);
  CHECK(nothing.map(f.stream, ocl::map_write).empty());
  yoke::fill(nothing, 1, f.stream);
  nothing.record_use(f.stream);
  CHECK(f.driver.count("svm_alloc") == 0);
  CHECK(f.driver.count_all(mark) == 0);
}

YOKE_OPENCL_TEST_CASE("copies and fills of shared memory stay within it", "[opencl]") {
  // PoCL checks no bounds of shared memory: they must be caught before it.
  YOKE_TEST_NEEDS_SVM(coarse)
  fixture f(device);
  coarse memory{f.context, 4, f.stream}, larger{f.context, 6, f.stream};
  std::vector<int> host(5);
  const std::size_t mark = f.driver.mark();
  CHECK_THROWS_AS(yoke::copy(host, memory, f.stream), yoke::logic_error);
  CHECK_THROWS_AS(yoke::copy(memory, host, f.stream), yoke::logic_error);
  CHECK_THROWS_AS(yoke::copy(larger, memory, f.stream), yoke::logic_error);
  CHECK_THROWS_AS(yoke::strided(memory, {.width = 2, .height = 2, .row_pitch = 3}), yoke::logic_error);
  CHECK_THROWS_AS(yoke::strided(memory, {.width = 1, .offset = 4}), yoke::logic_error);
  CHECK_THROWS_AS((coarse{f.context, -1}), yoke::logic_error);
  CHECK(f.driver.count_all(mark) == 0);
  yoke::fill(memory, 7, f.stream);
  host.resize(4);
  yoke::copy(memory, host, f.stream);
  CHECK(host == std::vector(4, 7));
}

YOKE_OPENCL_TEST_CASE("mapped shared memory is refused by launches and copies", "[opencl]") {
  YOKE_TEST_NEEDS_SVM(coarse)
  fixture f(device);
  const auto twice = yoke::compile(f.context, source).get_kernel<void(int*)>("twice");
  coarse memory{f.context, 4, f.stream};
  yoke::fill(memory, 1, f.stream);
  std::vector<int> host(4);
  auto view = memory.map(f.stream, ocl::map_read_write);
  const coarse moved = std::move(memory);
  coarse& same = const_cast<coarse&>(moved);
  const std::size_t mark = f.driver.mark();
  CHECK_THROWS_WITH(twice(f.stream, {.grid = 1, .block = 4}, same), ContainsSubstring("mapped for the host"));
  CHECK_THROWS_WITH(yoke::copy(moved, host, f.stream), ContainsSubstring("mapped for the host"));
  CHECK_THROWS_WITH(yoke::fill(same, 1, f.stream), ContainsSubstring("mapped for the host"));
  CHECK(f.driver.count_all(mark) == 0);
  view.reset();
  twice(f.stream, {.grid = 1, .block = 4}, same);
  yoke::copy(moved, host, f.stream);
  CHECK(host == std::vector(4, 2));
}

YOKE_OPENCL_TEST_CASE("stream-ordered shared memory is freed behind its stream and every recorded use", "[opencl]") {
  YOKE_TEST_NEEDS_SVM(coarse)
  fixture f(device);
  const ocl::stream second{f.context}, third{f.context};
  coarse memory{f.context, 4, f.stream};
  yoke::fill(memory, 1, second);
  memory.record_use(second);
  memory.record_use(second);    // once is enough
  memory.record_use(f.stream);  // its own stream needs no word
  yoke::fill(memory, 2, third);
  memory.record_use(third);
  const std::size_t mark = f.driver.mark();
  memory.reset();
  const names calls = f.driver.calls(mark);
  CHECK(in_order(calls, {"enqueue_marker", "flush", "enqueue_barrier", "release_event", "enqueue_marker", "flush",
                         "enqueue_barrier", "release_event", "enqueue_svm_free"}));
  CHECK(f.driver.count("enqueue_marker", mark) == 2);
  CHECK(f.driver.count("svm_free", mark) == 0);
  CHECK(f.driver.count("finish", mark) == 0);
  f.stream.synchronize();
}

YOKE_OPENCL_TEST_CASE("a free that cannot be enqueued waits and frees all the same", "[opencl]") {
  YOKE_TEST_NEEDS_SVM(coarse)
  static int reports;
  reports = 0;
  const auto before = yoke::set_cleanup_handler(+[](const yoke::cleanup_failure&) noexcept { ++reports; });
  {
    fixture f(device);
    const ocl::stream second{f.context};
    for (const char* failing : {"enqueue_svm_free", "enqueue_marker", "enqueue_barrier", "flush"}) {
      INFO(failing);
      reports = 0;
      coarse memory{f.context, 4, f.stream};
      memory.record_use(second);
      f.driver.fail_function(failing, 1, fault_mode::once, -6);
      const std::size_t mark = f.driver.mark();
      memory.reset();
      f.driver.disarm();
      CHECK(in_order(f.driver.calls(mark), {"finish", "finish", "svm_free"}));
      CHECK(reports == 1);
    }
    f.driver.remove("enqueue_svm_free");
    const std::size_t mark = f.driver.mark();
    CHECK(f.context.port()
              .svm_free_ordered(f.context.native_handle(),
                                f.context.port().svm_allocate(f.context.native_handle(), 16, 4, false, false, {}),
                                f.stream.native_handle(), {})
              .code == 0);
    CHECK(in_order(f.driver.calls(mark), {"svm_alloc", "finish", "svm_free"}));
    CHECK(f.driver.live().size() == 3);  // the context and two streams
  }
  yoke::set_cleanup_handler(before);
}

YOKE_OPENCL_TEST_CASE("plain shared memory is freed at once if unused, or behind a view that outlives it", "[opencl]") {
  YOKE_TEST_NEEDS_SVM(coarse)
  fixture f(device);
  coarse memory{f.context, 4};
  std::size_t mark = f.driver.mark();
  memory.reset();
  CHECK(f.driver.calls(mark) == names{"svm_free"});
  coarse mapped{f.context, 4};
  auto view = mapped.map(f.stream, ocl::map_write);
  mapped.reset();
  std::fill(view.begin(), view.end(), 7);  // still there
  mark = f.driver.mark();
  view.reset();
  // The unmapping is a command of the stream: freeing the memory at once would take it away from under it.
  CHECK(in_order(f.driver.calls(mark), {"enqueue_svm_unmap", "enqueue_svm_free"}));
  CHECK(f.driver.count("svm_free", mark) == 0);
  f.stream.synchronize();
  CHECK(f.driver.live().size() == 2);
  CHECK(f.driver.bad_releases().empty());
}

YOKE_OPENCL_TEST_CASE("shared memory wants its own context's streams", "[opencl]") {
  YOKE_TEST_NEEDS_SVM(coarse)
  fixture f(device);
  const ocl::context elsewhere{through(f.driver, device)};
  const ocl::stream foreign{elsewhere};
  coarse memory{f.context, 4, f.stream}, never;
  CHECK_THROWS_AS((coarse{f.context, 4, foreign}), yoke::logic_error);
  CHECK_THROWS_AS(memory.map(foreign, ocl::map_read), yoke::logic_error);
  CHECK_THROWS_AS(memory.record_use(foreign), yoke::logic_error);
  CHECK_THROWS_AS(yoke::fill(memory, 1, foreign), yoke::logic_error);
  CHECK_THROWS_WITH(never.map(f.stream, ocl::map_read), ContainsSubstring("this SVM allocation is empty"));
}

YOKE_OPENCL_TEST_CASE("a kernel takes shared memory and buffers in turns", "[opencl]") {
  YOKE_TEST_NEEDS_SVM(coarse)
  fixture on(device);
  const auto add = yoke::compile(on.context, R"(
    __kernel void add(__global int* a, const __global int* b) { a[get_global_id(0)] += b[get_global_id(0)]; })")
                       .get_kernel<void(int*, const int*)>("add");
  coarse shared{on.context, 4, on.stream}, more{on.context, 4, on.stream};
  ocl::device_allocation<int> buffer{on.context, 4}, other{on.context, 4};
  const auto shape = yoke::launch_over(4, 4);
  const auto clones = [&] { return on.driver.count("create_kernel") + on.driver.count("clone_kernel"); };
  std::size_t after_first = 0;
  for (int round = 1; round <= 3; ++round) {
    yoke::fill(shared, 1, on.stream);
    yoke::fill(more, 2, on.stream);
    yoke::fill(buffer, 3, on.stream);
    yoke::fill(other, 4, on.stream);
    add(on.stream, shape, shared, more);    // 3
    add(on.stream, shape, buffer, other);   // 7
    add(on.stream, shape, buffer, shared);  // 10
    add(on.stream, shape, shared, buffer);  // 13
    std::vector<int> from_shared(4), from_buffer(4);
    yoke::copy(shared, from_shared, on.stream);
    yoke::copy(buffer, from_buffer, on.stream);
    CHECK(from_shared == std::vector<int>(4, 13));
    CHECK(from_buffer == std::vector<int>(4, 10));
    if (round == 1) after_first = clones();
  }
  CHECK(clones() == after_first);  // a clone for each pattern, made once
}

YOKE_OPENCL_TEST_CASE("shared memory is adopted, borrowed and released", "[opencl]") {
  YOKE_TEST_NEEDS_SVM(coarse)
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context context{through(driver, device)};
    const ocl::stream stream{context};
    const auto frees = [&] { return driver.count("svm_free") + driver.count("enqueue_svm_free"); };
    coarse giver{context, 4};
    int* const native = giver.release();
    CHECK(native != nullptr);
    CHECK_FALSE(static_cast<bool>(giver));
    CHECK(giver.size() == 0);
    CHECK(frees() == 0);
    {
      coarse borrowed = coarse::borrow(context, native, 4);
      CHECK(borrowed.native_handle() == native);
      CHECK(borrowed.size() == 4);
      yoke::fill(borrowed, 7, stream);
      stream.synchronize();
      const coarse moved = std::move(borrowed);
      CHECK(moved.native_handle() == native);
    }
    CHECK(frees() == 0);
    {
      const coarse adopted = coarse::adopt(context, native, 4);
      std::vector<int> host(4);
      yoke::copy(adopted, host, stream);
      CHECK(host == std::vector<int>(4, 7));
    }
    CHECK(driver.count("svm_free") == 0);
    CHECK(driver.count("enqueue_svm_free") == 1);  // behind the copy
    coarse ordered{context, 4, stream};
    {
      const coarse again = coarse::adopt(context, ordered.release(), 4, stream);
      CHECK(again.size() == 4);
      CHECK(again.span().native_handle() == again.native_handle());
      CHECK(again.subspan(1, 3).native_handle() == again.native_handle() + 1);
    }
    CHECK(driver.count("enqueue_svm_free") == 2);
    stream.synchronize();
    CHECK_THROWS_WITH(coarse::adopt(context, nullptr, 4), ContainsSubstring("the native address is null"));
    CHECK_THROWS_AS(coarse::adopt(context, native, -1), yoke::logic_error);
    coarse first{context, 1}, second{context, 2};
    swap(first, second);
    CHECK(first.size() == 2);
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

// SPDX-License-Identifier: MIT
// The cases of PyOpenCL's own tests of memory, in yoke's words: what they check has to hold here, too.
// docs/porting/pyopencl.md says where others stand.
#include <opencl/memory/svm_fixture.hpp>
#include <support/devices/background.hpp>

#include <numeric>
#include <random>
#include <thread>
#include <vector>

using namespace yoke_test;
namespace ocl = yoke::opencl;

namespace {

constexpr const char* source =
    "__kernel void twice(__global float* a) { a[get_global_id(0)] *= 2; }"
    "__kernel void copy(__global const float* a, __global float* b) { b[get_global_id(0)] = a[get_global_id(0)]; }"
    "__kernel void nothing(__global float* a, __global int* is_null) { *is_null = a == 0; }"
    "__kernel void place(__global int* a) { a[get_global_id(0)] = get_global_id(0); }"
    "__kernel void axpy(float4 a, __global float4* x) { x[get_global_id(0)] *= a; }";

std::vector<float> numbers(std::size_t count) {
  std::vector<float> made(count);
  std::mt19937 random(5);
  for (float& each : made) each = static_cast<float>(random() % 1000);
  return made;
}

/// A source of memory that gives numbers, so that pools can be asked for more than there is.
class dummy_source final : public yoke::memory_resource<ocl::port> {
 public:
  explicit dummy_source(const ocl::context& in) : context_(in) {}
  [[nodiscard]] const ocl::context& context_of() const noexcept override { return context_; }
  [[nodiscard]] native_type allocate(std::size_t bytes, const ocl::stream&, const yoke::source_location&) override {
    asked = bytes;
    return reinterpret_cast<native_type>(++made_);
  }
  void deallocate(native_type, std::size_t, native_stream, std::span<const native_stream>) noexcept override {}
  std::size_t asked = 0;

 private:
  ocl::context context_;
  std::uintptr_t made_ = 0;
};

}  // namespace

// test_copy_buffer
YOKE_OPENCL_TEST_CASE("a read-only buffer is copied to a write-only one", "[opencl]") {
  const ocl::context context{device};
  const ocl::stream stream{context};
  const std::vector<float> a = numbers(50000);
  const auto from = ocl::make_buffer(context, a, {.kernels = ocl::kernel_access::read_only});
  auto to = ocl::make_buffer<float>(context, a.size(), {.kernels = ocl::kernel_access::write_only});
  yoke::copy(from, to, stream);
  CHECK(yoke::to_host(to, stream) == a);
}

// test_mempool
YOKE_OPENCL_TEST_CASE("two hundred blocks of a pool, ten at a time, and then it stops holding", "[opencl]") {
  const ocl::context context{device};
  const ocl::stream stream{context};
  const ocl::memory_pool pool{context};
  std::vector<ocl::device_allocation<char>> alive;
  for (int i = 0; i < 200; ++i) {
    alive.emplace_back(pool, std::size_t{1} << (i % 20), stream);
    if (alive.size() > 10) alive.erase(alive.begin());
  }
  CHECK(pool.statistics().active_blocks == 10);
  CHECK(pool.statistics().held_blocks <= 20);
  pool.stop_holding();
  CHECK(pool.statistics().held_blocks == 0);
  alive.clear();
  CHECK(pool.statistics().held_blocks == 0);
  CHECK(pool.statistics().managed_bytes == 0);
}

// test_mempool_2
YOKE_OPENCL_TEST_CASE("a bin's blocks hold each size of the bin, and waste a sixteenth at most", "[opencl]") {
  const ocl::memory_pool pool{ocl::context{device}, {.leading_bits = 4}};
  std::mt19937_64 random(7);
  for (int i = 0; i < 2001; ++i) {
    const std::size_t size = 1 + random() % (std::size_t{1} << (1 + random() % 34));
    const std::size_t bin = pool.bin_number(size);
    const std::size_t block = pool.alloc_size(bin);
    REQUIRE(block >= size);
    REQUIRE(pool.bin_number(block) == bin);
    if (size >= 16) REQUIRE((block - size) * 16 <= size);
  }
}

// test_mempool_32bit_issues
YOKE_OPENCL_TEST_CASE("sizes beyond 32 bits are no smaller ones", "[opencl]") {
  const ocl::context context{device};
  const ocl::stream stream{context};
  const auto source_of = std::make_shared<dummy_source>(context);
  const ocl::memory_pool pool{source_of, {}};
  for (int bits = 30; bits <= 34; ++bits) {
    for (const int offset : {-1, 0, 1, 5, 500}) {
      const std::size_t size = (std::size_t{1} << bits) + static_cast<std::size_t>(offset);
      const ocl::device_allocation<char> block{pool, size, stream};
      CHECK(block.size() == size);
      CHECK(source_of->asked >= size);
    }
    pool.free_held();
  }
}

// test_allocator, test_buffer_release
YOKE_OPENCL_TEST_CASE("allocators give small blocks and none, and what a pool gave is released early", "[opencl]") {
  const ocl::context context{device};
  const ocl::stream stream{context};
  const auto deferred = std::make_shared<yoke::deferred_allocator<ocl::port>>(context);
  const auto immediate = std::make_shared<yoke::immediate_allocator<ocl::port>>(context);
  CHECK(ocl::device_allocation<char>{deferred, 15, stream}.size() == 15);
  CHECK(ocl::device_allocation<char>{immediate, 15, stream}.size() == 15);
  CHECK_FALSE(ocl::device_allocation<char>{deferred, 0, stream});
  CHECK_FALSE(ocl::device_allocation<char>{immediate, 0, stream});
  const ocl::memory_pool pool{context};
  ocl::device_allocation<char> block{pool, 15, stream};
  block.reset();
  CHECK(pool.statistics().active_blocks == 0);
  CHECK(pool.statistics().held_blocks == 1);
  block.reset();
}

// test_vector_args, test_set_arg_none, test_global_offset, test_empty_ndrange
YOKE_OPENCL_TEST_CASE("kernels take vectors, null, offsets, and nothing to do", "[opencl]") {
  const ocl::context context{device};
  const ocl::stream stream{context};
  const auto module = yoke::compile(context, source);
  ocl::device_allocation<yoke::float4> x{context, 3, stream};
  yoke::fill(x, {1, 2, 3, 4}, stream);
  module.get_kernel<void(yoke::float4, yoke::float4*)>("axpy")(stream, {.grid = 3, .block = 1},
                                                               yoke::float4{2, 3, 4, 5}, x);
  const yoke::float4 last = yoke::to_host(x, stream)[2];
  CHECK((last.x == 2 && last.y == 6 && last.z == 12 && last.w == 20));
  ocl::device_allocation<int> is_null{context, 1};
  module.get_kernel<void(float*, int*)>("nothing")(stream, {.grid = 1, .block = 1}, nullptr, is_null);
  CHECK(yoke::to_host(is_null, stream) == std::vector{1});
  ocl::device_allocation<int> places{context, 50};
  const auto place = module.get_kernel<void(int*)>("place");
  for (std::size_t i = 0; i < 5; ++i) {
    place(stream, {.grid = 10, .block = 1, .global_offset = 10 * i}, places);
  }
  place(stream, yoke::launch_over(0), places);
  std::vector<int> wanted(50);
  std::iota(wanted.begin(), wanted.end(), 0);
  CHECK(yoke::to_host(places, stream) == wanted);
}

// test_sub_buffers
YOKE_OPENCL_TEST_CASE("a part of a buffer reads as the slice of the host's range", "[opencl]") {
  const ocl::context context{device};
  const ocl::stream stream{context};
  const std::vector<float> a = numbers(5000);
  auto whole = ocl::make_buffer(context, a);
  const std::size_t first = device.limits().base_alignment_bytes / sizeof(float) * 2;
  const ocl::sub_buffer<float> part{whole, first, 100};
  CHECK(yoke::to_host(part, stream) == std::vector<float>(a.begin() + static_cast<std::ptrdiff_t>(first),
                                                          a.begin() + static_cast<std::ptrdiff_t>(first) + 100));
}

// test_coarse_grain_svm
YOKE_OPENCL_TEST_CASE("coarse memory is filled, mapped, launched with, seen as a buffer and copied", "[opencl]") {
  YOKE_TEST_NEEDS_SVM(coarse)
  const ocl::context context{device};
  const ocl::stream stream{context};
  const auto module = yoke::compile(context, source);
  const auto twice = module.get_kernel<void(float*)>("twice");
  constexpr std::size_t count = 3000;
  ocl::svm_allocation<float, ocl::svm::coarse> memory{context, count, stream, {.alignment = 64}};
  yoke::fill(memory, 7.0f, stream);
  {
    auto view = memory.map(stream, ocl::map_read_write);
    CHECK(view[count - 1] == 7);
    std::fill(view.begin(), view.end(), 17.0f);
  }
  twice(stream, {.grid = count, .block = 1}, memory);
  twice(stream, {.grid = count, .block = 1}, memory);
  {
    auto buffer = ocl::as_buffer(memory, stream);
    twice(stream, {.grid = count, .block = 1}, buffer);
    const auto seen = ocl::map(buffer, stream, ocl::map_read);
    CHECK(seen[0] == 8 * 17);
  }
  CHECK(memory.map(stream, ocl::map_read)[count - 1] == 8 * 17);
  CHECK(yoke::to_host(memory, stream) == std::vector<float>(count, 8 * 17));
  const auto& only_read = memory;
  ocl::device_allocation<float> out{context, count};
  module.get_kernel<void(const float*, float*)>("copy")(stream, {.grid = count, .block = 1}, only_read, out);
  CHECK(yoke::to_host(out, stream) == std::vector<float>(count, 8 * 17));
}

// test_fine_grain_svm, test_zero_size_svm_allocations
YOKE_OPENCL_TEST_CASE("fine memory is written and read by the host, and none is released", "[opencl]") {
  YOKE_TEST_NEEDS_SVM(fine)
  const ocl::context context{device};
  const ocl::stream stream{context};
  ocl::svm_allocation<float, ocl::svm::fine> memory{context, 3000, stream};
  std::fill(memory.begin(), memory.end(), 1.0f);
  yoke::compile(context, source).get_kernel<void(float*)>("twice")(stream, {.grid = 3000, .block = 1}, memory);
  stream.synchronize();
  CHECK(std::accumulate(memory.begin(), memory.end(), 0.0f) == 6000);
  ocl::svm_allocation<float, ocl::svm::fine> none{context, 0, stream};
  none.reset();
  const yoke::memory_pool pool{context, ocl::svm::fine{}};
  ocl::svm_allocation<float, ocl::svm::fine> pooled{pool, 0, stream};
  pooled.reset();
  CHECK(pool.statistics().active_blocks == 0);
}

// test_map_dtype
YOKE_OPENCL_TEST_CASE("a map has the buffer's element, also of vectors", "[opencl]") {
  const ocl::context context{device};
  const ocl::stream stream{context};
  ocl::device_allocation<yoke::uint2> memory{context, 10};
  {
    auto view = ocl::map(memory, stream, ocl::map_write);
    static_assert(std::same_as<decltype(view)::value_type, yoke::uint2>);
    for (std::uint32_t i = 0; i < 10; ++i) view[i] = {i, 2 * i};
  }
  CHECK(yoke::to_host(memory, stream)[9].y == 18);
}

// test_copy_buffer_rect, test_enqueue_copy_rect_2d, test_enqueue_copy_rect_3d
YOKE_OPENCL_TEST_CASE("a box goes from host to buffer to buffer to host by four layouts", "[opencl]") {
  const ocl::context context{device};
  const ocl::stream stream{context};
  const bool deep = GENERATE(false, true);
  const std::size_t depth = deep ? 20 : 1;
  const auto layout = [&](std::size_t row, std::size_t rows, std::size_t offset) {
    return yoke::box_layout{
        .width = 96, .height = 128, .depth = depth, .row_pitch = row, .slice_pitch = row * rows, .offset = offset};
  };
  const auto room = [&](const yoke::box_layout& box) { return box.offset + box.slice_pitch * depth; };
  const yoke::box_layout boxes[] = {layout(296, 200, 300), layout(99, 131, 7), layout(100, 140, 501),
                                    layout(222, 128, 5)};
  std::vector<std::uint8_t> from(room(boxes[0]));
  std::iota(from.begin(), from.end(), std::uint8_t{3});
  ocl::device_allocation<std::uint8_t> first{context, room(boxes[1])};
  ocl::device_allocation<std::uint8_t> second{context, room(boxes[2])};
  std::vector<std::uint8_t> to(room(boxes[3]), std::uint8_t{255});
  yoke::copy(yoke::strided(from, boxes[0]), yoke::strided(first, boxes[1]), stream);
  yoke::copy(yoke::strided(first, boxes[1]), yoke::strided(second, boxes[2]), stream);
  yoke::copy(yoke::strided(second, boxes[2]), yoke::strided(to, boxes[3]), stream);
  std::size_t wrong = 0;
  for (std::size_t z = 0; z < depth; ++z) {
    for (std::size_t y = 0; y < 128; ++y) {
      for (std::size_t x = 0; x < 96; ++x) {
        const auto at = [&](const yoke::box_layout& box) {
          return box.offset + z * box.slice_pitch + y * box.row_pitch + x;
        };
        wrong += from[at(boxes[0])] != to[at(boxes[3])] ? 1 : 0;
      }
    }
  }
  CHECK(wrong == 0);
  CHECK(to[0] == 255);
}

// test_threaded_nanny_events
YOKE_OPENCL_TEST_CASE("threads end copies in flight, whose memory lives until they are done", "[opencl]") {
  const ocl::context context{device};
  std::atomic<int> wrong{0};
  const auto work = [&](int mark) {
    const ocl::stream stream{context};
    ocl::device_allocation<int> to{context, 5000};
    for (int i = 0; i < 20; ++i) {
      {
        ocl::pagelocked_array<int> from{context, 5000};
        std::fill(from.begin(), from.end(), mark + i);
        const auto pending = yoke::copy_async(from, to, stream);
        from.reset();
      }
      if (yoke::to_host(to, stream) != std::vector<int>(5000, mark + i)) ++wrong;
    }
  };
  std::thread first(work, 1000);
  std::thread second(work, 2000);
  first.join();
  second.join();
  CHECK(wrong == 0);
}

// test_wait_for_events, test_enqueue_barrier_marker, test_user_event
YOKE_OPENCL_TEST_CASE("markers are waited for, and a thread wakes when a user event is set", "[opencl]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const ocl::context context{device};
  const ocl::stream stream{context};
  const ocl::event first = stream.record();
  const ocl::event second = stream.record(first);
  stream.wait({first, second});
  second.wait();
  ocl::user_event gate{context};
  std::atomic<bool> woken{false};
  std::thread waits([&] {
    gate.as_event().wait();
    woken = true;
  });
  CHECK_FALSE(woken);
  gate.complete();
  waits.join();
  CHECK(woken);
  CHECK(gate.as_event().status() == yoke::event_status::complete);
}

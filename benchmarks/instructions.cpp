// SPDX-License-Identifier: MIT
// Operations against drivers whose calls return at once, for benchmarks/instructions.sh to count the instructions of.
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <vector>
#include <yoke/yoke.hpp>

namespace {

constexpr int repeats = 1000;
constexpr std::size_t threads = 16;
constexpr std::size_t elements = 64;

constexpr const char* source = R"(
YOKE_KERNEL one(YOKE_GLOBAL float* a) { a[0] = 1; }
YOKE_KERNEL eight(YOKE_GLOBAL float* a, YOKE_GLOBAL const float* b, YOKE_GLOBAL const float* c,
                  YOKE_GLOBAL const float* d, float x, float y, int m, int n) {
  a[0] = b[0] + c[0] + d[0] + x + y + m + n;
}
YOKE_KERNEL sixteen(YOKE_GLOBAL float* a, YOKE_GLOBAL const float* b, YOKE_GLOBAL const float* c,
                    YOKE_GLOBAL const float* d, YOKE_GLOBAL const float* e, YOKE_GLOBAL const float* f,
                    YOKE_GLOBAL const float* g, YOKE_GLOBAL const float* h, float w, float x, float y, float z, int k,
                    int l, int m, int n) {
  a[0] = b[0] + c[0] + d[0] + e[0] + f[0] + g[0] + h[0] + w + x + y + z + k + l + m + n;
}
)";
using one = void(float*);
using eight = void(float*, const float*, const float*, const float*, float, float, int, int);
using sixteen = void(float*, const float*, const float*, const float*, const float*, const float*, const float*,
                     const float*, float, float, float, float, int, int, int, int);

// The counter looks for this name; what it runs differs.
extern "C" [[gnu::noinline]] void yoke_measured(void (*run)(void*), void* with) {
  for (int i = 0; i < repeats; ++i) run(with);
}

/// Effects: has the next count belong to an operation, and runs it. The script reads these lines.
template <class Kit>
void measure(const char* backend, const char* kind, const char* operation, Kit& with, void (*run)(void*)) {
  std::printf("%s %s %s\n", backend, kind, operation);
  yoke_measured(run, &with);
}

/// Everything of yoke's that is measured, on one port.
template <class Port>
struct kit {
  using shape_type = yoke::shape_for<Port>;
  yoke::context<Port> context;
  yoke::stream<Port> stream{context};
  yoke::stream<Port> other{context};
  yoke::module<Port> module = yoke::compile(context, source);
  yoke::kernel<::one, Port> one = yoke::get_kernel<::one>(module, "one");
  yoke::kernel<::eight, Port> eight = yoke::get_kernel<::eight>(module, "eight");
  yoke::kernel<::sixteen, Port> sixteen = yoke::get_kernel<::sixteen>(module, "sixteen");
  yoke::device_allocation<float, Port> a{context, elements};
  yoke::device_allocation<float, Port> b{context, elements};
  yoke::pagelocked_array<float, Port> host{context, elements};
  std::vector<float> pageable = std::vector<float>(elements);
  int step = 0;
  yoke::event<Port> point = stream.record();
  yoke::event<Port> apart = other.record();

  void launch_all() {
    launch_one(this);
    launch_eight(this);
    launch_sixteen(this);
    stream.synchronize();
  }
  static void launch_one(void* of) {
    kit& k = *static_cast<kit*>(of);
    k.one(k.stream, {.grid = 1, .block = threads}, k.a);
  }
  static void launch_eight(void* of) {
    kit& k = *static_cast<kit*>(of);
    k.eight(k.stream, {.grid = 1, .block = threads}, k.a, k.b, k.b, k.b, 1.0f, 2.0f, 3, 64);
  }
  static void launch_sixteen(void* of) {
    kit& k = *static_cast<kit*>(of);
    k.sixteen(k.stream, {.grid = 1, .block = threads}, k.a, k.b, k.b, k.b, k.b, k.b, k.b, k.b, 1.0f, 2.0f, 3.0f, 4.0f,
              5, 6, 7, 64);
  }
  static void launch_changing_eight(void* of) {
    kit& k = *static_cast<kit*>(of);
    const int i = ++k.step;
    const auto f = static_cast<float>(i);
    k.eight(k.stream, {.grid = 1, .block = threads}, k.a, k.b, k.b, k.b, f, f, i, i);
  }
  static void launch_changing_sixteen(void* of) {
    kit& k = *static_cast<kit*>(of);
    const int i = ++k.step;
    const auto f = static_cast<float>(i);
    k.sixteen(k.stream, {.grid = 1, .block = threads}, k.a, k.b, k.b, k.b, k.b, k.b, k.b, k.b, f, f, f, f, i, i, i, i);
  }
  static void record(void* of) {
    kit& k = *static_cast<kit*>(of);
    k.stream.record_into(k.point);
  }
  static void wait(void* of) {
    kit& k = *static_cast<kit*>(of);
    k.stream.wait(k.point);
  }
  static void wait_for_other(void* of) {
    kit& k = *static_cast<kit*>(of);
    k.stream.wait(k.apart);
  }
  static void record_and_wait_for_other(void* of) {
    kit& k = *static_cast<kit*>(of);
    k.other.record_into(k.apart);
    k.stream.wait(k.apart);
  }
  static void write(void* of) {
    kit& k = *static_cast<kit*>(of);
    yoke::enqueue_copy(k.host, k.a, k.stream);
  }
  static void read(void* of) {
    kit& k = *static_cast<kit*>(of);
    yoke::enqueue_copy(k.a, k.host, k.stream);
  }
  static void copy(void* of) {
    kit& k = *static_cast<kit*>(of);
    yoke::enqueue_copy(k.a, k.b, k.stream);
  }
  static void write_async(void* of) {
    kit& k = *static_cast<kit*>(of);
    (void)yoke::copy_async(k.host, k.a, k.stream);
  }
  static void read_async(void* of) {
    kit& k = *static_cast<kit*>(of);
    (void)yoke::copy_async(k.a, k.host, k.stream);
  }
  static void copy_async(void* of) {
    kit& k = *static_cast<kit*>(of);
    (void)yoke::copy_async(k.a, k.b, k.stream);
  }
  static void write_and_wait(void* of) {
    kit& k = *static_cast<kit*>(of);
    yoke::copy(k.pageable, k.a, k.stream);
  }
  static void read_and_wait(void* of) {
    kit& k = *static_cast<kit*>(of);
    yoke::copy(k.a, k.pageable, k.stream);
  }
  static void copy_and_wait(void* of) {
    kit& k = *static_cast<kit*>(of);
    yoke::copy(k.a, k.b, k.stream);
  }
  static void allocate(void* of) {
    const kit& k = *static_cast<kit*>(of);
    const yoke::device_allocation<float, Port> memory{k.context, elements};
  }
  static void allocate_ordered(void* of) {
    const kit& k = *static_cast<kit*>(of);
    const yoke::device_allocation<float, Port> memory{k.context, elements, k.stream};
  }
  static void record_new(void* of) {
    const kit& k = *static_cast<kit*>(of);
    (void)k.stream.record();
  }
  static void map(void* of) {
    if constexpr (std::is_same_v<Port, yoke::opencl::port>) {
      kit& k = *static_cast<kit*>(of);
      (void)yoke::opencl::map(k.a, k.stream, yoke::opencl::map_read);
    }
  }
};

template <class Port>
void measure_yoke(const char* backend, const char* kind, kit<Port>& with) {
  measure(backend, kind, "launch/1", with, &kit<Port>::launch_one);
  measure(backend, kind, "launch/8", with, &kit<Port>::launch_eight);
  measure(backend, kind, "launch/16", with, &kit<Port>::launch_sixteen);
  measure(backend, kind, "launch_changing/8", with, &kit<Port>::launch_changing_eight);
  measure(backend, kind, "launch_changing/16", with, &kit<Port>::launch_changing_sixteen);
  measure(backend, kind, "record", with, &kit<Port>::record);
  measure(backend, kind, "wait", with, &kit<Port>::wait);
  measure(backend, kind, "wait/other", with, &kit<Port>::wait_for_other);
  measure(backend, kind, "wait/fresh", with, &kit<Port>::record_and_wait_for_other);
  measure(backend, kind, "copy/to", with, &kit<Port>::write);
  measure(backend, kind, "copy/from", with, &kit<Port>::read);
  measure(backend, kind, "copy/within", with, &kit<Port>::copy);
  if constexpr (std::is_same_v<Port, yoke::opencl::port>) {
    yoke::device_allocation<float, Port> other{with.context, elements};
    const auto view = yoke::opencl::map(other, with.stream, yoke::opencl::map_read);
    measure(backend, kind, "copy/beside_a_view", with, &kit<Port>::copy);
  }
  measure(backend, kind, "copy/blocking/to", with, &kit<Port>::write_and_wait);
  measure(backend, kind, "copy/blocking/from", with, &kit<Port>::read_and_wait);
  measure(backend, kind, "copy/blocking/within", with, &kit<Port>::copy_and_wait);
  measure(backend, kind, "allocate", with, &kit<Port>::allocate);
  measure(backend, kind, "allocate/ordered", with, &kit<Port>::allocate_ordered);
  measure(backend, kind, "record/new", with, &kit<Port>::record_new);
  if (std::is_same_v<Port, yoke::opencl::port>) measure(backend, kind, "map", with, &kit<Port>::map);
}

/// Copies that are waited for by what `copy_async` has returned.
template <class Kit>
void measure_async(const char* backend, const char* kind, Kit& with) {
  measure(backend, kind, "copy/async/to", with, &Kit::write_async);
  measure(backend, kind, "copy/async/from", with, &Kit::read_async);
  measure(backend, kind, "copy/async/within", with, &Kit::copy_async);
}

[[gnu::always_inline]] inline void check(int code) {
  if (code != 0) [[unlikely]]
    std::abort();
}

/// The same by OpenCL's own calls, each of whose codes is looked at.
struct opencl_kit {
  using abi = yoke::opencl::abi::functions;
  const yoke::opencl::abi::functions* driver;
  yoke::opencl::abi::queue queue;
  yoke::opencl::abi::kernel kernel;
  yoke::opencl::abi::memory a;
  yoke::opencl::abi::memory b;
  void* host;
  yoke::opencl::abi::event point;
  yoke::opencl::abi::queue other;
  yoke::opencl::abi::event apart;
  yoke::opencl::abi::context context;
  void* pageable;
  int step = 0;

  [[gnu::always_inline]] int enqueue() const {
    const std::size_t size = threads;
    return driver->enqueue_kernel(queue, kernel, 1, nullptr, &size, &size, 0, nullptr, nullptr);
  }
  template <class... Values>
  [[gnu::always_inline]] int launch(const Values&... values) const {
    yoke::opencl::abi::uint index = 0;
    int code = 0;
    const bool set =
        (((code = driver->set_kernel_arg(kernel, index, sizeof values, &values)) == 0 && (++index, true)) && ...);
    return set ? enqueue() : code;
  }
  static void launch_one(void* of) {
    const auto& k = *static_cast<opencl_kit*>(of);
    check(k.launch(k.a));
  }
  static void launch_eight(void* of) {
    const auto& k = *static_cast<opencl_kit*>(of);
    check(k.launch(k.a, k.b, k.b, k.b, 1.0f, 2.0f, 3, 64));
  }
  static void launch_sixteen(void* of) {
    const auto& k = *static_cast<opencl_kit*>(of);
    check(k.launch(k.a, k.b, k.b, k.b, k.b, k.b, k.b, k.b, 1.0f, 2.0f, 3.0f, 4.0f, 5, 6, 7, 64));
  }
  static void launch_changing_eight(void* of) {
    auto& k = *static_cast<opencl_kit*>(of);
    const int i = ++k.step;
    const auto f = static_cast<float>(i);
    check(k.launch(k.a, k.b, k.b, k.b, f, f, i, i));
  }
  static void launch_changing_sixteen(void* of) {
    auto& k = *static_cast<opencl_kit*>(of);
    const int i = ++k.step;
    const auto f = static_cast<float>(i);
    check(k.launch(k.a, k.b, k.b, k.b, k.b, k.b, k.b, k.b, f, f, f, f, i, i, i, i));
  }
  static void record(void* of) {
    auto& k = *static_cast<opencl_kit*>(of);
    yoke::opencl::abi::event next = nullptr;
    check(k.driver->enqueue_marker(k.queue, 0, nullptr, &next));
    check(k.driver->release_event(k.point));
    k.point = next;
  }
  static void wait(void* of) {
    const auto& k = *static_cast<opencl_kit*>(of);
    check(k.driver->enqueue_barrier(k.queue, 1, &k.point, nullptr));
  }
  static void wait_for_other(void* of) {  // the other queue has been flushed since
    const auto& k = *static_cast<opencl_kit*>(of);
    check(k.driver->enqueue_barrier(k.queue, 1, &k.apart, nullptr));
  }
  static void record_and_wait_for_other(void* of) {  // makes progress once the other queue is flushed
    auto& k = *static_cast<opencl_kit*>(of);
    yoke::opencl::abi::event next = nullptr;
    check(k.driver->enqueue_marker(k.other, 0, nullptr, &next));
    check(k.driver->release_event(k.apart));
    k.apart = next;
    check(k.driver->flush(k.other));
    check(k.driver->enqueue_barrier(k.queue, 1, &k.apart, nullptr));
  }
  static void write(void* of) {
    const auto& k = *static_cast<opencl_kit*>(of);
    check(k.driver->enqueue_write_buffer(k.queue, k.a, 0, 0, elements * sizeof(float), k.host, 0, nullptr, nullptr));
  }
  static void read(void* of) {
    const auto& k = *static_cast<opencl_kit*>(of);
    check(k.driver->enqueue_read_buffer(k.queue, k.a, 0, 0, elements * sizeof(float), k.host, 0, nullptr, nullptr));
  }
  static void copy(void* of) {
    const auto& k = *static_cast<opencl_kit*>(of);
    check(k.driver->enqueue_copy_buffer(k.queue, k.a, k.b, 0, 0, elements * sizeof(float), 0, nullptr, nullptr));
  }
  void finish(yoke::opencl::abi::event done) const {  // what somebody waits for who has started it
    check(driver->wait_for_events(1, &done));
    check(driver->release_event(done));
  }
  static void write_async(void* of) {
    const auto& k = *static_cast<opencl_kit*>(of);
    yoke::opencl::abi::event done = nullptr;
    check(k.driver->enqueue_write_buffer(k.queue, k.a, 0, 0, elements * sizeof(float), k.host, 0, nullptr, &done));
    k.finish(done);
  }
  static void read_async(void* of) {
    const auto& k = *static_cast<opencl_kit*>(of);
    yoke::opencl::abi::event done = nullptr;
    check(k.driver->enqueue_read_buffer(k.queue, k.a, 0, 0, elements * sizeof(float), k.host, 0, nullptr, &done));
    k.finish(done);
  }
  static void copy_async(void* of) { copy_and_wait(of); }
  static void write_and_wait(void* of) {
    const auto& k = *static_cast<opencl_kit*>(of);
    check(
        k.driver->enqueue_write_buffer(k.queue, k.a, 1, 0, elements * sizeof(float), k.pageable, 0, nullptr, nullptr));
  }
  static void read_and_wait(void* of) {
    const auto& k = *static_cast<opencl_kit*>(of);
    check(k.driver->enqueue_read_buffer(k.queue, k.a, 1, 0, elements * sizeof(float), k.pageable, 0, nullptr, nullptr));
  }
  static void copy_and_wait(void* of) {
    const auto& k = *static_cast<opencl_kit*>(of);
    yoke::opencl::abi::event done = nullptr;
    check(k.driver->enqueue_copy_buffer(k.queue, k.a, k.b, 0, 0, elements * sizeof(float), 0, nullptr, &done));
    check(k.driver->wait_for_events(1, &done));
    check(k.driver->release_event(done));
  }
  static void allocate(void* of) {
    const auto& k = *static_cast<opencl_kit*>(of);
    int code = 0;
    const auto memory =
        k.driver->create_buffer(k.context, yoke::opencl::abi::mem_read_write, elements * sizeof(float), nullptr, &code);
    check(code);
    check(k.driver->release_memory(memory));
  }
  static void allocate_ordered(void* of) { allocate(of); }  // every buffer is
  static void record_new(void* of) {
    const auto& k = *static_cast<opencl_kit*>(of);
    yoke::opencl::abi::event next = nullptr;
    check(k.driver->enqueue_marker(k.queue, 0, nullptr, &next));
    check(k.driver->release_event(next));
  }
  static void map(void* of) {
    const auto& k = *static_cast<opencl_kit*>(of);
    int code = 0;
    void* const address = k.driver->enqueue_map_buffer(k.queue, k.a, 1, yoke::opencl::abi::map_read, 0,
                                                       elements * sizeof(float), 0, nullptr, nullptr, &code);
    check(code);
    check(k.driver->enqueue_unmap_memory(k.queue, k.a, address, 0, nullptr, nullptr));
  }
};

/// The same by CUDA's own calls.
struct cuda_kit {
  const yoke::cuda::abi::functions* driver;
  yoke::cuda::abi::stream stream;
  yoke::cuda::abi::function kernel;
  yoke::cuda::abi::device_pointer a;
  yoke::cuda::abi::device_pointer b;
  void* host;
  yoke::cuda::abi::event point;
  yoke::cuda::abi::stream other;
  yoke::cuda::abi::event apart;
  void* pageable;
  int step = 0;

  static void record(void* of) {
    const auto& k = *static_cast<cuda_kit*>(of);
    check(k.driver->event_record(k.point, k.stream));
  }
  static void wait(void* of) {
    const auto& k = *static_cast<cuda_kit*>(of);
    check(k.driver->stream_wait_event(k.stream, k.point, 0));
  }
  static void wait_for_other(void* of) {
    const auto& k = *static_cast<cuda_kit*>(of);
    check(k.driver->stream_wait_event(k.stream, k.apart, 0));
  }
  static void record_and_wait_for_other(void* of) {
    const auto& k = *static_cast<cuda_kit*>(of);
    check(k.driver->event_record(k.apart, k.other));
    check(k.driver->stream_wait_event(k.stream, k.apart, 0));
  }
  static void write(void* of) {
    const auto& k = *static_cast<cuda_kit*>(of);
    check(k.driver->memcpy_htod_async(k.a, k.host, elements * sizeof(float), k.stream));
  }
  static void read(void* of) {
    const auto& k = *static_cast<cuda_kit*>(of);
    check(k.driver->memcpy_dtoh_async(k.host, k.a, elements * sizeof(float), k.stream));
  }
  static void copy(void* of) {
    const auto& k = *static_cast<cuda_kit*>(of);
    check(k.driver->memcpy_dtod_async(k.b, k.a, elements * sizeof(float), k.stream));
  }
  void finish() const {  // as somebody does who has started a copy and waits for it
    yoke::cuda::abi::event done = nullptr;
    check(driver->event_create(&done, yoke::cuda::abi::event_disable_timing));
    check(driver->event_record(done, stream));
    check(driver->event_synchronize(done));
    check(driver->event_destroy(done));
  }
  static void write_async(void* of) {
    write(of);
    static_cast<cuda_kit*>(of)->finish();
  }
  static void read_async(void* of) {
    read(of);
    static_cast<cuda_kit*>(of)->finish();
  }
  static void copy_async(void* of) {
    copy(of);
    static_cast<cuda_kit*>(of)->finish();
  }
  static void write_and_wait(void* of) {
    const auto& k = *static_cast<cuda_kit*>(of);
    check(k.driver->memcpy_htod_async(k.a, k.pageable, elements * sizeof(float), k.stream));
    check(k.driver->stream_synchronize(k.stream));
  }
  static void read_and_wait(void* of) {
    const auto& k = *static_cast<cuda_kit*>(of);
    check(k.driver->memcpy_dtoh_async(k.pageable, k.a, elements * sizeof(float), k.stream));
    check(k.driver->stream_synchronize(k.stream));
  }
  static void copy_and_wait(void* of) {
    const auto& k = *static_cast<cuda_kit*>(of);
    check(k.driver->memcpy_dtod_async(k.b, k.a, elements * sizeof(float), k.stream));
    check(k.driver->stream_synchronize(k.stream));
  }
  static void allocate(void* of) {
    const auto& k = *static_cast<cuda_kit*>(of);
    yoke::cuda::abi::device_pointer memory = 0;
    check(k.driver->mem_alloc(&memory, elements * sizeof(float)));
    check(k.driver->mem_free(memory));
  }
  static void allocate_ordered(void* of) {
    const auto& k = *static_cast<cuda_kit*>(of);
    yoke::cuda::abi::device_pointer memory = 0;
    check(k.driver->mem_alloc_async(&memory, elements * sizeof(float), k.stream));
    check(k.driver->mem_free_async(memory, k.stream));
  }
  static void record_new(void* of) {
    const auto& k = *static_cast<cuda_kit*>(of);
    yoke::cuda::abi::event event = nullptr;
    check(k.driver->event_create(&event, yoke::cuda::abi::event_disable_timing));
    check(k.driver->event_record(event, k.stream));
    check(k.driver->event_destroy(event));
  }
  template <class... Values>
  [[gnu::always_inline]] static void launch(void* of, Values... values) {
    const auto& k = *static_cast<cuda_kit*>(of);
    void* parameters[] = {const_cast<std::remove_const_t<Values>*>(&values)...};
    if (k.driver->launch_kernel(k.kernel, 1, 1, 1, threads, 1, 1, 0, k.stream, parameters, nullptr) != 0) [[unlikely]]
      std::abort();
  }
  static void launch_one(void* of) {
    const auto& k = *static_cast<cuda_kit*>(of);
    launch(of, k.a);
  }
  static void launch_eight(void* of) {
    const auto& k = *static_cast<cuda_kit*>(of);
    launch(of, k.a, k.b, k.b, k.b, 1.0f, 2.0f, 3, 64);
  }
  static void launch_sixteen(void* of) {
    const auto& k = *static_cast<cuda_kit*>(of);
    launch(of, k.a, k.b, k.b, k.b, k.b, k.b, k.b, k.b, 1.0f, 2.0f, 3.0f, 4.0f, 5, 6, 7, 64);
  }
  static void launch_changing_eight(void* of) {
    auto& k = *static_cast<cuda_kit*>(of);
    const int i = ++k.step;
    const auto f = static_cast<float>(i);
    launch(of, k.a, k.b, k.b, k.b, f, f, i, i);
  }
  static void launch_changing_sixteen(void* of) {
    auto& k = *static_cast<cuda_kit*>(of);
    const int i = ++k.step;
    const auto f = static_cast<float>(i);
    launch(of, k.a, k.b, k.b, k.b, k.b, k.b, k.b, k.b, f, f, f, f, i, i, i, i);
  }
};

template <class Kit>
void measure_raw(const char* backend, Kit& with) {
  measure(backend, "raw", "launch/1", with, &Kit::launch_one);
  measure(backend, "raw", "launch/8", with, &Kit::launch_eight);
  measure(backend, "raw", "launch/16", with, &Kit::launch_sixteen);
  measure(backend, "raw", "launch_changing/8", with, &Kit::launch_changing_eight);
  measure(backend, "raw", "launch_changing/16", with, &Kit::launch_changing_sixteen);
  measure(backend, "raw", "record", with, &Kit::record);
  measure(backend, "raw", "wait", with, &Kit::wait);
  measure(backend, "raw", "wait/other", with, &Kit::wait_for_other);
  measure(backend, "raw", "wait/fresh", with, &Kit::record_and_wait_for_other);
  measure(backend, "raw", "copy/to", with, &Kit::write);
  measure(backend, "raw", "copy/from", with, &Kit::read);
  measure(backend, "raw", "copy/within", with, &Kit::copy);
  if constexpr (requires { &Kit::map; }) measure(backend, "raw", "copy/beside_a_view", with, &Kit::copy);
  measure(backend, "raw", "copy/blocking/to", with, &Kit::write_and_wait);
  measure(backend, "raw", "copy/blocking/from", with, &Kit::read_and_wait);
  measure(backend, "raw", "copy/blocking/within", with, &Kit::copy_and_wait);
  measure(backend, "raw", "allocate", with, &Kit::allocate);
  measure(backend, "raw", "allocate/ordered", with, &Kit::allocate_ordered);
  measure(backend, "raw", "record/new", with, &Kit::record_new);
  if constexpr (requires { &Kit::map; }) measure(backend, "raw", "map", with, &Kit::map);
}

/// Has an entry return at once that all is well.
template <class... Parameters>
void pass(int (*&entry)(Parameters...)) {
  entry = [](Parameters...) { return 0; };
}

template <class Port>
yoke::context<yoke::any_port> any_context(const Port& port, const yoke::device<Port>& device) {
  yoke::any_port::device_handle native{};
  const auto handle = device.native_handle();
  std::memcpy(&native.value, &handle, sizeof handle);
  return yoke::context<yoke::any_port>(yoke::device<yoke::any_port>::borrow(port, native));
}

void run_opencl() {
  yoke::opencl::abi::functions table = *yoke::opencl::port{}.table();
  const yoke::opencl::port port{&table};
  const auto device = yoke::opencl::device(port, 0);
  kit<yoke::opencl::port> with{yoke::opencl::context(device)};
  kit<yoke::any_port> any{any_context(port, device)};
  with.launch_all();  // makes what first launches make
  any.launch_all();
  const auto real = table;
  // What follows puts others in their place, which are none.
  const std::array<yoke::opencl::abi::event, 4> points{
      with.point.native_handle(), with.apart.native_handle(),
      static_cast<yoke::opencl::abi::event>(any.point.native_handle().value),
      static_cast<yoke::opencl::abi::event>(any.apart.native_handle().value)};
  pass(table.set_kernel_arg);
  pass(table.enqueue_kernel);
  table.enqueue_write_buffer = [](auto, auto, auto, auto, auto, auto, auto, auto, yoke::opencl::abi::event* event) {
    static char only;
    if (event != nullptr) *event = reinterpret_cast<yoke::opencl::abi::event>(&only);
    return 0;
  };
  table.enqueue_read_buffer = [](auto, auto, auto, auto, auto, auto, auto, auto, yoke::opencl::abi::event* event) {
    static char only;
    if (event != nullptr) *event = reinterpret_cast<yoke::opencl::abi::event>(&only);
    return 0;
  };
  pass(table.enqueue_barrier);
  pass(table.release_event);
  pass(table.wait_for_events);
  pass(table.flush);
  pass(table.enqueue_unmap_memory);
  pass(table.retain_memory);
  pass(table.release_memory);
  pass(table.retain_queue);
  pass(table.release_queue);
  table.enqueue_copy_buffer = [](auto, auto, auto, auto, auto, auto, auto, auto, yoke::opencl::abi::event* event) {
    static char only;
    if (event != nullptr) *event = reinterpret_cast<yoke::opencl::abi::event>(&only);
    return 0;
  };
  table.create_buffer = [](auto, auto, auto, auto, yoke::opencl::abi::status* status) {
    static char only;
    *status = 0;
    return reinterpret_cast<yoke::opencl::abi::memory>(&only);
  };
  table.enqueue_map_buffer = [](auto, auto, auto, auto, auto, auto, auto, auto, yoke::opencl::abi::event* event,
                                yoke::opencl::abi::status* status) -> void* {
    static char only;
    if (event != nullptr) *event = reinterpret_cast<yoke::opencl::abi::event>(&only);
    *status = 0;
    return &only;
  };
  // A question to the driver would show.
  table.get_event_info = [](auto, auto, auto, auto, auto) -> yoke::opencl::abi::status { std::abort(); };
  // A new event each time shows as two that take turns.
  table.enqueue_marker = [](auto, auto, auto, yoke::opencl::abi::event* event) {
    static char first;
    static char second;
    static bool turn = false;
    turn = !turn;
    *event = reinterpret_cast<yoke::opencl::abi::event>(turn ? &first : &second);
    return 0;
  };
  opencl_kit raw{&table,
                 with.stream.native_handle(),
                 with.one.native_handle(),
                 with.a.native_handle(),
                 with.b.native_handle(),
                 with.host.data(),
                 points[0],
                 with.other.native_handle(),
                 with.apart.native_handle(),
                 with.context.native_handle(),
                 with.pageable.data()};
  measure_raw("opencl", raw);
  measure_yoke("opencl", "yoke", with);
  measure_yoke("opencl", "any", any);
  // Who waits for an event is told how its command has ended, and asks.
  table.get_event_info = [](auto, auto, auto, void* status, auto) -> yoke::opencl::abi::status {
    return *static_cast<yoke::opencl::abi::status*>(status) = 0;
  };
  measure_async("opencl", "raw", raw);
  measure_async("opencl", "yoke", with);
  measure_async("opencl", "any", any);
  for (yoke::event<yoke::opencl::port>* each : {&with.point, &with.apart}) (void)each->release();
  for (yoke::event<>* each : {&any.point, &any.apart}) (void)each->release();
  table = real;
  for (const auto each : points) check(table.release_event(each));
}

void run_cuda() {
  yoke::cuda::abi::functions table = *yoke::cuda::port{}.table();
  const yoke::cuda::port port{&table};
  const auto device = yoke::cuda::device(port, 0);
  kit<yoke::cuda::port> with{yoke::cuda::context(device)};
  kit<yoke::any_port> any{any_context(port, device)};
  with.launch_all();
  any.launch_all();
  const auto real = table;
  pass(table.launch_kernel);
  pass(table.event_record);
  pass(table.stream_wait_event);
  pass(table.memcpy_htod_async);
  pass(table.memcpy_dtoh_async);
  pass(table.memcpy_dtod_async);
  pass(table.stream_synchronize);
  pass(table.mem_free);
  pass(table.mem_free_async);
  pass(table.event_destroy);
  pass(table.event_synchronize);
  pass(table.context_push);
  table.mem_alloc = [](yoke::cuda::abi::device_pointer* memory, auto) -> yoke::cuda::abi::status {
    *memory = 4096;
    return 0;
  };
  table.mem_alloc_async = [](yoke::cuda::abi::device_pointer* memory, auto, auto) -> yoke::cuda::abi::status {
    *memory = 4096;
    return 0;
  };
  table.event_create = [](yoke::cuda::abi::event* event, auto) -> yoke::cuda::abi::status {
    static char only;
    *event = reinterpret_cast<yoke::cuda::abi::event>(&only);
    return 0;
  };
  // Questions are answered at once, too.
  static yoke::cuda::abi::context current = nullptr;
  static yoke::cuda::abi::ulong number = 0;
  current = with.context.native_handle();
  check(table.context_get_id(current, &number));
  table.stream_get_context = [](auto, yoke::cuda::abi::context* context) -> yoke::cuda::abi::status {
    *context = current;
    return 0;
  };
  table.context_get_current = [](yoke::cuda::abi::context* context) -> yoke::cuda::abi::status {
    *context = current;
    return 0;
  };
  table.context_get_id = [](auto, yoke::cuda::abi::ulong* id) -> yoke::cuda::abi::status {
    *id = number;
    return 0;
  };
  cuda_kit raw{&table,
               with.stream.native_handle(),
               reinterpret_cast<yoke::cuda::abi::function>(with.one.native_handle()),
               with.a.native_handle(),
               with.b.native_handle(),
               with.host.data(),
               with.point.native_handle(),
               with.other.native_handle(),
               with.apart.native_handle(),
               with.pageable.data()};
  measure_raw("cuda", raw);
  measure_yoke("cuda", "yoke", with);
  measure_yoke("cuda", "any", any);
  measure_async("cuda", "raw", raw);
  measure_async("cuda", "yoke", with);
  measure_async("cuda", "any", any);
  table = real;
}

}  // namespace

// usage: instructions opencl|cuda
int main(int count, char** arguments) {
  if (count != 2) return 2;
  try {
    if (std::strcmp(arguments[1], "opencl") == 0) {
      run_opencl();
    } else {
      run_cuda();
    }
  } catch (const yoke::error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}

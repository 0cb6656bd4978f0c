// SPDX-License-Identifier: MIT
// Launches, records and waits against drivers whose calls return at once, for benchmarks/instructions.sh to count the instructions of.
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
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
};

/// Every operation of a kit, yoke's or the raw calls'.
template <class Kit>
void measure_all(const char* backend, const char* kind, Kit& with) {
  measure(backend, kind, "launch/1", with, &Kit::launch_one);
  measure(backend, kind, "launch/8", with, &Kit::launch_eight);
  measure(backend, kind, "launch/16", with, &Kit::launch_sixteen);
  measure(backend, kind, "launch_changing/8", with, &Kit::launch_changing_eight);
  measure(backend, kind, "launch_changing/16", with, &Kit::launch_changing_sixteen);
  measure(backend, kind, "record", with, &Kit::record);
  measure(backend, kind, "wait", with, &Kit::wait);
  measure(backend, kind, "wait/other", with, &Kit::wait_for_other);
  measure(backend, kind, "wait/fresh", with, &Kit::record_and_wait_for_other);
}

[[gnu::always_inline]] inline void check(int code) {
  if (code != 0) [[unlikely]]
    std::abort();
}

/// The launches of a kit of raw calls, whose `launch` gives a code.
template <class Kit>
struct raw_launches {
  int step = 0;

  static void launch_one(void* of) {
    const auto& k = *static_cast<Kit*>(of);
    check(k.launch(k.a));
  }
  static void launch_eight(void* of) {
    const auto& k = *static_cast<Kit*>(of);
    check(k.launch(k.a, k.b, k.b, k.b, 1.0f, 2.0f, 3, 64));
  }
  static void launch_sixteen(void* of) {
    const auto& k = *static_cast<Kit*>(of);
    check(k.launch(k.a, k.b, k.b, k.b, k.b, k.b, k.b, k.b, 1.0f, 2.0f, 3.0f, 4.0f, 5, 6, 7, 64));
  }
  static void launch_changing_eight(void* of) {
    auto& k = *static_cast<Kit*>(of);
    const int i = ++k.step;
    const auto f = static_cast<float>(i);
    check(k.launch(k.a, k.b, k.b, k.b, f, f, i, i));
  }
  static void launch_changing_sixteen(void* of) {
    auto& k = *static_cast<Kit*>(of);
    const int i = ++k.step;
    const auto f = static_cast<float>(i);
    check(k.launch(k.a, k.b, k.b, k.b, k.b, k.b, k.b, k.b, f, f, f, f, i, i, i, i));
  }
};

/// The same by OpenCL's own calls, each of whose codes is looked at.
struct opencl_kit : raw_launches<opencl_kit> {
  using abi = yoke::opencl::abi::functions;
  const yoke::opencl::abi::functions* driver;
  yoke::opencl::abi::queue queue;
  yoke::opencl::abi::kernel kernel;
  yoke::opencl::abi::memory a;
  yoke::opencl::abi::memory b;
  yoke::opencl::abi::event point;
  yoke::opencl::abi::queue other;
  yoke::opencl::abi::event apart;

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
};

/// The same by CUDA's own calls.
struct cuda_kit : raw_launches<cuda_kit> {
  const yoke::cuda::abi::functions* driver;
  yoke::cuda::abi::stream stream;
  yoke::cuda::abi::function kernel;
  yoke::cuda::abi::device_pointer a;
  yoke::cuda::abi::device_pointer b;
  yoke::cuda::abi::event point;
  yoke::cuda::abi::stream other;
  yoke::cuda::abi::event apart;

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
  template <class... Values>
  [[gnu::always_inline]] int launch(Values... values) const {
    void* parameters[] = {const_cast<std::remove_const_t<Values>*>(&values)...};
    return driver->launch_kernel(kernel, 1, 1, 1, threads, 1, 1, 0, stream, parameters, nullptr);
  }
};

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
  pass(table.enqueue_barrier);
  pass(table.release_event);
  pass(table.flush);
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
  opencl_kit raw{{},
                 &table,
                 with.stream.native_handle(),
                 with.one.native_handle(),
                 with.a.native_handle(),
                 with.b.native_handle(),
                 points[0],
                 with.other.native_handle(),
                 with.apart.native_handle()};
  measure_all("opencl", "raw", raw);
  measure_all("opencl", "yoke", with);
  measure_all("opencl", "any", any);
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
  pass(table.context_push);
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
  cuda_kit raw{{},
               &table,
               with.stream.native_handle(),
               reinterpret_cast<yoke::cuda::abi::function>(with.one.native_handle()),
               with.a.native_handle(),
               with.b.native_handle(),
               with.point.native_handle(),
               with.other.native_handle(),
               with.apart.native_handle()};
  measure_all("cuda", "raw", raw);
  measure_all("cuda", "yoke", with);
  measure_all("cuda", "any", any);
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

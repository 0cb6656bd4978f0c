// SPDX-License-Identifier: MIT
// Launches against a driver whose calls return at once, for benchmarks/instructions.sh to count the instructions of.
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <yoke/yoke.hpp>

namespace {

namespace abi = yoke::opencl::abi;

constexpr const char* source = R"(
YOKE_KERNEL nullary(void) {}
YOKE_KERNEL unary(YOKE_GLOBAL float* a) { a[0] = 1; }
YOKE_KERNEL octonary(YOKE_GLOBAL float* a, YOKE_GLOBAL const float* b, YOKE_GLOBAL const float* c,
                     YOKE_GLOBAL const float* d, float x, float y, int m, int n) {
  a[0] = b[0] + c[0] + d[0] + x + y + m + n;
}
)";

abi::status set_nothing(abi::kernel, abi::uint, std::size_t, const void*) { return 0; }
abi::status enqueue_nothing(abi::queue, abi::kernel, abi::uint, const std::size_t*, const std::size_t*,
                            const std::size_t*, abi::uint, const abi::event*, abi::event*) {
  return 0;
}

constexpr std::size_t block = 16;
constexpr yoke::launch_shape shape{.grid = 1, .block = block};

template <class Port>
struct kit {
  yoke::context<Port> context;
  yoke::stream<Port> stream{context};
  yoke::module<Port> module = yoke::compile(context, source);
  yoke::kernel<void(), Port> nullary = yoke::get_kernel<void()>(module, "nullary");
  yoke::kernel<void(float*), Port> unary = yoke::get_kernel<void(float*)>(module, "unary");
  using octonary_signature = void(float*, const float*, const float*, const float*, float, float, int, int);
  yoke::kernel<octonary_signature, Port> octonary = yoke::get_kernel<octonary_signature>(module, "octonary");
  yoke::device_allocation<float, Port> a{context, 64};
  yoke::device_allocation<float, Port> b{context, 64};
};

template <class Kit>
[[gnu::noinline]] void launch(const Kit& with, Kit& memory, int arguments) {
  if (arguments == 0) with.nullary(with.stream, shape);
  if (arguments == 1) with.unary(with.stream, shape, memory.a);
  if (arguments == 8) with.octonary(with.stream, shape, memory.a, memory.b, memory.b, memory.b, 1.0f, 2.0f, 3, 64);
}

[[gnu::noinline]] abi::status launch_raw(const abi::functions& driver, abi::queue queue, abi::kernel kernel,
                                         const std::array<abi::memory, 2>& memory, int arguments) {
  const std::size_t size = block;
  abi::status code = 0;
  const auto set = [&](abi::uint index, const auto& value) {
    if (code == 0) code = driver.set_kernel_arg(kernel, index, sizeof value, &value);
  };
  if (arguments >= 1) set(0, memory[0]);
  if (arguments == 8) {
    set(1, memory[1]);
    set(2, memory[1]);
    set(3, memory[1]);
    set(4, 1.0f);
    set(5, 2.0f);
    set(6, 3);
    set(7, 64);
  }
  return code == 0 ? driver.enqueue_kernel(queue, kernel, 1, nullptr, &size, &size, 0, nullptr, nullptr) : code;
}

// The counter looks for this name; what it runs differs.
extern "C" [[gnu::noinline]] void yoke_measured(void (*run)(void*, int), void* with, int arguments, int launches) {
  for (int i = 0; i < launches; ++i) run(with, arguments);
}

template <class Port>
void measure(kit<Port>& with, abi::functions& driver, int arguments, int launches) {
  launch(with, with, arguments);  // makes what a first launch makes
  with.stream.synchronize();
  driver.set_kernel_arg = set_nothing;
  driver.enqueue_kernel = enqueue_nothing;
  const auto run = [](void* kit_of, int count) {
    auto& used = *static_cast<kit<Port>*>(kit_of);
    launch(used, used, count);
  };
  yoke_measured(run, &with, arguments, launches);
}

struct raw_kit {
  abi::functions* driver;
  abi::queue queue;
  abi::kernel kernel;
  std::array<abi::memory, 2> memory;
};

void measure_raw(kit<yoke::opencl::port>& with, abi::functions& driver, int arguments, int launches) {
  driver.set_kernel_arg = set_nothing;
  driver.enqueue_kernel = enqueue_nothing;
  const abi::kernel none = nullptr;  // nobody looks at it
  raw_kit raw{&driver, with.stream.native_handle(), none, {with.a.native_handle(), with.b.native_handle()}};
  const auto run = [](void* kit_of, int count) {
    const auto& used = *static_cast<raw_kit*>(kit_of);
    if (launch_raw(*used.driver, used.queue, used.kernel, used.memory, count) != 0) std::abort();
  };
  yoke_measured(run, &raw, arguments, launches);
}

}  // namespace

// usage: instructions raw|yoke|any ARGUMENTS LAUNCHES
int main(int count, char** arguments) {
  if (count != 4) return 2;
  const int parameters = std::atoi(arguments[2]);
  const int launches = std::atoi(arguments[3]);
  try {
    abi::functions driver = *yoke::opencl::port{}.table();
    const yoke::opencl::port port{&driver};
    const auto device = yoke::opencl::device(port, 0);
    if (std::strcmp(arguments[1], "any") == 0) {
      kit<yoke::any_port> with{yoke::context<yoke::any_port>(
          yoke::device<yoke::any_port>::borrow(port, yoke::any_port::device_handle{device.native_handle()}))};
      measure(with, driver, parameters, launches);
    } else {
      kit<yoke::opencl::port> with{yoke::opencl::context(device)};
      if (std::strcmp(arguments[1], "raw") == 0) {
        measure_raw(with, driver, parameters, launches);
      } else {
        measure(with, driver, parameters, launches);
      }
    }
  } catch (const yoke::error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}

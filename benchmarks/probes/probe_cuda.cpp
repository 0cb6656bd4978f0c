// SPDX-License-Identifier: MIT
// What yoke adds to CUDA's driver interface, measured without anything of ./dev bench. See probe.hpp for the method.
// g++ -std=c++20 -O2 -DYOKE_HEADER_ONLY -I<yoke>/include probe_cuda.cpp -o probe_cuda -ldl -pthread      (no toolkit)
// PROBE_DEVICE=n or --device n  PROBE_CLOCK=wall|thread  PROBE_SECONDS=48  PROBE_SITTINGS=10  PROBE_ONLY=word
// PROBE_BUSY_US=1000  PROBE_ENTRY=dlsym: the raw side calls the library's exported symbols, not what cuGetProcAddress gives
#include <dlfcn.h>

#include <yoke/cuda.hpp>
#include <yoke/yoke.hpp>

#include <memory>
#include <optional>

#include "probe.hpp"

using probe::must;
namespace cu = yoke::cuda;

// k1: thread 0 stores 1. k8, k16: read two integers and store where they say, which is never. spin: so many nanoseconds.
static const char ptx[] = R"(.version 7.0
.target sm_75
.address_size 64

.visible .entry k1(.param .u64 k1_a)
{
  .reg .pred %p1;
  .reg .u32 %r1;
  .reg .f32 %f1;
  .reg .u64 %rd<3>;
  mov.u32 %r1, %tid.x;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra K1_END;
  ld.param.u64 %rd1, [k1_a];
  cvta.to.global.u64 %rd2, %rd1;
  mov.f32 %f1, 0f3F800000;
  st.global.f32 [%rd2], %f1;
K1_END:
  ret;
}

.visible .entry k8(.param .u64 k8_a, .param .u64 k8_b, .param .u64 k8_c, .param .u64 k8_d, .param .f32 k8_x,
                   .param .f32 k8_y, .param .u32 k8_m, .param .u32 k8_n)
{
  .reg .pred %p1;
  .reg .u32 %r<5>;
  .reg .f32 %f<4>;
  .reg .u64 %rd<3>;
  mov.u32 %r1, %tid.x;
  ld.param.u32 %r2, [k8_m];
  ld.param.u32 %r3, [k8_n];
  add.u32 %r4, %r2, %r3;
  setp.lt.u32 %p1, %r1, %r4;
  @%p1 bra K8_END;
  ld.param.f32 %f1, [k8_x];
  ld.param.f32 %f2, [k8_y];
  add.f32 %f3, %f1, %f2;
  ld.param.u64 %rd1, [k8_a];
  cvta.to.global.u64 %rd2, %rd1;
  st.global.f32 [%rd2], %f3;
K8_END:
  ret;
}

.visible .entry k16(.param .u64 k16_a, .param .u64 k16_b, .param .u64 k16_c, .param .u64 k16_d, .param .u64 k16_e,
                    .param .u64 k16_f, .param .u64 k16_g, .param .u64 k16_h, .param .f32 k16_x, .param .f32 k16_y,
                    .param .f32 k16_z, .param .f32 k16_w, .param .u32 k16_k, .param .u32 k16_l, .param .u32 k16_m,
                    .param .u32 k16_n)
{
  .reg .pred %p1;
  .reg .u32 %r<5>;
  .reg .f32 %f<4>;
  .reg .u64 %rd<3>;
  mov.u32 %r1, %tid.x;
  ld.param.u32 %r2, [k16_m];
  ld.param.u32 %r3, [k16_n];
  add.u32 %r4, %r2, %r3;
  setp.lt.u32 %p1, %r1, %r4;
  @%p1 bra K16_END;
  ld.param.f32 %f1, [k16_x];
  ld.param.f32 %f2, [k16_w];
  add.f32 %f3, %f1, %f2;
  ld.param.u64 %rd1, [k16_a];
  cvta.to.global.u64 %rd2, %rd1;
  st.global.f32 [%rd2], %f3;
K16_END:
  ret;
}

.visible .entry spin(.param .u64 spin_ns)
{
  .reg .pred %p1;
  .reg .u64 %rd<5>;
  ld.param.u64 %rd1, [spin_ns];
  mov.u64 %rd2, %globaltimer;
SPIN_MORE:
  mov.u64 %rd3, %globaltimer;
  sub.u64 %rd4, %rd3, %rd2;
  setp.lt.u64 %p1, %rd4, %rd1;
  @%p1 bra SPIN_MORE;
  ret;
}
)";
using F = float*;
using C = const float*;

// --- the C side: the driver's entries with prototypes of our own ---
using result = int;
using device_pointer = unsigned long long;
using stream_t = void*;
using event_t = void*;
using function_t = void*;
static struct {
  result (*init)(unsigned);
  result (*ctx_set_current)(void*);
  result (*module_load_data)(void**, const void*);
  result (*module_unload)(void*);
  result (*module_get_function)(function_t*, void*, const char*);
  result (*launch)(function_t, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, stream_t, void**,
                   void**);
  result (*event_create)(event_t*, unsigned);
  result (*event_record)(event_t, stream_t);
  result (*event_query)(event_t);
  result (*event_destroy)(event_t);
  result (*stream_wait)(stream_t, event_t, unsigned);
  result (*stream_synchronize)(stream_t);
  result (*htod)(device_pointer, const void*, std::size_t, stream_t);
  result (*dtoh)(void*, device_pointer, std::size_t, stream_t);
  result (*dtod)(device_pointer, device_pointer, std::size_t, stream_t);
} cuda;
using find_t = result (*)(const char*, void**, int, unsigned long long, int*);
static void* library;
static find_t find_entry;
template <class Function>
static void get(Function*& into, const char* name, const char* exported) {
  void* found = nullptr;
  int why = 0;
  if (find_entry != nullptr && find_entry(name, &found, 12000, 0, &why) == 0 && found != nullptr) {
    into = reinterpret_cast<Function*>(found);
    return;
  }
  found = dlsym(library, exported);
  if (found == nullptr) {
    std::fprintf(stderr, "probe: the driver has no %s\n", exported);
    std::exit(2);
  }
  into = reinterpret_cast<Function*>(found);
}
static void open_driver() {
  const char* name = std::getenv("PROBE_LIBCUDA");
  library = dlopen(name != nullptr ? name : "libcuda.so.1", RTLD_NOW);
  if (library == nullptr) {
    std::fprintf(stderr, "probe: %s\n", dlerror());
    std::exit(2);
  }
  const char* entry = std::getenv("PROBE_ENTRY");
  if (entry == nullptr || std::strcmp(entry, "dlsym") != 0)
    find_entry = reinterpret_cast<find_t>(dlsym(library, "cuGetProcAddress_v2"));
  get(cuda.init, "cuInit", "cuInit");
  get(cuda.ctx_set_current, "cuCtxSetCurrent", "cuCtxSetCurrent");
  get(cuda.module_load_data, "cuModuleLoadData", "cuModuleLoadData");
  get(cuda.module_unload, "cuModuleUnload", "cuModuleUnload");
  get(cuda.module_get_function, "cuModuleGetFunction", "cuModuleGetFunction");
  get(cuda.launch, "cuLaunchKernel", "cuLaunchKernel");
  get(cuda.event_create, "cuEventCreate", "cuEventCreate");
  get(cuda.event_record, "cuEventRecord", "cuEventRecord");
  get(cuda.event_query, "cuEventQuery", "cuEventQuery");
  get(cuda.event_destroy, "cuEventDestroy", "cuEventDestroy_v2");
  get(cuda.stream_wait, "cuStreamWaitEvent", "cuStreamWaitEvent");
  get(cuda.stream_synchronize, "cuStreamSynchronize", "cuStreamSynchronize");
  get(cuda.htod, "cuMemcpyHtoDAsync", "cuMemcpyHtoDAsync_v2");
  get(cuda.dtoh, "cuMemcpyDtoHAsync", "cuMemcpyDtoHAsync_v2");
  get(cuda.dtod, "cuMemcpyDtoDAsync", "cuMemcpyDtoDAsync_v2");
}

static constexpr std::size_t small_bytes = 4096;
static struct {
  stream_t stream, other;
  device_pointer a, b, first, second;
  void* host;
  function_t spin;
  event_t busy_end;
  unsigned long long spin_ns;
} w;

static void keep_busy(stream_t on) {
  void* parameters[] = {&w.spin_ns};
  must(cuda.launch(w.spin, 1, 1, 1, 1, 1, 1, 0, on, parameters, nullptr), "cuLaunchKernel");
  must(cuda.event_record(w.busy_end, on), "cuEventRecord");
}
static void busy_stream() { keep_busy(w.stream); }
static bool still_busy() { return cuda.event_query(w.busy_end) == 600; }  // CUDA_ERROR_NOT_READY
static void finish_both() {
  must(cuda.stream_synchronize(w.other), "cuStreamSynchronize");
  must(cuda.stream_synchronize(w.stream), "cuStreamSynchronize");
}
template <class... A>
static inline void raw_launch(function_t f, A... each) {
  void* parameters[] = {&each...};
  must(cuda.launch(f, 1, 1, 1, 16, 1, 1, 0, w.stream, parameters, nullptr), "cuLaunchKernel");
}
struct module_owner {
  void* module = nullptr;
  function_t f = nullptr;
  explicit module_owner(const char* name) {
    must(cuda.module_load_data(&module, ptx), "cuModuleLoadData");
    must(cuda.module_get_function(&f, module, name), "cuModuleGetFunction");
  }
  module_owner(const module_owner&) = delete;
  module_owner& operator=(const module_owner&) = delete;
  ~module_owner() { cuda.module_unload(module); }
};
struct event_owner {
  event_t e = nullptr;
  event_owner() { must(cuda.event_create(&e, 2), "cuEventCreate"); }  // CU_EVENT_DISABLE_TIMING
  event_owner(const event_owner&) = delete;
  event_owner& operator=(const event_owner&) = delete;
  ~event_owner() { cuda.event_destroy(e); }
};

template <int N, int Copy = 0>
static probe::side raw_launches() {
  auto own = std::make_shared<module_owner>(N == 1 ? "k1" : N == 8 ? "k8" : "k16");
  return {busy_stream,
          [own](int times) {
            PROBE_ELSEWHERE(Copy);
            const function_t f = own->f;
            const device_pointer a = w.a, b = w.b;
            for (int i = 0; i < times; ++i) {
              if constexpr (N == 1) raw_launch(f, a);
              if constexpr (N == 8) raw_launch(f, a, b, b, b, 1.0f, 2.0f, 3, 64);
              if constexpr (N == 16) raw_launch(f, a, b, b, b, b, b, b, b, 1.0f, 2.0f, 3.0f, 4.0f, 5, 6, 7, 64);
            }
          },
          still_busy, finish_both};
}
template <int Copy = 0>
static probe::side raw_records() {
  auto own = std::make_shared<event_owner>();
  return {busy_stream,
          [own](int times) {
            PROBE_ELSEWHERE(Copy);
            for (int i = 0; i < times; ++i) must(cuda.event_record(own->e, w.stream), "cuEventRecord");
          },
          still_busy, finish_both};
}
template <int Copy = 0>
static probe::side raw_waits() {
  auto own = std::make_shared<event_owner>();
  return {[own] {
            keep_busy(w.other);
            must(cuda.event_record(own->e, w.other), "cuEventRecord");
          },
          [own](int times) {
            PROBE_ELSEWHERE(Copy);
            for (int i = 0; i < times; ++i) must(cuda.stream_wait(w.stream, own->e, 0), "cuStreamWaitEvent");
          },
          still_busy, finish_both};
}
template <int Way, int Copy = 0>
static probe::side raw_copies() {
  return {busy_stream,
          [](int times) {
            PROBE_ELSEWHERE(Copy);
            for (int i = 0; i < times; ++i) {
              if constexpr (Way == 0) must(cuda.htod(w.first, w.host, small_bytes, w.stream), "cuMemcpyHtoDAsync");
              if constexpr (Way == 1) must(cuda.dtoh(w.host, w.first, small_bytes, w.stream), "cuMemcpyDtoHAsync");
              if constexpr (Way == 2) must(cuda.dtod(w.second, w.first, small_bytes, w.stream), "cuMemcpyDtoDAsync");
            }
          },
          still_busy, finish_both};
}

// --- yoke's side ---
struct yoke_world {
  cu::context context;
  cu::stream stream{context}, other{context};
  cu::device_allocation<float> a{context, 64}, b{context, 64};
  cu::device_allocation<unsigned char> first{context, small_bytes}, second{context, small_bytes};
  yoke::pagelocked_array<unsigned char, cu::port> host{context, small_bytes};
  explicit yoke_world(const cu::device& d) : context(d) {}
};
static yoke_world* y;
static constexpr yoke::launch_shape shape{.grid = 1, .block = 16};
static cu::module yoke_module() { return cu::load_image(y->context, std::as_bytes(std::span(ptx, sizeof ptx - 1))); }
template <int N>
static probe::side yoke_launches() {
  const auto make = [] {
    auto module = yoke_module();
    if constexpr (N == 1) return module.get_kernel<void(F)>("k1");
    if constexpr (N == 8) return module.get_kernel<void(F, C, C, C, float, float, int, int)>("k8");
    if constexpr (N == 16)
      return module.get_kernel<void(F, C, C, C, C, C, C, C, float, float, float, float, int, int, int, int)>("k16");
  };
  auto own = std::make_shared<decltype(make())>(make());  // keeps its module
  return {busy_stream,
          [own](int times) {
            const auto& k = *own;
            auto& b = y->b;
            for (int i = 0; i < times; ++i) {
              if constexpr (N == 1) k(y->stream, shape, y->a);
              if constexpr (N == 8) k(y->stream, shape, y->a, b, b, b, 1.0f, 2.0f, 3, 64);
              if constexpr (N == 16)
                k(y->stream, shape, y->a, b, b, b, b, b, b, b, 1.0f, 2.0f, 3.0f, 4.0f, 5, 6, 7, 64);
            }
            (void)b;
          },
          still_busy, finish_both};
}
static probe::side yoke_records() {
  auto own = std::make_shared<cu::event>(y->stream.record());
  return {busy_stream,
          [own](int times) {
            for (int i = 0; i < times; ++i) y->stream.record_into(*own);
          },
          still_busy, finish_both};
}
static probe::side yoke_waits() {
  auto own = std::make_shared<cu::event>(y->other.record());
  return {[own] {
            keep_busy(w.other);
            y->other.record_into(*own);
          },
          [own](int times) {
            for (int i = 0; i < times; ++i) y->stream.wait(*own);
          },
          still_busy, finish_both};
}
template <int Way>
static probe::side yoke_copies() {
  return {busy_stream,
          [](int times) {
            for (int i = 0; i < times; ++i) {
              if constexpr (Way == 0) yoke::enqueue_copy(y->host, y->first, y->stream);
              if constexpr (Way == 1) yoke::enqueue_copy(y->first, y->host, y->stream);
              if constexpr (Way == 2) yoke::enqueue_copy(y->first, y->second, y->stream);
            }
          },
          still_busy, finish_both};
}

int main(int count, char** arguments) {
  int wanted = int(probe::number_of("PROBE_DEVICE", 0));
  for (int i = 1; i + 1 < count; ++i)
    if (std::strcmp(arguments[i], "--device") == 0) wanted = std::atoi(arguments[i + 1]);
  open_driver();
  must(cuda.init(0), "cuInit");
  const cu::device device{wanted};
  const auto facts = device.summary();
  yoke_world world(device);
  y = &world;
  const std::vector<float> ones(64, 1.0f);
  yoke::copy(ones, world.a, world.stream);
  yoke::copy(ones, world.b, world.stream);
  std::vector<unsigned char> filled(small_bytes);
  for (std::size_t i = 0; i < small_bytes; ++i) filled[i] = static_cast<unsigned char>(i * 37 + i / 7 + 1);
  std::memcpy(world.host.data(), filled.data(), small_bytes);
  yoke::copy(filled, world.first, world.stream);
  yoke::copy(filled, world.second, world.stream);

  must(cuda.ctx_set_current(world.context.native_handle()), "cuCtxSetCurrent");
  w.stream = world.stream.native_handle();
  w.other = world.other.native_handle();
  w.a = world.a.native_handle();
  w.b = world.b.native_handle();
  w.first = world.first.native_handle();
  w.second = world.second.native_handle();
  w.host = world.host.data();
  module_owner spin("spin");
  w.spin = spin.f;
  event_owner end;
  w.busy_end = end.e;
  w.spin_ns = static_cast<unsigned long long>(1e3 * probe::number_of("PROBE_BUSY_US", 1000));
  const char* clock = std::getenv("PROBE_CLOCK");
  probe::thread_clock = clock != nullptr && std::strcmp(clock, "thread") == 0;
  for (int i = 0; i < 3; ++i) {
    busy_stream();
    finish_both();
  }
  const double start = probe::wall();
  busy_stream();
  finish_both();
  std::printf("# CUDA, %s, driver %s; %s; busy for %.0f us; entries by %s\n", facts.name.c_str(),
              facts.driver_version.c_str(), probe::thread_clock ? "processor time of the thread" : "elapsed time",
              1e6 * (probe::wall() - start), find_entry != nullptr ? "cuGetProcAddress" : "dlsym");
  probe::run({{"launch/1", raw_launches<1>, yoke_launches<1>, raw_launches<1, 1>},
              {"launch/8", raw_launches<8>, yoke_launches<8>, raw_launches<8, 1>},
              {"launch/16", raw_launches<16>, yoke_launches<16>, raw_launches<16, 1>},
              {"record_existing", raw_records<>, yoke_records, raw_records<1>},
              {"wait_other_stream", raw_waits<>, yoke_waits, raw_waits<1>},
              {"copy_4KiB_to_device", raw_copies<0>, yoke_copies<0>, raw_copies<0, 1>},
              {"copy_4KiB_from_device", raw_copies<1>, yoke_copies<1>, raw_copies<1, 1>},
              {"copy_4KiB_within", raw_copies<2>, yoke_copies<2>, raw_copies<2, 1>}});
  return 0;
}

// SPDX-License-Identifier: MIT
// What yoke adds to OpenCL's C interface, measured without anything of ./dev bench. See probe.hpp for the method.
// g++ -std=c++20 -O2 -DYOKE_HEADER_ONLY -I<yoke>/include -I<opencl headers> probe_opencl.cpp -o probe_opencl -lOpenCL -ldl -pthread
// PROBE_PLATFORM=substring  PROBE_DEVICE=n or --device n  PROBE_CLOCK=wall|thread  PROBE_SECONDS=48  PROBE_SITTINGS=10
// PROBE_ONLY=word  PROBE_MODE=callgrind
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <yoke/yoke.hpp>

#include <memory>
#include <optional>

#include "probe.hpp"

using probe::must;
namespace ocl = yoke::opencl;

static const char* text = R"(
kernel void k1(global float* a) { if (get_global_id(0) == 0) a[0] = 1.0f; }
kernel void k8(global float* a, global const float* b, global const float* c, global const float* d, float x, float y, int m, int n) {
  if ((int)get_global_id(0) >= m + n) a[0] = b[0] + c[0] + d[0] + x + y;
}
kernel void k16(global float* a, global const float* b, global const float* c, global const float* d, global const float* e,
                global const float* f, global const float* g, global const float* h, float x, float y, float z, float w,
                int k, int l, int m, int n) {
  if ((int)get_global_id(0) >= k + l + m + n) a[0] = b[0] + c[0] + d[0] + e[0] + f[0] + g[0] + h[0] + x + y + z + w;
}
kernel void spin(global float* a, int n) {
  float x = a[0];
  for (int i = 0; i < n; ++i) x = x * 0.999f + 0.5f;
  if (get_global_id(0) == 0) a[0] = x;
}
)";
using F = float*;
using C = const float*;

// --- the C side: what a program without yoke would hold and call ---
struct raw_world {
  cl_context context;
  cl_device_id device;
  cl_command_queue queue, other;
  cl_program program;
  cl_mem a, b, block;
  void* host;
  cl_kernel spin, spin_other;
  int spins;
  cl_kernel kernel(const char* name) const {
    cl_int code = 0;
    cl_kernel k = clCreateKernel(program, name, &code);
    must(code, "clCreateKernel");
    return k;
  }
};
static raw_world w;
static cl_event busy_end = nullptr;  // of the busy kernel of the current burst
static void keep_busy(cl_command_queue on, cl_kernel spin, cl_mem with) {
  must(clSetKernelArg(spin, 0, sizeof with, &with), "clSetKernelArg");
  must(clSetKernelArg(spin, 1, sizeof w.spins, &w.spins), "clSetKernelArg");
  const std::size_t n = 16;
  must(clEnqueueNDRangeKernel(on, spin, 1, nullptr, &n, &n, 0, nullptr, &busy_end), "clEnqueueNDRangeKernel");
  must(clFlush(on), "clFlush");
}
static bool still_busy() {
  cl_int status = 0;
  must(clGetEventInfo(busy_end, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), "clGetEventInfo");
  must(clReleaseEvent(busy_end), "clReleaseEvent");
  return status != CL_COMPLETE;
}
static void finish_both() {
  must(clFinish(w.other), "clFinish");
  must(clFinish(w.queue), "clFinish");
}
static void busy_queue() { keep_busy(w.queue, w.spin, w.a); }
static void busy_other() { keep_busy(w.other, w.spin_other, w.b); }

struct kernel_owner {
  cl_kernel k;
  ~kernel_owner() { clReleaseKernel(k); }
};
template <class... A>
static inline void raw_launch(cl_kernel k, const A&... each) {
  cl_uint i = 0;
  (must(clSetKernelArg(k, i++, sizeof each, &each), "clSetKernelArg"), ...);
  const std::size_t n = 16;
  must(clEnqueueNDRangeKernel(w.queue, k, 1, nullptr, &n, &n, 0, nullptr, nullptr), "clEnqueueNDRangeKernel");
}
struct event_owner {
  cl_event e = nullptr;
  ~event_owner() {
    if (e) clReleaseEvent(e);
  }
};

template <int N, int Copy = 0>
static probe::side raw_launches() {
  auto own = std::make_shared<kernel_owner>(w.kernel(N == 1 ? "k1" : N == 8 ? "k8" : "k16"));
  return {busy_queue,
          [own](int times) {
            PROBE_ELSEWHERE(Copy);
            const cl_kernel k = own->k;
            const cl_mem a = w.a, b = w.b;
            for (int i = 0; i < times; ++i) {
              if constexpr (N == 1) raw_launch(k, a);
              if constexpr (N == 8) raw_launch(k, a, b, b, b, 1.0f, 2.0f, 3, 64);
              if constexpr (N == 16) raw_launch(k, a, b, b, b, b, b, b, b, 1.0f, 2.0f, 3.0f, 4.0f, 5, 6, 7, 64);
            }
          },
          still_busy, finish_both};
}
template <int Copy = 0>
static probe::side raw_records() {
  auto own = std::make_shared<event_owner>();
  must(clEnqueueMarkerWithWaitList(w.queue, 0, nullptr, &own->e), "clEnqueueMarkerWithWaitList");
  return {busy_queue,
          [own](int times) {
            PROBE_ELSEWHERE(Copy);
            for (int i = 0; i < times; ++i) {
              cl_event next = nullptr;
              must(clEnqueueMarkerWithWaitList(w.queue, 0, nullptr, &next), "clEnqueueMarkerWithWaitList");
              must(clReleaseEvent(own->e), "clReleaseEvent");
              own->e = next;
            }
          },
          still_busy, finish_both};
}
template <int Copy = 0>
static probe::side raw_waits() {
  auto own = std::make_shared<event_owner>();
  return {[own] {
            busy_other();
            if (own->e) clReleaseEvent(own->e);
            must(clEnqueueMarkerWithWaitList(w.other, 0, nullptr, &own->e), "clEnqueueMarkerWithWaitList");
            must(clFlush(w.other), "clFlush");
          },
          [own](int times) {
            PROBE_ELSEWHERE(Copy);
            for (int i = 0; i < times; ++i)
              must(clEnqueueBarrierWithWaitList(w.queue, 1, &own->e, nullptr), "clEnqueueBarrierWithWaitList");
          },
          still_busy, finish_both};
}
static constexpr std::size_t small_bytes = 4096;
template <int Way, int Copy = 0>
static probe::side raw_copies() {
  return {busy_queue,
          [](int times) {
            PROBE_ELSEWHERE(Copy);
            for (int i = 0; i < times; ++i) {
              if constexpr (Way == 0)
                must(clEnqueueWriteBuffer(w.queue, w.block, CL_FALSE, 0, small_bytes, w.host, 0, nullptr, nullptr),
                     "clEnqueueWriteBuffer");
              else
                must(clEnqueueReadBuffer(w.queue, w.block, CL_FALSE, 0, small_bytes, w.host, 0, nullptr, nullptr),
                     "clEnqueueReadBuffer");
            }
          },
          still_busy, finish_both};
}

// --- yoke's side ---
struct yoke_world {
  ocl::context context;
  ocl::stream stream{context}, other{context};
  ocl::module module;
  ocl::device_allocation<float> a{context, 64}, b{context, 64};
  ocl::device_allocation<unsigned char> block{context, small_bytes};
  yoke::pagelocked_array<unsigned char, ocl::port> host{context, small_bytes};
  explicit yoke_world(const ocl::device& d)
      : context(d), module(yoke::compile(context, text, {.language = yoke::source_language::native})) {}
};
static yoke_world* y;
static constexpr yoke::launch_shape shape{.grid = 1, .block = 16};

template <int N>
static probe::side yoke_launches() {
  const auto make = [] {
    if constexpr (N == 1) return y->module.get_kernel<void(F)>("k1");
    if constexpr (N == 8) return y->module.get_kernel<void(F, C, C, C, float, float, int, int)>("k8");
    if constexpr (N == 16)
      return y->module.get_kernel<void(F, C, C, C, C, C, C, C, float, float, float, float, int, int, int, int)>("k16");
  };
  auto own = std::make_shared<decltype(make())>(make());
  return {busy_queue,
          [own](int times) {
            const auto& k = *own;
            const auto &a = y->a, &b = y->b;
            for (int i = 0; i < times; ++i) {
              if constexpr (N == 1) k(y->stream, shape, y->a);
              if constexpr (N == 8) k(y->stream, shape, y->a, b, b, b, 1.0f, 2.0f, 3, 64);
              if constexpr (N == 16)
                k(y->stream, shape, y->a, b, b, b, b, b, b, b, 1.0f, 2.0f, 3.0f, 4.0f, 5, 6, 7, 64);
            }
            (void)a;
          },
          still_busy, finish_both};
}
static probe::side yoke_records() {
  auto own = std::make_shared<ocl::event>(y->stream.record());
  return {busy_queue,
          [own](int times) {
            for (int i = 0; i < times; ++i) y->stream.record_into(*own);
          },
          still_busy, finish_both};
}
static probe::side yoke_waits() {
  auto own = std::make_shared<ocl::event>(y->other.record());
  return {[own] {
            busy_other();
            y->other.record_into(*own);
            y->other.flush();
          },
          [own](int times) {
            for (int i = 0; i < times; ++i) y->stream.wait(*own);
          },
          still_busy, finish_both};
}
template <int Way>
static probe::side yoke_copies() {
  return {busy_queue,
          [](int times) {
            for (int i = 0; i < times; ++i) {
              if constexpr (Way == 0)
                yoke::enqueue_copy(y->host, y->block, y->stream);
              else
                yoke::enqueue_copy(y->block, y->host, y->stream);
            }
          },
          still_busy, finish_both};
}

int main(int count, char** arguments) {
  int wanted = int(probe::number_of("PROBE_DEVICE", 0));
  for (int i = 1; i + 1 < count; ++i)
    if (std::strcmp(arguments[i], "--device") == 0) wanted = std::atoi(arguments[i + 1]);
  const char* platform = std::getenv("PROBE_PLATFORM");
  std::optional<ocl::device> chosen;
  int seen = 0;
  for (const ocl::device& each : ocl::devices()) {
    if (platform != nullptr && each.summary().platform.find(platform) == std::string::npos) continue;
    if (seen++ == wanted) chosen = each;
  }
  if (!chosen) {
    std::fprintf(stderr, "probe: no device %d of %d%s%s\n", wanted, seen, platform ? " on " : "",
                 platform ? platform : "");
    return 2;
  }
  const auto facts = chosen->summary();
  yoke_world world(*chosen);
  y = &world;
  const std::vector<float> ones(64, 1.0f);
  yoke::copy(ones, world.a, world.stream);
  yoke::copy(ones, world.b, world.stream);
  for (std::size_t i = 0; i < small_bytes; ++i) world.host.data()[i] = static_cast<unsigned char>(i * 37 + i / 7);
  std::vector<unsigned char> filled(small_bytes, 7);
  yoke::copy(filled, world.block, world.stream);

  w.context = reinterpret_cast<cl_context>(world.context.native_handle());
  w.queue = reinterpret_cast<cl_command_queue>(world.stream.native_handle());
  w.other = reinterpret_cast<cl_command_queue>(world.other.native_handle());
  w.a = reinterpret_cast<cl_mem>(world.a.native_handle());
  w.b = reinterpret_cast<cl_mem>(world.b.native_handle());
  w.block = reinterpret_cast<cl_mem>(world.block.native_handle());
  w.host = world.host.data();
  must(clGetCommandQueueInfo(w.queue, CL_QUEUE_DEVICE, sizeof w.device, &w.device, nullptr), "clGetCommandQueueInfo");
  cl_int code = 0;
  w.program = clCreateProgramWithSource(w.context, 1, &text, nullptr, &code);
  must(code, "clCreateProgramWithSource");
  must(clBuildProgram(w.program, 1, &w.device, nullptr, nullptr, nullptr), "clBuildProgram");
  w.spin = w.kernel("spin");
  w.spin_other = w.kernel("spin");

  cl_device_type type = 0;
  must(clGetDeviceInfo(w.device, CL_DEVICE_TYPE, sizeof type, &type, nullptr), "clGetDeviceInfo");
  const char* clock = std::getenv("PROBE_CLOCK");
  probe::thread_clock = clock != nullptr ? std::strcmp(clock, "thread") == 0 : (type & CL_DEVICE_TYPE_CPU) != 0;
  // A busy kernel of a millisecond and a half, by the best of twelve tries each: other work on the machine must not make it shorter.
  w.spins = 1000;
  busy_queue();  // compiles it
  finish_both();
  (void)still_busy();
  for (; w.spins < (1 << 27); w.spins += w.spins / 2) {
    double best = 1e9;
    for (int i = 0; i < 12; ++i) {
      const double start = probe::wall();
      busy_queue();
      finish_both();
      (void)still_busy();
      best = std::min(best, probe::wall() - start);
    }
    if (best > probe::number_of("PROBE_BUSY_US", 600) * 1e-6) break;
  }
  std::printf("# %s, %s, driver %s; %s; busy %d\n", facts.platform.c_str(), facts.name.c_str(),
              facts.driver_version.c_str(), probe::thread_clock ? "processor time of the thread" : "elapsed time",
              w.spins);
  const std::vector<probe::operation> all{{"launch/1", raw_launches<1>, yoke_launches<1>, raw_launches<1, 1>},
                                          {"launch/8", raw_launches<8>, yoke_launches<8>, raw_launches<8, 1>},
                                          {"launch/16", raw_launches<16>, yoke_launches<16>, raw_launches<16, 1>},
                                          {"record_existing", raw_records<>, yoke_records, raw_records<1>},
                                          {"wait_other_stream", raw_waits<>, yoke_waits, raw_waits<1>},
                                          {"copy_4KiB_to_device", raw_copies<0>, yoke_copies<0>, raw_copies<0, 1>},
                                          {"copy_4KiB_from_device", raw_copies<1>, yoke_copies<1>, raw_copies<1, 1>}};
  const char* mode = std::getenv("PROBE_MODE");
  if (mode != nullptr && std::strcmp(mode, "callgrind") == 0) {
    probe::run_for_callgrind(all);
  } else {
    probe::run(all);
  }
  clReleaseKernel(w.spin);
  clReleaseKernel(w.spin_other);
  clReleaseProgram(w.program);
  return 0;
}

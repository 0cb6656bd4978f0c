// SPDX-License-Identifier: MIT
// Values of large alignment as programs use them, returned, in temporaries, in vectors and as arguments of launches; by every compiler,
// because GCC 12 without optimisation puts some temporaries anywhere.
#include <yoke/array.hpp>
#include <yoke/cuda.hpp>
#include <yoke/cuda/tensor_map.hpp>
#include <yoke/yoke.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <type_traits>
#include <vector>

namespace {

namespace cu = yoke::cuda;

int failures = 0;
void check(bool holds, const char* what) {
  if (holds) return;
  std::printf("wrong: %s\n", what);
  ++failures;
}

// No type that functions of the library return by value wants more than what a stack has, but for the vectors, which nothing
// reads by their alignment.
static_assert(alignof(cu::abi::tensor_map) <= alignof(std::max_align_t));
static_assert(alignof(cu::tensor_map<float, 2>) <= alignof(std::max_align_t));
static_assert(alignof(yoke::device_array<float, 2>) <= alignof(std::max_align_t));
static_assert(alignof(yoke::kernel<void(float*)>) <= alignof(std::max_align_t));
static_assert(alignof(yoke::stream<>) <= alignof(std::max_align_t));
static_assert(alignof(yoke::module<>) <= alignof(std::max_align_t));

/// Returns: a vector of numbers from `from` on.
template <class V>
V counted(int from) {
  V made{};
  for (auto& each : made.s) each = static_cast<std::remove_reference_t<decltype(each)>>(from++);
  return made;
}

/// Vectors from functions, in containers, as elements and as arguments by value, on an OpenCL device.
template <class V>
void check_vector(const yoke::opencl::context& in, const yoke::opencl::stream& stream, const std::string& name) {
  std::vector<V> kept;
  for (int i = 0; i < 3; ++i) kept.push_back(counted<V>(i));
  check(kept[2] == counted<V>(2), name.c_str());
  const auto module = yoke::compile(in, "kernel void keep(global " + name + "* to, " + name + " a, int n, " + name +
                                            " b) { to[0] = a; to[1] = b; to[2] = a + b * (" + name + ")(n); }");
  auto on_device = yoke::to_device(kept, stream);
  yoke::get_kernel<void(V*, V, int, V)>(module, "keep")(stream, {.grid = 1, .block = 1}, on_device, counted<V>(10), 0,
                                                        counted<V>(20));
  std::vector<V> back(3);
  yoke::copy(on_device, back, stream);
  check(back[0] == counted<V>(10) && back[1] == counted<V>(20) && back[2] == counted<V>(10), name.c_str());
  yoke::fill(on_device, counted<V>(7), stream);
  yoke::copy(on_device, back, stream);
  check(back[0] == counted<V>(7) && back[2] == counted<V>(7), name.c_str());
}

cu::tensor_map<float, 2> returned(yoke::device_array<float, 2, cu::port>& of) {
  return cu::tensor_map<float, 2>(of.view(), {16, 64});
}

/// Maps of tensors from functions, assigned, in containers, moved to another array, and as temporary arguments of a launch.
void check_maps(const cu::context& in, const cu::stream& stream) {
  auto array = yoke::arange<float>(64 * 64, stream).reshape({64, 64}).copy();
  const auto module = yoke::compile(in, std::string(cu::tensor_tiles) + R"(
    extern "C" __global__ void first(const __grid_constant__ tensor_map map, float* to) {
      __shared__ alignas(128) float tile[16 * 64];
      __shared__ tile_barrier barrier;
      if (threadIdx.x == 0) {
        init_barrier(barrier, 1);
        arrive(barrier, sizeof tile);
        load_tile(tile, map, barrier, 16, 0);
      }
      __syncthreads();
      wait(barrier, 0);
      to[0] = tile[0];
    })");
  const auto first = yoke::get_kernel<void(cu::tensor_map<const float, 2>, float*)>(module, "first");
  const auto tells = [&](const cu::tensor_map<const float, 2>& map) {
    std::vector<float> got(1);
    first(stream, {.grid = 1, .block = 1}, map, yoke::out(got));
    return got[0] == 16 * 64;
  };
  for (int round = 0; round < 8; ++round) {
    cu::tensor_map<float, 2> assigned = returned(array);
    check(tells(assigned), "a map that a function returned");
    assigned = returned(array);
    check(tells(assigned), "a map that was assigned");
    assigned.move_to(array.view());
    check(tells(assigned), "a map that was moved to another array");
    const std::vector<cu::tensor_map<float, 2>> several(3, returned(array));
    check(tells(several[1]), "a map in a container");
    check(tells(returned(array)), "a temporary map");
    std::vector<float> got(1);
    first(stream, {.grid = 1, .block = 1}, returned(array), yoke::out(got));
    check(got[0] == 16 * 64, "a temporary map as an argument");
  }
}

}  // namespace

int main() {
  try {
    if (yoke::opencl::available()) {
      const yoke::opencl::context in{yoke::opencl::devices().front()};
      const yoke::opencl::stream stream{in};
      check_vector<yoke::vec<float, 16>>(in, stream, "float16");
      check_vector<yoke::vec<std::int64_t, 8>>(in, stream, "long8");
      check_vector<yoke::vec<double, 16>>(in, stream, "double16");
    }
    if (cu::available()) {
      const cu::context in{cu::device{0}};
      if (cu::get(in.only_device(), cu::info::compute_capability_major) >= 9) check_maps(in, cu::stream{in});
    }
  } catch (const std::exception& error) {
    std::printf("wrong: %s\n", error.what());
    return 1;
  }
  if (failures == 0) std::printf("ok: values of large alignment are where they belong\n");
  return failures == 0 ? 0 : 1;
}

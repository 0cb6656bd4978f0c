// SPDX-License-Identifier: MIT
// Kernels that tell their places, and what they have to tell.
#ifndef YOKE_TESTS_PROGRAM_KERNEL_SHAPES_HPP
#define YOKE_TESTS_PROGRAM_KERNEL_SHAPES_HPP

#include <support/rig.hpp>

namespace yoke_test::shapes {

// Writes, for each thread, its place and the shape it sees.
inline const char* const kernels = R"(
  YOKE_KERNEL where_am_i(YOKE_GLOBAL int* out, int stride) {
    size_t linear = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);
    linear = linear * get_local_size(0) * get_local_size(1) * get_local_size(2) +
             (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
    out[linear] = (int)(get_global_id(0) + stride * (get_global_id(1) + stride * get_global_id(2)));
  }
  YOKE_KERNEL dimensions(YOKE_GLOBAL int* out) {
    if (get_global_id(0) + get_global_id(1) + get_global_id(2) == 0) out[0] = get_work_dim();
  }
  YOKE_KERNEL count(YOKE_GLOBAL int* counter, int n) { if (get_global_id(0) < n) yoke_atomic_add(counter, 1); }
  YOKE_KERNEL hungry(YOKE_GLOBAL int* out, YOKE_LOCAL_ARG(int, scratch)) {
    YOKE_LOCAL_BIND(int, scratch)
    YOKE_LOCAL int own[16];
    own[get_local_id(0) % 16] = 1;
    scratch[get_local_id(0)] = own[get_local_id(0) % 16];
    if (get_local_id(0) == 0) out[0] = scratch[0];
  }
)";

template <class Backend>
struct shape_bench : rig<Backend> {
  explicit shape_bench(const typename Backend::device& on)
      : rig<Backend>(on), module(yoke::compile(this->context, kernels)) {}
  typename Backend::module module;
};
template <class Port>
shape_bench(const yoke::device<Port>&) -> shape_bench<backend_of<Port>>;

/// Effects: launches a shape, and checks that each thread ran once and knew its place.
template <class Backend>
void check_places(shape_bench<Backend>& on, const yoke::shape_for<typename Backend::port>& shape) {
  constexpr int stride = 100;
  const yoke::extent3 grid = shape.grid, block = shape.block;
  yoke::extent3 offset{0, 0, 0};
  if constexpr (requires { shape.global_offset; }) offset = shape.global_offset;
  std::vector<int> out(grid.x * grid.y * grid.z * block.x * block.y * block.z, -1);
  const auto where_am_i = yoke::get_kernel<void(int*, int)>(on.module, "where_am_i");
  where_am_i(on.stream, shape, yoke::in_out(out), stride);
  std::vector<int> expected;
  for (std::size_t gz = 0; gz < grid.z; ++gz)
    for (std::size_t gy = 0; gy < grid.y; ++gy)
      for (std::size_t gx = 0; gx < grid.x; ++gx)
        for (std::size_t z = 0; z < block.z; ++z)
          for (std::size_t y = 0; y < block.y; ++y)
            for (std::size_t x = 0; x < block.x; ++x)
              expected.push_back(
                  static_cast<int>(gx * block.x + x + offset.x +
                                   stride * (gy * block.y + y + offset.y + stride * (gz * block.z + z + offset.z))));
  CHECK(out == expected);
}

}  // namespace yoke_test::shapes

#endif

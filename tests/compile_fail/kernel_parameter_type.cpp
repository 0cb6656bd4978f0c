// SPDX-License-Identifier: MIT
// A parameter passed by value is trivially copyable, or opted in, and no reference.
// expect 1: \bmake_it_trivially_copyable_or_specialise_is_kernel_parameter\b.*kernel_parameter_is_not_allowed<2, .*owner
// expect 2: \btake_it_by_value\b.*kernel_parameter_is_not_allowed<1, int ?&
#include <yoke/opencl/opencl.hpp>

namespace ocl = yoke::opencl;

struct owner {
  owner() {}
  owner(const owner&) {}
};
struct opted_in {
  opted_in() {}
  opted_in(const opted_in&) {}
};
template <>
inline constexpr bool yoke::is_kernel_parameter<opted_in> = true;

template <class Parameter>
void launch(const ocl::kernel<void(float*, Parameter)>& kernel, const ocl::stream& stream,
            ocl::device_allocation<float>& memory, const Parameter& value) {
  kernel(stream, {.grid = 1}, memory, value);
}

#if YOKE_BAD == 1
template void launch(const ocl::kernel<void(float*, owner)>&, const ocl::stream&, ocl::device_allocation<float>&,
                     const owner&);
#elif YOKE_BAD == 2
void by_reference(const ocl::kernel<void(int&)>& kernel, const ocl::stream& stream, int& value) {
  kernel(stream, {.grid = 1}, value);
}
#else
template void launch(const ocl::kernel<void(float*, opted_in)>&, const ocl::stream&, ocl::device_allocation<float>&,
                     const opted_in&);
#endif

int main() {}

// SPDX-License-Identifier: MIT
// OpenCL's kernels have no parameters of bool, nor have those of a backend that is chosen at run time; CUDA's have.
// expect 1: \btake_unsigned_char\b.*opencl_kernels_have_no_bool_parameters<2, bool
// expect 2: \btake_unsigned_char\b.*opencl_kernels_have_no_bool_parameters<1, const bool ?\*
// expect 3: \btake_unsigned_char\b.*opencl_kernels_have_no_bool_parameters<1, .*local<bool
// expect 4: \btake_unsigned_char\b.*opencl_kernels_have_no_bool_parameters<2, bool
#include <yoke/yoke.hpp>

void find(const yoke::opencl::module& on_opencl, const yoke::cuda::module& on_cuda, const yoke::module<>& anywhere) {
#if YOKE_BAD == 1
  (void)on_opencl.get_kernel<void(int*, bool)>("f");
#elif YOKE_BAD == 2
  (void)on_opencl.get_kernel<void(const bool*)>("f");
#elif YOKE_BAD == 3
  (void)on_opencl.get_kernel<void(yoke::local<bool>)>("f");
#elif YOKE_BAD == 4
  (void)anywhere.get_kernel<void(int*, bool)>("f");
#endif
  (void)on_opencl.get_kernel<void(int*, unsigned char)>("f");
  (void)on_cuda.get_kernel<void(const bool*, bool)>("f");
  (void)anywhere.get_kernel<void(int*, unsigned char)>("f");
}

int main() {}

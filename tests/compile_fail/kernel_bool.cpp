// SPDX-License-Identifier: MIT
// OpenCL's kernels have no parameters of bool; CUDA's have.
// expect 1: \btake_unsigned_char\b.*opencl_kernels_have_no_bool_parameters<2, bool
// expect 2: \btake_unsigned_char\b.*opencl_kernels_have_no_bool_parameters<1, const bool ?\*
// expect 3: \btake_unsigned_char\b.*opencl_kernels_have_no_bool_parameters<1, .*local<bool
#include <yoke/yoke.hpp>

void find(const yoke::opencl::module& on_opencl, const yoke::cuda::module& on_cuda, const yoke::module<>& anywhere) {
#if YOKE_BAD == 1
  (void)on_opencl.get_kernel<void(int*, bool)>("f");
#elif YOKE_BAD == 2
  (void)on_opencl.get_kernel<void(const bool*)>("f");
#elif YOKE_BAD == 3
  (void)on_opencl.get_kernel<void(yoke::local<bool>)>("f");
#else
  (void)on_opencl.get_kernel<void(int*, unsigned char)>("f");
#endif
  (void)on_cuda.get_kernel<void(const bool*, bool)>("f");
  (void)anywhere.get_kernel<void(const bool*, bool)>("f");
}

int main() {}

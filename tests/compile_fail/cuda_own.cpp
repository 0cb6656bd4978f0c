// SPDX-License-Identifier: MIT
// What only CUDA has takes CUDA's handles, facts are not set, and a variable's elements are plain data.
// expect 1: no (match|matching)
// expect 2: no (match|matching)
// expect 3: no (match|matching)
// expect 4: no (match|matching)
// expect 5: no (match|matching)
// expect 6: no (match|matching)|invalid initialization
#include <yoke/yoke.hpp>

#include <string>

namespace cu = yoke::cuda;
namespace ocl = yoke::opencl;

extern const cu::context& cuda_context;
extern const ocl::context& open_context;
extern const cu::module& cuda_module;
extern const ocl::module& open_module;
extern const cu::kernel<void(int)>& cuda_kernel;
extern const ocl::kernel<void(int)>& open_kernel;

void use() {
#if YOKE_BAD == 1
  cu::set(cuda_kernel, cu::kernel_info::registers, 32);
#elif YOKE_BAD == 2
  (void)cu::get_global<std::string>(cuda_module, "text");
#elif YOKE_BAD == 3
  (void)yoke::compile(open_context, "", {.kernels = {yoke::typed<void(int)>("f")}});
#elif YOKE_BAD == 4
  (void)cu::active_blocks(open_kernel, 32);
#elif YOKE_BAD == 5
  (void)cu::get(open_kernel, cu::kernel_info::registers);
#elif YOKE_BAD == 6
  cu::set(cuda_kernel, cu::kernel_info::cluster_policy, 1);
#else
  cu::set(cuda_kernel, cu::kernel_info::shared_carveout, 32);
  cu::set(cuda_kernel, cu::kernel_info::cluster_policy, cu::cluster_scheduling::spread);
  (void)cu::get_global<float>(cuda_module, "numbers");
  (void)cu::compile(cuda_context, "", {.kernels = {yoke::typed<void(int)>("f")}});
  (void)cu::active_blocks(cuda_kernel, 32);
  (void)cu::get(cuda_kernel, cu::kernel_info::registers);
  (void)open_module;
#endif
}

int main() {}

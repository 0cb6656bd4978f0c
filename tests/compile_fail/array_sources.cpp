// SPDX-License-Identifier: MIT
// Arrays take memory from pools of device memory, and from resources that they share.
// expect 1: arrays share their memory resource: pass a std::shared_ptr to it
// expect 2: memory shares its resource: pass a std::shared_ptr to it
// expect 3: this pool has no device memory for arrays
// expect 4: this pool has no device memory for arrays
#include <yoke/array.hpp>
#include <yoke/opencl/opencl.hpp>

#include <memory>

namespace ocl = yoke::opencl;

using resource = yoke::memory_resource<ocl::port>;

extern const ocl::context& ctx;
extern const ocl::stream& stream;
extern std::unique_ptr<resource>& alone;
extern std::shared_ptr<resource>& shared;
extern const ocl::memory_pool& pool;

void use() {
#if YOKE_BAD == 1
  (void)yoke::zeros<float>({4}, stream, shared.get());
#elif YOKE_BAD == 2
  (void)yoke::arange(4, stream, alone);
#elif YOKE_BAD == 3
  (void)yoke::zeros<float>({4}, stream, yoke::memory_pool{ctx, yoke::pagelocked});
#elif YOKE_BAD == 4
  (void)yoke::device_array<float, 1, ocl::port>(yoke::memory_pool{ctx, ocl::svm::coarse{}}, {4}, stream);
#else
  (void)yoke::zeros<float>({4}, stream, shared);
  (void)yoke::arange(4, stream, pool);
  (void)yoke::device_array<float, 1, ocl::port>(pool, {4}, stream);
#endif
}

int main() {}

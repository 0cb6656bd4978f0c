// SPDX-License-Identifier: MIT
// What is compiled and not linked has no kernels, a module is linked already, and CUDA's linker takes no OpenCL program.
// expect 1: no member named .get_kernel
// expect 2: no member named .get_kernel
// expect 3: no (match|matching)|could not convert|no viable conversion
// expect 4: no (match|matching)
// expect 5: deleted
#include <yoke/algorithm.hpp>
#include <yoke/array.hpp>
#include <yoke/graph.hpp>
#include <yoke/image.hpp>
#include <yoke/link.hpp>
#include <yoke/random.hpp>
#include <yoke/struct.hpp>
#include <yoke/yoke.hpp>

#include <utility>

namespace cu = yoke::cuda;
namespace ocl = yoke::opencl;

extern const ocl::context& context;
extern ocl::compiled_program& part;
extern const ocl::program_library& library;
extern const ocl::module& linked;
extern cu::linker& linker;

void use() {
#if YOKE_BAD == 1
  (void)part.get_kernel<void(int)>("f");
#elif YOKE_BAD == 2
  (void)library.get_kernel<void(int)>("f");
#elif YOKE_BAD == 3
  (void)ocl::link(context, {part, linked});
#elif YOKE_BAD == 4
  linker.add(part, "part");
#elif YOKE_BAD == 5
  const ocl::compiled_program copy = part;
#else
  (void)ocl::link(context, {part, library}).get_kernel<void(int)>("f");
  linker.add(cu::compiled_image{}, "part");
  const ocl::compiled_program moved = std::move(part);
  (void)linked;
#endif
}

int main() {}

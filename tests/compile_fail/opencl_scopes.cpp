// SPDX-License-Identifier: MIT
// OpenCL maps ranges of the program for a while, and page-locks none.
// expect 1: OpenCL page-locks no memory that exists already: use a pagelocked_array
#include <yoke/opencl/opencl.hpp>

#include <vector>

int use(const yoke::opencl::stream& stream, std::vector<float>& x) {
#if YOKE_BAD == 1
  yoke::opencl::pinned_scope scope{stream.context_of(), x};
#else
  const yoke::opencl::mapped_scope scope{stream, x};
  (void)scope.views();
#endif
  return 0;
}

int main() {}

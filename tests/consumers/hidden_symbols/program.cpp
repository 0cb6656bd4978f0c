// SPDX-License-Identifier: MIT
// What one of them has mapped the other refuses, and takes again behind it.
#include "maps.hpp"

#include <cstdio>

int main() {
  std::printf("yoke 0\n");
  const yoke::opencl::context context(yoke::opencl::device(yoke::opencl::port{}, 0));
  const yoke::opencl::stream stream(context);
  const yoke::opencl::device_allocation<int> memory(context, 16);
  yoke::opencl::device_allocation<int> other(context, 16);
  int refused = 0;
  while_mapped(&memory, &stream, [&] {
    try {
      yoke::enqueue_copy(memory, other, stream);
    } catch (const yoke::logic_error& e) {
      refused += static_cast<int>(e.code() == yoke::errc::mapped);
    }
  });
  yoke::enqueue_copy(memory, other, stream);
  stream.synchronize();
  std::printf("refused %d\n", refused);
  return refused == 1 ? 0 : 1;
}

// SPDX-License-Identifier: MIT
// What only CUDA has is not there on other backends, rather than failing while running.
// expect 1: (constraints not satisfied|no matching function|no matching member function|invalid reference to function)
// expect 2: (constraints not satisfied|no matching function|no matching member function|invalid reference to function)
// expect 3: (constraints not satisfied|no matching function|no matching member function|no matching constructor)
// expect 4: (constraints not satisfied|no matching function|no matching member function|invalid reference to function)
#include <yoke/yoke.hpp>

#if defined(YOKE_BAD) && YOKE_BAD != 4
namespace backend = yoke::opencl;
#else
namespace backend = yoke::cuda;
#endif

extern const backend::context& context;
extern const backend::stream& stream;
extern const yoke::stream<>& chosen_while_running;

void use() {
#if YOKE_BAD == 1
  (void)context.activate();
#elif YOKE_BAD == 2
  stream.call([] {});
#elif YOKE_BAD == 3
  const backend::pagelocked_array<int> array{context, 10, {.write_combined = true}};
#elif YOKE_BAD == 4
  chosen_while_running.call([] {});
#else
  const auto active = context.activate();
  stream.call([] {});
  const backend::pagelocked_array<int> array{context, 10, {.write_combined = true}};
#endif
}

int main() {}

// SPDX-License-Identifier: MIT
// The option that keeps what a compiler got names a folder; a switch would be a path of one odd character.
// expect 1: names a folder, it is not a switch
// expect 2: names a folder, it is not a switch
// expect 3: names a folder, it is not a switch
#include <yoke/yoke.hpp>

int main() {
  yoke::compile_options options;
  yoke::cuda::compile_options cuda_options;
#if YOKE_BAD == 1
  options.keep = true;
#elif YOKE_BAD == 2
  cuda_options.keep = true;
#elif YOKE_BAD == 3
  options = {.keep = false};
#else
  options.keep = "/tmp/kept";
  cuda_options.keep = std::string("/tmp/kept");
  options = {.keep = "/tmp/kept"};
#endif
  return options.keep.empty() && cuda_options.keep.empty() ? 1 : 0;
}

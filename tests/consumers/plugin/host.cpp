// SPDX-License-Identifier: MIT
// Knows nothing of the library: opens the plugin and runs its function.
#include <cstdio>

#include <dlfcn.h>

int main() {
  void* const plugin = dlopen(PLUGIN, RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) return std::puts(dlerror()), 1;
  auto* const run = reinterpret_cast<int (*)()>(dlsym(plugin, "run_plugin"));
  return run != nullptr ? run() : (std::puts(dlerror()), 1);
}

// SPDX-License-Identifier: MIT
// What tests of graphs start from: two kernels, some memory, and a view of what drivers do.
#ifndef YOKE_TESTS_GRAPH_GRAPH_RIG_HPP
#define YOKE_TESTS_GRAPH_GRAPH_RIG_HPP

#include <support/devices/gate.hpp>
#include <support/devices/settle.hpp>
#include <support/rig.hpp>

#include <yoke/graph.hpp>

#include <map>
#include <string>
#include <vector>

namespace yoke_test::graphs {

inline constexpr std::size_t size = 64;
inline constexpr yoke::launch_shape shape{.grid = 4, .block = 16};
inline constexpr const char* source = R"(
YOKE_KERNEL add(YOKE_GLOBAL int* to, YOKE_GLOBAL const int* from, int by) {
  size_t i = get_global_id(0);
  to[i] = from[i] + by;
}
YOKE_KERNEL multiply(YOKE_GLOBAL int* to, int by) { to[get_global_id(0)] *= by; }
)";

/// A rig that can wait for what launches kept.
template <class Backend>
struct graph_rig : rig<Backend> {
  using rig<Backend>::rig;
  void settle() { yoke_test::settle(this->stream); }
};
template <class Port>
graph_rig(const yoke::device<Port>&) -> graph_rig<backend_of<Port>>;

/// Returns: the kernels for the context, compiled once for each device.
template <class Port>
yoke::module<Port> module_for(const yoke::context<Port>& in) {
  static std::map<std::string, std::vector<std::byte>> compiled;
  const auto device = in.only_device();
  std::vector<std::byte>& binary = compiled[std::string(device.backend_name()) + ": " + device.name()];
  if (binary.empty()) binary = yoke::compile(in, source).export_binary();
  return yoke::load(in, binary);
}

/// Kernels of a context and memory to work on. `host` is page-locked.
template <class Port>
struct parts {
  explicit parts(const yoke::context<Port>& in)
      : module(module_for(in)),
        add(yoke::get_kernel<void(int*, const int*, int)>(module, "add")),
        multiply(yoke::get_kernel<void(int*, int)>(module, "multiply")),
        x(in, size),
        y(in, size),
        host(in, size) {}

  yoke::module<Port> module;
  yoke::kernel<void(int*, const int*, int), Port> add;
  yoke::kernel<void(int*, int), Port> multiply;
  yoke::device_allocation<int, Port> x, y;
  yoke::pagelocked_array<int, Port> host;
};
template <class Port>
parts(const yoke::context<Port>&) -> parts<Port>;

inline std::vector<int> all(int value) { return std::vector<int>(size, value); }

/// Whether the driver has no conditional nodes; `version`: those that need that one.
template <class Device>
[[nodiscard]] bool lacks_conditions([[maybe_unused]] const Device& device, [[maybe_unused]] int version = 12030) {
  if constexpr (requires { device.port().table()->graph_add_node; }) {
    return device.port().table()->graph_add_node == nullptr || yoke::cuda::driver_version(device.port()) < version;
  }
  return false;
}

/// Effects: launches and waits. Returns: the elements.
template <class Port, class Memory>
auto launched(const yoke::graph_executable<Port>& executable, Memory& memory, const yoke::stream<Port>& stream) {
  executable.launch(stream);
  return download(memory, stream);
}

}  // namespace yoke_test::graphs

#endif

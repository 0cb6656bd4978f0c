// SPDX-License-Identifier: MIT
// Bodies of driver/any/port.hpp: one table of operations for each backend.
#ifndef YOKE_DRIVER_ANY_PORT_IPP
#define YOKE_DRIVER_ANY_PORT_IPP

#include <yoke/driver/any/port.hpp>

#include <yoke/core/text.hpp>
#include <yoke/driver/any/thunks.hpp>

#include <algorithm>

namespace yoke::inline v0_1::detail {

static_assert(driver_port<any_port> && image_port<any_port> && graph_port<any_port>);
template <class... Backends>
consteval bool are_whole(backend_list<Backends...>) noexcept {
  return (... && (image_port<typename Backends::port> && graph_port<typename Backends::port>));
}
static_assert(are_whole(all_backends{}));

/// Frees memory after several streams have finished with it. Uses no heap: streams past the first eight are waited for.
template <class Port>
release_result release_memory_ordered(const void* driver, any_handles::context_handle context,
                                      any_handles::memory_handle memory, any_handles::stream_handle stream,
                                      std::span<const any_handles::stream_handle> others) noexcept {
  const Port port = port_of<Port>(driver);
  const std::size_t count = std::min<std::size_t>(others.size(), 8);
  for (const any_handles::stream_handle other : others.subspan(count)) {
    try {
      port.synchronize(native<typename Port::stream_handle>(other), {});
    } catch (...) {  // ignored: the driver has ended that stream's work, so the release below is correct
    }
  }
  const passed<Port, std::span<const any_handles::stream_handle>> list(others.first(count));
  return port.release_memory_ordered(native<typename Port::context_handle>(context),
                                     native<typename Port::memory_handle>(memory),
                                     native<typename Port::stream_handle>(stream), list.get());
}

template <class Backend>
constexpr any_operations make_operations() noexcept {
  using Port = typename Backend::port;
  any_operations table{};
  table.backend = Backend::name;
  table.place = place_of_port<Port>();
  table.memory_is_address = std::integral<typename Port::memory_handle>;
  table.waits_across_contexts = requires { requires Port::waits_across_contexts; };
  table.waits_want_flushes = requires { requires Port::waits_want_flushes(); };
  table.copies_give_events = requires { requires Port::copies_give_events(); };
  YOKE_EXECUTION_OPERATIONS(YOKE_ENTER, YOKE_ENTER_OR_DEFAULT)
  YOKE_MEMORY_OPERATIONS(YOKE_ENTER, YOKE_ENTER_OR_DEFAULT)
  YOKE_PROGRAM_OPERATIONS(YOKE_ENTER, YOKE_ENTER_OR_DEFAULT)
  YOKE_DIRECT_OPERATIONS(YOKE_ENTER)
  table.release_memory_ordered = &release_memory_ordered<Port>;
  return table;
}

const any_operations* operations_of(std::size_t backend) noexcept {
  static constexpr auto tables = of_each_backend([]<class Backend>(Backend) { return make_operations<Backend>(); });
  return &tables[backend];
}

std::vector<any_port> available_ports(std::string& reasons) {
  std::vector<any_port> ports;
  all_backends::for_each([&]<class Backend>(Backend) {
    const availability state = Backend::available();
    if (state) {
      ports.emplace_back(typename Backend::port{});
    } else {
      reasons += text(reasons.empty() ? "" : "\n", Backend::title, ": ", state.reason);
    }
  });
  return ports;
}

}  // namespace yoke::inline v0_1::detail

#endif

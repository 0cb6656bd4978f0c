// SPDX-License-Identifier: MIT
// An argument of a recorded launch, with the object that the graph keeps alive for it.
#ifndef YOKE_GRAPH_RECORDED_ARGUMENT_HPP
#define YOKE_GRAPH_RECORDED_ARGUMENT_HPP

#include <yoke/graph/graph_state.hpp>
#include <yoke/memory/memory_access.hpp>
#include <yoke/program/kernel.hpp>

#include <utility>

namespace yoke::inline v0_1::detail {

template <std::size_t Index, class P, class Port>
class recorded_argument {
  using made_type = argument<Index, P, Port, true>;

 public:
  template <class Given>
    requires(!std::same_as<std::remove_cvref_t<Given>, recorded_argument>)
  recorded_argument(Given&& value,
                    const source_location& where = source_location::current())  // NOLINT: reads like a call
      : made_(make(value, where)), kept_(keep(value)) {}
  recorded_argument(const recorded_argument&) = delete;
  recorded_argument& operator=(const recorded_argument&) = delete;

  [[nodiscard]] made_type& made() noexcept { return made_; }
  [[nodiscard]] const graph_use<Port>& kept() const noexcept { return kept_; }

 private:
  template <class Given>
  static made_type make(Given& value, [[maybe_unused]] const source_location& where) {
    if constexpr (requires { made_type(value, where); }) {
      return made_type(value, where);
    } else {
      return made_type(value);
    }
  }
  template <class Given>
  static graph_use<Port> keep(Given& value) {
    constexpr bool is_written = std::is_pointer_v<P> && !std::is_const_v<std::remove_pointer_t<P>>;
    if constexpr (accessible_memory<Given>) {
      return used_by_graph<Port>(value, is_written ? memory_use::writes : memory_use::reads);
    } else if constexpr (requires { value.uses(); }) {
      constexpr bool is_read = std::is_const_v<typename P::element_type>;
      return {value.keep_alive(), value.uses(), is_read ? memory_use::reads : memory_use::writes};
    } else {
      return kept_alive();
    }
  }

  made_type made_;
  graph_use<Port> kept_;
};

}  // namespace yoke::inline v0_1::detail

#endif

// SPDX-License-Identifier: MIT
// The handles of the port that is chosen at run time, and the macro that turns a listed operation into a table entry.
#ifndef YOKE_DRIVER_ANY_HANDLES_HPP
#define YOKE_DRIVER_ANY_HANDLES_HPP

#include <yoke/driver/operations.hpp>

#include <cstring>

namespace yoke::inline v0_1 {

/// A native handle of any backend: as large as a pointer, in the backend's own representation.
template <class Noun>
struct any_handle {
  void* value = nullptr;
  [[nodiscard]] friend constexpr bool operator==(const any_handle&, const any_handle&) noexcept = default;
};

namespace detail {
/// Converts a backend's native handle to the handle of `any_port`.
template <class Any, class Native>
[[nodiscard]] Any wrapped(Native handle) noexcept {
  static_assert(sizeof handle <= sizeof(Any::value));
  Any result{};
  std::memcpy(&result.value, &handle, sizeof handle);
  return result;
}

/// Defines a handle type of `any_port`. `in` is a backend's own type.
#define YOKE_NOUN(name)                                                                                                \
  struct any_##name {                                                                                                  \
    template <class Port>                                                                                              \
    using in = typename Port::name;                                                                                    \
  };
YOKE_EXECUTION_HANDLES(YOKE_NOUN)
YOKE_MEMORY_HANDLES(YOKE_NOUN)
YOKE_PROGRAM_HANDLES(YOKE_NOUN)
YOKE_IMAGE_HANDLES(YOKE_NOUN)
YOKE_GRAPH_HANDLES(YOKE_NOUN)
#undef YOKE_NOUN
}  // namespace detail

/// The handle types of `any_port`, one for each noun.
struct any_handles {
#define YOKE_ANY_HANDLE(name) using name = any_handle<detail::any_##name>;
  YOKE_EXECUTION_HANDLES(YOKE_ANY_HANDLE)
  YOKE_MEMORY_HANDLES(YOKE_ANY_HANDLE)
  YOKE_PROGRAM_HANDLES(YOKE_ANY_HANDLE)
  YOKE_IMAGE_HANDLES(YOKE_ANY_HANDLE)
  YOKE_GRAPH_HANDLES(YOKE_ANY_HANDLE)
#undef YOKE_ANY_HANDLE
  using shape_type = launch_shape;
  using call_type = basic_launch_call<kernel_handle, stream_handle, event_handle>;
};

// The parameters of a table entry: the backend's own function table, then the operation's arguments.
#define YOKE_ANY_PARAMETERS(...) (const void* driver __VA_OPT__(, ) __VA_ARGS__)
#define YOKE_ANY_ENTRY(result, name, parameters, arguments, ...)                                                       \
  result(*name) YOKE_ANY_PARAMETERS parameters __VA_ARGS__;

}  // namespace yoke::inline v0_1

#endif

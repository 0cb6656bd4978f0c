// SPDX-License-Identifier: MIT
// The handles and the table of operations of `any_port`: one indirect call for each operation.
#ifndef YOKE_DRIVER_ANY_OPERATIONS_HPP
#define YOKE_DRIVER_ANY_OPERATIONS_HPP

#include <yoke/driver/operations.hpp>

namespace yoke::inline YOKE_ABI {

/// A native handle of any backend: as large as a pointer, in the backend's own representation.
template <class Noun>
struct any_handle {
  void* value = nullptr;
  [[nodiscard]] friend constexpr bool operator==(const any_handle&, const any_handle&) noexcept = default;
};

namespace detail {
/// Names the handles of `any_port`. `in` is a backend's own type.
#define YOKE_NOUN(name)                                                                                                \
  struct any_##name {                                                                                                  \
    template <class Port>                                                                                              \
    using in = typename Port::name;                                                                                    \
  };
YOKE_EXECUTION_HANDLES(YOKE_NOUN)
YOKE_MEMORY_HANDLES(YOKE_NOUN)
YOKE_PROGRAM_HANDLES(YOKE_NOUN)
#undef YOKE_NOUN
}  // namespace detail

/// The handles of `any_port`, a type for each noun.
struct any_handles {
#define YOKE_ANY_HANDLE(name) using name = any_handle<detail::any_##name>;
  YOKE_EXECUTION_HANDLES(YOKE_ANY_HANDLE)
  YOKE_MEMORY_HANDLES(YOKE_ANY_HANDLE)
  YOKE_PROGRAM_HANDLES(YOKE_ANY_HANDLE)
#undef YOKE_ANY_HANDLE
  using call_type = basic_launch_call<kernel_handle, stream_handle, event_handle>;
};

/// The operations of a backend for `any_port`, a function for each operation of the lists. `driver` is the backend's own
/// function table.
struct any_operations : any_handles {
  const char* backend;
  unsigned char number;  // of its launcher
  bool memory_is_address;
  bool waits_across_contexts;
  bool waits_want_flushes;
  bool copies_give_events;
#define YOKE_BEHIND_DRIVER(...) (const void* driver __VA_OPT__(, ) __VA_ARGS__)
#define YOKE_ENTRY(result, name, parameters, arguments, ...) result(*name) YOKE_BEHIND_DRIVER parameters __VA_ARGS__;
  YOKE_EXECUTION_OPERATIONS(YOKE_ENTRY, YOKE_ENTRY)
  YOKE_MEMORY_OPERATIONS(YOKE_ENTRY, YOKE_ENTRY)
  YOKE_PROGRAM_OPERATIONS(YOKE_ENTRY, YOKE_ENTRY)
  YOKE_DIRECT_OPERATIONS(YOKE_ENTRY)
#undef YOKE_ENTRY
#undef YOKE_BEHIND_DRIVER
};

}  // namespace yoke::inline YOKE_ABI

#endif

// SPDX-License-Identifier: MIT
// Whether a struct of the host is registered for kernels.
#ifndef YOKE_PROGRAM_STRUCTS_REGISTERED_STRUCT_HPP
#define YOKE_PROGRAM_STRUCTS_REGISTERED_STRUCT_HPP

#include <yoke/core/config.hpp>

namespace yoke::inline YOKE_ABI {

struct struct_description;

/// A struct's registration; `YOKE_STRUCT` of `yoke/struct.hpp` specialises it. By hand: `name`, its name in
/// kernels, and `visit(v)`, which calls `v.template member<M>(name, offset)` for each member in order, `M` being its type.
template <class T>
struct device_struct;

namespace detail {
template <class T>
concept registered_struct = requires { device_struct<T>::name; };
}  // namespace detail

/// Returns: a registered struct's description for kernels' compilers, with the structs within it; `yoke/struct.hpp` has the
/// body. Throws: `std::bad_alloc`.
template <detail::registered_struct T>
[[nodiscard]] struct_description describe_struct();

}  // namespace yoke::inline YOKE_ABI

#endif

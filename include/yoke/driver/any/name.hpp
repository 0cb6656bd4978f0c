// SPDX-License-Identifier: MIT
// The name of the port that is chosen at run time, which handles take where nothing else is said.
#ifndef YOKE_DRIVER_ANY_NAME_HPP
#define YOKE_DRIVER_ANY_NAME_HPP

#include <yoke/core/config.hpp>

namespace yoke::inline YOKE_ABI {

/// Any backend as a port. It needs the ports of all of them, which a program that is one backend's alone need not read:
/// `yoke/yoke.hpp` has them, or `yoke/driver/any/port.hpp`.
class any_port;

namespace detail {
/// Whether a port is more than a name: to be asked of one port in one place only.
template <class Port>
concept known_port = requires { sizeof(Port); };
}  // namespace detail

}  // namespace yoke::inline YOKE_ABI

#endif

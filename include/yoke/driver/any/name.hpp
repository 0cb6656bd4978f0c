// SPDX-License-Identifier: MIT
// The name of the port that is chosen at run time, the default of every handle.
#ifndef YOKE_DRIVER_ANY_NAME_HPP
#define YOKE_DRIVER_ANY_NAME_HPP

#include <yoke/core/config.hpp>

namespace yoke::inline YOKE_ABI {

/// Any backend as a port. `yoke/driver/any/port.hpp` defines it, and so does `yoke/yoke.hpp`; programs for one backend need
/// only this name.
class any_port;

namespace detail {
/// Whether a port is defined, not only named. Ask it in one place only for each port.
template <class Port>
concept known_port = requires { sizeof(Port); };
}  // namespace detail

}  // namespace yoke::inline YOKE_ABI

#endif

// SPDX-License-Identifier: MIT
// Puts an interposer in the place of the driver that the library opened by itself, for what takes no port: selection.
#ifndef YOKE_TESTS_SUPPORT_DEFAULT_DRIVER_HPP
#define YOKE_TESTS_SUPPORT_DEFAULT_DRIVER_HPP

#include <support/devices/backends.hpp>

namespace yoke_test {

/// While one lives, calls through `Port{}` go where `table` leads. One of a port lives at a time.
template <class Port>
class default_driver {
 public:
  using functions_type = typename backend_of<Port>::interposer::functions_type;

  /// Returns: what the driver's own table has held from the start, for the interposer to lead to.
  static const functions_type& real() {
    static const functions_type copy = *Port{}.table();
    return copy;
  }

  explicit default_driver(const functions_type* table) {
    (void)real();
    own() = *table;
  }
  ~default_driver() { own() = real(); }
  default_driver(const default_driver&) = delete;
  default_driver& operator=(const default_driver&) = delete;

 private:
  /// The library's table was made as a variable one, and is read afresh in each call.
  static functions_type& own() { return const_cast<functions_type&>(*Port{}.table()); }
};

}  // namespace yoke_test

#endif

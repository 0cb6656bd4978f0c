// SPDX-License-Identifier: MIT
// Gives small products and factorisations to a library, too.
#ifndef YOKE_TESTS_LINALG_HOWEVER_SMALL_HPP
#define YOKE_TESTS_LINALG_HOWEVER_SMALL_HPP

#include <yoke/algorithm/libraries.hpp>

#include <cstdint>

namespace yoke_test {

/// Products and factorisations of any size go to a library while it lives.
class however_small {
 public:
  however_small() {
    yoke::detail::least_library_work() = 0;
    yoke::detail::least_library_columns() = 0;
  }
  ~however_small() {
    yoke::detail::least_library_work() = work_;
    yoke::detail::least_library_columns() = columns_;
  }
  however_small(const however_small&) = delete;
  however_small& operator=(const however_small&) = delete;

 private:
  std::int64_t work_ = yoke::detail::least_library_work();
  std::int64_t columns_ = yoke::detail::least_library_columns();
};

}  // namespace yoke_test

#endif

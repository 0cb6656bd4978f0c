// SPDX-License-Identifier: MIT
// Body of driver/any/images.hpp: a table for each backend.
#ifndef YOKE_DRIVER_ANY_IMAGES_IPP
#define YOKE_DRIVER_ANY_IMAGES_IPP

#include <yoke/driver/any/images.hpp>

#include <yoke/driver/any/thunks.hpp>

namespace yoke::inline v0_1::detail {

template <class Port>
constexpr any_image_operations make_image_table() noexcept {
  any_image_operations table{};
  YOKE_IMAGE_OPERATIONS(YOKE_ENTER, YOKE_ENTER_OR_DEFAULT)
  return table;
}

const any_image_operations& image_table_of(std::size_t backend) noexcept {
  static constexpr auto tables =
      of_each_backend([]<class Backend>(Backend) { return make_image_table<typename Backend::port>(); });
  return tables[backend];
}

}  // namespace yoke::inline v0_1::detail

#endif

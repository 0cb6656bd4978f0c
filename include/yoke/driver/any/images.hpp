// SPDX-License-Identifier: MIT
// Images and samplers of the port that is chosen at run time.
#ifndef YOKE_DRIVER_ANY_IMAGES_HPP
#define YOKE_DRIVER_ANY_IMAGES_HPP

#include <yoke/driver/any/handles.hpp>

namespace yoke::inline v0_1 {

/// A backend's operations of images and samplers for `any_port`. Only a program that has images links them.
struct any_image_operations : any_handles {
  YOKE_IMAGE_OPERATIONS(YOKE_ANY_ENTRY, YOKE_ANY_ENTRY)
};

namespace detail {
/// Returns: the table of the backend at index `backend` in the list.
[[nodiscard]] YOKE_API const any_image_operations& image_table_of(std::size_t backend) noexcept;
}  // namespace detail

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/any/images.ipp>
#endif

#endif

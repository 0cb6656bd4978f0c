// SPDX-License-Identifier: MIT
// The base of each part of the OpenCL port, which gives it the function table and the notes about the driver's use.
#ifndef YOKE_DRIVER_OPENCL_FACET_HPP
#define YOKE_DRIVER_OPENCL_FACET_HPP

#include <yoke/driver/concepts.hpp>
#include <yoke/driver/opencl/error.hpp>
#include <yoke/driver/opencl/loader.hpp>

namespace yoke::inline v0_1::opencl {

class port;

/// A part of `port`: the functions of one noun. It stands beside the other parts, holds no data, and uses only the
/// table.
template <class Noun>
class facet {
 protected:
  facet() = default;
  /// Returns: the function table of the port that contains this part.
  [[nodiscard]] const abi::functions* table() const noexcept;
  /// Returns: the table's notes.
  [[nodiscard]] detail::driver_notes& notes() const noexcept;
};

}  // namespace yoke::inline v0_1::opencl

#endif

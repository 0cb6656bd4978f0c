// SPDX-License-Identifier: MIT
// The texture and surface objects of the table's kernels, on a device.
#ifndef YOKE_TESTS_KERNELS_OBJECTS_HPP
#define YOKE_TESTS_KERNELS_OBJECTS_HPP

#include <kernels/table.hpp>

#include <yoke/cuda/cuda.hpp>
#include <yoke/image.hpp>

#include <vector>

namespace yoke_test {

class live_objects {
 public:
  live_objects(const std::vector<kernel_object>& list, const yoke::cuda::stream& stream);
  /// The driver's numbers of the objects, in the list's order.
  [[nodiscard]] const std::vector<unsigned long long>& numbers() const noexcept { return numbers_; }
  /// Effects: appends the texels of the surfaces.
  void read_surfaces(std::vector<word>& to, const yoke::cuda::stream& stream) const;

 private:
  std::vector<yoke::cuda::texture> textures_;
  std::vector<yoke::cuda::surface> surfaces_;
  std::vector<yoke::cuda::array<float>> written_;
  std::vector<unsigned long long> numbers_;
};

/// Returns: how many words the surfaces of a kernel add to its results.
std::size_t surface_words(const kernel_entry& kernel);

}  // namespace yoke_test

#endif

// SPDX-License-Identifier: MIT
// The CUDA port's records of loaded images, which the driver does not return.
#ifndef YOKE_DRIVER_CUDA_BINARY_LOADED_BINARIES_HPP
#define YOKE_DRIVER_CUDA_BINARY_LOADED_BINARIES_HPP

#include <yoke/driver/cuda/binary/ptx.hpp>
#include <yoke/driver/cuda/compiler/requests.hpp>
#include <yoke/driver/cuda/references.hpp>

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace yoke::inline v0_1::cuda::detail {

struct image_record {
  abi::library library = nullptr;
  std::string identity{};
  std::string log{};
  std::vector<std::byte> image{};
  std::vector<known_name> names{};
  std::vector<ptx_entry> entries{};
  std::vector<std::string> kernels{};  ///< sorted names from the image
  bool has_all_kernels = false;        ///< whether the list is complete
};

/// The loaded images.
class image_list {
 public:
  [[gnu::cold]] void add(image_record&& record) {
    auto kept = std::make_shared<const image_record>(std::move(record));
    const std::lock_guard lock(mutex_);
    list_.push_back(std::move(kept));
  }
  /// Returns: the record; null for a library that other code has loaded.
  std::shared_ptr<const image_record> find(abi::library library) {
    const std::lock_guard lock(mutex_);
    for (const auto& each : list_) {
      if (each->library == library) return each;
    }
    return nullptr;
  }
  [[gnu::cold]] void forget(abi::library library) noexcept {
    const std::lock_guard lock(mutex_);
    std::erase_if(list_, [&](const auto& each) { return each->library == library; });
  }

 private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<const image_record>> list_;
};
[[gnu::cold]] inline image_list& images_of(const abi::functions* table) { return made_part(table->notes->images); }

}  // namespace yoke::inline v0_1::cuda::detail

#endif

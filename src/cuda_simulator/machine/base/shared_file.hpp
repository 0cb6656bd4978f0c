// SPDX-License-Identifier: MIT
// Memory that other processes can map too: a file without a name, which its descriptor hands on.
#ifndef YOKE_SIMULATOR_MACHINE_BASE_SHARED_FILE_HPP
#define YOKE_SIMULATOR_MACHINE_BASE_SHARED_FILE_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace yoke::simulator {

/// What a shared file is of; part of its name, by which importers know it.
enum class shared_kind { memory, pool, plain, event };

/// What an importer learns from a descriptor.
struct shared_facts {
  int device = 0;
  std::size_t bytes = 0;
  std::uint64_t identity = 0;  ///< the same for every descriptor of the file
};

/// Where another process finds a file, instead of by a descriptor that it was sent.
struct file_place {
  std::int32_t process = 0;
  std::int32_t descriptor = -1;
  std::uint64_t identity = 0;
};

/// Owns a descriptor. Move-only.
class shared_file {
 public:
  shared_file() noexcept = default;
  explicit shared_file(int descriptor) noexcept : descriptor_(descriptor) {}
  shared_file(shared_file&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  shared_file& operator=(shared_file&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~shared_file();

  /// Returns: a file of that size, of zeroes; none if the system has no more.
  static shared_file make(shared_kind kind, int device, std::size_t bytes) noexcept;
  /// Returns: another descriptor of the file behind `descriptor`; none if that is no such file.
  static shared_file from(int descriptor, shared_kind kind) noexcept;
  /// Returns: the file at that place; none if its process has gone, has closed it, or is another user's.
  static shared_file at(const file_place& place, shared_kind kind) noexcept;

  explicit operator bool() const noexcept { return descriptor_ >= 0; }
  shared_facts facts() const noexcept;
  /// Returns: where other processes find it as long as this lives.
  file_place place() const noexcept;
  /// Returns: a new descriptor, which the caller closes; -1 if the system has no more.
  int another_descriptor() const noexcept;
  bool grow_to(std::size_t bytes) const noexcept;
  /// Effects: copies into the file's beginning. Returns: whether the system had the memory for it.
  bool write(const void* from, std::size_t bytes) const noexcept;
  /// Effects: maps a part of the file, at `at` unless that is 0. Returns: where; 0 if it cannot be.
  std::uintptr_t map(std::uintptr_t at, std::size_t offset, std::size_t bytes, bool is_accessible) const noexcept;
  /// Effects: gives the memory of a part back to the system.
  void forget(std::size_t offset, std::size_t bytes) const noexcept;

 private:
  int descriptor_ = -1;
};

}  // namespace yoke::simulator

#endif

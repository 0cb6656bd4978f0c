// SPDX-License-Identifier: MIT
// Memory that other processes can map too: an unnamed file, which is passed on by its descriptor.
#ifndef YOKE_SIMULATOR_MACHINE_BASE_SHARED_FILE_HPP
#define YOKE_SIMULATOR_MACHINE_BASE_SHARED_FILE_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace yoke::simulator {

/// The kind of a shared file; part of its name, by which importers recognise it.
enum class shared_kind { memory, pool, plain, event };

/// The facts that an importer gets from a descriptor.
struct shared_facts {
  int device = 0;
  std::size_t bytes = 0;
  std::uint64_t identity = 0;  ///< the same for every descriptor of the file
};

/// The process and descriptor by which another process finds a file without being sent a descriptor.
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

  /// Returns: a file of that size, all zeros; none if the system has no memory.
  static shared_file make(shared_kind kind, int device, std::size_t bytes) noexcept;
  /// Returns: another descriptor of the file behind `descriptor`; none if that is not a file of this kind.
  static shared_file from(int descriptor, shared_kind kind) noexcept;
  /// Returns: the file at that place; none if its process has ended, has closed it, or belongs to another user.
  static shared_file at(const file_place& place, shared_kind kind) noexcept;

  explicit operator bool() const noexcept { return descriptor_ >= 0; }
  shared_facts facts() const noexcept;
  /// Returns: where other processes find the file as long as this lives.
  file_place place() const noexcept;
  /// Returns: a new descriptor, which the caller closes; -1 if the system has no more.
  int another_descriptor() const noexcept;
  bool grow_to(std::size_t bytes) const noexcept;
  /// Effects: copies to the start of the file. Returns: whether the system had memory for it.
  bool write(const void* from, std::size_t bytes) const noexcept;
  /// Effects: maps a part of the file, at `at` unless that is 0. Returns: the address; 0 on failure.
  std::uintptr_t map(std::uintptr_t at, std::size_t offset, std::size_t bytes, bool is_accessible) const noexcept;
  /// Effects: gives the memory of a part back to the system.
  void forget(std::size_t offset, std::size_t bytes) const noexcept;

 private:
  int descriptor_ = -1;
};

}  // namespace yoke::simulator

#endif

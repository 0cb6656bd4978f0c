// SPDX-License-Identifier: MIT
// An open file descriptor by which processes share device memory.
#ifndef YOKE_CUDA_MEMORY_FILE_DESCRIPTOR_HPP
#define YOKE_CUDA_MEMORY_FILE_DESCRIPTOR_HPP

#include <yoke/core/config.hpp>

#include <utility>

namespace yoke::inline v0_1::cuda {

/// Owns an open file descriptor, and closes it. Move-only. Send it to another process by `SCM_RIGHTS` over a Unix
/// socket; `exec` closes it. The descriptor keeps its memory alive: close it once it is sent and opened.
/// Thread safety: one object from one thread at a time.
class file_descriptor {
 public:
  file_descriptor() noexcept = default;
  file_descriptor(file_descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  file_descriptor& operator=(file_descriptor&& other) noexcept {
    if (this != &other) {
      reset();
      std::swap(number_, other.number_);
    }
    return *this;
  }
  ~file_descriptor() { reset(); }

  /// Takes ownership of an open descriptor, for example from `recvmsg`. Throws: nothing; its user checks it.
  [[nodiscard]] static file_descriptor adopt(int number) noexcept {
    file_descriptor adopted;
    adopted.number_ = number;
    return adopted;
  }

  /// The descriptor's number; -1 when empty.
  [[nodiscard]] int native_handle() const noexcept { return number_; }
  /// Gives up the descriptor: the caller has to close it.
  [[nodiscard]] int release() noexcept { return std::exchange(number_, -1); }
  YOKE_API void reset() noexcept;
  void swap(file_descriptor& other) noexcept { std::swap(number_, other.number_); }
  friend void swap(file_descriptor& left, file_descriptor& right) noexcept { left.swap(right); }
  [[nodiscard]] explicit operator bool() const noexcept { return number_ >= 0; }

 private:
  int number_ = -1;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/memory/file_descriptor.ipp>
#endif

#endif

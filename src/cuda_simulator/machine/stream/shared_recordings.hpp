// SPDX-License-Identifier: MIT
// Recordings of an event that several processes share: the latest one, and those that are complete.
#ifndef YOKE_SIMULATOR_MACHINE_STREAM_SHARED_RECORDINGS_HPP
#define YOKE_SIMULATOR_MACHINE_STREAM_SHARED_RECORDINGS_HPP

#include <cstdint>
#include <memory>

#include "machine/base/shared_file.hpp"

namespace yoke::simulator {

/// A page that every process with the event maps. Thread safety: safe.
class shared_recordings {
 public:
  /// Returns: the recordings of a new event, or of another process's event in a file; null if memory ran out.
  static std::shared_ptr<shared_recordings> make(int device);
  static std::shared_ptr<shared_recordings> open(shared_file file);
  ~shared_recordings();
  shared_recordings(const shared_recordings&) = delete;
  shared_recordings& operator=(const shared_recordings&) = delete;

  const shared_file& file() const noexcept { return file_; }
  /// Effects: begins another recording. Returns: its number, from 1.
  std::uint64_t begin() noexcept;
  /// Effects: a stream has reached the recording.
  void complete(std::uint64_t number) noexcept;
  /// Returns: the number of the latest recording; 0 if there is none.
  std::uint64_t latest() const noexcept;
  bool is_done(std::uint64_t number) const noexcept;
  /// Effects: waits until a stream has reached the recording. If the recording process ended before, reports that and
  /// counts it as complete.
  void wait(std::uint64_t number) const noexcept;

 private:
  struct page;
  shared_recordings(shared_file file, page* at) noexcept : file_(std::move(file)), page_(at) {}

  shared_file file_;
  page* page_;
};

}  // namespace yoke::simulator

#endif

// SPDX-License-Identifier: MIT
// Recordings of an event that several processes share: which is the latest, and which have been reached.
#ifndef YOKE_SIMULATOR_MACHINE_STREAM_SHARED_RECORDINGS_HPP
#define YOKE_SIMULATOR_MACHINE_STREAM_SHARED_RECORDINGS_HPP

#include <cstdint>
#include <memory>

#include "machine/base/shared_file.hpp"

namespace yoke::simulator {

/// A page that every process with the event maps. Thread safety: safe.
class shared_recordings {
 public:
  /// Returns: those of a new event, or of the file of another process's; null if there is no memory.
  static std::shared_ptr<shared_recordings> make(int device);
  static std::shared_ptr<shared_recordings> open(shared_file file);
  ~shared_recordings();
  shared_recordings(const shared_recordings&) = delete;
  shared_recordings& operator=(const shared_recordings&) = delete;

  const shared_file& file() const noexcept { return file_; }
  /// Effects: begins another recording. Returns: its number, from 1.
  std::uint64_t begin() noexcept;
  /// Effects: a stream has come to that recording.
  void complete(std::uint64_t number) noexcept;
  /// Returns: the number of the latest recording; 0 if there is none.
  std::uint64_t latest() const noexcept;
  bool is_done(std::uint64_t number) const noexcept;
  /// Effects: waits until a stream has come there. A recording whose process ended before counts as reached, and is
  /// said.
  void wait(std::uint64_t number) const noexcept;

 private:
  struct page;
  shared_recordings(shared_file file, page* at) noexcept : file_(std::move(file)), page_(at) {}

  shared_file file_;
  page* page_;
};

}  // namespace yoke::simulator

#endif

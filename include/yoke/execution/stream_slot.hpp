// SPDX-License-Identifier: MIT
// The slot of a stream in which other objects keep what they know about it, such as a pool its cache.
#ifndef YOKE_EXECUTION_STREAM_SLOT_HPP
#define YOKE_EXECUTION_STREAM_SLOT_HPP

#include <yoke/core/shared.hpp>

#include <utility>

namespace yoke::inline YOKE_ABI::detail {

/// What one other object keeps about a stream. It ends with the stream's handle.
class stream_note {
 public:
  explicit stream_note(const void* of) noexcept : key(of) {}
  stream_note(const stream_note&) = delete;
  stream_note& operator=(const stream_note&) = delete;
  virtual ~stream_note() = default;

  atomic<const void*> key;      // the object's address; null while another object takes the note over
  stream_note* next = nullptr;  // never changes once the note is in a slot
};

/// The notes of a stream's handle; they move with it.
/// Thread safety: `find` is safe; `add` and changes of notes need `try_lock`; moving and destroying are not safe.
class stream_slot {
 public:
  stream_slot() noexcept = default;
  stream_slot(stream_slot&& other) noexcept : first_(other.first_.exchange(nullptr)) {}
  stream_slot& operator=(stream_slot&& other) noexcept {
    if (this != &other) {
      clear();
      first_.store(other.first_.exchange(nullptr));
    }
    return *this;
  }
  ~stream_slot() { clear(); }

  /// Returns: the note of an object; null if there is none.
  [[nodiscard, gnu::always_inline]] stream_note* find(const void* key) const noexcept {
    stream_note* at = first_.load(order::acquire);
    while (at != nullptr && at->key.load(order::acquire) != key) at = at->next;
    return at;
  }
  [[nodiscard]] stream_note* first() const noexcept { return first_.load(order::acquire); }
  [[nodiscard]] bool try_lock() noexcept { return !locked_.exchange(true, order::acquire); }
  void unlock() noexcept { locked_.store(false, order::release); }
  /// Effects: takes over a note.
  void add(stream_note* note) noexcept {
    note->next = first_.load(order::relaxed);
    first_.store(note, order::release);
  }
  /// Effects: ends all notes.
  void clear() noexcept {
    stream_note* at = first_.exchange(nullptr);
    while (at != nullptr) delete std::exchange(at, at->next);
  }

 private:
  atomic<stream_note*> first_{nullptr};
  atomic<bool> locked_{false};
};

}  // namespace yoke::inline YOKE_ABI::detail

#endif

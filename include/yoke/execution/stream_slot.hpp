// SPDX-License-Identifier: MIT
// Notes that other objects keep about a stream, such as a pool's cache for it.
#ifndef YOKE_EXECUTION_STREAM_SLOT_HPP
#define YOKE_EXECUTION_STREAM_SLOT_HPP

#include <yoke/core/shared.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace yoke::inline v0_1::detail {

/// The note of one object about a stream.
class stream_note {
 public:
  explicit stream_note(const void* object) noexcept : key(object) {}
  stream_note(const stream_note&) = delete;
  stream_note& operator=(const stream_note&) = delete;
  virtual ~stream_note() = default;

  atomic<const void*> key;      // the object's address; null while the note changes its object
  stream_note* next = nullptr;  // never changes once the note is in the list
};

/// The notes of a stream; the last handle that shares them destroys them.
/// Thread safety: `find` is safe; `add` and changes of notes need `try_lock`.
class stream_notes {
 public:
  stream_notes() noexcept = default;
  stream_notes(const stream_notes&) = delete;
  stream_notes& operator=(const stream_notes&) = delete;

  /// Returns: the note of an object, or null.
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
  /// Returns: the stream's number in its context, assigned at the first call. `last` is the context's latest number.
  [[nodiscard]] std::uint64_t number(atomic<std::uint64_t>& last) noexcept {
    std::uint64_t mine = number_.load(order::acquire);
    if (mine != 0) return mine;
    const std::uint64_t fresh = last.fetch_add(1, order::relaxed) + 1;
    return number_.compare_exchange_strong(mine, fresh) ? fresh : mine;
  }
  void retain() noexcept { owners_.fetch_add(1, order::relaxed); }
  void release() noexcept {
    if (owners_.fetch_sub(1, order::acq_rel) == 1) delete this;
  }

 private:
  ~stream_notes() {
    stream_note* at = first_.load(order::relaxed);
    while (at != nullptr) delete std::exchange(at, at->next);
  }

  atomic<stream_note*> first_{nullptr};
  atomic<std::size_t> owners_{1};
  atomic<std::uint64_t> number_{0};
  atomic<bool> locked_{false};
};

/// A handle's share of its stream's notes. Moves with the handle.
/// Thread safety: `find` and `notes` are safe; `share`, moving and destroying are not.
class stream_slot {
 public:
  stream_slot() noexcept = default;
  stream_slot(stream_slot&& other) noexcept : notes_(other.notes_.exchange(nullptr)) {}
  stream_slot& operator=(stream_slot&& other) noexcept {
    if (this != &other) {
      clear();
      notes_.store(other.notes_.exchange(nullptr));
    }
    return *this;
  }
  ~stream_slot() { clear(); }

  /// Returns: the note of an object, or null.
  [[nodiscard, gnu::always_inline]] stream_note* find(const void* key) const noexcept {
    const stream_notes* const notes = notes_.load(order::acquire);
    return notes == nullptr ? nullptr : notes->find(key);
  }
  /// Returns: the notes; makes them at the first call. Throws: `std::bad_alloc`.
  [[nodiscard]] stream_notes& notes() {
    stream_notes* there = notes_.load(order::acquire);
    if (there != nullptr) return *there;
    auto* const fresh = new stream_notes;
    if (notes_.compare_exchange_strong(there, fresh)) return *fresh;
    fresh->release();  // another thread was faster
    return *there;
  }
  /// Effects: shares the notes of another handle of the stream. Requires: this has no notes.
  void share(stream_notes& of) noexcept {
    of.retain();
    notes_.store(&of, order::release);
  }
  /// Effects: drops the share; the last one destroys the notes.
  void clear() noexcept {
    if (stream_notes* const had = notes_.exchange(nullptr)) had->release();
  }

 private:
  atomic<stream_notes*> notes_{nullptr};
};

}  // namespace yoke::inline v0_1::detail

#endif

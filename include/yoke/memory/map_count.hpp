// SPDX-License-Identifier: MIT
// Counts the views that map an allocation for the host.
#ifndef YOKE_MEMORY_MAP_COUNT_HPP
#define YOKE_MEMORY_MAP_COUNT_HPP

#include <yoke/core/error.hpp>
#include <yoke/core/shared.hpp>
#include <yoke/driver/concepts.hpp>

#include <cstdint>

namespace yoke::inline v0_1::detail {

/// Whether any memory of a driver is mapped; if not, the counts of single allocations need not be read.
template <class Port>
[[nodiscard, gnu::always_inline]] inline bool are_views(const Port& port) noexcept {
  if constexpr (map_port<Port>) {
    return port.mapped_views().load(order::relaxed) != 0;
  } else {
    return false;
  }
}

/// Memory that keeps the streams which use it, so that it is freed behind their work.
class use_notes {
 public:
  /// Effects: keeps a native stream whose commands use the memory from now on. Throws: `error`; `std::bad_alloc`.
  /// Thread safety: safe.
  virtual void note(void* native_stream, const source_location& where) = 0;

 protected:
  ~use_notes() = default;
};

/// A counter that is reused but never freed, because a span may read it after its allocation is gone.
struct alignas(64) map_counter : shared_count {  // own cache line: threads write their counters often
  using shared_count::shared_count;
  atomic<int> views{0};
  atomic<std::uint32_t> generation{0};  // how many allocations have used it
  atomic<int>* all = nullptr;           // counts the views of all memory of the driver
  atomic<use_notes*> notes{nullptr};    // set while the allocation lives, if it keeps its streams
  map_counter* next_idle = nullptr;

  /// Effects: adds a view's weight. Returns: the weight of all views before.
  int add_view(int weight) noexcept {
    (void)all->fetch_add(1, order::relaxed);
    return views.fetch_add(weight);
  }
  void drop_view(int weight) noexcept {
    views.fetch_sub(weight);
    (void)all->fetch_sub(1, order::relaxed);
  }
};

/// A share of an allocation's counter; the allocation and the views that map it have one each.
using map_count = shared<map_counter>;

/// Returns: a counter at zero, reused after its last share is gone. `all` counts its views, too.
/// Throws: `std::bad_alloc`.
YOKE_API map_count make_map_count(atomic<int>& all);

/// Tells a span whether its memory is mapped. Copyable. `mapped()` is false once the allocation is gone.
class map_watch {
 public:
  constexpr map_watch() noexcept = default;
  map_watch(const map_count& count) noexcept  // NOLINT: implicit by intent
      : counter_(count.get()), generation_(counter_ == nullptr ? 0 : counter_->generation.load(order::relaxed)) {}

  [[nodiscard]] bool mapped() const noexcept {
    return counter_ != nullptr && counter_->views.load(order::relaxed) != 0 &&
           counter_->generation.load(order::relaxed) == generation_;
  }

  /// The object that keeps the streams which use the memory; null for most memory, and once the allocation is gone.
  [[nodiscard]] use_notes* notes() const noexcept {
    if (counter_ == nullptr || counter_->generation.load(order::relaxed) != generation_) return nullptr;
    return counter_->notes.load(order::relaxed);
  }

  /// Returns: a share of the counter for a view; null if views are not counted or the allocation is gone.
  [[nodiscard]] YOKE_API map_count share() const;

 private:
  map_counter* counter_ = nullptr;
  std::uint32_t generation_ = 0;
};

/// Throws: `logic_error` (`errc::mapped`); `name` is "source" or "destination".
[[noreturn, gnu::cold]] YOKE_API void throw_mapped(const char* name, const source_location& where);
/// Throws: `logic_error` with the name, "source" or "destination", when the memory is mapped.
inline void check_not_mapped(const map_watch& maps, const char* name, const source_location& where) {
  if (maps.mapped()) [[unlikely]]
    throw_mapped(name, where);
}

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/memory/map_count.ipp>
#endif

#endif

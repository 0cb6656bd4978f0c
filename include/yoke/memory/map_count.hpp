// SPDX-License-Identifier: MIT
// How many views map an allocation for the host: counted by its views, asked by its spans.
#ifndef YOKE_MEMORY_MAP_COUNT_HPP
#define YOKE_MEMORY_MAP_COUNT_HPP

#include <yoke/core/error.hpp>
#include <yoke/core/shared.hpp>
#include <yoke/driver/concepts.hpp>

#include <cstdint>

namespace yoke::inline YOKE_ABI::detail {

/// Whether anything of a driver is mapped: where nothing can be, or is, nobody looks whose.
template <class Port>
[[nodiscard, gnu::always_inline]] inline bool are_views(const Port& port) noexcept {
  if constexpr (map_port<Port>) {
    return port.mapped_views().load(order::relaxed) != 0;
  } else {
    return false;
  }
}

/// A count whose storage is used again, but never freed: a span may ask it after its allocation has gone, as one of
/// memory that was given up by `release()` does.
struct map_counter : shared_count {
  using shared_count::shared_count;
  atomic<int> views{0};
  atomic<std::uint32_t> generation{0};  // counts the allocations that had it
  atomic<int>* all = nullptr;           // the views of all memory of its driver
  map_counter* next_idle = nullptr;

  /// Effects: counts a view more, of a weight, or one less. Returns: what all of them weighed before.
  int add_view(int weight) noexcept {
    (void)all->fetch_add(1, order::relaxed);
    return views.fetch_add(weight);
  }
  void drop_view(int weight) noexcept {
    views.fetch_sub(weight);
    (void)all->fetch_sub(1, order::relaxed);
  }
};

/// An allocation's share of its counter; the views that map it have one too.
using map_count = shared<map_counter>;

/// Returns: a counter at zero, which goes back for others when its last share goes; `all` counts its views, too.
/// Throws: `std::bad_alloc`.
YOKE_API map_count make_map_count(atomic<int>& all);

/// What a span knows of the views that map its memory. A value; it says no once the allocation's handle has gone.
class map_watch {
 public:
  constexpr map_watch() noexcept = default;
  map_watch(const map_count& count) noexcept  // NOLINT: what watching means
      : counter_(count.get()), generation_(counter_ == nullptr ? 0 : counter_->generation.load(order::relaxed)) {}

  [[nodiscard]] bool mapped() const noexcept {
    return counter_ != nullptr && counter_->views.load(order::relaxed) != 0 &&
           counter_->generation.load(order::relaxed) == generation_;
  }

  /// Returns: a share for a view of the span's own; null when nobody counts, or no longer does.
  [[nodiscard]] YOKE_API map_count share() const;

 private:
  map_counter* counter_ = nullptr;
  std::uint32_t generation_ = 0;
};

/// Throws: `logic_error` (`errc::mapped`); `name` is "source" or "destination".
[[noreturn, gnu::cold]] YOKE_API void throw_mapped(const char* name, const source_location& where);
/// Throws: `logic_error` when memory is mapped, with the name that the caller knows it by: "source" or "destination".
inline void check_not_mapped(const map_watch& maps, const char* name, const source_location& where) {
  if (maps.mapped()) [[unlikely]]
    throw_mapped(name, where);
}

}  // namespace yoke::inline YOKE_ABI::detail

#if defined(YOKE_HEADER_ONLY)
#include <yoke/memory/impl/map_count.ipp>
#endif

#endif

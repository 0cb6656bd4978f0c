// SPDX-License-Identifier: MIT
// The memory that an operation of a team's rank uses, and copies out of other ranks' memory.
#ifndef YOKE_LOCAL_TEAM_MEMORY_HPP
#define YOKE_LOCAL_TEAM_MEMORY_HPP

#include <yoke/distributed/message_range.hpp>
#include <yoke/distributed/peer_paths.hpp>
#include <yoke/distributed/rank_check.hpp>
#include <yoke/driver/any/port.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace yoke::inline v0_1::detail {

/// Device memory without gaps. Units: bytes.
template <class Port>
struct local_memory {
  typename Port::memory_handle memory{};
  std::size_t first = 0;
  std::size_t bytes = 0;
  typename Port::context_handle context{};

  [[nodiscard]] local_memory part(std::size_t begin, std::size_t size) const noexcept {
    return {memory, first + begin, size, context};
  }
  [[nodiscard]] memory_side<device_place<Port>, std::byte> side() const {
    return {.at = {memory, first}, .size = bytes, .context = context};
  }
  [[nodiscard]] friend bool operator==(const local_memory& left, const local_memory& right) noexcept {
    return left.memory == right.memory && left.first == right.first && left.context == right.context;
  }
};

/// Whether two streams wait for each other on the device, and copy out of each other's memory.
template <class Port>
[[nodiscard]] bool are_together(const stream<Port>& left, const stream<Port>& right) noexcept {
  const context_state<Port>& one = *left.context_of().shared();
  const context_state<Port>& two = *right.context_of().shared();
  if (!(one.port == two.port)) return false;
  if (one.native == two.native) return true;
  if (!port_traits<Port>::copies_between_contexts(one.port)) return false;
  if constexpr (may_wait_across_contexts<Port>) return one.port.waits_across_contexts();
  return waits_across_contexts<Port>;
}

/// The contexts that a rank has copied between. Thread safety: one thread at a time.
class met_contexts {
 public:
  /// Effects: at their first meeting, lets streams of `in` copy directly from the other context's memory if their devices
  /// see each other. That ends with the contexts, because copies may be on their way when the rank ends.
  /// Throws: `error`, `std::bad_alloc`.
  template <class Port>
  void meet(const context<Port>& in, const context<Port>& other, const source_location& where) {
    const pair now{&*in.shared(), &*other.shared()};
    if (now.first == now.second || std::find(all_.begin(), all_.end(), now) != all_.end()) return;
    all_.push_back(now);
    peer_paths path;
    if (path.open(peer_place_of(in, where), peer_place_of(other, where), where)) path.leave_open();
  }

 private:
  using pair = std::pair<const void*, const void*>;
  std::vector<pair> all_{};
};

/// Effects: enqueues a copy out of the memory of another rank, behind `ready`, if the streams are together. Else the
/// host reads in the other rank's stream, and writes in this one. Throws: `error`, `std::bad_alloc`.
template <class Port>
void pull_memory(const stream<Port>& in, const local_memory<Port>& to, const stream<Port>& other,
                 const local_memory<Port>& from, const event<Port>& ready, met_contexts& met,
                 const source_location& where) {
  if (are_together(in, other)) {
    met.meet(in.context_of(), other.context_of(), where);
    in.wait(ready, where);
    enqueue_sides(from.side(), to.side(), in, where);
    return;
  }
  std::vector<std::byte> between(to.bytes);
  const device_span<std::byte, Port> read(from.context, from.memory, from.first, from.bytes);
  const device_span<std::byte, Port> write(to.context, to.memory, to.first, to.bytes);
  copy(read, between, other, where);
  copy(between, device_span<std::byte, Port>(write), in, where);
}

/// The memory that one operation of a rank uses: ordered behind other streams' work, and without gaps.
template <class Port>
class local_operands {
 public:
  local_operands(const stream<Port>& in, const source_location& where) : in_(in), where_(where), others_(in) {}
  local_operands(const local_operands&) = delete;
  local_operands& operator=(const local_operands&) = delete;
  ~local_operands() = default;

  /// Throws: `logic_error` for memory that the stream cannot use.
  static void check(const stream<Port>& in, const message_range<Port>& of, const char* name,
                    const source_location& where) {
    if (of.bytes == 0) return;
    check_side(in, of.device_side(), name, where);
  }
  /// Effects: orders the stream behind other streams' work with the memory; packs it if it has gaps and is read.
  /// Returns: memory without gaps, in this operation's life. Throws: `error`, `std::bad_alloc`.
  [[nodiscard]] local_memory<Port> take(const message_range<Port>& of, memory_use kind, bool packs) {
    if (of.bytes == 0) return {};
    others_.use(of.uses, of.keep_alive.count(), kind, where_);
    if (!of.packing && of.host == nullptr) return {of.memory, of.first, of.bytes, of.context};
    const local_memory<Port> dense = temporary(of.bytes);
    if (packs) move(of, dense, true);
    if (kind == memory_use::writes) unpacked_.push_back({&of, dense});
    return dense;
  }
  /// Returns: memory of the stream's order, in this operation's life. Throws: `error`.
  [[nodiscard]] local_memory<Port> temporary(std::size_t bytes) {
    if (bytes == 0) return {};
    temporaries_.push_back(allocate_for_array<std::byte>(in_, bytes, where_));
    const auto& made = temporaries_.back();
    return {made.native_handle(), 0, bytes, in_.context_of().native_handle()};
  }
  /// Effects: enqueues the copies to the memory with gaps that was written. Throws: `error`.
  void unpack() {
    for (const auto& each : unpacked_) move(*each.of, each.dense, false);
    unpacked_.clear();
  }

 private:
  struct packed {
    const message_range<Port>* of;
    local_memory<Port> dense;
  };
  void move(const message_range<Port>& of, const local_memory<Port>& dense, bool packs) const {
    const device_span<std::byte, Port> whole(dense.context, dense.memory, dense.first, dense.bytes);
    if (of.packing) return packs ? of.packing->pack(in_, whole, where_) : of.packing->unpack(in_, whole, where_);
    if (packs) {
      enqueue_sides(of.host_side(), dense.side(), in_, where_);
    } else {
      enqueue_sides(dense.side(), of.host_side(), in_, where_);
    }
  }

  const stream<Port>& in_;
  source_location where_;
  other_streams<Port> others_;
  std::vector<device_allocation<std::byte, Port>> temporaries_;
  std::vector<packed> unpacked_;
};

/// Throws: `logic_error` for a source and a destination that overlap, unless the source begins `allowed` bytes behind the
/// destination.
template <class Port>
void check_apart_or_in_place(const stream<Port>& in, const rank_call& call, const message_range<Port>& from,
                             const message_range<Port>& into, std::ptrdiff_t allowed) {
  const auto is_plain = [](const message_range<Port>& of) {
    return of.bytes != 0 && !of.packing && of.host == nullptr;
  };
  if (!is_plain(from) || !is_plain(into)) return;
  std::uintptr_t from_base = 0;
  std::uintptr_t into_base = 0;
  const auto& port = in.context_of().port(call.where);
  if (!device_place<Port>::share_base(port, from.device_side().at, into.device_side().at, from_base, into_base)) return;
  from_base += from.first;
  into_base += into.first;
  if (from_base + from.bytes <= into_base || into_base + into.bytes <= from_base) return;
  if (static_cast<std::ptrdiff_t>(from_base - into_base) == allowed) return;
  throw_error(errc::invalid_argument, call.where, words_of(call),
              ": source and destination overlap; in place, one begins at the other's part of this rank");
}

}  // namespace yoke::inline v0_1::detail

#endif

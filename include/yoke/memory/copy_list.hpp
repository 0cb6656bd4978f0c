// SPDX-License-Identifier: MIT
// Lists of copies that are enqueued together, by one driver call if the driver supports it.
#ifndef YOKE_MEMORY_COPY_LIST_HPP
#define YOKE_MEMORY_COPY_LIST_HPP

#include <yoke/memory/copy.hpp>

#include <string>
#include <vector>

namespace yoke::inline v0_1 {

namespace detail {

/// A copy of a list, in bytes. One side may be page-locked memory in `host`; that side's device memory is then empty.
template <class Port>
struct listed_copy {
  using device_side = memory_side<device_place<Port>, std::byte>;
  using host_side = memory_side<pagelocked_place<Port>, std::byte>;

  device_side from{};
  device_side to{};
  host_side host{};
  bool writes = false;  // from host to device
  bool reads = false;   // from device to host
  copy_plan plan{};

  /// Effects: calls `act` with the source and the destination.
  template <class Act>
  auto with_sides(Act&& act) const {
    if (writes) return act(host, to);
    if (reads) return act(from, host);
    return act(from, to);
  }
  /// Effects: stores a side, converted from elements to bytes.
  template <class Side>
  void take(Side&& side, device_side& device) {
    using place = typename std::remove_cvref_t<Side>::place;
    constexpr std::size_t element = sizeof(typename std::remove_cvref_t<Side>::element);
    const auto fill = [&](auto& into) {
      into.size = side.size * element;
      into.context = side.context;
      into.maps = side.maps;
      into.refusal = side.refusal;
      into.uses = side.uses;
      into.keep_alive = std::move(side.keep_alive);
    };
    if constexpr (place::on_host) {
      host.at = const_cast<std::byte*>(reinterpret_cast<const std::byte*>(side.at));
      fill(host);
    } else {
      device.at = {side.at.memory, side.at.first * element};
      fill(device);
    }
  }
};

inline void scale(box_layout& box, std::size_t element) noexcept {
  box.width *= element;
  box.row_pitch *= element;
  box.slice_pitch *= element;
  box.offset *= element;
}

}  // namespace detail

/// Independent copies that `enqueue_copy`, `copy` or `copy_async` enqueue together; they may run in any order and at
/// the same time. A list can be enqueued many times. It keeps page-locked memory alive, but not device memory.
/// Thread safety: add copies from one thread at a time; enqueueing is safe from several.
/// Example:
/// `yoke::copy_list list{ctx}; for (auto& p : parts) list.add(p.host, p.device); yoke::enqueue_copy(list, stream);`
template <class Port = any_port>
class copy_list {
 public:
  /// An empty list for copies of the context's backend. Throws: nothing.
  explicit copy_list(const context<Port>&) noexcept {}

  /// Adds a copy between device memory, or between device and page-locked memory. Ignores an empty copy.
  /// Requires: no copy of the list writes memory that another one reads or writes. The memory lives until the stream
  /// has passed the copies.
  /// Throws: `logic_error` when sizes differ; `std::bad_alloc`.
  template <class Source, class Destination>
  void add(Source&& source, Destination&& destination, const source_location& where = source_location::current()) {
    using given_source = std::remove_reference_t<Source>;
    using given_destination = std::remove_reference_t<Destination>;
    detail::check_staying_sides<Source, Destination, Port>();
    if constexpr (detail::both_stay<Source, Destination>) {
      if constexpr (detail::sides_of_a_copy<given_source, given_destination, Port>) {
        add_sides(detail::describe(std::as_const(source)), detail::describe(destination), where);
      }
    }
  }
  [[nodiscard]] std::size_t size() const noexcept { return copies_.size(); }
  [[nodiscard]] bool empty() const noexcept { return copies_.empty(); }
  void clear() noexcept { copies_.clear(); }

  // For the functions below.
  [[nodiscard]] const std::vector<detail::listed_copy<Port>>& copies() const noexcept { return copies_; }

 private:
  template <class From, class To>
  void add_sides(From from, To to, const source_location& where) {
    using from_place = typename From::place;
    using to_place = typename To::place;
    if constexpr (std::same_as<from_place, pageable_place> || std::same_as<to_place, pageable_place>) {
      // `check_staying_sides` has reported the error.
    } else if constexpr (!detail::plain_place<from_place, Port> || !detail::plain_place<to_place, Port>) {
      (void)copy_mismatch<from_place, to_place>::a_list_takes_device_and_pagelocked_memory_enqueue_this_copy_by_itself;
    } else {
      constexpr std::size_t element = sizeof(typename From::element);
      detail::listed_copy<Port> made;
      made.plan = detail::plan_sides(from, to, where);
      if (made.plan.nothing) return;
      detail::scale(made.plan.source, element);
      detail::scale(made.plan.destination, element);
      made.writes = from_place::on_host;
      made.reads = to_place::on_host;
      made.take(std::move(from), made.from);
      made.take(std::move(to), made.to);
      copies_.push_back(std::move(made));
    }
  }
  std::vector<detail::listed_copy<Port>> copies_;
};

namespace detail {

template <class Port>
inline constexpr bool has_both_sides<copy_list<Port>> = true;

/// Throws: `logic_error` that names the copy and side that cannot be copied in this stream.
template <class Port>
void check_listed(const stream<Port>& stream, const listed_copy<Port>& copy, std::size_t index,
                  const source_location& where) {
  const auto here = stream.context_of().native_handle();
  copy.with_sides([&](const auto& from, const auto& to) {
    const bool between = is_between_contexts(stream, from, to);
    const auto check = [&](const auto& side, const char* name) {
      if ((between || side.context == here) && !side.maps.mapped() && side.refusal == nullptr) [[likely]]
        return;
      check_side(stream, side, text(name, " of copy ", index, " of the list").c_str(), where, between);
    };
    check(from, "source");
    check(to, "destination");
    check_overlap(stream.context_of().port(where), from, to, copy.plan, where);
  });
}

/// Effects: adds the copy to a batch; slice by slice if the driver does not take all slices at once.
template <class Port>
void add_to_batch(std::vector<batched_copy>& batch, const listed_copy<Port>& copy) {
  copy.with_sides([&](const auto& from, const auto& to) {
    copy_plan plan = copy.plan;
    const auto address = [](const auto& side) -> std::uint64_t {
      if constexpr (std::remove_cvref_t<decltype(side)>::place::on_host) {
        return reinterpret_cast<std::uintptr_t>(side.at);
      } else {
        return native_value(side.at.memory) + side.at.first;
      }
    };
    if (plan.one_row) {
      plan.source.width = volume(plan.source);
      plan.source.height = plan.source.depth = plan.destination.height = plan.destination.depth = 1;
    }
    const std::size_t times =
        device_place<Port>::is_one_box(plan, from, to) ? 1 : std::exchange(plan.source.depth, std::size_t{1});
    if (times != 1) plan.destination.depth = 1;
    for (std::size_t slice = 0; slice < times; ++slice) {
      batched_copy each;
      each.from = bytes_of(plan.source, 0, 1);
      each.to = bytes_of(plan.destination, 0, 1);
      each.source = address(from) + std::exchange(each.from.offset, 0);
      each.destination = address(to) + std::exchange(each.to.offset, 0);
      each.box = {plan.source.width, plan.source.height, plan.source.depth};
      batch.push_back(each);
      plan.source.offset += plan.source.slice_pitch;
      plan.destination.offset += plan.destination.slice_pitch;
    }
  });
}

/// Effects: enqueues the copies of a list. If one is refused, waits for the earlier ones.
template <class Port>
[[gnu::noinline]] void start_list(const copy_list<Port>& list, const stream<Port>& stream,
                                  const source_location& where) {
  if (!stream) throw_empty_handle("stream", where);
  const context_state<Port>& in = stream.context_of().state(where);
  const auto native = stream.native_handle();
  const auto here = in.native;
  const auto& copies = list.copies();
  for (std::size_t index = 0; index < copies.size(); ++index) check_listed(stream, copies[index], index, where);
  other_streams<Port> operation(stream);
  for (const auto& copy : copies) {
    copy.with_sides([&](const auto& from, const auto& to) {
      use_side(operation, from, memory_use::reads, where, !(from.context == here));
      use_side(operation, to, memory_use::writes, where, !(to.context == here));
    });
  }
  // Copies that touch another context's memory are enqueued one by one.
  const auto is_batched = [&](const listed_copy<Port>& copy) {
    return copy.with_sides(
        [&](const auto& from, const auto& to) { return from.context == here && to.context == here; });
  };
  std::vector<batched_copy> batch;
  if (copies.size() > 1 && memory_is_address(in.port)) {
    batch.reserve(copies.size());
    for (const auto& copy : copies) {
      if (is_batched(copy)) add_to_batch(batch, copy);
    }
  }
  try {
    const bool batched = batch.size() > 1 && port_traits<Port>::copy_batch(in.port, native, batch, where);
    for (const auto& copy : copies) {
      if (batched && is_batched(copy)) continue;
      copy.with_sides([&](const auto& from, const auto& to) {
        device_place<Port>::copy(in.port, native, from, to, copy.plan,
                                 completion<typename Port::event_handle>::unwatched(), where);
      });
    }
  } catch (...) {
    try {
      in.port.synchronize(native, where);
    } catch (...) {  // the first failure is thrown
    }
    throw;
  }
}

}  // namespace detail

/// Enqueues all copies of a list and returns at once. The list alone keeps memory alive.
///
/// Effects: one driver call for all ranges and one for all boxes if the driver supports batches; else one call or more
/// for each copy.
/// Requires: as `copy_list::add`. If the list holds the last share of page-locked memory, it lives until the stream has
/// passed the copies.
/// Throws: `logic_error`, before anything is enqueued, that names the copy whose memory is mapped, empty, of another
/// context or overlaps; `error`. Thread safety: safe.
/// Wraps `cuMemcpyBatchAsync`, `cuMemcpy3DBatchAsync` with driver 12.8 and newer; else as `enqueue_copy` of two sides.
template <class Port>
void enqueue_copy(const copy_list<Port>& list, const stream<Port>& stream,
                  const source_location& where = source_location::current()) {
  detail::start_list(list, stream, where);
}
/// The same, but returns when the copies are done.
template <class Port>
void copy(const copy_list<Port>& list, const stream<Port>& stream,
          const source_location& where = source_location::current()) {
  if (list.empty()) return;
  detail::start_list(list, stream, where);
  stream.synchronize(where);
}
/// The same as `enqueue_copy`.
/// Returns: the copies in flight, which keep page-locked memory alive and wait when destroyed.
template <class Port>
[[nodiscard]] transfer<Port> copy_async(const copy_list<Port>& list, const stream<Port>& stream,
                                        const source_location& where = source_location::current()) {
  if (list.empty()) return {};
  kept_alive all = keep_alive(list.copies());
  detail::start_list(list, stream, where);
  return transfer<Port>(stream.record({}, where), std::move(all), {});
}

}  // namespace yoke::inline v0_1

#endif

// SPDX-License-Identifier: MIT
// Converts arrays of one backend to arrays of any backend, for functions that take `yoke::device_view<T, Rank>`.
#ifndef YOKE_ARRAY_STORAGE_AS_ANY_HPP
#define YOKE_ARRAY_STORAGE_AS_ANY_HPP

#include <yoke/array/storage/device_array.hpp>
#include <yoke/execution/as_any.hpp>

#include <vector>

namespace yoke::inline v0_1 {

namespace detail {

/// Presents an array's memory as memory of any backend. Both blocks record their uses, and each includes the uses of
/// the other.
template <class Port>
class twin_block final : public array_block<any_port> {
 public:
  twin_block(array_block<Port>& of, kept_alive kept, const yoke::stream<any_port>& stream, const source_location& where)
      : array_block<any_port>(stream, &record, where, &host), kept_(std::move(kept)), of_(of) {
    this->found(wrapped<any_port::memory_handle>(of.memory()), of.bytes(), of.maps());
    this->become_twin_of(of);
  }
  twin_block(const twin_block&) = delete;
  twin_block& operator=(const twin_block&) = delete;
  ~twin_block() {
    for (const auto& each : others_) wait_for(each);
    this->settle_own();
    of_.forget_twin(this);
    this->wait_for_all();
  }

 private:
  static void record(memory_uses<any_port>& self, const yoke::stream<any_port>& of, const source_location& where) {
    auto& others = static_cast<twin_block&>(self).others_;
    for (const auto& each : others) {
      if (each.native_handle() == of.native_handle()) return;
    }
    others.push_back(of.another(where));
  }
  static void* host(array_block<any_port>& self, const source_location& where) {
    return static_cast<twin_block&>(self).of_.host(where);
  }
  void wait_for(const yoke::stream<any_port>& of) const noexcept {
    try {
      this->stream().wait(of.record());
    } catch (...) {  // failed work no longer uses the memory
    }
  }

  kept_alive kept_;
  array_block<Port>& of_;
  std::vector<yoke::stream<any_port>> others_;  // streams whose work it waits for before it ends
};

/// A view's stream, for memory whose uses the program orders.
struct any_stream_of {
  kept_alive kept;
  yoke::stream<any_port> stream;
};

}  // namespace detail

/// Converts a view of a backend to a view of any backend: the same elements in the same stream. That stream orders the
/// work of both views; where they meet, it orders reads, too. The memory lives as long as either view.
/// Throws: `logic_error` for an empty view; `error`, `std::bad_alloc`. Thread safety: safe.
template <class T, std::size_t Rank, class Port>
[[nodiscard]] device_view<T, Rank, any_port> as_any(const device_view<T, Rank, Port>& of,
                                                    const source_location& where = source_location::current()) {
  using namespace detail;
  const yoke::stream<Port>& order = of.stream(where);
  if constexpr (std::same_as<Port, any_port>) {
    return of;
  } else {
    const array_memory<Port>& from = of.memory();
    if (from.uses.uses == nullptr) {
      auto kept = make_shared<any_stream_of>(any_stream_of{from.share(), as_any(order, where)});
      const array_memory<any_port> memory{wrapped<any_port::memory_handle>(from.memory), from.bytes,
                                          kept->stream.context_of().native_handle(), from.maps};
      return {memory, kept->stream, of.layout(), kept_alive(kept)};
    }
    auto& block = static_cast<array_block<Port>&>(*from.uses.uses);  // only array blocks have uses
    const auto twin = block.template twin<twin_block<Port>>(
        [&] { return make_shared<twin_block<Port>>(block, from.share(), as_any(block.home(), where), where); });
    const array_memory<any_port> memory{twin->memory(), twin->bytes(), twin->stream().context_of().native_handle(),
                                        twin->maps(),   twin.count(),  {twin.get()}};
    const device_view<T, Rank, any_port> made(memory, twin->stream(), of.layout(), kept_alive(twin));
    return from.uses.is_bound ? made.bind(as_any(order, where), where) : made;
  }
}
/// The same for all elements of an array.
template <class T, std::size_t Rank, class Port>
[[nodiscard]] device_view<T, Rank, any_port> as_any(device_array<T, Rank, Port>& of,
                                                    const source_location& where = source_location::current()) {
  return as_any(of.view(where), where);
}
template <class T, std::size_t Rank, class Port>
[[nodiscard]] device_view<const T, Rank, any_port> as_any(const device_array<T, Rank, Port>& of,
                                                          const source_location& where = source_location::current()) {
  return as_any(of.view(where), where);
}
/// Moves a backend's array into an array of any backend; the source is empty afterwards. Throws: as above; the source
/// is then unchanged.
template <class T, std::size_t Rank, class Port>
[[nodiscard]] device_array<T, Rank, any_port> as_any(device_array<T, Rank, Port>&& of,
                                                     const source_location& where = source_location::current()) {
  if constexpr (std::same_as<Port, any_port>) {
    return std::move(of);
  } else {
    const auto view = as_any(of.view(where), where);
    device_array<T, Rank, any_port> made = device_array<T, Rank, any_port>::over(view);
    of.reset();
    return made;
  }
}

}  // namespace yoke::inline v0_1

#endif

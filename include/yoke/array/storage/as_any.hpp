// SPDX-License-Identifier: MIT
// Converts arrays of one backend to arrays of any backend, for functions that take `yoke::device_view<T, Rank>`.
#ifndef YOKE_ARRAY_STORAGE_AS_ANY_HPP
#define YOKE_ARRAY_STORAGE_AS_ANY_HPP

#include <yoke/array/storage/device_array.hpp>
#include <yoke/execution/as_any.hpp>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <vector>

namespace yoke::inline v0_1 {

namespace detail {

/// The source of a backend's array, as a memory resource for arrays of any backend.
template <class Port>
class source_for_any final : public memory_resource<any_port> {
 public:
  using typename memory_resource<any_port>::native_type;
  using typename memory_resource<any_port>::native_stream;

  source_for_any(const yoke::stream<Port>& of, const source_location& where)
      : context_(as_any(of.context_of(), where)), stream_(of.another(where)) {}
  [[nodiscard]] const yoke::context<any_port>& context_of() const noexcept override { return context_; }
  [[nodiscard]] native_type allocate(std::size_t bytes, const yoke::stream<any_port>& order,
                                     const source_location& where) override {
    const auto native = native_of(order.native_handle());
    device_allocation<std::byte, Port> made =
        native == stream_.native_handle()
            ? stream_.memory()->allocate(bytes, stream_, where)
            : stream_.memory()->allocate(bytes, yoke::stream<Port>::borrow(stream_.context_of(), native, where), where);
    const auto result = wrapped<native_type>(made.native_handle());
    const std::lock_guard lock(mutex_);
    given_.push_back(std::move(made));
    return result;
  }
  void deallocate(native_type memory, std::size_t, native_stream,
                  std::span<const native_stream> uses) noexcept override {
    device_allocation<std::byte, Port> gone;
    {
      const std::lock_guard lock(mutex_);
      const auto at = std::find_if(given_.begin(), given_.end(), [&](const auto& each) {
        return wrapped<native_type>(each.native_handle()).value == memory.value;
      });
      gone = std::move(*at);
      given_.erase(at);
    }
    for (const native_stream each : uses) {
      try {
        gone.record_use(yoke::stream<Port>::borrow(stream_.context_of(), native_of(each)));
      } catch (...) {  // this thread waits, so that the memory is not used again too early
        try {
          stream_.context_of().port().synchronize(native_of(each), {});
        } catch (...) {  // failed work no longer uses the memory
        }
      }
    }
  }

 private:
  [[nodiscard]] static typename Port::stream_handle native_of(const native_stream& of) noexcept {
    typename Port::stream_handle native{};
    std::memcpy(static_cast<void*>(&native), &of.value, sizeof native);
    return native;
  }

  const yoke::context<any_port> context_;
  const yoke::stream<Port> stream_;  // has the source
  std::mutex mutex_;
  std::vector<device_allocation<std::byte, Port>> given_;
};

/// Returns: a backend's stream as one of any backend, whose arrays get their memory from the same source.
template <class Port>
[[nodiscard]] yoke::stream<any_port> as_any_with_source(const yoke::stream<Port>& of, const source_location& where) {
  yoke::stream<any_port> same = as_any(of, where);
  if (of.memory() == nullptr) return same;
  const shared<memory_resource<any_port>> from = make_shared<source_for_any<Port>>(of, where);
  return same.another(resource_source<any_port, shared<memory_resource<any_port>>>::make(from).get(), where);
}

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
    const auto twin = block.template twin<twin_block<Port>>([&] {
      return make_shared<twin_block<Port>>(block, from.share(), as_any_with_source(block.home(), where), where);
    });
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

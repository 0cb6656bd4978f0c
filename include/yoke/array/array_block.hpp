// SPDX-License-Identifier: MIT
// The memory of arrays with its stream: what an array owns and its shared views keep alive.
#ifndef YOKE_ARRAY_ARRAY_BLOCK_HPP
#define YOKE_ARRAY_ARRAY_BLOCK_HPP

#include <yoke/memory/device_allocation.hpp>

namespace yoke::inline YOKE_ABI::detail {

/// Memory, and the stream in which work with it is enqueued.
template <class Port>
class array_block {
 public:
  array_block(const array_block&) = delete;
  array_block& operator=(const array_block&) = delete;

  [[nodiscard]] const yoke::stream<Port>& stream() const noexcept { return stream_; }
  [[nodiscard]] const typename Port::memory_handle& memory() const noexcept { return memory_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] const map_watch& maps() const noexcept { return maps_; }
  void record_use(const yoke::stream<Port>& of, const source_location& where) { record_(*this, of, where); }

 protected:
  using recorder = void (*)(array_block&, const yoke::stream<Port>&, const source_location&);
  array_block(const yoke::stream<Port>& stream, recorder record, const source_location& where)
      : stream_(stream.another(where)), record_(record) {}
  ~array_block() = default;
  template <class T>
  void found(const device_allocation<T, Port>& owned) noexcept {
    memory_ = owned.native_handle();
    bytes_ = owned.size_bytes();
    maps_ = map_watch(owned.maps());
  }

 private:
  yoke::stream<Port> stream_;
  recorder record_;
  typename Port::memory_handle memory_{};
  std::size_t bytes_ = 0;
  map_watch maps_;
};

/// The memory of an allocation.
template <class T, class Port>
class allocated_block final : public array_block<Port> {
 public:
  allocated_block(device_allocation<T, Port>&& owned, const stream<Port>& stream, const source_location& where)
      : array_block<Port>(stream, &record, where), owned_(std::move(owned)) {
    this->found(owned_);
  }
  /// Uninitialised memory, allocated and freed in the stream's order.
  allocated_block(std::size_t count, const stream<Port>& stream, const source_location& where)
      : array_block<Port>(stream, &record, where), owned_(this->stream().context_of(), count, this->stream(), where) {
    this->found(owned_);
  }

 private:
  static void record(array_block<Port>& self, const stream<Port>& of, const source_location& where) {
    static_cast<allocated_block&>(self).owned_.record_use(of, where);
  }
  device_allocation<T, Port> owned_;
};

}  // namespace yoke::inline YOKE_ABI::detail

#endif

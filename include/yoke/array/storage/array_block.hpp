// SPDX-License-Identifier: MIT
// The memory and stream that an array owns and that its views keep alive.
#ifndef YOKE_ARRAY_STORAGE_ARRAY_BLOCK_HPP
#define YOKE_ARRAY_STORAGE_ARRAY_BLOCK_HPP

#include <yoke/array/storage/array_pool.hpp>
#include <yoke/execution/memory_uses.hpp>

namespace yoke::inline v0_1::detail {

[[noreturn, gnu::cold]] YOKE_API void throw_not_for_host(const source_location& where);

/// Memory, and the stream in which work with it is enqueued.
template <class Port>
class array_block : public memory_uses<Port> {
 public:
  [[nodiscard]] const yoke::stream<Port>& stream() const noexcept { return this->home(); }
  [[nodiscard]] const typename Port::memory_handle& memory() const noexcept { return memory_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] const map_watch& maps() const noexcept { return maps_; }
  /// Returns: the host address of the memory, once the stream's work is done. Throws: `unsupported_error` where the
  /// host cannot access it.
  [[nodiscard]] void* host(const source_location& where) {
    if (host_ == nullptr) throw_not_for_host(where);
    return host_(*this, where);
  }

 protected:
  using typename memory_uses<Port>::recorder;
  using host_reader = void* (*)(array_block&, const source_location&);
  array_block(const yoke::stream<Port>& stream, recorder record, const source_location& where,
              host_reader read = nullptr)
      : memory_uses<Port>(stream, record, where), host_(read) {}
  ~array_block() = default;
  template <class T>
  void found(const device_allocation<T, Port>& owned) noexcept {
    memory_ = owned.native_handle();
    bytes_ = owned.size_bytes();
    maps_ = map_watch(owned.maps());
  }
  void found(typename Port::memory_handle memory, std::size_t bytes, const map_watch& maps) noexcept {
    memory_ = memory;
    bytes_ = bytes;
    maps_ = maps;
  }
  template <class T>
  void found(const device_span<T, Port>& memory) noexcept {
    memory_ = memory.native_handle();
    bytes_ = memory.size_bytes();
  }

 private:
  host_reader host_;
  typename Port::memory_handle memory_{};
  std::size_t bytes_ = 0;
  map_watch maps_;
};

/// The stream that `bind` gave a view, and the memory that the view shares. What is made from the view in that stream
/// comes from the source `from`.
template <class Port>
struct bound_stream {
  bound_stream(const kept_alive& of, const yoke::stream<Port>& bound, memory_source<Port>* from,
               const source_location& where)
      : memory(of), stream(bound.another(from, where)) {}
  kept_alive memory;
  yoke::stream<Port> stream;
};

/// Memory that an allocation owns.
template <class T, class Port>
class allocated_block final : public array_block<Port> {
 public:
  allocated_block(device_allocation<T, Port>&& owned, const stream<Port>& stream, const source_location& where)
      : array_block<Port>(stream, &record, where), owned_(std::move(owned)) {
    this->found(owned_);
  }
  /// Allocates uninitialised memory in the stream's order.
  allocated_block(std::size_t count, const stream<Port>& stream, const source_location& where)
      : array_block<Port>(stream, &record, where), owned_(allocate_for_array<T>(this->stream(), count, where)) {
    this->found(owned_);
  }
  allocated_block(const allocated_block&) = delete;
  allocated_block& operator=(const allocated_block&) = delete;
  ~allocated_block() { this->wait_for_all(); }

 private:
  static void record(memory_uses<Port>& self, const stream<Port>& of, const source_location& where) {
    static_cast<allocated_block&>(self).owned_.record_use(of, where);
  }
  device_allocation<T, Port> owned_;
};

/// Returns: uninitialised memory, allocated in the stream's order.
template <class Port>
[[nodiscard]] shared<array_block<Port>> make_block(std::size_t bytes, const stream<Port>& stream,
                                                   const source_location& where) {
  return make_shared<allocated_block<std::byte, Port>>(bytes, stream, where);
}

// Returns: the elements of memory that host and device can access: managed memory, or mapped page-locked memory.
template <class Owner>
  requires requires(Owner& owner, const source_location& where) { owner.host(where); }
[[nodiscard]] auto device_memory_of(Owner& owner, const source_location&) {
  return owner.span();
}
template <class Owner>
  requires requires(Owner& owner, const source_location& where) { mapped(owner, where); }
[[nodiscard]] auto device_memory_of(Owner& owner, const source_location& where) {
  return mapped(owner, where);  // found by the port's namespace
}
/// Types that own memory which host and device can access.
template <class Owner, class T, class Port>
concept shared_memory_owner =
    !std::is_reference_v<Owner> && !std::is_const_v<Owner> && !std::is_copy_constructible_v<Owner> &&
    !requires(const Owner& owner) { owner.layout(); } && requires(Owner& owner, const source_location& where) {
      { device_memory_of(owner, where) } -> std::same_as<device_span<T, Port>>;
    };

/// Memory that host and device can access. It is freed when the stream's work is done.
template <class Owner, class Port>
class shared_block final : public array_block<Port> {
 public:
  shared_block(Owner&& owned, const stream<Port>& stream, const source_location& where)
      : array_block<Port>(stream, &record, where, &host), owned_(std::move(owned)) {
    this->found(device_memory_of(owned_, where));
  }
  ~shared_block() {
    this->wait_for_all();
    try {
      this->stream().synchronize();
      for (const auto each : others_.natives()) this->stream().context_of().state().port.synchronize(each, {});
    } catch (const error&) {  // the caller that next waits for the stream gets the error
    }
  }
  shared_block(const shared_block&) = delete;
  shared_block& operator=(const shared_block&) = delete;

 private:
  static void record(memory_uses<Port>& self, const stream<Port>& of, const source_location& where) {
    static_cast<shared_block&>(self).others_.add(of, where);
  }
  static void* host(array_block<Port>& self, const source_location& where) {
    Owner& owned = static_cast<shared_block&>(self).owned_;
    if constexpr (requires { owned.host(self.stream(), where); }) {
      return owned.host(self.stream(), where).data();
    } else {
      self.stream().synchronize(where);
      return owned.data();
    }
  }
  Owner owned_;
  stream_uses<Port> others_;  // streams whose work it waits for before it frees the memory
};

}  // namespace yoke::inline v0_1::detail

#endif

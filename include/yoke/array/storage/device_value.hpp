// SPDX-License-Identifier: MIT
// One value on the device, whose members can be read and written one by one.
#ifndef YOKE_ARRAY_STORAGE_DEVICE_VALUE_HPP
#define YOKE_ARRAY_STORAGE_DEVICE_VALUE_HPP

#include <yoke/array/storage/device_array.hpp>

namespace yoke::inline v0_1 {

/// A value on the device. It keeps its stream alive. Move-only. Kernels take it as `T*`.
/// Thread safety: one non-const value from one thread at a time.
/// Example: `yoke::device_value<particle> p{stream, {0, 0, 0, 7}}; p.set<&particle::x>(3.0f);`
template <class T, class Port = any_port>
class device_value {
 public:
  using value_type = T;
  using port_type = Port;

  /// An uninitialised value. Throws: `error`.
  explicit device_value(const stream<Port>& stream, const source_location& where = source_location::current())
      : array_(stream, shape<0>{}, array_order::c, where) {}
  /// A value that is set. Throws: also `logic_error` for a number that `T` cannot hold.
  template <class Value = T>
  device_value(const stream<Port>& stream, const Value& value,
               const source_location& where = source_location::current())
      : device_value(stream, where) {
    set(value, where);
  }

  /// The same with memory of a pool or of a `memory_resource`. Throws: also as `device_array` of a pool.
  /// Example: `yoke::device_value<float> total{pool, stream, 0.0f};`
  template <detail::memory_origin<Port> From>
  device_value(const From& from, const stream<Port>& stream, const source_location& where = source_location::current())
      : array_(from, shape<0>{}, stream, array_order::c, where) {}
  template <detail::memory_origin<Port> From, class Value = T>
  device_value(const From& from, const stream<Port>& stream, const Value& value,
               const source_location& where = source_location::current())
      : device_value(from, stream, where) {
    set(value, where);
  }

  /// Reads the whole value. Returns when it has arrived. Throws: `logic_error` when moved from; `error`. Units: moves
  /// `sizeof(T)` bytes.
  [[nodiscard]] T get(const source_location& where = source_location::current()) const { return array_.value(where); }
  template <class Value = T>
  void set(const Value& value, const source_location& where = source_location::current()) {
    const T given = detail::given_element<T>(value, "value", where);
    array_.assign(std::span<const T>(&given, 1), where);
  }
  /// Reads one member and moves its bytes only. Throws: as above.
  template <auto Member>
  [[nodiscard]] auto get(const source_location& where = source_location::current()) const {
    static_assert(!detail::is_array_member<Member>,
                  "a member that is a built-in array has several values: copy array().member<M>() to the host");
    return array_.template member<Member>(where).value(where);
  }
  template <auto Member, class Value = detail::type_of_member<T, Member>>
  void set(const Value& value, const source_location& where = source_location::current()) {
    using member = detail::type_of_member<T, Member>;
    const member given = detail::given_element<member>(value, "value", where);
    array_.template member<Member>(where).assign(std::span<const member>(&given, 1), where);
  }

  /// The value as a destination on a graph recorder. Example: `total.bind(record) = yoke::pass::sum(a);`
  template <class Recorder>
    requires(detail::is_a_recorder<std::remove_cvref_t<Recorder>>)
  [[nodiscard]] auto bind(Recorder&& recorder, const source_location& where = source_location::current()) {
    return array_.bind(recorder, where);
  }
  /// The value as an array of rank 0.
  [[nodiscard]] device_array<T, 0, Port>& array() noexcept { return array_; }
  [[nodiscard]] const device_array<T, 0, Port>& array() const noexcept { return array_; }

 private:
  device_array<T, 0, Port> array_;
};

template <class T, class Port>
device_value(const stream<Port>&, const T&) -> device_value<T, Port>;
template <class From, class T, class Port>
  requires detail::memory_origin<From, Port>
device_value(const From&, const stream<Port>&, const T&) -> device_value<T, Port>;

namespace detail {
template <class T, class Port>
inline constexpr bool has_elements<device_value<T, Port>> = true;
}

template <class T, class Port>
struct memory_access<device_value<T, Port>> {
  template <class Value>
  static auto describe(Value& value) noexcept {
    using array = detail::element_of<Value, device_array<T, 0, Port>>;
    return memory_access<device_array<T, 0, Port>>::template describe<array>(value.array());
  }
  static kept_alive kept(const device_value<T, Port>& value) noexcept { return detail::kept_with(value.array()); }
};

}  // namespace yoke::inline v0_1

#endif

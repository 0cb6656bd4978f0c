// SPDX-License-Identifier: MIT
// Elements that an algorithm has selected, and how many: both on the device.
#ifndef YOKE_ALGORITHM_SELECTION_HPP
#define YOKE_ALGORITHM_SELECTION_HPP

#include <yoke/array/device_value.hpp>

namespace yoke::inline YOKE_ABI {

/// Elements that `copy_if` and others have selected, in their order. They lie at the start of an array that has room for all;
/// how many there are is a value on the device, so that nothing waits until somebody asks. Move-only.
///
/// Thread safety: one thread at a time. Example: `auto large = yoke::copy_if(a, a > 3); float sum = yoke::sum(large.view()).get();`
template <class T, class Port = any_port>
class selection {
 public:
  using value_type = T;
  using port_type = Port;

  selection(device_array<T, 1, Port> elements, device_value<std::int64_t, Port> count) noexcept
      : elements_(std::move(elements)), count_(std::move(count)) {}

  /// How many are selected: on the device.
  [[nodiscard]] const device_value<std::int64_t, Port>& count() const noexcept { return count_; }
  /// The same on the host; returns when it is there. Throws: `logic_error` when moved from; `error`.
  [[nodiscard]] std::size_t size(const source_location& where = source_location::current()) const {
    return static_cast<std::size_t>(count_.get(where));
  }
  /// The array whose first elements are those selected.
  [[nodiscard]] device_array<T, 1, Port>& elements() noexcept { return elements_; }
  [[nodiscard]] const device_array<T, 1, Port>& elements() const noexcept { return elements_; }
  /// The elements that are selected, and none besides. Effects: waits for their number. Throws: as `size`.
  [[nodiscard]] device_view<T, 1, Port> view(const source_location& where = source_location::current()) {
    return elements_.view(where).part_at(where, first(where));
  }
  [[nodiscard]] device_view<const T, 1, Port> view(const source_location& where = source_location::current()) const {
    return elements_.view(where).part_at(where, first(where));
  }
  /// They on the host. Throws: as `size`.
  [[nodiscard]] std::vector<T> to_host(const source_location& where = source_location::current()) const {
    return view(where).to_host(where);
  }

 protected:
  [[nodiscard]] slice first(const source_location& where) const {
    return slice(0, static_cast<std::ptrdiff_t>(size(where)));
  }

 private:
  device_array<T, 1, Port> elements_;
  device_value<std::int64_t, Port> count_;
};

/// What `partition` makes: all elements, those that are selected first.
template <class T, class Port = any_port>
class parted : public selection<T, Port> {
 public:
  using selection<T, Port>::selection;
  /// The elements that are not selected, in their order. Effects and throws: as `view`.
  [[nodiscard]] device_view<T, 1, Port> rest(const source_location& where = source_location::current()) {
    return this->elements().view(where).part_at(where, others(where));
  }
  [[nodiscard]] device_view<const T, 1, Port> rest(const source_location& where = source_location::current()) const {
    return this->elements().view(where).part_at(where, others(where));
  }

 private:
  [[nodiscard]] slice others(const source_location& where) const {
    return slice(static_cast<std::ptrdiff_t>(this->size(where)), none);
  }
};

}  // namespace yoke::inline YOKE_ABI

#endif

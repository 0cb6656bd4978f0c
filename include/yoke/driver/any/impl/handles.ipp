// SPDX-License-Identifier: MIT
// Conversions of handles and shapes between a backend and `any_port`.
#ifndef YOKE_DRIVER_ANY_IMPL_HANDLES_IPP
#define YOKE_DRIVER_ANY_IMPL_HANDLES_IPP

#include <yoke/core/text.hpp>
#include <yoke/driver/any/operations.hpp>

#include <algorithm>
#include <cstring>
#include <memory>

namespace yoke::inline YOKE_ABI::detail {

template <class Native, class Noun>
Native native(any_handle<Noun> handle) noexcept {
  Native result{};
  std::memcpy(static_cast<void*>(&result), &handle.value, sizeof result);
  return result;
}
template <class Any, class Native>
Any wrapped(Native handle) noexcept {
  Any result{};
  std::memcpy(&result.value, &handle, sizeof handle);
  return result;
}
template <class Any, class Native>
std::vector<Any> wrapped_list(const std::vector<Native>& list) {
  std::vector<Any> result;
  result.reserve(list.size());
  for (const Native& handle : list) result.push_back(wrapped<Any>(handle));
  return result;
}

/// A list of handles in the backend's types. Short lists need no heap.
template <class Native>
class native_list {
 public:
  template <class Noun>
  explicit native_list(std::span<const any_handle<Noun>> list) : size_(list.size()) {
    Native* to = here_;
    if (size_ > std::size(here_)) {
      heap_.reset(new Native[size_]);
      to = heap_.get();
    }
    for (std::size_t i = 0; i < size_; ++i) to[i] = native<Native>(list[i]);
  }
  [[nodiscard]] std::span<const Native> view() const noexcept { return {heap_ ? heap_.get() : here_, size_}; }

 private:
  Native here_[8] = {};
  std::unique_ptr<Native[]> heap_;
  std::size_t size_;
};

template <class Port>
Port port_of(const void* driver) noexcept {
  return Port(static_cast<const typename Port::table_type*>(driver));
}

/// Returns: the shape, converted to the backend's own shape if it has one.
template <class Shape>
decltype(auto) shape_as(const launch_shape& shape) noexcept {
  if constexpr (std::same_as<Shape, launch_shape>) {
    return (shape);
  } else {
    return static_cast<Shape>(shape);
  }
}

}  // namespace yoke::inline YOKE_ABI::detail

#endif

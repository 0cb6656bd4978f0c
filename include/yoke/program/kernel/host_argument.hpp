// SPDX-License-Identifier: MIT
// Kernel arguments that are not device memory: host ranges with their transfers, and dynamic local memory.
#ifndef YOKE_PROGRAM_KERNEL_HOST_ARGUMENT_HPP
#define YOKE_PROGRAM_KERNEL_HOST_ARGUMENT_HPP

#include <yoke/memory/copy.hpp>

namespace yoke::inline YOKE_ABI {

namespace detail {

enum class transfer_direction : unsigned char { none, in, out, in_out };

/// A host range that a launch copies to the device, from it, or both.
template <transfer_direction Direction, class T>
struct host_argument {
  using element = T;
  static constexpr transfer_direction direction = Direction;
  T* data;
  std::size_t size;
  bool gone;  // an owner of memory that has none any more
};

/// Returns: whether a range is an empty owner or mapped view of the library: moved from or never set.
template <class Range>
bool is_gone(const Range& range) noexcept {
  if constexpr (requires { static_cast<bool>(range.context_of()); }) {
    return !range.context_of();
  } else if constexpr (requires { static_cast<bool>(range.is_mapped()); }) {
    return !range.is_mapped();
  } else {
    return false;
  }
}

template <class R>
using range_element = std::remove_pointer_t<decltype(std::data(std::declval<R&>()))>;

}  // namespace detail

/// A contiguous host range as a kernel argument that the kernel reads. The range is copied before the launch.
template <class Range>
  requires requires(const Range& range) { std::data(range); }
[[nodiscard]] auto in(const Range& range) noexcept {
  return detail::host_argument<detail::transfer_direction::in, detail::range_element<const Range>>{
      std::data(range), std::size(range), detail::is_gone(range)};
}
/// A contiguous host range of which the kernel writes every element; others become indeterminate.
template <class Range>
  requires(requires(Range& range) { std::data(range); } && !std::is_const_v<detail::range_element<Range>>)
[[nodiscard]] auto out(Range&& range) noexcept {
  return detail::host_argument<detail::transfer_direction::out, detail::range_element<Range>>{
      std::data(range), std::size(range), detail::is_gone(range)};
}
/// A contiguous host range that the kernel reads and writes.
template <class Range>
  requires(requires(Range& range) { std::data(range); } && !std::is_const_v<detail::range_element<Range>>)
[[nodiscard]] auto in_out(Range&& range) noexcept {
  return detail::host_argument<detail::transfer_direction::in_out, detail::range_element<Range>>{
      std::data(range), std::size(range), detail::is_gone(range)};
}

/// Dynamic local (shared) memory: in a signature a parameter `local<T>`, in a launch `local<T>(count)` elements.
template <class T>
class local {
 public:
  static_assert(device_element<T>, "local memory holds trivially copyable, non-pointer types");
  using element_type = T;
  /// Throws: `logic_error` for a negative or too large count.
  template <integer Count>
  explicit local(Count count, const source_location& where = source_location::current())
      : count_(detail::element_count(count, sizeof(T), where)) {}
  [[nodiscard]] std::size_t size() const noexcept { return count_; }

 private:
  std::size_t count_;
};

/// In a signature: a pointer to constant memory, which takes device memory of `T`.
template <class T>
struct constant {
  using element_type = T;
};

}  // namespace yoke::inline YOKE_ABI

#endif

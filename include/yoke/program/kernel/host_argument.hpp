// SPDX-License-Identifier: MIT
// Kernel arguments other than device memory: host ranges, which a launch copies, and dynamic local memory.
#ifndef YOKE_PROGRAM_KERNEL_HOST_ARGUMENT_HPP
#define YOKE_PROGRAM_KERNEL_HOST_ARGUMENT_HPP

#include <yoke/memory/copy.hpp>

namespace yoke::inline v0_1 {

/// Wrong arguments of `in`, `out` and `in_out` do not compile. The compiler's first error names a missing member of
/// this type, which says what to write.
template <class Given>
struct host_range_mismatch {};

namespace detail {

enum class transfer_direction : unsigned char { none, in, out, in_out };

/// A host range that a launch copies to the device, from it, or both.
template <transfer_direction Direction, class T>
struct host_argument {
  using element = T;
  static constexpr transfer_direction direction = Direction;
  T* data;
  std::size_t size;
  bool gone;  // the range is an owner that no longer has memory
};

/// Returns: whether a range is an owner or mapped view of the library that is empty (moved from or never set).
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

template <class Range>
concept readable_range = requires(const Range& range) { std::data(range); };
template <class Range>
concept writable_range = requires(Range& range) { std::data(range); } && !std::is_const_v<range_element<Range>>;

/// Ends the compilation: the argument is not a host range, or is const where the kernel writes.
template <transfer_direction Direction, class Given>
[[nodiscard]] host_argument<Direction, std::byte> refuse_range() noexcept {
  using wrong = host_range_mismatch<Given>;
  if constexpr (std::is_pointer_v<std::remove_reference_t<Given>>) {
    (void)wrong::a_pointer_has_no_size_pass_a_std_span_of_pointer_and_count;
  } else if constexpr (readable_range<std::remove_reference_t<Given>>) {
    (void)wrong::the_range_is_const_wrap_it_in_yoke_in;
  } else if constexpr (accessible_memory<std::remove_reference_t<Given>>) {
    (void)wrong::this_is_device_memory_pass_it_as_it_is;
  } else {
    (void)wrong::pass_a_contiguous_host_range;
  }
  return {};
}

}  // namespace detail

/// A contiguous host range that the kernel reads; the launch copies it to the device first.
template <class Range>
  requires detail::readable_range<Range>
[[nodiscard]] auto in(const Range& range) noexcept {
  return detail::host_argument<detail::transfer_direction::in, detail::range_element<const Range>>{
      std::data(range), std::size(range), detail::is_gone(range)};
}
/// A contiguous host range that the kernel writes completely; elements that it does not write become indeterminate.
template <class Range>
  requires detail::writable_range<Range>
[[nodiscard]] auto out(Range&& range) noexcept {
  return detail::host_argument<detail::transfer_direction::out, detail::range_element<Range>>{
      std::data(range), std::size(range), detail::is_gone(range)};
}
/// A contiguous host range that the kernel reads and writes.
template <class Range>
  requires detail::writable_range<Range>
[[nodiscard]] auto in_out(Range&& range) noexcept {
  return detail::host_argument<detail::transfer_direction::in_out, detail::range_element<Range>>{
      std::data(range), std::size(range), detail::is_gone(range)};
}

template <class Given>
  requires(!detail::readable_range<Given>)
[[nodiscard]] auto in(const Given&) noexcept {
  return detail::refuse_range<detail::transfer_direction::in, Given>();
}
template <class Given>
  requires(!detail::writable_range<Given>)
[[nodiscard]] auto out(Given&&) noexcept {
  return detail::refuse_range<detail::transfer_direction::out, std::remove_reference_t<Given>>();
}
template <class Given>
  requires(!detail::writable_range<Given>)
[[nodiscard]] auto in_out(Given&&) noexcept {
  return detail::refuse_range<detail::transfer_direction::in_out, std::remove_reference_t<Given>>();
}
// For calls with a pointer and a count.
template <class T, integer Count>
[[nodiscard]] auto in(T* const&, const Count&) noexcept {
  return detail::refuse_range<detail::transfer_direction::in, T*>();
}
template <class T, integer Count>
[[nodiscard]] auto out(T* const&, const Count&) noexcept {
  return detail::refuse_range<detail::transfer_direction::out, T*>();
}
template <class T, integer Count>
[[nodiscard]] auto in_out(T* const&, const Count&) noexcept {
  return detail::refuse_range<detail::transfer_direction::in_out, T*>();
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

}  // namespace yoke::inline v0_1

#endif

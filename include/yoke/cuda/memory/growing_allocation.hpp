// SPDX-License-Identifier: MIT
// An owner of device memory that grows without moving.
#ifndef YOKE_CUDA_MEMORY_GROWING_ALLOCATION_HPP
#define YOKE_CUDA_MEMORY_GROWING_ALLOCATION_HPP

#include <yoke/cuda/memory/memory_mapping.hpp>

#include <vector>

namespace yoke::inline v0_1::cuda {

namespace detail {

/// Reserved addresses whose first part has memory.
class growing_memory {
 public:
  growing_memory() noexcept = default;
  YOKE_API growing_memory(const context& in, std::size_t bytes, const source_location& where);
  YOKE_API growing_memory(growing_memory&& other) noexcept;
  YOKE_API growing_memory& operator=(growing_memory&& other) noexcept;
  YOKE_API ~growing_memory();
  /// Effects: ends the mappings, the last one first, and then the range.
  YOKE_API void end() noexcept;
  YOKE_API void swap(growing_memory& other) noexcept;

  /// Effects: maps more memory until there are `bytes` bytes; if that fails, nothing has changed.
  YOKE_API void grow_to(std::size_t bytes, const source_location& where);
  /// Effects: ends the mappings entirely beyond the first `bytes` bytes.
  YOKE_API void shrink_to(std::size_t bytes);
  YOKE_API void allow_access(const device& peer, const source_location& where);

  [[nodiscard]] const address_range& range() const noexcept { return range_; }
  [[nodiscard]] std::size_t mapped_bytes() const noexcept { return mapped_; }
  // The variable with the address; launches pass a pointer to it.
  [[nodiscard]] const abi::device_pointer& address() const noexcept { return address_; }

 private:
  address_range range_;
  std::vector<memory_mapping> blocks_;
  std::vector<abi::access_descriptor> peers_;  // devices with access besides the context's
  std::size_t mapped_ = 0;
  abi::device_pointer address_ = 0;
};

/// Returns: the count. Throws: `logic_error` with the limit if it exceeds the reservation.
YOKE_API std::size_t checked_growth(std::size_t count, std::size_t limit, const source_location& where);

}  // namespace detail

/// `size()` elements of device memory, uninitialised, which can grow at the same address. Move-only.
///
/// It reserves addresses for `max_size()` elements, which costs no memory, and maps more memory as it grows: elements
/// never move, so that views and addresses in kernels stay valid. An operand of copies and fills and an argument of
/// launches, like `device_allocation`. Its end waits for the context's work.
/// Thread safety: one non-const object from one thread at a time.
/// Example: `cuda::growing_allocation<float> x{ctx, 1'000'000'000}; x.resize(n); kernel(stream, shape, x, n);
/// x.resize(2 * n);`
template <class T>
class growing_allocation {
 public:
  static_assert(device_element<T>, "device memory holds trivially copyable, non-pointer, non-const types");
  using element_type = T;
  using value_type = T;
  using port_type = port;
  using native_type = abi::device_pointer;

  growing_allocation() noexcept = default;
  /// Reserves addresses for at least `max_size` elements; the size is 0.
  /// Throws: `logic_error` for 0, a negative and a too large number; `memory_error` when no free range is large enough;
  /// `unsupported_error` when the device has no virtual memory; `error`. Wraps `cuMemAddressReserve`.
  template <integer Count>
  growing_allocation(const context& in, Count max_size, const source_location& where = source_location::current())
      : memory_(in, yoke::detail::element_count(max_size, sizeof(T), where) * sizeof(T), where) {}
  growing_allocation(growing_allocation&& other) noexcept
      : memory_(std::move(other.memory_)), size_(std::exchange(other.size_, 0)) {}
  growing_allocation& operator=(growing_allocation&& other) noexcept {
    memory_ = std::move(other.memory_);
    if (this != &other) size_ = std::exchange(other.size_, 0);
    return *this;
  }
  ~growing_allocation() = default;

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  /// The number of elements that fit the mapped memory; `max_size` counts those that fit the reserved addresses.
  [[nodiscard]] std::size_t capacity() const noexcept { return memory_.mapped_bytes() / sizeof(T); }
  [[nodiscard]] std::size_t max_size() const noexcept {
    return memory_.range() ? memory_.range().size_bytes() / sizeof(T) : 0;
  }
  /// The address of the first element, which never changes; 0 when moved from.
  [[nodiscard]] native_type native_handle() const noexcept { return memory_.address(); }
  /// Throws: `logic_error` when moved from.
  [[nodiscard]] const context& context_of(const source_location& where = source_location::current()) const {
    if (!*this) yoke::detail::throw_empty_handle("growing allocation", where);
    return memory_.range().context_of(where);
  }
  [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(memory_.range()); }
  /// Releases all memory. Throws: nothing; a failure goes to the cleanup handler.
  void reset() noexcept {
    memory_.end();
    size_ = 0;
  }
  void swap(growing_allocation& other) noexcept {
    memory_.swap(other.memory_);
    std::swap(size_, other.size_);
  }
  friend void swap(growing_allocation& left, growing_allocation& right) noexcept { left.swap(right); }

  /// Changes the size to `count`. Existing elements keep their values, new ones are uninitialised. If the capacity is
  /// too small, maps memory in steps of the device's granularity; keeps memory when the size falls.
  /// Throws: `logic_error` for a negative number or more than `max_size()`, and when moved from; `memory_error` when
  /// the device has no more; `error`. When it throws, nothing has changed.
  /// Wraps `cuMemCreate`, `cuMemMap`, `cuMemSetAccess`.
  template <integer Count>
  void resize(Count count, const source_location& where = source_location::current()) {
    const std::size_t wanted = yoke::detail::narrow<std::size_t>(count, "element count", where);
    reserve(wanted, where);
    size_ = wanted;
  }
  /// Maps memory for `count` elements, in one piece. Throws, effects: as `resize`, but for the size.
  template <integer Count>
  void reserve(Count count, const source_location& where = source_location::current()) {
    (void)context_of(where);
    const std::size_t wanted =
        detail::checked_growth(yoke::detail::narrow<std::size_t>(count, "element count", where), max_size(), where);
    memory_.grow_to(wanted * sizeof(T), where);
  }
  /// Gives back the mapped pieces entirely after the last element, once the context's work is done.
  /// Throws: `logic_error` when moved from. Wraps `cuMemUnmap`, `cuMemRelease`.
  void shrink_to_fit(const source_location& where = source_location::current()) {
    (void)context_of(where);
    memory_.shrink_to(size_bytes());
  }
  /// Lets another device use all of the memory, also memory mapped later.
  /// Throws: `logic_error` when moved from, and for a device that cannot access the memory's device; `error`. When it
  /// throws, nothing has changed. Wraps `cuMemSetAccess`.
  void allow_access(const device& peer, const source_location& where = source_location::current()) {
    (void)context_of(where);
    memory_.allow_access(peer, where);
  }

  /// A view of all elements, or of a part, which stays valid as long as the elements exist.
  /// Throws: `logic_error` when moved from or out of range.
  [[nodiscard]] device_span<T> span(const source_location& where = source_location::current()) {
    return {context_of(where).native_handle(), native_handle(), 0, size_};
  }
  [[nodiscard]] device_span<const T> span(const source_location& where = source_location::current()) const {
    return {context_of(where).native_handle(), native_handle(), 0, size_};
  }
  template <integer First, integer Count>
  [[nodiscard]] device_span<T> subspan(First first, Count count,
                                       const source_location& where = source_location::current()) {
    return span(where).subspan(first, count, where);
  }
  template <integer First, integer Count>
  [[nodiscard]] device_span<const T> subspan(First first, Count count,
                                             const source_location& where = source_location::current()) const {
    return span(where).subspan(first, count, where);
  }

  // The variable with the address, for launches.
  [[nodiscard]] const native_type& native_place() const noexcept { return memory_.address(); }

 private:
  detail::growing_memory memory_;
  std::size_t size_ = 0;
};

}  // namespace yoke::inline v0_1::cuda

namespace yoke::inline v0_1 {
/// An operand of copies and fills, and an argument of launches.
template <class T>
struct memory_access<cuda::growing_allocation<T>> {
  template <class Allocation>
  static auto describe(Allocation& memory) noexcept {
    return memory_side<device_place<cuda::port>, detail::element_of<Allocation, T>>{
        .at = {memory.native_handle(), 0},
        .size = memory.size(),
        .context = memory ? memory.context_of().native_handle() : nullptr};
  }
  [[gnu::always_inline]] static detail::launched_memory<cuda::port> launched(
      const cuda::growing_allocation<T>& memory) noexcept {
    return {&memory.native_place(), nullptr, nullptr, memory ? memory.context_of().native_handle() : nullptr};
  }
};
}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/memory/growing_allocation.ipp>
#endif

#endif

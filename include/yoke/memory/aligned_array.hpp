// SPDX-License-Identifier: MIT
// Pageable host memory whose address is a multiple of a page or another power of two.
#ifndef YOKE_MEMORY_ALIGNED_ARRAY_HPP
#define YOKE_MEMORY_ALIGNED_ARRAY_HPP

#include <yoke/memory/device_span.hpp>

#include <bit>
#include <cstring>
#include <span>
#include <utility>

namespace yoke::inline v0_1 {

/// Tag that sets every byte of new host memory to zero: `pagelocked_array<float> a{ctx, n, yoke::zeroed};`
struct zeroed_t {
  explicit zeroed_t() = default;
};
inline constexpr zeroed_t zeroed{};

namespace detail {
/// Throws: `logic_error` unless the alignment is a power of two; `memory_error`.
[[nodiscard]] YOKE_API void* allocate_aligned(std::size_t bytes, std::size_t alignment_bytes,
                                              const source_location& where);
YOKE_API void free_aligned(void* memory) noexcept;
}  // namespace detail

/// `size()` elements of pageable host memory at an aligned address, uninitialised or zero; a contiguous range. It works
/// without a device; `cuda::registered_memory{ctx, a.span()}` page-locks it. Move-only.
/// Thread safety: as a `std::vector`.
/// Example: `yoke::aligned_array<float> a{n};  // at a page`
template <class T>
class aligned_array {
 public:
  static_assert(device_element<T>, "aligned memory holds trivially copyable, non-pointer, non-const types");
  using element_type = T;
  using value_type = T;
  static constexpr std::size_t page_bytes = 4096;

  aligned_array() noexcept = default;
  /// A count of 0 is legal and allocates nothing. Aligns to `alignof(T)` if that is more than `alignment_bytes`.
  /// Throws: `memory_error`; `logic_error` for a negative or too large count, and unless the alignment is a power of
  /// two.
  template <integer Count>
  explicit aligned_array(Count count, std::size_t alignment_bytes = page_bytes,
                         const source_location& where = source_location::current())
      : size_(detail::element_count(count, sizeof(T), where)) {
    data_ = static_cast<T*>(detail::allocate_aligned(
        size_bytes(),
        std::has_single_bit(alignment_bytes) && alignment_bytes < alignof(T) ? alignof(T) : alignment_bytes, where));
  }
  /// The same with zeros in it: `{n, yoke::zeroed}`.
  template <integer Count>
  aligned_array(Count count, zeroed_t, std::size_t alignment_bytes = page_bytes,
                const source_location& where = source_location::current())
      : aligned_array(count, alignment_bytes, where) {
    if (!empty()) std::memset(static_cast<void*>(data_), 0, size_bytes());
  }
  aligned_array(aligned_array&& other) noexcept { swap(other); }
  aligned_array& operator=(aligned_array&& other) noexcept {
    if (this != &other) {
      reset();
      swap(other);
    }
    return *this;
  }
  ~aligned_array() { detail::free_aligned(data_); }

  [[nodiscard]] T* data() noexcept { return data_; }
  [[nodiscard]] const T* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] T* begin() noexcept { return data_; }
  [[nodiscard]] T* end() noexcept { return data_ + size_; }
  [[nodiscard]] const T* begin() const noexcept { return data_; }
  [[nodiscard]] const T* end() const noexcept { return data_ + size_; }
  [[nodiscard]] T& operator[](std::size_t index) noexcept { return data_[index]; }
  [[nodiscard]] const T& operator[](std::size_t index) const noexcept { return data_[index]; }
  [[nodiscard]] std::span<T> span() noexcept { return {data_, size_}; }
  [[nodiscard]] std::span<const T> span() const noexcept { return {data_, size_}; }

  /// Frees the memory now. Throws: nothing.
  void reset() noexcept {
    detail::free_aligned(std::exchange(data_, nullptr));
    size_ = 0;
  }
  void swap(aligned_array& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }
  friend void swap(aligned_array& left, aligned_array& right) noexcept { left.swap(right); }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/memory/aligned_array.ipp>
#endif

#endif

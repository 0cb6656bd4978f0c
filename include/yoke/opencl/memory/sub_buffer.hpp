// SPDX-License-Identifier: MIT
// An owner of a part of an allocation, which kernels take as a separate argument.
#ifndef YOKE_OPENCL_MEMORY_SUB_BUFFER_HPP
#define YOKE_OPENCL_MEMORY_SUB_BUFFER_HPP

#include <yoke/opencl/memory/map.hpp>

namespace yoke::inline v0_1::opencl {

/// Elements [first, first + count) of an allocation as a separate buffer, which keeps the allocation's memory alive.
/// Move-only. Copies, fills and kernels take it wherever they take an allocation.
/// Thread safety: one non-const handle from one thread at a time.
template <class T>
class sub_buffer : public yoke::detail::compared_by_native<sub_buffer<T>> {
 public:
  using element_type = T;
  using value_type = T;
  using port_type = port;
  using native_type = abi::memory;

  sub_buffer() noexcept = default;
  /// Throws: `logic_error` when the range is not all within the allocation, or when its first byte is not at a multiple
  /// of the alignment of every device of the context; `error`. Zero elements are legal and cost no driver call.
  /// Wraps `clCreateSubBuffer`.
  template <integer First, integer Count>
  sub_buffer(device_allocation<T>& parent, First first, Count count,
             const source_location& where = source_location::current())
      : sub_buffer(parent, first, count, buffer_options{}, where) {}
  /// The same with the access that kernels and the host have to this part; read and write stands for that of the
  /// allocation. Throws: also `logic_error` for an access that the allocation lacks, and for `.in_host_memory`.
  /// Example: `ocl::sub_buffer<float> table{x, 0, 256, {.kernels = ocl::kernel_access::read_only}};`
  template <integer First, integer Count>
  sub_buffer(device_allocation<T>& parent, First first, Count count, const buffer_options& options,
             const source_location& where = source_location::current())
      : context_(parent.context_of()) {
    const auto view = parent.subspan(first, count, where);
    const std::size_t offset = view.offset() * sizeof(T);
    // NVIDIA accepts misaligned sub-buffers although it reports an alignment: checked here, for every driver.
    std::size_t alignment = 1;
    for (const device_limits& limits : context_.state().limits) {
      alignment = (std::max)(alignment, limits.base_alignment_bytes);
    }
    if (offset % alignment != 0) {
      yoke::detail::throw_error(errc::misaligned,
                                yoke::detail::text("sub-buffer starts at byte ", offset, " (element ", view.offset(),
                                                   "), which is not a multiple of this device's ", alignment),
                                where);
    }
    if (view.empty()) return;
    const port& with = context_.state().port;
    const abi::memory part = options == buffer_options{}
                                 ? with.create_sub_buffer(view.native_handle(), offset, view.size_bytes(), where)
                                 : with.create_part(view.native_handle(), offset, view.size_bytes(), options, where);
    try {
      memory_ = device_allocation<T>::adopt(context_.get(), part, view.size(), where);
      memory_.maps() = parent.maps();  // mapping either maps both
    } catch (...) {
      context_.report(with.release_memory(context_.get().native_handle(), part));
      throw;
    }
  }

  /// Takes ownership of one reference to a native sub-buffer of at least `count` elements. It does not know whether its
  /// parent is mapped. Throws: `logic_error` when it is smaller or of another context; `error`; the reference then
  /// stays the caller's. Wraps `clGetMemObjectInfo`.
  template <integer Count>
  [[nodiscard]] static sub_buffer adopt(const context& in, native_type native, Count count,
                                        const source_location& where = source_location::current()) {
    return sub_buffer(in, device_allocation<T>::adopt(in, native, count, where));
  }
  /// Uses a native sub-buffer without owning it; it has to outlive this. Throws: as above.
  template <integer Count>
  [[nodiscard]] static sub_buffer borrow(const context& in, native_type native, Count count,
                                         const source_location& where = source_location::current()) {
    return sub_buffer(in, device_allocation<T>::borrow(in, native, count, where));
  }
  /// Shares a native sub-buffer with the caller, by a reference of this handle's own. Throws: as above. Wraps
  /// `clRetainMemObject`.
  template <integer Count>
  [[nodiscard]] static sub_buffer retain(const context& in, native_type native, Count count,
                                         const source_location& where = source_location::current()) {
    return sub_buffer(in, device_allocation<T>::retain(in, native, count, where));
  }

  [[nodiscard]] std::size_t size() const noexcept { return memory_.size(); }
  [[nodiscard]] bool empty() const noexcept { return memory_.empty(); }
  [[nodiscard]] abi::memory native_handle() const noexcept { return memory_.native_handle(); }
  [[nodiscard]] abi::memory release() noexcept {
    context_ = {};
    return memory_.release();
  }
  [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(memory_); }
  void reset() noexcept {
    memory_.reset();
    context_ = {};  // an empty context makes later uses say "empty"
  }
  void swap(sub_buffer& other) noexcept {
    std::swap(context_, other.context_);
    memory_.swap(other.memory_);
  }
  friend void swap(sub_buffer& left, sub_buffer& right) noexcept { left.swap(right); }
  /// The memory as an allocation.
  [[nodiscard]] device_allocation<T>& allocation() noexcept { return memory_; }
  [[nodiscard]] const device_allocation<T>& allocation() const noexcept { return memory_; }
  [[nodiscard]] const context& context_of() const noexcept { return context_.get(); }

 private:
  sub_buffer(const context& in, device_allocation<T>&& memory) noexcept : context_(in), memory_(std::move(memory)) {}

  yoke::detail::context_reference<port> context_;
  device_allocation<T> memory_;
};

}  // namespace yoke::inline v0_1::opencl

namespace yoke::inline v0_1::opencl {
/// Maps a whole sub-buffer for the host. Effects: its parent counts as mapped too, unless it was adopted.
/// Returns, throws, thread safety, wraps: as `map` of an allocation.
template <class T, map_mode Mode>
[[nodiscard]] mapped_view<detail::mapped_element<T, Mode>> map(
    sub_buffer<T>& part, const stream& order, map_tag<Mode> mode,
    const source_location& where = source_location::current()) {
  if (!part.context_of()) yoke::detail::throw_empty_handle("sub-buffer", where);
  if (part.empty()) return {nullptr, 0, nullptr};
  return map(part.allocation(), order, mode, where);
}

}  // namespace yoke::inline v0_1::opencl

namespace yoke::inline v0_1 {
template <class T>
struct memory_access<opencl::sub_buffer<T>> {
  template <class Part>
  static auto describe(Part& part) noexcept {
    auto side = detail::describe(part.allocation());
    side.context = part.context_of().native_handle();
    return side;
  }
};
}  // namespace yoke::inline v0_1

#endif

// SPDX-License-Identifier: MIT
// Views of shared virtual memory and of system SVM, migration, and the SVM that kernels reach.
#ifndef YOKE_OPENCL_MEMORY_SVM_SPAN_HPP
#define YOKE_OPENCL_MEMORY_SVM_SPAN_HPP

#include <yoke/opencl/memory/buffer.hpp>
#include <yoke/opencl/memory/svm_place.hpp>

namespace yoke::inline v0_1::opencl {

/// A view of `size()` elements of shared virtual memory, for copies, fills and kernels. It owns nothing.
/// Thread safety: a value.
template <class T>
class svm_span {
 public:
  static_assert(device_element<std::remove_const_t<T>>,
                "shared virtual memory holds trivially copyable, non-pointer types");
  using element_type = T;
  using value_type = std::remove_const_t<T>;
  using port_type = port;
  using native_type = T*;

  svm_span() noexcept = default;
  /// A view of native memory, which has to outlive it. `maps` counts the views that map it, if they are counted.
  svm_span(abi::context in, T* native, std::size_t size, const yoke::detail::map_watch& maps = {}) noexcept
      : context_(in), native_(native), size_(size), maps_(maps) {}
  /// A writable view converts to a read-only one.
  template <class U>
    requires(std::is_const_v<T> && std::same_as<const U, T>)
  svm_span(const svm_span<U>& other) noexcept  // NOLINT: adding const is harmless
      : svm_span(other.native_context(), other.native_handle(), other.size(), other.maps()) {}

  [[nodiscard]] T* native_handle() const noexcept { return native_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] abi::context native_context() const noexcept { return context_; }
  [[nodiscard]] const yoke::detail::map_watch& maps() const noexcept { return maps_; }
  /// The elements [first, first + count). Throws: `logic_error` when a part of them is outside.
  template <integer First, integer Count>
  [[nodiscard]] svm_span subspan(First first, Count count,
                                 const source_location& where = source_location::current()) const {
    const auto part = yoke::detail::part_of_range(first, count, size_, where);
    return {context_, native_ + part.first, part.count, maps_};
  }

 private:
  abi::context context_ = nullptr;
  T* native_ = nullptr;
  std::size_t size_ = 0;
  yoke::detail::map_watch maps_{};
};

namespace detail {
/// Throws: `unsupported_error` if a device of the context cannot access the host's own memory.
YOKE_API void check_system_svm(const context& in, const source_location& where);
}  // namespace detail

/// Any contiguous host range as shared virtual memory, if the devices can access all of the host's memory: an argument
/// of kernels, and an operand of copies. Requires: the range outlives the commands that use it.
/// Throws: `unsupported_error` if a device of the context has no fine-grained system SVM; `error`. Thread safety: safe.
/// Wraps `clGetDeviceInfo`.
template <class Range>
  requires yoke::detail::host_range<Range>
[[nodiscard]] auto system_svm(const context& in, Range& range,
                              const source_location& where = source_location::current()) {
  detail::check_system_svm(in, where);
  return svm_span<std::remove_pointer_t<decltype(std::data(range))>>(in.native_handle(), std::data(range),
                                                                     static_cast<std::size_t>(std::size(range)));
}

/// Shared virtual memory to migrate, or to reach from a kernel. A value. It converts from allocations and spans.
struct svm_reference {
  abi::context in = nullptr;
  const void* address = nullptr;
  std::size_t bytes = 0;
  yoke::detail::map_watch maps{};

  template <class Memory>
    requires std::same_as<typename decltype(yoke::detail::describe(std::declval<const Memory&>()))::place, svm_place>
  svm_reference(const Memory& memory) noexcept {  // NOLINT: memory
    const auto side = yoke::detail::describe(memory);
    in = side.context;
    address = side.at;
    bytes = side.size * sizeof(typename decltype(side)::element);
    maps = side.maps;
  }
};

namespace detail {
YOKE_API event migrate_svm(std::initializer_list<svm_reference> memory, const stream& order,
                           const migrate_options& options, const source_location& where);
}  // namespace detail

/// Moves shared virtual memory to the stream's device ahead of its use, or to the host: `migrate({v, w}, stream)`.
/// Returns: the event of the migration. Throws: `logic_error` for no memory, empty memory or another context's;
/// `unsupported_error` before OpenCL 2.1; `error`. Thread safety: safe. Wraps `clEnqueueSVMMigrateMem`.
template <class = void>  // for empty braces, the `migrate` of buffers is the better match
event migrate(std::initializer_list<svm_reference> memory, const stream& order, const migrate_options& options = {},
              const source_location& where = source_location::current()) {
  return detail::migrate_svm(memory, order, options, where);
}

namespace detail {
/// Returns: the addresses. Throws: `logic_error` for memory that is empty or of another context.
YOKE_API std::vector<const void*> reached_addresses(std::initializer_list<svm_reference> memory, const context& in,
                                                    const source_location& where);
}  // namespace detail

/// Tells the driver which shared virtual memory a kernel reaches through pointers in memory: `reach(kernel, {nodes,
/// values})`.
/// This replaces an earlier list. Memory that its arguments point to need not be listed. Requires: the caller keeps the
/// memory until the launches are done, or names their streams with its `record_use`; nobody launches the kernel
/// meanwhile.
/// Throws: `logic_error` when the kernel or memory is empty or of another context; `error`. Wraps
/// `clSetKernelExecInfo`.
template <class Signature>
void reach(kernel<Signature>& from, std::initializer_list<svm_reference> memory,
           const source_location& where = source_location::current()) {
  const context& in = from.context_of(where);
  in.port(where).reach_svm(from.handle_of(), detail::reached_addresses(memory, in, where), where);
}

}  // namespace yoke::inline v0_1::opencl

namespace yoke::inline v0_1 {
template <class T>
struct memory_access<opencl::svm_span<T>> {
  static memory_side<opencl::svm_place, T> describe(const opencl::svm_span<T>& span) noexcept {
    return {.at = span.native_handle(), .size = span.size(), .context = span.native_context(), .maps = span.maps()};
  }
};
namespace detail {
template <class T>
inline constexpr bool is_view_value<opencl::svm_span<T>> = true;
}
}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/opencl/memory/svm_span.ipp>
#endif

#endif

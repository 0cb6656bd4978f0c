// SPDX-License-Identifier: MIT
// Features of buffers that only OpenCL has: access flags, host memory, descriptions, migration, callbacks at their end.
#ifndef YOKE_OPENCL_MEMORY_BUFFER_HPP
#define YOKE_OPENCL_MEMORY_BUFFER_HPP

#include <yoke/driver/opencl/memory/buffer.hpp>
#include <yoke/opencl/memory/sub_buffer.hpp>

#include <concepts>
#include <initializer_list>
#include <iterator>
#include <span>
#include <type_traits>

namespace yoke::inline v0_1::opencl {

namespace detail {

/// An object that a buffer keeps alive until the driver is done with it.
class kept_by_buffer {
 public:
  kept_by_buffer() = default;
  kept_by_buffer(const kept_by_buffer&) = delete;
  kept_by_buffer& operator=(const kept_by_buffer&) = delete;
  virtual ~kept_by_buffer() = default;
  virtual void end() noexcept {}
};

template <class Owner>
class kept_owner final : public kept_by_buffer {
 public:
  explicit kept_owner(Owner&& from) : owner(std::move(from)) {}
  Owner owner;
};

template <class Function>
class kept_function final : public kept_by_buffer {
 public:
  explicit kept_function(Function&& from) : function_(std::move(from)) {}
  void end() noexcept override {
    try {
      function_();
    } catch (...) {
      yoke::detail::report_cleanup_exception("function at the end of a buffer");
    }
  }

 private:
  Function function_;
};

/// Returns: native memory of `bytes` bytes: over `host` if `keeps` is not null, else with a copy of `host` if that is
/// not null.
/// Throws: `logic_error` for options that exclude each other; `memory_error`; `error`.
YOKE_API abi::memory make_buffer(const context& in, const buffer_options& options, std::size_t bytes, void* host,
                                 bool over_host, const source_location& where);
/// Effects: hands `kept` to the driver. A thread of the driver destroys it once nothing uses the memory any more.
YOKE_API void keep_for_buffer(const context& in, abi::memory memory, yoke::detail::owner<kept_by_buffer> kept,
                              const source_location& where);
YOKE_API void end_buffer(const context& in, abi::memory memory) noexcept;

template <class T>
[[nodiscard]] device_allocation<T> adopt_buffer(const context& in, abi::memory made, std::size_t count,
                                                yoke::detail::owner<kept_by_buffer> kept,
                                                const source_location& where) {
  try {
    if (kept) keep_for_buffer(in, made, std::move(kept), where);
    return device_allocation<T>::adopt(in, made, count, where);
  } catch (...) {
    end_buffer(in, made);
    throw;
  }
}

/// A pointer to a range, which keeps the range alive.
template <class P>
concept range_pointer = requires(const P& pointer) {
  { std::data(*pointer) } -> std::convertible_to<const void*>;
  { std::size(*pointer) } -> std::convertible_to<std::size_t>;
  { pointer == nullptr } -> std::convertible_to<bool>;
};

template <class Range>
using element_of_range = std::remove_pointer_t<decltype(std::data(std::declval<Range&>()))>;

/// Returns: the host memory behind a buffer. Throws: `logic_error` if it has none, or if the caller wants to write and
/// kernels only read the buffer.
YOKE_API void* host_memory(const buffer_description& of, bool to_write, const source_location& where);
/// Throws: `logic_error` if the elements are const and kernels could write them.
YOKE_API void check_const_host(bool is_const, const buffer_options& options, const source_location& where);

}  // namespace detail

/// `count` elements, uninitialised, with access flags: a plain `device_allocation`.
/// Throws: `memory_error`; `logic_error` for a negative or too large count; `error`. Thread safety: safe.
/// Wraps `clCreateBuffer`.
template <class T, integer Count>
[[nodiscard]] device_allocation<T> make_buffer(const context& in, Count count, const buffer_options& options,
                                               const source_location& where = source_location::current()) {
  const std::size_t elements = yoke::detail::element_count(count, sizeof(T), where);
  if (elements == 0) return device_allocation<T>(in, 0, where);
  return detail::adopt_buffer<T>(in, detail::make_buffer(in, options, elements * sizeof(T), nullptr, false, where),
                                 elements, nullptr, where);
}
/// A buffer with a copy of the range's elements, for example constants of kernels. Throws, thread safety, wraps: as
/// above.
template <yoke::detail::host_range Range>
[[nodiscard]] auto make_buffer(const context& in, const Range& range, const buffer_options& options = {},
                               const source_location& where = source_location::current()) {
  using T = std::remove_const_t<detail::element_of_range<const Range>>;
  const auto count = static_cast<std::size_t>(std::size(range));
  if (count == 0) return device_allocation<T>(in, 0, where);
  return detail::adopt_buffer<T>(
      in, detail::make_buffer(in, options, count * sizeof(T), const_cast<T*>(std::data(range)), false, where), count,
      nullptr, where);
}

/// A buffer over the memory of a host range, which it takes over: `buffer_over(ctx, std::move(vector))`. A thread of
/// the driver destroys the range once no command uses the buffer any more. Kernels may work on a copy: map the buffer
/// to see their results.
/// Throws: `logic_error` if the elements are const and kernels could write them; `memory_error`; `error`; the range is
/// then lost.
/// Thread safety: safe. Wraps `clCreateBuffer`, `clSetMemObjectDestructorCallback`.
template <yoke::detail::host_range Range>
  requires(!std::is_lvalue_reference_v<Range> && !std::is_const_v<Range>)
[[nodiscard]] auto buffer_over(const context& in, Range&& range, const buffer_options& options = {},
                               const source_location& where = source_location::current()) {
  static_assert(!std::ranges::enable_borrowed_range<Range>,
                "a view has no memory that a buffer could take over: move the range itself here, or share it by a "
                "std::shared_ptr");
  using Element = detail::element_of_range<Range>;
  using T = std::remove_const_t<Element>;
  detail::check_const_host(std::is_const_v<Element>, options, where);
  auto kept = yoke::detail::make_owner<detail::kept_owner<Range>>(std::forward<Range>(range));
  const auto count = static_cast<std::size_t>(std::size(kept->owner));
  if (count == 0) return device_allocation<T>(in, 0, where);
  void* const host = const_cast<T*>(std::data(kept->owner));
  return detail::adopt_buffer<T>(in, detail::make_buffer(in, options, count * sizeof(T), host, true, where), count,
                                 std::move(kept), where);
}
/// As above, over a range that the pointer shares and keeps alive: a `std::shared_ptr` to a vector, for example.
/// Throws: also `logic_error` for a null pointer.
template <detail::range_pointer Pointer>
[[nodiscard]] auto buffer_over(const context& in, const Pointer& shares, const buffer_options& options = {},
                               const source_location& where = source_location::current()) {
  using Element = std::remove_pointer_t<decltype(std::data(*shares))>;
  using T = std::remove_const_t<Element>;
  if (shares == nullptr) yoke::detail::throw_error(errc::invalid_argument, "the pointer to the range is null", where);
  detail::check_const_host(std::is_const_v<Element>, options, where);
  auto kept = yoke::detail::make_owner<detail::kept_owner<Pointer>>(Pointer(shares));
  const auto count = static_cast<std::size_t>(std::size(*shares));
  if (count == 0) return device_allocation<T>(in, 0, where);
  void* const host = const_cast<T*>(std::data(*shares));
  return detail::adopt_buffer<T>(in, detail::make_buffer(in, options, count * sizeof(T), host, true, where), count,
                                 std::move(kept), where);
}

/// The driver's description of a buffer. Throws: `logic_error` when empty; `error`. Thread safety: safe.
/// Wraps `clGetMemObjectInfo`.
template <class T>
[[nodiscard]] buffer_description description_of(const device_allocation<T>& buffer,
                                                const source_location& where = source_location::current()) {
  if (!buffer) yoke::detail::throw_empty_handle("device allocation", where);
  return buffer.context_of().port(where).describe_buffer(buffer.native_handle(), where);
}
template <class T>
[[nodiscard]] buffer_description description_of(const sub_buffer<T>& part,
                                                const source_location& where = source_location::current()) {
  if (!part) yoke::detail::throw_empty_handle("sub-buffer", where);
  return part.context_of().port(where).describe_buffer(part.native_handle(), where);
}

/// The host memory behind a buffer. It shows kernels' results once the buffer has been mapped.
/// Throws: `logic_error` when empty, for a buffer without host memory, and for one that kernels only read, whose range
/// may be const: pass a const buffer for that; `error`. Thread safety: safe. Wraps `clGetMemObjectInfo`.
template <class T>
[[nodiscard]] std::span<T> host_memory_of(device_allocation<T>& buffer,
                                          const source_location& where = source_location::current()) {
  return {static_cast<T*>(detail::host_memory(description_of(buffer, where), true, where)), buffer.size()};
}
/// As above, for reading. A temporary does not compile: its host memory ends with it.
template <class T>
[[nodiscard]] std::span<const T> host_memory_of(const device_allocation<T>& buffer,
                                                const source_location& where = source_location::current()) {
  return {static_cast<const T*>(detail::host_memory(description_of(buffer, where), false, where)), buffer.size()};
}
template <class T>
std::span<const T> host_memory_of(const device_allocation<T>&&,
                                  const source_location& where = source_location::current()) = delete;

/// Calls `function()` once nothing uses the buffer's memory any more: all its handles and commands have ended.
/// Functions of one buffer run in the reverse order of registration, on a thread of the driver, and must not use the
/// driver. An exception goes to the cleanup handler.
/// Throws: `logic_error` when empty, and for a null function; `error`, `std::bad_alloc`. Thread safety: safe.
/// Wraps `clSetMemObjectDestructorCallback`.
template <class T, std::invocable Function>
void at_end(const device_allocation<T>& buffer, Function function,
            const source_location& where = source_location::current()) {
  if (!buffer) yoke::detail::throw_empty_handle("device allocation", where);
  if constexpr (!std::is_empty_v<Function> &&
                requires { function == nullptr; }) {  // a std::function, a function pointer
    if (function == nullptr) yoke::detail::throw_error(errc::invalid_argument, "the function of at_end is null", where);
  }
  detail::keep_for_buffer(buffer.context_of(), buffer.native_handle(),
                          yoke::detail::make_owner<detail::kept_function<Function>>(std::move(function)), where);
}

/// The options of a migration.
struct migrate_options {
  bool to_host = false;          ///< to the host instead of the stream's device
  bool without_content = false;  ///< the content is not moved but lost
  wait_list after{};
};

/// Memory to migrate: an allocation, a sub-buffer, or a native handle with its context. A value.
struct memory_reference {
  abi::context in = nullptr;
  abi::memory native = nullptr;

  memory_reference(const context& of, abi::memory memory) noexcept : in(of.native_handle()), native(memory) {}
  template <class T>
  memory_reference(const device_allocation<T>& memory) noexcept  // NOLINT: memory
      : memory_reference(memory.context_of(), memory.native_handle()) {}
  template <class T>
  memory_reference(const sub_buffer<T>& part) noexcept  // NOLINT: memory
      : memory_reference(part.context_of(), part.native_handle()) {}
};

/// Moves memory to the stream's device ahead of its use, or to the host: `migrate({x, y}, stream)`.
/// Returns: the event of the migration. Throws: `logic_error` for no memory, empty memory or another context's;
/// `error`.
/// Thread safety: safe. Wraps `clEnqueueMigrateMemObjects`.
YOKE_API event migrate(std::initializer_list<memory_reference> memory, const stream& order,
                       const migrate_options& options = {}, const source_location& where = source_location::current());

/// Maps a sub-buffer as `map_async` of an allocation does.
template <class T, map_mode Mode>
[[nodiscard]] pending_map<detail::mapped_element<T, Mode>> map_async(
    sub_buffer<T>& part, const stream& order, map_tag<Mode> mode, const map_options& options = {},
    const source_location& where = source_location::current()) {
  if (!part.context_of()) yoke::detail::throw_empty_handle("sub-buffer", where);
  return map_async(part.allocation(), order, mode, options, where);
}

}  // namespace yoke::inline v0_1::opencl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/opencl/memory/buffer.ipp>
#endif

#endif

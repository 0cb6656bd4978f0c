// SPDX-License-Identifier: MIT
// Pipes: packets that one kernel writes and another one reads.
#ifndef YOKE_OPENCL_MEMORY_PIPE_HPP
#define YOKE_OPENCL_MEMORY_PIPE_HPP

#include <yoke/opencl/names.hpp>
#include <yoke/program/kernel/object_argument.hpp>

#include <cstdint>
#include <string>

namespace yoke::inline v0_1::opencl {

/// A queue for packets of type `T`, which kernels write and read in order. Move-only. The host cannot access the
/// packets.
/// Thread safety: one non-const handle from one thread at a time.
template <class T>
class pipe : public yoke::detail::handle<pipe<T>, yoke::detail::context_reference<port>, abi::memory> {
  using base = yoke::detail::handle<pipe<T>, yoke::detail::context_reference<port>, abi::memory>;

 public:
  static_assert(device_element<T>, "packets are trivially copyable, and no pointers");
  using element_type = T;
  using native_type = abi::memory;
  using port_type = port;
  static constexpr const char* noun = "pipe";

  pipe() noexcept = default;
  /// A pipe with room for `packets` packets. Throws: `unsupported_error` if a device of the context has no pipes;
  /// `logic_error` for a negative or too large count; `error`. Wraps `clCreatePipe`.
  template <integer Count>
  pipe(const context& in, Count packets, const source_location& where = source_location::current())
      : base(in,
             in.port(where).create_pipe(in.native_handle(), sizeof(T),
                                        yoke::detail::narrow<std::size_t>(packets, "packet count", where), where),
             true) {}
  /// Takes ownership of one reference to a native pipe. Throws: `logic_error` for a pipe of another context or other
  /// packets, and for memory that is not a pipe; `error`; it then stays the caller's. Wraps `clGetPipeInfo`.
  [[nodiscard]] static pipe adopt(const context& in, native_type native,
                                  const source_location& where = source_location::current()) {
    return pipe(in, native, true, where);
  }
  /// Uses a native pipe without owning it: it has to outlive this. Throws: as `adopt`.
  [[nodiscard]] static pipe borrow(const context& in, native_type native,
                                   const source_location& where = source_location::current()) {
    return pipe(in, native, false, where);
  }
  /// Shares a native pipe with the caller, by a reference of this handle's own. Throws: as `adopt`. Wraps
  /// `clRetainMemObject`.
  [[nodiscard]] static pipe retain(const context& in, native_type native,
                                   const source_location& where = source_location::current()) {
    pipe shared(in, native, false, where);
    in.port(where).retain_memory(native, where);
    shared.take_ownership();
    return shared;
  }

  /// The driver's description. Throws: `logic_error` when empty; `error`. Wraps `clGetPipeInfo`.
  [[nodiscard]] pipe_description description(const source_location& where = source_location::current()) const {
    const native_type native = this->use(where);
    return this->parent().state().port.describe_pipe(native, where);
  }
  [[nodiscard]] const context& context_of() const noexcept { return this->parent().get(); }
  // The variable with the driver's handle, for launches.
  using base::native_place;

 private:
  friend base;
  static void destroy(yoke::detail::context_reference<port>& parent, native_type native) noexcept {
    parent.report(parent.state().port.release_memory(parent.get().native_handle(), native));
  }
  pipe(const context& in, native_type native, bool owned, const source_location& where) : base(in, native, false) {
    if (native == native_type{}) yoke::detail::throw_null_native("pipe", where);
    const pipe_description told = in.port(where).describe_pipe(native, where);
    if (told.context != in.native_handle()) {
      yoke::detail::throw_foreign_native("pipe", yoke::detail::native_value(native), "context", where);
    }
    if (told.packet_bytes != sizeof(T)) {
      yoke::detail::throw_error(errc::size_mismatch, where, "the native pipe has packets of ", told.packet_bytes,
                                " bytes, not of ", sizeof(T));
    }
    if (owned) this->take_ownership();
  }
};

/// A kernel's access to a pipe.
enum class pipe_access : std::uint8_t { read, write };

/// The parameter types of a pipe that the kernel reads, or writes: `kernel<void(read_pipe<int>, int*)>`. The direction
/// is compared with the kernel's if the driver tells it.
template <class T, pipe_access Access>
struct pipe_parameter {};
template <class T>
using read_pipe = pipe_parameter<T, pipe_access::read>;
template <class T>
using write_pipe = pipe_parameter<T, pipe_access::write>;

}  // namespace yoke::inline v0_1::opencl

namespace yoke::inline v0_1 {

// Appears in the first error about a wrong argument.
template <class T>
struct expected_pipe;

namespace detail {

template <std::size_t Index, class T, opencl::pipe_access Access, class Port, bool Async>
class argument<Index, opencl::pipe_parameter<T, Access>, Port, Async>
    : public object_argument<argument<Index, opencl::pipe_parameter<T, Access>, Port, Async>, Index, Port> {
 public:
  static constexpr const char* noun = "a pipe";

  template <class Given>
  argument(const Given& given) noexcept {  // NOLINT: launches read like calls
    if constexpr (std::same_as<Given, opencl::pipe<T>> && std::same_as<Port, opencl::port>) {
      this->take(given.context_of().shared(), &given.native_place(), sizeof(void*));
    } else {
      using wrong = kernel_argument_mismatch<Index + 1, typename kind_of_argument<Given>::type, expected_pipe<T>>;
      (void)wrong::pass_an_opencl_pipe_of_that_packet;
    }
  }
};

template <class T, opencl::pipe_access Access>
struct described_parameter<opencl::pipe_parameter<T, Access>> {
  static parameter_info info() {
    parameter_info told;
    told.space = address_space::value;
    told.type = Access == opencl::pipe_access::read ? "read_only pipe " : "write_only pipe ";
    told.type += device_type<T>::opencl_c;
    told.spelling = told.type;
    told.bytes = sizeof(void*);
    told.alignment = alignof(void*);
    return told;
  }
};

}  // namespace detail
}  // namespace yoke::inline v0_1

#endif

// SPDX-License-Identifier: MIT
// Values that ports and handles exchange for commands and launches, and the refinements that only some backends have.
#ifndef YOKE_DRIVER_CONCEPTS_HPP
#define YOKE_DRIVER_CONCEPTS_HPP

#include <yoke/core/config.hpp>
#include <yoke/driver/types.hpp>

#include <concepts>
#include <string_view>
#include <system_error>

namespace yoke::inline v0_1 {

/// Any backend as a port. `yoke/driver/any/port.hpp` defines it, and so does `yoke/yoke.hpp`; programs for one backend
/// need only the declaration.
class any_port;

namespace detail {
/// Whether a port is defined, not only declared. Ask this in only one place for each port.
template <class Port>
concept known_port = requires { sizeof(Port); };
}  // namespace detail

/// A native handle: a small value; the default value means none.
template <class H>
concept native_handle_type = std::regular<H> && std::is_trivially_copyable_v<H> && sizeof(H) <= sizeof(void*);

/// The step after a command is enqueued: wait for it, hand out its event, or neither.
template <class Event>
class completion {
 public:
  [[nodiscard]] static constexpr completion blocking() noexcept { return {nullptr, true}; }
  [[nodiscard]] static constexpr completion unwatched() noexcept { return {nullptr, false}; }
  [[nodiscard]] static constexpr completion into(Event& slot) noexcept { return {&slot, false}; }

  [[nodiscard]] constexpr bool blocks() const noexcept { return blocks_; }
  [[nodiscard]] constexpr bool wanted() const noexcept { return slot_ != nullptr; }
  constexpr void give(Event event) const noexcept { *slot_ = event; }
  /// Returns: the same completion for another type of event, which goes to `slot`.
  template <class Other>
  [[nodiscard]] constexpr completion<Other> with(Other& slot) const noexcept {
    if (blocks_) return completion<Other>::blocking();
    return wanted() ? completion<Other>::into(slot) : completion<Other>::unwatched();
  }

 private:
  constexpr completion(Event* slot, bool blocks) noexcept : slot_(slot), blocks_(blocks) {}
  Event* slot_;
  bool blocks_;
};

/// A launch, as ports take it: plain values and views. It owns nothing and lives during the call.
template <class Kernel, class Stream, class Event, class Shape = launch_shape>
struct basic_launch_call {
  Kernel kernel{};
  Stream stream{};
  const device_limits* limits = nullptr;
  const Shape& shape;
  std::span<const kernel_argument> arguments{};
  std::span<const Event> after{};
  Event* done = nullptr;  ///< receives the launch's event; null: none is wanted
  bool timed = false;     ///< whether the event carries times
};
namespace detail {
template <class Port>
struct shape_of {
  using type = launch_shape;
};
template <class Port>
  requires Port::shape_type::refines_launch_shape
struct shape_of<Port> {
  using type = typename Port::shape_type;
};
template <class Port>
struct stream_options_of {
  using type = stream_options;
};
template <class Port>
  requires Port::stream_options_type::refines_stream_options
struct stream_options_of<Port> {
  using type = typename Port::stream_options_type;
};
}  // namespace detail
/// The options for streams of a backend: `stream_options`, or the port's own `stream_options_type`, which refines them.
template <class Port>
using stream_options_for = typename detail::stream_options_of<Port>::type;
/// The shape of a launch on a backend: `launch_shape`, or the port's own `shape_type`, which refines it.
template <class Port>
using shape_for = typename detail::shape_of<Port>::type;
template <class Port>
using launch_call = basic_launch_call<typename Port::kernel_handle, typename Port::stream_handle,
                                      typename Port::event_handle, shape_for<Port>>;

struct compile_request;
struct build_target;
struct kernel_language;

// The concepts below each state one refinement, which handles check at every use. A whole backend is checked once,
// against <yoke/driver/operations.hpp>.

/// Backends that also find a kernel by its signature: overloads, and kernels whose types the compiler has compared.
template <class P>
concept signature_port = requires(const P p, typename P::module_handle m, const char* name,
                                  std::span<const parameter_info> wanted, const source_location& where) {
  { p.find_kernel(m, name, wanted, where) } -> std::same_as<typename P::kernel_handle>;
};

namespace detail {
template <std::size_t... Bytes>
inline constexpr std::array<std::size_t, sizeof...(Bytes)> bytes_of_arguments{Bytes...};
template <std::size_t... Bytes>
inline constexpr argument_sizes sizes_of_arguments{bytes_of_arguments<Bytes...>.data(), sizeof...(Bytes)};
}  // namespace detail

/// The outcome of a direct launch.
struct direct_outcome {
  std::int32_t refused = 0;  ///< `launched`, `unusual`, `shape`, or the number of the refused argument, from 1
  std::int32_t code = 0;     ///< the driver's code

  static constexpr std::int32_t launched = 0;
  static constexpr std::int32_t unusual = -1;  ///< nothing was enqueued: call `launch`, which launches or throws
  static constexpr std::int32_t shape = -2;    ///< the driver refused the launch itself
};

/// Backends that run usual launches by inlined code, and leave the others to `launch`. An argument is the address of a
/// buffer's handle or of a value; the compiler knows the value's size.
template <class P>
concept direct_launch_port = P::launches_directly;

/// Backends that wait and copy ranges by inlined code in the usual cases, in functions whose names end in
/// `_directly`. These return the driver's code, or `direct_unusual`; `refused` throws the error for a code.
template <class P>
concept direct_enqueue_port = P::enqueues_directly;

/// A command that is enqueued directly.
enum class direct_command : unsigned char { wait, write, read, copy };

/// Returned in place of a driver's code: nothing was enqueued. Call the general function, which enqueues the command or
/// throws.
inline constexpr std::int32_t direct_unusual = -0x7fffffff - 1;

/// Source and destination of a direct copy, for the message when it is refused. Units: bytes.
struct direct_sides {
  std::uint64_t source = 0;  ///< an address if the backend's memory handles are addresses
  std::uint64_t destination = 0;
  std::size_t bytes = 0;
};

/// Backends whose timed events carry the four times of a command. Other backends, and `any_port`, give only the time
/// between two events.
template <class P>
concept profiling_port = requires(const P p, typename P::event_handle e, const source_location& where) {
  { p.times(e, where) } -> std::same_as<event_times>;
};

/// Backends where a thread has a current context, which foreign code may need. `deactivate` undoes an `activation`.
template <class P>
concept current_context_port =
    std::default_initializable<typename P::activation> && std::copyable<typename P::activation> &&
    requires(const P p, typename P::context_handle c, const typename P::activation& a, const source_location& where) {
      { p.activate(c, where) } -> std::same_as<typename P::activation>;
      { p.deactivate(a) } noexcept -> std::same_as<release_result>;
    };

/// Backends that can tell whether a stream is done. For others, an event in the stream is queried.
template <class P>
concept stream_query_port = requires(const P p, typename P::stream_handle s, const source_location& where) {
  { p.stream_is_done(s, where) } -> std::same_as<bool>;
};

/// Backends that run host functions in a stream's order, on a thread that must not use the backend. A function does not
/// run if its stream has failed.
template <class P>
concept host_function_port = requires(const P p, typename P::stream_handle s, void (*function)(void*), void* data,
                                      const source_location& where) {
  { p.launch_host_function(s, function, data, where) } -> std::same_as<void>;
};

/// Backends that run host functions as nodes of graphs, on a thread that must not use the backend.
template <class P>
concept graph_host_function_port =
    requires(const P p, typename P::graph_handle g, std::span<const typename P::node_handle> after,
             void (*function)(void*), void* data, const source_location& where) {
      { p.record_host_function(g, after, function, data, where) } -> std::same_as<typename P::node_handle>;
    };

/// Backends whose graphs record events, and wait for them.
template <class P>
concept graph_event_port =
    requires(const P p, typename P::graph_handle g, std::span<const typename P::node_handle> after,
             typename P::event_handle e, const source_location& where) {
      { p.record_event_node(g, after, e, where) } -> std::same_as<typename P::node_handle>;
      { p.record_wait_node(g, after, e, where) } -> std::same_as<typename P::node_handle>;
    };

/// Backends that capture what other code enqueues in a stream as a graph.
template <class P>
concept capture_port = requires(const P p, typename P::stream_handle s, const source_location& where) {
  { p.begin_capture(s, where) } -> std::same_as<void>;
  { p.end_capture(s, where) } -> std::same_as<typename P::graph_handle>;
  { p.abandon_capture(s) } noexcept -> std::same_as<void>;
};

/// Backends whose native objects count their references, so that a handle can add one of its own.
template <class P>
concept counting_port = P::counts_references;

/// Backends with out-of-order streams.
template <class P>
concept out_of_order_port =
    requires(const P p, typename P::context_handle c, typename P::device_handle d, typename P::stream_handle s,
             std::span<const typename P::event_handle> es, const stream_options& so, const source_location& where) {
      { p.create_out_of_order_stream(c, d, so, where) } -> std::same_as<typename P::stream_handle>;
      { p.stream_is_out_of_order(s, where) } -> std::same_as<bool>;
      { p.barrier(s, es, where) } -> std::same_as<typename P::event_handle>;
    };

/// Backends with events which the host completes.
template <class P>
concept user_event_port = requires(const P p, typename P::context_handle c, typename P::event_handle e,
                                   std::int32_t status, const source_location& where) {
  { p.create_user_event(c, where) } -> std::same_as<typename P::event_handle>;
  { p.set_user_event(e, status, where) } -> std::same_as<void>;
};

/// Backends that can partition a device.
template <class P>
concept partition_port = requires(const P p, typename P::device_handle d, std::span<const std::intptr_t> properties,
                                  const source_location& where) {
  { p.partition(d, properties, where) } -> std::same_as<std::vector<typename P::device_handle>>;
};

/// Backends that map device memory for the host, and have owners of parts of an allocation.
template <class P>
concept map_port = requires(const P p, typename P::stream_handle s, typename P::memory_handle m, std::size_t n,
                            map_mode mode, void* address, const source_location& where) {
  { p.retain_memory(m, where) } -> std::same_as<void>;
  { p.mapped_views() } noexcept -> std::same_as<detail::atomic<int>&>;
  { p.map(s, m, n, n, mode, where) } -> std::same_as<void*>;
  { p.unmap(s, m, address) } noexcept -> std::same_as<release_result>;
  { p.create_sub_buffer(m, n, n, where) } -> std::same_as<typename P::memory_handle>;
};

/// Backends whose memory may say how kernels and the host access it.
template <class P>
concept buffer_options_port = requires(const P p, typename P::context_handle c, std::size_t n,
                                       const typename P::buffer_options& options, const source_location& where) {
  { p.allocate_with(c, n, options, where) } -> std::same_as<typename P::memory_handle>;
};

/// Backends with several kinds of page-locked memory.
template <class P>
concept pagelocked_options_port =
    requires(const P p, typename P::context_handle c, std::size_t n, const typename P::pagelocked_options& options,
             const source_location& where) {
      { p.allocate_pagelocked_with(c, n, options, where) } -> std::same_as<typename P::pagelocked_handle>;
    };

/// The kinds of shared virtual memory that a device has.
struct svm_support {
  bool coarse = false;
  bool fine = false;
  bool fine_system = false;
  bool atomics = false;
};

/// Backends with shared virtual memory.
template <class P>
concept svm_port =
    requires(const P p, typename P::context_handle c, typename P::device_handle d, typename P::stream_handle s,
             completion<typename P::event_handle> done, void* a, const void* b, std::size_t n, map_mode mode, bool flag,
             std::span<const typename P::stream_handle> others, const source_location& where) {
      { p.svm(d, where) } -> std::same_as<svm_support>;
      { p.svm_allocate(c, n, n, flag, flag, where) } -> std::same_as<void*>;
      { p.svm_free(c, a) } noexcept -> std::same_as<release_result>;
      { p.svm_free_ordered(c, a, s, others) } noexcept -> std::same_as<release_result>;
      { p.svm_copy(s, a, b, n, done, where) } -> std::same_as<void>;
      { p.svm_fill(s, a, b, n, n, where) } -> std::same_as<void>;
      { p.svm_map(s, a, n, mode, flag, where) } -> std::same_as<void>;
      { p.svm_unmap(s, a) } noexcept -> std::same_as<release_result>;
    };

}  // namespace yoke::inline v0_1

#endif

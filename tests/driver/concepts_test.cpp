// SPDX-License-Identifier: MIT
// Which port satisfies which concept, and what does not.
#include <support/catch.hpp>
#include <support/drivers/archetype_port.hpp>

#include <yoke/driver/any/port.hpp>
#include <yoke/driver/cuda/port.hpp>
#include <yoke/driver/opencl/port.hpp>

using yoke_test::archetype_port;
using yoke_test::out_of_order_archetype_port;

static_assert(yoke::driver_port<yoke::opencl::port> && yoke::driver_port<yoke::any_port>);
static_assert(yoke::execution_port<yoke::opencl::port> && yoke::memory_port<yoke::opencl::port>);
static_assert(yoke::program_port<yoke::opencl::port>);
static_assert(yoke::out_of_order_port<yoke::opencl::port> && yoke::user_event_port<yoke::opencl::port>);
static_assert(yoke::partition_port<yoke::opencl::port> && yoke::map_port<yoke::opencl::port>);
static_assert(yoke::svm_port<yoke::opencl::port>);

// What only some backends have, the port that is chosen at run time does not pretend to have.
static_assert(!yoke::out_of_order_port<yoke::any_port> && !yoke::user_event_port<yoke::any_port>);
static_assert(!yoke::partition_port<yoke::any_port> && !yoke::map_port<yoke::any_port>);
static_assert(!yoke::svm_port<yoke::any_port>);

// The archetype has the concepts' members and no more.
static_assert(yoke::driver_port<archetype_port> && !yoke::out_of_order_port<archetype_port>);
static_assert(!yoke::user_event_port<archetype_port> && !yoke::partition_port<archetype_port>);
static_assert(!yoke::map_port<archetype_port> && !yoke::svm_port<archetype_port>);
static_assert(!yoke::current_context_port<archetype_port> && !yoke::stream_query_port<archetype_port>);
static_assert(!yoke::host_function_port<archetype_port> && !yoke::pagelocked_options_port<archetype_port>);

// What only CUDA has.
static_assert(yoke::current_context_port<yoke::cuda::port> && yoke::stream_query_port<yoke::cuda::port>);
static_assert(yoke::host_function_port<yoke::cuda::port> && yoke::pagelocked_options_port<yoke::cuda::port>);
static_assert(!yoke::current_context_port<yoke::opencl::port> && !yoke::stream_query_port<yoke::opencl::port>);
static_assert(!yoke::host_function_port<yoke::opencl::port> && !yoke::pagelocked_options_port<yoke::opencl::port>);
static_assert(!yoke::current_context_port<yoke::any_port> && !yoke::host_function_port<yoke::any_port>);
static_assert(yoke::out_of_order_port<out_of_order_archetype_port>);

// Its handles convert to nothing, and nothing converts to them.
using handle = archetype_port::memory_handle;
static_assert(yoke::native_handle_type<handle>);
static_assert(!std::convertible_to<handle, bool> && !std::convertible_to<handle, void*>);
static_assert(!std::constructible_from<handle, std::nullptr_t> && !std::constructible_from<handle, int>);
static_assert(!std::convertible_to<handle, archetype_port::event_handle> && !std::totally_ordered<handle>);

// What a backend lacks has a default instead of a function that does nothing.
template <class P>
concept counts_devices = requires(const P port, typename P::device_handle device) { port.release_device(device); };
template <class P>
concept flushes =
    requires(const P port, typename P::stream_handle s, const yoke::source_location& where) { port.flush(s, where); };
template <class P>
concept identifies_contexts = requires(const P port, typename P::context_handle c) { port.context_identity(c); };
static_assert(!counts_devices<yoke::cuda::port> && counts_devices<yoke::opencl::port>);
static_assert(!flushes<yoke::cuda::port> && flushes<yoke::opencl::port>);
static_assert(identifies_contexts<yoke::cuda::port> && !identifies_contexts<yoke::opencl::port>);
static_assert(yoke::port_traits<yoke::cuda::port>::times_every_stream);
static_assert(!yoke::port_traits<yoke::opencl::port>::times_every_stream);
static_assert(counts_devices<yoke::any_port> && flushes<yoke::any_port> && identifies_contexts<yoke::any_port>);

// Ports are small values.
static_assert(sizeof(yoke::opencl::port) == 2 * sizeof(void*) && sizeof(yoke::any_port) == 2 * sizeof(void*));
static_assert(std::is_trivially_copyable_v<yoke::opencl::port> && std::is_trivially_copyable_v<yoke::any_port>);

// Each of these lacks one thing.
namespace {
struct throwing_release : archetype_port {
  yoke::release_result release_event(event_handle) const { return {}; }  // may throw
};
struct another_result : archetype_port {
  unsigned status(event_handle, const yoke::source_location&) const { return 0; }
};
struct without_fill : archetype_port {
  void fill() const {}
};
struct without_flush : archetype_port {
  void flush() const {}  // hides the operation, which a backend may lack
};
struct flush_of_another_type : archetype_port {
  int flush(stream_handle, const yoke::source_location&) const { return 0; }
};
struct large_handle : archetype_port {
  struct stream_handle {
    void* parts[2] = {};
    friend bool operator==(const stream_handle&, const stream_handle&) = default;
  };
};
}  // namespace
static_assert(!yoke::execution_port<throwing_release> && !yoke::execution_port<another_result>);
static_assert(yoke::execution_port<without_fill> && !yoke::memory_port<without_fill>);
static_assert(yoke::execution_port<without_flush> && !yoke::execution_port<flush_of_another_type>);
static_assert(!yoke::native_handle_type<large_handle::stream_handle> && !yoke::execution_port<large_handle>);
static_assert(!yoke::execution_port<int> && !yoke::driver_port<void*>);

TEST_CASE("a port of no driver is empty and equal to itself", "[driver]") {
  CHECK(yoke::any_port{} == yoke::any_port{});
  CHECK(yoke::opencl::port{nullptr} == yoke::opencl::port{nullptr});
  CHECK(yoke::any_port{}.operations() == nullptr);
  CHECK(large_handle::stream_handle{} == large_handle::stream_handle{});
}

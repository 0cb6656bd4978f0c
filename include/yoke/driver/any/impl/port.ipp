// SPDX-License-Identifier: MIT
// The operations of each backend behind `any_port`, made from its port by one template.
#ifndef YOKE_DRIVER_ANY_IMPL_PORT_IPP
#define YOKE_DRIVER_ANY_IMPL_PORT_IPP

#include <yoke/core/text.hpp>
#include <yoke/driver/any/impl/forward.ipp>
#include <yoke/driver/any/port.hpp>

#include <algorithm>
#include <cstring>
#include <memory>

namespace yoke::inline YOKE_ABI {

namespace detail {

template <class Native, class Noun>
Native native(any_handle<Noun> handle) noexcept {
  Native result{};
  std::memcpy(static_cast<void*>(&result), &handle.value, sizeof result);
  return result;
}
template <class Any, class Native>
Any wrapped(Native handle) noexcept {
  Any result{};
  std::memcpy(&result.value, &handle, sizeof handle);
  return result;
}
template <class Any, class Native>
std::vector<Any> wrapped_list(const std::vector<Native>& list) {
  std::vector<Any> result;
  result.reserve(list.size());
  for (const Native& handle : list) result.push_back(wrapped<Any>(handle));
  return result;
}

/// A list of handles in the backend's types; short ones, as in every ordinary launch, need no heap.
template <class Native>
class native_list {
 public:
  template <class Noun>
  explicit native_list(std::span<const any_handle<Noun>> list) : size_(list.size()) {
    Native* to = here_;
    if (size_ > std::size(here_)) {
      heap_.reset(new Native[size_]);
      to = heap_.get();
    }
    for (std::size_t i = 0; i < size_; ++i) to[i] = native<Native>(list[i]);
  }
  [[nodiscard]] std::span<const Native> view() const noexcept { return {heap_ ? heap_.get() : here_, size_}; }

 private:
  Native here_[8] = {};
  std::unique_ptr<Native[]> heap_;
  std::size_t size_;
};

template <class Port>
Port port_of(const void* driver) noexcept {
  return Port(static_cast<const typename Port::table_type*>(driver));
}

/// Returns: the shape, or what a backend of its own shape makes of it.
template <class Shape>
decltype(auto) shape_as(const launch_shape& shape, const source_location& where) {
  if constexpr (std::same_as<Shape, launch_shape>) {
    (void)where;
    return (shape);
  } else {
    return Shape::refining(shape, where);
  }
}

/// The operations of one backend.
template <class Port>
struct operations_for : any_handles {
  static std::error_code error_code(const void* driver, std::int32_t code) noexcept {
    return port_of<Port>(driver).error_code(code);
  }
  static std::vector<device_handle> devices(const void* driver, const source_location& where) {
    return wrapped_list<device_handle>(port_of<Port>(driver).devices(where));
  }
  static device_summary summary(const void* driver, device_handle device, const source_location& where) {
    return port_of<Port>(driver).summary(native<typename Port::device_handle>(device), where);
  }
  static device_limits limits(const void* driver, device_handle device, const source_location& where) {
    return port_of<Port>(driver).limits(native<typename Port::device_handle>(device), where);
  }
  static void retain_device(const void* driver, device_handle device, const source_location& where) {
    port_of<Port>(driver).retain_device(native<typename Port::device_handle>(device), where);
  }
  static release_result release_device(const void* driver, device_handle device) noexcept {
    return port_of<Port>(driver).release_device(native<typename Port::device_handle>(device));
  }
  static context_handle create_context(const void* driver, std::span<const device_handle> devices,
                                       const source_location& where) {
    const native_list<typename Port::device_handle> devices_list(devices);
    return wrapped<context_handle>(port_of<Port>(driver).create_context(devices_list.view(), where));
  }
  static void retain_context(const void* driver, context_handle context, const source_location& where) {
    port_of<Port>(driver).retain_context(native<typename Port::context_handle>(context), where);
  }
  static release_result release_context(const void* driver, context_handle context) noexcept {
    return port_of<Port>(driver).release_context(native<typename Port::context_handle>(context));
  }
  static std::vector<device_handle> context_devices(const void* driver, context_handle context,
                                                    const source_location& where) {
    return wrapped_list<device_handle>(
        port_of<Port>(driver).context_devices(native<typename Port::context_handle>(context), where));
  }
  static std::uint64_t context_identity(const void* driver, context_handle context) noexcept {
    return port_of<Port>(driver).context_identity(native<typename Port::context_handle>(context));
  }
  static bool context_is_gone(const void* driver, context_handle context, std::uint64_t id) noexcept {
    return port_of<Port>(driver).context_is_gone(native<typename Port::context_handle>(context), id);
  }
  static stream_handle create_stream(const void* driver, context_handle context, device_handle device,
                                     const stream_options& options, const source_location& where) {
    return wrapped<stream_handle>(port_of<Port>(driver).create_stream(
        native<typename Port::context_handle>(context), native<typename Port::device_handle>(device), options, where));
  }
  static void retain_stream(const void* driver, stream_handle stream, const source_location& where) {
    port_of<Port>(driver).retain_stream(native<typename Port::stream_handle>(stream), where);
  }
  static release_result release_stream(const void* driver, stream_handle stream) noexcept {
    return port_of<Port>(driver).release_stream(native<typename Port::stream_handle>(stream));
  }
  static bool forget_stream(const void* driver, stream_handle stream) noexcept {
    return port_of<Port>(driver).forget_stream(native<typename Port::stream_handle>(stream));
  }
  static device_handle stream_device(const void* driver, stream_handle stream, const source_location& where) {
    return wrapped<device_handle>(
        port_of<Port>(driver).stream_device(native<typename Port::stream_handle>(stream), where));
  }
  static context_handle stream_context(const void* driver, stream_handle stream, const source_location& where) {
    return wrapped<context_handle>(
        port_of<Port>(driver).stream_context(native<typename Port::stream_handle>(stream), where));
  }
  static bool stream_has_timing(const void* driver, stream_handle stream, const source_location& where) {
    return port_of<Port>(driver).stream_has_timing(native<typename Port::stream_handle>(stream), where);
  }
  static bool times_every_stream(const void* driver) noexcept { return port_of<Port>(driver).times_every_stream(); }
  static void flush(const void* driver, stream_handle stream, const source_location& where) {
    port_of<Port>(driver).flush(native<typename Port::stream_handle>(stream), where);
  }
  static void synchronize(const void* driver, stream_handle stream, const source_location& where) {
    port_of<Port>(driver).synchronize(native<typename Port::stream_handle>(stream), where);
  }
  static event_handle record(const void* driver, stream_handle stream, std::span<const event_handle> after,
                             const source_location& where) {
    const native_list<typename Port::event_handle> after_list(after);
    return wrapped<event_handle>(
        port_of<Port>(driver).record(native<typename Port::stream_handle>(stream), after_list.view(), where));
  }
  static event_handle record_timed(const void* driver, stream_handle stream, const source_location& where) {
    return wrapped<event_handle>(
        port_of<Port>(driver).record_timed(native<typename Port::stream_handle>(stream), where));
  }
  static void wait_in_stream(const void* driver, stream_handle stream, std::span<const event_handle> events,
                             const source_location& where) {
    const native_list<typename Port::event_handle> events_list(events);
    port_of<Port>(driver).wait_in_stream(native<typename Port::stream_handle>(stream), events_list.view(), where);
  }
  static context_handle event_context(const void* driver, event_handle event, const source_location& where) {
    return wrapped<context_handle>(
        port_of<Port>(driver).event_context(native<typename Port::event_handle>(event), where));
  }
  static void retain_event(const void* driver, event_handle event, const source_location& where) {
    port_of<Port>(driver).retain_event(native<typename Port::event_handle>(event), where);
  }
  static release_result release_event(const void* driver, event_handle event) noexcept {
    return port_of<Port>(driver).release_event(native<typename Port::event_handle>(event));
  }
  static void wait(const void* driver, event_handle event, const source_location& where) {
    port_of<Port>(driver).wait(native<typename Port::event_handle>(event), where);
  }
  static event_status status(const void* driver, event_handle event, const source_location& where) {
    return port_of<Port>(driver).status(native<typename Port::event_handle>(event), where);
  }
  static event_times times(const void* driver, event_handle event, const source_location& where) {
    if constexpr (profiling_port<Port>) {
      return port_of<Port>(driver).times(native<typename Port::event_handle>(event), where);
    } else {
      throw_error(errc::unsupported,
                  text("an event of ", port_of<Port>(driver).backend_name(),
                       " is one point in time: ask for the time between two, time_since(start)"),
                  where);
    }
  }
  static std::chrono::nanoseconds elapsed(const void* driver, event_handle start, event_handle stop,
                                          const source_location& where) {
    return port_of<Port>(driver).elapsed(native<typename Port::event_handle>(start),
                                         native<typename Port::event_handle>(stop), where);
  }
  static void submit(const void* driver, event_handle event, const source_location& where) {
    port_of<Port>(driver).submit(native<typename Port::event_handle>(event), where);
  }
  static memory_handle allocate(const void* driver, context_handle context, std::size_t bytes,
                                const source_location& where) {
    return wrapped<memory_handle>(
        port_of<Port>(driver).allocate(native<typename Port::context_handle>(context), bytes, where));
  }
  static memory_handle allocate_ordered(const void* driver, context_handle context, stream_handle stream,
                                        std::size_t bytes, const source_location& where) {
    return wrapped<memory_handle>(port_of<Port>(driver).allocate_ordered(
        native<typename Port::context_handle>(context), native<typename Port::stream_handle>(stream), bytes, where));
  }
  static release_result release_memory(const void* driver, context_handle context, memory_handle memory) noexcept {
    return port_of<Port>(driver).release_memory(native<typename Port::context_handle>(context),
                                                native<typename Port::memory_handle>(memory));
  }
  static memory_handle with_offset(const void* driver, memory_handle memory, std::size_t bytes,
                                   const source_location& where) {
    return wrapped<memory_handle>(
        port_of<Port>(driver).with_offset(native<typename Port::memory_handle>(memory), bytes, where));
  }
  static context_handle memory_context(const void* driver, memory_handle memory, const source_location& where) {
    return wrapped<context_handle>(
        port_of<Port>(driver).memory_context(native<typename Port::memory_handle>(memory), where));
  }
  static std::size_t memory_bytes(const void* driver, memory_handle memory, const source_location& where) {
    return port_of<Port>(driver).memory_bytes(native<typename Port::memory_handle>(memory), where);
  }
  static void check_native_memory(const void* driver, memory_handle memory, std::size_t alignment,
                                  native_ownership ownership, const source_location& where) {
    port_of<Port>(driver).check_native_memory(native<typename Port::memory_handle>(memory), alignment, ownership,
                                              where);
  }
  static pagelocked_handle allocate_pagelocked(const void* driver, context_handle context, device_handle device,
                                               std::size_t bytes, void** address, const source_location& where) {
    return wrapped<pagelocked_handle>(
        port_of<Port>(driver).allocate_pagelocked(native<typename Port::context_handle>(context),
                                                  native<typename Port::device_handle>(device), bytes, address, where));
  }
  static release_result release_pagelocked(const void* driver, context_handle context,
                                           pagelocked_handle block) noexcept {
    return port_of<Port>(driver).release_pagelocked(native<typename Port::context_handle>(context),
                                                    native<typename Port::pagelocked_handle>(block));
  }
  static void write(const void* driver, stream_handle stream, memory_handle destination, std::size_t offset,
                    const void* source, std::size_t bytes, completion<event_handle> done,
                    const source_location& where) {
    typename Port::event_handle event{};
    port_of<Port>(driver).write(native<typename Port::stream_handle>(stream),
                                native<typename Port::memory_handle>(destination), offset, source, bytes,
                                done.with(event), where);
    if (done.wanted()) done.give(wrapped<event_handle>(event));
  }
  static void read(const void* driver, stream_handle stream, memory_handle source, std::size_t offset,
                   void* destination, std::size_t bytes, completion<event_handle> done, const source_location& where) {
    typename Port::event_handle event{};
    port_of<Port>(driver).read(native<typename Port::stream_handle>(stream),
                               native<typename Port::memory_handle>(source), offset, destination, bytes,
                               done.with(event), where);
    if (done.wanted()) done.give(wrapped<event_handle>(event));
  }
  static void copy(const void* driver, stream_handle stream, memory_handle source, std::size_t source_offset,
                   memory_handle destination, std::size_t destination_offset, std::size_t bytes,
                   completion<event_handle> done, const source_location& where) {
    typename Port::event_handle event{};
    port_of<Port>(driver).copy(
        native<typename Port::stream_handle>(stream), native<typename Port::memory_handle>(source), source_offset,
        native<typename Port::memory_handle>(destination), destination_offset, bytes, done.with(event), where);
    if (done.wanted()) done.give(wrapped<event_handle>(event));
  }
  static void write_box(const void* driver, stream_handle stream, memory_handle destination, const box_side& to,
                        const void* source, const box_side& from, const box_size& box, completion<event_handle> done,
                        const source_location& where) {
    typename Port::event_handle event{};
    port_of<Port>(driver).write_box(native<typename Port::stream_handle>(stream),
                                    native<typename Port::memory_handle>(destination), to, source, from, box,
                                    done.with(event), where);
    if (done.wanted()) done.give(wrapped<event_handle>(event));
  }
  static void read_box(const void* driver, stream_handle stream, memory_handle source, const box_side& from,
                       void* destination, const box_side& to, const box_size& box, completion<event_handle> done,
                       const source_location& where) {
    typename Port::event_handle event{};
    port_of<Port>(driver).read_box(native<typename Port::stream_handle>(stream),
                                   native<typename Port::memory_handle>(source), from, destination, to, box,
                                   done.with(event), where);
    if (done.wanted()) done.give(wrapped<event_handle>(event));
  }
  static void copy_box(const void* driver, stream_handle stream, memory_handle source, const box_side& from,
                       memory_handle destination, const box_side& to, const box_size& box,
                       completion<event_handle> done, const source_location& where) {
    typename Port::event_handle event{};
    port_of<Port>(driver).copy_box(native<typename Port::stream_handle>(stream),
                                   native<typename Port::memory_handle>(source), from,
                                   native<typename Port::memory_handle>(destination), to, box, done.with(event), where);
    if (done.wanted()) done.give(wrapped<event_handle>(event));
  }
  static void fill(const void* driver, stream_handle stream, memory_handle destination, std::size_t offset,
                   const void* pattern, std::size_t pattern_bytes, std::size_t count, const source_location& where) {
    port_of<Port>(driver).fill(native<typename Port::stream_handle>(stream),
                               native<typename Port::memory_handle>(destination), offset, pattern, pattern_bytes, count,
                               where);
  }
  static std::string_view prelude(const void* driver) { return port_of<Port>(driver).prelude(); }
  static build_target target_of(const void* driver, std::span<const device_handle> devices,
                                const source_location& where) {
    const native_list<typename Port::device_handle> devices_list(devices);
    return port_of<Port>(driver).target_of(devices_list.view(), where);
  }
  static std::string compiler_of(const void* driver, std::span<const device_handle> devices, bool open,
                                 const source_location& where) {
    const native_list<typename Port::device_handle> devices_list(devices);
    return port_of<Port>(driver).compiler_of(devices_list.view(), open, where);
  }
  static module_handle compile(const void* driver, context_handle context, std::span<const device_handle> devices,
                               const compile_request& request, const source_location& where) {
    const native_list<typename Port::device_handle> devices_list(devices);
    return wrapped<module_handle>(port_of<Port>(driver).compile(native<typename Port::context_handle>(context),
                                                                devices_list.view(), request, where));
  }
  static module_handle load_binary(const void* driver, context_handle context, std::span<const device_handle> devices,
                                   std::span<const std::byte> bytes, const source_location& where) {
    const native_list<typename Port::device_handle> devices_list(devices);
    return wrapped<module_handle>(port_of<Port>(driver).load_binary(native<typename Port::context_handle>(context),
                                                                    devices_list.view(), bytes, where));
  }
  static module_handle load_intermediate(const void* driver, context_handle context,
                                         std::span<const device_handle> devices, std::span<const std::byte> bytes,
                                         const compile_request& request, const source_location& where) {
    const native_list<typename Port::device_handle> devices_list(devices);
    return wrapped<module_handle>(port_of<Port>(driver).load_intermediate(
        native<typename Port::context_handle>(context), devices_list.view(), bytes, request, where));
  }
  static std::vector<std::byte> export_binary(const void* driver, module_handle module, const source_location& where) {
    return port_of<Port>(driver).export_binary(native<typename Port::module_handle>(module), where);
  }
  static context_handle module_context(const void* driver, module_handle module, const source_location& where) {
    return wrapped<context_handle>(
        port_of<Port>(driver).module_context(native<typename Port::module_handle>(module), where));
  }
  static void retain_module(const void* driver, module_handle module, const source_location& where) {
    port_of<Port>(driver).retain_module(native<typename Port::module_handle>(module), where);
  }
  static release_result release_module(const void* driver, module_handle module) noexcept {
    return port_of<Port>(driver).release_module(native<typename Port::module_handle>(module));
  }
  static std::string build_log(const void* driver, module_handle module, device_handle device,
                               const source_lines& source, const source_location& where) {
    return port_of<Port>(driver).build_log(native<typename Port::module_handle>(module),
                                           native<typename Port::device_handle>(device), source, where);
  }
  static std::vector<std::string> kernel_names(const void* driver, module_handle module, const source_location& where) {
    return port_of<Port>(driver).kernel_names(native<typename Port::module_handle>(module), where);
  }
  static kernel_handle create_kernel(const void* driver, module_handle module, const char* name,
                                     const source_location& where) {
    return wrapped<kernel_handle>(
        port_of<Port>(driver).create_kernel(native<typename Port::module_handle>(module), name, where));
  }
  static kernel_handle adopt_kernel(const void* driver, module_handle module, native_kernel kernel, bool owned,
                                    const source_location& where) {
    return wrapped<kernel_handle>(port_of<Port>(driver).adopt_kernel(
        native<typename Port::module_handle>(module), native<typename Port::native_kernel>(kernel), owned, where));
  }
  static native_kernel native_of(const void* driver, kernel_handle kernel) noexcept {
    return wrapped<native_kernel>(port_of<Port>(driver).native_of(native<typename Port::kernel_handle>(kernel)));
  }
  static release_result detach_kernel(const void* driver, kernel_handle kernel) noexcept {
    return port_of<Port>(driver).detach_kernel(native<typename Port::kernel_handle>(kernel));
  }
  static release_result release_kernel(const void* driver, kernel_handle kernel) noexcept {
    return port_of<Port>(driver).release_kernel(native<typename Port::kernel_handle>(kernel));
  }
  static kernel_signature signature(const void* driver, context_handle context, kernel_handle kernel,
                                    const source_location& where) {
    return port_of<Port>(driver).signature(native<typename Port::context_handle>(context),
                                           native<typename Port::kernel_handle>(kernel), where);
  }
  static bool accepts(const void* driver, context_handle context, kernel_handle kernel,
                      std::span<const kernel_argument> arguments, const source_location& where) {
    return port_of<Port>(driver).accepts(native<typename Port::context_handle>(context),
                                         native<typename Port::kernel_handle>(kernel), arguments, where);
  }
  static kernel_limits kernel_limits_of(const void* driver, kernel_handle kernel, device_handle device,
                                        const source_location& where) {
    return port_of<Port>(driver).limits(native<typename Port::kernel_handle>(kernel),
                                        native<typename Port::device_handle>(device), where);
  }
  static release_result release_memory_ordered(const void* driver, context_handle context, memory_handle memory,
                                               stream_handle stream, std::span<const stream_handle> others) noexcept {
    // No heap here: streams past the first eight are waited for instead.
    typename Port::stream_handle list[8] = {};
    const std::size_t count = std::min(others.size(), std::size(list));
    for (std::size_t i = 0; i < count; ++i) list[i] = native<typename Port::stream_handle>(others[i]);
    const Port port = port_of<Port>(driver);
    for (const stream_handle other : others.subspan(count)) {
      try {
        port.synchronize(native<typename Port::stream_handle>(other), {});
      } catch (...) {  // the release below is still right: the driver has ended that stream's work
      }
    }
    return port.release_memory_ordered(native<typename Port::context_handle>(context),
                                       native<typename Port::memory_handle>(memory),
                                       native<typename Port::stream_handle>(stream), {list, count});
  }
  static void launch(const void* driver, const call_type& call, const source_location& where) {
    const native_list<typename Port::event_handle> after(call.after);
    typename Port::event_handle event{};
    decltype(auto) shape = shape_as<shape_for<Port>>(call.shape, where);
    const launch_call<Port> inner{native<typename Port::kernel_handle>(call.kernel),
                                  native<typename Port::stream_handle>(call.stream),
                                  call.limits,
                                  shape,
                                  call.arguments,  // memory handles have the backend's representation already
                                  after.view(),
                                  call.done == nullptr ? nullptr : &event};
    port_of<Port>(driver).launch(inner, where);
    if (call.done != nullptr) *call.done = wrapped<event_handle>(event);
  }
};

template <class Port>
constexpr any_operations make_operations(const char* backend) noexcept {
  using from = operations_for<Port>;
  any_operations result{};
  result.backend = backend;
  result.source_name = Port::source_name();
  result.options_variable = Port::options_variable();
  result.memory_is_address = std::integral<typename Port::memory_handle>;
  result.error_code = &from::error_code;
  result.devices = &from::devices;
  result.summary = &from::summary;
  result.limits = &from::limits;
  result.retain_device = &from::retain_device;
  result.release_device = &from::release_device;
  result.create_context = &from::create_context;
  result.retain_context = &from::retain_context;
  result.release_context = &from::release_context;
  result.context_devices = &from::context_devices;
  result.context_identity = &from::context_identity;
  result.context_is_gone = &from::context_is_gone;
  result.create_stream = &from::create_stream;
  result.retain_stream = &from::retain_stream;
  result.release_stream = &from::release_stream;
  result.forget_stream = &from::forget_stream;
  result.stream_device = &from::stream_device;
  result.stream_context = &from::stream_context;
  result.stream_has_timing = &from::stream_has_timing;
  result.times_every_stream = &from::times_every_stream;
  result.flush = &from::flush;
  result.synchronize = &from::synchronize;
  result.record = &from::record;
  result.record_timed = &from::record_timed;
  result.wait_in_stream = &from::wait_in_stream;
  result.event_context = &from::event_context;
  result.retain_event = &from::retain_event;
  result.release_event = &from::release_event;
  result.wait = &from::wait;
  result.status = &from::status;
  result.times = &from::times;
  result.elapsed = &from::elapsed;
  result.submit = &from::submit;
  result.allocate = &from::allocate;
  result.allocate_ordered = &from::allocate_ordered;
  result.release_memory = &from::release_memory;
  result.release_memory_ordered = &from::release_memory_ordered;
  result.with_offset = &from::with_offset;
  result.memory_context = &from::memory_context;
  result.memory_bytes = &from::memory_bytes;
  result.check_native_memory = &from::check_native_memory;
  result.allocate_pagelocked = &from::allocate_pagelocked;
  result.release_pagelocked = &from::release_pagelocked;
  result.write = &from::write;
  result.read = &from::read;
  result.copy = &from::copy;
  result.write_box = &from::write_box;
  result.read_box = &from::read_box;
  result.copy_box = &from::copy_box;
  result.fill = &from::fill;
  result.prelude = &from::prelude;
  result.target_of = &from::target_of;
  result.compiler_of = &from::compiler_of;
  result.compile = &from::compile;
  result.load_binary = &from::load_binary;
  result.load_intermediate = &from::load_intermediate;
  result.export_binary = &from::export_binary;
  result.module_context = &from::module_context;
  result.retain_module = &from::retain_module;
  result.release_module = &from::release_module;
  result.build_log = &from::build_log;
  result.kernel_names = &from::kernel_names;
  result.create_kernel = &from::create_kernel;
  result.adopt_kernel = &from::adopt_kernel;
  result.native_of = &from::native_of;
  result.release_kernel = &from::release_kernel;
  result.detach_kernel = &from::detach_kernel;
  result.signature = &from::signature;
  result.accepts = &from::accepts;
  result.kernel_limits_of = &from::kernel_limits_of;
  result.launch = &from::launch;
  return result;
}

static_assert(driver_port<any_port>);

inline constexpr any_operations cuda_operations = make_operations<cuda::port>("cuda");
inline constexpr any_operations opencl_operations = make_operations<opencl::port>("opencl");

YOKE_INLINE std::vector<any_port> available_ports(std::string& reasons) {
  std::vector<any_port> ports;
  const availability cuda_state = cuda::available();
  if (cuda_state) {
    ports.emplace_back(cuda::port{});
  } else {
    reasons += "CUDA: " + cuda_state.reason;
  }
  const availability opencl_state = opencl::available();
  if (opencl_state) {
    ports.emplace_back(opencl::port{});
  } else {
    reasons += (reasons.empty() ? "OpenCL: " : "\nOpenCL: ") + opencl_state.reason;
  }
  return ports;
}

}  // namespace detail

YOKE_INLINE any_port::any_port(const cuda::port& port) noexcept
    : operations_(&detail::cuda_operations), driver_(port.table()) {}
YOKE_INLINE any_port::any_port(const opencl::port& port) noexcept
    : operations_(&detail::opencl_operations), driver_(port.table()) {}

}  // namespace yoke::inline YOKE_ABI

#endif

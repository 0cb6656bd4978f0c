// SPDX-License-Identifier: MIT
// The operations of each backend behind `any_port`: modules, kernels and launches.
#ifndef YOKE_DRIVER_ANY_IMPL_PROGRAM_IPP
#define YOKE_DRIVER_ANY_IMPL_PROGRAM_IPP

#include <yoke/driver/any/impl/handles.ipp>
#include <yoke/driver/compile_request.hpp>

namespace yoke::inline YOKE_ABI::detail {

template <class Port>
struct program_operations : any_handles {
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
  static std::vector<typed_kernel> described_kernels(const void* driver, module_handle of,
                                                     const source_location& where) {
    if constexpr (describing_port<Port>) {
      return port_of<Port>(driver).described_kernels(native<typename Port::module_handle>(of), where);
    } else {
      return {};  // its loaded programs tell as much as the compiled ones
    }
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
  static void launch(const void* driver, const call_type& call, const source_location& where) {
    const native_list<typename Port::event_handle> after(call.after);
    typename Port::event_handle event{};
    decltype(auto) shape = shape_as<shape_for<Port>>(call.shape);
    const launch_call<Port> inner{native<typename Port::kernel_handle>(call.kernel),
                                  native<typename Port::stream_handle>(call.stream),
                                  call.limits,
                                  shape,
                                  call.arguments,  // memory handles already have the backend's representation
                                  after.view(),
                                  call.done == nullptr ? nullptr : &event,
                                  call.timed};
    port_of<Port>(driver).launch(inner, where);
    if (call.done != nullptr) *call.done = wrapped<event_handle>(event);
  }
  static void launch_refused(const void* driver, direct_outcome outcome, kernel_handle kernel, stream_handle stream,
                             const launch_shape& shape, const void* const* places, const argument_sizes& sizes,
                             const device_limits& limits, const source_location& where) {
    port_of<Port>(driver).launch_refused(outcome, native<typename Port::kernel_handle>(kernel),
                                         native<typename Port::stream_handle>(stream), shape_as<shape_for<Port>>(shape),
                                         places, sizes, limits, where);
  }

  static constexpr void enter(any_operations& table) noexcept {
    table.prelude = &prelude;
    table.target_of = &target_of;
    table.compiler_of = &compiler_of;
    table.compile = &compile;
    table.load_binary = &load_binary;
    table.load_intermediate = &load_intermediate;
    table.export_binary = &export_binary;
    table.module_context = &module_context;
    table.retain_module = &retain_module;
    table.release_module = &release_module;
    table.build_log = &build_log;
    table.kernel_names = &kernel_names;
    table.described_kernels = &described_kernels;
    table.create_kernel = &create_kernel;
    table.adopt_kernel = &adopt_kernel;
    table.native_of = &native_of;
    table.detach_kernel = &detach_kernel;
    table.release_kernel = &release_kernel;
    table.signature = &signature;
    table.accepts = &accepts;
    table.kernel_limits_of = &kernel_limits_of;
    table.launch = &launch;
    table.launch_refused = &launch_refused;
  }
};

}  // namespace yoke::inline YOKE_ABI::detail

#endif

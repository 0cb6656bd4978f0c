// SPDX-License-Identifier: MIT
// The calls of `any_port` that no hot path makes, out of line.
#ifndef YOKE_DRIVER_ANY_IMPL_FORWARD_IPP
#define YOKE_DRIVER_ANY_IMPL_FORWARD_IPP

#include <yoke/driver/any/port.hpp>
#include <yoke/driver/compile_request.hpp>

namespace yoke::inline YOKE_ABI {

// clang-format off
YOKE_INLINE std::vector<any_handles::device_handle> any_port::devices(const source_location& where) const { return operations_->devices(driver_, where); }
YOKE_INLINE device_summary any_port::summary(device_handle device, const source_location& where) const { return operations_->summary(driver_, device, where); }
YOKE_INLINE device_limits any_port::limits(device_handle device, const source_location& where) const { return operations_->limits(driver_, device, where); }
YOKE_INLINE void any_port::retain_device(device_handle device, const source_location& where) const { operations_->retain_device(driver_, device, where); }
YOKE_INLINE release_result any_port::release_device(device_handle device) const noexcept { return operations_->release_device(driver_, device); }
YOKE_INLINE any_handles::context_handle any_port::create_context(std::span<const device_handle> devices, const source_location& where) const { return operations_->create_context(driver_, devices, where); }
YOKE_INLINE void any_port::retain_context(context_handle context, const source_location& where) const { operations_->retain_context(driver_, context, where); }
YOKE_INLINE release_result any_port::release_context(context_handle context) const noexcept { return operations_->release_context(driver_, context); }
YOKE_INLINE std::vector<any_handles::device_handle> any_port::context_devices(context_handle context, const source_location& where) const { return operations_->context_devices(driver_, context, where); }
YOKE_INLINE any_handles::stream_handle any_port::create_stream(context_handle context, device_handle device, const stream_options& options, const source_location& where) const { return operations_->create_stream(driver_, context, device, options, where); }
YOKE_INLINE void any_port::retain_stream(stream_handle stream, const source_location& where) const { operations_->retain_stream(driver_, stream, where); }
YOKE_INLINE release_result any_port::release_stream(stream_handle stream) const noexcept { return operations_->release_stream(driver_, stream); }
YOKE_INLINE any_handles::device_handle any_port::stream_device(stream_handle stream, const source_location& where) const { return operations_->stream_device(driver_, stream, where); }
YOKE_INLINE any_handles::context_handle any_port::stream_context(stream_handle stream, const source_location& where) const { return operations_->stream_context(driver_, stream, where); }
YOKE_INLINE bool any_port::stream_has_timing(stream_handle stream, const source_location& where) const { return operations_->stream_has_timing(driver_, stream, where); }
YOKE_INLINE any_handles::event_handle any_port::record_timed(stream_handle stream, std::span<const event_handle> after, const source_location& where) const { return operations_->record_timed(driver_, stream, after, where); }
YOKE_INLINE any_handles::context_handle any_port::event_context(event_handle event, const source_location& where) const { return operations_->event_context(driver_, event, where); }
YOKE_INLINE std::int64_t any_port::elapsed(event_handle start, event_handle stop, const source_location& where) const { return operations_->elapsed(driver_, start, stop, where); }
YOKE_INLINE any_handles::memory_handle any_port::with_offset(memory_handle memory, std::size_t bytes, const source_location& where) const { return operations_->with_offset(driver_, memory, bytes, where); }
YOKE_INLINE any_handles::context_handle any_port::memory_context(memory_handle memory, const source_location& where) const { return operations_->memory_context(driver_, memory, where); }
YOKE_INLINE std::size_t any_port::memory_bytes(memory_handle memory, const source_location& where) const { return operations_->memory_bytes(driver_, memory, where); }
YOKE_INLINE void any_port::check_native_memory(memory_handle memory, std::size_t alignment, native_ownership ownership, const source_location& where) const { operations_->check_native_memory(driver_, memory, alignment, ownership, where); }
YOKE_INLINE any_handles::pagelocked_handle any_port::allocate_pagelocked(context_handle context, device_handle device, std::size_t bytes, void** address, const source_location& where) const { return operations_->allocate_pagelocked(driver_, context, device, bytes, address, where); }
YOKE_INLINE release_result any_port::release_pagelocked(context_handle context, pagelocked_handle block) const noexcept { return operations_->release_pagelocked(driver_, context, block); }
YOKE_INLINE any_handles::pagelocked_handle any_port::adopt_pagelocked(context_handle context, device_handle device, native_pagelocked native, std::size_t bytes, native_ownership ownership, void** address, const source_location& where) const { return operations_->adopt_pagelocked(driver_, context, device, native, bytes, ownership, address, where); }
YOKE_INLINE any_handles::native_pagelocked any_port::native_of_pagelocked(pagelocked_handle block) const noexcept { return operations_->native_of_pagelocked(driver_, block); }
YOKE_INLINE release_result any_port::detach_pagelocked(context_handle context, pagelocked_handle block) const noexcept { return operations_->detach_pagelocked(driver_, context, block); }
YOKE_INLINE std::string_view any_port::prelude() const { return operations_->prelude(driver_); }
YOKE_INLINE build_target any_port::target_of(std::span<const device_handle> devices, const source_location& where) const { return operations_->target_of(driver_, devices, where); }
YOKE_INLINE std::string any_port::compiler_of(std::span<const device_handle> devices, bool open, const source_location& where) const { return operations_->compiler_of(driver_, devices, open, where); }
YOKE_INLINE any_handles::module_handle any_port::compile(context_handle context, std::span<const device_handle> devices, const compile_request& request, const source_location& where) const { return operations_->compile(driver_, context, devices, request, where); }
YOKE_INLINE any_handles::module_handle any_port::load_binary(context_handle context, std::span<const device_handle> devices, std::span<const std::byte> bytes, const source_location& where) const { return operations_->load_binary(driver_, context, devices, bytes, where); }
YOKE_INLINE any_handles::module_handle any_port::load_intermediate(context_handle context, std::span<const device_handle> devices, std::span<const std::byte> bytes, const compile_request& request, const source_location& where) const { return operations_->load_intermediate(driver_, context, devices, bytes, request, where); }
YOKE_INLINE std::vector<std::byte> any_port::export_binary(module_handle module, const source_location& where) const { return operations_->export_binary(driver_, module, where); }
YOKE_INLINE any_handles::context_handle any_port::module_context(module_handle module, const source_location& where) const { return operations_->module_context(driver_, module, where); }
YOKE_INLINE void any_port::retain_module(module_handle module, const source_location& where) const { operations_->retain_module(driver_, module, where); }
YOKE_INLINE release_result any_port::release_module(module_handle module) const noexcept { return operations_->release_module(driver_, module); }
YOKE_INLINE std::string any_port::build_log(module_handle module, device_handle device, const source_lines& source, const source_location& where) const { return operations_->build_log(driver_, module, device, source, where); }
YOKE_INLINE std::vector<std::string> any_port::kernel_names(module_handle module, const source_location& where) const { return operations_->kernel_names(driver_, module, where); }
YOKE_INLINE std::vector<typed_kernel> any_port::described_kernels(module_handle of, const source_location& where) const { return operations_->described_kernels(driver_, of, where); }
YOKE_INLINE any_handles::kernel_handle any_port::create_kernel(module_handle module, const char* name, const source_location& where) const { return operations_->create_kernel(driver_, module, name, where); }
YOKE_INLINE any_handles::kernel_handle any_port::adopt_kernel(module_handle module, native_kernel kernel, bool owned, const source_location& where) const { return operations_->adopt_kernel(driver_, module, kernel, owned, where); }
YOKE_INLINE release_result any_port::detach_kernel(kernel_handle kernel) const noexcept { return operations_->detach_kernel(driver_, kernel); }
YOKE_INLINE release_result any_port::release_kernel(kernel_handle kernel) const noexcept { return operations_->release_kernel(driver_, kernel); }
YOKE_INLINE kernel_signature any_port::signature(context_handle context, kernel_handle kernel, const source_location& where) const { return operations_->signature(driver_, context, kernel, where); }
YOKE_INLINE bool any_port::accepts(context_handle context, kernel_handle kernel, std::span<const kernel_argument> arguments, const source_location& where) const { return operations_->accepts(driver_, context, kernel, arguments, where); }
YOKE_INLINE kernel_limits any_port::limits(kernel_handle kernel, device_handle device, const source_location& where) const { return operations_->kernel_limits_of(driver_, kernel, device, where); }
// clang-format on
YOKE_INLINE void any_port::refused(direct_command command, std::int32_t code, const direct_sides& sides,
                                   const source_location& where) const {
  operations_->refused(driver_, command, code, sides, where);
  __builtin_unreachable();  // it throws
}
YOKE_INLINE void any_port::launch_refused(direct_outcome outcome, kernel_handle kernel, stream_handle stream,
                                          const launch_shape& shape, const void* const* places,
                                          const argument_sizes& sizes, const device_limits& limits,
                                          const source_location& where) const {
  operations_->launch_refused(driver_, outcome, kernel, stream, shape, places, sizes, limits, where);
}

}  // namespace yoke::inline YOKE_ABI

#endif

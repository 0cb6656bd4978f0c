// SPDX-License-Identifier: MIT
// The list of port operations, and the concepts that a whole backend meets.
#ifndef YOKE_DRIVER_OPERATIONS_HPP
#define YOKE_DRIVER_OPERATIONS_HPP

#include <yoke/driver/compile_request.hpp>
#include <yoke/driver/concepts.hpp>
#include <yoke/driver/image_types.hpp>
#include <yoke/driver/port_traits.hpp>

// clang-format off

// The handles of a port. OPERATION(result, name, (parameters), (arguments)) is a function that a port must have,
// DEFAULTED one that a backend may lack: `port_traits` has its default. Functions marked `noexcept` return their
// outcome. The lists generate the concepts below, and the table, the thunks and the functions of `any_port`.
#define YOKE_EXECUTION_HANDLES(HANDLE) HANDLE(device_handle) HANDLE(context_handle) HANDLE(stream_handle) HANDLE(event_handle)
#define YOKE_MEMORY_HANDLES(HANDLE) HANDLE(memory_handle) HANDLE(pagelocked_handle) HANDLE(native_pagelocked)
#define YOKE_PROGRAM_HANDLES(HANDLE) HANDLE(module_handle) HANDLE(kernel_handle) HANDLE(native_kernel)
#define YOKE_GRAPH_HANDLES(HANDLE) HANDLE(graph_handle) HANDLE(node_handle) HANDLE(executable_handle)
#define YOKE_IMAGE_HANDLES(HANDLE) HANDLE(image_handle) HANDLE(native_image) HANDLE(sampler_handle)

// Devices, contexts, streams and events. Times are in nanoseconds.
#define YOKE_EXECUTION_OPERATIONS(OPERATION, DEFAULTED) \
  OPERATION(std::error_code, error_code, (std::int32_t code), (code), noexcept) \
  OPERATION(std::vector<device_handle>, devices, (const source_location& where), (where)) \
  OPERATION(device_summary, summary, (device_handle device, const source_location& where), (device, where)) \
  OPERATION(device_limits, limits, (device_handle device, const source_location& where), (device, where)) \
  DEFAULTED(void, retain_device, (device_handle device, const source_location& where), (device, where)) \
  DEFAULTED(release_result, release_device, (device_handle device), (device), noexcept) \
  OPERATION(context_handle, create_context, (std::span<const device_handle> devices, const source_location& where), (devices, where)) \
  OPERATION(void, retain_context, (context_handle context, const source_location& where), (context, where)) \
  OPERATION(release_result, release_context, (context_handle context), (context), noexcept) \
  OPERATION(std::vector<device_handle>, context_devices, (context_handle context, const source_location& where), (context, where)) \
  DEFAULTED(std::uint64_t, context_identity, (context_handle context), (context), noexcept) \
  DEFAULTED(bool, context_is_gone, (context_handle context, std::uint64_t id), (context, id), noexcept) \
  OPERATION(stream_handle, create_stream, (context_handle context, device_handle device, const stream_options& options, const source_location& where), (context, device, options, where)) \
  OPERATION(void, retain_stream, (stream_handle stream, const source_location& where), (stream, where)) \
  OPERATION(release_result, release_stream, (stream_handle stream), (stream), noexcept) \
  DEFAULTED(bool, forget_stream, (stream_handle stream), (stream), noexcept) \
  OPERATION(device_handle, stream_device, (stream_handle stream, const source_location& where), (stream, where)) \
  OPERATION(context_handle, stream_context, (stream_handle stream, const source_location& where), (stream, where)) \
  DEFAULTED(bool, stream_has_timing, (stream_handle stream, const source_location& where), (stream, where)) \
  DEFAULTED(void, flush, (stream_handle stream, const source_location& where), (stream, where)) \
  DEFAULTED(void, check_process, (const source_location& where), (where)) \
  OPERATION(void, synchronize, (stream_handle stream, const source_location& where), (stream, where)) \
  OPERATION(event_handle, record, (stream_handle stream, std::span<const event_handle> after, const source_location& where), (stream, after, where)) \
  DEFAULTED(event_handle, record_in, (context_handle context, stream_handle stream, const source_location& where), (context, stream, where)) \
  OPERATION(event_handle, record_timed, (stream_handle stream, std::span<const event_handle> after, const source_location& where), (stream, after, where)) \
  OPERATION(event_handle, record_into, (stream_handle stream, event_handle existing, const source_location& where), (stream, existing, where)) \
  OPERATION(void, wait_in_stream, (stream_handle stream, std::span<const event_handle> events, const source_location& where), (stream, events, where)) \
  DEFAULTED(context_handle, event_context, (event_handle event, const source_location& where), (event, where)) \
  OPERATION(void, retain_event, (event_handle event, const source_location& where), (event, where)) \
  OPERATION(release_result, release_event, (event_handle event), (event), noexcept) \
  DEFAULTED(bool, forget_event, (event_handle event), (event), noexcept) \
  DEFAULTED(bool, reuses_events, (stream_handle stream), (stream), noexcept) \
  DEFAULTED(std::uint64_t, capture_of, (stream_handle stream), (stream), noexcept) \
  DEFAULTED(bool, is_over, (event_handle event), (event), noexcept) \
  OPERATION(void, wait, (event_handle event, const source_location& where), (event, where)) \
  OPERATION(event_status, status, (event_handle event, const source_location& where), (event, where)) \
  OPERATION(std::int64_t, elapsed, (event_handle start, event_handle stop, const source_location& where), (start, stop, where)) \
  DEFAULTED(void, submit, (event_handle event, const source_location& where), (event, where))

// Allocations, copies and fills. A page-locked handle is the port's record of native page-locked memory, or that
// memory's own handle; `detach_pagelocked` ends the record and leaves the memory. Sizes and offsets are in bytes.
#define YOKE_MEMORY_OPERATIONS(OPERATION, DEFAULTED) \
  OPERATION(memory_handle, allocate, (context_handle context, std::size_t bytes, const source_location& where), (context, bytes, where)) \
  DEFAULTED(memory_handle, allocate_ordered, (context_handle context, stream_handle stream, std::size_t bytes, const source_location& where), (context, stream, bytes, where)) \
  OPERATION(release_result, release_memory, (context_handle context, memory_handle memory), (context, memory), noexcept) \
  OPERATION(release_result, release_memory_ordered, (context_handle context, memory_handle memory, stream_handle stream, std::span<const stream_handle> others), (context, memory, stream, others), noexcept) \
  OPERATION(memory_handle, with_offset, (memory_handle memory, std::size_t bytes, bool for_launch, const source_location& where), (memory, bytes, for_launch, where)) \
  OPERATION(release_result, release_offset, (memory_handle memory), (memory), noexcept) \
  OPERATION(context_handle, memory_context, (memory_handle memory, const source_location& where), (memory, where)) \
  OPERATION(std::size_t, memory_bytes, (memory_handle memory, const source_location& where), (memory, where)) \
  DEFAULTED(void, check_native_memory, (memory_handle memory, std::size_t alignment, native_ownership ownership, const source_location& where), (memory, alignment, ownership, where)) \
  OPERATION(pagelocked_handle, allocate_pagelocked, (context_handle context, device_handle device, std::size_t bytes, void** address, const source_location& where), (context, device, bytes, address, where)) \
  OPERATION(release_result, release_pagelocked, (context_handle context, pagelocked_handle block), (context, block), noexcept) \
  OPERATION(pagelocked_handle, adopt_pagelocked, (context_handle context, device_handle device, native_pagelocked native, std::size_t bytes, native_ownership ownership, void** address, const source_location& where), (context, device, native, bytes, ownership, address, where)) \
  OPERATION(native_pagelocked, native_of_pagelocked, (pagelocked_handle block), (block), noexcept) \
  DEFAULTED(release_result, detach_pagelocked, (context_handle context, pagelocked_handle block), (context, block), noexcept) \
  OPERATION(void, write, (stream_handle stream, memory_handle destination, std::size_t offset, const void* source, std::size_t bytes, completion<event_handle> done, const source_location& where), (stream, destination, offset, source, bytes, done, where)) \
  OPERATION(void, read, (stream_handle stream, memory_handle source, std::size_t offset, void* destination, std::size_t bytes, completion<event_handle> done, const source_location& where), (stream, source, offset, destination, bytes, done, where)) \
  OPERATION(void, copy, (stream_handle stream, memory_handle source, std::size_t source_offset, memory_handle destination, std::size_t destination_offset, std::size_t bytes, completion<event_handle> done, const source_location& where), (stream, source, source_offset, destination, destination_offset, bytes, done, where)) \
  OPERATION(void, write_box, (stream_handle stream, memory_handle destination, const box_side& to, const void* source, const box_side& from, const box_size& box, completion<event_handle> done, const source_location& where), (stream, destination, to, source, from, box, done, where)) \
  OPERATION(void, read_box, (stream_handle stream, memory_handle source, const box_side& from, void* destination, const box_side& to, const box_size& box, completion<event_handle> done, const source_location& where), (stream, source, from, destination, to, box, done, where)) \
  OPERATION(void, copy_box, (stream_handle stream, memory_handle source, const box_side& from, memory_handle destination, const box_side& to, const box_size& box, completion<event_handle> done, const source_location& where), (stream, source, from, destination, to, box, done, where)) \
  DEFAULTED(bool, guards_memory, (), (), noexcept) \
  DEFAULTED(bool, copies_between_contexts, (), (), noexcept) \
  DEFAULTED(bool, copy_batch, (stream_handle stream, std::span<const batched_copy> copies, const source_location& where), (stream, copies, where)) \
  DEFAULTED(bool, stages_pageable, (context_handle context, const void* host, const source_location& where), (context, host, where)) \
  DEFAULTED(bool, wants_context, (stream_handle stream, direct_command command, std::int32_t code, const direct_sides& sides), (stream, command, code, sides), noexcept) \
  DEFAULTED(void, lock_pages, (context_handle context, void* address, std::size_t bytes, const source_location& where), (context, address, bytes, where)) \
  DEFAULTED(release_result, unlock_pages, (context_handle context, void* address), (context, address), noexcept) \
  DEFAULTED(void, copy_between, (stream_handle stream, memory_handle source, context_handle source_context, const box_side& from, memory_handle destination, context_handle destination_context, const box_side& to, const box_size& box, completion<event_handle> done, const source_location& where), (stream, source, source_context, from, destination, destination_context, to, box, done, where)) \
  OPERATION(void, fill, (stream_handle stream, memory_handle destination, std::size_t offset, const void* pattern, std::size_t pattern_bytes, std::size_t count, const source_location& where), (stream, destination, offset, pattern, pattern_bytes, count, where))

// Programs, kernels and launches (<yoke/driver/compile_request.hpp>). A kernel handle is the port's record of a native
// kernel, or that kernel's own handle.
#define YOKE_PROGRAM_OPERATIONS(OPERATION, DEFAULTED) \
  OPERATION(const kernel_language&, language, (), (), noexcept) \
  OPERATION(build_target, target_of, (std::span<const device_handle> devices, const source_location& where), (devices, where)) \
  OPERATION(std::string, compiler_of, (std::span<const device_handle> devices, bool open, const source_location& where), (devices, open, where)) \
  OPERATION(module_handle, compile, (context_handle context, std::span<const device_handle> devices, const compile_request& request, const source_location& where), (context, devices, request, where)) \
  OPERATION(module_handle, load_binary, (context_handle context, std::span<const device_handle> devices, std::span<const std::byte> bytes, const source_location& where), (context, devices, bytes, where)) \
  OPERATION(std::vector<std::byte>, export_binary, (module_handle module, const source_location& where), (module, where)) \
  DEFAULTED(context_handle, module_context, (module_handle module, const source_location& where), (module, where)) \
  OPERATION(void, retain_module, (module_handle module, const source_location& where), (module, where)) \
  OPERATION(release_result, release_module, (module_handle module), (module), noexcept) \
  OPERATION(std::string, build_log, (module_handle module, device_handle device, const source_lines& source, const source_location& where), (module, device, source, where)) \
  OPERATION(std::vector<std::string>, kernel_names, (module_handle module, const source_location& where), (module, where)) \
  DEFAULTED(std::vector<typed_kernel>, described_kernels, (module_handle module, const source_location& where), (module, where)) \
  OPERATION(kernel_handle, create_kernel, (module_handle module, const char* name, const source_location& where), (module, name, where)) \
  OPERATION(kernel_handle, adopt_kernel, (module_handle module, native_kernel kernel, bool owned, const source_location& where), (module, kernel, owned, where)) \
  OPERATION(native_kernel, native_of, (kernel_handle kernel), (kernel), noexcept) \
  OPERATION(release_result, release_kernel, (kernel_handle kernel), (kernel), noexcept) \
  OPERATION(release_result, detach_kernel, (kernel_handle kernel), (kernel), noexcept) \
  OPERATION(kernel_signature, signature, (context_handle context, kernel_handle kernel, const source_location& where), (context, kernel, where)) \
  OPERATION(bool, accepts, (context_handle context, kernel_handle kernel, std::span<const kernel_argument> arguments, const source_location& where), (context, kernel, arguments, where)) \
  OPERATION(kernel_limits, limits_of_kernel, (kernel_handle kernel, device_handle device, const source_location& where), (kernel, device, where)) \
  OPERATION(void, launch, (const call_type& call, const source_location& where), (call, where))

// Outside the table of `any_port`, because CUDA's port needs its linkers for it.
#define YOKE_RARE_PROGRAM_OPERATIONS(OPERATION) \
  OPERATION(module_handle, load_intermediate, (context_handle context, std::span<const device_handle> devices, std::span<const std::byte> bytes, const compile_request& request, const source_location& where), (context, devices, bytes, request, where))

// Images and samplers, also outside the table of `any_port`. An image handle is the port's record of a native image, or
// that image's own handle; `detach_image` ends the record and leaves the image. `image_argument` gives no data if a
// kernel gets the handle itself. Sides in memory are in bytes.
#define YOKE_IMAGE_OPERATIONS(OPERATION, DEFAULTED) \
  OPERATION(image_handle, create_image, (context_handle context, image_format format, const image_shape& shape, kernel_access kernels, const source_location& where), (context, format, shape, kernels, where)) \
  OPERATION(image_handle, adopt_image, (context_handle context, native_image native, image_format format, const image_shape& shape, bool owned, const source_location& where), (context, native, format, shape, owned, where)) \
  OPERATION(release_result, release_image, (context_handle context, image_handle image), (context, image), noexcept) \
  DEFAULTED(release_result, detach_image, (context_handle context, image_handle image), (context, image), noexcept) \
  OPERATION(native_image, native_of_image, (image_handle image), (image), noexcept) \
  OPERATION(kernel_argument, image_argument, (image_handle image), (image), noexcept) \
  DEFAULTED(kernel_access, access_to_image, (image_handle image, const source_location& where), (image, where)) \
  OPERATION(void, write_image, (stream_handle stream, image_handle destination, const image_box& to, const void* source, const box_side& from, completion<event_handle> done, const source_location& where), (stream, destination, to, source, from, done, where)) \
  OPERATION(void, read_image, (stream_handle stream, image_handle source, const image_box& from, void* destination, const box_side& to, completion<event_handle> done, const source_location& where), (stream, source, from, destination, to, done, where)) \
  OPERATION(void, copy_image, (stream_handle stream, image_handle source, const image_box& from, image_handle destination, const image_box& to, completion<event_handle> done, const source_location& where), (stream, source, from, destination, to, done, where)) \
  OPERATION(void, copy_to_image, (stream_handle stream, memory_handle source, const box_side& from, image_handle destination, const image_box& to, completion<event_handle> done, const source_location& where), (stream, source, from, destination, to, done, where)) \
  OPERATION(void, copy_from_image, (stream_handle stream, image_handle source, const image_box& from, memory_handle destination, const box_side& to, completion<event_handle> done, const source_location& where), (stream, source, from, destination, to, done, where)) \
  OPERATION(void, fill_image, (context_handle context, stream_handle stream, image_handle image, const image_box& box, image_format format, const void* texel, const source_location& where), (context, stream, image, box, format, texel, where)) \
  OPERATION(sampler_handle, create_sampler, (context_handle context, const yoke::sampler& fields, const source_location& where), (context, fields, where)) \
  DEFAULTED(release_result, release_sampler, (sampler_handle made), (made), noexcept)

// Graphs, also outside the table of `any_port`. A condition is a number that kernels set, or none where launches read
// the value from memory. The driver owns the graphs of bodies. A node runs after the nodes `after`, which belong to the
// same graph. `discard_node` removes the node that was recorded last; `is_join` says that `record_join` made it.
// `update_executable` returns "" on success, else why the executable is unchanged. The caller keeps memory, kernels and
// host functions alive as long as the executables. Sides are in bytes.
#define YOKE_GRAPH_OPERATIONS(OPERATION, DEFAULTED) \
  OPERATION(graph_handle, create_graph, (context_handle context, const source_location& where), (context, where)) \
  OPERATION(release_result, release_graph, (graph_handle graph), (graph), noexcept) \
  OPERATION(node_handle, record_kernel, (context_handle context, graph_handle graph, std::span<const node_handle> after, kernel_handle kernel, const shape_type& shape, const device_limits& limits, std::span<const kernel_argument> arguments, const source_location& where), (context, graph, after, kernel, shape, limits, arguments, where)) \
  OPERATION(node_handle, record_write, (context_handle context, graph_handle graph, std::span<const node_handle> after, memory_handle destination, const box_side& to, const void* source, const box_side& from, const box_size& box, const source_location& where), (context, graph, after, destination, to, source, from, box, where)) \
  OPERATION(node_handle, record_read, (context_handle context, graph_handle graph, std::span<const node_handle> after, memory_handle source, const box_side& from, void* destination, const box_side& to, const box_size& box, const source_location& where), (context, graph, after, source, from, destination, to, box, where)) \
  OPERATION(node_handle, record_copy, (context_handle context, graph_handle graph, std::span<const node_handle> after, memory_handle source, const box_side& from, memory_handle destination, const box_side& to, const box_size& box, const source_location& where), (context, graph, after, source, from, destination, to, box, where)) \
  OPERATION(node_handle, record_fill, (context_handle context, graph_handle graph, std::span<const node_handle> after, memory_handle destination, std::size_t offset, const void* pattern, std::size_t pattern_bytes, std::size_t count, const source_location& where), (context, graph, after, destination, offset, pattern, pattern_bytes, count, where)) \
  OPERATION(node_handle, record_write_image, (context_handle context, graph_handle graph, std::span<const node_handle> after, image_handle destination, const image_box& to, const void* source, const box_side& from, const source_location& where), (context, graph, after, destination, to, source, from, where)) \
  OPERATION(node_handle, record_read_image, (context_handle context, graph_handle graph, std::span<const node_handle> after, image_handle source, const image_box& from, void* destination, const box_side& to, const source_location& where), (context, graph, after, source, from, destination, to, where)) \
  OPERATION(node_handle, record_copy_image, (context_handle context, graph_handle graph, std::span<const node_handle> after, image_handle source, const image_box& from, image_handle destination, const image_box& to, const source_location& where), (context, graph, after, source, from, destination, to, where)) \
  OPERATION(node_handle, record_copy_to_image, (context_handle context, graph_handle graph, std::span<const node_handle> after, memory_handle source, const box_side& from, image_handle destination, const image_box& to, const source_location& where), (context, graph, after, source, from, destination, to, where)) \
  OPERATION(node_handle, record_copy_from_image, (context_handle context, graph_handle graph, std::span<const node_handle> after, image_handle source, const image_box& from, memory_handle destination, const box_side& to, const source_location& where), (context, graph, after, source, from, destination, to, where)) \
  DEFAULTED(void, check_condition, (condition_kind kind, std::size_t bodies, const source_location& where), (kind, bodies, where)) \
  OPERATION(std::uint64_t, create_condition, (context_handle context, graph_handle graph, std::uint32_t initial, const source_location& where), (context, graph, initial, where)) \
  OPERATION(recorded_condition, record_condition, (context_handle context, graph_handle graph, std::span<const node_handle> after, std::uint64_t condition, condition_kind kind, std::size_t bodies, memory_handle value, std::size_t offset, const source_location& where), (context, graph, after, condition, kind, bodies, value, offset, where)) \
  OPERATION(node_handle, record_join, (graph_handle graph, std::span<const node_handle> after, const source_location& where), (graph, after, where)) \
  OPERATION(release_result, discard_node, (graph_handle graph, node_handle node, bool is_join), (graph, node, is_join), noexcept) \
  OPERATION(node_handle, record_graph, (graph_handle graph, std::span<const node_handle> after, graph_handle child, const source_location& where), (graph, after, child, where)) \
  OPERATION(executable_handle, instantiate, (context_handle context, graph_handle graph, const source_location& where), (context, graph, where)) \
  OPERATION(release_result, release_executable, (executable_handle executable), (executable), noexcept) \
  OPERATION(void, launch_graph, (executable_handle executable, stream_handle stream, const source_location& where), (executable, stream, where)) \
  DEFAULTED(void, upload_graph, (executable_handle executable, stream_handle stream, const source_location& where), (executable, stream, where)) \
  OPERATION(std::string, update_executable, (context_handle context, executable_handle executable, graph_handle graph, const source_location& where), (context, executable, graph, where)) \
  OPERATION(void, set_kernel, (context_handle context, executable_handle executable, node_handle node, native_kernel kernel, const shape_type& shape, const device_limits& limits, std::span<const kernel_argument> arguments, const source_location& where), (context, executable, node, kernel, shape, limits, arguments, where)) \
  OPERATION(void, set_write, (context_handle context, executable_handle executable, node_handle node, memory_handle destination, std::size_t offset, const void* source, std::size_t bytes, const source_location& where), (context, executable, node, destination, offset, source, bytes, where)) \
  OPERATION(void, set_read, (context_handle context, executable_handle executable, node_handle node, memory_handle source, std::size_t offset, void* destination, std::size_t bytes, const source_location& where), (context, executable, node, source, offset, destination, bytes, where)) \
  OPERATION(void, set_copy, (context_handle context, executable_handle executable, node_handle node, memory_handle source, std::size_t source_offset, memory_handle destination, std::size_t destination_offset, std::size_t bytes, const source_location& where), (context, executable, node, source, source_offset, destination, destination_offset, bytes, where)) \
  OPERATION(void, set_fill, (context_handle context, executable_handle executable, node_handle node, memory_handle destination, std::size_t offset, const void* pattern, std::size_t pattern_bytes, std::size_t count, const source_location& where), (context, executable, node, destination, offset, pattern, pattern_bytes, count, where)) \
  OPERATION(void, enable_node, (executable_handle executable, node_handle node, bool enabled, const source_location& where), (executable, node, enabled, where))

// The vendors' libraries, also outside the table of `any_port`. Null: the backend has none.
#define YOKE_MATH_OPERATIONS(DEFAULTED) \
  DEFAULTED(yoke::detail::owner<yoke::detail::math_libraries>, libraries_of_context, (context_handle context, const yoke::detail::library_options& options, const source_location& where), (context, options, where))

// Stand for the operations of `direct_launch_port` and `direct_enqueue_port`. Generic code asks these two first.
#define YOKE_DIRECT_OPERATIONS(OPERATION) \
  OPERATION(std::int32_t, wait_directly, (stream_handle stream, const event_handle& event, stream_handle recorded_in), (stream, event, recorded_in), noexcept) \
  OPERATION(std::int32_t, write_directly, (stream_handle stream, memory_handle destination, std::size_t offset, const void* source, std::size_t bytes), (stream, destination, offset, source, bytes), noexcept) \
  OPERATION(std::int32_t, read_directly, (stream_handle stream, memory_handle source, std::size_t offset, void* destination, std::size_t bytes), (stream, source, offset, destination, bytes), noexcept) \
  OPERATION(std::int32_t, copy_directly, (stream_handle stream, memory_handle source, std::size_t source_offset, memory_handle destination, std::size_t destination_offset, std::size_t bytes), (stream, source, source_offset, destination, destination_offset, bytes), noexcept) \
  OPERATION(void, refused, (direct_command command, std::int32_t code, const direct_sides& sides, const source_location& where), (command, code, sides, where)) \
  OPERATION(void, launch_refused, (direct_outcome outcome, kernel_handle kernel, stream_handle stream, const launch_shape& shape, const void* const* places, const argument_sizes& sizes, const device_limits& limits, const source_location& where), (outcome, kernel, stream, shape, places, sizes, limits, where))

// clang-format on

namespace yoke::inline v0_1 {

namespace detail {

// clang-format off
#define YOKE_HANDLE_OF_PORT(name) using name = typename P::name;
#define YOKE_HAS_OPERATION(result, name, parameters, arguments, ...) \
  static constexpr bool has_##name = requires parameters { { std::declval<const P&>().name arguments } __VA_ARGS__ -> std::same_as<result>; };
#define YOKE_MAY_HAVE_OPERATION(result, name, parameters, arguments, ...) \
  static constexpr bool has_##name = requires parameters { { std::declval<const P&>().name arguments } __VA_ARGS__ -> std::same_as<result>; } || \
                               !requires parameters { std::declval<const P&>().name arguments; };

/// Whether a port has each operation of a list, with the list's types. An operation that the port may lack must have
/// these types if it exists.
template <class P>
struct execution_operations_of {
  YOKE_EXECUTION_HANDLES(YOKE_HANDLE_OF_PORT)
  YOKE_EXECUTION_OPERATIONS(YOKE_HAS_OPERATION, YOKE_MAY_HAVE_OPERATION)
};
template <class P>
struct memory_operations_of {
  YOKE_EXECUTION_HANDLES(YOKE_HANDLE_OF_PORT)
  YOKE_MEMORY_HANDLES(YOKE_HANDLE_OF_PORT)
  YOKE_MEMORY_OPERATIONS(YOKE_HAS_OPERATION, YOKE_MAY_HAVE_OPERATION)
};
template <class P>
struct program_operations_of {
  YOKE_EXECUTION_HANDLES(YOKE_HANDLE_OF_PORT)
  YOKE_PROGRAM_HANDLES(YOKE_HANDLE_OF_PORT)
  using call_type = launch_call<P>;
  YOKE_PROGRAM_OPERATIONS(YOKE_HAS_OPERATION, YOKE_MAY_HAVE_OPERATION)
  YOKE_RARE_PROGRAM_OPERATIONS(YOKE_HAS_OPERATION)
};
template <class P>
struct image_operations_of {
  YOKE_EXECUTION_HANDLES(YOKE_HANDLE_OF_PORT)
  YOKE_MEMORY_HANDLES(YOKE_HANDLE_OF_PORT)
  YOKE_IMAGE_HANDLES(YOKE_HANDLE_OF_PORT)
  YOKE_IMAGE_OPERATIONS(YOKE_HAS_OPERATION, YOKE_MAY_HAVE_OPERATION)
};

template <class P>
struct graph_operations_of {
  YOKE_EXECUTION_HANDLES(YOKE_HANDLE_OF_PORT)
  YOKE_MEMORY_HANDLES(YOKE_HANDLE_OF_PORT)
  YOKE_PROGRAM_HANDLES(YOKE_HANDLE_OF_PORT)
  YOKE_IMAGE_HANDLES(YOKE_HANDLE_OF_PORT)
  YOKE_GRAPH_HANDLES(YOKE_HANDLE_OF_PORT)
  using shape_type = shape_for<P>;
  YOKE_GRAPH_OPERATIONS(YOKE_HAS_OPERATION, YOKE_MAY_HAVE_OPERATION)
};

#undef YOKE_MAY_HAVE_OPERATION
#undef YOKE_HAS_OPERATION
#undef YOKE_HANDLE_OF_PORT

}  // namespace detail

#define YOKE_HAS_HANDLE(name) && native_handle_type<typename P::name>

/// Devices, contexts, streams and events.
///
/// Creation and queries throw `yoke::error` with the given source location. Releases do not throw: they return their
/// outcome. If a driver cannot name a parent (the context of an event or module), the parent is none.
/// Thread safety: safe from any thread.
#define YOKE_MEETS(result, name, ...) && detail::execution_operations_of<P>::has_##name
template <class P>
concept execution_port =
    std::regular<P> && std::is_trivially_copyable_v<P> YOKE_EXECUTION_HANDLES(YOKE_HAS_HANDLE) &&
    requires(const P p) { { p.backend_name() } -> std::same_as<const char*>; }
    YOKE_EXECUTION_OPERATIONS(YOKE_MEETS, YOKE_MEETS);
#undef YOKE_MEETS

/// Allocations, copies and fills.
#define YOKE_MEETS(result, name, ...) && detail::memory_operations_of<P>::has_##name
template <class P>
concept memory_port =
    execution_port<P> YOKE_MEMORY_HANDLES(YOKE_HAS_HANDLE) YOKE_MEMORY_OPERATIONS(YOKE_MEETS, YOKE_MEETS);
#undef YOKE_MEETS

/// Programs, kernels and launches.
#define YOKE_MEETS(result, name, ...) && detail::program_operations_of<P>::has_##name
template <class P>
concept program_port =
    execution_port<P> YOKE_PROGRAM_HANDLES(YOKE_HAS_HANDLE)
    YOKE_PROGRAM_OPERATIONS(YOKE_MEETS, YOKE_MEETS) YOKE_RARE_PROGRAM_OPERATIONS(YOKE_MEETS);
#undef YOKE_MEETS

/// Images and samplers. Every backend of the library has them; `driver_port` does not require them.
#define YOKE_MEETS(result, name, ...) && detail::image_operations_of<P>::has_##name
template <class P>
concept image_port = memory_port<P> YOKE_IMAGE_HANDLES(YOKE_HAS_HANDLE) YOKE_IMAGE_OPERATIONS(YOKE_MEETS, YOKE_MEETS);
#undef YOKE_MEETS

/// Graphs: commands recorded once and launched many times. Every backend of the library has them; `driver_port` does
/// not require them.
#define YOKE_MEETS(result, name, ...) && detail::graph_operations_of<P>::has_##name
template <class P>
concept graph_port = image_port<P> && program_port<P> YOKE_GRAPH_HANDLES(YOKE_HAS_HANDLE) YOKE_GRAPH_OPERATIONS(YOKE_MEETS, YOKE_MEETS);
#undef YOKE_MEETS
#undef YOKE_HAS_HANDLE
// clang-format on

/// A whole backend.
template <class P>
concept driver_port = memory_port<P> && program_port<P>;

}  // namespace yoke::inline v0_1

#endif

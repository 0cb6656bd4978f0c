// SPDX-License-Identifier: MIT
// The handles and the table of operations of `any_port`: one indirect call for each operation.
#ifndef YOKE_DRIVER_ANY_OPERATIONS_HPP
#define YOKE_DRIVER_ANY_OPERATIONS_HPP

#include <yoke/driver/concepts.hpp>

namespace yoke::inline YOKE_ABI {

/// A native handle of any backend: as large as a pointer, in the backend's own representation.
template <class Noun>
struct any_handle {
  void* value = nullptr;
  [[nodiscard]] friend constexpr bool operator==(const any_handle&, const any_handle&) noexcept = default;
};

/// The handles of `any_port`, a type for each noun.
struct any_handles {
  using device_handle = any_handle<struct any_device>;
  using context_handle = any_handle<struct any_context>;
  using stream_handle = any_handle<struct any_stream>;
  using event_handle = any_handle<struct any_event>;
  using memory_handle = any_handle<struct any_memory>;
  using pagelocked_handle = any_handle<struct any_pagelocked>;
  using native_pagelocked = any_handle<struct any_native_pagelocked>;
  using module_handle = any_handle<struct any_module>;
  using kernel_handle = any_handle<struct any_kernel>;
  using native_kernel = any_handle<struct any_native_kernel>;
  using call_type = basic_launch_call<kernel_handle, stream_handle, event_handle>;
};

/// The operations of a backend for `any_port`. `driver` is the backend's own function table.
struct any_operations : any_handles {
  const char* backend;
  unsigned char number;  // of its launcher
  const char* source_name;
  const char* options_variable;
  bool memory_is_address;
  bool waits_across_contexts;
  bool waits_want_flushes;
  bool copies_give_events;
  std::error_code (*error_code)(const void* driver, std::int32_t code) noexcept;
  std::vector<device_handle> (*devices)(const void* driver, const source_location& where);
  device_summary (*summary)(const void* driver, device_handle device, const source_location& where);
  device_limits (*limits)(const void* driver, device_handle device, const source_location& where);
  void (*retain_device)(const void* driver, device_handle device, const source_location& where);
  release_result (*release_device)(const void* driver, device_handle device) noexcept;
  context_handle (*create_context)(const void* driver, std::span<const device_handle> devices,
                                   const source_location& where);
  void (*retain_context)(const void* driver, context_handle context, const source_location& where);
  release_result (*release_context)(const void* driver, context_handle context) noexcept;
  std::vector<device_handle> (*context_devices)(const void* driver, context_handle context,
                                                const source_location& where);
  std::uint64_t (*context_identity)(const void* driver, context_handle context) noexcept;
  bool (*context_is_gone)(const void* driver, context_handle context, std::uint64_t id) noexcept;
  stream_handle (*create_stream)(const void* driver, context_handle context, device_handle device,
                                 const stream_options& options, const source_location& where);
  void (*retain_stream)(const void* driver, stream_handle stream, const source_location& where);
  release_result (*release_stream)(const void* driver, stream_handle stream) noexcept;
  bool (*forget_stream)(const void* driver, stream_handle stream) noexcept;
  device_handle (*stream_device)(const void* driver, stream_handle stream, const source_location& where);
  context_handle (*stream_context)(const void* driver, stream_handle stream, const source_location& where);
  bool (*stream_has_timing)(const void* driver, stream_handle stream, const source_location& where);
  void (*flush)(const void* driver, stream_handle stream, const source_location& where);
  void (*synchronize)(const void* driver, stream_handle stream, const source_location& where);
  event_handle (*record)(const void* driver, stream_handle stream, std::span<const event_handle> after,
                         const source_location& where);
  event_handle (*record_in)(const void* driver, context_handle context, stream_handle stream,
                            const source_location& where);
  event_handle (*record_timed)(const void* driver, stream_handle stream, std::span<const event_handle> after,
                               const source_location& where);
  event_handle (*record_into)(const void* driver, stream_handle stream, event_handle existing,
                              const source_location& where);
  void (*wait_in_stream)(const void* driver, stream_handle stream, std::span<const event_handle> events,
                         const source_location& where);
  context_handle (*event_context)(const void* driver, event_handle event, const source_location& where);
  void (*retain_event)(const void* driver, event_handle event, const source_location& where);
  release_result (*release_event)(const void* driver, event_handle event) noexcept;
  void (*wait)(const void* driver, event_handle event, const source_location& where);
  event_status (*status)(const void* driver, event_handle event, const source_location& where);
  std::int64_t (*elapsed)(const void* driver, event_handle start, event_handle stop, const source_location& where);
  void (*submit)(const void* driver, event_handle event, const source_location& where);
  memory_handle (*allocate)(const void* driver, context_handle context, std::size_t bytes,
                            const source_location& where);
  memory_handle (*allocate_ordered)(const void* driver, context_handle context, stream_handle stream, std::size_t bytes,
                                    const source_location& where);
  release_result (*release_memory)(const void* driver, context_handle context, memory_handle memory) noexcept;
  release_result (*release_memory_ordered)(const void* driver, context_handle context, memory_handle memory,
                                           stream_handle stream, std::span<const stream_handle> others) noexcept;
  memory_handle (*with_offset)(const void* driver, memory_handle memory, std::size_t bytes,
                               const source_location& where);
  context_handle (*memory_context)(const void* driver, memory_handle memory, const source_location& where);
  std::size_t (*memory_bytes)(const void* driver, memory_handle memory, const source_location& where);
  void (*check_native_memory)(const void* driver, memory_handle memory, std::size_t alignment,
                              native_ownership ownership, const source_location& where);
  pagelocked_handle (*allocate_pagelocked)(const void* driver, context_handle context, device_handle device,
                                           std::size_t bytes, void** address, const source_location& where);
  release_result (*release_pagelocked)(const void* driver, context_handle context, pagelocked_handle block) noexcept;
  pagelocked_handle (*adopt_pagelocked)(const void* driver, context_handle context, device_handle device,
                                        native_pagelocked native, std::size_t bytes, native_ownership ownership,
                                        void** address, const source_location& where);
  native_pagelocked (*native_of_pagelocked)(const void* driver, pagelocked_handle block) noexcept;
  release_result (*detach_pagelocked)(const void* driver, context_handle context, pagelocked_handle block) noexcept;
  void (*write)(const void* driver, stream_handle stream, memory_handle destination, std::size_t offset,
                const void* source, std::size_t bytes, completion<event_handle> done, const source_location& where);
  void (*read)(const void* driver, stream_handle stream, memory_handle source, std::size_t offset, void* destination,
               std::size_t bytes, completion<event_handle> done, const source_location& where);
  void (*copy)(const void* driver, stream_handle stream, memory_handle source, std::size_t source_offset,
               memory_handle destination, std::size_t destination_offset, std::size_t bytes,
               completion<event_handle> done, const source_location& where);
  void (*write_box)(const void* driver, stream_handle stream, memory_handle destination, const box_side& to,
                    const void* source, const box_side& from, const box_size& box, completion<event_handle> done,
                    const source_location& where);
  void (*read_box)(const void* driver, stream_handle stream, memory_handle source, const box_side& from,
                   void* destination, const box_side& to, const box_size& box, completion<event_handle> done,
                   const source_location& where);
  void (*copy_box)(const void* driver, stream_handle stream, memory_handle source, const box_side& from,
                   memory_handle destination, const box_side& to, const box_size& box, completion<event_handle> done,
                   const source_location& where);
  void (*fill)(const void* driver, stream_handle stream, memory_handle destination, std::size_t offset,
               const void* pattern, std::size_t pattern_bytes, std::size_t count, const source_location& where);
  std::int32_t (*record_directly)(const void* driver, stream_handle stream, event_handle& place) noexcept;
  std::int32_t (*wait_directly)(const void* driver, stream_handle stream, const event_handle& event,
                                stream_handle recorded_in) noexcept;
  std::int32_t (*write_directly)(const void* driver, stream_handle stream, memory_handle destination,
                                 std::size_t offset, const void* source, std::size_t bytes) noexcept;
  std::int32_t (*read_directly)(const void* driver, stream_handle stream, memory_handle source, std::size_t offset,
                                void* destination, std::size_t bytes) noexcept;
  std::int32_t (*copy_directly)(const void* driver, stream_handle stream, memory_handle source,
                                std::size_t source_offset, memory_handle destination, std::size_t destination_offset,
                                std::size_t bytes) noexcept;
  void (*refused)(const void* driver, direct_command command, std::int32_t code, const direct_sides& sides,
                  const source_location& where);
  std::string_view (*prelude)(const void* driver);
  build_target (*target_of)(const void* driver, std::span<const device_handle> devices, const source_location& where);
  std::string (*compiler_of)(const void* driver, std::span<const device_handle> devices, bool open,
                             const source_location& where);
  module_handle (*compile)(const void* driver, context_handle context, std::span<const device_handle> devices,
                           const compile_request& request, const source_location& where);
  module_handle (*load_binary)(const void* driver, context_handle context, std::span<const device_handle> devices,
                               std::span<const std::byte> bytes, const source_location& where);
  module_handle (*load_intermediate)(const void* driver, context_handle context, std::span<const device_handle> devices,
                                     std::span<const std::byte> bytes, const compile_request& request,
                                     const source_location& where);
  std::vector<std::byte> (*export_binary)(const void* driver, module_handle module, const source_location& where);
  context_handle (*module_context)(const void* driver, module_handle module, const source_location& where);
  void (*retain_module)(const void* driver, module_handle module, const source_location& where);
  release_result (*release_module)(const void* driver, module_handle module) noexcept;
  std::string (*build_log)(const void* driver, module_handle module, device_handle device, const source_lines& source,
                           const source_location& where);
  std::vector<std::string> (*kernel_names)(const void* driver, module_handle module, const source_location& where);
  std::vector<typed_kernel> (*described_kernels)(const void* driver, module_handle of, const source_location& where);
  kernel_handle (*create_kernel)(const void* driver, module_handle module, const char* name,
                                 const source_location& where);
  kernel_handle (*adopt_kernel)(const void* driver, module_handle module, native_kernel kernel, bool owned,
                                const source_location& where);
  native_kernel (*native_of)(const void* driver, kernel_handle kernel) noexcept;
  release_result (*release_kernel)(const void* driver, kernel_handle kernel) noexcept;
  release_result (*detach_kernel)(const void* driver, kernel_handle kernel) noexcept;
  kernel_signature (*signature)(const void* driver, context_handle context, kernel_handle kernel,
                                const source_location& where);
  bool (*accepts)(const void* driver, context_handle context, kernel_handle kernel,
                  std::span<const kernel_argument> arguments, const source_location& where);
  kernel_limits (*kernel_limits_of)(const void* driver, kernel_handle kernel, device_handle device,
                                    const source_location& where);
  void (*launch)(const void* driver, const call_type& call, const source_location& where);
  void (*launch_refused)(const void* driver, direct_outcome outcome, kernel_handle kernel, stream_handle stream,
                         const launch_shape& shape, const void* const* places, const argument_sizes& sizes,
                         const device_limits& limits, const source_location& where);
};

}  // namespace yoke::inline YOKE_ABI

#endif

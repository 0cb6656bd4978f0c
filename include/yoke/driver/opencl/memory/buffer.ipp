// SPDX-License-Identifier: MIT
// Bodies of driver/opencl/memory/buffer.hpp.
#ifndef YOKE_DRIVER_OPENCL_MEMORY_BUFFER_IPP
#define YOKE_DRIVER_OPENCL_MEMORY_BUFFER_IPP

#include <yoke/driver/opencl/memory/buffer.hpp>

#include <yoke/driver/opencl/port.hpp>

#include <yoke/core/narrow.hpp>
#include <yoke/driver/opencl/device_info.hpp>
#include <yoke/driver/opencl/event/command_wait_list.hpp>
#include <yoke/driver/opencl/invoke.hpp>
#include <yoke/driver/opencl/memory/failed_allocation.hpp>
#include <yoke/driver/opencl/memory/map_flags.hpp>
#include <yoke/driver/opencl/pocl.hpp>

#include <algorithm>
#include <span>
#include <vector>

namespace yoke::inline v0_1::opencl {

namespace detail {

/// Returns: memory that the stream's driver can migrate. NVIDIA's driver ends the process when it migrates a
/// sub-buffer: the whole buffer takes its place, once.
inline std::vector<abi::memory> taken_for_migration(const abi::functions* table, abi::queue stream,
                                                    std::span<const abi::memory> memory, const source_location& where) {
  std::vector<abi::memory> wholes;
  for (const abi::memory each : memory) {
    const auto whole = query<abi::memory, &abi::functions::get_memory_info>(table, where, each, abi::mem_associated);
    const abi::memory taken = whole == nullptr ? each : whole;
    if (std::find(wholes.begin(), wholes.end(), taken) == wholes.end()) wholes.push_back(taken);
  }
  const bool has_parts = !std::equal(wholes.begin(), wholes.end(), memory.begin(), memory.end());
  if (has_parts && platform_of(table, port(table).stream_device(stream, where), where) == nvidia_platform)
    return wholes;
  return {memory.begin(), memory.end()};
}

abi::ulong flags_of(const buffer_options& of) noexcept {
  abi::ulong flags = of.kernels == kernel_access::read_only    ? abi::mem_read_only
                     : of.kernels == kernel_access::write_only ? abi::mem_write_only
                                                               : abi::mem_read_write;
  if (of.host == host_access::read_only) flags |= abi::mem_host_read_only;
  if (of.host == host_access::write_only) flags |= abi::mem_host_write_only;
  if (of.host == host_access::none) flags |= abi::mem_host_no_access;
  if (of.in_host_memory) flags |= abi::mem_alloc_host_ptr;
  return flags;
}

/// Throws: `logic_error` if a part of a buffer is to have an access that the buffer lacks, or memory of its own.
inline void check_part(abi::ulong whole, const buffer_options& part, const source_location& where) {
  const auto refuse = [&](const char* who, const char* may, const char* asked) {
    throw_error(errc::invalid_argument, where, "the allocation was made for ", who, " that ", may,
                ": no part of it is for ", who, " that ", asked);
  };
  const auto has = [&](abi::ulong flag) { return (whole & flag) != 0; };
  if (part.in_host_memory) {
    throw_error(errc::invalid_argument, where,
                "a sub-buffer lies in the memory of its allocation: .in_host_memory is an option of that");
  }
  if (part.kernels == kernel_access::write_only && has(abi::mem_read_only)) refuse("kernels", "only read", "write");
  if (part.kernels == kernel_access::read_only && has(abi::mem_write_only)) refuse("kernels", "only write", "read");
  if (part.host == host_access::write_only && has(abi::mem_host_read_only)) refuse("a host", "only reads", "writes");
  if (part.host == host_access::read_only && has(abi::mem_host_write_only)) refuse("a host", "only writes", "reads");
  if (part.host == host_access::write_only && has(abi::mem_host_no_access)) refuse("a host", "has no access", "writes");
  if (part.host == host_access::read_only && has(abi::mem_host_no_access)) refuse("a host", "has no access", "reads");
}

}  // namespace detail

abi::memory buffer_functions::allocate_with(abi::context context, std::size_t bytes, const buffer_options& options,
                                            const source_location& where) const {
  return create_buffer(context, detail::flags_of(options), bytes, nullptr, where);
}

abi::memory buffer_functions::create_part(abi::memory whole, std::size_t offset, std::size_t bytes,
                                          const buffer_options& options, const source_location& where) const {
  const auto of_whole =
      detail::query<abi::ulong, &abi::functions::get_memory_info>(table(), where, whole, abi::mem_flags);
  detail::check_part(of_whole, options, where);
  // Read and write would contradict an access that the whole buffer narrows.
  abi::ulong flags = detail::flags_of(options);
  if (options.kernels == kernel_access::read_write) flags &= ~abi::mem_read_write;
  return port(table()).create_sub_buffer_with(whole, flags, offset, bytes, where);
}

abi::memory buffer_functions::create_buffer(abi::context context, abi::ulong flags, std::size_t bytes, void* host,
                                            const source_location& where) const {
  abi::status status = 0;
  const abi::memory memory = table()->create_buffer(context, flags, bytes, host, &status);
  if (status != 0 || memory == nullptr) {
    detail::throw_no_memory(table(), {status == 0 ? -4 : status, error_category()}, "clCreateBuffer", context,
                            detail::text("buffer of ", bytes, " bytes"), bytes, where);
  }
  return memory;
}

buffer_description buffer_functions::describe_buffer(abi::memory memory, const source_location& where) const {
  constexpr auto get = &abi::functions::get_memory_info;
  buffer_description told;
  told.type = detail::query<abi::uint, get>(table(), where, memory, abi::mem_type);
  told.flags = detail::query<abi::ulong, get>(table(), where, memory, abi::mem_flags);
  told.size_bytes = detail::query<std::size_t, get>(table(), where, memory, abi::mem_size);
  if ((told.flags & abi::mem_use_host_ptr) != 0) {
    told.host_pointer = detail::query<void*, get>(table(), where, memory, abi::mem_host_ptr);
  }
  told.map_count = detail::query<abi::uint, get>(table(), where, memory, abi::mem_map_count);
  told.reference_count = detail::query<abi::uint, get>(table(), where, memory, abi::mem_reference_count);
  told.context = detail::query<abi::context, get>(table(), where, memory, abi::mem_context);
  told.whole = detail::query<abi::memory, get>(table(), where, memory, abi::mem_associated);
  told.offset_bytes = detail::query<std::size_t, get>(table(), where, memory, abi::mem_offset);
  // Older drivers do not know these two properties.
  abi::boolean svm = abi::no;
  abi::status status = table()->get_memory_info(memory, abi::mem_uses_svm_pointer, sizeof svm, &svm, nullptr);
  if (status != 0 && status != abi::invalid_value) detail::throw_failure(status, "clGetMemObjectInfo", "", where);
  told.uses_svm = status == 0 && svm != abi::no;
  std::size_t bytes = 0;
  status = table()->get_memory_info(memory, abi::mem_properties, 0, nullptr, &bytes);
  if (status != 0 && status != abi::invalid_value) detail::throw_failure(status, "clGetMemObjectInfo", "", where);
  if (status == 0 && bytes != 0) {
    told.properties = detail::query_list<abi::ulong, get>(table(), where, memory, abi::mem_properties);
  }
  return told;
}

void buffer_functions::at_memory_end(abi::memory memory, abi::memory_callback callback, void* with,
                                     const source_location& where) const {
  detail::invoke<&abi::functions::set_memory_destructor>(table(), where, memory, callback, with);
}

abi::event buffer_functions::migrate(abi::queue stream, std::span<const abi::memory> memory, abi::ulong flags,
                                     std::span<const abi::event> after, const source_location& where) const {
  const detail::command_wait_list list(table(), stream, after, where);
  const std::vector<abi::memory> taken = detail::taken_for_migration(table(), stream, memory, where);
  abi::event done = nullptr;
  detail::invoke<&abi::functions::enqueue_migrate_memory>(table(), where, stream, static_cast<abi::uint>(taken.size()),
                                                          taken.data(), flags, list.size(), list.data(), &done);
  return done;
}

void* buffer_functions::map_later(abi::queue stream, abi::memory memory, std::size_t offset, std::size_t bytes,
                                  map_mode mode, std::span<const abi::event> after, abi::event& done,
                                  const source_location& where) const {
  const detail::command_wait_list list(table(), stream, after, where);
  abi::status status = 0;
  void* const address = table()->enqueue_map_buffer(stream, memory, abi::no, detail::map_flags(mode), offset, bytes,
                                                    list.size(), list.data(), &done, &status);
  if (status != 0 || address == nullptr) detail::throw_refused_map(table(), memory, mode, status, where);
  return address;
}

abi::event buffer_functions::unmap_later(abi::queue stream, abi::memory memory, void* address,
                                         std::span<const abi::event> after, const source_location& where) const {
  const detail::command_wait_list list(table(), stream, after, where);
  abi::event done = nullptr;
  detail::invoke<&abi::functions::enqueue_unmap_memory>(table(), where, stream, memory, address, list.size(),
                                                        list.data(), &done);
  return done;
}

abi::event buffer_functions::copy_to_peer(abi::queue stream, const detail::buffer_part& source,
                                          const detail::buffer_part& destination, std::size_t bytes,
                                          std::span<const abi::event> after, const source_location& where) const {
  constexpr auto get = &abi::functions::get_device_info;
  constexpr const char* extension = "cl_amd_copy_buffer_p2p";
  constexpr const char* symbol = "clEnqueueCopyBufferP2PAMD";
  const abi::device device = port(table()).stream_device(stream, where);
  abi::copy_between_contexts call = nullptr;
  const std::string extensions = " " + detail::query_text<get>(table(), where, device, info::extensions.code) + " ";
  if (extensions.find(detail::text(" ", extension, " ")) != std::string::npos) {
    const auto platform = detail::query<abi::platform, get>(table(), where, device, info::platform.code);
    call = reinterpret_cast<abi::copy_between_contexts>(table()->get_extension_function(platform, symbol));
  }
  if (call == nullptr) {
    detail::throw_error(errc::unsupported, where, detail::query_text<get>(table(), where, device, info::name.code),
                        " has no ", extension, ", which copies between contexts");
  }
  if (bytes == 0) return port(table()).record(stream, after, where);
  const detail::command_wait_list list(table(), stream, after, where);
  abi::event done = nullptr;
  const abi::status status = call(stream, source.buffer, destination.buffer, source.offset, destination.offset, bytes,
                                  list.size(), list.data(), &done);
  if (status != 0) detail::throw_failure(status, symbol, "", where);
  return done;
}

namespace detail {
/// Whether a device has pipes: OpenCL 3.0 has a property for it, 2.x always has them, 1.x never.
inline bool has_pipes(const abi::functions* table, abi::device device) noexcept {
  abi::boolean has = abi::no;
  if (table->get_device_info(device, info::pipe_support.code, sizeof has, &has, nullptr) == 0) return has != abi::no;
  abi::uint most = 0;
  return table->get_device_info(device, info::max_pipe_args.code, sizeof most, &most, nullptr) == 0 && most != 0;
}
}  // namespace detail

abi::memory buffer_functions::create_pipe(abi::context context, std::size_t packet_bytes, std::size_t packets,
                                          const source_location& where) const {
  for (const abi::device device : port(table()).context_devices(context, where)) {
    const auto name = [&] {
      return detail::query_text<&abi::functions::get_device_info>(table(), where, device, info::name.code);
    };
    if (table()->create_pipe == nullptr || !detail::has_pipes(table(), device)) {
      detail::throw_error(errc::unsupported, where, name(), " has no pipes");
    }
    abi::uint most = 0;
    const abi::status status =
        table()->get_device_info(device, info::pipe_max_packet_size.code, sizeof most, &most, nullptr);
    if (status == 0 && most != 0 && packet_bytes > most) {
      detail::throw_error(errc::out_of_range, where, "packets of ", packet_bytes, " bytes exceed the ", most,
                          " that the pipes of ", name(), " take");
    }
  }
  if (packets == 0) detail::throw_error(errc::out_of_range, "a pipe of 0 packets: it has room for 1 at least", where);
  return detail::create<&abi::functions::create_pipe>(
      table(), where, context, abi::ulong{0}, yoke::detail::narrow<abi::uint>(packet_bytes, "packet size", where),
      yoke::detail::narrow<abi::uint>(packets, "packet count", where), static_cast<const std::intptr_t*>(nullptr));
}

pipe_description buffer_functions::describe_pipe(abi::memory pipe, const source_location& where) const {
  constexpr auto get = &abi::functions::get_memory_info;
  if (detail::query<abi::uint, get>(table(), where, pipe, abi::mem_type) != abi::mem_object_pipe) {
    detail::throw_error(errc::invalid_argument, "the native memory is no pipe", where);
  }
  constexpr auto ask = &abi::functions::get_pipe_info;
  return {detail::query<abi::uint, ask>(table(), where, pipe, abi::pipe_packet_size),
          detail::query<abi::uint, ask>(table(), where, pipe, abi::pipe_max_packets),
          detail::query<abi::context, get>(table(), where, pipe, abi::mem_context)};
}

}  // namespace yoke::inline v0_1::opencl

#endif

// SPDX-License-Identifier: MIT
// Bodies of opencl/memory/buffer.hpp.
#ifndef YOKE_OPENCL_MEMORY_BUFFER_IPP
#define YOKE_OPENCL_MEMORY_BUFFER_IPP

#include <yoke/opencl/memory/buffer.hpp>

#include <vector>

namespace yoke::inline v0_1::opencl {

namespace detail {

abi::memory make_buffer(const context& in, const buffer_options& options, std::size_t bytes, void* host, bool over_host,
                        const source_location& where) {
  abi::ulong flags = flags_of(options);
  if (over_host && options.in_host_memory) {
    yoke::detail::throw_error(errc::invalid_argument,
                              "a buffer over the caller's memory cannot also be in host memory of the driver's", where);
  }
  if (host != nullptr) flags |= over_host ? abi::mem_use_host_ptr : abi::mem_copy_host_ptr;
  const port& with = in.port(where);
  return with.create_buffer(in.state(where).living(where), flags, bytes, host, where);
}

void keep_for_buffer(const context& in, abi::memory memory, yoke::detail::owner<kept_by_buffer> kept,
                     const source_location& where) {
  const auto end = [](abi::memory, void* with) {
    const yoke::detail::owner<kept_by_buffer> ending{static_cast<kept_by_buffer*>(with)};
    ending->end();
  };
  in.port(where).at_memory_end(memory, end, kept.get(), where);
  (void)kept.release();
}

void end_buffer(const context& in, abi::memory memory) noexcept {
  in.shared()->report(in.shared()->port.release_memory(in.native_handle(), memory));
}

void* host_memory(const buffer_description& of, bool to_write, const source_location& where) {
  if (of.host_pointer == nullptr) {
    yoke::detail::throw_error(errc::invalid_argument, "this buffer is over no host memory: make it with buffer_over",
                              where);
  }
  if (to_write && (of.flags & abi::mem_read_only) != 0) {
    yoke::detail::throw_error(
        errc::invalid_argument,
        "kernels only read this buffer, and its host memory may be const: pass std::as_const(buffer) to read it",
        where);
  }
  return of.host_pointer;
}

void check_const_host(bool is_const, const buffer_options& options, const source_location& where) {
  if (!is_const || options.kernels == kernel_access::read_only) return;
  yoke::detail::throw_error(errc::invalid_argument,
                            "a buffer over const elements must say .kernels = kernel_access::read_only", where);
}

}  // namespace detail

event migrate(std::initializer_list<memory_reference> memory, const stream& order, const migrate_options& options,
              const source_location& where) {
  if (!order) yoke::detail::throw_empty_handle("stream", where);
  if (memory.size() == 0) yoke::detail::throw_error(errc::invalid_argument, "there is no memory to migrate", where);
  std::vector<abi::memory> natives;
  natives.reserve(memory.size());
  for (const memory_reference& each : memory) {
    if (each.native == nullptr) {
      yoke::detail::throw_error(errc::empty_handle, where, "memory ", natives.size() + 1, " of ", memory.size(),
                                " to migrate is empty");
    }
    if (each.in != order.context_of().native_handle()) {
      yoke::detail::throw_error(errc::wrong_context, where, "memory ", natives.size() + 1, " of ", memory.size(),
                                " to migrate is of another context than the stream");
    }
    natives.push_back(each.native);
  }
  abi::ulong flags = options.to_host ? abi::migrate_to_host : 0;
  if (options.without_content) flags |= abi::migrate_without_content;
  const port& with = order.context_of().port(where);
  return event::own(order.origin(), with.migrate(order.native_handle(), natives, flags,
                                                 options.after.view(order.context_of(), where), where));
}

}  // namespace yoke::inline v0_1::opencl

#endif

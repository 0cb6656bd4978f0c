// SPDX-License-Identifier: MIT
// Bodies of cuda/memory/managed_span.hpp.
#ifndef YOKE_CUDA_MEMORY_MANAGED_SPAN_IPP
#define YOKE_CUDA_MEMORY_MANAGED_SPAN_IPP

#include <yoke/cuda/memory/managed_span.hpp>

#include <algorithm>

namespace yoke::inline v0_1::cuda::detail {

void prefetch(const managed_range& range, const memory_location* to, const stream& on, const source_location& where) {
  if (!on) yoke::detail::throw_empty_handle(stream::noun, where);
  if (range.bytes == 0) return;
  const memory_location place = to != nullptr ? *to : memory_location(on.device_of(where));
  range.in.port(where).prefetch_managed(on.native_handle(), range.address, range.bytes, place.native(), where);
}
void advise(const managed_range& range, const advice& what, const source_location& where) {
  if (range.bytes == 0) return;
  range.in.port(where).advise_managed(range.in.native_handle(), range.address, range.bytes, what.native(),
                                      what.location().native(), where);
}
bool is_read_mostly(const managed_range& range, const source_location& where) {
  if (range.bytes == 0) return false;
  return range.in.port(where).managed_is_read_mostly(range.in.native_handle(), range.address, range.bytes, where);
}

memory_location preferred_location(const managed_range& range, const source_location& where) {
  if (range.bytes == 0) return {};
  return memory_location(
      range.in.port(where).managed_preferred_location(range.in.native_handle(), range.address, range.bytes, where));
}
memory_location last_prefetch(const managed_range& range, const source_location& where) {
  if (range.bytes == 0) return {};
  return memory_location(
      range.in.port(where).managed_last_prefetch(range.in.native_handle(), range.address, range.bytes, where));
}
bool is_accessed_by(const managed_range& range, const memory_location& processor, const source_location& where) {
  if (range.bytes == 0) return false;
  const bool is_host = processor == memory_location::host();
  if (!is_host && !processor.is_device()) return false;
  const abi::device wanted = is_host ? abi::device_cpu : processor.native().id;
  const auto found =
      range.in.port(where).managed_accessors(range.in.native_handle(), range.address, range.bytes, where);
  return std::find(found.begin(), found.end(), wanted) != found.end();
}

void wait_for_host(const context& in, const attached_to& attached, const stream* on, const source_location& where) {
  const port& with = in.port(where);
  if (on == nullptr) return with.synchronize_context(in.native_handle(), where);
  if (!*on) yoke::detail::throw_empty_handle(stream::noun, where);
  const bool is_safe = attached.what == attachment::host ||
                       (attached.what == attachment::single && attached.stream == on->native_handle());
  if (!is_safe && !try_get(in.only_device(where), info::concurrent_managed_access, where).value_or(false)) {
    yoke::detail::throw_error(
        errc::unsupported, where,
        "this device has no concurrent managed access: the host would crash if it used managed memory that is "
        "attached ",
        attached.what == attachment::single ? "to another stream" : "globally",
        " while any kernel runs. Attach it first, by attach_host(stream) or attach(stream), or let the whole "
        "context "
        "finish, by host()");
  }
  on->synchronize(where);
}

void check_managed(const context& in, abi::device_pointer memory, std::size_t count, std::size_t element_bytes,
                   std::size_t alignment, native_ownership ownership, const source_location& where) {
  const port& with = in.port(where);
  if (memory == 0) yoke::detail::throw_null_native("memory", where);
  if (!with.is_managed(memory, where)) {
    yoke::detail::throw_error(errc::invalid_argument, where, yoke::detail::native_text("memory", memory),
                              " is no managed memory");
  }
  const std::size_t bytes = with.memory_bytes(memory, where);
  if (bytes / element_bytes < count) {
    yoke::detail::throw_error(errc::size_mismatch, where, "native memory of ", bytes, " bytes cannot hold ", count,
                              " elements of ", element_bytes, " bytes");
  }
  with.check_native_memory(memory, alignment, ownership, where);
}

void attach(const context& in, abi::device_pointer memory, attachment to, const stream& on,
            const source_location& where) {
  if (!on) yoke::detail::throw_empty_handle(stream::noun, where);
  if (memory != 0) in.port(where).attach_managed(on.native_handle(), memory, to, where);
}
void throw_empty_managed(const source_location& where) {
  yoke::detail::throw_error(errc::empty_handle, "this managed memory is empty (moved from, released or never set)",
                            where);
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif

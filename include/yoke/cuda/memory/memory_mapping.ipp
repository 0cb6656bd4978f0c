// SPDX-License-Identifier: MIT
// Bodies of cuda/memory/memory_mapping.hpp.
#ifndef YOKE_CUDA_MEMORY_MEMORY_MAPPING_IPP
#define YOKE_CUDA_MEMORY_MEMORY_MAPPING_IPP

#include <yoke/cuda/memory/memory_mapping.hpp>

#include <yoke/cuda/memory/physical_memory.hpp>

namespace yoke::inline v0_1::cuda {

namespace detail {

/// Returns: the mapped address. Throws: `logic_error` unless the memory fits there.
abi::device_pointer map_to(const address_range& range, std::size_t offset, const physical_memory& memory,
                           const source_location& where) {
  const context& in = range.context_of(where);
  const port& with = in.port(where);
  const std::size_t bytes = memory.size_bytes(where);
  const std::size_t room = range.size_bytes(where);
  const std::size_t granularity = memory_granularity(in, false, where);
  if (offset % granularity != 0) {
    yoke::detail::throw_error(errc::misaligned, where, "an offset of ", offset,
                              " bytes in an address range is no multiple of ", granularity,
                              ", the device's granularity");
  }
  if (offset > room || bytes > room - offset) {
    yoke::detail::throw_error(errc::invalid_argument, where, "physical memory of ", bytes, " bytes at offset ", offset,
                              " goes beyond its address range of ", room, " bytes");
  }
  const abi::device_pointer at = range.native_handle() + offset;
  with.map_physical(in.native_handle(), at, bytes, memory.native_handle(), where);
  return at;
}

}  // namespace detail

memory_mapping::memory_mapping(const address_range& range, std::size_t offset, const physical_memory& memory, int,
                               const source_location& where)
    : base(yoke::detail::context_reference<port>(range.context_of(where)), detail::map_to(range, offset, memory, where),
           true, {range, memory}) {
  set_access(context_of().only_device(where), memory_access_flags::read_write, where);
}

void memory_mapping::set_access(const device& of, memory_access_flags flags, const source_location& where) {
  const abi::device_pointer at = use(where);
  const abi::access_descriptor wanted = detail::access_for(of.native_handle(), flags);
  context_of().port(where).set_access(context_of().native_handle(), at, size_bytes(), {&wanted, 1}, where);
}

memory_access_flags memory_mapping::access(const device& of, const source_location& where) const {
  const abi::device_pointer at = use(where);
  return context_of().port(where).access_of(at, of.native_handle(), where);
}

void memory_mapping::destroy(yoke::detail::context_reference<port>& parent, abi::device_pointer native,
                             detail::mapping_facts& facts) noexcept {
  const auto& in = parent.state();
  in.report(in.port.unmap_physical(in.gone() ? nullptr : in.native, native, bytes_of(facts.memory)));
}

}  // namespace yoke::inline v0_1::cuda

#endif

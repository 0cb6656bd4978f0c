// SPDX-License-Identifier: MIT
// Bodies of cuda/memory/physical_memory.hpp.
#ifndef YOKE_CUDA_MEMORY_PHYSICAL_MEMORY_IPP
#define YOKE_CUDA_MEMORY_PHYSICAL_MEMORY_IPP

#include <yoke/cuda/memory/physical_memory.hpp>

#include <yoke/cuda/memory/address_range.hpp>

namespace yoke::inline v0_1::cuda {

namespace detail {

physical_memory_state::~physical_memory_state() {
  if (owned && native != 0) in.report(in.state().port.release_physical(native));
}

void check_descriptor(int descriptor, const source_location& where) {
  if (descriptor < 0) {
    yoke::detail::throw_error(errc::empty_handle, "this file descriptor is empty (moved from, released or never set)",
                              where);
  }
}

/// Returns: a record for memory of that size, rounded up to the device's granularity; the memory is not made yet.
yoke::detail::shared<physical_memory_state> new_physical(const context& in, std::size_t bytes,
                                                         const source_location& where) {
  const std::size_t granularity = memory_granularity(in, false, where);
  auto made = yoke::detail::make_shared<physical_memory_state>(in);
  made->bytes = whole_blocks(bytes, granularity, "physical memory", where);
  return made;
}

}  // namespace detail

physical_memory::physical_memory(const context& in, std::size_t bytes, const physical_memory_options& options, int,
                                 const source_location& where)
    : base(detail::new_physical(in, bytes, where)) {
  detail::physical_memory_state& made = state(where);
  made.native = in.port(where).create_physical(in.native_handle(), in.only_device(where).native_handle(), made.bytes,
                                               options.shareable, where);
  made.owned = true;
}

physical_memory physical_memory::opened(const context& in, int descriptor, std::size_t bytes,
                                        const source_location& where) {
  detail::check_descriptor(descriptor, where);
  physical_memory made(detail::new_physical(in, bytes, where));
  made.state(where).native = in.port(where).import_physical(in.native_handle(), descriptor, where);
  made.state(where).owned = true;
  return made;
}

physical_memory physical_memory::behind(const context& in, abi::device_pointer mapped, std::size_t bytes,
                                        const source_location& where) {
  physical_memory made(detail::new_physical(in, bytes, where));
  made.state(where).native = in.port(where).retain_physical(mapped, where);
  made.state(where).owned = true;
  return made;
}

physical_memory physical_memory::found(const context& in, native_type native, std::size_t bytes, bool owned,
                                       const source_location& where) {
  (void)in.port(where);
  if (native == 0) yoke::detail::throw_null_native("physical memory", where);
  auto made = yoke::detail::make_shared<detail::physical_memory_state>(in);
  made->native = native;
  made->bytes = bytes;
  made->owned = owned;
  return physical_memory(std::move(made));
}

bool physical_memory::is_shareable(const source_location& where) const {
  const detail::physical_memory_state& of = state(where);
  return (static_cast<unsigned>(of.in.state().port.physical_properties(of.native, where).handle_types) &
          static_cast<unsigned>(abi::shared_handle_type::file_descriptor)) != 0;
}

file_descriptor physical_memory::share(const source_location& where) const {
  if (!is_shareable(where)) {
    yoke::detail::throw_error(errc::invalid_argument,
                              "this physical memory was made without .shareable = true: no other process can open it",
                              where);
  }
  return file_descriptor::adopt(state(where).in.state().port.export_physical(native_handle(), where));
}

}  // namespace yoke::inline v0_1::cuda

#endif

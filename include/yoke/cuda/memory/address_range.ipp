// SPDX-License-Identifier: MIT
// Bodies of cuda/memory/address_range.hpp.
#ifndef YOKE_CUDA_MEMORY_ADDRESS_RANGE_IPP
#define YOKE_CUDA_MEMORY_ADDRESS_RANGE_IPP

#include <yoke/cuda/memory/address_range.hpp>

#include <bit>
#include <cstdint>

namespace yoke::inline v0_1::cuda {

std::size_t memory_granularity(const context& in, bool recommended, const source_location& where) {
  return in.port(where).memory_granularity(
      in.native_handle(), in.only_device(where).native_handle(),
      recommended ? abi::granularity_kind::recommended : abi::granularity_kind::minimum, where);
}

namespace detail {

std::size_t whole_blocks(std::size_t bytes, std::size_t granularity, const char* what, const source_location& where) {
  if (bytes == 0) yoke::detail::throw_error(errc::invalid_argument, where, what, " of 0 bytes: it needs one at least");
  if (bytes > SIZE_MAX - granularity) {
    yoke::detail::throw_error(errc::invalid_argument, where, what, " of ", bytes, " bytes: the limit is ",
                              SIZE_MAX - granularity);
  }
  return (bytes + granularity - 1) / granularity * granularity;
}

address_range_state::~address_range_state() {
  if (owned && native != 0) in.report(in.state().port.free_addresses(native, bytes));
}

}  // namespace detail

address_range::address_range(const context& in, std::size_t bytes, const address_range_options& options, int,
                             const source_location& where)
    : base(yoke::detail::make_shared<detail::address_range_state>(in)) {
  const std::size_t granularity = memory_granularity(in, false, where);
  if (options.alignment_bytes != 0 && !std::has_single_bit(options.alignment_bytes)) {
    yoke::detail::throw_error(errc::invalid_argument, where, "an alignment of ", options.alignment_bytes,
                              " bytes is no power of two");
  }
  detail::address_range_state& made = state(where);
  made.bytes = detail::whole_blocks(bytes, granularity, "an address range", where);
  made.native =
      in.port(where).reserve_addresses(in.native_handle(), made.bytes, options.alignment_bytes, options.at, where);
  made.owned = true;
}

address_range address_range::found(const context& in, native_type native, std::size_t bytes, bool owned,
                                   const source_location& where) {
  (void)in.port(where);
  if (native == 0) yoke::detail::throw_null_native("address range", where);
  auto made = yoke::detail::make_shared<detail::address_range_state>(in);
  made->native = native;
  made->bytes = bytes;
  made->owned = owned;
  return address_range(std::move(made));
}

}  // namespace yoke::inline v0_1::cuda

#endif

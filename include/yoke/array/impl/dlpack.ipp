// SPDX-License-Identifier: MIT
// Bodies of array/dlpack.hpp.
#ifndef YOKE_ARRAY_IMPL_DLPACK_IPP
#define YOKE_ARRAY_IMPL_DLPACK_IPP

#include <yoke/array/dlpack.hpp>

namespace yoke::inline YOKE_ABI::detail {

YOKE_COLD void throw_no_tensor(const std::string& why, const source_location& where) {
  throw_error(errc::invalid_argument, why, where);
}

YOKE_COLD bool is_cuda(const char* backend) noexcept { return std::string_view(backend) == "cuda"; }

YOKE_COLD void check_tensor(const dlpack::managed_tensor* of, const dlpack::data_type& type, std::size_t rank,
                            const char* backend, bool written, const source_location& where) {
  if (of == nullptr) throw_no_tensor("the DLPack tensor is null", where);
  if (of->version.major != 1) {
    throw_no_tensor(
        text("the DLPack tensor has version ", of->version.major, ".", of->version.minor, ": 1.x is what is known"),
        where);
  }
  const dlpack::tensor& from = of->dl_tensor;
  const auto expected = is_cuda(backend) ? dlpack::device_type::cuda : dlpack::device_type::opencl;
  if (from.device.type != expected) {
    throw_no_tensor(text("the DLPack tensor is on a device of type ", static_cast<std::int32_t>(from.device.type),
                         ": the stream's is of type ", static_cast<std::int32_t>(expected), " (", backend, ")"),
                    where);
  }
  if (from.ndim < 0 || static_cast<std::size_t>(from.ndim) != rank) {
    throw_no_tensor(text("the DLPack tensor has ", from.ndim, " axes, the view ", rank), where);
  }
  if (!(from.dtype == type)) {
    throw_no_tensor(
        text("the DLPack tensor has elements of type ", static_cast<unsigned>(from.dtype.code), " with ",
             static_cast<unsigned>(from.dtype.bits), " bits and ", from.dtype.lanes, " lanes, the view of type ",
             static_cast<unsigned>(type.code), " with ", static_cast<unsigned>(type.bits), " bits"),
        where);
  }
  if (written && (of->flags & dlpack::read_only) != 0) {
    throw_no_tensor("the DLPack tensor is read only: take it as a view of const elements", where);
  }
}

}  // namespace yoke::inline YOKE_ABI::detail

#endif

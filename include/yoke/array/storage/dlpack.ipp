// SPDX-License-Identifier: MIT
// Bodies of array/storage/dlpack.hpp.
#ifndef YOKE_ARRAY_STORAGE_DLPACK_IPP
#define YOKE_ARRAY_STORAGE_DLPACK_IPP

#include <yoke/array/storage/dlpack.hpp>

namespace yoke::inline v0_1::detail {

void throw_no_tensor(const std::string& why, const source_location& where) {
  throw_error(errc::invalid_argument, why, where);
}

bool is_cuda(const char* backend) noexcept { return std::string_view(backend) == "cuda"; }

/// Returns: "float32"; for an unknown type its code.
std::string tensor_type_text(const dlpack::data_type& type) {
  constexpr const char* names[] = {"int", "uint", "float", "opaque", "bfloat", "complex", "bool"};
  const auto code = static_cast<std::size_t>(type.code);
  const bool known = code < std::size(names);
  std::string made = known ? text(names[code]) : text("type ", code, " with bits: ");
  if (type.code != dlpack::type_code::boolean || type.bits != 8) made += std::to_string(type.bits);
  if (type.lanes != 1) made += text(" in vectors of ", type.lanes);
  return made;
}
std::string tensor_device_text(const dlpack::device& of) {
  const char* const name = of.type == dlpack::device_type::cpu            ? " (cpu)"
                           : of.type == dlpack::device_type::cuda         ? " (cuda)"
                           : of.type == dlpack::device_type::cuda_host    ? " (cuda_host)"
                           : of.type == dlpack::device_type::opencl       ? " (opencl)"
                           : of.type == dlpack::device_type::cuda_managed ? " (cuda_managed)"
                                                                          : "";
  return text("a device of type ", static_cast<std::int32_t>(of.type), name, " with number ", of.id);
}

/// Throws: `logic_error` for extents and strides that exceed any memory, and for elements without memory.
void check_tensor_extents(const dlpack::tensor& from, const source_location& where) {
  const auto rank = static_cast<std::size_t>(from.ndim);
  if (rank != 0 && from.shape == nullptr)
    throw_no_tensor(text("the DLPack tensor has ", rank, " axes and no shape"), where);
  const auto bytes = static_cast<std::int64_t>(from.dtype.bits / 8);
  std::int64_t before = 0;  // bytes before the first element, at most 0
  std::int64_t behind = bytes;
  std::int64_t dense = bytes;
  bool fits = std::in_range<std::int64_t>(from.byte_offset);
  for (std::size_t axis = rank; axis-- > 0;) {
    const std::int64_t extent = from.shape[axis];
    if (extent < 0) {
      throw_no_tensor(text("the DLPack tensor has an extent of ", extent, " along axis ", axis, ": the least is 0"),
                      where);
    }
    if (extent == 0) return;
    std::int64_t reach = dense;
    if (from.strides != nullptr && extent > 1 && __builtin_mul_overflow(from.strides[axis], bytes, &reach))
      fits = false;
    if (__builtin_mul_overflow(extent - 1, reach, &reach)) fits = false;
    std::int64_t& end = reach < 0 ? before : behind;
    if (__builtin_add_overflow(end, reach, &end)) fits = false;
    if (__builtin_mul_overflow(dense, extent, &dense)) fits = false;
  }
  if (!fits || before == least_of<std::int64_t> ||
      __builtin_add_overflow(behind, static_cast<std::int64_t>(from.byte_offset), &behind)) {
    throw_no_tensor("the DLPack tensor's extents and strides exceed the address space", where);
  }
  if (from.data == nullptr) throw_no_tensor("the DLPack tensor has elements, and no memory: its data is null", where);
  // The data of an OpenCL tensor is a handle; its memory is aligned.
  const std::uint64_t base =
      from.device.type == dlpack::device_type::opencl ? 0 : reinterpret_cast<std::uintptr_t>(from.data);
  if ((base + from.byte_offset) % static_cast<std::uint64_t>(bytes) != 0) {
    throw_no_tensor(text("the DLPack tensor's first element, at a byte_offset of ", from.byte_offset,
                         ", is not aligned to its ", bytes, " bytes"),
                    where);
  }
}

void check_tensor(const dlpack::managed_tensor* of, const dlpack::data_type& type, std::size_t rank,
                  const dlpack::device& on, bool written, const source_location& where) {
  if (of == nullptr) throw_no_tensor("the DLPack tensor is null", where);
  if (of->version.major != 1) {
    throw_no_tensor(
        text("the DLPack tensor has version ", of->version.major, ".", of->version.minor, ": 1.x is what is known"),
        where);
  }
  const dlpack::tensor& from = of->dl_tensor;
  const bool cuda = on.type == dlpack::device_type::cuda;
  const bool reached = from.device.type == on.type || (cuda && from.device.type == dlpack::device_type::cuda_managed);
  // Compares numbers of CUDA devices only: other libraries may number OpenCL devices in another order.
  if (!reached || (cuda && from.device.id != on.id)) {
    throw_no_tensor(
        text("the DLPack tensor is on ", tensor_device_text(from.device), ", the stream on ", tensor_device_text(on)),
        where);
  }
  if (from.ndim < 0 || static_cast<std::size_t>(from.ndim) != rank) {
    throw_no_tensor(text("the DLPack tensor has ", from.ndim, " axes, the view ", rank), where);
  }
  if (!(from.dtype == type)) {
    throw_no_tensor(text("the DLPack tensor has elements of ", tensor_type_text(from.dtype), ", the view of ",
                         tensor_type_text(type)),
                    where);
  }
  check_tensor_extents(from, where);
  if (written && (of->flags & dlpack::read_only) != 0) {
    throw_no_tensor("the DLPack tensor is read only: take it as a view of const elements", where);
  }
}

}  // namespace yoke::inline v0_1::detail

#endif

// SPDX-License-Identifier: MIT
// Exchanges arrays with other libraries by DLPack's tensors and the CUDA array interface. Opt-in.
#ifndef YOKE_ARRAY_STORAGE_DLPACK_HPP
#define YOKE_ARRAY_STORAGE_DLPACK_HPP

#include <yoke/array/evaluation/value_kind.hpp>
#include <yoke/array/storage/array_copy.hpp>
#include <yoke/array/storage/device_array.hpp>

#include <cstdint>
#include <string>

namespace yoke::inline v0_1 {

// The structures of DLPack 1, laid out as in <dlpack/dlpack.h>: `reinterpret_cast` converts pointers to them.
namespace dlpack {
enum class device_type : std::int32_t { cpu = 1, cuda = 2, cuda_host = 3, opencl = 4, cuda_managed = 13 };
enum class type_code : std::uint8_t {
  signed_integer = 0,
  unsigned_integer = 1,
  real = 2,
  bfloat = 4,
  complex = 5,
  boolean = 6
};
inline constexpr std::uint64_t read_only = 1;

struct version {
  std::uint32_t major = 1;
  std::uint32_t minor = 0;
};
struct device {
  device_type type{};
  std::int32_t id = 0;
};
struct data_type {
  type_code code{};
  std::uint8_t bits = 0;
  std::uint16_t lanes = 1;
  [[nodiscard]] friend bool operator==(const data_type&, const data_type&) noexcept = default;
};
/// `DLTensor`. Units: strides in elements.
struct tensor {
  void* data = nullptr;
  dlpack::device device{};
  std::int32_t ndim = 0;
  data_type dtype{};
  std::int64_t* shape = nullptr;
  std::int64_t* strides = nullptr;
  std::uint64_t byte_offset = 0;
};
/// `DLManagedTensorVersioned`.
struct managed_tensor {
  dlpack::version version{};
  void* manager_ctx = nullptr;
  void (*deleter)(managed_tensor*) = nullptr;
  std::uint64_t flags = 0;
  dlpack::tensor dl_tensor{};
};
static_assert(sizeof(tensor) == 48 && sizeof(managed_tensor) == 80);

/// Owns a tensor until it is released. Move-only.
class owner {
 public:
  owner() noexcept = default;
  explicit owner(managed_tensor* of) noexcept : of_(of) {}
  owner(owner&& other) noexcept : of_(std::exchange(other.of_, nullptr)) {}
  owner& operator=(owner&& other) noexcept {
    if (this != &other) {
      end();
      of_ = std::exchange(other.of_, nullptr);
    }
    return *this;
  }
  ~owner() { end(); }
  [[nodiscard]] managed_tensor* get() const noexcept { return of_; }
  managed_tensor* operator->() const noexcept { return of_; }
  /// Passes ownership of the tensor to the caller, who calls its deleter.
  [[nodiscard]] managed_tensor* release() noexcept { return std::exchange(of_, nullptr); }

 private:
  void end() noexcept {
    if (of_ != nullptr && of_->deleter != nullptr) of_->deleter(of_);
    of_ = nullptr;
  }
  managed_tensor* of_ = nullptr;
};
}  // namespace dlpack

/// The fields of `__cuda_array_interface__`, version 3. Units: strides in bytes.
struct cuda_array_interface {
  std::vector<std::size_t> shape;
  std::vector<std::ptrdiff_t> strides;
  std::string typestr;  ///< "<f4"
  std::uint64_t data = 0;
  bool read_only = false;
  std::uint64_t stream = 0;  ///< the driver's stream handle; 1 for the legacy default stream
  int version = 3;
};

namespace detail {

// Each function throws a `logic_error`.
[[noreturn, gnu::cold]] YOKE_API void throw_no_tensor(const std::string& why, const source_location& where);
/// Whether a backend is the CUDA backend.
[[nodiscard]] YOKE_API bool is_cuda(const char* backend) noexcept;
/// Throws: `logic_error` unless the tensor follows DLPack 1, has this type, rank and device and consistent fields, and
/// is writable if that is needed.
YOKE_API void check_tensor(const dlpack::managed_tensor* of, const dlpack::data_type& type, std::size_t rank,
                           const dlpack::device& on, bool written, const source_location& where);

template <class T>
consteval dlpack::data_type tensor_type() {
  constexpr auto bits = static_cast<std::uint8_t>(8 * sizeof(T));
  if constexpr (std::same_as<T, bool>) {
    return {dlpack::type_code::boolean, bits, 1};
  } else if constexpr (std::same_as<T, bfloat16>) {
    return {dlpack::type_code::bfloat, bits, 1};
  } else if constexpr (std::same_as<T, half> || std::is_floating_point_v<T>) {
    return {dlpack::type_code::real, bits, 1};
  } else if constexpr (complex_element<T>) {
    return {dlpack::type_code::complex, bits, 1};
  } else {
    static_assert(std::is_integral_v<T>, "DLPack has numbers, half, bfloat16 and bool: export members of structs");
    return {std::is_signed_v<T> ? dlpack::type_code::signed_integer : dlpack::type_code::unsigned_integer, bits, 1};
  }
}

template <class T, std::size_t Rank, class Port>
struct exported_tensor {
  explicit exported_tensor(const device_view<T, Rank, Port>& of) : view(of) {
    tensor.manager_ctx = this;
    tensor.deleter = [](dlpack::managed_tensor* ended) { delete static_cast<exported_tensor*>(ended->manager_ctx); };
  }
  dlpack::managed_tensor tensor{};
  std::int64_t extents[Rank == 0 ? 1 : Rank]{};
  std::int64_t strides[Rank == 0 ? 1 : Rank]{};
  device_view<T, Rank, Port> view;
};

/// The tensor of another library, and the stream, that a view of it keeps.
template <class Port>
struct imported_tensor {
  imported_tensor(const yoke::stream<Port>& of, const source_location& where) : stream(of.another(where)) {}
  dlpack::owner tensor{};
  yoke::stream<Port> stream;
};

template <class Port>
[[nodiscard]] std::int32_t ordinal_of(const stream<Port>& stream, const source_location& where) {
  const auto device = stream.device_of();
  const auto all = device.port().devices(where);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == device.native_handle()) return static_cast<std::int32_t>(i);
  }
  return 0;
}
template <class Port>
[[nodiscard]] dlpack::device tensor_device(const stream<Port>& stream, const source_location& where) {
  const bool cuda = is_cuda(stream.device_of().backend_name());
  return {cuda ? dlpack::device_type::cuda : dlpack::device_type::opencl, ordinal_of(stream, where)};
}

}  // namespace detail

/// Returns: a tensor for another library, which keeps the view's memory alive. On OpenCL the data is the `cl_mem`, and
/// `byte_offset` gives the first element. The view's stream waits for other streams' work with the elements so far;
/// order the other library's work behind that stream.
/// Throws: `logic_error` for a view of a span, which does not own its memory, and for strides that are not multiples
/// of the element size, as those of struct members; `error`, `std::bad_alloc`.
/// Example: `auto* tensor = reinterpret_cast<DLManagedTensorVersioned*>(yoke::to_dlpack(a).release());`
template <class T, std::size_t Rank, class Port>
[[nodiscard]] dlpack::owner to_dlpack(const device_view<T, Rank, Port>& view,
                                      const source_location& where = source_location::current()) {
  const auto& order = view.stream(where);
  if (!view.keep_alive()) {
    detail::throw_no_tensor("the view keeps nothing alive: export an array, or a view of one", where);
  }
  for (std::size_t axis = 0; axis < Rank; ++axis) {
    if (view.strides()[axis] % static_cast<std::ptrdiff_t>(sizeof(T)) != 0) {
      detail::throw_no_tensor("strides of " + detail::strides_text(view.strides().data(), Rank) +
                                  " bytes are no multiples of elements of " + std::to_string(sizeof(T)) + " bytes",
                              where);
    }
  }
  detail::settle(view.memory(), std::is_const_v<T> ? detail::memory_use::reads : detail::memory_use::writes, where);
  auto* const made = new detail::exported_tensor<T, Rank, Port>(view);
  dlpack::owner result(&made->tensor);
  dlpack::tensor& to = made->tensor.dl_tensor;
  if (!view.empty()) to.data = reinterpret_cast<void*>(detail::number_of_handle(view.memory().memory));
  to.device = detail::tensor_device(order, where);
  to.ndim = static_cast<std::int32_t>(Rank);
  to.dtype = detail::tensor_type<std::remove_const_t<T>>();
  for (std::size_t axis = 0; axis < Rank; ++axis) {
    made->extents[axis] = static_cast<std::int64_t>(view.extent(axis));
    made->strides[axis] = view.strides()[axis] / static_cast<std::ptrdiff_t>(sizeof(T));
  }
  to.shape = made->extents;
  to.strides = made->strides;
  to.byte_offset = view.empty() ? 0 : view.layout().offset_bytes();
  made->tensor.flags = std::is_const_v<T> ? dlpack::read_only : 0;
  return result;
}
template <class T, std::size_t Rank, class Port>
[[nodiscard]] dlpack::owner to_dlpack(device_array<T, Rank, Port>& array,
                                      const source_location& where = source_location::current()) {
  return to_dlpack(array.view(where), where);
}
/// The same for a temporary array: the tensor becomes its only owner, and is writable.
template <class T, std::size_t Rank, class Port>
[[nodiscard]] dlpack::owner to_dlpack(device_array<T, Rank, Port>&& array,
                                      const source_location& where = source_location::current()) {
  return to_dlpack(array.share(where), where);
}
template <class T, std::size_t Rank, class Port>
[[nodiscard]] dlpack::owner to_dlpack(const device_array<T, Rank, Port>& array,
                                      const source_location& where = source_location::current()) {
  return to_dlpack(array.view(where), where);
}

/// Returns: a view of another library's tensor. The view keeps the tensor and the stream alive. Nothing waits: order
/// that stream behind the other library's work, and other streams behind it. `T` is const for a read-only tensor.
/// Throws: `logic_error` for another type, rank, version or device, for fields that contradict each other, and on
/// OpenCL for memory of another context and elements outside the memory; the caller then keeps the tensor.
template <class T, std::size_t Rank, class Port>
[[nodiscard]] device_view<T, Rank, Port> from_dlpack(dlpack::managed_tensor* taken, const stream<Port>& stream,
                                                     const source_location& where = source_location::current()) {
  using value_type = std::remove_const_t<T>;
  const dlpack::device on = detail::tensor_device(stream, where);
  detail::check_tensor(taken, detail::tensor_type<value_type>(), Rank, on, !std::is_const_v<T>, where);
  const dlpack::tensor& from = taken->dl_tensor;
  yoke::shape<Rank> extents;
  for (std::size_t axis = 0; axis < Rank; ++axis) extents[axis] = static_cast<std::size_t>(from.shape[axis]);
  array_layout<Rank> layout(extents, sizeof(T), array_order::c, where);
  auto strides = layout.strides();
  if (from.strides != nullptr && !layout.empty()) {
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      if (extents[axis] == 1) continue;  // its stride has no effect, and may have any value
      strides[axis] = static_cast<std::ptrdiff_t>(from.strides[axis]) * static_cast<std::ptrdiff_t>(sizeof(T));
    }
  }
  const detail::byte_footprint bytes = detail::footprint_of({extents.begin(), strides.data(), Rank}, sizeof(T));
  auto base = reinterpret_cast<std::uintptr_t>(from.data);
  std::size_t offset = from.byte_offset;
  if (on.type == dlpack::device_type::cuda) {  // CUDA's address may be that of the lowest element
    base = base + offset - static_cast<std::size_t>(-bytes.first);
    offset = static_cast<std::size_t>(-bytes.first);
  }
  layout = array_layout<Rank>(extents, strides, offset, sizeof(T), where);
  using handle = typename Port::memory_handle;
  const auto end = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(offset) + bytes.last);
  if (on.type == dlpack::device_type::opencl && !layout.empty()) {  // on CUDA all share one context
    (void)device_allocation<std::byte, Port>::borrow(stream.context_of(), detail::handle_of_number<handle>(base), end,
                                                     where);
  }
  auto kept = detail::make_shared<detail::imported_tensor<Port>>(stream, where);
  const detail::array_memory<Port> memory{detail::handle_of_number<handle>(base), end,
                                          stream.context_of().native_handle()};
  kept->tensor = dlpack::owner(taken);  // from here on nothing throws
  const yoke::stream<Port>& order = kept->stream;
  return {memory, order, layout, kept_alive(kept)};
}

/// The same for an owner, which keeps the tensor if this function throws.
template <class T, std::size_t Rank, class Port>
[[nodiscard]] device_view<T, Rank, Port> from_dlpack(dlpack::owner&& taken, const stream<Port>& stream,
                                                     const source_location& where = source_location::current()) {
  auto view = from_dlpack<T, Rank>(taken.get(), stream, where);
  (void)taken.release();
  return view;
}

/// Returns: the fields of the CUDA array interface for a view. The view must live as long as they are used. Its stream
/// waits for other streams' work with the elements so far.
/// Throws: `logic_error` on other backends than CUDA, and for `bfloat16`, which the interface lacks; `error`.
template <class T, std::size_t Rank, class Port>
[[nodiscard]] cuda_array_interface to_cuda_array_interface(const device_view<T, Rank, Port>& view,
                                                           const source_location& where = source_location::current()) {
  using value_type = std::remove_const_t<T>;
  static_assert(!std::same_as<value_type, bfloat16>, "the CUDA array interface has no bfloat16");
  const auto& order = view.stream(where);
  if (!detail::is_cuda(order.device_of().backend_name())) {
    detail::throw_no_tensor("the CUDA array interface is for CUDA's memory", where);
  }
  detail::settle(view.memory(), std::is_const_v<T> ? detail::memory_use::reads : detail::memory_use::writes, where);
  cuda_array_interface to;
  to.shape.assign(view.shape().begin(), view.shape().end());
  to.strides.assign(view.strides().begin(), view.strides().end());
  constexpr dlpack::data_type type = detail::tensor_type<value_type>();
  constexpr const char* letters[] = {"<i", "<u", "<f", "", "", "<c", "|b"};
  to.typestr = letters[static_cast<std::size_t>(type.code)] + std::to_string(sizeof(T));
  if (sizeof(T) == 1) to.typestr[0] = '|';
  if (!view.empty()) to.data = detail::number_of_handle(view.memory().memory) + view.layout().offset_bytes();
  to.read_only = std::is_const_v<T>;
  const std::uint64_t native = detail::number_of_handle(order.native_handle());
  to.stream = native == 0 ? 1 : native;
  return to;
}
template <class T, std::size_t Rank, class Port>
[[nodiscard]] cuda_array_interface to_cuda_array_interface(device_array<T, Rank, Port>& array,
                                                           const source_location& where = source_location::current()) {
  return to_cuda_array_interface(array.view(where), where);
}
template <class T, std::size_t Rank, class Port>
[[nodiscard]] cuda_array_interface to_cuda_array_interface(const device_array<T, Rank, Port>& array,
                                                           const source_location& where = source_location::current()) {
  return to_cuda_array_interface(array.view(where), where);
}

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/storage/dlpack.ipp>
#endif

#endif

// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/program.hpp: kernels, what they say about themselves, launches.
#ifndef YOKE_DRIVER_CUDA_IMPL_KERNEL_IPP
#define YOKE_DRIVER_CUDA_IMPL_KERNEL_IPP

#include <yoke/driver/cuda/impl/mangled_names.ipp>
#include <yoke/driver/cuda/impl/references.ipp>
#include <yoke/driver/cuda/program.hpp>
#include <yoke/driver/impl/shape_limits.ipp>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

namespace yoke::inline YOKE_ABI::cuda {

namespace detail {

// What a block may have of dynamic shared memory without asking.
inline constexpr std::size_t default_dynamic_shared = 48 * 1024;

/// Returns: every kernel of a library; none where the driver (before 12.4) cannot say.
YOKE_INLINE std::vector<abi::kernel> kernels_of(const abi::functions* table, abi::library library,
                                                const source_location& where) {
  std::vector<abi::kernel> kernels;
  if (table->library_get_kernel_count == nullptr || table->library_enumerate_kernels == nullptr) return kernels;
  abi::uint count = 0;
  invoke<&abi::functions::library_get_kernel_count>(table, where, &count, library);
  kernels.resize(count);
  if (count != 0) {
    invoke<&abi::functions::library_enumerate_kernels>(table, where, kernels.data(), count, library);
  }
  return kernels;
}
/// Returns: a kernel's name in the image; "" where the driver (before 12.3) cannot say.
YOKE_INLINE std::string name_of(const abi::functions* table, abi::kernel kernel, const source_location& where) {
  const char* name = nullptr;
  if (table->kernel_get_name == nullptr) return "";
  invoke<&abi::functions::kernel_get_name>(table, where, &name, kernel);
  return name == nullptr ? "" : name;
}

/// The parameters of a launch: their addresses, and the places of local memory in the dynamic block.
class parameter_list {
 public:
  explicit parameter_list(std::span<const kernel_argument> arguments) {
    void** to = pointers_.data();
    abi::uint* place = places_.data();
    if (arguments.size() > pointers_.size()) [[unlikely]] {
      more_pointers_.reset(new void*[arguments.size()]);
      more_places_.reset(new abi::uint[arguments.size()]);
      to = more_pointers_.get();
      place = more_places_.get();
    }
    first_ = to;
    for (const kernel_argument& argument : arguments) {
      switch (argument.kind) {
        case argument_kind::value:
        case argument_kind::memory: *to++ = const_cast<void*>(argument.data); break;
        case argument_kind::svm_pointer: *to++ = const_cast<const void**>(&argument.data); break;
        case argument_kind::local:
          shared_bytes = (shared_bytes + 15) / 16 * 16;
          *place = static_cast<abi::uint>(shared_bytes);
          *to++ = place++;
          if (__builtin_add_overflow(shared_bytes, argument.bytes, &shared_bytes)) [[unlikely]] {
            shared_bytes = (std::numeric_limits<std::size_t>::max)() / 2;
          }
          break;
      }
    }
  }
  parameter_list(const parameter_list&) = delete;
  parameter_list& operator=(const parameter_list&) = delete;
  [[nodiscard]] void** get() const noexcept { return first_; }

  std::size_t shared_bytes = 0;

 private:
  std::array<void*, 32> pointers_;
  std::array<abi::uint, 32> places_;
  std::unique_ptr<void*[]> more_pointers_;
  std::unique_ptr<abi::uint[]> more_places_;
  void** first_ = nullptr;
};

/// Effects: says in words which limit a refused launch breaks. Throws: always.
[[noreturn]] YOKE_INLINE void explain_launch(const program_functions& port, abi::status status,
                                             const program_functions::call_type& call, std::size_t shared_bytes,
                                             const source_location& where) {
  std::string why = yoke::detail::broken_shape_limit(call.shape, *call.limits);
  const std::size_t threads = call.shape.block.x * call.shape.block.y * call.shape.block.z;
  constexpr std::size_t largest_grid[3] = {2147483647, 65535, 65535};
  const std::size_t grid[3] = {call.shape.grid.x, call.shape.grid.y, call.shape.grid.z};
  for (std::size_t i = 0; i < 3 && why.empty(); ++i) {
    if (grid[i] > largest_grid[i]) why = text("grid ", grid[i], " exceeds ", largest_grid[i], " in axis ", i);
  }
  if (why.empty()) {
    const kernel_limits kernel = port.limits(call.kernel, port.stream_device(call.stream, where), where);
    if (threads > kernel.max_block) {
      why = text("block ", threads, " exceeds this kernel's ", kernel.max_block, " on this device");
    }
  }
  if (why.empty()) {
    why = text("grid {", grid[0], ", ", grid[1], ", ", grid[2], "} of blocks {", call.shape.block.x, ", ",
               call.shape.block.y, ", ", call.shape.block.z, "} with ", shared_bytes, " bytes of local memory");
  }
  // The driver's word for every refused shape is "invalid value".
  if (status == abi::error_invalid_value) {
    throw launch_error(make_error_code(errc::launch_failed), "cuLaunchKernel", why, where);
  }
  throw_failure(status, "cuLaunchKernel", why, where);
}

}  // namespace detail

YOKE_INLINE std::vector<std::string> program_functions::kernel_names(abi::library module,
                                                                     const source_location& where) const {
  std::vector<std::string> names;
  for (const abi::kernel kernel : detail::kernels_of(table_, module, where)) {
    names.push_back(detail::name_of(table_, kernel, where));
  }
  return names;
}

YOKE_INLINE abi::kernel program_functions::create_kernel(abi::library module, const char* name,
                                                         const source_location& where) const {
  abi::kernel kernel = nullptr;
  const abi::status status = table_->library_get_kernel(&kernel, module, name);
  if (status == abi::success) return kernel;
  if (status != abi::error_not_found) {
    detail::throw_failure(status, "cuLibraryGetKernel", std::string("kernel \"") + name + "\"", where);
  }
  // A C++ kernel goes by its mangled name; its own is as good where it says which one is meant.
  std::string list;
  std::vector<abi::kernel> found;
  for (const abi::kernel each : detail::kernels_of(table_, module, where)) {
    const std::string readable = detail::demangled(detail::name_of(table_, each, where));
    if (detail::base_name(readable) == name) found.push_back(each);
    list += " " + readable;
  }
  if (found.size() == 1) return found.front();
  throw logic_error(
      {status, error_category()}, "cuLibraryGetKernel",
      std::string(found.empty() ? "no kernel \"" : "several kernels \"") + name + "\" in this module; it has:" + list,
      where);
}
YOKE_INLINE abi::kernel program_functions::adopt_kernel(abi::library module, abi::kernel kernel, bool,
                                                        const source_location& where) const {
  if (table_->kernel_get_library != nullptr) {
    abi::library of = nullptr;
    detail::invoke<&abi::functions::kernel_get_library>(table_, where, &of, kernel);
    if (of != module) detail::throw_error(errc::wrong_context, "the native kernel is of another module", where);
  }
  return kernel;
}

YOKE_INLINE kernel_signature program_functions::signature(abi::context context, abi::kernel kernel,
                                                          const source_location& where) const {
  const detail::current_context scope(table_, context, where);  // only there the driver has loaded it
  kernel_signature result;
  result.counted = false;
  if (table_->kernel_get_param_info != nullptr) {
    std::size_t offset = 0;
    std::size_t bytes = 0;
    abi::status status = abi::success;
    while ((status = table_->kernel_get_param_info(kernel, result.count, &offset, &bytes)) == abi::success) {
      ++result.count;
    }
    // Behind the last parameter the driver answers "invalid value".
    if (status != abi::error_invalid_value) detail::throw_failure(status, "cuKernelGetParamInfo", "", where);
    result.counted = true;
  }
  std::vector<parameter_info> parameters;
  if (!detail::parse_parameters(detail::demangled(detail::name_of(table_, kernel, where)), parameters)) return result;
  if (result.counted && parameters.size() != result.count) return result;
  result.count = parameters.size();
  result.counted = true;
  result.parameters = std::move(parameters);
  result.described = true;
  return result;
}

YOKE_INLINE bool program_functions::accepts(abi::context context, abi::kernel kernel,
                                            std::span<const kernel_argument> arguments,
                                            const source_location& where) const {
  if (table_->kernel_get_param_info == nullptr) return true;
  const detail::current_context scope(table_, context, where);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::size_t offset = 0;
    std::size_t bytes = 0;
    const abi::status status = table_->kernel_get_param_info(kernel, i, &offset, &bytes);
    if (status == abi::error_invalid_value) return false;
    if (status != abi::success) detail::throw_failure(status, "cuKernelGetParamInfo", "", where);
    const bool local = arguments[i].kind == argument_kind::local;  // its place in the dynamic block
    if (bytes != (local ? sizeof(abi::uint) : arguments[i].bytes)) return false;
  }
  return true;
}

YOKE_INLINE kernel_limits program_functions::limits(abi::kernel kernel, device_id device,
                                                    const source_location& where) const {
  const auto attribute = [&](abi::function_attribute which) {
    int value = 0;
    detail::invoke<&abi::functions::kernel_get_attribute>(table_, where, &value, which, kernel, device.native());
    return static_cast<std::size_t>(value);
  };
  kernel_limits result;
  result.max_block = attribute(abi::function_attribute::max_threads_per_block);
  result.static_local_bytes = attribute(abi::function_attribute::shared_size_bytes);
  result.private_bytes = attribute(abi::function_attribute::local_size_bytes);
  result.preferred_multiple = 32;  // a warp
  return result;
}

YOKE_INLINE void program_functions::allow_dynamic_shared(const call_type& call, std::size_t bytes,
                                                         const source_location& where) const {
  const device_id device = stream_device(call.stream, where);
  const std::size_t fixed = limits(call.kernel, device, where).static_local_bytes;
  if (bytes + fixed > call.limits->local_memory_bytes) {
    detail::throw_error(errc::launch_failed,
                        detail::text("local memory of ", bytes + fixed, " bytes (", fixed, " in the kernel, ", bytes,
                                     " in local arguments) exceeds this device's ", call.limits->local_memory_bytes),
                        where);
  }
  int allowed = 0;
  detail::invoke<&abi::functions::kernel_get_attribute>(
      table_, where, &allowed, abi::function_attribute::max_dynamic_shared_size_bytes, call.kernel, device.native());
  if (static_cast<std::size_t>(allowed) >= bytes) return;
  detail::invoke<&abi::functions::kernel_set_attribute>(table_, where,
                                                        abi::function_attribute::max_dynamic_shared_size_bytes,
                                                        static_cast<int>(bytes), call.kernel, device.native());
}

YOKE_INLINE void program_functions::launch(const call_type& call, const source_location& where) const {
  const launch_shape& shape = call.shape;
  if ((shape.global_offset.x | shape.global_offset.y | shape.global_offset.z) != 0) [[unlikely]] {
    detail::throw_error(errc::launch_failed, "a global offset is OpenCL's: CUDA has none", where);
  }
  detail::parameter_list parameters(call.arguments);
  const std::size_t shared = parameters.shared_bytes + shape.local_bytes;
  if (shared > detail::default_dynamic_shared) [[unlikely]]
    allow_dynamic_shared(call, shared, where);
  constexpr std::size_t most = (std::numeric_limits<abi::uint>::max)();
  const std::size_t counts[] = {shape.grid.x, shape.grid.y, shape.grid.z, shape.block.x, shape.block.y, shape.block.z};
  if (*std::max_element(std::begin(counts), std::end(counts)) > most) [[unlikely]] {
    detail::explain_launch(*this, abi::error_invalid_value, call, shared, where);
  }
  if (!call.after.empty()) wait_in_stream(call.stream, call.after, where);
  const auto n = [](std::size_t count) { return static_cast<abi::uint>(count); };
  const abi::status status = table_->launch_kernel(reinterpret_cast<abi::function>(call.kernel), n(shape.grid.x),
                                                   n(shape.grid.y), n(shape.grid.z), n(shape.block.x), n(shape.block.y),
                                                   n(shape.block.z), n(shared), call.stream, parameters.get(), nullptr);
  if (status != abi::success) [[unlikely]]
    detail::explain_launch(*this, status, call, shared, where);
  if (call.done != nullptr) *call.done = record_event(call.stream, abi::event_disable_timing, where);
}

}  // namespace yoke::inline YOKE_ABI::cuda

#endif

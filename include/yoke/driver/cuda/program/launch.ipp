// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/program/launch.hpp: launches, and why one was refused.
#ifndef YOKE_DRIVER_CUDA_PROGRAM_LAUNCH_IPP
#define YOKE_DRIVER_CUDA_PROGRAM_LAUNCH_IPP

#include <yoke/driver/cuda/program/launch.hpp>

#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/device_info.hpp>
#include <yoke/driver/cuda/event.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/port.hpp>
#include <yoke/driver/cuda/program/kernel.hpp>
#include <yoke/driver/cuda/program/occupancy.hpp>
#include <yoke/driver/cuda/program/parameter_list.hpp>
#include <yoke/driver/cuda/references.hpp>
#include <yoke/driver/cuda/stream.hpp>
#include <yoke/driver/shape_limits.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <mutex>
#include <string>

namespace yoke::inline v0_1::cuda {

namespace detail {

/// Returns: "{4, 2, 1}".
std::string extent_text(const extent3& extent) { return text("{", extent.x, ", ", extent.y, ", ", extent.z, "}"); }
std::size_t volume(const extent3& extent) noexcept { return extent.x * extent.y * extent.z; }

/// A refused launch, with the parts of the port that know its limits.
struct refused_launch {
  const abi::functions* table;
  const kernel_functions& kernels;
  const occupancy_functions& occupancy;
  const launch_functions::call_type& call;
  abi::context in;
  std::size_t shared_bytes;
  const source_location& where;

  [[nodiscard]] device_id device() const { return device_id(device_of(table, in, where)); }
};

/// Returns: the limit that a launch's cluster breaks; "" if there is none.
std::string broken_cluster_limit(const refused_launch& of) {
  const launch_shape& shape = of.call.shape;
  const extent3& cluster = shape.cluster;
  if (!shape.has_cluster()) return "";
  const std::string name = "cluster " + extent_text(cluster);
  if (volume(cluster) == 0) return name + " has an extent of 0";
  const device_id device = of.device();
  if (!try_get(*of.table, device.native(), info::cluster_launch, of.where).value_or(false)) {
    return name + " is more than this device can do: clusters need compute capability 9.0";
  }
  if (shape.grid.x % cluster.x != 0 || shape.grid.y % cluster.y != 0 || shape.grid.z % cluster.z != 0) {
    return name + " does not divide the grid " + extent_text(shape.grid);
  }
  const int most = of.occupancy.max_cluster(of.in, of.call.kernel->native, shape, of.where);
  if (volume(cluster) <= static_cast<std::size_t>((std::max)(most, 0))) return "";
  return text(name, " has ", volume(cluster), " blocks, more than this kernel's ", most,
              " (more than 8 need kernel_info::non_portable_cluster)");
}

/// Returns: why a cooperative launch was too large.
std::string broken_cooperative_limit(const refused_launch& of) {
  const device_id device = of.device();
  const std::size_t threads = volume(of.call.shape.block);
  const int each =
      of.occupancy.active_blocks(of.in, of.call.kernel->native, static_cast<int>(threads), of.shared_bytes, of.where);
  const int multiprocessors = get(*of.table, device.native(), info::multiprocessor_count, of.where);
  return text("a cooperative grid of ", volume(of.call.shape.grid), " blocks exceeds the ", each * multiprocessors,
              " that are resident at once: ", each, " of ", threads, " threads on each of ", multiprocessors,
              " multiprocessors");
}

/// Returns: a description of the limit that a refused launch breaks.
std::string broken_limit(const refused_launch& of, abi::status status) {
  const launch_shape& shape = of.call.shape;
  std::string why = yoke::detail::broken_shape_limit({.grid = shape.grid, .block = shape.block}, *of.call.limits);
  constexpr std::size_t largest_grid[3] = {2147483647, 65535, 65535};
  constexpr const char* axes[3] = {"x", "y", "z"};
  const std::size_t grid[3] = {shape.grid.x, shape.grid.y, shape.grid.z};
  for (std::size_t i = 0; i < 3 && why.empty(); ++i) {
    if (grid[i] > largest_grid[i]) why = text("grid ", grid[i], " exceeds ", largest_grid[i], " in ", axes[i]);
  }
  const std::size_t threads = volume(shape.block);
  if (why.empty()) {
    const kernel_limits kernel = of.kernels.limits_of_kernel(of.call.kernel, of.device(), of.where);
    if (threads > kernel.max_block) {
      why = text("block ", threads, " exceeds this kernel's ", kernel.max_block, " on this device");
    }
  }
  if (why.empty() && status == abi::error_cooperative_launch_too_large) why = broken_cooperative_limit(of);
  if (why.empty()) why = broken_cluster_limit(of);
  if (!why.empty()) return why;
  return text("grid ", extent_text(shape.grid), " of blocks ", extent_text(shape.block), " with ", of.shared_bytes,
              " bytes of local memory");
}

/// Serialises raises of the limit: if two threads raise it, the larger value stays.
std::mutex& dynamic_shared_mutex() {
  static std::mutex* const once = new std::mutex;
  return *once;
}

}  // namespace detail

void launch_functions::explain_refusal(abi::status status, const char* call_name, const call_type& call,
                                       std::size_t shared_bytes, abi::context in, const source_location& where) const {
  std::string why;
  // A failed context cannot be queried.
  if (!detail::is_sticky(status)) {
    if (in == nullptr) in = detail::context_of(table(), call.stream, where);
    why = detail::broken_limit(
        {table(), part<kernel_functions>(), part<occupancy_functions>(), call, in, shared_bytes, where}, status);
  }
  // The driver returns "invalid value" for every refused shape.
  if (status == abi::error_invalid_value)
    throw launch_error(make_error_code(errc::launch_failed), call_name, why, where);
  detail::throw_failure(status, call_name, why, where);
}

bool launch_functions::allow_dynamic_shared(const call_type& call, device_id device, std::size_t bytes,
                                            const source_location& where) const {
  const abi::kernel kernel = call.kernel->native;
  const auto& kernels = part<kernel_functions>();
  const auto attribute_of = [&](abi::function_attribute which) {
    return static_cast<std::size_t>((std::max)(kernels.attribute(kernel, device, which, where), 0));
  };
  const std::lock_guard lock(detail::dynamic_shared_mutex());
  const std::size_t fixed = attribute_of(abi::function_attribute::shared_size_bytes);
  std::size_t allowed = attribute_of(abi::function_attribute::max_dynamic_shared_size_bytes);
  // Until raised, 48 KiB covers static plus dynamic, whatever number the driver reports.
  constexpr std::size_t together = 48 * 1024;
  if (allowed <= together && allowed + fixed > together) allowed = together - (std::min)(fixed, together);
  const bool raise = allowed < bytes;
  if (raise) {
    const std::size_t most = call.limits->local_memory_bytes;
    if (fixed > most || bytes > most - fixed) {
      const std::size_t by_shape = call.shape.local_bytes;
      const std::string arguments = detail::text(", ", bytes - by_shape, " in local arguments");
      detail::throw_error(errc::launch_failed, where, "local memory of ", bytes + fixed, " bytes (", fixed,
                          " in the kernel", by_shape == bytes && bytes != 0 ? "" : arguments,
                          by_shape == 0 ? "" : detail::text(", ", by_shape, " of .local_bytes"),
                          ") exceeds this device's ", most);
    }
    allowed = most - fixed;  // the maximum: this is only a limit, a launch uses what it asks for
    kernels.set_attribute(kernel, device, abi::function_attribute::max_dynamic_shared_size_bytes,
                          static_cast<int>(allowed), where);
  }
  call.kernel->dynamic_shared.store(allowed, yoke::detail::order::relaxed);
  return raise;
}

abi::status launch_functions::launch_native(const call_type& call, std::size_t shared_bytes,
                                            void** parameters) const noexcept {
  const launch_shape& shape = call.shape;
  const auto n = [](std::size_t count) { return static_cast<abi::uint>(count); };
  // The driver accepts a kernel in place of its function in the stream's context.
  const auto function = reinterpret_cast<abi::function>(call.kernel->native);
  if (shape.is_plain()) [[likely]] {
    return table()->launch_kernel(function, n(shape.grid.x), n(shape.grid.y), n(shape.grid.z), n(shape.block.x),
                                  n(shape.block.y), n(shape.block.z), n(shared_bytes), call.stream, parameters,
                                  nullptr);
  }
  abi::launch_attribute attributes[3] = {};
  abi::uint count = 0;
  const auto add = [&](abi::launch_attribute_id id) -> abi::launch_attribute_value& {
    attributes[count].id = id;
    return attributes[count++].value;
  };
  if (shape.cooperative) add(abi::launch_attribute_id::cooperative).cooperative = 1;
  if (shape.has_cluster()) {
    add(abi::launch_attribute_id::cluster_dimension).cluster = {n(shape.cluster.x), n(shape.cluster.y),
                                                                n(shape.cluster.z)};
  }
  if (shape.priority) add(abi::launch_attribute_id::priority).priority = *shape.priority;
  const abi::launch_config config{
      n(shape.grid.x),  n(shape.grid.y), n(shape.grid.z), n(shape.block.x), n(shape.block.y),
      n(shape.block.z), n(shared_bytes), call.stream,     attributes,       count};
  return table()->launch_kernel_ex(&config, function, parameters, nullptr);
}

void launch_functions::explain_launch(abi::status status, const call_type& call, std::size_t shared_bytes,
                                      const source_location& where) const {
  explain_refusal(status, call.shape.is_plain() ? "cuLaunchKernel" : "cuLaunchKernelEx", call, shared_bytes, nullptr,
                  where);
}

void launch_functions::launch_again(abi::status status, const call_type& call, std::size_t shared_bytes,
                                    void** parameters, const source_location& where) const {
  // Other code may have lowered the limit since.
  if (status == abi::error_invalid_value && shared_bytes != 0 &&
      allow_dynamic_shared(call, part<stream_functions>().stream_device(call.stream, where), shared_bytes, where)) {
    status = launch_native(call, shared_bytes, parameters);
  }
  if (status != abi::success) explain_launch(status, call, shared_bytes, where);
}

void launch_functions::launch_refused(direct_outcome outcome, detail::kernel_record* kernel, abi::stream stream,
                                      const launch_shape& shape, const void* const* places, const argument_sizes&,
                                      const device_limits& limits, const source_location& where) const {
  launch_again(outcome.code, {kernel, stream, &limits, shape}, shape.local_bytes, const_cast<void**>(places), where);
}

void launch_functions::launch(const call_type& call, const source_location& where) const {
  const launch_shape& shape = call.shape;
  detail::parameter_list parameters(call.arguments);
  const std::size_t shared = parameters.shared_bytes + shape.local_bytes;
  if (shared > call.kernel->dynamic_shared.load(yoke::detail::order::relaxed)) [[unlikely]] {
    (void)allow_dynamic_shared(call, part<stream_functions>().stream_device(call.stream, where), shared, where);
  }
  constexpr std::size_t most = (std::numeric_limits<abi::uint>::max)();
  const std::size_t counts[] = {shape.grid.x,  shape.grid.y,    shape.grid.z,    shape.block.x,  shape.block.y,
                                shape.block.z, shape.cluster.x, shape.cluster.y, shape.cluster.z};
  if (*std::max_element(std::begin(counts), std::end(counts)) > most) [[unlikely]] {
    explain_launch(abi::error_invalid_value, call, shared, where);
  }
  if (!call.after.empty()) part<stream_functions>().wait_in_stream(call.stream, call.after, where);
  const abi::status status = launch_native(call, shared, parameters.get());
  if (status != abi::success) [[unlikely]]
    launch_again(status, call, shared, parameters.get(), where);
  if (call.done != nullptr) {
    *call.done =
        detail::record_event(table(), call.stream, call.timed ? abi::event_default : abi::event_disable_timing, where);
  }
}

}  // namespace yoke::inline v0_1::cuda

#endif

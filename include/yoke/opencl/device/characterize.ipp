// SPDX-License-Identifier: MIT
// Bodies of opencl/device/characterize.hpp.
#ifndef YOKE_OPENCL_DEVICE_CHARACTERIZE_IPP
#define YOKE_OPENCL_DEVICE_CHARACTERIZE_IPP

#include <yoke/opencl/device/characterize.hpp>
#include <yoke/program/compile.hpp>

#include <algorithm>

namespace yoke::inline v0_1::opencl::characterize {

namespace detail {
inline bool is_nvidia(const device_facts& of) noexcept { return of.vendor.find("NVIDIA") != std::string::npos; }
inline bool is_amd(const device_facts& of) noexcept {
  return of.vendor.find("AMD") != std::string::npos || of.vendor.find("Advanced Micro Devices") != std::string::npos;
}
}  // namespace detail

device_facts facts_of(const device& of, const source_location& where) {
  device_facts facts;
  const device_summary summary = of.summary(where);
  facts.kind = summary.kind;
  facts.vendor = summary.vendor;
  facts.warp_size = try_get(of, info::warp_size_nv, where);
  facts.wavefront_width = try_get(of, info::wavefront_width_amd, where);
  const auto major = try_get(of, info::compute_capability_major_nv, where);
  const auto minor = try_get(of, info::compute_capability_minor_nv, where);
  if (major && minor) facts.compute_capability = 10 * *major + *minor;
  constexpr std::uint32_t global = 2;  // CL_GLOBAL
  facts.local_is_global = get(of, info::local_mem_type, where) == global;
  facts.local_bytes = get(of, info::local_mem_size, where);
  return facts;
}

std::optional<unsigned> simd_group_size(const device_facts& of) {
  if (of.warp_size) return of.warp_size;
  if (of.wavefront_width) return of.wavefront_width;
  if (detail::is_nvidia(of)) return 32;
  if (of.kind == device_kind::cpu) return 1;
  return std::nullopt;
}
unsigned simultaneous_local_access(const device_facts& of) noexcept {
  if (of.compute_capability) return *of.compute_capability < 20 ? 16 : 32;
  return of.kind == device_kind::cpu ? 1 : 16;
}
std::optional<unsigned> local_bank_count(const device_facts& of) noexcept {
  if (of.compute_capability) return *of.compute_capability < 20 ? 16 : 32;
  if (of.local_is_global) return std::nullopt;
  return 16;
}
std::uint64_t usable_local_bytes(const device_facts& of, std::optional<unsigned> parameters) noexcept {
  if (!of.compute_capability || *of.compute_capability >= 20) return of.local_bytes;
  const std::uint64_t taken = parameters ? std::uint64_t{4} * *parameters : 256;
  return of.local_bytes - std::min(of.local_bytes, taken);
}
std::vector<std::string> fast_inaccurate_options(const device_facts& of) {
  std::vector<std::string> options{"-cl-mad-enable", "-cl-fast-relaxed-math", "-cl-no-signed-zeros"};
  if (detail::is_nvidia(of) || detail::is_amd(of)) options.emplace_back("-cl-strict-aliasing");
  return options;
}

bank_conflict local_access_conflict(const device_facts& of, std::size_t element_bytes,
                                    std::span<const std::size_t> shape, std::span<const std::size_t> stored,
                                    const source_location& where) {
  if (element_bytes == 0) yoke::detail::throw_error(errc::invalid_argument, "elements have 0 bytes", where);
  if (stored.empty()) stored = shape;
  if (stored.size() != shape.size()) {
    yoke::detail::throw_error(errc::size_mismatch, where, "the shape has ", shape.size(), " axes, the stored one ",
                              stored.size());
  }
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 0 && shape[i] <= stored[i]) continue;
    yoke::detail::throw_error(errc::size_mismatch, where, "axis ", i, " has ", shape[i], " elements of ", stored[i],
                              " stored ones");
  }
  const std::optional<unsigned> banks = local_bank_count(of);
  if (!banks) return {};
  constexpr std::size_t word = 4;  // a bank serves one word at a time
  const std::size_t rank = shape.size();
  bank_conflict worst;
  std::vector<std::string> users(*banks);
  std::vector<unsigned> uses(*banks);
  for (std::size_t fastest = rank; fastest-- > 0;) {  // the axis along which work-items are consecutive
    std::fill(users.begin(), users.end(), std::string());
    std::fill(uses.begin(), uses.end(), 0u);
    for (unsigned item = 0; item < simultaneous_local_access(of); ++item) {
      std::size_t left = item;
      std::size_t stride = element_bytes;
      std::size_t address = 0;
      std::string index;
      for (std::size_t axis = rank; axis-- > 0;) {
        std::size_t at = 0;
        if (axis <= fastest) {
          at = left % shape[axis];
          left /= shape[axis];
        }
        address += at * stride;
        stride *= stored[axis];
        index = index.empty() ? yoke::detail::text(at) : yoke::detail::text(at, ", ", index);
      }
      if (left != 0) continue;  // outside the array
      const std::size_t bank = address / word % *banks;
      ++uses[bank];
      users[bank] += yoke::detail::text(users[bank].empty() ? "" : ", ", "work-item ", item, " -> {", index, "}");
    }
    for (std::size_t bank = 0; bank < *banks; ++bank) {
      if (uses[bank] <= worst.multiplicity) continue;
      worst.multiplicity = uses[bank];
      worst.reason =
          yoke::detail::text(uses[bank], " accesses to bank ", bank, " along axis ", fastest, ": ", users[bank]);
    }
  }
  return worst;
}

bool has_struct_argument_bug(const context& in, const source_location& where) {
  const module probe = yoke::compile(in,
                                     "typedef struct { long first; long second; } pair_of_longs;\n"
                                     "__kernel void probe(pair_of_longs pair) {}\n",
                                     {.language = source_language::native}, where);
  const port& with = in.port(where);
  const auto made = with.create_kernel(probe.native_handle(), "probe", where);
  struct release_it {
    const port& with;
    port::kernel_handle made;
    ~release_it() { yoke::detail::report_release(with, with.release_kernel(made)); }
  } const guard{with, made};
  return with.parameter_count(made, where) != 1;
}

std::string why_not(const kernel_limits& kernel, const device_limits& on, const launch_shape& shape,
                    std::size_t local_bytes) {
  const std::size_t sides[3] = {shape.block.x, shape.block.y, shape.block.z};
  constexpr const char* axes[3] = {"x", "y", "z"};
  if (kernel.required_block[0] != 0 && !std::equal(std::begin(sides), std::end(sides), kernel.required_block.begin())) {
    return yoke::detail::text("block {", sides[0], ", ", sides[1], ", ", sides[2], "} is not the {",
                              kernel.required_block[0], ", ", kernel.required_block[1], ", ", kernel.required_block[2],
                              "} that the kernel requires");
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (sides[i] == 0) return yoke::detail::text("block 0 in ", axes[i], ": the least is 1");
    if (on.max_block_extent[i] == 0 || sides[i] <= on.max_block_extent[i]) continue;
    return yoke::detail::text("block ", sides[i], " exceeds this device's ", on.max_block_extent[i], " in ", axes[i]);
  }
  std::size_t threads = 1;
  bool is_countable = true;
  for (const std::size_t side : sides) {
    is_countable = is_countable && side <= ~std::size_t{0} / threads;
    if (is_countable) threads *= side;
  }
  const std::string block = is_countable ? yoke::detail::text("block ", threads)
                                         : yoke::detail::text("block ", sides[0], " x ", sides[1], " x ", sides[2]);
  if (!is_countable || threads > on.max_block) {
    return yoke::detail::text(block, " exceeds this device's ", on.max_block);
  }
  if (threads > kernel.max_block) {
    return yoke::detail::text(block, " exceeds this kernel's ", kernel.max_block, " on this device");
  }
  const std::size_t most = on.local_memory_bytes;
  if (kernel.static_local_bytes > most || local_bytes > most - kernel.static_local_bytes) {
    return yoke::detail::text("local memory of ", kernel.static_local_bytes, " bytes in the kernel and ", local_bytes,
                              " in local arguments exceeds this device's ", most);
  }
  return "";
}

}  // namespace yoke::inline v0_1::opencl::characterize

#endif

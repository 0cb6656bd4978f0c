// SPDX-License-Identifier: MIT
// Limits by compute capability, and every attribute of a device.
#include "machine/device/device.hpp"

#include <yoke/driver/cuda/device_info.hpp>

#include <algorithm>

#include "machine/base/call.hpp"
#include "machine/base/settings.hpp"
#include "machine/base/state.hpp"

namespace yoke::simulator {

namespace {

struct attribute_facts {
  int code;
  int since;
};
constexpr attribute_facts known_attributes[] = {
#define YOKE_FACTS(own, constant, code, since, ...) {code, since},
    YOKE_CUDA_DEVICE_ATTRIBUTES(YOKE_FACTS)
#undef YOKE_FACTS
};

/// Codes 21 to 30, 42 to 49 and 52 to 74: textures and surfaces, the same on every recent device.
std::optional<int> texture_attribute(int code) {
  constexpr int from_21[] = {131072, 131072, 65536, 16384, 16384, 16384, 32768, 32768, 2048, 512};
  constexpr int from_42[] = {32768, 2048, 1, 32768, 32768, 8192, 8192, 32768};
  constexpr int from_52[] = {32768, 32768, 2046,  32768, 131072, 65536,     16384,  16384, 16384,   32768, 2048, 32768,
                             32768, 2048,  32768, 32768, 2046,   268435456, 131072, 65000, 2097120, 32768, 32768};
  if (code >= 21 && code <= 30) return from_21[code - 21];
  if (code >= 42 && code <= 49) return from_42[code - 42];
  if (code >= 52 && code <= 74) return from_52[code - 52];
  return std::nullopt;
}

/// Whether the simulator supports the feature with this attribute code.
bool is_supported(int code) {
  constexpr int supported[] = {
      15,   // overlap of copies and kernels
      19,   // mapped host memory
      31,   // concurrent kernels
      41,   // unified addressing
      78,   // stream priorities
      79,   // L1 caches for global
      80,   // and for local memory
      83,   // managed memory
      86,   // host atomics: it is one memory
      89,   // managed memory that the host uses while kernels run
      90,   // preemption
      91,   // registered memory under its own address
      95,   // cooperative launches
      99,   // registering host memory
      102,  // virtual memory
      103,  // shared by file descriptors
      113,  // read-only, too
      115,  // memory pools
      122,  // memory operations of 64 bits
      123,  // and their test nor
      125,  // events between processes
      129,  // unified function pointers
  };
  return std::find(std::begin(supported), std::end(supported), code) != std::end(supported);
}

std::optional<int> number_attribute(const device& of, int code) {
  const device_limits& limits = of.limits;
  switch (code) {
    case 1: return limits.threads_per_block;
    case 2:
    case 3: return block_limit_xy;
    case 4: return block_limit_z;
    case 5: return grid_limit_x;
    case 6:
    case 7: return grid_limit_yz;
    case 8: return limits.shared_per_block;
    case 9: return 65536;  // constant memory
    case 10: return warp_size;
    case 11: return 2147483647;  // pitch
    case 12:
    case 82: return limits.registers_per_multiprocessor;
    case 13: return 1000000;  // kHz; no claim about speed
    case 14: return 256;      // alignment of textures, which equals that of allocations
    case 16: return limits.multiprocessors;
    case 33: return of.ordinal + 1;  // PCI bus
    case 36: return 1000000;         // kHz, memory
    case 37: return 64;              // bits of the memory's bus
    case 38: return 4 << 20;         // L2 cache
    case 39: return limits.threads_per_multiprocessor;
    case 40: return 2;   // copy engines
    case 51: return 32;  // alignment of textures' pitches
    case 75: return the_settings().compute_capability / 10;
    case 76: return the_settings().compute_capability % 10;
    case 77: return 32768;  // width of mipmapped textures
    case 81: return limits.shared_per_multiprocessor;
    case 85: return of.ordinal;  // group of boards
    case 87: return 2;           // speed of float over double
    case 97: return limits.shared_per_block_optin;
    case 106: return limits.blocks_per_multiprocessor;
    case 111: return limits.shared_reserved;
    case 119: return static_cast<int>(abi::shared_handle_type::file_descriptor);  // for pools
    case 120: return limits.cluster_blocks > 0 ? 1 : 0;
    case 126: return 1;  // domains of memory synchronisation
    case 131:
    case 134: return -1;  // no NUMA node
    default: return std::nullopt;
  }
}

}  // namespace

device_limits limits_of(int compute_capability) {
  device_limits limits;
  const auto shared = [&](int kibibytes, int reserved) {
    limits.shared_per_multiprocessor = kibibytes * 1024;
    limits.shared_reserved = reserved;
    limits.shared_per_block_optin = kibibytes * 1024 - reserved;
  };
  if (compute_capability >= 120 || compute_capability == 89 || compute_capability == 86) {
    shared(100, 1024);
    limits.threads_per_multiprocessor = 1536;
    limits.blocks_per_multiprocessor = compute_capability == 86 ? 16 : 24;
  } else if (compute_capability >= 90) {
    shared(228, 1024);
  } else if (compute_capability >= 80) {
    shared(164, 1024);
  } else if (compute_capability >= 75) {
    shared(64, 0);
    limits.threads_per_multiprocessor = 1024;
    limits.blocks_per_multiprocessor = 16;
  } else {
    shared(96, 0);
  }
  if (compute_capability >= 90) {
    limits.cluster_blocks = 8;
    limits.cluster_blocks_optin = compute_capability >= 120 ? 8 : 16;
  }
  return limits;
}

device::device(int number)
    : ordinal(number), limits(limits_of(the_settings().compute_capability)), total_bytes(the_settings().memory_bytes) {}

std::optional<int> device::attribute(int code) const {
  for (const attribute_facts& each : known_attributes) {
    if (each.code != code || each.since > the_settings().driver_version) continue;
    if (const auto number = number_attribute(*this, code)) return number;
    if (const auto number = texture_attribute(code)) return number;
    return is_supported(code) ? 1 : 0;
  }
  return std::nullopt;
}

device& device_of(abi::device ordinal, abi::status otherwise) {
  std::vector<device>& all = state<device_state>().devices;
  require(ordinal >= 0 && static_cast<std::size_t>(ordinal) < all.size(), otherwise);
  return all[static_cast<std::size_t>(ordinal)];
}

}  // namespace yoke::simulator

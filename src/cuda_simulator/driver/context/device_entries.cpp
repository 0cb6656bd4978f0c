// SPDX-License-Identifier: MIT
// Entries about devices: names, attributes, primary contexts, pairs of devices.
#include <cstdio>
#include <cstring>

#include "driver/entries.hpp"
#include "machine/base/call.hpp"
#include "machine/base/state.hpp"
#include "machine/device/device.hpp"
#include "machine/memory/pools.hpp"

namespace yoke::simulator::entries {

namespace {

/// Effects: copies as much of the text as the buffer holds, with its end.
void give_text(const std::string& text, char* buffer, int size) {
  const std::size_t length = std::min(text.size(), static_cast<std::size_t>(size) - 1);
  std::memcpy(buffer, text.data(), length);
  buffer[length] = '\0';
}

std::string pci_name(const device& of) {
  char text[16];
  std::snprintf(text, sizeof text, "0000:%02X:00.0", static_cast<unsigned>(of.ordinal + 1));
  return text;
}

}  // namespace

abi::status device_get_count(int* count) {
  return entry([&] {
    require(count != nullptr);
    *count = static_cast<int>(state<device_state>().devices.size());
  });
}

abi::status device_get(abi::device* result, int ordinal) {
  return entry([&] {
    require(result != nullptr);
    *result = device_of(ordinal).ordinal;
  });
}

abi::status device_get_name(char* name, int size, abi::device of) {
  return entry([&] {
    device_of(of);
    require(name != nullptr && size > 0);
    give_text("yoke CUDA simulator", name, size);
  });
}

abi::status device_get_uuid(abi::uuid* result, abi::device of) {
  return entry([&] {
    const device& which = device_of(of);
    require(result != nullptr);
    std::memcpy(result->bytes, "yoke-simulator", 15);
    result->bytes[15] = static_cast<char>(which.ordinal);
  });
}

abi::status device_total_mem(std::size_t* bytes, abi::device of) {
  return entry([&] {
    const device& which = device_of(of);
    require(bytes != nullptr);
    *bytes = which.total_bytes;
  });
}

abi::status device_get_attribute(int* result, int code, abi::device of) {
  return entry([&] {
    const device& which = device_of(of);
    const auto value = which.attribute(code);
    require(result != nullptr && value.has_value());
    *result = *value;
  });
}

abi::status device_get_by_pci_bus_id(abi::device* result, const char* id) {
  return entry([&] {
    require(result != nullptr && id != nullptr);
    unsigned domain = 0, bus = 0, slot = 0, part = 0;
    // "domain:bus:device.function", "domain:bus:device" or "bus:device.function"
    const bool read = std::sscanf(id, "%x:%x:%x.%x", &domain, &bus, &slot, &part) >= 3 ||
                      (domain = 0, std::sscanf(id, "%x:%x.%x", &bus, &slot, &part) == 3);
    require(read);
    require(domain == 0 && slot == 0 && part == 0 && bus >= 1 && bus <= state<device_state>().devices.size(),
            abi::error_invalid_device);
    *result = static_cast<int>(bus) - 1;
  });
}

abi::status device_get_pci_bus_id(char* id, int size, abi::device of) {
  return entry([&] {
    const std::string name = pci_name(device_of(of));
    require(id != nullptr && size > static_cast<int>(name.size()));
    give_text(name, id, size);
  });
}

abi::status device_can_access_peer(int* result, abi::device of, abi::device peer) {
  return entry([&] {
    require(result != nullptr);
    *result = device_of(of).ordinal != device_of(peer).ordinal ? 1 : 0;
  });
}

abi::status device_get_p2p_attribute(int* result, abi::p2p_attribute what, abi::device from, abi::device to) {
  return entry([&] {
    require(result != nullptr);
    const bool same = device_of(from).ordinal == device_of(to).ordinal;
    require(!same, abi::error_invalid_device);
    require(what >= abi::p2p_attribute::performance_rank &&
            what <= abi::p2p_attribute::only_partial_native_atomic_supported);
    const bool yes =
        what == abi::p2p_attribute::access_supported || what == abi::p2p_attribute::native_atomic_supported;
    *result = yes ? 1 : 0;
  });
}

abi::status device_get_default_mem_pool(abi::memory_pool* result, abi::device of) {
  return entry([&] {
    require(result != nullptr);
    *result = device_of(of).default_pool->handle;
  });
}

}  // namespace yoke::simulator::entries

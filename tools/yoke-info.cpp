// SPDX-License-Identifier: MIT
// Lists platforms and devices with their properties, as a table or JSON, and says what is missing when there are none.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>
#include <yoke/yoke.hpp>

namespace {

using json = nlohmann::ordered_json;
namespace cu = yoke::cuda;
namespace ocl = yoke::opencl;

/// One property: its name, and its value as JSON; null when the device does not know it.
using properties = std::vector<std::pair<std::string, json>>;

struct platform_facts {
  std::string backend;
  ocl::abi::platform native{};  // OpenCL's
  std::string name;
  std::string vendor;
  std::string version;
};

struct device_facts {
  std::string specification;  ///< what YOKE_DEVICE would say
  std::size_t platform = 0;
  std::string name;
  properties values;
};

struct machine_facts {
  yoke::availability cuda;
  yoke::availability nvrtc;
  yoke::availability opencl;
  std::vector<platform_facts> platforms;
  std::vector<device_facts> devices;
};

// --- reading ---------------------------------------------------------------------------------------------------------

template <class Value>
json as_json(const Value& value) {
  if constexpr (std::is_pointer_v<Value>) {
    return value == nullptr ? json(nullptr) : json(fmt::format("{}", static_cast<const void*>(value)));
  } else if constexpr (std::is_same_v<Value, ocl::name_version>) {
    return fmt::format("{} {}.{}.{}", value.name, value.major, value.minor, value.patch);
  } else if constexpr (std::is_same_v<Value, std::string> || std::is_arithmetic_v<Value>) {
    return value;
  } else {
    json list = json::array();
    for (const auto& each : value) list.push_back(as_json(each));
    return list;
  }
}

/// Returns: a property as JSON; null when the device does not know it, the reason when the driver fails at it.
template <class Value>
json read(const ocl::device& device, const ocl::device_property<Value>& property) {
  try {
    const auto value = ocl::try_get(device, property);
    return value ? as_json(*value) : json(nullptr);
  } catch (const yoke::error& e) {
    return fmt::format("error: {}", e.what());
  }
}

properties every_property(const ocl::device& device) {
  properties all;
#define YOKE_READ_PROPERTY(own, constant, ...) all.emplace_back(constant, read(device, ocl::info::own));
  YOKE_OPENCL_DEVICE_PROPERTIES(YOKE_READ_PROPERTY)
#undef YOKE_READ_PROPERTY
  return all;
}

json shared_memory_of(const ocl::device& device) {
  const yoke::svm_support has = device.port().svm(device.native_handle(), {});
  json kinds = json::array();
  if (has.coarse) kinds.push_back("coarse");
  if (has.fine) kinds.push_back("fine");
  if (has.fine_system) kinds.push_back("system");
  if (has.atomics) kinds.push_back("atomics");
  return kinds;
}

const char* text_of(yoke::device_kind kind) {
  switch (kind) {
    case yoke::device_kind::gpu: return "GPU";
    case yoke::device_kind::accelerator: return "accelerator";
    case yoke::device_kind::cpu: return "CPU";
    default: return "other";
  }
}

properties important_properties(const ocl::device& device) {
  const yoke::device_summary facts = device.summary();
  const yoke::device_limits limits = device.limits();
  return {
      {"kind", text_of(facts.kind)},
      {"vendor", facts.vendor},
      {"version", facts.version},
      {"driver version", facts.driver_version},
      {"OpenCL C version", read(device, ocl::info::opencl_c_version)},
      {"compute units", facts.compute_units},
      {"clock, MHz", facts.clock_mhz},
      {"global memory, bytes", facts.global_memory_bytes},
      {"largest allocation, bytes", limits.max_allocation_bytes},
      {"local memory, bytes", limits.local_memory_bytes},
      {"constant memory, bytes", read(device, ocl::info::max_constant_buffer_size)},
      {"largest block", limits.max_block},
      {"largest block extents", limits.max_block_extent},
      {"base alignment, bytes", limits.base_alignment_bytes},
      {"shared virtual memory", shared_memory_of(device)},
      {"images", read(device, ocl::info::image_support)},
      {"double precision", read(device, ocl::info::double_fp_config) != json(0)},
      {"compiler", read(device, ocl::info::compiler_available)},
      {"intermediate languages", read(device, ocl::info::il_version)},
      {"shares the host's memory", read(device, ocl::info::host_unified_memory)},
      {"timer resolution, ns", read(device, ocl::info::profiling_timer_resolution)},
  };
}

std::string platform_text(const ocl::device& device, ocl::abi::platform platform, std::uint32_t property) {
  const ocl::abi::functions* driver = device.port().table();
  std::size_t bytes = 0;
  if (driver->get_platform_info(platform, property, 0, nullptr, &bytes) != 0) return {};
  std::string text(bytes, '\0');
  if (driver->get_platform_info(platform, property, bytes, text.data(), nullptr) != 0) return {};
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

std::size_t platform_index(machine_facts& machine, const ocl::device& device) {
  const ocl::abi::platform native = ocl::get(device, ocl::info::platform);
  const auto found = std::find_if(machine.platforms.begin(), machine.platforms.end(),
                                  [&](const platform_facts& each) { return each.native == native; });
  if (found != machine.platforms.end()) return static_cast<std::size_t>(found - machine.platforms.begin());
  constexpr std::uint32_t version = 0x0901;  // CL_PLATFORM_VERSION, _NAME, _VENDOR
  machine.platforms.push_back({"opencl", native, platform_text(device, native, version + 1),
                               platform_text(device, native, version + 2), platform_text(device, native, version)});
  return machine.platforms.size() - 1;
}

/// Returns: an attribute as JSON; null when the driver does not know it.
template <class Value>
json read(const cu::device& device, const cu::device_attribute<Value>& attribute) {
  const auto value = cu::try_get(device, attribute);
  if (!value) return nullptr;
  if constexpr (std::is_enum_v<Value>) {
    return static_cast<int>(*value);
  } else {
    return *value;
  }
}

properties every_property(const cu::device& device) {
  properties all;
#define YOKE_READ_ATTRIBUTE(own, constant, ...) all.emplace_back(constant, read(device, cu::info::own));
  YOKE_CUDA_DEVICE_ATTRIBUTES(YOKE_READ_ATTRIBUTE)
#undef YOKE_READ_ATTRIBUTE
  return all;
}

properties important_properties(const cu::device& device) {
  const yoke::device_summary facts = device.summary();
  const yoke::device_limits limits = device.limits();
  return {
      {"kind", text_of(facts.kind)},
      {"version", facts.version},
      {"driver version", facts.driver_version},
      {"compute units", facts.compute_units},
      {"clock, MHz", facts.clock_mhz},
      {"global memory, bytes", facts.global_memory_bytes},
      {"local memory, bytes", limits.local_memory_bytes},
      {"largest block", limits.max_block},
      {"largest block extents", limits.max_block_extent},
      {"warp", read(device, cu::info::warp_size)},
      {"L2 cache, bytes", read(device, cu::info::l2_cache_size)},
      {"memory bus, bits", read(device, cu::info::global_memory_bus_width)},
      {"managed memory", read(device, cu::info::managed_memory)},
      {"stream-ordered memory", read(device, cu::info::memory_pools_supported)},
      {"cooperative launch", read(device, cu::info::cooperative_launch)},
  };
}

std::size_t cuda_platform(machine_facts& machine, const cu::device& device) {
  const auto found = std::find_if(machine.platforms.begin(), machine.platforms.end(),
                                  [](const platform_facts& each) { return each.backend == "cuda"; });
  if (found != machine.platforms.end()) return static_cast<std::size_t>(found - machine.platforms.begin());
  const yoke::device_summary facts = device.summary();
  machine.platforms.push_back({"cuda", nullptr, facts.platform, facts.vendor, "driver " + facts.driver_version});
  return machine.platforms.size() - 1;
}

/// Returns: every device. If `YOKE_CUDA_DRIVER` names a driver that cannot be used, OpenCL's: the reason is shown beside.
std::vector<yoke::device<>> all_devices() {
  try {
    return yoke::devices();
  } catch (const yoke::unsupported_error& named) {
    if (named.code() != yoke::errc::driver_unavailable) throw;
    if (ocl::devices().empty()) return {};
    return yoke::select_devices("opencl");
  }
}

machine_facts look(const std::string& specification, bool everything) {
  machine_facts machine{cu::available(), cu::nvrtc_available(), ocl::available(), {}, {}};
  const auto all = all_devices();
  for (const auto& device : specification.empty() ? all : yoke::select_devices(specification)) {
    const std::string_view backend = device.backend_name();
    const auto here = std::find(all.begin(), all.end(), device);
    const auto ordinal =
        std::count_if(all.begin(), here, [&](const auto& each) { return each.backend_name() == backend; });
    const auto add = [&](std::size_t platform, const auto& concrete) {
      machine.devices.push_back({fmt::format("{}:{}", backend, ordinal), platform, concrete.name(),
                                 everything ? every_property(concrete) : important_properties(concrete)});
    };
    if (backend == "cuda") {
      const cu::device concrete = yoke::as_cuda(device);
      add(cuda_platform(machine, concrete), concrete);
    } else {
      const ocl::device concrete = yoke::as_opencl(device);
      add(platform_index(machine, concrete), concrete);
    }
  }
  return machine;
}

// --- showing ---------------------------------------------------------------------------------------------------------

json as_document(const machine_facts& machine) {
  json platforms = json::array();
  for (const platform_facts& each : machine.platforms) {
    platforms.push_back(
        {{"backend", each.backend}, {"name", each.name}, {"vendor", each.vendor}, {"version", each.version}});
  }
  json devices = json::array();
  for (const device_facts& each : machine.devices) {
    json values = json::object();
    for (const auto& [name, value] : each.values) values[name] = value;
    devices.push_back({{"device", each.specification},
                       {"name", each.name},
                       {"platform", machine.platforms[each.platform].name},
                       {"properties", values}});
  }
  return {{"yoke", YOKE_VERSION_STRING},
          {"backends",
           {{{"name", "cuda"}, {"available", machine.cuda.available}, {"reason", machine.cuda.reason}},
            {{"name", "nvrtc"}, {"available", machine.nvrtc.available}, {"reason", machine.nvrtc.reason}},
            {{"name", "opencl"}, {"available", machine.opencl.available}, {"reason", machine.opencl.reason}}}},
          {"platforms", platforms},
          {"devices", devices}};
}

/// Returns: a large number with its size in the unit people use: 8589934592 (8 GiB).
std::string readable(std::string_view name, const json& value) {
  if (value.is_null()) return "-";
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_string()) return value.get_ref<const std::string&>().empty() ? "none" : value.get<std::string>();
  if (value.is_array()) {
    std::string list;
    for (const json& each : value) list += (list.empty() ? "" : ", ") + readable({}, each);
    return list.empty() ? "none" : list;
  }
  if (name.find("bytes") != std::string_view::npos && value.is_number_unsigned()) {
    const auto bytes = value.get<std::uint64_t>();
    constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    double amount = static_cast<double>(bytes);
    for (; amount >= 1024 && unit + 1 < units.size(); ++unit) amount /= 1024;
    if (unit > 0) return fmt::format("{} ({:.4g} {})", bytes, amount, units[unit]);
  }
  return value.dump();
}

void print_table(const machine_facts& machine) {
  for (std::size_t p = 0; p < machine.platforms.size(); ++p) {
    const platform_facts& platform = machine.platforms[p];
    fmt::print("{}platform {} ({}, {})\n", p == 0 ? "" : "\n", platform.name, platform.vendor, platform.version);
    for (const device_facts& device : machine.devices) {
      if (device.platform != p) continue;
      fmt::print("\n  {}  {}\n", device.specification, device.name);
      std::size_t width = 0;
      for (const auto& [name, value] : device.values) width = std::max(width, name.size());
      for (const auto& [name, value] : device.values) {
        fmt::print("    {:<{}}  {}\n", name, width, readable(name, value));
      }
    }
  }
}

/// Effects: says which backends are missing here, and why.
void print_missing(const machine_facts& machine) {
  if (!machine.cuda) {
    fmt::print("\nno CUDA: {}\n", machine.cuda.reason);
    if (!machine.nvrtc) fmt::print("no NVRTC, which compiles kernels for CUDA: {}\n", machine.nvrtc.reason);
  }
  if (!machine.opencl) fmt::print("\nno OpenCL: {}\n", machine.opencl.reason);
}

int show(const std::string& specification, bool everything, bool as_json) {
  if (specification == "?") {
    fmt::print("{}\n", yoke::list_devices());
    return EXIT_SUCCESS;
  }
  const machine_facts machine = look(specification, everything);
  if (as_json) {
    fmt::print("{}\n", as_document(machine).dump(2, ' ', false, json::error_handler_t::replace));
  } else {
    print_table(machine);
    if (specification.empty() && !machine.devices.empty()) print_missing(machine);
  }
  if (machine.cuda && !machine.nvrtc) {
    fmt::print(stderr, "CUDA cannot compile kernels: {}\n", machine.nvrtc.reason);
  }
  if (!machine.devices.empty()) return EXIT_SUCCESS;
  fmt::print(stderr,
             "There is no device.\n  cuda: {}\n  opencl: {}\n"
             "OpenCL needs a loader library (Debian, Ubuntu: ocl-icd-libopencl1) and a driver: your GPU vendor's, or\n"
             "PoCL, which runs kernels on the CPU (pocl-opencl-icd).\n",
             machine.cuda.reason, machine.opencl.reason);
  return EXIT_FAILURE;
}

}  // namespace

int main(int count, char** arguments) {
  std::string specification;
  bool everything = false;
  bool as_json = false;
  CLI::App app{"Lists platforms and devices with their properties."};
  app.add_option("--device", specification, "only these, as in YOKE_DEVICE: cuda:0, pocl; ? lists them briefly");
  app.add_flag("--all", everything, "every property and attribute instead of the important ones");
  app.add_flag("--json", as_json, "JSON instead of a table");
  app.set_version_flag("--version", YOKE_VERSION_STRING);
  try {
    app.parse(count, arguments);
    return show(specification, everything, as_json);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? EXIT_SUCCESS : 2;
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
  } catch (const std::exception& e) {
    fmt::print(stderr, "error: {}\n", e.what());
  }
  return EXIT_FAILURE;
}

// SPDX-License-Identifier: MIT
// Every device property against CL/cl.h's constants and against the bytes that the driver gives.
#include <support/devices/devices.hpp>

#include <yoke/opencl/device/device.hpp>

#include <support/drivers/raw_opencl.hpp>

#if __has_include(<CL/cl.h>)
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>
#endif

#include <cstring>
#include <set>

using namespace yoke_test;
namespace ocl = yoke::opencl;

#if __has_include(<CL/cl.h>) && defined(CL_VERSION_3_0)
namespace {
struct named_constant {
  const char* name;
  std::uint32_t value;
};
// What the vendor's header calls a device property, written down independently of the library.
constexpr named_constant vendor_constants[] = {
// clang-format off
#define YOKE_TEST_CONSTANT(name) {#name, name}
    YOKE_TEST_CONSTANT(CL_DEVICE_TYPE), YOKE_TEST_CONSTANT(CL_DEVICE_VENDOR_ID),
    YOKE_TEST_CONSTANT(CL_DEVICE_MAX_COMPUTE_UNITS), YOKE_TEST_CONSTANT(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS),
    YOKE_TEST_CONSTANT(CL_DEVICE_MAX_WORK_GROUP_SIZE), YOKE_TEST_CONSTANT(CL_DEVICE_MAX_WORK_ITEM_SIZES),
    YOKE_TEST_CONSTANT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR),
    YOKE_TEST_CONSTANT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT),
    YOKE_TEST_CONSTANT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT), YOKE_TEST_CONSTANT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG),
    YOKE_TEST_CONSTANT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT),
    YOKE_TEST_CONSTANT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE), YOKE_TEST_CONSTANT(CL_DEVICE_MAX_CLOCK_FREQUENCY),
    YOKE_TEST_CONSTANT(CL_DEVICE_ADDRESS_BITS), YOKE_TEST_CONSTANT(CL_DEVICE_MAX_READ_IMAGE_ARGS),
    YOKE_TEST_CONSTANT(CL_DEVICE_MAX_WRITE_IMAGE_ARGS), YOKE_TEST_CONSTANT(CL_DEVICE_MAX_MEM_ALLOC_SIZE),
    YOKE_TEST_CONSTANT(CL_DEVICE_IMAGE2D_MAX_WIDTH), YOKE_TEST_CONSTANT(CL_DEVICE_IMAGE2D_MAX_HEIGHT),
    YOKE_TEST_CONSTANT(CL_DEVICE_IMAGE3D_MAX_WIDTH), YOKE_TEST_CONSTANT(CL_DEVICE_IMAGE3D_MAX_HEIGHT),
    YOKE_TEST_CONSTANT(CL_DEVICE_IMAGE3D_MAX_DEPTH), YOKE_TEST_CONSTANT(CL_DEVICE_IMAGE_SUPPORT),
    YOKE_TEST_CONSTANT(CL_DEVICE_MAX_PARAMETER_SIZE), YOKE_TEST_CONSTANT(CL_DEVICE_MAX_SAMPLERS),
    YOKE_TEST_CONSTANT(CL_DEVICE_MEM_BASE_ADDR_ALIGN), YOKE_TEST_CONSTANT(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE),
    YOKE_TEST_CONSTANT(CL_DEVICE_SINGLE_FP_CONFIG), YOKE_TEST_CONSTANT(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE),
    YOKE_TEST_CONSTANT(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE), YOKE_TEST_CONSTANT(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE),
    YOKE_TEST_CONSTANT(CL_DEVICE_GLOBAL_MEM_SIZE), YOKE_TEST_CONSTANT(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE),
    YOKE_TEST_CONSTANT(CL_DEVICE_MAX_CONSTANT_ARGS), YOKE_TEST_CONSTANT(CL_DEVICE_LOCAL_MEM_TYPE),
    YOKE_TEST_CONSTANT(CL_DEVICE_LOCAL_MEM_SIZE), YOKE_TEST_CONSTANT(CL_DEVICE_ERROR_CORRECTION_SUPPORT),
    YOKE_TEST_CONSTANT(CL_DEVICE_PROFILING_TIMER_RESOLUTION), YOKE_TEST_CONSTANT(CL_DEVICE_ENDIAN_LITTLE),
    YOKE_TEST_CONSTANT(CL_DEVICE_AVAILABLE), YOKE_TEST_CONSTANT(CL_DEVICE_COMPILER_AVAILABLE),
    YOKE_TEST_CONSTANT(CL_DEVICE_EXECUTION_CAPABILITIES), YOKE_TEST_CONSTANT(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES),
    YOKE_TEST_CONSTANT(CL_DEVICE_NAME), YOKE_TEST_CONSTANT(CL_DEVICE_VENDOR), YOKE_TEST_CONSTANT(CL_DRIVER_VERSION),
    YOKE_TEST_CONSTANT(CL_DEVICE_PROFILE), YOKE_TEST_CONSTANT(CL_DEVICE_VERSION),
    YOKE_TEST_CONSTANT(CL_DEVICE_EXTENSIONS), YOKE_TEST_CONSTANT(CL_DEVICE_PLATFORM),
    YOKE_TEST_CONSTANT(CL_DEVICE_DOUBLE_FP_CONFIG), YOKE_TEST_CONSTANT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF),
    YOKE_TEST_CONSTANT(CL_DEVICE_HOST_UNIFIED_MEMORY), YOKE_TEST_CONSTANT(CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR),
    YOKE_TEST_CONSTANT(CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT), YOKE_TEST_CONSTANT(CL_DEVICE_NATIVE_VECTOR_WIDTH_INT),
    YOKE_TEST_CONSTANT(CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG), YOKE_TEST_CONSTANT(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT),
    YOKE_TEST_CONSTANT(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE), YOKE_TEST_CONSTANT(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF),
    YOKE_TEST_CONSTANT(CL_DEVICE_OPENCL_C_VERSION), YOKE_TEST_CONSTANT(CL_DEVICE_LINKER_AVAILABLE),
    YOKE_TEST_CONSTANT(CL_DEVICE_BUILT_IN_KERNELS), YOKE_TEST_CONSTANT(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE),
    YOKE_TEST_CONSTANT(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE), YOKE_TEST_CONSTANT(CL_DEVICE_PARENT_DEVICE),
    YOKE_TEST_CONSTANT(CL_DEVICE_PARTITION_MAX_SUB_DEVICES), YOKE_TEST_CONSTANT(CL_DEVICE_PARTITION_PROPERTIES),
    YOKE_TEST_CONSTANT(CL_DEVICE_PARTITION_AFFINITY_DOMAIN), YOKE_TEST_CONSTANT(CL_DEVICE_PARTITION_TYPE),
    YOKE_TEST_CONSTANT(CL_DEVICE_REFERENCE_COUNT), YOKE_TEST_CONSTANT(CL_DEVICE_PREFERRED_INTEROP_USER_SYNC),
    YOKE_TEST_CONSTANT(CL_DEVICE_PRINTF_BUFFER_SIZE), YOKE_TEST_CONSTANT(CL_DEVICE_IMAGE_PITCH_ALIGNMENT),
    YOKE_TEST_CONSTANT(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT), YOKE_TEST_CONSTANT(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS),
    YOKE_TEST_CONSTANT(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE), YOKE_TEST_CONSTANT(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES),
    YOKE_TEST_CONSTANT(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE),
    YOKE_TEST_CONSTANT(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE), YOKE_TEST_CONSTANT(CL_DEVICE_MAX_ON_DEVICE_QUEUES),
    YOKE_TEST_CONSTANT(CL_DEVICE_MAX_ON_DEVICE_EVENTS), YOKE_TEST_CONSTANT(CL_DEVICE_SVM_CAPABILITIES),
    YOKE_TEST_CONSTANT(CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE), YOKE_TEST_CONSTANT(CL_DEVICE_MAX_PIPE_ARGS),
    YOKE_TEST_CONSTANT(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS), YOKE_TEST_CONSTANT(CL_DEVICE_PIPE_MAX_PACKET_SIZE),
    YOKE_TEST_CONSTANT(CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT),
    YOKE_TEST_CONSTANT(CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT),
    YOKE_TEST_CONSTANT(CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT), YOKE_TEST_CONSTANT(CL_DEVICE_IL_VERSION),
    YOKE_TEST_CONSTANT(CL_DEVICE_MAX_NUM_SUB_GROUPS),
    YOKE_TEST_CONSTANT(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS), YOKE_TEST_CONSTANT(CL_DEVICE_NUMERIC_VERSION),
    YOKE_TEST_CONSTANT(CL_DEVICE_EXTENSIONS_WITH_VERSION), YOKE_TEST_CONSTANT(CL_DEVICE_ILS_WITH_VERSION),
    YOKE_TEST_CONSTANT(CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION),
    YOKE_TEST_CONSTANT(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES), YOKE_TEST_CONSTANT(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES),
    YOKE_TEST_CONSTANT(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT), YOKE_TEST_CONSTANT(CL_DEVICE_OPENCL_C_ALL_VERSIONS),
    YOKE_TEST_CONSTANT(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE),
    YOKE_TEST_CONSTANT(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT),
    YOKE_TEST_CONSTANT(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT), YOKE_TEST_CONSTANT(CL_DEVICE_OPENCL_C_FEATURES),
    YOKE_TEST_CONSTANT(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES), YOKE_TEST_CONSTANT(CL_DEVICE_PIPE_SUPPORT),
    YOKE_TEST_CONSTANT(CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED), YOKE_TEST_CONSTANT(CL_DEVICE_HALF_FP_CONFIG),
    YOKE_TEST_CONSTANT(CL_DEVICE_SPIR_VERSIONS), YOKE_TEST_CONSTANT(CL_DEVICE_UUID_KHR),
    YOKE_TEST_CONSTANT(CL_DRIVER_UUID_KHR), YOKE_TEST_CONSTANT(CL_DEVICE_LUID_VALID_KHR),
    YOKE_TEST_CONSTANT(CL_DEVICE_LUID_KHR), YOKE_TEST_CONSTANT(CL_DEVICE_NODE_MASK_KHR),
    YOKE_TEST_CONSTANT(CL_DEVICE_PCI_BUS_INFO_KHR), YOKE_TEST_CONSTANT(CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR),
    YOKE_TEST_CONSTANT(CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR),
    YOKE_TEST_CONSTANT(CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR),
    YOKE_TEST_CONSTANT(CL_DEVICE_TERMINATE_CAPABILITY_KHR), YOKE_TEST_CONSTANT(CL_DEVICE_MAX_NAMED_BARRIER_COUNT_KHR),
    YOKE_TEST_CONSTANT(CL_DEVICE_SEMAPHORE_TYPES_KHR), YOKE_TEST_CONSTANT(CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR),
    YOKE_TEST_CONSTANT(CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR),
    YOKE_TEST_CONSTANT(CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR),
    YOKE_TEST_CONSTANT(CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT),
    YOKE_TEST_CONSTANT(CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV),
    YOKE_TEST_CONSTANT(CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV), YOKE_TEST_CONSTANT(CL_DEVICE_REGISTERS_PER_BLOCK_NV),
    YOKE_TEST_CONSTANT(CL_DEVICE_WARP_SIZE_NV), YOKE_TEST_CONSTANT(CL_DEVICE_GPU_OVERLAP_NV),
    YOKE_TEST_CONSTANT(CL_DEVICE_KERNEL_EXEC_TIMEOUT_NV), YOKE_TEST_CONSTANT(CL_DEVICE_INTEGRATED_MEMORY_NV),
    YOKE_TEST_CONSTANT(CL_DEVICE_BOARD_NAME_AMD), YOKE_TEST_CONSTANT(CL_DEVICE_SIMD_PER_COMPUTE_UNIT_AMD),
    YOKE_TEST_CONSTANT(CL_DEVICE_SIMD_WIDTH_AMD), YOKE_TEST_CONSTANT(CL_DEVICE_WAVEFRONT_WIDTH_AMD),
// clang-format on
#undef YOKE_TEST_CONSTANT
};
}  // namespace

TEST_CASE("every property key has CL/cl.h's value", "[driver][opencl]") {
  std::set<std::string> ours;
#define YOKE_TEST_KEY(own, constant, number, version, ...) ours.insert(constant);
  YOKE_OPENCL_DEVICE_PROPERTIES(YOKE_TEST_KEY)
#undef YOKE_TEST_KEY
  for (const named_constant& vendor : vendor_constants) {
    INFO(vendor.name);
    CHECK(ours.count(vendor.name) == 1);
#define YOKE_TEST_KEY(own, constant, number, version, ...)                                                             \
  if (std::strcmp(constant, vendor.name) == 0) {                                                                       \
    CHECK(ocl::info::own.code == vendor.value);                                                                        \
    CHECK((ocl::info::own.since == 0 || (ocl::info::own.since >= 10 && ocl::info::own.since <= 30)));                  \
  }
    YOKE_OPENCL_DEVICE_PROPERTIES(YOKE_TEST_KEY)
#undef YOKE_TEST_KEY
  }
}
#endif

TEST_CASE("no two property keys share a code or a name", "[driver][opencl]") {
  std::set<std::uint32_t> codes;
  std::set<std::string> names;
  std::size_t total = 0;
#define YOKE_TEST_KEY(own, constant, number, version, ...)                                                             \
  codes.insert(number);                                                                                                \
  names.insert(constant);                                                                                              \
  ++total;
  YOKE_OPENCL_DEVICE_PROPERTIES(YOKE_TEST_KEY)
#undef YOKE_TEST_KEY
  CHECK(codes.size() == total);
  CHECK(names.size() == total);
}

namespace {

/// Returns: the bytes of a typed value, as the driver would lay them out.
template <class Value>
std::vector<std::byte> bytes_of(const Value& value) {
  const auto raw = [](const auto* data, std::size_t count) {
    const auto view = std::as_bytes(std::span{data, count});
    return std::vector<std::byte>(view.begin(), view.end());
  };
  if constexpr (std::same_as<Value, bool>) {
    const abi::boolean wide = value ? 1 : 0;
    return raw(&wide, 1);
  } else if constexpr (requires { value.data(); }) {
    return raw(value.data(), value.size());
  } else {
    return raw(&value, 1);
  }
}

struct tally {
  std::size_t known = 0;
  std::size_t unknown = 0;
};

template <class Value>
void compare(const opencl_device& device, const ocl::device_property<Value>& property, tally& seen) {
  INFO(property.name);
  std::size_t size = 0;
  abi::status status = raw_opencl().get_device_info(device.native_handle(), property.code, 0, nullptr, &size);
  std::vector<std::byte> raw(size);
  if (status == 0 && size != 0) {
    status = raw_opencl().get_device_info(device.native_handle(), property.code, size, raw.data(), nullptr);
  }
  if (status != 0) {
    ++seen.unknown;
    CHECK_FALSE(ocl::try_get(device, property).has_value());
    try {
      (void)ocl::get(device, property);
      FAIL_CHECK("no error for a property that the driver refuses with " << status);
    } catch (const yoke::unsupported_error& e) {
      CHECK_THAT(e.what(), ContainsSubstring(property.name));
      CHECK(e.call() == std::string("clGetDeviceInfo"));
    }
    return;
  }
  ++seen.known;
  const std::optional<Value> value = ocl::try_get(device, property);
  REQUIRE(value.has_value());
  if constexpr (std::same_as<Value, std::string>) {
    CHECK(value->find('\0') == std::string::npos);
    CHECK(*value == reinterpret_cast<const char*>(size == 0 ? "" : static_cast<const void*>(raw.data())));
  } else if constexpr (std::same_as<Value, std::vector<ocl::name_version>>) {
    REQUIRE(value->size() == size / sizeof(abi::name_version));
    for (std::size_t i = 0; i < value->size(); ++i) {
      abi::name_version each;
      std::memcpy(&each, raw.data() + i * sizeof each, sizeof each);
      CHECK((*value)[i].name == each.name);
      CHECK((((*value)[i].major << 22) | ((*value)[i].minor << 12) | (*value)[i].patch) == each.version);
    }
  } else {
    // A driver may give a word for a field of two words: PoCL 3.1 does once.
    if (std::unsigned_integral<Value> && sizeof(Value) == 8 && raw.size() == 4) raw.resize(8);
    // NVIDIA leaves other bytes there each time where the system has no such identifier.
    if (std::string_view(property.name) == "CL_DEVICE_LUID_KHR") return;
    CHECK(bytes_of(*value) == raw);
  }
}

}  // namespace

YOKE_OPENCL_TEST_CASE("every typed property holds the driver's bytes", "[driver][opencl]") {
  tally seen;
#define YOKE_TEST_KEY(own, constant, number, version, ...) compare(device, ocl::info::own, seen);
  YOKE_OPENCL_DEVICE_PROPERTIES(YOKE_TEST_KEY)
#undef YOKE_TEST_KEY
  CHECK(seen.known >= 60);  // OpenCL 1.2 alone has more
}

YOKE_OPENCL_TEST_CASE("typed properties agree with the summary and the limits", "[driver][opencl]") {
  const yoke::device_summary facts = device.summary();
  CHECK(ocl::get(device, ocl::info::name) == facts.name);
  CHECK(ocl::get(device, ocl::info::vendor) == facts.vendor);
  CHECK(ocl::get(device, ocl::info::max_compute_units) == facts.compute_units);
  const yoke::device_limits limits = device.limits();
  CHECK(ocl::get(device, ocl::info::max_work_group_size) == limits.max_block);
  CHECK(ocl::get(device, ocl::info::local_mem_size) == limits.local_memory_bytes);
  CHECK(ocl::get(device, ocl::info::mem_base_addr_align) / 8 == limits.base_alignment_bytes);
  CHECK(ocl::get(device, ocl::info::max_work_item_sizes).size() ==
        ocl::get(device, ocl::info::max_work_item_dimensions));
}

YOKE_OPENCL_TEST_CASE("a property of the wrong size is an error, not a guess", "[driver][opencl]") {
  constexpr ocl::device_property<std::array<std::uint64_t, 9>> too_large{0x1000, "CL_DEVICE_TYPE as nine words", 10};
  CHECK_THROWS_AS(ocl::get(device, too_large), yoke::runtime_error);
  CHECK_THROWS_WITH(ocl::get(device, too_large), ContainsSubstring("8 bytes for CL_DEVICE_TYPE as nine words, not 72"));
  constexpr ocl::device_property<std::uint32_t> unknown{0x7fffff, "CL_DEVICE_OF_NOBODY", 0};
  CHECK_THROWS_AS(ocl::get(device, unknown), yoke::unsupported_error);
  CHECK_FALSE(ocl::try_get(device, unknown).has_value());
}

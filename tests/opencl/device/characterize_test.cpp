// SPDX-License-Identifier: MIT
// What a device's numbers mean, on the devices there are and by the facts of others.
#include <support/devices/devices.hpp>
#include <support/drivers/raw_opencl.hpp>

#include <yoke/opencl/opencl.hpp>

#include <vector>

using namespace yoke_test;
namespace ocl = yoke::opencl;
namespace what = yoke::opencl::characterize;
using yoke::device_kind;
using extents = std::vector<std::size_t>;

namespace {
const what::device_facts cpu{
    .kind = device_kind::cpu, .vendor = "Intel(R)", .local_is_global = true, .local_bytes = 4096};
const what::device_facts amd{
    .kind = device_kind::gpu, .vendor = "Advanced Micro Devices, Inc.", .wavefront_width = 64, .local_bytes = 65536};
const what::device_facts hopper{.kind = device_kind::gpu,
                                .vendor = "NVIDIA Corporation",
                                .warp_size = 32,
                                .compute_capability = 90,
                                .local_bytes = 49152};
const what::device_facts tesla{
    .kind = device_kind::gpu, .vendor = "NVIDIA Corporation", .compute_capability = 13, .local_bytes = 16384};
const what::device_facts other{.kind = device_kind::gpu, .vendor = "Somebody", .local_bytes = 32768};
}  // namespace

TEST_CASE("facts about vendors' devices have their usual meaning", "[opencl]") {
  CHECK(what::simd_group_size(hopper) == 32u);
  CHECK(what::simd_group_size(tesla) == 32u);  // by its vendor
  CHECK(what::simd_group_size(amd) == 64u);
  CHECK(what::simd_group_size(cpu) == 1u);
  CHECK_FALSE(what::simd_group_size(other));
  CHECK(what::compute_capability(hopper) == 90u);
  CHECK_FALSE(what::compute_capability(cpu));
  CHECK(what::simultaneous_local_access(hopper) == 32);
  CHECK(what::simultaneous_local_access(tesla) == 16);
  CHECK(what::simultaneous_local_access(other) == 16);
  CHECK(what::simultaneous_local_access(cpu) == 1);
  CHECK(what::local_bank_count(hopper) == 32u);
  CHECK(what::local_bank_count(tesla) == 16u);
  CHECK(what::local_bank_count(other) == 16u);
  CHECK_FALSE(what::local_bank_count(cpu));
  CHECK(what::usable_local_bytes(hopper, 10) == 49152);
  CHECK(what::usable_local_bytes(tesla) == 16384 - 256);
  CHECK(what::usable_local_bytes(tesla, 10) == 16384 - 40);
  const std::vector<std::string> three{"-cl-mad-enable", "-cl-fast-relaxed-math", "-cl-no-signed-zeros"};
  CHECK(what::fast_inaccurate_options(cpu) == three);
  CHECK(what::fast_inaccurate_options(hopper).back() == "-cl-strict-aliasing");
  CHECK(what::fast_inaccurate_options(amd).back() == "-cl-strict-aliasing");
}

TEST_CASE("conflicts on banks of local memory are counted, and padding ends them", "[opencl]") {
  const what::bank_conflict columns = what::local_access_conflict(hopper, 4, extents{32, 32});
  CHECK(columns.multiplicity == 32);
  CHECK_THAT(columns.reason,
             StartsWith("32 accesses to bank 0 along axis 0: work-item 0 -> {0, 0}, work-item 1 -> {1, 0}"));
  const what::bank_conflict padded = what::local_access_conflict(hopper, 4, extents{32, 32}, extents{32, 33});
  CHECK(padded.multiplicity == 1);
  CHECK(padded.reason.empty());
  CHECK(what::local_access_conflict(hopper, 8, extents{64}).multiplicity == 2);
  CHECK(what::local_access_conflict(hopper, 4, extents{64}).multiplicity == 1);
  CHECK(what::local_access_conflict(tesla, 4, extents{8, 16}).multiplicity == 8);
  CHECK(what::local_access_conflict(cpu, 4, extents{32, 32}).multiplicity == 1);
  CHECK_THROWS_WITH(what::local_access_conflict(hopper, 4, extents{32}, extents{32, 33}),
                    ContainsSubstring("the shape has 1 axes, the stored one 2"));
  CHECK_THROWS_WITH(what::local_access_conflict(hopper, 4, extents{32, 32}, extents{32, 31}),
                    ContainsSubstring("axis 1 has 32 elements of 31"));
  CHECK_THROWS_AS(what::local_access_conflict(hopper, 0, extents{32}), yoke::logic_error);
}

TEST_CASE("why a launch does not fit is told, limit by limit", "[opencl]") {
  const yoke::device_limits on{
      .max_block = 1024, .max_block_extent = {1024, 1024, 64}, .local_memory_bytes = 1000, .max_allocation_bytes = 0};
  yoke::kernel_limits kernel{.max_block = 256, .static_local_bytes = 600};
  const auto why = [&](const ocl::launch_shape& shape, std::size_t local = 0) {
    return what::why_not(kernel, on, shape, local);
  };
  CHECK(why({.grid = 9, .block = 256}, 400).empty());
  CHECK(why({.grid = 9, .block = 257}) == "block 257 exceeds this kernel's 256 on this device");
  CHECK(why({.grid = 9, .block = 2048}) == "block 2048 exceeds this device's 1024 in x");
  CHECK(why({.grid = 9, .block = {64, 64}}) == "block 4096 exceeds this device's 1024");
  CHECK(why({.grid = 9, .block = {1, 1, 65}}) == "block 65 exceeds this device's 64 in z");
  const yoke::device_limits no_extents{
      .max_block = 1024, .max_block_extent = {0, 0, 0}, .local_memory_bytes = 1000, .max_allocation_bytes = 0};
  constexpr std::size_t half = std::size_t{1} << 32;  // the product of two is 0
  CHECK(what::why_not(kernel, no_extents, {.grid = 9, .block = {half, half}}) ==
        "block 4294967296 x 4294967296 x 1 exceeds this device's 1024");
  CHECK(what::why_not(kernel, no_extents, {.grid = 9, .block = {half, 2}}) ==
        "block 8589934592 exceeds this device's 1024");
  CHECK(why({.grid = 9, .block = 1}, 401) ==
        "local memory of 600 bytes in the kernel and 401 in local arguments exceeds this device's 1000");
  kernel.static_local_bytes = 1001;
  CHECK_THAT(why({.grid = 9, .block = 1}), StartsWith("local memory of 1001 bytes"));
  kernel.static_local_bytes = 0;
  kernel.required_block = {8, 4, 1};
  CHECK(why({.grid = 9, .block = {8, 4}}).empty());
  CHECK(why({.grid = 9, .block = 32}) == "block {32, 1, 1} is not the {8, 4, 1} that the kernel requires");
}

YOKE_OPENCL_TEST_CASE("a device tells its facts, and a kernel what does not fit", "[opencl]") {
  const ocl::context context{device};
  const ocl::stream stream{context};
  const what::device_facts facts = what::facts_of(device);
  CHECK(facts.kind == device.summary().kind);
  CHECK(facts.local_bytes == device.limits().local_memory_bytes);
  CHECK(facts.compute_capability.has_value() == (facts.vendor.find("NVIDIA") != std::string::npos));
  if (facts.kind == device_kind::cpu) CHECK(what::simd_group_size(facts) == 1u);
  CHECK_FALSE(what::has_struct_argument_bug(context));
  const auto module =
      yoke::compile(context, "__kernel void add(__global float* a, float b) { a[get_global_id(0)] += b; }",
                    {.options = what::fast_inaccurate_options(facts)});
  const auto add = module.get_kernel<void(float*, float)>("add");
  CHECK(what::why_not(add, device, {.grid = 4, .block = 1}).empty());
  CHECK(what::why_not(add, device, {.grid = 4, .block = {0, 1, 1}}) == "block 0 in x: the least is 1");
  const std::size_t most = device.limits().max_block;
  const std::string why = what::why_not(add, device, {.grid = 4, .block = 2 * most});
  CHECK_THAT(why, ContainsSubstring(std::to_string(2 * most)) && ContainsSubstring("exceeds this"));
  const std::size_t local = device.limits().local_memory_bytes;
  CHECK(what::why_not(add, device, {.grid = 4, .block = 1}, local / 2).empty());
  CHECK_THAT(what::why_not(add, device, {.grid = 4, .block = 1}, local + 1),
             ContainsSubstring(std::to_string(local + 1) + " in local arguments exceeds this device's "));
  ocl::device_allocation<float> a{context, 2 * most};
  CHECK_THROWS_AS(add(stream, {.grid = 1, .block = 2 * most}, a, 1.0f), yoke::launch_error);
}

YOKE_OPENCL_TEST_CASE("a driver that counts the members of a struct as parameters is found out", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  driver.replace<&abi::functions::get_kernel_info>(
      [&](abi::kernel of, abi::uint key, std::size_t bytes, void* out, std::size_t* size) {
        const abi::status status = driver.real().get_kernel_info(of, key, bytes, out, size);
        if (key == abi::kernel_num_args && out != nullptr) *static_cast<abi::uint*>(out) = 2;
        return status;
      });
  const ocl::context context{through(driver, device)};
  CHECK(what::has_struct_argument_bug(context));
  CHECK(driver.bad_releases().empty());
}

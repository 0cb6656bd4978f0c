// SPDX-License-Identifier: MIT
// Modules as OpenCL has them: argument info in binaries, driver versions, intermediate code.
#include <support/rig.hpp>

#include <yoke/opencl/device/device.hpp>

using namespace yoke_test;

namespace {

const char* const two_kernels = R"(
  kernel void twice(global int* values, int n) { size_t i = get_global_id(0); if (i < n) values[i] *= 2; }
  kernel void shift(global int* values, int by) { values[get_global_id(0)] += by; }
)";

/// `kernel void f(global uint* out) { out[get_global_id(0)] = 7; }` as SPIR-V 1.0, assembled by hand.
constexpr std::uint32_t spirv[] = {
    // clang-format off: an instruction a line
    0x07230203, 0x00010000, 0,  16,  0,       // magic, version 1.0, generator, bound, schema
    0x00020011, 4,                            // OpCapability Addresses
    0x00020011, 6,                            // OpCapability Kernel
    0x00020011, 11,                           // OpCapability Int64
    0x0003000E, 2,          2,                // OpMemoryModel Physical64 OpenCL
    0x0005000F, 6,          10, 'f', 9,       // OpEntryPoint Kernel %10 "f" %9
    0x00040047, 9,          11, 28,           // OpDecorate %9 BuiltIn GlobalInvocationId
    0x00030047, 9,          22,               // OpDecorate %9 Constant
    0x00020013, 1,                            // %1 = OpTypeVoid
    0x00040015, 2,          32, 0,            // %2 = OpTypeInt 32 0
    0x00040015, 3,          64, 0,            // %3 = OpTypeInt 64 0
    0x00040017, 4,          3,  3,            // %4 = OpTypeVector %3 3
    0x00040020, 5,          1,  4,            // %5 = OpTypePointer Input %4
    0x00040020, 6,          5,  2,            // %6 = OpTypePointer CrossWorkgroup %2
    0x00040021, 7,          1,  6,            // %7 = OpTypeFunction %1 %6
    0x0004002B, 2,          8,  7,            // %8 = OpConstant %2 7
    0x0004003B, 5,          9,  1,            // %9 = OpVariable %5 Input
    0x00050036, 1,          10, 0,   7,       // %10 = OpFunction %1 None %7
    0x00030037, 6,          11,               // %11 = OpFunctionParameter %6
    0x000200F8, 12,                           // %12 = OpLabel
    0x0006003D, 4,          13, 9,   2,  32,  // %13 = OpLoad %4 %9 Aligned 32
    0x00050051, 3,          14, 13,  0,       // %14 = OpCompositeExtract %3 %13 0
    0x00050046, 6,          15, 11,  14,      // %15 = OpInBoundsPtrAccessChain %6 %11 %14
    0x0005003E, 15,         8,  2,   4,       // OpStore %15 %8 Aligned 4
    0x000100FD,                               // OpReturn
    0x00010038,                               // OpFunctionEnd
                                              // clang-format on
};

}  // namespace

YOKE_OPENCL_TEST_CASE("a binary keeps the names of arguments where the driver does", "[program]") {
  rig on(device);
  const std::vector<std::byte> binary = yoke::compile(on.context, two_kernels).export_binary();
  CHECK(binary.size() > 64);
  const auto loaded = yoke::load(on.context, binary);
  CHECK(loaded.kernel_names().size() == 2);
  const auto twice = loaded.get_kernel<void(int*, int)>("twice");
  abi::uint space = 0;
  const bool described =
      on.driver.real().get_kernel_arg_info(twice.native_handle(), 0, abi::kernel_arg_address_qualifier, sizeof space,
                                           &space, nullptr) == 0;
  if (described) {
    CHECK(twice.checked() == yoke::signature_check::names);
    refusal<yoke::logic_error>(yoke::errc::signature_mismatch,
                               [&] { (void)loaded.get_kernel<void(float*, int)>("twice"); });
  } else {  // Intel's CPU runtime keeps no argument info in binaries
    CHECK(twice.checked() == yoke::signature_check::sizes);
  }
  refusal<yoke::logic_error>(yoke::errc::signature_mismatch,
                             [&] { (void)loaded.get_kernel<void(int*, float, int)>("twice"); });
  std::vector<int> values = counting(5);
  twice(on.stream, yoke::launch_over(5, 8), yoke::in_out(values), 5);
  CHECK(values == std::vector<int>{2, 4, 6, 8, 10});
  CHECK(yoke::load(on.context, loaded.export_binary()).kernel_names().size() == 2);
}

YOKE_OPENCL_TEST_CASE("binaries of another driver version never reach the driver", "[program]") {
  rig on(device);
  const std::vector<std::byte> binary = yoke::compile(on.context, two_kernels).export_binary();
  const std::size_t mark = on.driver.mark();
  const auto refused = [&](const std::vector<std::byte>& bytes) {
    return refusal<yoke::logic_error>(yoke::errc::incompatible_binary, [&] { (void)yoke::load(on.context, bytes); });
  };
  // The same driver under another version: the binary is of another device.
  on.driver.replace<&abi::functions::get_device_info>(
      [&](abi::device which, abi::uint what, std::size_t size, void* value, std::size_t* needed) {
        const abi::status status = on.driver.real().get_device_info(which, what, size, value, needed);
        constexpr abi::uint driver_version = 0x102D;
        if (status == 0 && what == driver_version && value != nullptr) static_cast<char*>(value)[0] = '~';
        return status;
      });
  CHECK_THAT(refused(binary), ContainsSubstring("the binary was made for \"") &&
                                  ContainsSubstring("\", not for this device, \"") && ContainsSubstring("| ~"));
  CHECK(on.driver.count("create_program_with_binary", mark) == 0);
}

YOKE_OPENCL_TEST_CASE("intermediate code is refused where a device takes none or it is no SPIR-V", "[program]") {
  rig on(device);
  const std::vector<std::byte> nonsense(64, std::byte{1});
  std::string versions;
  on.driver.replace<&abi::functions::get_device_info>(
      [&](abi::device which, abi::uint what, std::size_t size, void* value, std::size_t* needed) -> abi::status {
        constexpr abi::uint il_version = 0x105B;
        if (what != il_version) return on.driver.real().get_device_info(which, what, size, value, needed);
        if (needed != nullptr) *needed = versions.size() + 1;
        if (value != nullptr) std::copy_n(versions.c_str(), versions.size() + 1, static_cast<char*>(value));
        return 0;
      });
  CHECK_THAT(refusal<yoke::unsupported_error>(yoke::errc::unsupported,
                                              [&] { (void)yoke::load_intermediate(on.context, nonsense); }),
             ContainsSubstring("this device takes no intermediate language"));
  versions = "SPIR-V_1.2";
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::incompatible_binary,
                                        [&] { (void)yoke::load_intermediate(on.context, nonsense); }),
             ContainsSubstring("intermediate code of 64 bytes is not a SPIR-V module"));
  refusal<yoke::logic_error>(yoke::errc::incompatible_binary, [&] { (void)yoke::load_intermediate(on.context, {}); });
  CHECK(on.driver.count("create_program_with_il") == 0);

  // A module in either byte order is handed over with the options of a source.
  std::size_t handed = 0;
  on.driver.replace<&abi::functions::create_program_with_il>(
      [&](abi::context, const void*, std::size_t bytes, abi::status* status) -> abi::program {
        handed = bytes;
        *status = -30;
        return nullptr;
      });
  std::vector<std::byte> module(20);
  for (const auto& magic : {std::array{0x03, 0x02, 0x23, 0x07}, std::array{0x07, 0x23, 0x02, 0x03}}) {
    for (std::size_t i = 0; i < 4; ++i) module[i] = static_cast<std::byte>(magic[i]);
    CHECK_THROWS_AS(yoke::load_intermediate(on.context, module), yoke::logic_error);
    CHECK(std::exchange(handed, 0) == 20);
  }
  CHECK(on.live().empty());
}

YOKE_OPENCL_TEST_CASE("intermediate code is loaded and runs", "[program]") {
  rig on(device);
  const std::string versions = ocl::try_get(device, ocl::info::il_version).value_or("");
  if (versions.find("SPIR-V") == std::string::npos) YOKE_SKIP("the device takes no SPIR-V");
  if (ocl::get(device, ocl::info::address_bits) != 64) YOKE_SKIP("the module is for addresses of 64 bits");
  const auto module = yoke::load_intermediate(on.context, std::as_bytes(std::span{spirv}));
  CHECK(on.driver.count("create_program_with_il") == 1);
  CHECK(module.kernel_names() == std::vector<std::string>{"f"});
  const auto f = module.get_kernel<void(unsigned*)>("f");
  CHECK_THROWS_AS(module.get_kernel<void(unsigned*, int)>("f"), yoke::logic_error);
  ocl::device_allocation<unsigned> memory{on.context, 64};
  yoke::fill(memory, 1u, on.stream);
  f(on.stream, yoke::launch_over(48, 16), memory);
  std::vector<unsigned> expected(64, 1u);
  std::fill_n(expected.begin(), 48, 7u);
  CHECK(download(memory, on.stream) == expected);
}

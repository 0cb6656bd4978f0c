// SPDX-License-Identifier: MIT
// Modules as OpenCL has them: argument info in binaries, driver versions, intermediate code.
#include <support/rig.hpp>

using namespace yoke_test;

namespace {

const char* const two_kernels = R"(
  kernel void twice(global int* values, int n) { size_t i = get_global_id(0); if (i < n) values[i] *= 2; }
  kernel void shift(global int* values, int by) { values[get_global_id(0)] += by; }
)";

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

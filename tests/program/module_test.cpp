// SPDX-License-Identifier: MIT
// Modules: logs, names, binaries there and back, and handles that outlive each other.
#include <support/rig.hpp>

using namespace yoke_test;

namespace {

const char* const two_kernels = R"(
  kernel void twice(global int* values, int n) { size_t i = get_global_id(0); if (i < n) values[i] *= 2; }
  kernel void shift(global int* values, int by) { values[get_global_id(0)] += by; }
)";

}  // namespace

YOKE_OPENCL_TEST_CASE("a module knows its kernels and what the compiler said", "[program]") {
  rig on(device);
  const auto module = yoke::compile(on.context, two_kernels);
  auto names = module.kernel_names();
  std::sort(names.begin(), names.end());
  CHECK(names == std::vector<std::string>{"shift", "twice"});
  CHECK_NOTHROW((void)module.build_log());
  CHECK(module.build_log() == module.build_log(on.device));
  CHECK(module.native_handle() != nullptr);
  CHECK(static_cast<bool>(module));
}

YOKE_OPENCL_TEST_CASE("copies of a module are one, and kernels keep it alive", "[program]") {
  rig on(device);
  {
    ocl::kernel<void(int*, int)> twice;
    {
      ocl::module module = yoke::compile(on.context, two_kernels);
      const ocl::module same = module;
      CHECK(same.native_handle() == module.native_handle());
      twice = yoke::get_kernel<void(int*, int)>(same, "twice");
      module = ocl::module{};
      refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { (void)module.kernel_names(); });
      refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { (void)module.get_kernel<void()>("f"); });
    }
    std::vector<int> values = counting(8);
    twice(on.stream, yoke::launch_over(8, 4), yoke::in_out(values), 8);
    CHECK(values == std::vector<int>{2, 4, 6, 8, 10, 12, 14, 16});
  }
  CHECK(on.live().empty());
  CHECK(on.driver.bad_releases().empty());
}

YOKE_OPENCL_TEST_CASE("a native program is adopted, borrowed and retained", "[program]") {
  rig on(device);
  {
    const auto module = yoke::compile(on.context, two_kernels);
    const abi::program native = module.release();  // one more reference
    CHECK(native == module.native_handle());
    const auto adopted = ocl::module::adopt(on.context, native);
    const auto borrowed = ocl::module::borrow(on.context, native);
    CHECK(borrowed.kernel_names().size() == 2);
    CHECK(adopted.get_kernel<void(int*, int)>("shift").checked() == yoke::signature_check::names);
    refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { (void)ocl::module::adopt(on.context, nullptr); });
  }
  CHECK(on.live().empty());
  CHECK(on.driver.bad_releases().empty());
}

YOKE_OPENCL_TEST_CASE("an exported module loads again, with its signatures still checked", "[program]") {
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

YOKE_OPENCL_TEST_CASE("damaged and foreign binaries never reach the driver", "[program]") {
  rig on(device);
  const std::vector<std::byte> binary = yoke::compile(on.context, two_kernels).export_binary();
  const std::size_t mark = on.driver.mark();
  const auto refused = [&](const std::vector<std::byte>& bytes) {
    return refusal<yoke::logic_error>(yoke::errc::incompatible_binary, [&] { (void)yoke::load(on.context, bytes); });
  };
  CHECK_THAT(refused({}), ContainsSubstring("binary of 0 bytes: too short"));
  CHECK_THAT(refused(std::vector<std::byte>(200)), ContainsSubstring("not one that export_binary() wrote"));
  for (const std::size_t at : {std::size_t{9}, binary.size() / 2, binary.size() - 1}) {
    auto damaged = binary;
    damaged[at] ^= std::byte{1};
    CHECK_THAT(refused(damaged), ContainsSubstring("its checksum does not fit"));
  }
  for (const std::size_t size : {binary.size() - 1, binary.size() / 2, std::size_t{50}}) {
    CHECK_THAT(refused({binary.begin(), binary.begin() + static_cast<std::ptrdiff_t>(size)}),
               ContainsSubstring("checksum") || ContainsSubstring("too short"));
  }
  CHECK(on.driver.count("create_program_with_binary", mark) == 0);

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

YOKE_ANY_DEVICE_TEST_CASE("a module of any backend", "[program]") {
  const yoke::context context(device);
  const yoke::stream stream{context};
  const yoke::module module = yoke::compile(context, R"(
    YOKE_KERNEL add(YOKE_GLOBAL float* a, float by, int n) {
      size_t i = get_global_id(0);
      if (i < n) a[i] += by;
    })");
  const auto add = module.get_kernel<void(float*, float, int)>("add");
  // A kernel of the dialect has a C name on CUDA, which tells nothing of its types.
  const bool cuda = std::string_view(device.backend_name()) == "cuda";
  CHECK(add.checked() == (cuda ? yoke::signature_check::sizes : yoke::signature_check::names));
  std::vector<float> values(10, 1.0F);
  add(stream, yoke::launch_over(10, 8), yoke::in_out(values), 0.5F, 10);
  CHECK(values == std::vector<float>(10, 1.5F));
  const auto loaded = yoke::load(context, module.export_binary());
  CHECK(loaded.kernel_names() == std::vector<std::string>{"add"});
}

YOKE_OPENCL_TEST_CASE("a kernel's name is taken whole", "[program]") {
  rig on(device);
  const auto module = yoke::compile(on.context, two_kernels);
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                 [&] { (void)module.get_kernel<void(int*, int)>(std::string("twice\0more", 10)); }),
      ContainsSubstring("kernel name \"twice\" goes on behind a zero character"));
}

YOKE_OPENCL_TEST_CASE("modules and kernels know the devices of their context only", "[program]") {
  rig on(device);
  const auto module = yoke::compile(on.context, two_kernels);
  const auto twice = module.get_kernel<void(int*, int)>("twice");
  // A device of another driver's table would do; the native handle is what is compared.
  const auto stranger = ocl::device::borrow(on.device.port(), nullptr);
  const auto refused = [](auto ask) {
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::wrong_context, ask),
               ContainsSubstring("the device is not one of this context's"));
  };
  const std::size_t mark = on.driver.mark();
  refused([&] { (void)twice.limits(stranger); });
  refused([&] { (void)module.build_log(stranger); });
  CHECK(on.driver.count_all(mark) == 0);
}

// SPDX-License-Identifier: MIT
// Modules: logs, names, binaries there and back, and handles that outlive each other.
#include <support/rig.hpp>

using namespace yoke_test;

namespace {

const char* const two_kernels = R"(
  YOKE_KERNEL twice(YOKE_GLOBAL int* values, int n) { size_t i = get_global_id(0); if (i < n) values[i] *= 2; }
  YOKE_KERNEL shift(YOKE_GLOBAL int* values, int by) { values[get_global_id(0)] += by; }
)";

}  // namespace

YOKE_DEVICE_TEST_CASE("a module knows its kernels and what the compiler said", "[program]") {
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

YOKE_DEVICE_TEST_CASE("copies of a module are one, and kernels keep it alive", "[program]") {
  rig on(device);
  {
    backend::kernel<void(int*, int)> twice;
    {
      backend::module module = yoke::compile(on.context, two_kernels);
      const backend::module same = module;
      CHECK(same.native_handle() == module.native_handle());
      twice = yoke::get_kernel<void(int*, int)>(same, "twice");
      module = backend::module{};
      refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { (void)module.kernel_names(); });
      refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { (void)yoke::get_kernel<void()>(module, "f"); });
    }
    std::vector<int> values = counting(8);
    twice(on.stream, yoke::launch_over(8, 4), yoke::in_out(values), 8);
    CHECK(values == std::vector<int>{2, 4, 6, 8, 10, 12, 14, 16});
  }
  CHECK(on.live().empty());
  CHECK(on.driver.bad_releases().empty());
}

YOKE_DEVICE_TEST_CASE("a native program is adopted, borrowed and retained", "[program]") {
  rig on(device);
  {
    const auto module = yoke::compile(on.context, two_kernels);
    const native_module native = module.retain_native();  // one more reference
    CHECK(native == module.native_handle());
    const auto adopted = backend::module::adopt(on.context, native);
    const auto borrowed = backend::module::borrow(on.context, native);
    CHECK(borrowed.kernel_names().size() == 2);
    CHECK(yoke::get_kernel<void(int*, int)>(adopted, "shift").checked() == Backend::dialect_check);
    refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                               [&] { (void)backend::module::adopt(on.context, native_module{}); });
  }
  CHECK(on.live().empty());
  CHECK(on.driver.bad_releases().empty());
}

YOKE_DEVICE_TEST_CASE("an exported module loads again, with its signatures still checked", "[program]") {
  rig on(device);
  const std::vector<std::byte> binary = yoke::compile(on.context, two_kernels).export_binary();
  CHECK(binary.size() > 64);
  const auto loaded = yoke::load(on.context, binary);
  CHECK(loaded.kernel_names().size() == 2);
  const auto twice = yoke::get_kernel<void(int*, int)>(loaded, "twice");
  // Intel's CPU runtime keeps no argument info in binaries.
  CHECK((twice.checked() == Backend::dialect_check || twice.checked() == yoke::signature_check::sizes));
  refusal<yoke::logic_error>(yoke::errc::signature_mismatch,
                             [&] { (void)yoke::get_kernel<void(int*, float, int)>(loaded, "twice"); });
  std::vector<int> values = counting(5);
  twice(on.stream, yoke::launch_over(5, 8), yoke::in_out(values), 5);
  CHECK(values == std::vector<int>{2, 4, 6, 8, 10});
  CHECK(yoke::load(on.context, loaded.export_binary()).kernel_names().size() == 2);
}

YOKE_DEVICE_TEST_CASE("damaged binaries never reach the driver", "[program]") {
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
  CHECK(on.driver.count(calls::load, mark) == 0);
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
  const bool cuda = std::string_view(device.backend_name()) == "cuda";
  CHECK(add.checked() == (cuda ? yoke::signature_check::types : yoke::signature_check::names));
  std::vector<float> values(10, 1.0F);
  add(stream, yoke::launch_over(10, 8), yoke::in_out(values), 0.5F, 10);
  CHECK(values == std::vector<float>(10, 1.5F));
  const auto loaded = yoke::load(context, module.export_binary());
  CHECK(loaded.kernel_names() == std::vector<std::string>{"add"});
}

YOKE_DEVICE_TEST_CASE("a kernel's name is taken whole", "[program]") {
  rig on(device);
  const auto module = yoke::compile(on.context, two_kernels);
  CHECK_THAT(refusal<yoke::logic_error>(
                 yoke::errc::invalid_argument,
                 [&] { (void)yoke::get_kernel<void(int*, int)>(module, std::string("twice\0more", 10)); }),
             ContainsSubstring("kernel name \"twice\" goes on behind a zero character"));
}

YOKE_DEVICE_TEST_CASE("modules and kernels know the devices of their context only", "[program]") {
  rig on(device);
  const auto module = yoke::compile(on.context, two_kernels);
  const auto twice = yoke::get_kernel<void(int*, int)>(module, "twice");
  const auto stranger = Backend::stranger();
  const auto refused = [](auto ask) {
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::wrong_context, ask),
               ContainsSubstring("the device is not one of this context's"));
  };
  const std::size_t mark = on.driver.mark();
  refused([&] { (void)twice.limits(stranger); });
  refused([&] { (void)module.build_log(stranger); });
  CHECK(on.driver.count_all(mark) == 0);
}

YOKE_DEVICE_TEST_CASE("a module that was moved from answers with an error", "[program]") {
  rig on(device);
  auto first = yoke::compile(on.context, "YOKE_KERNEL f(YOKE_GLOBAL int* a) { a[0] = 1; }");
  const auto second = std::move(first);
  const auto refused = [](auto act) { return refusal<yoke::logic_error>(yoke::errc::empty_handle, act); };
  const auto empty = ContainsSubstring("this module is empty");
  CHECK_THAT(refused([&] { (void)first.export_binary(); }), empty);  // NOLINT: that is what is asked
  CHECK_THAT(refused([&] { (void)first.build_log(); }), empty);
  CHECK_THAT(refused([&] { (void)first.kept_folder(); }), empty);
  CHECK_THAT(refused([&] { (void)first.kernel_names(); }), empty);
  CHECK_FALSE(second.export_binary().empty());
}

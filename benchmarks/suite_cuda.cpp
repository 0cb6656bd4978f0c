// SPDX-License-Identifier: MIT
// CUDA's operations: yoke and the driver's own calls; peers of the runtime API where they were found.
#include "operations.hpp"
#include "peers_cuda.hpp"
#include "side_raw_cuda.hpp"
#include "suites.hpp"

namespace bench {

suite cuda_suite(const yoke::device<yoke::any_port>& device) {
  using cuda_side = yoke_side<yoke::cuda::port>;
  const yoke::device_summary facts = device.summary();
  const auto native = yoke::as_cuda(device);
  suite result;
  result.backend = "cuda";
  result.device = facts.name;
  result.platform = "CUDA";
  result.driver_version = facts.driver_version;
  yoke::cuda::detail::load_failure ignored;
  const auto* driver = yoke::cuda::detail::find_driver(ignored);
  result.simulated = facts.name.starts_with("yoke CUDA simulator");
  result.on_host = result.simulated;
  result.ordinal = native.native_handle().native();
  int major = 0;
  int minor = 0;
  check(driver->table.device_get_attribute(&major, 75, native.native_handle().native()), "cuDeviceGetAttribute");
  check(driver->table.device_get_attribute(&minor, 76, native.native_handle().native()), "cuDeviceGetAttribute");
  result.architecture = "sm_" + std::to_string(major) + std::to_string(minor);

  const auto yoke = made_late<cuda_side>([=] {
    auto made = std::make_shared<cuda_side>(native);
    // Current for everybody: what the driver's own calls need, and the library leaves alone.
    check(driver->table.context_set_current(made->context.native_handle()), "cuCtxSetCurrent");
    return made;
  });
  const auto any_port =
      made_late<yoke_side<yoke::any_port>>([=] { return std::make_shared<yoke_side<yoke::any_port>>(device); });
  const auto raw = made_late<raw_cuda_side>([=] { return std::make_shared<raw_cuda_side>(*yoke->get()); });
  const auto add = [&](auto... peers) {
    operation_list(result, named<cuda_side>{"yoke", yoke}, named<yoke_side<yoke::any_port>>{"any_port", any_port, 1},
                   named<raw_cuda_side>{"raw", raw}, peers...)
        .add_all();
  };
  if (result.simulated) {  // the runtime API looks for a real driver
    add();
    for (const char* each : {"cccl", "rmm"}) result.absent.push_back({each, "the simulator is no driver for it"});
  } else {
    std::apply(add, cuda_peers(result, yoke));
  }
  result.busy_count = [=] { return yoke->get()->busy_count; };
  return result;
}

}  // namespace bench

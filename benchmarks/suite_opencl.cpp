// SPDX-License-Identifier: MIT
// OpenCL's operations: yoke, the C interface, OpenCL-CLHPP; Boost.Compute where it was found.
#include "operations.hpp"
#include "side_clhpp.hpp"
#include "suites.hpp"
#if defined(YOKE_BENCH_BOOST_COMPUTE)
#include "side_boost_compute.hpp"
#endif

#include <yoke/opencl/memory/map.hpp>

#include <tuple>
#include <type_traits>

namespace bench {
namespace {

/// What only OpenCL has.
class opencl_yoke_side : public yoke_side<yoke::opencl::port> {
 public:
  using yoke_side::yoke_side;
  void map_unmap(blocks& with) { (void)yoke::opencl::map(with.first, stream, yoke::opencl::map_read); }
};

}  // namespace

suite opencl_suite(const yoke::device<yoke::any_port>& device) {
  const yoke::device_summary facts = device.summary();
  suite result;
  result.backend = "opencl";
  result.device = facts.name;
  result.platform = facts.platform;
  result.driver_version = facts.driver_version;
  result.on_host = facts.kind == yoke::device_kind::cpu;
  const auto yoke =
      made_late<opencl_yoke_side>([=] { return std::make_shared<opencl_yoke_side>(yoke::as_opencl(device)); });
  const auto any_port = made_late<yoke_side<yoke::any_port>>(
      [=] { return std::make_shared<yoke_side<yoke::any_port>>(device.port(), *yoke->get()); });
  // Whoever takes yoke's objects.
  const auto over = [&]<class Side>(std::type_identity<Side>, const char* name) {
    return named<Side>{name, made_late<Side>([=] { return std::make_shared<Side>(opencl_objects(*yoke->get())); })};
  };
  const auto add = [&](auto... more) {
    operation_list(
        result, named<opencl_yoke_side>{"yoke", yoke}, named<yoke_side<yoke::any_port>>{"any_port", any_port},
        over(std::type_identity<raw_opencl_side>(), "raw"), over(std::type_identity<clhpp_side>(), "clhpp"), more...)
        .add_all();
  };
#if defined(YOKE_BENCH_BOOST_COMPUTE)
  auto boost_compute = std::make_tuple(over(std::type_identity<boost_compute_side>(), "boost_compute"));
#else
  auto boost_compute = std::tuple<>();
  result.absent.push_back({"boost_compute", "<boost/compute.hpp> was not found when the benchmarks were built"});
#endif
  std::apply(add, boost_compute);
  result.busy_count = [=] { return yoke->get()->busy_count; };
  return result;
}

}  // namespace bench

// SPDX-License-Identifier: MIT
// OpenCL's operations: yoke, the C interface, OpenCL-CLHPP; Boost.Compute and VexCL where they were found.
#include "operations.hpp"
#include "side_clhpp.hpp"
#include "suites.hpp"
#if defined(YOKE_BENCH_BOOST_COMPUTE)
#include "side_boost_compute.hpp"
#endif
#if defined(YOKE_BENCH_VEXCL)
#include "side_vexcl.hpp"
#endif

#include <yoke/opencl/map.hpp>

#include <memory>
#include <tuple>

namespace bench {
namespace {

/// What only OpenCL has.
class opencl_yoke_side : public yoke_side<yoke::opencl::port> {
 public:
  using yoke_side::yoke_side;
  void map_unmap(blocks& with) { (void)yoke::opencl::map(with.first, stream, yoke::opencl::map_read); }
};

struct opencl_sides {
  explicit opencl_sides(const yoke::device<yoke::any_port>& device)
      : yoke(std::make_shared<opencl_yoke_side>(yoke::as_opencl(device))),
        any_port(std::make_shared<yoke_side<yoke::any_port>>(device.port(), *yoke)),
        raw(std::make_shared<raw_opencl_side>(opencl_objects(*yoke))),
        raw_again(std::make_shared<raw_opencl_again>(opencl_objects(*yoke))),
        clhpp(std::make_shared<clhpp_side>(opencl_objects(*yoke))) {}
  std::shared_ptr<opencl_yoke_side> yoke;
  std::shared_ptr<yoke_side<yoke::any_port>> any_port;
  std::shared_ptr<raw_opencl_side> raw;
  std::shared_ptr<raw_opencl_again> raw_again;
  std::shared_ptr<clhpp_side> clhpp;
};

}  // namespace

suite opencl_suite(const yoke::device<yoke::any_port>& device) {
  const yoke::device_summary facts = device.summary();
  suite result;
  result.backend = "opencl";
  result.device = facts.name;
  result.platform = facts.platform;
  result.driver_version = facts.driver_version;
  result.driver_library = "libOpenCL.so.1";
  result.on_host = facts.kind == yoke::device_kind::cpu;
  const auto sides = std::make_shared<opencl_sides>(device);
  const auto add = [&](auto... more) {
    operation_list(result, named<opencl_yoke_side>{"yoke", sides->yoke},
                   named<yoke_side<yoke::any_port>>{"any_port", sides->any_port},
                   named<raw_opencl_side>{"raw", sides->raw}, named<raw_opencl_again>{"raw_again", sides->raw_again},
                   named<clhpp_side>{"clhpp", sides->clhpp}, more...)
        .add_all();
  };
#if defined(YOKE_BENCH_BOOST_COMPUTE)
  auto boost_compute = std::make_tuple(
      named<boost_compute_side>{"boost_compute", std::make_shared<boost_compute_side>(opencl_objects(*sides->yoke))});
#else
  auto boost_compute = std::tuple<>();
  result.absent.push_back({"boost_compute", "<boost/compute.hpp> was not found when the benchmarks were built"});
#endif
#if defined(YOKE_BENCH_VEXCL)
  auto vexcl = std::make_tuple(named<vexcl_side>{"vexcl", std::make_shared<vexcl_side>(opencl_objects(*sides->yoke))});
#else
  auto vexcl = std::tuple<>();
  result.absent.push_back({"vexcl", "<vexcl/vexcl.hpp> or Boost was not found when the benchmarks were built"});
#endif
  std::apply(add, std::tuple_cat(std::move(boost_compute), std::move(vexcl)));
  result.busy_count = sides->yoke->busy_count;
  result.owner = sides;
  return result;
}

}  // namespace bench

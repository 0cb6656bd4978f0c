// SPDX-License-Identifier: MIT
// Ranks on two CUDA devices: they copy out of each other's memory, directly where the devices see each other.
#include <cuda/cuda_rig.hpp>
#include <distributed/halo_elements.hpp>
#include <local/ranks.hpp>
#include <support/process/in_child.hpp>

#include <array>

using namespace yoke_test;
using namespace yoke_test::ranks;

namespace {

/// Effects: calls `act` with two devices; the simulator has them in a child.
template <class Act>
void with_two_devices(const cuda_device& device, const Act& act) {
  if (is_simulated(device) && !in_child({{"YOKE_SIMULATOR_DEVICES", "2"}})) return;
  const std::vector<cuda_device> found = cu::devices(device.port());
  if (found.size() < 2) YOKE_SKIP("there is one CUDA device");
  act(found);
}

/// Effects: each rank reduces, and exchanges its halos several times.
template <class Port>
void check_two_ranks(const std::array<yoke::context<Port>, 2>& contexts) {
  const yoke::array_partition<2> grid{{6, 5}, 2, yoke::split_rows, {.halo = 1}};
  std::array<std::vector<int>, 2> sums;
  std::array<std::vector<int>, 2> halos;
  yoke::local_team<Port>(2).run([&](auto& comm) {
    const auto rank = static_cast<std::size_t>(comm.rank());
    const yoke::stream<Port> s(contexts[rank]);
    auto x = yoke::to_device_array(elements_of(comm.rank(), 4), s);
    comm.all_reduce(x, yoke::summed, s);
    yoke::device_array<int, 2, Port> u(s, grid.shape_with_halo(comm.rank()));
    yoke::halo_exchange halo{comm, grid, u};
    for (int step = 0; step < 3; ++step) {
      u.assign(own_elements(grid, comm.rank(), false));
      halo.run(s);
    }
    comm.wait(s);
    sums[rank] = x.to_host();
    halos[rank] = u.to_host();
  });
  for (int rank = 0; rank < 2; ++rank) {
    CHECK(sums[static_cast<std::size_t>(rank)] == std::vector<int>{100, 102, 104, 106});
    CHECK(halos[static_cast<std::size_t>(rank)] == own_elements(grid, rank, true));
  }
}

}  // namespace

YOKE_CUDA_TEST_CASE("ranks on two devices copy to each other, directly where these see each other", "[local]") {
  with_two_devices(device, [](const std::vector<cuda_device>& devices) {
    const bool see = cu::can_access_peer(devices[0], devices[1]) && cu::can_access_peer(devices[1], devices[0]);
    cuda_interposer driver(*devices[0].port().table());
    {
      const std::array contexts{cu::context(through_table(driver.table(), devices[0])),
                                cu::context(through_table(driver.table(), devices[1]))};
      check_two_ranks(contexts);
      CHECK(driver.count("context_enable_peer_access") == (see ? 2 : 0));  // of each rank, once
      CHECK(driver.count("memcpy_peer_async") >= 8);
      // The access stays, also for another team.
      const std::size_t mark = driver.mark();
      check_two_ranks(std::array{yoke::as_any(contexts[0]), yoke::as_any(contexts[1])});
      CHECK(driver.count("context_enable_peer_access", mark) == 0);
      CHECK(driver.count("context_disable_peer_access") == 0);
      CHECK(driver.count("memcpy_peer_async", mark) >= 8);
    }
  });
}

YOKE_CUDA_TEST_CASE("ranks on two devices copy to each other where these cannot see each other", "[local]") {
  with_two_devices(device, [](const std::vector<cuda_device>& devices) {
    cuda_interposer driver(*devices[0].port().table());
    cu::abi::functions poorer = *driver.table();
    const auto check = [&](std::size_t enabled) {
      const std::size_t mark = driver.mark();
      check_two_ranks(
          std::array{cu::context(through_table(&poorer, devices[0])), cu::context(through_table(&poorer, devices[1]))});
      CHECK(driver.count("context_enable_peer_access", mark) == enabled);
    };
    poorer.device_can_access_peer = [](int* can, cu::abi::device, cu::abi::device) {
      *can = 0;
      return cu::abi::success;
    };
    check(0);
    // A device has as many peers as it can have.
    poorer.device_can_access_peer = [](int* can, cu::abi::device, cu::abi::device) {
      *can = 1;
      return cu::abi::success;
    };
    poorer.context_enable_peer_access = [](cu::abi::context, unsigned) { return cu::abi::error_too_many_peers; };
    check(0);
  });
}

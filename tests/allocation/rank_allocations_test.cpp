// SPDX-License-Identifier: MIT
// Each allocation of a clique's halos, of a team's rank and of its halos fails in turn: the others are told, nothing is
// lost, and the next ones are right.
#include <distributed/halo_elements.hpp>
#include <nccl/nccl_interposer.hpp>
#include <nccl/several_gpus.hpp>
#include <support/faults/allocation_faults.hpp>
#include <support/soon.hpp>

#include <yoke/array.hpp>
#include <yoke/local.hpp>

#include <string>
#include <vector>

using namespace yoke_test;

namespace {

using plates = std::vector<yoke::device_array<int, 2, cu::port>>;
using grid_type = yoke::array_partition<2>;

/// Two GPUs by a table whose calls do not fail for want of memory, with a ring of two blocks.
struct two_blocks {
  explicit two_blocks(const cu::abi::functions* table) : gpus(through(table)) {
    for (int rank = 0; rank < 2; ++rank) {
      u.emplace_back(gpus.streams[static_cast<std::size_t>(rank)], grid.shape_with_halo(rank)).fill(0);
    }
  }
  static several_gpus through(const cu::abi::functions* table) {
    std::vector<cu::device> devices;
    for (const cu::device& each : cu::devices()) devices.push_back(through_table(table, each));
    return several_gpus(devices);
  }
  /// Effects: the arrays have their own elements, and no halo.
  void reset() {
    for (std::size_t rank = 0; rank < 2; ++rank) u[rank].assign(own_elements(grid, static_cast<int>(rank), false));
  }
  void check() const {
    for (std::size_t rank = 0; rank < 2; ++rank) {
      CHECK(u[rank].to_host() == own_elements(grid, static_cast<int>(rank), true));
    }
  }
  const grid_type grid{{6, 5}, 2, yoke::split_rows, {.halo = 1, .periodic = {true, false}}};
  several_gpus gpus;
  plates u;
};

struct turn_of_faults {
  std::size_t number;
  fault_mode mode;
};

/// Effects: calls `act(turn)` for each number of an allocation, until none fails. `act` returns how many failed.
template <class Act>
void fail_in_turn(const Act& act) {
  std::size_t struck = 0;
  for (const fault_mode mode : {fault_mode::once, fault_mode::for_ever}) {
    bool is_over = false;
    for (std::size_t number = 0; !is_over; number += number == 0 ? 1 : default_fault_step() / 3 + 1) {
      INFO("allocation " << number << ", for ever: " << (mode == fault_mode::for_ever));
      const std::size_t injected = act(turn_of_faults{number, mode});
      struck += injected;
      is_over = number != 0 && injected == 0;
      // 0: none fails, so that what the process keeps is there. Threads let go of theirs a moment later.
      if (number != 0) CHECK(soon([] { return allocation_faults::live_blocks() == 0; }));
    }
  }
  CHECK(struck > 10);
}

/// Returns: "fine", or what kind of exception is thrown.
template <class Act>
std::string outcome_of(const Act& act) {
  try {
    act();
  } catch (const std::bad_alloc&) {
    return "bad_alloc";
  } catch (const yoke::error&) {
    return "error";
  } catch (const std::runtime_error&) {  // of a rank, below
    return "another";
  }
  return "fine";
}

/// Effects: calls `act` with allocations of this thread failing. Returns: how many did.
template <class Act>
std::size_t run_with(const turn_of_faults& turn, const Act& act, std::string& outcome_text) {
  allocation_faults::arm(turn.number, turn.mode);
  outcome_text = outcome_of(act);
  const std::size_t injected = allocation_faults::injected();
  allocation_faults::disarm();
  return injected;
}

}  // namespace

YOKE_CUDA_TEST_CASE("allocations of a clique's halos fail in turn, and the next ones are right",
                    "[allocation][nccl][clique]") {
  if (!is_simulated(device) || !in_child({{"YOKE_SIMULATOR_DEVICES", "2"}, {"YOKE_SIMULATOR_LEAKS", "fail"}})) return;
  REQUIRE(interpose_nccl());
  cuda_interposer driver(*device.port().table());
  {
    two_blocks on(driver.table());
    const auto& streams = on.gpus.streams;
    for (const nccl::options& with :
         {nccl::options{.peer_copy_bytes = 0}, nccl::options{.peer_write_bytes = 0}, nccl::options{}}) {
      const nccl::clique whole{on.gpus.contexts, with};
      yoke::halo_exchange kept{whole, on.grid, on.u};
      fail_in_turn([&](const turn_of_faults& turn) {
        const cleanup_recorder recorder;
        std::string told;
        const std::size_t injected = run_with(
            turn,
            [&] {
              const nccl::clique all{on.gpus.contexts, with};
              yoke::halo_exchange halo{all, on.grid, on.u};
              halo.run(streams);
              auto moving = halo.start(streams);
              moving.finish(streams);
              kept.start(streams).finish(streams);
              all.wait(streams);
            },
            told);
        if (injected == 0) CHECK(told == "fine");
        on.reset();
        kept.run(streams);
        whole.wait(streams);
        on.check();
        return injected;
      });
    }
  }
}

YOKE_CUDA_TEST_CASE("allocations of a rank of a team fail in turn, and the others are told", "[allocation][local]") {
  if (!is_simulated(device) || !in_child({{"YOKE_SIMULATOR_DEVICES", "2"}, {"YOKE_SIMULATOR_LEAKS", "fail"}})) return;
  cuda_interposer driver(*device.port().table());
  {
    two_blocks on(driver.table());
    const auto step = [&](auto& comm, cu::device_allocation<int>& x) {
      const auto rank = static_cast<std::size_t>(comm.rank());
      const cu::stream& stream = on.gpus.streams[rank];
      yoke::halo_exchange halo{comm, on.grid, on.u[rank]};
      halo.run(stream);
      halo.start(stream).finish(stream);
      yoke::fill(x, static_cast<int>(rank) + 1, stream);
      comm.all_reduce(x, yoke::summed, stream);
      comm.barrier(stream);
    };
    fail_in_turn([&](const turn_of_faults& turn) {
      const cleanup_recorder recorder;
      std::vector<cu::device_allocation<int>> x;
      for (const cu::context& each : on.gpus.contexts) x.emplace_back(each, 5);
      std::vector<std::string> told(2);
      std::size_t injected = 0;
      const auto begin = std::chrono::steady_clock::now();
      const auto all = outcome_of([&] {
        yoke::local_team<cu::port>(2, {.deadline = 20s}).run([&](yoke::local_communicator<cu::port>& comm) {
          const auto rank = static_cast<std::size_t>(comm.rank());
          if (rank != 1) return step(comm, x[rank]);
          injected = run_with(
              turn, [&] { step(comm, x[rank]); }, told[rank]);
          if (told[rank] != "fine") throw std::runtime_error(told[rank]);
        });
      });
      INFO(all << ", " << told[1]);
      CHECK(std::chrono::steady_clock::now() - begin < 15s);  // nobody waits for the deadline
      if (injected == 0) CHECK(told[1] == "fine");
      for (const cu::stream& each : on.gpus.streams) each.synchronize();
      on.reset();
      yoke::local_team<cu::port>(2, {.deadline = 20s}).run([&](yoke::local_communicator<cu::port>& comm) {
        step(comm, x[static_cast<std::size_t>(comm.rank())]);
      });
      on.check();
      for (std::size_t rank = 0; rank < 2; ++rank) {
        CHECK(yoke::to_host(x[rank], on.gpus.streams[rank]) == std::vector<int>(5, 3));
      }
      return injected;
    });
  }
}

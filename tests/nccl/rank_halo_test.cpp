// SPDX-License-Identifier: MIT
// Halos of NCCL's ranks on threads: the neighbours' elements, ranks that differ, and an end while messages are in flight.
#include <distributed/halo_elements.hpp>
#include <nccl/several_gpus.hpp>

#include <yoke/array.hpp>

#include <atomic>
#include <optional>
#include <stdexcept>

using namespace yoke_test;

namespace {

using communicator = nccl::communicator<cu::port>;
using grid_type = yoke::array_partition<2>;

/// Returns: an array of the partition's shape for a rank, of zeros.
template <class T>
yoke::device_array<T, 2, cu::port> plate(const grid_type& grid, int rank, const cu::stream& s) {
  yoke::device_array<T, 2, cu::port> made(s, grid.shape_with_halo(rank));
  made.fill(T{});
  return made;
}

/// Effects: makes a communicator of two ranks and a halo, of which `act(rank, communicator, halo, stream)` is called once
/// the messages have gone to and fro.
/// `over` is set when all of rank 0 has ended.
template <class Act>
void with_halos(const several_gpus& gpus, const nccl::options& with, const Act& act,
                std::atomic<bool>* over = nullptr) {
  const grid_type grid{{10, 4}, 2, yoke::split_rows, {.halo = 1}};
  const nccl::unique_id id = nccl::get_unique_id();
  on_ranks(2, [&](std::size_t at) {
    const int rank = static_cast<int>(at);
    struct end {
      std::atomic<bool>* of;
      ~end() {
        if (of != nullptr) *of = true;
      }
    } const ends{rank == 0 ? over : nullptr};
    communicator comm{id, 2, rank, gpus.contexts[at], with};
    const cu::stream& s = gpus.streams[at];
    auto u = plate<int>(grid, rank, s);
    u.assign(own_elements(grid, rank, false));
    yoke::halo_exchange halo{comm, grid, u};
    halo.run(s);
    comm.wait(s);
    YOKE_RANK_CHECK(u.to_host() == own_elements(grid, rank, true));
    act(rank, comm, halo, s);
  });
}

}  // namespace

YOKE_CUDA_TEST_CASE("halos of ranks share their communicator, wherever that is moved", "[nccl][communicator]") {
  with_gpus(device, [](const several_gpus& gpus) {
    with_halos(gpus, {}, [](int, communicator& comm, auto& halo, const cu::stream& s) {
      communicator other = std::move(comm);
      halo.run(s);
      auto moved = std::move(halo);
      moved.run(s);
      rank_refusal<yoke::logic_error>(yoke::errc::empty_handle, {"this halo exchange is empty"},
                                      [&] { halo.run(s); });  // NOLINT: moved from
      other.wait(s);
    });
  });
}

YOKE_CUDA_TEST_CASE("ranks of NCCL whose halos differ are told on all ranks", "[nccl][communicator]") {
  with_gpus(device, [](const several_gpus& gpus) {
    const grid_type both{{10, 4}, 2, yoke::split_rows, {.halo = 1}};
    const grid_type rows{{10, 4}, 2, yoke::split_rows, {.halo = {1, 0}}};
    const nccl::unique_id id = nccl::get_unique_id();
    on_ranks(2, [&](std::size_t at) {
      const int rank = static_cast<int>(at);
      communicator comm{id, 2, rank, gpus.contexts[at]};
      const cu::stream& s = gpus.streams[at];
      auto numbers = plate<int>(both, rank, s);
      auto floats = plate<float>(both, rank, s);
      auto narrow = plate<int>(rows, rank, s);
      rank_refusal<yoke::communication_error>(
          yoke::errc::mismatched_ranks,
          {yoke::detail::text("rank ", rank, " exchanges halos of "),
           yoke::detail::text("rank ", 1 - rank, " halos of "), "halos of int of (10, 4)", "halos of float of (10, 4)"},
          [&] {
            if (rank == 0) yoke::halo_exchange{comm, both, floats}.run(s);
            if (rank == 1) yoke::halo_exchange{comm, both, numbers}.run(s);
          });
      rank_refusal<yoke::communication_error>(
          yoke::errc::mismatched_ranks, {"of the widths (1, 0)", "of the widths (1, 1)", "rank_halo_test.cpp"}, [&] {
            if (rank == 0) yoke::halo_exchange{comm, both, numbers}.run(s);
            if (rank == 1) yoke::halo_exchange{comm, rows, narrow}.run(s);
          });
      yoke::halo_exchange{comm, both, numbers}.run(s);  // the communicator goes on
      comm.wait(s);
    });
  });
}

YOKE_CUDA_TEST_CASE("a rank that comes to no halo ends the making of the others' at the deadline",
                    "[nccl][communicator][failure]") {
  with_gpus(device, [](const several_gpus& gpus) {
    const grid_type grid{{10, 4}, 2, yoke::split_rows, {.halo = 1}};
    std::atomic<bool> over{false};
    const nccl::unique_id id = nccl::get_unique_id();
    on_ranks(2, [&](std::size_t at) {
      communicator comm{id, 2, static_cast<int>(at), gpus.contexts[at], {.deadline = 2s, .end_within = 1s}};
      if (at == 1) {
        wait_for_other(over);
        return comm.abort();
      }
      auto u = plate<int>(grid, 0, gpus.streams[0]);
      rank_refusal<yoke::communication_error>(yoke::errc::timed_out, {"within 2 s"},
                                              [&] { yoke::halo_exchange(comm, grid, u); });
      over = true;
    });
  });
}

// To free memory waits for the device, which waits for the other rank.
YOKE_CUDA_TEST_CASE("halos in flight do not hold up the end of their communicator, by an exception or without",
                    "[nccl][communicator][failure]") {
  with_gpus(device,
            [](const several_gpus& gpus) {
              for (const bool by_exception : {true, false}) {
                std::atomic<bool> over{false};
                const auto begin = std::chrono::steady_clock::now();
                std::chrono::nanoseconds took{};
                const auto leave = [&](int rank, communicator& comm, auto& halo, const cu::stream& s) {
                  if (rank == 1) {
                    wait_for_other(over);
                    took = std::chrono::steady_clock::now() - begin;
                    return comm.abort();
                  }
                  auto moving = halo.start(s);
                  if (by_exception) throw std::domain_error("rank 0 has had enough");
                };
                const auto run = [&] { with_halos(gpus, {.deadline = 3s, .end_within = 1s}, leave, &over); };
                if (by_exception) {
                  CHECK_THROWS_AS(run(), std::domain_error);
                } else {
                  run();
                }
                CHECK(took < 20s);
              }
            },
            {{"YOKE_NCCL_SIMULATOR_DEADLOCK_SECONDS", "60"}});
}

YOKE_CUDA_TEST_CASE("memory of a halo whose messages are in flight is freed by a later wait", "[nccl][communicator]") {
  with_gpus(device, [](const several_gpus& gpus) {
    const grid_type grid{{10, 4}, 2, yoke::split_rows, {.halo = 1}};
    const nccl::unique_id id = nccl::get_unique_id();
    std::atomic<bool> over{false};
    on_ranks(2, [&](std::size_t at) {
      const int rank = static_cast<int>(at);
      communicator comm{id, 2, rank, gpus.contexts[at]};
      const cu::stream& s = gpus.streams[at];
      auto u = plate<int>(grid, rank, s);
      u.assign(own_elements(grid, rank, false));
      std::optional halo{yoke::halo_exchange{comm, grid, u}};
      halo->run(s);  // makes the connections
      comm.wait(s);
      u.assign(own_elements(grid, rank, false));
      if (rank == 0) {
        halo->run(s);
        halo.reset();  // does not wait for the other rank
        over = true;
      } else {
        wait_for_other(over);
        halo->run(s);
      }
      comm.wait(s);
      YOKE_RANK_CHECK(u.to_host() == own_elements(grid, rank, true));
    });
  });
}

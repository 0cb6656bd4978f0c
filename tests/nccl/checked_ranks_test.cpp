// SPDX-License-Identifier: MIT
// Checked communicators: ranks that call different things throw on all ranks, and go on.
#include <nccl/several_gpus.hpp>

#include <atomic>

using namespace yoke_test;

namespace {

using communicator = nccl::communicator<cu::port>;
using verb_of_rank = std::function<void(const communicator&, const cu::stream&, cu::device_allocation<int>&)>;

/// Effects: two ranks call one verb each; both must throw and name the other one's, on this file's lines.
void check_mismatch(const several_gpus& gpus, const communicator (&comms)[2], const verb_of_rank& first,
                    const verb_of_rank& second, const std::string& first_words, const std::string& second_words) {
  on_ranks(2, [&](std::size_t rank) {
    cu::device_allocation<int> x{gpus.contexts[rank], 20};
    const cu::stream& stream = gpus.streams[rank];
    yoke::fill(x, 1, stream);
    const verb_of_rank& act = rank == 0 ? first : second;
    const std::string& own = rank == 0 ? first_words : second_words;
    const std::string& other = rank == 0 ? second_words : first_words;
    rank_refusal<yoke::communication_error>(
        yoke::errc::mismatched_ranks,
        {own + " does not match the other ranks: rank " + (rank == 0 ? "1" : "0") + " calls " + other,
         " at checked_ranks_test.cpp:"},
        [&] { act(comms[rank], stream, x); });
    // Nothing was enqueued, and the ranks go on.
    YOKE_RANK_CHECK(yoke::to_host(x, stream) == std::vector<int>(20, 1));
    comms[rank].all_reduce(x, yoke::summed, stream);
    YOKE_RANK_CHECK(yoke::to_host(x, stream) == std::vector<int>(20, 2));
  });
}

}  // namespace

YOKE_CUDA_TEST_CASE("checked ranks throw on all ranks where their collectives differ", "[nccl][check]") {
  with_gpus(device, [](const several_gpus& gpus) {
    const nccl::unique_id id = nccl::get_unique_id();
    communicator comms[2];
    on_ranks(2, [&](std::size_t rank) {
      comms[rank] = communicator{id, 2, static_cast<int>(rank), gpus.contexts[rank], {.deadline = 10s, .check = true}};
    });
    const verb_of_rank sum = [](const auto& comm, const auto& in, auto& x) { comm.all_reduce(x, yoke::summed, in); };
    const verb_of_rank largest = [](const auto& comm, const auto& in, auto& x) {
      comm.all_reduce(x, yoke::largest, in);
    };
    const verb_of_rank fewer = [](const auto& comm, const auto& in, auto& x) {
      comm.all_reduce(x.span().subspan(0, 10), yoke::summed, in);
    };
    const verb_of_rank from_0 = [](const auto& comm, const auto& in, auto& x) { comm.broadcast(x, 0, in); };
    const verb_of_rank from_1 = [](const auto& comm, const auto& in, auto& x) { comm.broadcast(x, 1, in); };
    check_mismatch(gpus, comms, sum, fewer, "all_reduce of 20 int, summed", "all_reduce of 10 int, summed");
    check_mismatch(gpus, comms, sum, largest, "all_reduce of 20 int, summed", "all_reduce of 20 int, largest");
    check_mismatch(gpus, comms, sum, from_0, "all_reduce of 20 int, summed", "broadcast of 20 int, root 0");
    check_mismatch(gpus, comms, from_1, from_0, "broadcast of 20 int, root 1", "broadcast of 20 int, root 0");
    on_ranks(2, [&](std::size_t rank) { comms[rank].close(); });
  });
}

YOKE_CUDA_TEST_CASE("a comparison that waits for a late rank has one deadline, its own", "[nccl][check][failure]") {
  with_gpus(device, [](const several_gpus& gpus) {
    const nccl::unique_id id = nccl::get_unique_id();
    std::atomic<bool> over{false};
    on_ranks(2, [&](std::size_t rank) {
      // It looks at its deadline after 16 turns: whoever else times the call would end it first.
      nccl::options with{.deadline = 1s, .check = true};
      with.while_waiting = [&] {
        if (rank == 0) std::this_thread::sleep_for(100ms);
      };
      cu::device_allocation<int> x{gpus.contexts[rank], 20};  // ends behind the communicator
      yoke::fill(x, 1, gpus.streams[rank]);
      const communicator comm{id, 2, static_cast<int>(rank), gpus.contexts[rank], with};
      comm.all_reduce(x, yoke::summed, gpus.streams[rank]);
      if (rank == 1) {
        wait_for_other(over);
        return comm.abort();
      }
      rank_refusal<yoke::communication_error>(yoke::errc::timed_out, {"all_reduce has not ended within 1 s"},
                                              [&] { comm.all_reduce(x, yoke::summed, gpus.streams[rank]); });
      over = true;
    });
  });
}

YOKE_CUDA_TEST_CASE("YOKE_DEBUG checks the ranks of every communicator", "[nccl][check]") {
  if (!is_simulated(device)) return;
  with_gpus(device,
            [](const several_gpus& gpus) {
              const nccl::unique_id id = nccl::get_unique_id();
              on_ranks(2, [&](std::size_t rank) {
                const communicator comm{id, 2, static_cast<int>(rank), gpus.contexts[rank]};
                cu::device_allocation<float> x{gpus.contexts[rank], 4};
                rank_refusal<yoke::communication_error>(
                    yoke::errc::mismatched_ranks, {"does not match the other ranks"},
                    [&] { comm.all_reduce(x.span().subspan(0, rank + 1), yoke::summed, gpus.streams[rank]); });
              });
            },
            {{"YOKE_DEBUG", "other,ranks"}});
}

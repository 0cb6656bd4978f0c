// SPDX-License-Identifier: MIT
// Ranks of NCCL in processes of their own, on the simulator: results, and what the others see when one is killed or late.
#include <nccl/several_gpus.hpp>
#include <support/process/sent_bytes.hpp>

#include <cstdlib>

using namespace yoke_test;

namespace {

/// Effects: runs the test that is running in `ranks` children at once; each sees its rank and the id. Returns: theirs.
std::vector<child_result> run_ranks(int ranks, const std::vector<std::pair<std::string, std::string>>& more = {}) {
  const std::string name = current_test_name();
  const std::string id = hex(nccl::get_unique_id());
  std::vector<child_result> results(static_cast<std::size_t>(ranks));
  on_ranks(results.size(), [&](std::size_t rank) {
    std::vector<std::pair<std::string, std::string>> variables = more;
    variables.emplace_back("YOKE_SIMULATOR_DEVICES", std::to_string(ranks));
    variables.emplace_back("YOKE_TEST_RANK", std::to_string(rank));
    variables.emplace_back("YOKE_TEST_NCCL_ID", id);
    results[rank] = run_child(name, variables);
  });
  return results;
}

/// One rank of a process. Its device has its number.
struct process_rank {
  explicit process_rank(const nccl::options& with = {})
      : rank(std::atoi(std::getenv("YOKE_TEST_RANK"))),
        context(cu::devices()[static_cast<std::size_t>(rank)]),
        comm(sent_by<nccl::unique_id>("YOKE_TEST_NCCL_ID"), std::atoi(std::getenv("YOKE_SIMULATOR_DEVICES")), rank,
             context, with) {}
  int rank;
  cu::context context;
  cu::stream stream{context};
  nccl::communicator<cu::port> comm;
};

}  // namespace

YOKE_CUDA_TEST_CASE("ranks in processes of their own reduce and exchange", "[nccl][processes]") {
  if (!is_simulated(device)) return;
  if (!is_child(current_test_name())) {
    for (const child_result& each : run_ranks(3)) {
      INFO(each.output);
      CHECK(each.status == 0);
    }
    return;
  }
  if (!(cu::devices().front() == device)) return;
  const process_rank one;
  cu::device_allocation<double> x{one.context, 100000}, y{one.context, 100000};
  yoke::fill(x, 1.0 + one.rank, one.stream);
  one.comm.all_reduce(x, yoke::summed, one.stream);
  CHECK(yoke::to_host(x, one.stream) == std::vector<double>(100000, 6));
  yoke::exchange list{one.comm};
  yoke::fill(x, one.rank, one.stream);
  list.send(x, (one.rank + 1) % 3);
  list.receive(y, (one.rank + 2) % 3);
  one.comm.run(list, one.stream);
  one.comm.wait(one.stream);
  CHECK(yoke::to_host(y, one.stream) == std::vector<double>(100000, (one.rank + 2) % 3));
  one.comm.close();
}

YOKE_CUDA_TEST_CASE("a rank that is killed ends the others' wait at the deadline", "[nccl][processes][failure]") {
  if (!is_simulated(device)) return;
  if (!is_child(current_test_name())) {
    const auto begin = std::chrono::steady_clock::now();
    const auto results = run_ranks(2, {{"YOKE_NCCL_SIMULATOR_LOSE", "1@2"}});
    INFO(results[0].output << results[1].output);
    CHECK(results[0].status == 0);
    CHECK(results[1].status == 128 + 9);
    CHECK(std::chrono::steady_clock::now() - begin < 20s);
    return;
  }
  if (!(cu::devices().front() == device)) return;
  const process_rank one({.deadline = 700ms});
  cu::device_allocation<float> x{one.context, 10};
  yoke::fill(x, 1, one.stream);
  one.comm.all_reduce(x, yoke::summed, one.stream);
  one.comm.wait(one.stream);
  CHECK_THAT(refusal<yoke::communication_error>(yoke::errc::timed_out,
                                                [&] {
                                                  one.comm.all_reduce(x, yoke::summed, one.stream);
                                                  one.comm.wait(one.stream);
                                                }),
             ContainsSubstring("a rank is late or has ended"));
  one.stream.synchronize();
}

// SPDX-License-Identifier: MIT
// Ranks of NCCL in processes of their own: results, and what the others see when one is killed, stops or leaves.
#include <nccl/several_gpus.hpp>
#include <support/faults/fault_run.hpp>
#include <support/process/sent_bytes.hpp>
#include <support/process/temporary_folder.hpp>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include <unistd.h>

using namespace yoke_test;

namespace {

/// Effects: runs the test that is running in `ranks` children at once; each sees its rank and the id. A rank that wrote
/// its number to a file of the folder `YOKE_TEST_FOLDER` is killed once the others have ended. Returns: theirs.
std::vector<child_result> run_ranks(int ranks, const std::vector<std::pair<std::string, std::string>>& more = {}) {
  const std::string name = current_test_name();
  const std::string id = hex(nccl::get_unique_id());
  const temporary_folder folder;
  std::vector<child_result> results(static_cast<std::size_t>(ranks));
  std::atomic<int> left{ranks};
  on_ranks(results.size(), [&](std::size_t rank) {
    std::vector<std::pair<std::string, std::string>> variables = more;
    variables.emplace_back("YOKE_SIMULATOR_DEVICES", std::to_string(ranks));
    variables.emplace_back("YOKE_TEST_RANK", std::to_string(rank));
    variables.emplace_back("YOKE_TEST_NCCL_ID", id);
    variables.emplace_back("YOKE_TEST_FOLDER", folder.path().string());
    results[rank] = run_child(name, variables);
    int process = 0;
    if (--left == 1 && std::ifstream(folder.path() / "stopped") >> process) (void)::kill(process, SIGKILL);
  });
  return results;
}

/// Returns: why this machine has no two ranks; "" if it has.
std::string lack_of_ranks(const cu::device& device) {
  if (is_simulated(device)) return "";
  if (cu::devices().size() < 2) return "there is one CUDA device";
  const yoke::availability found = nccl::available();
  return found.available ? "" : "no NCCL: " + found.reason.substr(0, found.reason.find('\n'));
}
/// Returns: how many ranks of `most` there are.
int ranks_on(const cu::device& device, int most) {
  return is_simulated(device) ? most : std::min(most, static_cast<int>(cu::devices().size()));
}
/// The deadline of ranks that are lost. A real NCCL has to load within it: the variable makes time for a slower one.
std::chrono::seconds deadline_on(const cu::device& device) {
  if (is_simulated(device)) return 1s;
  const char* const seconds = std::getenv("YOKE_TEST_NCCL_SECONDS");
  return std::chrono::seconds(seconds == nullptr ? 8 : std::max(1, std::atoi(seconds)));
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
  if (!(cu::devices().front() == device)) return;
  if (const std::string lack = lack_of_ranks(device); !lack.empty()) YOKE_SKIP(lack);
  if (!is_child(current_test_name())) {
    for (const child_result& each : run_ranks(ranks_on(device, 3))) {
      INFO(each.output);
      CHECK(each.status == 0);
    }
    return;
  }
  const process_rank one;
  const int ranks = one.comm.size();
  cu::device_allocation<double> x{one.context, 100000}, y{one.context, 100000};
  yoke::fill(x, 1.0 + one.rank, one.stream);
  one.comm.all_reduce(x, yoke::summed, one.stream);
  CHECK(yoke::to_host(x, one.stream) == std::vector<double>(100000, ranks * (ranks + 1) / 2.0));
  yoke::exchange list{one.comm};
  yoke::fill(x, one.rank, one.stream);
  list.send(x, (one.rank + 1) % ranks);
  list.receive(y, (one.rank + ranks - 1) % ranks);
  one.comm.run(list, one.stream);
  one.comm.wait(one.stream);
  CHECK(yoke::to_host(y, one.stream) == std::vector<double>(100000, (one.rank + ranks - 1) % ranks));
  one.comm.close();
}

YOKE_CUDA_TEST_CASE("a rank that is killed within a call ends the others' wait at the deadline",
                    "[nccl][processes][failure]") {
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

namespace {

/// A rank that has met the others for a sum, and works on.
struct working_rank : process_rank {
  explicit working_rank(std::chrono::seconds deadline)
      : process_rank({.deadline = deadline, .end_within = std::chrono::milliseconds(deadline) / 2}), seconds(deadline) {
    yoke::fill(x, 1, stream);
    comm.all_reduce(x, yoke::summed, stream);
    comm.wait(stream);
  }
  /// Effects: works on with a rank that does not. The call and the wait together end a second after the deadline, and
  /// the communicator at once.
  void check_lost() {
    const auto begin = std::chrono::steady_clock::now();
    CHECK_THAT(refusal<yoke::communication_error>(yoke::errc::timed_out,
                                                  [&] {
                                                    comm.all_reduce(x, yoke::summed, stream);
                                                    comm.wait(stream);
                                                  }),
               ContainsSubstring("all_reduce has not ended within " + std::to_string(seconds.count()) +
                                 " s on rank 0 of 2: a rank is late or has ended"));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    std::printf("the error came after %.2f s\n", took.count());
    CHECK(took < 2 * seconds + 5s);
    stream.synchronize();  // the abort has freed the stream
    CHECK_FALSE(comm.is_ready());
  }
  std::chrono::seconds seconds;
  cu::device_allocation<float> x{context, 10};
};

constexpr int left = 4;
/// Effects: ends this process, in which a call of NCCL may go on that a real one would crash in at an orderly exit.
[[noreturn]] void leave_with(bool is_right) {
  std::fflush(nullptr);
  std::_Exit(is_right ? left : 1);
}

/// Effects: in the parent, runs two ranks, of which the second ends with `status`, and prints what they say.
void check_two_ranks(const cu::device& device, int status) {
  const auto begin = std::chrono::steady_clock::now();
  const auto results = run_ranks(ranks_on(device, 2));
  INFO(results[0].output << results[1].output);
  CHECK(results[0].status == 0);
  CHECK_THAT(results[0].output, ContainsSubstring("the error came after "));
  CHECK(results[1].status == status);
  CHECK(std::chrono::steady_clock::now() - begin < 3 * deadline_on(device) + 30s);
  for (const cu::device& each : cu::devices()) {  // these are as before
    const cu::context in{each};
    const cu::stream stream{in};
    cu::device_allocation<int> x{in, 100};
    yoke::fill(x, 7, stream);
    CHECK(yoke::to_host(x, stream) == std::vector<int>(100, 7));
  }
}

}  // namespace

YOKE_CUDA_TEST_CASE("a rank that is killed ends the others' wait at the deadline", "[nccl][processes][failure]") {
  if (!(cu::devices().front() == device)) return;
  if (const std::string lack = lack_of_ranks(device); !lack.empty()) YOKE_SKIP(lack);
  if (!is_child(current_test_name())) return check_two_ranks(device, 128 + SIGKILL);
  working_rank one(deadline_on(device));
  if (one.rank == 0) return one.check_lost();
  (void)std::raise(SIGKILL);
}

YOKE_CUDA_TEST_CASE("a rank that is stopped ends the others' wait at the deadline", "[nccl][processes][failure]") {
  if (!(cu::devices().front() == device)) return;
  if (const std::string lack = lack_of_ranks(device); !lack.empty()) YOKE_SKIP(lack);
  if (!is_child(current_test_name())) return check_two_ranks(device, 128 + SIGKILL);
  working_rank one(deadline_on(device));
  if (one.rank == 0) return one.check_lost();
  // Complete when it has its name: the parent reads it.
  const std::string folder = std::getenv("YOKE_TEST_FOLDER");
  std::ofstream(folder + "/stopping") << ::getpid() << std::flush;
  std::filesystem::rename(folder + "/stopping", folder + "/stopped");
  (void)std::raise(SIGSTOP);
}

YOKE_CUDA_TEST_CASE("a rank that ends its communicator early ends the others' wait at the deadline",
                    "[nccl][processes][failure]") {
  if (!(cu::devices().front() == device)) return;
  if (const std::string lack = lack_of_ranks(device); !lack.empty()) YOKE_SKIP(lack);
  if (!is_child(current_test_name())) return check_two_ranks(device, left);
  working_rank one(deadline_on(device));
  if (one.rank == 0) return one.check_lost();
  // NCCL's end waits for the other processes of the machine, and no call stops it.
  const std::string why = refusal<yoke::communication_error>(yoke::errc::timed_out, [&] { one.comm.close(); });
  CHECK_THAT(why, ContainsSubstring("the communicator of 2 ranks did not end in order on rank 1 of 2"));
  CHECK_FALSE(one.comm.is_ready());
  leave_with(why.find("did not end in order") != std::string::npos && !one.comm.is_ready());
}

YOKE_CUDA_TEST_CASE("the end of a communicator waits for the ranks of other processes", "[nccl][processes]") {
  if (!(cu::devices().front() == device)) return;
  if (const std::string lack = lack_of_ranks(device); !lack.empty()) YOKE_SKIP(lack);
  if (!is_child(current_test_name())) {
    for (const child_result& each : run_ranks(ranks_on(device, 2))) {
      INFO(each.output);
      CHECK(each.status == 0);
    }
    return;
  }
  working_rank one(deadline_on(device));
  if (one.rank == 0) std::this_thread::sleep_for(300ms);
  const auto begin = std::chrono::steady_clock::now();
  one.comm.close();
  CHECK_FALSE(one.comm.is_ready());
  if (one.rank == 1) CHECK(std::chrono::steady_clock::now() - begin > 200ms);
}

YOKE_CUDA_TEST_CASE("the destructor of a communicator whose other rank does not end reports that in time",
                    "[nccl][processes][failure]") {
  if (!(cu::devices().front() == device)) return;
  if (const std::string lack = lack_of_ranks(device); !lack.empty()) YOKE_SKIP(lack);
  if (!is_child(current_test_name())) return check_two_ranks(device, left);
  const std::filesystem::path over = std::filesystem::path(std::getenv("YOKE_TEST_FOLDER")) / "over";
  std::optional<working_rank> one(deadline_on(device));
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  if (one->rank == 0) {
    for (int turn = 0; turn < 6000 && !std::filesystem::exists(over); ++turn) std::this_thread::sleep_for(10ms);
    CHECK(std::filesystem::exists(over));
    std::printf("the error came after %.2f s\n", seconds());
    return one->comm.abort();
  }
  const double within = static_cast<double>(one->seconds.count()) / 2;
  const cleanup_recorder recorder;
  one.reset();
  const double took = seconds();
  std::ofstream(over) << "1";
  CHECK(took > within / 2);
  CHECK(took < 2 * within + 2);
  const auto told = cleanup_recorder::take();
  REQUIRE(told.size() == 1);
  CHECK(told[0].call == "ncclCommDestroy");
  CHECK(told[0].code == static_cast<int>(yoke::errc::timed_out));
  leave_with(took < 2 * within + 2 && told[0].code == static_cast<int>(yoke::errc::timed_out));
}

YOKE_CUDA_TEST_CASE("a rank whose process ends early ends the others' wait at the deadline",
                    "[nccl][processes][failure]") {
  if (!(cu::devices().front() == device)) return;
  if (const std::string lack = lack_of_ranks(device); !lack.empty()) YOKE_SKIP(lack);
  if (!is_child(current_test_name())) return check_two_ranks(device, 3);
  working_rank one(deadline_on(device));
  if (one.rank == 0) return one.check_lost();
  std::_Exit(3);  // no destructor runs
}

YOKE_CUDA_TEST_CASE("a rank that does not come ends the making of the others at the deadline",
                    "[nccl][processes][failure]") {
  if (!(cu::devices().front() == device)) return;
  if (const std::string lack = lack_of_ranks(device); !lack.empty()) YOKE_SKIP(lack);
  if (!is_child(current_test_name())) return check_two_ranks(device, 3);
  if (std::string(std::getenv("YOKE_TEST_RANK")) == "1") std::_Exit(3);
  const cu::context in{cu::devices()[0]};
  for (const bool blocks : {true, false}) {
    const auto id = blocks ? sent_by<nccl::unique_id>("YOKE_TEST_NCCL_ID") : nccl::get_unique_id();
    const nccl::options with{.deadline = 1s, .blocking = blocks};
    CHECK_THAT(refusal<yoke::communication_error>(yoke::errc::timed_out,
                                                  [&] {
                                                    (void)nccl::communicator<cu::port>{id, 2, 0, in, with};
                                                  }),
               ContainsSubstring("the communicator of 2 ranks has not been made within 1 s: not all ranks have come"));
  }
  std::printf("the error came after the deadline\n");
}

// SPDX-License-Identifier: MIT
// Each of NCCL's calls fails in turn, once and for ever: the right error, no open group, no second abort.
#include <nccl/nccl_interposer.hpp>
#include <nccl/several_gpus.hpp>
#include <support/faults/fault_run.hpp>

#include <iterator>
#include <set>

using namespace yoke_test;

namespace {

/// The failures that destructors reported. One at a time.
struct reported_failures {
  reported_failures() : before(yoke::set_cleanup_handler(&note)) { calls().clear(); }
  ~reported_failures() { (void)yoke::set_cleanup_handler(before); }
  reported_failures(const reported_failures&) = delete;
  reported_failures& operator=(const reported_failures&) = delete;
  static void note(const yoke::cleanup_failure& failure) noexcept {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    calls().insert(failure.call);
  }
  static std::set<std::string>& calls() {
    static std::set<std::string> all;
    return all;
  }
  yoke::cleanup_handler before;
};

void scenario(const several_gpus& gpus, bool closes) {
  const nccl::clique all{gpus.contexts, {.deadline = 10s}};
  auto x = gpus.allocate<int>(6, [](int rank, std::size_t) { return rank; });
  auto y = gpus.allocate<int>(6 * gpus.size(), [](int, std::size_t) { return 0; });
  all.all_reduce(x, yoke::summed, gpus.streams);
  all.all_gather(x, y, gpus.streams);
  all.gather(x, y[1], 1, gpus.streams);
  std::vector<yoke::exchange<cu::port>> lists(gpus.size());
  for (std::size_t rank = 0; rank < gpus.size(); ++rank) {
    const std::size_t next = (rank + 1) % gpus.size();
    const std::size_t before = (rank + gpus.size() - 1) % gpus.size();
    lists[rank].send(x[rank], static_cast<int>(next));
    lists[rank].receive(y[rank].span().subspan(0, 6), static_cast<int>(before));
  }
  all.run(lists, gpus.streams);
  const nccl::scaled_sum by{all, 2};
  all.all_reduce(x, by, gpus.streams);
  all.wait(gpus.streams);
  if (closes) all.close();
}

/// Whether this thread has no open group: NCCL then refuses to end one.
bool has_no_group() { return counted_entry<&nccl::abi::functions::group_end, int (*)()>::real() == 5; }

}  // namespace

YOKE_CUDA_TEST_CASE("each of NCCL's calls may fail, once and for ever", "[nccl][faults]") {
  if (is_simulated(device) && is_child(current_test_name())) REQUIRE(interpose_nccl());
  with_gpus(device,
            [](const several_gpus& gpus) {
              if (!interpose_nccl()) YOKE_SKIP("no NCCL: another test has loaded it");
              nccl_calls& log = nccl_calls::of_process();
              for (const bool closes : {true, false}) {
                log.reset();
                scenario(gpus, closes);
                const std::map<std::string, int> all = log.counts();
                CHECK(all.count("ncclCommInitRankConfig") == 1);
                CHECK(all.count("ncclCommAbort") == 0);
                for (const auto& [symbol, count] : all) {
                  const bool is_asked_often = symbol == "ncclCommGetAsyncError";
                  for (const int at : std::set<int>{1, is_asked_often ? 1 : count}) {
                    for (const bool always : {false, true}) {
                      INFO(symbol << ", call " << at << " of " << count << (always ? ", for ever" : ", once")
                                  << (closes ? ", closed" : ""));
                      const reported_failures reported;
                      log.fail(symbol, at, always, 3);
                      std::string thrown;
                      try {
                        scenario(gpus, closes);
                      } catch (const yoke::communication_error& e) {
                        thrown = e.call();
                        CHECK(e.code() == std::error_code(3, nccl::error_category()));
                      }
                      log.fail("", 0, false, 0);
                      const bool is_end = symbol == "ncclCommDestroy" || symbol == "ncclRedOpDestroy";
                      if (thrown.empty()) {
                        CHECK((is_end && reported_failures::calls().count(symbol) == 1));
                      } else {
                        CHECK(thrown == symbol);
                      }
                      CHECK(reported_failures::calls().size() <= (is_end ? 1U : 0U));
                      CHECK(has_no_group());
                    }
                  }
                }
                log.reset();
                scenario(gpus, closes);  // the GPUs can be used as before
              }
            },
            {{"YOKE_SIMULATOR_DEVICES", "2"}});
}

namespace {

/// Two ranks on threads, which call everything that NCCL has for one communicator.
void scenario_of_ranks(const several_gpus& gpus, bool blocks, std::vector<std::string>& thrown) {
  const nccl::unique_id id = nccl::get_unique_id();
  thrown.assign(2, "");
  on_ranks(2, [&](std::size_t rank) {
    try {
      const int other = 1 - static_cast<int>(rank);
      const cu::stream& stream = gpus.streams[rank];
      // The communicator ends first, and with it what is in flight.
      cu::device_allocation<int> x{gpus.contexts[rank], 6}, y{gpus.contexts[rank], 12}, z{gpus.contexts[rank], 12};
      const nccl::communicator<cu::port> comm{id,
                                              2,
                                              static_cast<int>(rank),
                                              gpus.contexts[rank],
                                              {.deadline = 400ms, .end_within = 2s, .blocking = blocks}};
      yoke::fill(x, 1, stream);
      yoke::fill(y, 1, stream);
      comm.all_reduce(x, yoke::summed, stream);
      comm.reduce(x, y.span().subspan(0, 6), yoke::summed, 0, stream);
      comm.broadcast(x, 1, stream);
      comm.all_gather(x, y, stream);
      comm.reduce_scatter(y, x, yoke::summed, stream);
      comm.gather(x, y, 0, stream);
      comm.scatter(y, x, 1, stream);
      comm.all_to_all(y, z, stream);
      yoke::exchange list{comm};
      list.send(x, other);
      list.receive(z.span().subspan(0, 6), other);
      comm.run(list, stream);
      const nccl::scaled_sum by{comm, 2};
      comm.all_reduce(x, by, stream);
      const nccl::registered known{comm, y};
      comm.wait(stream);
      comm.barrier(stream);
    } catch (const yoke::error& e) {
      thrown[rank] = e.what();
    }
  });
}

}  // namespace

YOKE_CUDA_TEST_CASE("each of NCCL's calls of a rank may fail with each code: the error names call, verb and rank",
                    "[nccl][faults]") {
  if (is_simulated(device) && is_child(current_test_name())) REQUIRE(interpose_nccl());
  with_gpus(device, [](const several_gpus& gpus) {
    if (!interpose_nccl()) YOKE_SKIP("no NCCL: another test has loaded it");
    nccl_calls& log = nccl_calls::of_process();
    std::vector<std::string> thrown;
    const std::map<std::string, std::string> verbs{
        {"ncclAllReduce", "all_reduce"},
        {"ncclReduce", "reduce"},
        {"ncclBroadcast", "broadcast"},
        {"ncclAllGather", "all_gather"},
        {"ncclGather", "gather"},
        {"ncclReduceScatter", "reduce_scatter"},
        {"ncclScatter", "scatter"},
        {"ncclSend", "send"},
        {"ncclRecv", "receive"},
        {"ncclAlltoAll", "all_to_all"},
        {"ncclGroupStart", "send"},
        {"ncclGroupEnd", "send"},
        {"ncclCommGetAsyncError", "all_reduce"},
    };
    const bool all_codes = default_fault_step() == 1;
    std::size_t turn = 0;
    for (const bool blocks : {true, false}) {
      log.reset();
      scenario_of_ranks(gpus, blocks, thrown);
      CHECK(thrown == std::vector<std::string>(2));
      const std::map<std::string, int> all = log.counts();
      CHECK(all.size() >= (blocks ? 18U : 19U));
      for (const auto& [symbol, count] : all) {
        if (symbol == "ncclGetUniqueId") continue;  // has no rank
        if (!blocks && !all_codes && turn % 3 != 0) {
          ++turn;
          continue;
        }
        constexpr int codes[] = {1, 2, 3, 4, 5, 6, 8};
        for (const int code : codes) {
          if (!all_codes && code != codes[turn % std::size(codes)]) continue;
          INFO(symbol << " of " << count << " with code " << code << ", blocks: " << blocks);
          const reported_failures reported;
          log.fail(symbol, 1, false, code);
          scenario_of_ranks(gpus, blocks, thrown);
          log.fail("", 0, false, 0);
          INFO(thrown[0] << " / " << thrown[1]);
          const bool is_end = symbol == "ncclCommDestroy" || symbol == "ncclRedOpDestroy" ||
                              symbol == "ncclCommDeregister" || symbol == "ncclCommFinalize";
          if (is_end) {
            CHECK(reported_failures::calls().size() == 1);
            continue;
          }
          // One rank has the failure; the other one waits for it, or has nothing to wait for.
          const std::string opening = "[" + symbol + ": ";
          const auto is_named = [&](const std::string& what) {
            return what.find(opening) != std::string::npos &&
                   what.find(" (" + std::to_string(code) + ")]") != std::string::npos;
          };
          const std::string& failed = thrown[is_named(thrown[0]) ? 0 : 1];
          CHECK_THAT(failed, ContainsSubstring(symbol) && ContainsSubstring(" of 2"));
          CHECK((failed.find("rank 0") != std::string::npos || failed.find("rank 1") != std::string::npos));
          if (verbs.count(symbol) != 0 && !(symbol == "ncclCommGetAsyncError" && !blocks)) {
            CHECK_THAT(failed, ContainsSubstring(", in " + verbs.at(symbol)));
          }
          CHECK(has_no_group());
        }
        ++turn;
      }
    }
    log.reset();
    scenario_of_ranks(gpus, true, thrown);
    CHECK(thrown == std::vector<std::string>(2));
  });
}

YOKE_CUDA_TEST_CASE("each of NCCL's codes becomes its exception", "[nccl][faults]") {
  if (is_simulated(device) && is_child(current_test_name())) REQUIRE(interpose_nccl());
  with_gpus(device, [](const several_gpus& gpus) {
    if (!interpose_nccl()) YOKE_SKIP("no NCCL: another test has loaded it");
    nccl_calls& log = nccl_calls::of_process();
    for (const int code : {1, 2, 3, 4, 5, 6, 99}) {
      INFO("code " << code);
      const nccl::communicator<cu::port> alone{nccl::get_unique_id(), 1, 0, gpus.contexts[0]};
      auto x = gpus.allocate<float>(4, [](int, std::size_t) { return 1; });
      log.fail("ncclAllReduce", 1, false, code);
      const bool is_refused = code == 4 || code == 5;
      try {
        alone.all_reduce(x[0], yoke::summed, gpus.streams[0]);
        FAIL_CHECK("threw nothing");
      } catch (const yoke::communication_error& e) {
        CHECK_FALSE(is_refused);
        CHECK(e.code().value() == code);
        CHECK_THAT(e.what(), ContainsSubstring("The communicator of 1 rank is aborted"));
      } catch (const yoke::logic_error& e) {
        CHECK(is_refused);
        CHECK(e.code().value() == code);
      }
      CHECK(alone.is_ready() == is_refused);
      log.reset();
      if (is_refused) alone.all_reduce(x[0], yoke::summed, gpus.streams[0]);
    }
  });
}

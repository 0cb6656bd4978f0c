// SPDX-License-Identifier: MIT
// Each of NCCL's calls fails in turn, once and for ever: the right error, no open group, no second abort.
#include <nccl/nccl_interposer.hpp>
#include <nccl/several_gpus.hpp>

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

// SPDX-License-Identifier: MIT
// The simulated NCCL by its own entry points: what it has in common with the real one, which yoke's verbs do not show.
#include <nccl/several_gpus.hpp>
#include <support/soon.hpp>

#include <yoke/cuda/graph.hpp>
#include <yoke/graph.hpp>

#include <atomic>
#include <cstdlib>
#include <optional>

using namespace yoke_test;

namespace {

namespace of_nccl = nccl::abi;

const of_nccl::functions& table() { return nccl::detail::default_library({}).table; }

of_nccl::unique_id fresh_id() {
  of_nccl::unique_id made{};
  REQUIRE(table().get_unique_id(&made) == of_nccl::success);
  return made;
}
/// Effects: joins as a rank, on its own GPU unless `gpu` says otherwise. Returns: the code.
of_nccl::status join(const several_gpus& gpus, of_nccl::communicator& made, const of_nccl::unique_id& id, int size,
                     int rank, bool blocks, int gpu = -1) {
  const auto active = gpus.contexts[static_cast<std::size_t>(gpu < 0 ? rank : gpu)].activate();
  of_nccl::config with;
  with.blocking = blocks ? 1 : 0;
  return table().init_rank(&made, size, id, rank, &with);
}
of_nccl::status state_of(of_nccl::communicator of) {
  of_nccl::status now = of_nccl::internal_error;
  return table().get_async_error(of, &now) == of_nccl::success ? now : of_nccl::internal_error;
}
of_nccl::stream native(const cu::stream& of) { return of.native_handle(); }
of_nccl::status sum(of_nccl::communicator of, cu::device_allocation<int>& x, const cu::stream& in) {
  void* const at = reinterpret_cast<void*>(x.native_handle());
  return table().all_reduce(at, at, x.size(), of_nccl::data_type::int32, of_nccl::operation::sum, of, native(in));
}
const std::string& words() {
  static std::string last;
  return last = table().get_last_error(nullptr);
}

template <class Act>
void simulated(const cu::device& device, const Act& act,
               std::vector<std::pair<std::string, std::string>> variables = {}) {
  if (is_simulated(device)) with_gpus(device, act, std::move(variables));
}

/// An abort that takes longer than its communicator allows.
struct slow_abort {
  static inline of_nccl::status (*real)(of_nccl::communicator) = nullptr;
  static inline std::atomic<bool> is_over{false};
  static of_nccl::status call(of_nccl::communicator of) {
    std::this_thread::sleep_for(1s);
    const of_nccl::status code = real(of);
    is_over = true;
    return code;
  }
};

}  // namespace

YOKE_CUDA_TEST_CASE("a process's exit waits for the aborts that deadlines left behind", "[nccl][simulator]") {
  if (is_simulated(device) && is_child(current_test_name())) {
    // Runs after what is registered later.
    const auto check_end = [] {
      if (!slow_abort::is_over) std::_Exit(9);
    };
    REQUIRE(std::atexit(check_end) == 0);
    REQUIRE(nccl::detail::set_table_filter([](of_nccl::functions& all) {
      slow_abort::real = all.abort;
      all.abort = &slow_abort::call;
    }));
  }
  simulated(device, [](const several_gpus& gpus) {
    const nccl::communicator one{nccl::get_unique_id(), 1, 0, gpus.contexts[0], {.end_within = 800ms}};
    one.abort();
    CHECK_FALSE(slow_abort::is_over);
  });
}

YOKE_CUDA_TEST_CASE("calls of communicators that do not block are in progress until they end", "[nccl][simulator]") {
  simulated(device, [](const several_gpus& gpus) {
    const of_nccl::unique_id id = fresh_id();
    of_nccl::communicator ranks[2] = {};
    auto x = gpus.allocate<int>(10, [](int rank, std::size_t) { return rank + 1; });
    CHECK(join(gpus, ranks[0], id, 2, 0, false) == of_nccl::in_progress);
    REQUIRE(ranks[0] != nullptr);
    CHECK(state_of(ranks[0]) == of_nccl::in_progress);
    CHECK(sum(ranks[0], x[0], gpus.streams[0]) == of_nccl::invalid_argument);
    CHECK_THAT(words(), ContainsSubstring("Attempt to use communicator before the previous operation returned"));
    CHECK(join(gpus, ranks[1], id, 2, 1, false) == of_nccl::in_progress);
    CHECK(soon([&] { return state_of(ranks[0]) == of_nccl::success && state_of(ranks[1]) == of_nccl::success; }));

    // The first sum waits for the other rank behind the call.
    CHECK(sum(ranks[0], x[0], gpus.streams[0]) == of_nccl::in_progress);
    CHECK(state_of(ranks[0]) == of_nccl::in_progress);
    CHECK(sum(ranks[0], x[0], gpus.streams[0]) == of_nccl::invalid_argument);
    CHECK(sum(ranks[1], x[1], gpus.streams[1]) == of_nccl::in_progress);
    CHECK(soon([&] { return state_of(ranks[0]) == of_nccl::success && state_of(ranks[1]) == of_nccl::success; }));
    CHECK(gpus.read(x[0], 0) == std::vector<int>(10, 3));

    // An abort ends what is in progress.
    CHECK(sum(ranks[0], x[0], gpus.streams[0]) == of_nccl::in_progress);
    CHECK(table().abort(ranks[0]) == of_nccl::success);
    CHECK(table().abort(ranks[0]) == of_nccl::invalid_argument);
    CHECK(table().finalize(ranks[1]) == of_nccl::success);
    CHECK(table().destroy(ranks[1]) == of_nccl::success);
  });
}

YOKE_CUDA_TEST_CASE("a group's communicators all block, or none does", "[nccl][simulator]") {
  simulated(device, [](const several_gpus& gpus) {
    of_nccl::communicator blocks = nullptr, goes_on = nullptr;
    auto x = gpus.allocate<int>(4, [](int, std::size_t) { return 1; });
    REQUIRE(join(gpus, blocks, fresh_id(), 1, 0, true, 0) == of_nccl::success);
    REQUIRE(join(gpus, goes_on, fresh_id(), 1, 0, false, 1) == of_nccl::in_progress);
    CHECK(soon([&] { return state_of(goes_on) == of_nccl::success; }));
    CHECK(table().group_start() == of_nccl::success);
    CHECK(sum(blocks, x[0], gpus.streams[0]) == of_nccl::success);
    CHECK(sum(goes_on, x[1], gpus.streams[1]) == of_nccl::invalid_argument);
    CHECK_THAT(words(), ContainsSubstring("Blocking and nonblocking communicators"));
    CHECK(table().group_end() == of_nccl::invalid_argument);
    CHECK(table().group_end() == of_nccl::invalid_usage);
    CHECK(table().abort(blocks) == of_nccl::success);
    CHECK(table().abort(goes_on) == of_nccl::success);
  });
}

YOKE_CUDA_TEST_CASE("two ranks on one device are refused, and the third learns of it", "[nccl][simulator]") {
  const auto codes_of = [](const several_gpus& gpus, bool blocks) {
    const of_nccl::unique_id id = fresh_id();
    std::vector<of_nccl::status> codes(3);
    std::vector<std::string> said(3);
    on_ranks(3, [&](std::size_t rank) {
      of_nccl::communicator made = nullptr;
      codes[rank] = join(gpus, made, id, 3, static_cast<int>(rank), blocks, rank == 2 ? 2 : 0);
      if (!blocks) {
        YOKE_RANK_CHECK(codes[rank] == of_nccl::in_progress);
        YOKE_RANK_CHECK(soon([&] { return (codes[rank] = state_of(made)) != of_nccl::in_progress; }));
      }
      said[rank] = table().get_last_error(nullptr);
      if (made != nullptr) YOKE_RANK_CHECK(table().abort(made) == of_nccl::success);
    });
    if (codes[0] != of_nccl::success) {
      CHECK_THAT(said[0], ContainsSubstring("Duplicate GPU detected : rank 0 and rank 1 both on CUDA device"));
      CHECK_THAT(said[1], ContainsSubstring("Duplicate GPU detected : rank 1 and rank 0 both on CUDA device"));
    }
    return codes;
  };
  simulated(device, [&](const several_gpus& gpus) {
    const std::vector<of_nccl::status> refused{of_nccl::invalid_usage, of_nccl::invalid_usage, of_nccl::remote_error};
    CHECK(codes_of(gpus, true) == refused);
    CHECK(codes_of(gpus, false) == refused);
  });
}

YOKE_CUDA_TEST_CASE("NCCL 2.30 takes two ranks on one device where the environment asks for it", "[nccl][simulator]") {
  simulated(device,
            [](const several_gpus& gpus) {
              const of_nccl::unique_id id = fresh_id();
              auto x = gpus.allocate<int>(6, [](int, std::size_t) { return 2; });
              on_ranks(2, [&](std::size_t rank) {
                const cu::stream own{gpus.contexts[0]};
                of_nccl::communicator made = nullptr;
                YOKE_RANK_CHECK(join(gpus, made, id, 2, static_cast<int>(rank), true, 0) == of_nccl::success);
                cu::device_allocation<int> mine{gpus.contexts[0], 6};
                yoke::fill(mine, 2, own);
                YOKE_RANK_CHECK(sum(made, mine, own) == of_nccl::success);
                YOKE_RANK_CHECK(yoke::to_host(mine, own) == std::vector<int>(6, 4));
                YOKE_RANK_CHECK(table().destroy(made) == of_nccl::success);
              });
            },
            {{"YOKE_NCCL_SIMULATOR_VERSION", "23007"}, {"NCCL_MULTI_RANK_GPU_ENABLE", "1"}});
}

YOKE_CUDA_TEST_CASE("a communicator's end waits for the graphs that have its operations", "[nccl][simulator]") {
  simulated(device, [](const several_gpus& gpus) {
    for (const bool aborts : {false, true}) {
      INFO("aborts: " << aborts);
      of_nccl::communicator alone = nullptr;
      REQUIRE(join(gpus, alone, fresh_id(), 1, 0, true) == of_nccl::success);
      auto x = gpus.allocate<int>(4, [](int, std::size_t) { return 7; });
      REQUIRE(sum(alone, x[0], gpus.streams[0]) == of_nccl::success);
      std::optional<cu::graph> graph(yoke::capture(gpus.streams[0], [&] { (void)sum(alone, x[0], gpus.streams[0]); }));
      std::optional<cu::graph_executable> executable(graph->instantiate());
      executable->launch(gpus.streams[0]);
      gpus.streams[0].synchronize();
      std::atomic<bool> has_ended{false};
      std::thread end([&] {
        (void)(aborts ? table().abort(alone) : table().destroy(alone));
        has_ended = true;
      });
      graph.reset();
      std::this_thread::sleep_for(50ms);
      CHECK_FALSE(has_ended);
      executable.reset();
      CHECK(soon([&] { return has_ended.load(); }));
      end.join();
    }
  });
}

YOKE_CUDA_TEST_CASE("ranks of one process are freed with the last one, which waits for the work of all their devices",
                    "[nccl][simulator]") {
  simulated(device, [](const several_gpus& gpus) {
    for (const bool aborts : {false, true}) {
      INFO("aborts: " << aborts);
      const of_nccl::unique_id id = fresh_id();
      of_nccl::communicator ranks[2] = {};
      on_ranks(2, [&](std::size_t rank) {
        YOKE_RANK_CHECK(join(gpus, ranks[rank], id, 2, static_cast<int>(rank), true) == of_nccl::success);
      });
      std::atomic<bool> is_open{false};
      gpus.streams[0].call([&] { (void)soon([&] { return is_open.load(); }); });
      const auto end = [&](of_nccl::communicator of) {
        CHECK((aborts ? table().abort(of) : table().destroy(of)) == of_nccl::success);
      };
      end(ranks[0]);  // although its device works
      CHECK_FALSE(gpus.streams[0].is_done());
      std::atomic<bool> has_ended{false};
      std::thread last([&] {
        (void)(aborts ? table().abort(ranks[1]) : table().destroy(ranks[1]));
        has_ended = true;
      });
      std::this_thread::sleep_for(50ms);
      CHECK_FALSE(has_ended);
      is_open = true;
      CHECK(soon([&] { return has_ended.load(); }));
      last.join();
      gpus.streams[0].synchronize();
    }
  });
}

TEST_CASE("ranks that do not end are named with what they do, and end their process", "[nccl]") {
  if (is_child(current_test_name())) {
    on_ranks(
        2,
        [](std::size_t rank) {
          note_step("works");
          if (rank == 0) return;
          note_step("waits for what never comes");
          for (;;) std::this_thread::sleep_for(1s);
        },
        300ms);
    return;
  }
  const child_result child = run_child(current_test_name(), {});
  CHECK(child.status == 1);
  CHECK_THAT(child.output, ContainsSubstring("ranks that do not end are named with what they do, and end their "
                                             "process: ranks have not ended\nrank 0: has ended\n"
                                             "rank 1: waits for what never comes\n"));
}

// SPDX-License-Identifier: MIT
// Ranks of NCCL on threads of their own: their verbs, ranges of every kind, and what happens when one is late or leaves.
#include <nccl/several_gpus.hpp>
#include <support/soon.hpp>

#include <yoke/array.hpp>
#include <yoke/cuda/graph.hpp>
#include <yoke/graph.hpp>

#include <atomic>
#include <cstdio>
#include <memory>
#include <stdexcept>

using namespace yoke_test;

namespace {

using communicator = nccl::communicator<cu::port>;

/// Effects: runs `act(communicator, rank, stream)` on a thread for each of the first `ranks` GPUs.
template <class Act>
void with_ranks(const several_gpus& gpus, const Act& act, const nccl::options& with = {}, std::size_t ranks = 2) {
  const nccl::unique_id id = nccl::get_unique_id();
  on_ranks(ranks, [&](std::size_t rank) {
    const communicator comm{id, static_cast<int>(ranks), static_cast<int>(rank), gpus.contexts[rank], with};
    act(comm, static_cast<int>(rank), gpus.streams[rank]);
  });
}

/// Returns: how long `act` takes.
template <class Act>
std::chrono::nanoseconds time_of(const Act& act) {
  const auto begin = std::chrono::steady_clock::now();
  act();
  return std::chrono::steady_clock::now() - begin;
}

}  // namespace

YOKE_CUDA_TEST_CASE("ranks on threads reduce arrays, views with gaps and single values", "[nccl][communicator]") {
  with_gpus(device, [](const several_gpus& gpus) {
    with_ranks(gpus, [](const communicator& comm, int rank, const cu::stream& stream) {
      YOKE_RANK_CHECK(comm.rank() == rank);
      YOKE_RANK_CHECK(comm.size() == 2);
      yoke::device_array<float, 2, cu::port> x{stream, {6, 8}};
      x.fill(static_cast<float>(rank + 1));
      comm.all_reduce(x, yoke::summed, stream);
      YOKE_RANK_CHECK(yoke::to_host(x.span(), stream) == std::vector<float>(48, 3));

      // Every second column: what lies between stays.
      auto columns = x(yoke::whole, yoke::slice(0, 8, 2));
      columns.fill(static_cast<float>(10 * (rank + 1)));
      comm.all_reduce(columns, yoke::summed, stream);
      const auto host = yoke::to_host(x.span(), stream);
      for (std::size_t i = 0; i < host.size(); ++i) YOKE_RANK_CHECK(host[i] == (i % 2 == 0 ? 30 : 3));

      yoke::device_value<double, cu::port> norm{stream, 1.5 + rank};
      comm.all_reduce(norm, yoke::summed, stream);
      YOKE_RANK_CHECK(norm.get() == 4);

      // A struct moves as bytes.
      struct particle {
        float position[3];
        int kind;
      };
      cu::device_allocation<particle> mine{comm.context_of(), 2}, all{comm.context_of(), 4};
      const std::vector<particle> given(2, {{1, 2, 3}, rank});
      yoke::copy(given, mine, stream);
      comm.all_gather(mine, all, stream);
      const auto seen = yoke::to_host(all, stream);
      YOKE_RANK_CHECK(seen[1].kind == 0);
      YOKE_RANK_CHECK(seen[2].kind == 1);
      YOKE_RANK_CHECK(seen[3].position[2] == 3);

      comm.barrier(stream);
      comm.wait(stream);
    });
  });
}

YOKE_CUDA_TEST_CASE("ranks exchange messages in lists, which do not wait for each other", "[nccl][communicator]") {
  with_gpus(device, [](const several_gpus& gpus) {
    with_ranks(gpus, [](const communicator& comm, int rank, const cu::stream& stream) {
      const int other = 1 - rank;
      constexpr std::size_t count = 100000;
      cu::device_allocation<int> out{comm.context_of(), count}, in{comm.context_of(), count},
          more{comm.context_of(), 3};
      yoke::fill(out, rank + 5, stream);
      yoke::fill(in, 0, stream);
      yoke::exchange list{comm};
      list.send(out, other);
      list.receive(in, other);
      list.send(out.span().subspan(0, 3), other);
      list.receive(more, other);
      for (int turn = 0; turn < 3; ++turn) comm.run(list, stream);
      YOKE_RANK_CHECK(yoke::to_host(in, stream) == std::vector<int>(count, other + 5));
      YOKE_RANK_CHECK(yoke::to_host(more, stream) == std::vector<int>(3, other + 5));
      const cu::stream second{comm.context_of()};
      const auto moving = comm.run_async(list, stream);
      moving.finish(second);
      YOKE_RANK_CHECK(yoke::to_host(in, second) == std::vector<int>(count, other + 5));
      moving.wait();
      YOKE_RANK_CHECK(moving.is_done());

      if (rank == 0) {
        comm.send(out, 1, stream);
      } else {
        comm.receive(in, 0, stream);
        YOKE_RANK_CHECK(yoke::to_host(in, stream) == std::vector<int>(count, 5));
      }
      rank_refusal<yoke::logic_error>(yoke::errc::invalid_argument, {"is this rank itself"},
                                      [&] { comm.send(out, rank, stream); });
      rank_refusal<yoke::logic_error>(yoke::errc::out_of_range,
                                      {"the other side is rank 2, and the communicator has 2 ranks"},
                                      [&] { comm.receive(in, 2, stream); });
      comm.wait(stream);
    });
  });
}

YOKE_CUDA_TEST_CASE("streams and arrays of any backend serve, too", "[nccl][communicator]") {
  with_gpus(device, [](const several_gpus& gpus) {
    const nccl::unique_id id = nccl::get_unique_id();
    on_ranks(2, [&](std::size_t rank) {
      const yoke::context<> context{yoke::as_any(gpus.contexts[rank].only_device())};
      const yoke::stream<> stream{context};
      const nccl::communicator comm{id, 2, static_cast<int>(rank), context};
      yoke::device_array<int, 1> x{stream, {5}};
      x.fill(static_cast<int>(rank) + 1);
      comm.all_reduce(x, yoke::multiplied, stream);
      YOKE_RANK_CHECK(yoke::to_host(x.span(), stream) == std::vector<int>(5, 2));
    });
  });
}

YOKE_CUDA_TEST_CASE("a rank that does not come ends the making of a communicator at the deadline",
                    "[nccl][communicator][failure]") {
  with_gpus(device, [](const several_gpus& gpus) {
    const auto took = time_of([&] {
      CHECK_THAT(refusal<yoke::communication_error>(
                     yoke::errc::timed_out,
                     [&] {
                       (void)communicator{nccl::get_unique_id(), 2, 0, gpus.contexts[0], {.deadline = 300ms}};
                     }),
                 ContainsSubstring("the communicator of 2 ranks has not been made within 300 ms"));
    });
    CHECK(took < 20s);
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                          [&] {
                                            (void)communicator{nccl::unique_id{}, 2, 0, gpus.contexts[0]};
                                          }),
               ContainsSubstring("get_unique_id"));
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range,
                                          [&] {
                                            (void)communicator{nccl::get_unique_id(), 2, 2, gpus.contexts[0]};
                                          }),
               ContainsSubstring("rank 2 of a communicator of 2 ranks: they are 0 to 1"));
  });
}

YOKE_CUDA_TEST_CASE("a late rank ends calls and waits at the deadline, and the stream is free afterwards",
                    "[nccl][communicator][failure]") {
  with_gpus(device, [](const several_gpus& gpus) {
    for (const bool meets_before : {false, true}) {
      INFO("after a first operation: " << meets_before);
      std::atomic<bool> over{false};
      with_ranks(gpus,
                 [&](const communicator& comm, int rank, const cu::stream& stream) {
                   cu::device_allocation<int> x{comm.context_of(), 10};
                   yoke::fill(x, 1, stream);
                   if (meets_before) {
                     comm.all_reduce(x, yoke::summed, stream);
                     comm.wait(stream);
                   }
                   if (rank == 1) {  // does something else until the other one has failed
                     wait_for_other(over);
                     comm.abort();
                     return;
                   }
                   const auto took = time_of([&] {
                     rank_refusal<yoke::communication_error>(
                         yoke::errc::timed_out, {"within 3 s", "The communicator of 2 ranks is aborted"}, [&] {
                           comm.all_reduce(x, yoke::summed, stream);
                           comm.wait(stream);
                         });
                   });
                   YOKE_RANK_CHECK(took < 20s);
                   over = true;
                   YOKE_RANK_CHECK(!(comm.is_ready()));
                   synchronize_soon(stream);
                   rank_refusal<yoke::communication_error>(yoke::errc::communicator_ended, {"has failed before: "},
                                                           [&] { comm.all_reduce(x, yoke::summed, stream); });
                 },
                 {.deadline = 3s});
    }
  });
}

YOKE_CUDA_TEST_CASE("a request of messages waits at most until the deadline", "[nccl][communicator][failure]") {
  with_gpus(device, [](const several_gpus& gpus) {
    std::atomic<bool> over{false};
    with_ranks(gpus,
               [&](const communicator& comm, int rank, const cu::stream& stream) {
                 cu::device_allocation<int> x{comm.context_of(), 10};
                 yoke::fill(x, 1, stream);
                 yoke::exchange list{comm};
                 if (rank == 0) {
                   list.receive(x, 1);
                 } else {
                   list.send(x, 0);
                 }
                 comm.run_async(list, stream).wait();
                 if (rank == 1) {
                   wait_for_other(over);
                   return comm.abort();
                 }
                 const auto moving = comm.run_async(list, stream);
                 rank_refusal<yoke::communication_error>(
                     yoke::errc::timed_out, {"has not ended within 1 s on rank 0 of 2: a rank is late or has ended"},
                     [&] { moving.wait(); });
                 over = true;
                 // The abort has ended the work, and nothing has arrived.
                 rank_refusal<yoke::communication_error>(yoke::errc::communicator_ended, {"has failed before: "},
                                                         [&] { moving.wait(); });
               },
               {.deadline = 1s});
  });
}

YOKE_CUDA_TEST_CASE("an exception aborts the communicators that it leaves", "[nccl][communicator][failure]") {
  with_gpus(device, [](const several_gpus& gpus) {
    std::atomic<int> failed{0};
    CHECK_THROWS_AS(with_ranks(gpus,
                               [&](const communicator& comm, int rank, const cu::stream& stream) {
                                 cu::device_allocation<int> x{comm.context_of(), 10};
                                 yoke::fill(x, 1, stream);
                                 comm.all_reduce(x, yoke::summed, stream);
                                 comm.wait(stream);
                                 if (rank == 1) throw std::domain_error("rank 1 has had enough");
                                 try {
                                   comm.all_reduce(x, yoke::summed, stream);
                                   comm.wait(stream);
                                 } catch (const yoke::communication_error&) {
                                   ++failed;
                                 }
                               },
                               {.deadline = 500ms}),
                    std::domain_error);
    YOKE_RANK_CHECK(failed == 1);
  });
}

YOKE_CUDA_TEST_CASE("a capture takes a collective once the ranks have met, and not before", "[nccl][communicator]") {
  with_gpus(device, [](const several_gpus& gpus) {
    with_ranks(gpus, [](const communicator& comm, int, const cu::stream& stream) {
      cu::device_allocation<int> x{comm.context_of(), 10};
      yoke::fill(x, 1, stream);
      rank_refusal<yoke::logic_error>(
          yoke::errc::invalid_argument, {"the first all_reduce of a communicator makes connections"},
          [&] { (void)yoke::capture(stream, [&] { comm.all_reduce(x, yoke::summed, stream); }); });
      comm.all_reduce(x, yoke::summed, stream);
      comm.wait(stream);
      const auto graph = yoke::capture(stream, [&] {
        comm.all_reduce(x, yoke::summed, stream);
        // To wait is refused, and breaks neither the capture nor the communicator.
        const std::vector<std::string> words{"a stream in a capture is not waited for"};
        rank_refusal<yoke::logic_error>(yoke::errc::invalid_argument, words, [&] { comm.wait(stream); });
        rank_refusal<yoke::logic_error>(yoke::errc::invalid_argument, words, [&] { comm.barrier(stream); });
      });
      auto executable = graph.instantiate();
      executable.launch(stream);
      executable.launch(stream);
      comm.wait(stream);
      YOKE_RANK_CHECK(yoke::to_host(x, stream) == std::vector<int>(10, 8));
    });
  });
}

YOKE_CUDA_TEST_CASE("a scaled sum multiplies before it adds; memory is registered while its owner lives",
                    "[nccl][communicator]") {
  with_gpus(device, [](const several_gpus& gpus) {
    with_ranks(gpus, [&](const communicator& comm, int rank, const cu::stream& stream) {
      const auto x = yoke::to_device(std::vector<float>{1, 2, 3}, stream);
      cu::device_allocation<float> y{comm.context_of(), 3};
      const nccl::registered known{comm, y};
      YOKE_RANK_CHECK(known);
      cu::device_allocation<float> of_other{gpus.contexts[static_cast<std::size_t>(1 - rank)], 3};
      rank_refusal<yoke::logic_error>(yoke::errc::wrong_context, {"of another context than the communicator"}, [&] {
        (void)nccl::registered{comm, of_other};
      });
      nccl::scaled_sum by{comm, rank == 0 ? 0.5F : 10.0F};
      comm.all_reduce(x, y, by, stream);
      YOKE_RANK_CHECK(yoke::to_host(y, stream) == std::vector<float>{10.5F, 21, 31.5F});
      by = nccl::scaled_sum{comm, 2.0F};
      comm.all_reduce(y, by, stream);
      YOKE_RANK_CHECK(yoke::to_host(y, stream) == std::vector<float>{42, 84, 126});
      const nccl::scaled_sum moved = std::move(by);
      rank_refusal<yoke::logic_error>(yoke::errc::wrong_context, {"empty, or of another communicator"},
                                      [&] { comm.all_reduce(y, by, stream); });
      comm.wait(stream);
    });
  });
}

YOKE_CUDA_TEST_CASE("recorders record verbs as nodes, and their graph keeps the communicator alive",
                    "[nccl][communicator][graph]") {
  with_gpus(device, [](const several_gpus& gpus) {
    const nccl::unique_id id = nccl::get_unique_id();
    on_ranks(2, [&](std::size_t rank) {
      const cu::stream& stream = gpus.streams[rank];
      cu::graph_executable executable;
      yoke::device_array<int, 1, cu::port> x{stream, {10}};
      cu::device_allocation<int> y{gpus.contexts[rank], 20};
      {
        const communicator comm{id, 2, static_cast<int>(rank), gpus.contexts[rank]};
        cu::graph graph{gpus.contexts[rank]};
        auto record = graph.record();
        rank_refusal<yoke::logic_error>(yoke::errc::invalid_argument, {"which a graph cannot record"},
                                        [&] { comm.all_reduce(x, yoke::summed, record); });
        x.fill(0);
        comm.all_reduce(x, yoke::summed, stream);
        rank_refusal<yoke::logic_error>(yoke::errc::invalid_argument, {"the first all_gather"},
                                        [&] { comm.all_gather(x, y, record); });
        comm.all_gather(x, y, stream);
        x.fill(1);
        comm.all_reduce(x, yoke::summed, record);
        comm.all_gather(x, y, record);
        executable = graph.instantiate();
      }
      executable.launch(stream);
      executable.launch(stream);
      YOKE_RANK_CHECK(yoke::to_host(y, stream) == std::vector<int>(20, 4));
    });
  });
}

YOKE_CUDA_TEST_CASE("communicators whose calls do not block have the same verbs", "[nccl][communicator]") {
  with_gpus(device, [](const several_gpus& gpus) {
    with_ranks(gpus,
               [](const communicator& comm, int rank, const cu::stream& stream) {
                 cu::device_allocation<int> x{comm.context_of(), 10}, y{comm.context_of(), 10};
                 yoke::fill(x, 3, stream);
                 comm.all_reduce(x, yoke::summed, stream);
                 comm.all_reduce(x, yoke::largest, stream);
                 yoke::exchange list{comm};
                 list.send(x, 1 - rank);
                 list.receive(y, 1 - rank);
                 comm.run(list, stream);
                 const nccl::scaled_sum by{comm, 2};
                 comm.all_reduce(y, by, stream);
                 comm.wait(stream);
                 YOKE_RANK_CHECK(yoke::to_host(x, stream) == std::vector<int>(10, 6));
                 YOKE_RANK_CHECK(yoke::to_host(y, stream) == std::vector<int>(10, 24));
                 comm.close();
               },
               {.blocking = false});
    const nccl::clique all{gpus.contexts, {.blocking = false}};
    auto x = gpus.allocate<int>(5, [](int, std::size_t) { return 1; });
    all.all_reduce(x, yoke::summed, gpus.streams);
    all.all_reduce(x, yoke::summed, gpus.streams);
    all.wait(gpus.streams);
    CHECK(gpus.read(x[1], 1) == std::vector<int>(5, gpus.count() * gpus.count()));
  });
}

YOKE_CUDA_TEST_CASE("calls that do not block end at the deadline while they are in progress",
                    "[nccl][communicator][failure]") {
  with_gpus(device, [](const several_gpus& gpus) {
    const nccl::options with{.deadline = 500ms, .blocking = false};
    const auto took = time_of([&] {
      CHECK_THAT(
          refusal<yoke::communication_error>(yoke::errc::timed_out,
                                             [&] {
                                               (void)communicator{nccl::get_unique_id(), 2, 0, gpus.contexts[0], with};
                                             }),
          ContainsSubstring("the communicator of 2 ranks has not been made within 500 ms"));
    });
    CHECK(took < 20s);
    std::atomic<bool> over{false};
    with_ranks(
        gpus,
        [&](const communicator& comm, int rank, const cu::stream& stream) {
          cu::device_allocation<int> x{comm.context_of(), 10};
          yoke::fill(x, 1, stream);
          if (rank == 1) {  // never meets the other one
            wait_for_other(over);
            return comm.abort();
          }
          rank_refusal<yoke::communication_error>(yoke::errc::timed_out, {"all_reduce", "on rank 0 of 2"}, [&] {
            comm.all_reduce(x, yoke::summed, stream);
            comm.wait(stream);
          });
          over = true;
          synchronize_soon(stream);
        },
        with);
  });
}

YOKE_CUDA_TEST_CASE("two ranks on one device are refused on both", "[nccl][communicator]") {
  with_gpus(device, [](const several_gpus& gpus) {
    for (const bool blocks : {true, false}) {
      INFO("blocks: " << blocks);
      const nccl::unique_id id = nccl::get_unique_id();
      on_ranks(2, [&](std::size_t rank) {
        const std::string mine = "while rank " + std::to_string(rank) + " of 2 is made";
        rank_refusal<yoke::logic_error>(yoke::errc::invalid_argument, {"Duplicate GPU detected", mine}, [&] {
          (void)communicator{id, 2, static_cast<int>(rank), gpus.contexts[0], {.deadline = 10s, .blocking = blocks}};
        });
      });
    }
  });
}

namespace {

/// Effects: two ranks have two communicators each. The first one's work and the second one's are enqueued on rank 0
/// alone, and the first one's deadline passes. NCCL frees the memory of both ranks with the last of them, which waits for
/// the second one's work on rank 0: rank 0 is that last one, or rank 1 is.
void check_abort_beside_another(const several_gpus& gpus, bool frees_on_rank_1, bool is_real) {
  const nccl::unique_id ids[2] = {nccl::get_unique_id(), nccl::get_unique_id()};
  std::atomic<bool> goes_on[2] = {false, false};
  on_ranks(2, [&](std::size_t rank) {
    const cu::stream& stream = gpus.streams[rank];
    const cu::stream other{gpus.contexts[rank]};
    // The communicators end first, and with them what would keep this memory.
    cu::device_allocation<int> x{gpus.contexts[rank], 10}, y{gpus.contexts[rank], 10};
    yoke::fill(x, 1, stream);
    yoke::fill(y, 1, other);
    note_step("makes two communicators");
    const auto open = [&](const nccl::unique_id& id, std::chrono::nanoseconds deadline) {
      return communicator{id, 2, static_cast<int>(rank), gpus.contexts[rank], {.deadline = deadline, .end_within = 1s}};
    };
    const communicator first = open(ids[0], 500ms), second = open(ids[1], 60s);
    note_step("meets the other rank");
    first.all_reduce(x, yoke::summed, stream);
    second.all_reduce(y, yoke::summed, other);
    first.wait(stream);
    second.wait(other);
    if (rank == 1) {
      note_step("aborts the first communicator");
      if (frees_on_rank_1) wait_for_other(goes_on[1]);
      first.abort();
      YOKE_RANK_CHECK(second.is_ready());  // it has no work
      goes_on[0] = true;
      wait_for_other(goes_on[1]);
      note_step("aborts the second communicator");
      return second.abort();
    }
    if (!frees_on_rank_1) wait_for_other(goes_on[0]);
    note_step("calls the second communicator alone");
    second.all_reduce(y, yoke::summed, other);
    note_step("waits for the first communicator alone");
    const auto took = time_of([&] {
      rank_refusal<yoke::communication_error>(yoke::errc::timed_out, {"all_reduce has not ended within 500 ms"}, [&] {
        first.all_reduce(x, yoke::summed, stream);
        first.wait(stream);
      });
    });
    YOKE_RANK_CHECK(took < 20s);
    if (frees_on_rank_1) {
      goes_on[1] = true;
      note_step("waits until rank 1 has aborted the first communicator");
      YOKE_RANK_CHECK(soon([&] { return goes_on[0].load(); }));
    }
    // Where a real NCCL frees memory without a wait, the second one goes on.
    if (is_real) std::printf("the second communicator is %s\n", second.is_ready() ? "ready" : "aborted");
    if (!is_real || !second.is_ready()) {
      YOKE_RANK_CHECK(!second.is_ready());
      rank_refusal<yoke::communication_error>(
          yoke::errc::communicator_ended,
          {"has failed before: another communicator of 2 ranks of this process was aborted"},
          [&] { second.all_reduce(y, yoke::summed, other); });
    }
    note_step("aborts the second communicator");
    second.abort();
    goes_on[1] = true;
    synchronize_soon(stream);
    synchronize_soon(other);
    note_step("drops its objects");
  });
}

}  // namespace

YOKE_CUDA_TEST_CASE("an abort that waits for another communicator of its devices aborts that one, too",
                    "[nccl][communicator][failure]") {
  const bool is_real = !is_simulated(device);
  with_gpus(
      device,
      [&](const several_gpus& gpus) {
        for (const bool frees_on_rank_1 : {false, true}) {
          INFO("rank 1 frees: " << frees_on_rank_1);
          check_abort_beside_another(gpus, frees_on_rank_1, is_real);
        }
      },
      {}, 2, true);
}

YOKE_CUDA_TEST_CASE("an exception aborts its communicator, and another one whose work holds up the end",
                    "[nccl][communicator][failure]") {
  const bool is_real = !is_simulated(device);
  with_gpus(
      device,
      [&](const several_gpus& gpus) {
        const cu::stream& stream = gpus.streams[0];
        const cu::stream other{gpus.contexts[0]};
        cu::device_allocation<int> y{gpus.contexts[0], 10};
        yoke::fill(y, 1, other);
        const auto is_open = std::make_shared<std::atomic<bool>>(false);
        const communicator second{nccl::get_unique_id(), 1, 0, gpus.contexts[0], {.end_within = 1s}};
        try {
          const communicator first{nccl::get_unique_id(), 1, 0, gpus.contexts[0], {.end_within = 1s}};
          first.all_reduce(y, yoke::summed, stream);
          first.wait(stream);
          // Stands for a rank that does not come.
          other.call([is_open] {
            for (int turn = 0; !*is_open && turn < 8000; ++turn) std::this_thread::sleep_for(1ms);
          });
          second.all_reduce(y, yoke::summed, other);
          throw std::domain_error("an exception of the program");
        } catch (const std::domain_error&) {
        }
        if (!is_real) CHECK_FALSE(second.is_ready());
        *is_open = true;
        synchronize_soon(other);
      },
      {}, 2, true);
}

YOKE_CUDA_TEST_CASE("an abort does not wait for CUDA's answer whether other communicators have work",
                    "[nccl][communicator][failure]") {
  if (!is_simulated(device)) return;
  with_gpus(device, [](const several_gpus& real) {
    cuda_interposer driver(*real.contexts[0].only_device().port().table());
    const auto is_open = std::make_shared<std::atomic<bool>>(false);
    std::atomic<int> asking{0};
    {
      const cu::context in{through_table(driver.table(), real.contexts[0].only_device())};
      const cu::stream stream{in}, other{in}, idle{in};
      cu::device_allocation<int> x{in, 10};
      yoke::fill(x, 1, stream);
      const auto open = [&] { return communicator{nccl::get_unique_id(), 1, 0, in, {.end_within = 2s}}; };
      const communicator first = open(), second = open(), third = open();
      first.all_reduce(x, yoke::summed, stream);
      third.all_reduce(x, yoke::summed, idle);
      first.wait(stream);
      third.wait(idle);
      other.call([is_open] {
        for (int turn = 0; !*is_open && turn < 30000; ++turn) std::this_thread::sleep_for(1ms);
      });
      second.all_reduce(x, yoke::summed, other);
      // CUDA answers at first, and then holds a lock while memory is freed.
      const auto begin = std::chrono::steady_clock::now();
      driver.on_call("stream_query", [&, begin] {
        if (std::chrono::steady_clock::now() - begin < 500ms) return;
        ++asking;
        for (int turn = 0; !*is_open && turn < 30000; ++turn) std::this_thread::sleep_for(1ms);
        --asking;
      });
      CHECK(time_of([&] { first.abort(); }) < 10s);
      CHECK(asking > 0);
      CHECK_FALSE(second.is_ready());
      CHECK(third.is_ready());  // it had no work
      *is_open = true;
      CHECK(soon([&] { return asking == 0; }));
      synchronize_soon(other);
      third.close();
      driver.on_call("stream_query", nullptr);
    }
  });
}

YOKE_CUDA_TEST_CASE("a reduction of values on the device gives a value", "[nccl][communicator]") {
  with_gpus(device, [](const several_gpus& gpus) {
    with_ranks(gpus, [](const communicator& comm, int rank, const cu::stream& stream) {
      yoke::device_array<float, 1, cu::port> a{stream, {100}};
      a.fill(static_cast<float>(rank + 1));
      YOKE_RANK_CHECK(comm.all_reduce(yoke::dot(a, a), yoke::summed).get() == 500);
    });
  });
}

YOKE_CUDA_TEST_CASE("durations below 0 are refused by name", "[nccl][communicator]") {
  with_gpus(device, [](const several_gpus& gpus) {
    const auto made = [&](const nccl::options& with) {
      return refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] {
        (void)communicator{nccl::get_unique_id(), 1, 0, gpus.contexts[0], with};
      });
    };
    CHECK_THAT(made({.deadline = -1s}),
               ContainsSubstring("the option deadline of a communicator is -1 s: the least is 0 s"));
    CHECK_THAT(made({.end_within = -20ms}), ContainsSubstring("the option end_within of a communicator is -20 ms"));
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                          [&] {
                                            (void)nccl::clique<cu::port>{gpus.contexts, {.deadline = -1s}};
                                          }),
               ContainsSubstring("the option deadline of a communicator is -1 s"));
  });
}

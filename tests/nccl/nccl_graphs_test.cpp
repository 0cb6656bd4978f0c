// SPDX-License-Identifier: MIT
// Calls of NCCL in graphs: in bodies of conditional nodes, and what ends first, the communicator or the graph.
#include <nccl/several_gpus.hpp>

#include <yoke/cuda/graph.hpp>
#include <yoke/graph.hpp>

#include <cstdlib>
#include <optional>

using namespace yoke_test;

namespace {

using communicator = nccl::communicator<cu::port>;

/// Two ranks on threads, which have met for a sum.
template <class Act>
void with_two_ranks(const several_gpus& gpus, const nccl::options& with, const Act& act) {
  const nccl::unique_id id = nccl::get_unique_id();
  on_ranks(2, [&](std::size_t rank) {
    const communicator comm{id, 2, static_cast<int>(rank), gpus.contexts[rank], with};
    cu::device_allocation<int> x{gpus.contexts[rank], 10};
    yoke::fill(x, 1, gpus.streams[rank]);
    comm.all_reduce(x, yoke::summed, gpus.streams[rank]);
    comm.wait(gpus.streams[rank]);
    act(comm, x, gpus.streams[rank]);
  });
}

}  // namespace

YOKE_CUDA_TEST_CASE("bodies of conditional nodes take calls of communicators of one graph at a time",
                    "[nccl][graph][conditions]") {
  const auto test = [](const several_gpus& gpus) {
    if (nccl::library().version < 22900) YOKE_SKIP("this NCCL is older than 2.29");
    with_two_ranks(gpus, {.graphs = nccl::graphs::one},
                   [](const communicator& comm, cu::device_allocation<int>& x, const cu::stream& stream) {
                     const cu::context& in = stream.context_of();
                     cu::device_allocation<int> goes_on{in, 1};
                     cu::graph graph{in};
                     auto record = graph.record();
                     yoke::fill(goes_on, 1, record);
                     record.repeat_while(goes_on, [&](auto& line) {
                       comm.all_reduce(x, yoke::summed, line);
                       yoke::fill(goes_on, 0, line);
                     });
                     const auto executable = graph.instantiate();
                     executable.launch(stream);
                     executable.launch(stream);
                     comm.wait(stream);
                     YOKE_RANK_CHECK(yoke::to_host(x, stream) == std::vector<int>(10, 8));
                   });
    with_two_ranks(gpus, {}, [](const communicator& comm, cu::device_allocation<int>& x, const cu::stream& stream) {
      cu::device_allocation<int> goes_on{stream.context_of(), 1};
      cu::graph graph{stream.context_of()}, child{stream.context_of()};
      auto record = graph.record();
      rank_refusal<yoke::unsupported_error>(
          yoke::errc::unsupported, {"takes no calls of an NCCL communicator made without .graphs = nccl::graphs::one"},
          [&] { record.when(goes_on, [&](auto& line) { comm.all_reduce(x, yoke::summed, line); }); });
      auto in_child = child.record();
      comm.all_reduce(x, yoke::summed, in_child);
      rank_refusal<yoke::unsupported_error>(yoke::errc::unsupported, {"takes no calls of an NCCL communicator"}, [&] {
        cu::graph other{stream.context_of()};
        auto line = other.record();
        line.when(goes_on, [&](auto& body) { body.add(child); });
      });
    });
  };
  if (is_simulated(device)) {
    with_gpus(device, test, {{"YOKE_NCCL_SIMULATOR_VERSION", "22907"}});
  } else {
    with_gpus(device, test);
  }
}

YOKE_CUDA_TEST_CASE("an NCCL that does not know graphs of one kind says so", "[nccl][graph]") {
  if (!is_simulated(device)) return;
  with_gpus(device,
            [](const several_gpus& gpus) {
              const auto open = [&] {
                return communicator{nccl::get_unique_id(), 1, 0, gpus.contexts[0], {.graphs = nccl::graphs::one}};
              };
              CHECK_THAT(refusal<yoke::unsupported_error>(yoke::errc::unsupported, [&] { (void)open(); }),
                         ContainsSubstring("graphs::one needs NCCL 2.29, and this is ") &&
                             ContainsSubstring("NCCL_GRAPH_MIXING_SUPPORT=0"));
              REQUIRE(::setenv("NCCL_GRAPH_MIXING_SUPPORT", "0", 1) == 0);
              CHECK(open().is_ready());
            },
            {{"YOKE_NCCL_SIMULATOR_VERSION", "22809"}});
}

YOKE_CUDA_TEST_CASE("a communicator does not end before its graphs", "[nccl][graph]") {
  with_gpus(device, [](const several_gpus& gpus) {
    const nccl::options slow_to_end{.end_within = 60s};
    with_two_ranks(
        gpus, slow_to_end, [](const communicator& comm, cu::device_allocation<int>& x, const cu::stream& stream) {
          std::optional<cu::graph> graph(std::in_place, stream.context_of());
          {
            auto record = graph->record();
            comm.all_reduce(x, yoke::summed, record);
          }
          rank_refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                          {"graphs have 1 call of this communicator: end them"}, [&] { comm.close(); });
          YOKE_RANK_CHECK(comm.is_ready());
          graph.reset();
          comm.close();
        });
    // An abort does not wait for the graphs, which NCCL would.
    const auto begin = std::chrono::steady_clock::now();
    with_two_ranks(gpus, slow_to_end,
                   [](const communicator& comm, cu::device_allocation<int>& x, const cu::stream& stream) {
                     cu::graph graph{stream.context_of()};
                     auto record = graph.record();
                     comm.all_reduce(x, yoke::summed, record);
                     const auto executable = graph.instantiate();
                     comm.abort();
                     YOKE_RANK_CHECK(!comm.is_ready());
                   });
    CHECK(std::chrono::steady_clock::now() - begin < 30s);
  });
}

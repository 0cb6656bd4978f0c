// SPDX-License-Identifier: MIT
// A table of NCCL's verbs over all GPUs of this machine, by yoke and by a raw loop in turns: bandwidth by nccl-tests'
// method, host time of a call, halos by NCCL and by peer copies, and what making and ending communicators takes.
#include <yoke/array.hpp>
#include <yoke/cuda.hpp>
#include <yoke/nccl.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <string>
#include <vector>

namespace {

namespace cu = yoke::cuda;
namespace nccl = yoke::nccl;
using clock_type = std::chrono::steady_clock;

double seconds_since(clock_type::time_point begin) {
  return std::chrono::duration<double>(clock_type::now() - begin).count();
}
double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct machine {
  std::vector<cu::context> contexts{};
  std::vector<cu::stream> streams{};
  std::size_t size() const { return contexts.size(); }
  void synchronize() const {
    for (const cu::stream& each : streams) each.synchronize();
  }
};

struct pair_of_times {
  double raw = 0;
  double yoke = 0;
};

/// Returns: the median times of one call: after 5 calls, bursts of `calls` by turns.
pair_of_times compare(const machine& on, int rounds, int calls, const std::function<void()>& raw,
                      const std::function<void()>& ours) {
  for (int i = 0; i < 5; ++i) {
    raw();
    ours();
  }
  on.synchronize();
  const auto burst = [&](const std::function<void()>& call) {
    const auto begin = clock_type::now();
    for (int i = 0; i < calls; ++i) call();
    on.synchronize();
    return seconds_since(begin) / calls;
  };
  std::vector<double> of_raw, of_yoke;
  for (int round = 0; round < rounds; ++round) {
    if (round % 2 == 0) {
      of_raw.push_back(burst(raw));
      of_yoke.push_back(burst(ours));
    } else {
      of_yoke.push_back(burst(ours));
      of_raw.push_back(burst(raw));
    }
  }
  return {median(of_raw), median(of_yoke)};
}

std::string size_text(std::size_t bytes) {
  if (bytes >= std::size_t{1} << 30U) return std::to_string(bytes >> 30U) + " GiB";
  if (bytes >= std::size_t{1} << 20U) return std::to_string(bytes >> 20U) + " MiB";
  if (bytes >= std::size_t{1} << 10U) return std::to_string(bytes >> 10U) + " KiB";
  return std::to_string(bytes) + " B";
}

void check(int code) {
  if (code == 0) return;
  std::fprintf(stderr, "NCCL's code is %d\n", code);
  std::exit(1);
}

using memories = std::vector<cu::device_allocation<float>>;
memories allocate(const machine& on, std::size_t count) {
  memories made;
  for (std::size_t rank = 0; rank < on.size(); ++rank) {
    made.emplace_back(on.contexts[rank], count);
    yoke::fill(made.back(), 0.0F, on.streams[rank]);
  }
  on.synchronize();
  return made;
}
void* address(const cu::device_allocation<float>& of) { return reinterpret_cast<void*>(of.native_handle()); }

/// The raw calls, through the same functions and the same communicators.
struct raw_calls {
  const nccl::abi::functions& table;
  std::vector<nccl::abi::communicator> comms;
  const machine& on;

  template <class Each>
  void group(const Each& each) const {
    check(table.group_start());
    for (std::size_t rank = 0; rank < on.size(); ++rank) each(rank, comms[rank], on.streams[rank].native_handle());
    check(table.group_end());
  }
};

void bandwidths(const machine& on, const nccl::clique<cu::port>& all, const raw_calls& raw, unsigned most, int rounds) {
  const auto n = static_cast<double>(on.size());
  const auto type = nccl::abi::data_type::float32;
  const std::size_t limit = std::size_t{1} << most;
  std::printf(
      "\n| operation | bytes | raw us | yoke us | raw GB/s (bus) | yoke GB/s (bus) | yoke / raw |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n");
  const auto row = [&](const char* name, std::size_t bytes, double factor, const pair_of_times& took) {
    const double moved = static_cast<double>(bytes) * factor / 1e9;
    std::printf("| %s | %s | %.2f | %.2f | %.2f | %.2f | %.3f |\n", name, size_text(bytes).c_str(), took.raw * 1e6,
                took.yoke * 1e6, moved / took.raw, moved / took.yoke, took.raw / took.yoke);
    std::fflush(stdout);
  };
  for (std::size_t bytes = 8; bytes <= limit; bytes *= 8) {
    const int calls = 20;
    const std::size_t whole = std::max<std::size_t>(bytes / sizeof(float), on.size());
    const std::size_t part = whole / on.size();
    const memories x = allocate(on, whole);
    memories y = allocate(on, whole);
    memories z = allocate(on, part);
    row("all-reduce", bytes, 2 * (n - 1) / n,
        compare(
            on, rounds, calls,
            [&] {
              raw.group([&](std::size_t rank, auto comm, auto in) {
                check(raw.table.all_reduce(address(x[rank]), address(y[rank]), whole, type, nccl::abi::operation::sum,
                                           comm, in));
              });
            },
            [&] { all.all_reduce(x, y, yoke::summed, on.streams); }));
    std::vector<cu::device_span<float>> wholes;
    for (auto& each : y) wholes.push_back(each.span().subspan(0, part * on.size()));
    std::vector<cu::device_span<const float>> sources;
    for (const auto& each : x) sources.push_back(each.span().subspan(0, part * on.size()));
    row("all-gather", bytes, (n - 1) / n,
        compare(
            on, rounds, calls,
            [&] {
              raw.group([&](std::size_t rank, auto comm, auto in) {
                check(raw.table.all_gather(address(z[rank]), address(y[rank]), part, type, comm, in));
              });
            },
            [&] { all.all_gather(z, wholes, on.streams); }));
    row("reduce-scatter", bytes, (n - 1) / n,
        compare(
            on, rounds, calls,
            [&] {
              raw.group([&](std::size_t rank, auto comm, auto in) {
                check(raw.table.reduce_scatter(address(x[rank]), address(z[rank]), part, type,
                                               nccl::abi::operation::sum, comm, in));
              });
            },
            [&] { all.reduce_scatter(sources, z, yoke::summed, on.streams); }));
    if (on.size() < 2) continue;
    std::vector<yoke::exchange<cu::port>> lists(on.size());
    const auto next = [&](std::size_t rank) { return static_cast<int>((rank + 1) % on.size()); };
    const auto before = [&](std::size_t rank) { return static_cast<int>((rank + on.size() - 1) % on.size()); };
    for (std::size_t rank = 0; rank < on.size(); ++rank) {
      lists[rank].send(x[rank], next(rank));
      lists[rank].receive(y[rank], before(rank));
    }
    row("send-receive", bytes, 1,
        compare(
            on, rounds, calls,
            [&] {
              raw.group([&](std::size_t rank, auto comm, auto in) {
                check(raw.table.send(address(x[rank]), whole, type, next(rank), comm, in));
                check(raw.table.receive(address(y[rank]), whole, type, before(rank), comm, in));
              });
            },
            [&] { all.run(lists, on.streams); }));
  }
}

/// Host time of calls, which run into no full queue.
void host_times(const machine& on, const nccl::clique<cu::port>& all, const raw_calls& raw, int rounds, int bursts) {
  std::printf("\n| host time of a call | raw ns | yoke ns | more ns |\n| --- | ---: | ---: | ---: |\n");
  constexpr int calls = 100;
  const auto measure = [&](const machine& waits, const std::function<void()>& call) {
    double took = 0;
    for (int burst = 0; burst < bursts; ++burst) {
      waits.synchronize();
      const auto begin = clock_type::now();
      for (int i = 0; i < calls; ++i) call();
      took += seconds_since(begin);
    }
    waits.synchronize();
    return took / calls / bursts * 1e9;
  };
  const auto row = [&](const std::string& name, const machine& waits, const std::function<void()>& theirs,
                       const std::function<void()>& ours) {
    (void)measure(waits, theirs);
    (void)measure(waits, ours);
    std::vector<double> of_raw, of_yoke, more;
    for (int round = 0; round < rounds; ++round) {
      of_raw.push_back(measure(waits, theirs));
      of_yoke.push_back(measure(waits, ours));
      more.push_back(of_yoke.back() - of_raw.back());
    }
    std::printf("| %s | %.0f | %.0f | %.0f |\n", name.c_str(), median(of_raw), median(of_yoke), median(more));
    std::fflush(stdout);
  };
  const auto type = nccl::abi::data_type::float32;
  const auto sum = nccl::abi::operation::sum;
  {
    machine one;
    one.contexts.push_back(on.contexts[0]);
    one.streams.emplace_back(one.contexts[0]);
    const nccl::communicator<cu::port> alone{nccl::get_unique_id(), 1, 0, one.contexts[0]};
    const memories x = allocate(one, 4);
    cu::device_allocation<float> y{one.contexts[0], 4};
    const auto comm = alone.native_handle();
    const auto in = one.streams[0].native_handle();
    row(
        "all-reduce of 4 floats, one rank, in place", one,
        [&] { check(raw.table.all_reduce(address(y), address(y), 4, type, sum, comm, in)); },
        [&] { alone.all_reduce(y, yoke::summed, one.streams[0]); });
    row(
        "all-reduce of 4 floats, one rank, apart", one,
        [&] { check(raw.table.all_reduce(address(x[0]), address(y), 4, type, sum, comm, in)); },
        [&] { alone.all_reduce(x[0], y, yoke::summed, one.streams[0]); });
    const nccl::communicator<cu::port> not_blocking{nccl::get_unique_id(), 1, 0, one.contexts[0], {.blocking = false}};
    row(
        "the same in place, the right side by calls that do not block", one,
        [&] { alone.all_reduce(y, yoke::summed, one.streams[0]); },
        [&] { not_blocking.all_reduce(y, yoke::summed, one.streams[0]); });
  }
  memories x = allocate(on, 4);
  row(
      "all-reduce of 4 floats, clique of " + std::to_string(on.size()), on,
      [&] {
        raw.group([&](std::size_t rank, auto comm, auto in) {
          check(raw.table.all_reduce(address(x[rank]), address(x[rank]), 4, type, sum, comm, in));
        });
      },
      [&] { all.all_reduce(x, yoke::summed, on.streams); });
}

/// Returns: the time of a `halo_exchange` of a row of two GPUs, packed, sent and unpacked.
double halo_exchanges(const machine& on, int rounds, std::size_t count, std::size_t peer_copy_bytes) {
  const yoke::array_partition<2> grid{{2, count}, 2, yoke::split_rows, {.halo = {1, 0}}};
  std::vector<yoke::device_array<float, 2, cu::port>> rows;
  for (int rank = 0; rank < 2; ++rank) {
    rows.emplace_back(on.streams[static_cast<std::size_t>(rank)], grid.shape_with_halo(rank)).fill(0);
  }
  const nccl::clique all{on.contexts, {.peer_copy_bytes = peer_copy_bytes}};
  yoke::halo_exchange halo{all, grid, rows};
  const auto run = [&] { halo.run(on.streams); };
  return compare(on, rounds, 20, run, run).yoke;
}

/// Halos between the first two GPUs, both ways at once.
void halos(const std::vector<cu::context>& contexts, int rounds, std::size_t most) {
  machine on;
  for (std::size_t rank = 0; rank < 2; ++rank) {
    on.contexts.push_back(contexts[rank]);
    on.streams.emplace_back(on.contexts.back());
  }
  std::vector<cu::peer_access> access;
  for (std::size_t rank = 0; rank < 2; ++rank) {
    if (cu::can_access_peer(on.contexts[rank].only_device(), on.contexts[1 - rank].only_device())) {
      access.push_back(cu::peer_access(on.contexts[rank], on.contexts[1 - rank]));
    }
  }
  const nccl::clique all{on.contexts};
  const raw_calls raw{nccl::detail::default_library({}).table, {all.native_handle(0), all.native_handle(1)}, on};
  std::printf(
      "\n| halo of both GPUs at once (%s) | raw NCCL us | yoke's list us | yoke / raw | peer copies us "
      "| halo_exchange by NCCL us | by peer copies us |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
      access.empty() ? "no peer access" : "peer access");
  for (std::size_t bytes = 4096; bytes <= most; bytes *= 4) {
    const std::size_t count = bytes / sizeof(float);
    const memories x = allocate(on, count);
    memories y = allocate(on, count);
    std::vector<yoke::exchange<cu::port>> lists(2);
    for (std::size_t rank = 0; rank < 2; ++rank) {
      lists[rank].send(x[rank], static_cast<int>(1 - rank));
      lists[rank].receive(y[rank], static_cast<int>(1 - rank));
    }
    const pair_of_times by_nccl = compare(
        on, rounds, 20,
        [&] {
          raw.group([&](std::size_t rank, auto comm, auto in) {
            check(raw.table.send(address(x[rank]), count, nccl::abi::data_type::float32, static_cast<int>(1 - rank),
                                 comm, in));
            check(raw.table.receive(address(y[rank]), count, nccl::abi::data_type::float32, static_cast<int>(1 - rank),
                                    comm, in));
          });
        },
        [&] { all.run(lists, on.streams); });
    // Each stream writes the other's memory, and begins the next step when the other one is done.
    std::vector<cu::event> done;
    for (std::size_t rank = 0; rank < 2; ++rank) done.push_back(on.streams[rank].record());
    const auto copies = [&] {
      for (std::size_t rank = 0; rank < 2; ++rank) on.streams[rank].record_into(done[rank]);
      for (std::size_t rank = 0; rank < 2; ++rank) {
        on.streams[rank].wait(done[1 - rank]);
        yoke::enqueue_copy(x[rank], y[1 - rank], on.streams[rank]);
      }
    };
    const pair_of_times by_copies = compare(on, rounds, 20, copies, copies);
    std::printf("| %s | %.2f | %.2f | %.3f | %.2f | %.2f | %.2f |\n", size_text(bytes).c_str(), by_nccl.raw * 1e6,
                by_nccl.yoke * 1e6, by_nccl.raw / by_nccl.yoke, by_copies.yoke * 1e6,
                halo_exchanges(on, rounds, count, 0) * 1e6, halo_exchanges(on, rounds, count, bytes) * 1e6);
    std::fflush(stdout);
  }
}

/// Steps of two GPUs that move their halos while they work on the inside.
void overlap(const machine& on, int rounds, std::size_t most) {
  std::printf(
      "\n| halo of both GPUs at once | halo us | inside us | step us | step / longer |\n"
      "| --- | ---: | ---: | ---: | ---: |\n");
  for (std::size_t bytes = most / 16; bytes != 0 && bytes <= most; bytes *= 16) {
    const std::size_t count = bytes / sizeof(float);
    const yoke::array_partition<2> grid{{2, count}, 2, yoke::split_rows, {.halo = {1, 0}}};
    std::vector<yoke::device_array<float, 2, cu::port>> rows;
    std::vector<yoke::device_array<float, 1, cu::port>> inside;
    for (int rank = 0; rank < 2; ++rank) {
      const cu::stream& stream = on.streams[static_cast<std::size_t>(rank)];
      rows.emplace_back(stream, grid.shape_with_halo(rank)).fill(0);
      inside.emplace_back(stream, yoke::shape<1>(8 * count)).fill(0);
    }
    const nccl::clique all{on.contexts};
    yoke::halo_exchange halo{all, grid, rows};
    const auto work = [&] {
      for (auto& each : inside) each = 0.5F * each + 1.0F;
    };
    const auto step = [&] {
      auto moving = halo.start(on.streams);
      work();
      moving.finish(on.streams);
    };
    const pair_of_times alone = compare(
        on, rounds, 20, [&] { halo.run(on.streams); }, work);
    const double both = compare(on, rounds, 20, step, step).yoke;
    std::printf("| %s | %.2f | %.2f | %.2f | %.2f |\n", size_text(bytes).c_str(), alone.raw * 1e6, alone.yoke * 1e6,
                both * 1e6, both / std::max(alone.raw, alone.yoke));
    std::fflush(stdout);
  }
}

void lives(const machine& on, int rounds) {
  std::vector<double> made, closed, aborted;
  for (int round = 0; round < rounds; ++round) {
    auto begin = clock_type::now();
    const nccl::clique all{on.contexts};
    made.push_back(seconds_since(begin));
    memories x = allocate(on, 1024);
    all.all_reduce(x, yoke::summed, on.streams);
    all.wait(on.streams);
    begin = clock_type::now();
    if (round % 2 == 0) {
      all.close();
      closed.push_back(seconds_since(begin));
    } else {
      all.abort();
      aborted.push_back(seconds_since(begin));
    }
  }
  std::printf("\n| a clique of %zu | s |\n| --- | ---: |\n| made | %.3f |\n| closed | %.3f |\n| aborted | %.3f |\n",
              on.size(), median(made), median(closed), median(aborted));
  std::fflush(stdout);
}

void run(unsigned most, int rounds, std::size_t ranks) {
  const nccl::library_info library = nccl::library();
  std::printf("NCCL %d (%s)\n", library.version, library.path.c_str());
  std::vector<cu::context> contexts;
  for (const cu::device& each : cu::devices()) {
    if (contexts.size() < ranks) contexts.emplace_back(each);
  }
  machine on;
  for (const cu::context& each : contexts) {
    on.contexts.push_back(each);
    on.streams.emplace_back(each);
  }
  std::printf("%zu GPUs: %s\n", on.size(), on.contexts[0].only_device().name().c_str());
  const nccl::clique all{on.contexts};
  raw_calls raw{nccl::detail::default_library({}).table, {}, on};
  for (std::size_t rank = 0; rank < on.size(); ++rank) raw.comms.push_back(all.native_handle(static_cast<int>(rank)));
  bandwidths(on, all, raw, most, rounds);
  host_times(on, all, raw, rounds, most >= 30 ? 1000 : 2);
  if (on.size() >= 2) {
    const std::size_t most_of_halos = std::min(std::size_t{16} << 20U, std::size_t{1} << most);
    halos(contexts, rounds, most_of_halos);
    machine two;
    for (std::size_t rank = 0; rank < 2; ++rank) {
      two.contexts.push_back(contexts[rank]);
      two.streams.emplace_back(contexts[rank]);
    }
    overlap(two, rounds, most_of_halos);
  }
  lives(on, rounds < 4 ? 2 : 4);
}

}  // namespace

// nccl [LOG2_OF_MOST_BYTES [ROUNDS [GPUS]]]
int main(int count, char** words) {
  try {
    run(count > 1 ? static_cast<unsigned>(std::atoi(words[1])) : 30, count > 2 ? std::atoi(words[2]) : 5,
        count > 3 ? static_cast<std::size_t>(std::atoi(words[3])) : 64);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
}

// SPDX-License-Identifier: MIT
// Random schedules of verbs over ranks that are threads, which the host follows with arrays of its own.
#include <local/ranks.hpp>

#include <algorithm>
#include <array>
#include <random>

using namespace yoke_test;
using namespace yoke_test::ranks;

namespace {

constexpr int size = 3;
constexpr std::size_t part = 4;
constexpr std::size_t count = size * part;
using numbers = std::vector<std::uint32_t>;

/// One step of a schedule.
struct step {
  unsigned verb;
  int root;
  std::uint32_t added;
  bool on_second;  // the stream of the verb
};
std::vector<step> schedule(unsigned seed, std::size_t steps) {
  std::mt19937 engine(seed);
  std::vector<step> made;
  for (std::size_t k = 0; k < steps; ++k) {
    made.push_back({static_cast<unsigned>(engine() % 9), static_cast<int>(engine() % size),
                    static_cast<std::uint32_t>(engine() % 100), engine() % 2 == 0});
  }
  return made;
}

/// Returns: the parts of all ranks' elements.
auto part_of(numbers& of, std::size_t which) { return of.begin() + static_cast<std::ptrdiff_t>(which * part); }

/// Effects: does what the ranks do.
void follow(std::array<numbers, size>& all, const step& each) {
  for (std::size_t rank = 0; rank < size; ++rank) {
    for (auto& x : all[rank]) x += each.added + static_cast<std::uint32_t>(rank);
  }
  const auto before = all;
  numbers sum(count);
  for (const auto& of : before) {
    for (std::size_t k = 0; k < count; ++k) sum[k] += of[k];
  }
  const auto root = static_cast<std::size_t>(each.root);
  for (std::size_t rank = 0; rank < size; ++rank) {
    const auto copy = [&](std::size_t to, std::size_t from_rank, std::size_t from) {
      auto source = before[from_rank];
      std::copy_n(part_of(source, from), part, part_of(all[rank], to));
    };
    switch (each.verb) {
      case 0: all[rank] = sum; break;
      case 1: all[rank] = before[root]; break;
      case 2:
        for (std::size_t other = 0; other < size; ++other) copy(other, other, other);
        break;
      case 3:
        for (std::size_t other = 0; other < size; ++other) copy(other, other, rank);
        break;
      case 4: std::copy_n(part_of(sum, rank), part, part_of(all[rank], rank)); break;
      case 5: copy(2, (rank + size - 1) % size, 0); break;
      case 6:
        if (rank == root) all[rank] = sum;
        break;
      case 7: copy(rank, root, rank); break;
      default:
        if (rank != root) break;
        for (std::size_t other = 0; other < size; ++other) copy(other, other, other);
        break;
    }
  }
}

/// Effects: enqueues a step of a rank.
void enqueue(communicator& comm, yoke::device_array<std::uint32_t, 1>& x, const step& each, const yoke::stream<>& s) {
  const auto own = static_cast<std::ptrdiff_t>(part) * comm.rank();
  const auto mine = x(yoke::slice(own, own + static_cast<std::ptrdiff_t>(part)));
  switch (each.verb) {
    case 0: return comm.all_reduce(x, yoke::summed, s);
    case 1: return comm.broadcast(x, each.root, s);
    case 2: return comm.all_gather(x, s);
    case 3: return comm.all_to_all(x, x, s);
    case 4: return comm.reduce_scatter(x, mine, yoke::summed, s);
    case 5: {
      yoke::exchange list{comm};
      list.send(x(yoke::slice(0, static_cast<std::ptrdiff_t>(part))), (comm.rank() + 1) % size);
      list.receive(x(yoke::slice(2 * static_cast<std::ptrdiff_t>(part), yoke::none)), (comm.rank() + size - 1) % size);
      auto moving = comm.run_async(list, s);
      return moving.finish(s);
    }
    case 6: return comm.reduce(x, yoke::summed, each.root, s);
    case 7: return comm.scatter(x, mine, each.root, s);
    default: return comm.gather(mine, x, each.root, s);
  }
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("random schedules of verbs give what the host calculates", "[local]") {
  team_rig state(device);
  for (const unsigned seed : {1U, 2U, 3U}) {
    INFO("seed " << seed);
    const auto steps = schedule(seed, 40);
    const auto made = in_team(state.context, size, [&](communicator& comm, const yoke::stream<>& first) {
      const yoke::stream<> second(first.context_of(), first.device_of());
      auto x = yoke::to_device_array(elements_of<std::uint32_t>(comm.rank(), count), first);
      for (const step& each : steps) {
        x += each.added + static_cast<std::uint32_t>(comm.rank());
        enqueue(comm, x, each, each.on_second ? second : first);
      }
      return x.to_host();
    });
    std::array<numbers, size> expected;
    for (int rank = 0; rank < size; ++rank) {
      expected[static_cast<std::size_t>(rank)] = elements_of<std::uint32_t>(rank, count);
    }
    for (const step& each : steps) follow(expected, each);
    for (std::size_t rank = 0; rank < size; ++rank) CHECK(made[rank] == expected[rank]);
  }
}

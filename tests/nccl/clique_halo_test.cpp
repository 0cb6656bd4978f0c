// SPDX-License-Identifier: MIT
// Halos of all GPUs of a process: by peer copies and by NCCL, right in any order of calls, and what is refused.
#include <distributed/halo_elements.hpp>
#include <nccl/several_gpus.hpp>

#include <yoke/array.hpp>

#include <atomic>
#include <limits>
#include <memory>
#include <optional>
#include <random>

using namespace yoke_test;

namespace {

template <class T>
using plates = std::vector<yoke::device_array<T, 2, cu::port>>;
using grid_type = yoke::array_partition<2>;
/// How messages travel.
struct way_type {
  const char* name;
  nccl::options with;
};
const way_type by_nccl{"by NCCL", {.peer_copy_bytes = 0}};
const way_type by_copies{"by copies", {.peer_write_bytes = 0}};
const way_type by_writes{"by writes", {}};
const way_type ways[] = {by_nccl, by_copies, by_writes};

/// The first GPUs alone.
several_gpus first_of(const several_gpus& gpus, std::size_t count) {
  std::vector<cu::device> devices;
  for (std::size_t rank = 0; rank < count; ++rank) devices.push_back(gpus.contexts[rank].only_device());
  return several_gpus(devices);
}
/// The same GPUs by another table of the driver's functions.
several_gpus through(const cu::abi::functions* table, const several_gpus& gpus) {
  std::vector<cu::device> devices;
  for (const cu::context& each : gpus.contexts) devices.push_back(through_table(table, each.only_device()));
  return several_gpus(devices);
}
/// Returns: the ranks' arrays; halos that a neighbour fills are -1.
template <class T = int>
plates<T> own_plates(const several_gpus& gpus, const grid_type& grid) {
  plates<T> made;
  for (int rank = 0; rank < gpus.count(); ++rank) {
    const auto& s = gpus.streams[static_cast<std::size_t>(rank)];
    yoke::device_array<int, 2, cu::port> numbers(s, grid.shape_with_halo(rank));
    numbers.assign(own_elements(grid, rank, false));
    made.push_back(numbers.template astype<T>().copy());
  }
  return made;
}
/// A table that counts what came of enabling access to peers: NCCL may have enabled it before, and then it is not yoke's
/// to disable. One at a time.
struct counted_access {
  explicit counted_access(const cu::abi::functions& real) : table(real) {
    before() = &real;
    enabled() = 0;
    table.context_enable_peer_access = [](cu::abi::context to, unsigned flags) {
      const cu::abi::status code = before()->context_enable_peer_access(to, flags);
      if (code == cu::abi::success) ++enabled();
      return code;
    };
  }
  counted_access(const counted_access&) = delete;
  counted_access& operator=(const counted_access&) = delete;
  static const cu::abi::functions*& before() {
    static const cu::abi::functions* one = nullptr;
    return one;
  }
  static std::atomic<std::size_t>& enabled() {
    static std::atomic<std::size_t> count{0};
    return count;
  }
  cu::abi::functions table;
};
template <class T>
void check_halos(const several_gpus& gpus, const nccl::clique<cu::port>& all, const grid_type& grid,
                 const plates<T>& of) {
  all.wait(gpus.streams);
  for (int rank = 0; rank < gpus.count(); ++rank) {
    const auto& mine = of[static_cast<std::size_t>(rank)];
    CHECK(mine.template astype<int>().to_host() == own_elements(grid, rank, true));
  }
}
grid_type rows(const several_gpus& gpus) {
  return {{3 * gpus.size() + 1, 5}, gpus.count(), yoke::split_rows, {.halo = 1}};
}
/// How many messages a ring of rows has: two for each rank, one between two.
grid_type ring(const several_gpus& gpus) {
  return {{3 * gpus.size(), 5}, gpus.count(), yoke::split_rows, {.halo = 1, .periodic = {true, false}}};
}
constexpr std::size_t bytes_of_ring = 7 * sizeof(int) + 4;  // a row with its halo, up to 16 bytes

}  // namespace

YOKE_CUDA_TEST_CASE("halos of a clique have the neighbours' elements", "[nccl][clique]") {
  with_gpus(device, [](const several_gpus& all_gpus) {
    const auto check = [](const several_gpus& gpus, const grid_type& grid) {
      for (const way_type& way : ways) {
        INFO(gpus.size() << " GPUs in " << grid.blocks()[0] << " x " << grid.blocks()[1] << " blocks, " << way.name);
        auto u = own_plates(gpus, grid);
        auto v = own_plates<float>(gpus, grid);
        const nccl::clique all{gpus.contexts, way.with};
        yoke::halo_exchange halo{all, grid, u, v};
        auto moving = halo.start(gpus.streams);
        plates<int> meanwhile;
        for (const auto& each : u) meanwhile.push_back(each.copy());
        moving.finish(gpus.streams);
        moving.finish(gpus.streams);  // does nothing
        check_halos(gpus, all, grid, u);
        check_halos(gpus, all, grid, v);
        for (int rank = 0; rank < gpus.count(); ++rank) {
          CHECK(meanwhile[static_cast<std::size_t>(rank)].to_host() == own_elements(grid, rank, false));
        }
      }
    };
    const std::size_t n = all_gpus.size();
    check(all_gpus, rows(all_gpus));
    check(all_gpus, {{7 * n, 8 * n},
                     all_gpus.count(),
                     yoke::split_blocks,
                     {.halo = {1, 2}, .periodic = {false, true}, .corners = true}});
    const several_gpus two = first_of(all_gpus, 2);  // both neighbours are the same rank
    check(two, {{6, 5}, 2, yoke::split_rows, {.halo = 2, .periodic = true}});
    const several_gpus one = first_of(all_gpus, 1);  // a rank is its own neighbour
    check(one, {{4, 4}, 1, yoke::split_rows, {.halo = 1, .periodic = true}});
  });
}

namespace {
/// Elements whose size divides no block's.
template <std::size_t Numbers>
struct several_numbers {
  std::array<int, Numbers> of;
};
template <std::size_t Numbers>
std::vector<several_numbers<Numbers>> several(const std::vector<int>& numbers) {
  std::vector<several_numbers<Numbers>> made(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (std::size_t k = 0; k < Numbers; ++k) made[i].of[k] = numbers[i] + 1000000 * static_cast<int>(k);
  }
  return made;
}
template <std::size_t Numbers>
void check_structs(const several_gpus& gpus, const grid_type& grid, const way_type& way, yoke::array_order order) {
  using element = several_numbers<Numbers>;
  INFO(way.name << ", " << Numbers << " numbers, C order: " << (order == yoke::array_order::c));
  std::array<plates<element>, 2> u;  // the second one's faces begin behind those of the first
  for (int rank = 0; rank < gpus.count(); ++rank) {
    for (plates<element>& each : u) {
      each.emplace_back(gpus.streams[static_cast<std::size_t>(rank)], grid.shape_with_halo(rank), order);
      each.back().assign(several<Numbers>(own_elements(grid, rank, false)));
    }
  }
  const nccl::clique all{gpus.contexts, way.with};
  yoke::halo_exchange halo{all, grid, u[0], u[1]};
  halo.start(gpus.streams).finish(gpus.streams);
  halo.run(gpus.streams);
  all.wait(gpus.streams);
  for (int rank = 0; rank < gpus.count(); ++rank) {
    const auto right = several<Numbers>(own_elements(grid, rank, true));
    for (const plates<element>& each : u) {
      const auto got = each[static_cast<std::size_t>(rank)].to_host();
      CHECK(std::equal(got.begin(), got.end(), right.begin(), right.end(),
                       [](const element& x, const element& y) { return x.of == y.of; }));
    }
  }
}
}  // namespace

YOKE_CUDA_TEST_CASE("halos of a clique are right for elements whose size divides no block's", "[nccl][clique]") {
  with_gpus(device, [](const several_gpus& gpus) {
    const grid_type blocks{{7 * gpus.size(), 8 * gpus.size()},
                           gpus.count(),
                           yoke::split_blocks,
                           {.halo = {1, 2}, .periodic = {false, true}, .corners = true}};
    for (const way_type& way : ways) {
      for (const yoke::array_order order : {yoke::array_order::c, yoke::array_order::f}) {
        check_structs<3>(gpus, ring(gpus), way, order);
        check_structs<3>(gpus, blocks, way, order);
        check_structs<6>(gpus, ring(gpus), way, order);
        check_structs<10>(gpus, blocks, way, order);
      }
    }
  });
}

YOKE_CUDA_TEST_CASE("halos of a clique are right in each of 50 steps while GPUs are late", "[nccl][clique]") {
  with_gpus(device,
            [](const several_gpus& gpus) {
              constexpr int steps = 50;
              const grid_type grid = ring(gpus);
              const auto check = [&](const way_type& way, bool changes) {
                INFO(way.name << (changes ? ", in changing streams" : ", in the same streams"));
                const several_gpus others = first_of(gpus, gpus.size());
                auto u = own_plates(gpus, grid);
                auto next = own_plates(gpus, grid);
                const auto own = own_plates(gpus, grid);
                plates<int> complete;
                std::vector<yoke::device_array<std::int64_t, 1, cu::port>> bad;
                std::vector<yoke::device_array<float, 1, cu::port>> busy;
                for (int rank = 0; rank < gpus.count(); ++rank) {
                  const auto& s = gpus.streams[static_cast<std::size_t>(rank)];
                  complete.emplace_back(s, grid.shape_with_halo(rank));
                  complete.back().assign(own_elements(grid, rank, true));
                  bad.emplace_back(s, yoke::shape{steps});
                  bad.back().fill(0);
                  busy.emplace_back(s, yoke::shape{50000});
                  busy.back().fill(1.0F);
                }
                const nccl::clique all{gpus.contexts, way.with};
                yoke::halo_exchange halo{all, grid, u};
                yoke::halo_exchange back{all, grid, next};
                std::mt19937 engine(5);
                const std::size_t edge = grid.own(0).first[0];
                for (int step = 0; step < steps; ++step) {
                  const several_gpus& in = changes && step % 3 == 2 ? others : gpus;
                  const several_gpus& ends = changes && step % 4 == 1 ? others : gpus;
                  const std::size_t late = engine() % gpus.size();
                  for (std::size_t rank = 0; rank < gpus.size(); ++rank) {
                    const cu::stream& s = in.streams[rank];
                    others.streams[rank].wait(gpus.streams[rank].record());
                    u[rank].bind(s).assign(yoke::where(own[rank] < 0, own[rank], own[rank] + 10000 * step));
                    if (rank == late && step % 2 == 0) busy[rank].bind(s) = yoke::sqrt(busy[rank] + 1.0F) * 0.5F;
                  }
                  auto moving = halo.start(in.streams);
                  for (std::size_t rank = 0; rank < gpus.size(); ++rank) {
                    const cu::stream& s = in.streams[rank];
                    u[rank](edge).bind(s).fill(-7);  // the faces are packed already
                    if (rank == late && step % 2 == 1) busy[rank].bind(s) = yoke::sqrt(busy[rank] + 1.0F) * 0.5F;
                    ends.streams[rank].wait(s.record());
                  }
                  moving.finish(ends.streams);
                  for (std::size_t rank = 0; rank < gpus.size(); ++rank) {
                    const cu::stream& s = ends.streams[rank];
                    const auto& right = complete[rank];
                    u[rank](edge).bind(s).assign(yoke::where(right(edge) < 0, right(edge), right(edge) + 10000 * step));
                    bad[rank](step).bind(s).assign(
                        yoke::pass::count(u[rank].bind(s) != yoke::where(right < 0, right, right + 10000 * step)));
                    gpus.streams[rank].wait(s.record());
                  }
                  if (step % 8 != 7) continue;  // blocks are used again in the next step, and later
                  std::swap(u, next);
                  std::swap(halo, back);
                }
                all.wait(gpus.streams);
                for (const auto& each : bad) CHECK(each.to_host() == std::vector<std::int64_t>(steps));
              };
              for (const way_type& way : ways) {
                check(way, true);
                check(way, false);
              }
            },
            {{"YOKE_SIMULATOR_DEVICES", "3"}, {"YOKE_SIMULATOR_DELAY_US", "100"}});
}

YOKE_CUDA_TEST_CASE("halos of a clique go by peer copies where the GPUs see each other and messages are short enough",
                    "[nccl][clique]") {
  with_gpus(device, [&](const several_gpus& real) {
    cuda_interposer driver(*real.contexts[0].only_device().port().table());
    counted_access access(*driver.table());
    {
      const several_gpus gpus = through(&access.table, real);
      if (!cu::can_access_peer(gpus.contexts[0].only_device(), gpus.contexts[1].only_device())) {
        YOKE_SKIP("the CUDA devices do not see each other");
      }
      const grid_type grid = ring(gpus);
      const std::size_t messages = gpus.size() == 2 ? 2 : 2 * gpus.size();
      const std::size_t longest = gpus.size() == 2 ? 2 * bytes_of_ring : bytes_of_ring;
      const auto copies_with = [&](const nccl::options& with, const auto& move) {
        auto u = own_plates(gpus, grid);
        const nccl::clique all{gpus.contexts, with};
        const bool is_long = with.peer_copy_bytes < longest;
        const std::size_t before = driver.count("memcpy_peer_async");
        const std::size_t asked = driver.count("context_enable_peer_access");
        const std::size_t enabled = access.enabled();
        const std::size_t disabled = driver.count("context_disable_peer_access");
        {
          yoke::halo_exchange halo{all, grid, u};
          move(halo);
          check_halos(gpus, all, grid, u);
          CHECK(driver.count("context_enable_peer_access") - asked == (is_long ? 0 : messages));
          CHECK(driver.count("context_disable_peer_access") == disabled);
        }
        CHECK(driver.count("context_disable_peer_access") - disabled == access.enabled() - enabled);
        if (is_simulated(device)) CHECK(access.enabled() - enabled == (is_long ? 0 : messages));
        return driver.count("memcpy_peer_async") - before;
      };
      const auto by_steps = [&](auto& halo) { halo.start(gpus.streams).finish(gpus.streams); };
      const auto at_once = [&](auto& halo) { halo.run(gpus.streams); };
      // Of two faces each is written alone.
      const std::size_t faces = 2 * gpus.size();
      CHECK(copies_with({.peer_write_bytes = 0}, by_steps) == messages);
      CHECK(copies_with({.peer_write_bytes = longest - 1}, by_steps) == messages);
      CHECK(copies_with({.peer_write_bytes = longest}, by_steps) == faces);
      CHECK(copies_with({.peer_write_bytes = 0}, at_once) == faces);
      CHECK(copies_with({.peer_copy_bytes = longest, .peer_write_bytes = 0}, by_steps) == messages);
      CHECK(copies_with({.peer_copy_bytes = longest - 1, .peer_write_bytes = 0}, by_steps) == 0);
      CHECK(copies_with({.peer_copy_bytes = 0}, at_once) == 0);
    }
  });
}

YOKE_CUDA_TEST_CASE("halos of a clique take few commands", "[nccl][clique]") {
  with_gpus(device, [&](const several_gpus& real) {
    cuda_interposer driver(*real.contexts[0].only_device().port().table());
    {
      const several_gpus gpus = through(driver.table(), first_of(real, 2));
      if (!cu::can_access_peer(gpus.contexts[0].only_device(), gpus.contexts[1].only_device())) {
        YOKE_SKIP("the CUDA devices do not see each other");
      }
      const grid_type grid = rows(gpus);
      auto u = own_plates(gpus, grid);
      const auto counted = [&](const way_type& way, const auto& move) {
        const nccl::clique all{gpus.contexts, way.with};
        yoke::halo_exchange halo{all, grid, u};
        for (int i = 0; i < 3; ++i) move(halo);
        const std::size_t before = driver.mark();
        move(halo);
        return std::array{driver.count("memcpy_dtod_async", before), driver.count("memcpy_peer_async", before),
                          driver.count("event_record", before), driver.count("stream_wait_event", before),
                          driver.count_all(before)};
      };
      using counts = std::array<std::size_t, 5>;
      const auto at_once = [&](auto& halo) { halo.run(gpus.streams); };
      const auto by_steps = [&](auto& halo) { halo.start(gpus.streams).finish(gpus.streams); };
      // Of each rank: it writes, says so; waits for the sender, reads, says so.
      CHECK(counted(by_writes, at_once) == counts{2, 2, 4, 2, 10});
      CHECK(counted(by_writes, by_steps) == counts{2, 2, 4, 2, 10});
      // In other streams than before each rank also waits for the receiver's block and for its array's last use.
      const several_gpus others = through(driver.table(), gpus);
      bool turn = false;
      const auto by_turns = [&](auto& halo) { halo.run((turn = !turn) ? others.streams : gpus.streams); };
      CHECK(counted(by_writes, by_turns)[3] == 6);
      // Of each rank: the stream waits for its last message and packs; the one beside waits for that, copies, says so;
      // the stream waits for the sender, unpacks, says so.
      CHECK(counted(by_copies, by_steps) == counts{4, 2, 6, 6, 18});
      // Of each rank: it waits for its last use of the blocks, packs; NCCL's messages; it unpacks, says so.
      if (is_simulated(device)) CHECK(counted(by_nccl, at_once) == counts{4, 0, 2, 2, 8});
    }
  });
}

YOKE_CUDA_TEST_CASE("access to peers that others have enabled serves the halos of a clique, and stays",
                    "[nccl][clique]") {
  with_gpus(device, [](const several_gpus& real) {
    if (!cu::can_access_peer(real.contexts[0].only_device(), real.contexts[1].only_device())) {
      YOKE_SKIP("the CUDA devices do not see each other");
    }
    const cu::abi::functions& raw = *real.contexts[0].only_device().port().table();
    const auto each_way = [&](const auto& act) {
      for (const cu::context& from : real.contexts) {
        const auto active = from.activate();
        for (const cu::context& to : real.contexts) {
          if (&from != &to) act(from.native_handle(), to.native_handle());
        }
      }
    };
    // A program, or NCCL itself.
    std::vector<std::pair<cu::abi::context, cu::abi::context>> own;
    each_way([&](cu::abi::context from, cu::abi::context to) {
      const cu::abi::status code = raw.context_enable_peer_access(to, 0);
      if (code == cu::abi::success) own.emplace_back(from, to);
      REQUIRE((code == cu::abi::success || code == cu::abi::error_peer_access_already_enabled));
    });
    cuda_interposer driver(raw);
    {
      const several_gpus gpus = through(driver.table(), real);
      const grid_type grid = ring(gpus);
      const nccl::clique all{gpus.contexts, by_copies.with};
      for (int time = 0; time < 2; ++time) {
        auto u = own_plates(gpus, grid);
        yoke::halo_exchange halo{all, grid, u};
        halo.start(gpus.streams).finish(gpus.streams);
        check_halos(gpus, all, grid, u);
      }
      const std::size_t messages = gpus.size() == 2 ? 2 : 2 * gpus.size();
      CHECK(driver.count("memcpy_peer_async") == 2 * messages);
      CHECK(driver.count("context_enable_peer_access") == 2 * messages);
      CHECK(driver.count("context_disable_peer_access") == 0);
    }
    each_way([&](cu::abi::context, cu::abi::context to) {
      CHECK(raw.context_enable_peer_access(to, 0) == cu::abi::error_peer_access_already_enabled);
    });
    each_way([&](cu::abi::context from, cu::abi::context to) {
      if (std::find(own.begin(), own.end(), std::pair(from, to)) == own.end()) return;
      CHECK(raw.context_disable_peer_access(to) == cu::abi::success);
    });
  });
}

YOKE_CUDA_TEST_CASE("halos of a clique go by NCCL where two GPUs do not see each other", "[nccl][clique]") {
  with_gpus(device, [](const several_gpus& real) {
    cuda_interposer driver(*real.contexts[0].only_device().port().table());
    cu::abi::functions blind = *driver.table();
    blind.device_can_access_peer = [](int* can, cu::abi::device, cu::abi::device) {
      *can = 0;
      return cu::abi::success;
    };
    {
      const several_gpus gpus = through(&blind, real);
      const grid_type grid = ring(gpus);
      auto u = own_plates(gpus, grid);
      const nccl::clique all{gpus.contexts};
      yoke::halo_exchange halo{all, grid, u};
      halo.run(gpus.streams);
      check_halos(gpus, all, grid, u);
      CHECK(driver.count("memcpy_peer_async") == 0);
      CHECK(driver.count("context_enable_peer_access") == 0);
    }
  });
}

YOKE_CUDA_TEST_CASE("an exception drops the halos of a clique, and the next ones are right", "[nccl][clique]") {
  with_gpus(device,
            [](const several_gpus& gpus) {
              const grid_type grid = ring(gpus);
              for (const way_type& way : ways) {
                INFO(way.name);
                auto u = own_plates(gpus, grid);
                const auto own = own_plates(gpus, grid);
                const nccl::clique all{gpus.contexts, way.with};
                {
                  yoke::halo_exchange halo{all, grid, u};
                  for (int time = 0; time < 3; ++time) {
                    for (auto& each : u) each.fill(-5);
                    try {
                      auto moving = halo.start(gpus.streams);
                      throw std::runtime_error("an exception of the program");
                    } catch (const std::runtime_error&) {
                    }
                    for (std::size_t rank = 0; rank < gpus.size(); ++rank) u[rank].assign(own[rank]);
                    halo.run(gpus.streams);
                    check_halos(gpus, all, grid, u);
                  }
                  {
                    auto moving = halo.start(gpus.streams);
                    for (std::size_t rank = 0; rank < gpus.size(); ++rank) u[rank].assign(own[rank]);
                  }  // finished by its destructor
                  check_halos(gpus, all, grid, u);
                  for (std::size_t rank = 0; rank < gpus.size(); ++rank) u[rank].assign(own[rank]);
                  try {
                    auto moving = halo.start(gpus.streams);
                    throw std::runtime_error("an exception of the program");
                  } catch (const std::runtime_error&) {
                  }
                }  // ends while its messages travel
                yoke::halo_exchange another{all, grid, u};
                another.run(gpus.streams);
                check_halos(gpus, all, grid, u);
              }
            },
            {{"YOKE_SIMULATOR_DEVICES", "3"}, {"YOKE_SIMULATOR_DELAY_US", "300"}, {"YOKE_SIMULATOR_LEAKS", "fail"}});
}

YOKE_CUDA_TEST_CASE("the access to peers ends when a driver's call fails in the making of a clique's halos",
                    "[nccl][clique][faults]") {
  with_gpus(device, [&](const several_gpus& real) {
    cuda_interposer driver(*real.contexts[0].only_device().port().table());
    counted_access access(*driver.table());
    {
      const several_gpus gpus = through(&access.table, real);
      const grid_type grid = ring(gpus);
      auto u = own_plates(gpus, grid);
      const nccl::clique all{gpus.contexts};
      { const yoke::halo_exchange first{all, grid, u}; }
      driver.exclude("context_get_id");  // a context whose number the driver does not tell has none
      std::size_t thrown = 0;
      for (std::size_t n = 1;; ++n) {
        INFO("call " << n);
        const std::size_t mark = driver.mark();
        const std::size_t enabled = access.enabled();
        const std::size_t injected = driver.injections().size();
        driver.fail_call(n, fault_mode::once, 1);
        {
          std::optional<yoke::halo_exchange<const nccl::clique<cu::port>>> one;
          try {
            one.emplace(all, grid, u);
          } catch (const yoke::error&) {
            ++thrown;
          }
          driver.disarm();
        }
        const bool is_whole = driver.injections().size() == injected;
        CHECK(access.enabled() - enabled == driver.count("context_disable_peer_access", mark));
        if (!is_whole) continue;
        const std::size_t paths = gpus.size() == 2 ? 2 : 2 * gpus.size();
        CHECK(driver.count("context_enable_peer_access", mark) == paths);
        if (is_simulated(device)) CHECK(access.enabled() - enabled == paths);
        break;
      }
      CHECK(thrown > 4 * gpus.size());
    }
  });
}

YOKE_CUDA_TEST_CASE("a driver's call that fails in the halos of a clique throws, and the next ones are right",
                    "[nccl][clique][faults]") {
  with_gpus(device,
            [](const several_gpus& real) {
              cuda_interposer driver(*real.contexts[0].only_device().port().table());
              {
                const several_gpus gpus = through(driver.table(), real);
                const grid_type grid = ring(gpus);
                for (const way_type& way : {by_copies, by_writes}) {
                  INFO(way.name);
                  auto u = own_plates(gpus, grid);
                  const nccl::clique all{gpus.contexts, way.with};
                  const auto move = [&](auto& halo) {
                    way.name == by_copies.name ? halo.start(gpus.streams).finish(gpus.streams) : halo.run(gpus.streams);
                  };
                  yoke::halo_exchange whole{all, grid, u};
                  move(whole);
                  move(whole);
                  const std::size_t before = driver.mark();
                  move(whole);
                  const std::size_t count = driver.count_all(before);
                  std::size_t thrown = 0;
                  for (std::size_t n = 1; n <= count; ++n) {
                    INFO("call " << n << " of " << count);
                    {
                      yoke::halo_exchange halo{all, grid, u};
                      move(halo);
                      driver.fail_call(n, fault_mode::once, 1);
                      try {
                        move(halo);
                      } catch (const yoke::error&) {
                        ++thrown;
                      }
                      driver.disarm();
                      if (n % 2 == 0) move(halo);
                    }  // ends while copies are on their way
                    move(whole);
                    check_halos(gpus, all, grid, u);
                  }
                  CHECK(thrown > count / 2);
                }
                auto u = own_plates(gpus, grid);
                const nccl::clique all{gpus.contexts};
                yoke::halo_exchange whole{all, grid, u};
                // A receiver's memory ends behind what is written there, also if a later write cannot be enqueued.
                driver.fail_function("memcpy_peer_async", 2, fault_mode::once, 1);
                const std::size_t mark = driver.mark();
                CHECK_THROWS_AS(whole.run(gpus.streams), yoke::error);
                driver.disarm();
                const auto calls = driver.calls(mark);
                const auto last = std::find(calls.rbegin(), calls.rend(), "memcpy_peer_async");
                CHECK(std::count(calls.rbegin(), last, "stream_wait_event") == 4);
              }
            },
            {{"YOKE_SIMULATOR_DEVICES", "2"}, {"YOKE_SIMULATOR_DELAY_US", "300"}, {"YOKE_SIMULATOR_LEAKS", "fail"}});
}

YOKE_CUDA_TEST_CASE("halos of a clique whose GPU does not come on are an error after the deadline", "[nccl][clique]") {
  with_gpus(device, [](const several_gpus& gpus) {
    const grid_type grid = ring(gpus);
    for (const way_type& way : ways) {
      INFO(way.name);
      auto u = own_plates(gpus, grid);
      for (const cu::stream& each : gpus.streams) each.synchronize();
      const auto is_open = std::make_shared<std::atomic<bool>>(false);
      struct opener {
        std::shared_ptr<std::atomic<bool>> of;
        ~opener() { *of = true; }
      } const opens{is_open};
      nccl::options with = way.with;
      with.deadline = 300ms;
      const nccl::clique all{gpus.contexts, with};
      yoke::halo_exchange halo{all, grid, u};
      gpus.streams[1].call([is_open] {
        // Nothing ends a function of the host: a real GPU's memory is freed once it has ended.
        for (int turn = 0; !*is_open && turn < 8000; ++turn) std::this_thread::sleep_for(1ms);
      });
      halo.run(gpus.streams);
      CHECK_THAT(refusal<yoke::communication_error>(yoke::errc::timed_out, [&] { all.wait(gpus.streams); }),
                 ContainsSubstring("halo_exchange has not ended within 300 ms"));
      CHECK_THAT(
          refusal<yoke::communication_error>(yoke::errc::communicator_ended, [&] { (void)halo.start(gpus.streams); }),
          ContainsSubstring("has failed before"));
      *is_open = true;
      for (const cu::stream& each : gpus.streams) synchronize_soon(each);
    }
  });
}

YOKE_CUDA_TEST_CASE("a clique of contexts whose backend is chosen at run time has halos, too", "[nccl][clique]") {
  with_gpus(device, [](const several_gpus& gpus) {
    const grid_type grid = ring(gpus);
    std::vector<yoke::context<>> contexts;
    std::vector<yoke::stream<>> streams;
    std::vector<yoke::device_array<int, 2>> u;
    for (int rank = 0; rank < gpus.count(); ++rank) {
      contexts.push_back(yoke::as_any(gpus.contexts[static_cast<std::size_t>(rank)]));
      streams.emplace_back(contexts.back());
      u.emplace_back(streams.back(), grid.shape_with_halo(rank)).assign(own_elements(grid, rank, false));
    }
    const nccl::clique all{contexts};
    yoke::halo_exchange halo{all, grid, u};
    halo.run(streams);
    all.wait(streams);
    for (int rank = 0; rank < gpus.count(); ++rank) {
      CHECK(u[static_cast<std::size_t>(rank)].to_host() == own_elements(grid, rank, true));
    }
  });
}

YOKE_CUDA_TEST_CASE("a halo exchange over a clique names what does not fit", "[nccl][clique]") {
  with_gpus(device, [](const several_gpus& gpus) {
    const grid_type grid = rows(gpus);
    auto u = own_plates(gpus, grid);
    for (const way_type& way : ways) {
      const nccl::clique all{gpus.contexts, way.with};
      const auto refused = [&](yoke::errc code, const auto& act) { return refusal<yoke::error>(code, act); };
      const grid_type more{{40, 5}, gpus.count() + 1, yoke::split_rows, {.halo = 1}};
      CHECK_THAT(refused(yoke::errc::size_mismatch, [&] { yoke::halo_exchange(all, more, u); }),
                 ContainsSubstring("ranks by a communicator of"));
      plates<int> fewer;
      fewer.push_back(u[0].copy());
      CHECK_THAT(refused(yoke::errc::size_mismatch, [&] { yoke::halo_exchange(all, grid, fewer); }),
                 ContainsSubstring(" ranks, and the call 1 arrays"));
      plates<int> bare;
      for (const cu::stream& each : gpus.streams) bare.emplace_back(each, yoke::shape{2, 2});
      CHECK_THAT(refused(yoke::errc::size_mismatch, [&] { yoke::halo_exchange(all, grid, bare); }),
                 ContainsSubstring("halo_exchange with an array of (2, 2): rank 0 has"));
      auto turned = own_plates(gpus, grid);
      std::swap(turned[0], turned[1]);
      CHECK_THAT(refused(yoke::errc::wrong_context, [&] { yoke::halo_exchange(all, grid, turned); }),
                 ContainsSubstring("the array of rank 0 is of another context than that rank"));

      yoke::halo_exchange halo{all, grid, u};
      const std::span<const cu::stream> some(gpus.streams.data(), gpus.size() - 1);
      CHECK_THAT(refused(yoke::errc::size_mismatch, [&] { halo.run(some); }), ContainsSubstring(" streams"));
      std::vector<cu::stream> elsewhere;
      for (const cu::stream& each : gpus.streams) elsewhere.push_back(each.another({}));
      std::swap(elsewhere[0], elsewhere[1]);
      CHECK_THAT(refused(yoke::errc::wrong_context, [&] { halo.run(elsewhere); }),
                 ContainsSubstring("the stream of rank 0 is of another context than that rank"));
      elsewhere[0] = cu::stream();
      CHECK_THAT(refused(yoke::errc::empty_handle, [&] { halo.run(elsewhere); }), ContainsSubstring("stream"));
      {
        auto moving = halo.start(gpus.streams);
        CHECK_THAT(refused(yoke::errc::invalid_argument, [&] { (void)halo.start(gpus.streams); }),
                   ContainsSubstring("has been started: finish it first"));
        CHECK_THAT(refused(yoke::errc::size_mismatch, [&] { moving.finish(some); }), ContainsSubstring(" streams"));
        moving.finish(gpus.streams);
        check_halos(gpus, all, grid, u);
      }
      halo.run(gpus.streams);
      check_halos(gpus, all, grid, u);
      all.close();
      CHECK_THAT(refused(yoke::errc::communicator_ended, [&] { halo.run(gpus.streams); }),
                 ContainsSubstring("has been closed"));
      CHECK_THAT(refused(yoke::errc::communicator_ended, [&] { yoke::halo_exchange(all, grid, u); }),
                 ContainsSubstring("has been closed"));
    }
    const nccl::clique<cu::port> none;
    CHECK_THAT(refusal<yoke::error>(yoke::errc::empty_handle, [&] { yoke::halo_exchange(none, grid, u); }),
               ContainsSubstring("clique is empty"));
  });
}

YOKE_CUDA_TEST_CASE("halos share their clique, wherever that is moved", "[nccl][clique]") {
  with_gpus(device, [](const several_gpus& gpus) {
    const grid_type grid = rows(gpus);
    for (const way_type& way : ways) {
      auto u = own_plates(gpus, grid);
      nccl::clique all{gpus.contexts, way.with};
      yoke::halo_exchange halo{all, grid, u};
      const nccl::clique other = std::move(all);
      halo.run(gpus.streams);
      check_halos(gpus, other, grid, u);
      auto moved = std::move(halo);
      moved.run(gpus.streams);
      CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { halo.run(gpus.streams); }),  // NOLINT
                 ContainsSubstring("this halo exchange is empty"));
    }
  });
}

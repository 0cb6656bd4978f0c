// SPDX-License-Identifier: MIT
// Pools under random use: nothing overlaps, nothing is used again too early, the figures are exact, from many threads.
#include <memory/counting_resource.hpp>
#include <support/devices/background.hpp>

#include <random>
#include <thread>

using namespace yoke_test;

namespace {

/// Allocates and frees at random over several streams. Each owner writes a number of its own and finds it.
template <class Backend>
class walker {
 public:
  using pool_type = pool_of<Backend>;
  using stream = typename Backend::stream;

  walker(const pool_type& pool, unsigned seed) : pool_(pool), random_(seed), seed_(static_cast<int>(seed)) {
    for (int i = 0; i < 3; ++i) streams_.emplace_back(pool.context_of());
  }
  /// Effects: one step. Returns: whether all is as it has to be.
  bool step() {
    const std::size_t at = below(streams_.size());
    switch (owners_.size() < 3 ? 0 : owners_.size() > 30 ? 5 : below(9)) {
      case 0:
      case 1:
      case 2:
      case 3: allocate(at); return true;
      case 4: replace(at); return true;
      case 5: return drop(below(owners_.size()));
      case 6: pool_.trim(below(100000)); return true;
      case 7: lend(below(owners_.size()), at); return true;
      default: return drop(below(owners_.size()));
    }
  }
  [[nodiscard]] bool finish() {
    bool right = true;
    while (!owners_.empty()) right = drop(0, true) && right;
    return right;
  }
  [[nodiscard]] std::size_t active() const { return owners_.size(); }
  [[nodiscard]] std::size_t active_bytes() const {
    std::size_t sum = 0;
    for (const owner& each : owners_) sum += each.memory.size_bytes();
    return sum;
  }
  std::size_t refused = 0;

 private:
  struct owner {
    typename Backend::template device_allocation<int> memory;
    std::size_t stream;
    int mark;
  };

  std::size_t below(std::size_t most) { return static_cast<std::size_t>(random_() % most); }
  int next_mark() { return ++count_ * 64 + seed_ % 64; }

  void allocate(std::size_t at) {
    const std::size_t size = below(4) == 0 ? 1 + below(20000) : 1 + below(64);
    try {
      owners_.push_back({{pool_, size, streams_[at]}, at, next_mark()});
    } catch (const yoke::memory_error&) {
      ++refused;
      return;
    }
    yoke::fill(owners_.back().memory, owners_.back().mark, streams_[at]);
  }
  /// The stream ends, and another one takes its place behind it.
  void replace(std::size_t at) {
    const auto before = streams_[at].record();
    stream fresh(pool_.context_of());
    fresh.wait(before);
    streams_[at] = std::move(fresh);
    for (owner& each : owners_) {
      if (each.stream == at) each.memory.record_use(streams_[at]);
    }
  }
  /// Another stream writes the block, behind the owner's; the owner does not wait for it.
  void lend(std::size_t which, std::size_t at) {
    owner& one = owners_[which];
    streams_[at].wait(streams_[one.stream].record());
    one.mark = next_mark();
    yoke::fill(one.memory, one.mark, streams_[at]);
    one.memory.record_use(streams_[at]);
    one.stream = at;
  }
  bool drop(std::size_t which, bool check = false) {
    owner& one = owners_[which];
    bool right = true;
    if (check || below(4) == 0) {
      const auto found = download(one.memory, streams_[one.stream]);
      right = std::ranges::all_of(found, [&](int each) { return each == one.mark; });
    }
    std::swap(one, owners_.back());
    owners_.pop_back();
    return right;
  }

  pool_type pool_;
  std::mt19937 random_;
  int seed_;
  int count_ = 0;
  std::vector<stream> streams_;
  std::vector<owner> owners_;
};

/// Effects: runs `steps(seed)` on four threads. Returns: whether all returned true.
template <class Steps>
bool on_four_threads(const Steps& steps) {
  std::atomic<bool> right{true};
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    threads.emplace_back([&, seed] {
      if (!steps(seed)) right = false;
    });
  }
  for (std::thread& each : threads) each.join();
  return right;
}

}  // namespace

/// Effects: takes that many random steps, and holds the pool's figures to the model after each.
template <class Backend>
void walk_beside_model(const typename Backend::context& context, bool across, std::size_t room, int steps) {
  const auto source = std::make_shared<counting_resource<typename Backend::port>>(context);
  source->room = room;
  {
    yoke::memory_pool pool{source, {.across_streams = across}};
    walker<Backend> one(pool, 7);
    for (int i = 0; i < steps; ++i) {
      if (!one.step()) FAIL("step " << i << ": memory holds what its owner did not write");
      const auto now = pool.statistics();
      if (now.active_blocks != one.active() || now.active_bytes != one.active_bytes() ||
          now.managed_bytes != source->live_bytes || now.active_blocks + now.held_blocks != source->live) {
        FAIL("step " << i << ": " << now.active_blocks << " active blocks for " << one.active() << ", "
                     << now.managed_bytes << " bytes for " << source->live_bytes);
      }
    }
    CHECK(one.finish());
    CHECK((one.refused == 0 || room != ~std::size_t{0}));
    CHECK(pool.statistics().active_blocks == 0);
  }
  CHECK(source->live == 0);
}

YOKE_DEVICE_TEST_CASE("a pool under random use is as its model", "[memory][pool]") {
  const bool across = GENERATE(true, false);
  const std::size_t room = GENERATE(~std::size_t{0}, std::size_t{400000});
  rig on(device);
  walk_beside_model<Backend>(on.context, across, room, 2000);
  CHECK(on.live().empty());
  CHECK(on.driver.bad_releases().empty());
}

// Minutes: yoke_tests "[long]"
YOKE_DEVICE_TEST_CASE("a pool under ten million random operations is as its model", "[.][long]") {
  const context context{device};
  walk_beside_model<Backend>(context, true, 400000, 10'000'000);
}

/// Effects: takes that many random steps over a source that refuses one in three blocks.
template <class Backend>
void walk_over_failures(const typename Backend::context& context, int steps) {
  const auto source = std::make_shared<counting_resource<typename Backend::port>>(context);
  std::mt19937 random(3);
  source->fails = [&] { return random() % 3 == 0; };
  {
    yoke::memory_pool pool{source, {.limit_bytes = 600000}};
    walker<Backend> one(pool, 11);
    for (int i = 0; i < steps; ++i) {
      if (!one.step()) FAIL("step " << i << ": memory holds what its owner did not write");
    }
    CHECK(one.finish());
    CHECK(pool.statistics().managed_bytes == source->live_bytes);
    CHECK(pool.statistics().peak_bytes <= 600000);
    pool.free_held();
    CHECK(pool.statistics().managed_bytes == 0);
  }
  CHECK(source->live == 0);
}

YOKE_DEVICE_TEST_CASE("a pool over a source that fails at random loses nothing", "[memory][pool]") {
  rig on(device);
  walk_over_failures<Backend>(on.context, 2000);
  CHECK(on.live().empty());
}

// yoke_tests "[long]"
YOKE_DEVICE_TEST_CASE("a pool over a source that fails at random loses nothing in a million operations", "[.][long]") {
  const context context{device};
  walk_over_failures<Backend>(context, 1'000'000);
}

YOKE_DEVICE_TEST_CASE("many threads use one pool, also over a source that fails at random", "[memory][pool]") {
  rig on(device);
  const bool fails = GENERATE(false, true);
  const auto source = std::make_shared<counting_resource<port>>(on.context);
  std::atomic<unsigned> calls_of_source{0};
  if (fails) source->fails = [&] { return (++calls_of_source * 2654435761u) >> 30 == 0; };  // one in four, mixed
  std::atomic<bool> right{true};
  {
    yoke::memory_pool pool{source, {.track = true}};
    backend::stream shared_stream(on.context);
    std::vector<std::thread> threads;
    for (unsigned seed = 1; seed <= 4; ++seed) {
      threads.emplace_back([&, seed] {
        walker<Backend> one(pool, seed);
        for (int i = 0; i < 500; ++i) {
          if (!one.step()) right = false;
          try {
            const backend::device_allocation<int> same{pool, 10 + i % 100, shared_stream};  // one stream for all
          } catch (const yoke::memory_error&) {
            if (!fails) right = false;
          }
          if (i % 50 == 0) (void)pool.statistics();
          if (i % 50 == 1) (void)pool.holders();
          if (i % 100 == 2) pool.free_held();
        }
        if (!one.finish()) right = false;
      });
    }
    for (std::thread& each : threads) each.join();
    CHECK(pool.statistics().active_blocks == 0);
    CHECK(pool.statistics().active_bytes == 0);
    CHECK(pool.statistics().managed_bytes == source->live_bytes);
  }
  CHECK(right);
  CHECK(source->live == 0);
  CHECK(on.live().empty());
}

YOKE_DEVICE_TEST_CASE("freeing what is idle passes no stream over while another one is busy", "[memory][pool]") {
  const context context{device};
  const stream busy{context};
  const yoke::memory_pool pool{context, {.across_streams = false}};
  device_allocation<char>(pool, 1 << 20, busy).reset();  // the pool looks here first, and for long at the others
  std::vector<stream> others;
  for (int i = 0; i < 64; ++i) others.emplace_back(context);
  std::atomic<bool> stop{false};
  std::thread taker([&] {
    while (!stop) device_allocation<char>(pool, 1 << 20, busy).reset();
  });
  std::size_t most = 0;
  for (int round = 0; round < 50; ++round) {
    for (const stream& each : others) device_allocation<char>(pool, 100, each).reset();
    pool.free_held();
    most = (std::max)(most, pool.statistics().held_blocks);
  }
  stop = true;
  taker.join();
  CHECK(most <= 1);  // of the busy stream
}

YOKE_DEVICE_TEST_CASE("threads take page-locked memory from one pool, and no two have the same", "[memory][pool]") {
  const context context{device};
  const yoke::memory_pool pool{context, yoke::pagelocked, {.track = true}};
  CHECK(on_four_threads([&](unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::pair<backend::pagelocked_array<int>, int>> own;
    bool right = true;
    for (int i = 0; i < 400; ++i) {
      const int mark = i * 8 + static_cast<int>(seed);
      own.emplace_back(backend::pagelocked_array<int>{pool, 1 + random() % 2000}, mark);
      std::ranges::fill(own.back().first, mark);
      if (i % 3 != 0) {
        std::swap(own[random() % own.size()], own.back());
        const auto& [array, wanted] = own.back();
        right = right && std::ranges::all_of(array, [&, sought = wanted](int each) { return each == sought; });
        own.pop_back();
      }
      if (own.size() > 20) own.clear();
      if (i % 100 == 0) right = right && pool.statistics().active_blocks >= own.size() && !pool.holders().empty();
      if (i % 100 == 50) pool.free_held();
    }
    return right;
  }));
  CHECK(pool.statistics().active_blocks == 0);
  CHECK(pool.statistics().active_bytes == 0);
}

YOKE_OPENCL_TEST_CASE("threads take shared memory from one pool, each in a stream of its own", "[memory][pool]") {
  if (is_nvidia_opencl(device))
    YOKE_SKIP("this driver may end the process when threads use shared virtual memory at once");
  const ocl::context context{device};
  const auto support = device.port().svm(device.native_handle(), {});
  const auto take = [&]<class Kind>(Kind kind) {
    const yoke::memory_pool pool{context, kind};
    CHECK(on_four_threads([&](unsigned seed) {
      const ocl::stream stream{context};
      std::mt19937 random(seed);
      bool right = true;
      for (int i = 0; i < 300; ++i) {
        ocl::svm_allocation<int, Kind> memory{pool, 1 + random() % 500, stream};
        const int mark = i * 8 + static_cast<int>(seed);
        yoke::fill(memory, mark, stream);
        if (i % 5 == 0) {
          const auto found = yoke::to_host(memory, stream);
          right = right && std::ranges::all_of(found, [&](int each) { return each == mark; });
        }
        if (i % 100 == 50) pool.free_held();
      }
      return right;
    }));
    CHECK(pool.statistics().active_blocks == 0);
  };
  if (support.coarse) take(ocl::svm::coarse{});
  if (support.fine) take(ocl::svm::fine{});
  if (support.fine && support.atomics) take(ocl::svm::fine_atomics{});
  if (!support.coarse) refusal<yoke::unsupported_error>(yoke::errc::unsupported, [&] { take(ocl::svm::coarse{}); });
}

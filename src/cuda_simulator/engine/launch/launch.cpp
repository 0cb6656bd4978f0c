// SPDX-License-Identifier: MIT
// Checks a launch, hands its blocks out, and keeps the shared memory of cooperative blocks apart.
#include "engine/launch/launch.hpp"

#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "engine/launch/block.hpp"
#include "engine/launch/stack_guard.hpp"
#include "engine/system/sanitizers.hpp"

#ifdef YOKE_SIMULATOR_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace yoke::simulator {

namespace {

// Shared memory starts with garbage; a fixed pattern exposes kernels that rely on zeros.
constexpr int garbage = 0xa5;

struct alignas(64) argument_line {
  char bytes[64];
};

/// This OS thread's copies of the image's variables, prepared for a launch.
class worker_view {
 public:
  worker_view(const kernel& what, const launch_shape& shape)
      : owner_(*what.owner), view_(owner_.view_of_this_thread()), dynamic_bytes_(shape.dynamic_shared_bytes) {
    std::memcpy(view_.variables.block_extent, shape.block.data(), sizeof shape.block);
    std::memcpy(view_.variables.grid_extent, shape.grid.data(), sizeof shape.grid);
#ifdef YOKE_SIMULATOR_ASAN
    for (const image::extent& each : owner_.gaps()) __asan_poison_memory_region(view_.shared + each.offset, each.bytes);
    if (view_.dynamic != nullptr) {
      __asan_poison_memory_region(view_.dynamic + dynamic_bytes_, dynamic_shared_limit - dynamic_bytes_);
    }
#endif
  }
#ifdef YOKE_SIMULATOR_ASAN
  ~worker_view() { __asan_unpoison_memory_region(view_.shared, view_.shared_bytes); }
#else
  ~worker_view() = default;
#endif
  worker_view(const worker_view&) = delete;
  worker_view& operator=(const worker_view&) = delete;

  const image::thread_view& view() const { return view_; }

  void forget_shared() const {
    for (const image::extent& each : owner_.static_shared())
      std::memset(view_.shared + each.offset, garbage, each.bytes);
    if (view_.dynamic != nullptr) std::memset(view_.dynamic, garbage, dynamic_bytes_);
  }

  std::string save_shared() const {
    std::string saved;
    for (const image::extent& each : owner_.static_shared()) saved.append(view_.shared + each.offset, each.bytes);
    if (view_.dynamic != nullptr) saved.append(view_.dynamic, dynamic_bytes_);
    return saved;
  }
  void restore_shared(const std::string& saved) const {
    const char* from = saved.data();
    for (const image::extent& each : owner_.static_shared()) {
      std::memcpy(view_.shared + each.offset, from, each.bytes);
      from += each.bytes;
    }
    if (view_.dynamic != nullptr) std::memcpy(view_.dynamic, from, dynamic_bytes_);
  }

 private:
  const image& owner_;
  image::thread_view view_;
  std::size_t dynamic_bytes_;
};

void run_blocks(launch_state& state) {
  const unsigned long long blocks = volume(state.shape.grid);
  const worker_view worker(state.what, state.shape);
  ++state.os_threads;
  while (!state.failed.load(std::memory_order_relaxed)) {
    const unsigned long long index = state.next_block.fetch_add(1, std::memory_order_relaxed);
    if (index >= blocks) break;
    worker.forget_shared();
    block_run block(state, worker.view(), index);
    block.resume();
    block.look_around();
  }
  --state.os_threads;
}

/// One block of a cooperative launch: its state while others run on the same OS thread.
struct resident_block {
  std::unique_ptr<block_run> block;
  std::string shared;
  block_run::outcome last = block_run::outcome::spinning;
};

void check_grid_barrier(launch_state& state, std::vector<resident_block>& blocks) {
  std::size_t waiting = 0;
  std::size_t ended = 0;
  for (const resident_block& each : blocks) {
    if (each.last == block_run::outcome::spinning) return;  // it will come to the barrier, or end, later
    if (each.last == block_run::outcome::at_grid_barrier) ++waiting;
    if (each.last == block_run::outcome::finished) ++ended;
  }
  if (waiting == 0) return;
  if (ended > 0) {
    state.fail(launch_status::no_progress, state.what.readable + ": no progress: " + std::to_string(waiting) +
                                               " blocks wait in the grid's sync, " + std::to_string(ended) +
                                               " have ended without it");
    return;
  }
  for (resident_block& each : blocks) {
    each.block->pass_grid_barrier();
    each.last = block_run::outcome::spinning;
  }
}

// All blocks must exist at once; on one OS thread that needs only their stacks.
void run_cooperatively(launch_state& state) {
  const worker_view worker(state.what, state.shape);
  std::vector<resident_block> blocks(volume(state.shape.grid));
  worker.forget_shared();
  const std::string fresh = worker.save_shared();
  for (std::size_t each = 0; each < blocks.size(); ++each) {
    blocks[each] = resident_block{std::make_unique<block_run>(state, worker.view(), each), fresh};
  }
  for (std::size_t ended = 0; ended < blocks.size() && !state.failed;) {
    for (resident_block& each : blocks) {
      if (each.last != block_run::outcome::spinning || state.failed) continue;
      worker.restore_shared(each.shared);
      each.last = each.block->resume();
      each.block->look_around();
      each.shared = worker.save_shared();
      if (each.last == block_run::outcome::finished) ++ended;
    }
    check_grid_barrier(state, blocks);
  }
}

launch_result refusal_of(const kernel& what, const launch_shape& shape) {
  const unsigned long long threads = volume(shape.block);
  const auto refused = [&](launch_status status, const std::string& why) {
    return launch_result{status, what.readable + ": " + why};
  };
  if (volume(shape.grid) == 0 || threads == 0) return refused(launch_status::invalid_shape, "an extent is zero");
  if (threads > block_threads_limit || shape.block[0] > block_threads_limit || shape.block[1] > block_threads_limit ||
      shape.block[2] > block_threads_limit) {
    return refused(launch_status::invalid_shape,
                   "a block has at most " + std::to_string(block_threads_limit) + " threads");
  }
  if (what.max_threads() > 0 && threads > static_cast<unsigned long long>(what.max_threads())) {
    return refused(launch_status::invalid_shape, "the kernel's __launch_bounds__ allow " +
                                                     std::to_string(what.max_threads()) + " threads, asked for were " +
                                                     std::to_string(threads));
  }
  if (shape.dynamic_shared_bytes + what.static_shared_bytes > dynamic_shared_limit) {
    return refused(launch_status::invalid_shape,
                   "shared memory ends at " + std::to_string(dynamic_shared_limit) + " bytes");
  }
  if (volume(shape.cluster) != 1) return refused(launch_status::unsupported, "the simulator has no clusters");
  return {};
}

}  // namespace

std::string pack_arguments(const kernel& kernel, const void* const* parameters) {
  std::string packed(kernel.record->argument_bytes, '\0');
  for (std::size_t each = 0; each < kernel.parameter_count(); ++each) {
    const yoke_simulator::parameter at = kernel.parameter(each);
    std::memcpy(packed.data() + at.offset, parameters[each], at.size);
  }
  return packed;
}

launch_result launch(worker_pool& pool, const kernel& kernel, const launch_shape& shape, std::string_view arguments) {
  launch_result refused = refusal_of(kernel, shape);
  if (!refused) return refused;
  if (arguments.size() < kernel.record->argument_bytes) {
    return {launch_status::invalid_shape, kernel.readable + ": the arguments are " + std::to_string(arguments.size()) +
                                              " bytes, the kernel takes " +
                                              std::to_string(kernel.record->argument_bytes)};
  }
  std::vector<argument_line> aligned(arguments.size() / sizeof(argument_line) + 1);
  if (!arguments.empty()) std::memcpy(aligned.data(), arguments.data(), arguments.size());
  const unsigned threads = static_cast<unsigned>(volume(shape.block));
  launch_state state{kernel, shape, aligned.front().bytes, threads};
  const fault_reports reports;
  const auto guarded = [&state](void (*body)(launch_state&)) {
    const signal_stack stack;
    try {
      body(state);
    } catch (const std::bad_alloc&) {
      state.fail(launch_status::out_of_memory, state.what.readable + ": out of memory");
    }
  };
  if (shape.cooperative) {
    guarded(run_cooperatively);
  } else {
    const unsigned long long others = volume(shape.grid) - 1;
    pool.run(static_cast<unsigned>(std::min(others, 1024ull)), [&] { guarded(run_blocks); });
  }
  std::fflush(stdout);  // what kernels print is there when their launch is over
  return state.result;
}

launch_result launch(worker_pool& pool, const kernel& kernel, const launch_shape& shape,
                     const void* const* parameters) {
  return launch(pool, kernel, shape, pack_arguments(kernel, parameters));
}

}  // namespace yoke::simulator

// SPDX-License-Identifier: MIT
// All that the simulated driver knows, in one place that is never destroyed.
#ifndef YOKE_SIMULATOR_DRIVER_STATE_HPP
#define YOKE_SIMULATOR_DRIVER_STATE_HPP

#include <sys/types.h>

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "../engine/worker_pool.hpp"
#include "arrays.hpp"
#include "context.hpp"
#include "device.hpp"
#include "graphs.hpp"
#include "handles.hpp"
#include "ledger.hpp"
#include "library.hpp"
#include "memory.hpp"
#include "pools.hpp"
#include "stream.hpp"
#include "virtual_memory.hpp"

namespace yoke::simulator {

/// Thread safety: the lock guards everything but the atomic members and the pool.
struct driver_state {
  std::mutex mutex{};
  std::condition_variable changed{};  ///< a command was put in or has been done, a stream closes

  std::atomic<bool> initialised{false};
  std::atomic<bool> closed{false};  ///< the process is over: every call gives DEINITIALIZED
  std::atomic<::pid_t> process{0};  ///< a child of fork() has no driver

  std::vector<device> devices{};
  std::vector<std::unique_ptr<context>> contexts{};
  std::vector<std::unique_ptr<thread_record>> threads{};
  handle_table<stream, abi::stream, handle_kind::stream> streams{};
  handle_table<event, abi::event, handle_kind::event> events{};
  handle_table<library, abi::library, handle_kind::library> libraries{};
  handle_table<kernel_object, abi::kernel, handle_kind::kernel> kernels{};
  handle_table<function_object, abi::function, handle_kind::function> functions{};
  handle_table<module_object, abi::loaded_module, handle_kind::module> modules{};
  handle_table<link_object, abi::link_state, handle_kind::link> links{};
  handle_table<array_object, abi::array, handle_kind::array> arrays{};
  handle_table<mipmap_object, abi::mipmapped_array, handle_kind::mipmap> mipmaps{};
  std::map<abi::texture_object, texel_object> textures{};
  std::map<abi::surface_object, texel_object> surfaces{};
  handle_table<pool_object, abi::memory_pool, handle_kind::pool> pools{};
  handle_table<graph_object, abi::graph, handle_kind::graph> graphs{};
  handle_table<node_object, abi::graph_node, handle_kind::graph_node> graph_nodes{};
  handle_table<executable_object, abi::graph_exec, handle_kind::executable> executables{};
  virtual_state virtual_memory{};
  memory_table memory{};
  ledger objects{};

  std::vector<std::unique_ptr<stream_worker>> workers{};
  std::vector<stream_worker*> idle_workers{};

  unsigned long long streams_made = 0;
  unsigned long long contexts_made = 0;
  unsigned long allocations_asked = 0;
  unsigned long launches_asked = 0;
  std::unique_ptr<worker_pool> pool = std::make_unique<worker_pool>();
  std::atomic<int> launches_running{0};
};

driver_state& state() noexcept;

/// Effects: enters a fresh block among the objects; if there is no memory for that, releases it. Returns: its address.
std::uintptr_t note_allocation(object_kind kind, const memory_block& fresh);

}  // namespace yoke::simulator

#endif

// SPDX-License-Identifier: MIT
// Entries about the library and its communicators: how they are made, asked, aborted and ended.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

#include "driver.hpp"
#include "entries.hpp"
#include "group.hpp"
#include "known.hpp"

namespace yoke::nccl_simulator {

/// Identifies the simulator to programs.
extern "C" __attribute__((visibility("default"))) const char ncclYokeSimulatorVersion[];
extern "C" const char ncclYokeSimulatorVersion[] = YOKE_VERSION_STRING;

namespace {

/// Effects: waits for the operations of a communicator that ends in order.
void finish(communicator& of) {
  const call_facts none;
  try {
    wait_until(of, none, [&] { return of.jobs == 0 && of.done >= of.issued; });
  } catch (const wait_ended&) {  // another thread aborts it, or nothing moves
  }
}

/// Effects: waits until nothing refers to a communicator any more, as NCCL does: its threads, its operations, and graphs
/// that have its operations.
void wait_for_users(const communicator& of) {
  while (of.jobs != 0 || of.done < of.issued || of.graphs != 0) {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

/// Effects: waits until the ranks of other processes end their communicators, too, as NCCL does on one machine. A
/// standstill is reported, and waits on.
void wait_for_processes(communicator& of) {
  const std::int32_t own = of.shared->slot(of.rank).process;
  const auto begin = std::chrono::steady_clock::now();
  bool is_reported = false;
  for (int rank = 0; rank < of.size; ++rank) {
    const rank_slot& other = of.shared->slot(rank);
    while (other.arrived != 0 && other.process != own && other.ended == 0) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      if (is_reported || std::chrono::steady_clock::now() - begin < the_settings().patience) continue;
      say("ncclCommDestroy: rank " + std::to_string(of.rank) + " waits for the end of rank " + std::to_string(rank) +
          ", which is in another process");
      is_reported = true;
    }
  }
}

/// Effects: what the end of a communicator releases. NCCL frees memory of the devices of all ranks of the process, once
/// the last of these ends, which waits for all work of those devices. The others return at once.
void end(communicator& of, bool in_order) {
  while (of.jobs != 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
  of.shared->slot(of.rank).ended = 1;
  const std::size_t registered = of.registered.size();
  if (in_order && registered != 0) say("leak: " + std::to_string(registered) + " ranges are still registered");
  const std::vector<communicator*> freed = leave(of);
  if (in_order && !freed.empty()) wait_for_processes(of);
  for (const communicator* const each : freed) wait_for_users(*each);
  for (communicator* const each : freed) {
    const in_context scope(each->context);
    if (scope.pushed) (void)cuCtxSynchronize();
    each->shared->slot(each->rank).post({});
    each->now = stage::ended;
  }
}

/// Whether only one graph runs at a time, which NCCL's configuration says since 2.29.
bool is_one_graph(const abi::config* config) {
  const char* const mixing = ::secure_getenv("NCCL_GRAPH_MIXING_SUPPORT");
  if (mixing != nullptr && std::strcmp(mixing, "0") == 0) return true;
  constexpr std::size_t end_of_member = offsetof(abi::config, graph_usage) + sizeof(int);
  return the_settings().version >= 22900 && config != nullptr && config->size >= end_of_member &&
         config->version >= 22900 && config->graph_usage == 1;
}

/// Returns: the state of a communicator, with the words of a failure for `ncclGetLastError`.
abi::status state_of(communicator& of) {
  if (of.jobs != 0) return abi::in_progress;
  const abi::status code = of.async_error;
  const std::lock_guard lock(of.words_mutex);
  if (code != abi::success && !of.words.empty()) last_error_of_thread() = of.words;
  return code;
}

}  // namespace

abi::status entries::get_version(int* version) {
  if (version == nullptr) return abi::invalid_argument;
  *version = the_settings().version;
  return abi::success;
}
abi::status entries::get_unique_id(abi::unique_id* id) {
  if (id == nullptr) return abi::invalid_argument;
  if (const abi::status code = injected(nullptr, -1, "ncclGetUniqueId")) return code;
  std::memset(id, 0, sizeof *id);
  std::random_device random;
  std::snprintf(id->bytes, sizeof id->bytes, "yokenccl-%d-%08x%08x", static_cast<int>(::getpid()), random(), random());
  return abi::success;
}
const char* entries::get_error_string(abi::status code) {
  switch (code) {
    case abi::success: return "no error";
    case abi::unhandled_cuda_error: return "unhandled cuda error (run with NCCL_DEBUG=INFO for details)";
    case abi::system_error: return "unhandled system error (run with NCCL_DEBUG=INFO for details)";
    case abi::internal_error: return "internal error - please report this issue to the NCCL developers";
    case abi::invalid_argument: return "invalid argument (run with NCCL_DEBUG=WARN for details)";
    case abi::invalid_usage: return "invalid usage (run with NCCL_DEBUG=WARN for details)";
    case abi::remote_error: return "remote process exited or there was a network error";
    case abi::in_progress: return "NCCL operation in progress";
    default: return "unknown result code";
  }
}
const char* entries::get_last_error(abi::communicator) { return last_error_of_thread().c_str(); }

abi::status entries::init_rank(abi::communicator* to, int size, abi::unique_id id, int rank, abi::config* config) {
  return entry_in_group([&]() -> abi::status {
    if (to == nullptr) return refuse(abi::invalid_argument, "ncclCommInitRankConfig: no place for the communicator");
    if (const abi::status code = injected(nullptr, rank, "ncclCommInitRankConfig")) return code;
    if (size < 1 || size > most_ranks || rank < 0 || rank >= size) {
      return refuse(abi::invalid_argument,
                    "Invalid rank requested : " + std::to_string(rank) + "/" + std::to_string(size));
    }
    if (config != nullptr && (config->magic != abi::config_magic || config->size < 24)) {
      return refuse(abi::invalid_argument, "ncclConfig_t argument not initialized via NCCL_CONFIG_INITIALIZER");
    }
    auto made = std::make_unique<communicator>();
    made->rank = rank;
    made->size = size;
    made->blocking = config == nullptr || config->blocking != 0;
    made->mixes_graphs = !is_one_graph(config);
    if (cuCtxGetCurrent(&made->context) != 0 || made->context == nullptr || cuCtxGetDevice(&made->device) != 0) {
      return refuse(abi::unhandled_cuda_error, "Cuda failure 'no context is current'");
    }
    std::string why;
    made->shared = segment::open(id, size, why);
    if (made->shared == nullptr) return refuse(abi::invalid_usage, why);
    rank_slot& own = made->shared->slot(rank);
    if (own.taken.exchange(1) != 0) {
      return refuse(abi::invalid_usage, "rank " + std::to_string(rank) +
                                            " is there already: the unique id or the "
                                            "number was used twice");
    }
    own.process = static_cast<std::int32_t>(::getpid());
    own.device = made->device;
    own.arrived = 1;
    pending_init what;
    what.made = made.get();
    what.owned = std::move(made);
    what.to = to;
    return add_to_group(std::move(what));
  });
}

abi::status entries::finalize(abi::communicator handle) {
  return entry([&] {
    communicator* const of = living(handle);
    if (of == nullptr) return refuse(abi::invalid_argument, "ncclCommFinalize: the communicator is not valid");
    if (const abi::status code = injected(of, 0, "ncclCommFinalize")) return code;
    if (of->jobs != 0) return ready(*of);
    finish(*of);
    return state_of(*of);
  });
}
abi::status entries::destroy(abi::communicator handle) {
  return entry([&] {
    communicator* const of = living(handle);
    if (of == nullptr) return refuse(abi::invalid_argument, "ncclCommDestroy: the communicator is not valid");
    if (const abi::status code = injected(of, 0, "ncclCommDestroy")) return code;
    finish(*of);
    auto expected = stage::alive;
    if (!of->now.compare_exchange_strong(expected, stage::aborting)) {
      return refuse(abi::invalid_argument, "ncclCommDestroy: aborted meanwhile");
    }
    end(*of, true);
    return static_cast<abi::status>(abi::success);
  });
}
abi::status entries::abort(abi::communicator handle) {
  return entry([&] {
    communicator* const of = living(handle);
    if (of == nullptr) return refuse(abi::invalid_argument, "ncclCommAbort: the communicator is not valid");
    auto expected = stage::alive;
    if (!of->now.compare_exchange_strong(expected, stage::aborting)) return refuse(abi::invalid_argument, "twice");
    end(*of, false);
    return injected(of, 0, "ncclCommAbort");
  });
}
abi::status entries::revoke(abi::communicator handle, int) {
  return entry([&] {
    communicator* const of = living(handle);
    if (of == nullptr) return refuse(abi::invalid_argument, "ncclCommRevoke: the communicator is not valid");
    if (const abi::status code = injected(of, 0, "ncclCommRevoke")) return code;
    abi::status fine = abi::success;
    of->async_error.compare_exchange_strong(fine, abi::remote_error);
    return static_cast<abi::status>(abi::success);
  });
}
abi::status entries::get_async_error(abi::communicator handle, abi::status* error) {
  communicator* const of = living(handle);
  if (of == nullptr || error == nullptr) return refuse(abi::invalid_argument, "ncclCommGetAsyncError: not valid");
  if (const abi::status code = injected(of, 0, "ncclCommGetAsyncError")) return code;
  *error = state_of(*of);
  return abi::success;
}
abi::status entries::split(abi::communicator, int, int, abi::communicator*, abi::config*) {
  return refuse(abi::invalid_usage, "the simulator does not split communicators");
}

}  // namespace yoke::nccl_simulator

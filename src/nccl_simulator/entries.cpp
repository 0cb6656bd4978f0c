// SPDX-License-Identifier: MIT
// The entry points of the simulated NCCL: groups, communicators, and operations that become host functions of streams.
#include <yoke/core/config.hpp>
#include <yoke/driver/cuda/abi/functions.hpp>
#include <yoke/driver/nccl/functions.hpp>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <deque>
#include <random>
#include <thread>
#include <type_traits>

#include <unistd.h>

#include "communicator.hpp"

// The entries of the simulated driver that this library links.
extern "C" {
int cuCtxGetCurrent(yoke::cuda::abi::context*);
int cuCtxGetDevice(int*);
int cuCtxPushCurrent(yoke::cuda::abi::context);
int cuCtxPopCurrent(yoke::cuda::abi::context*);
int cuLaunchHostFunc(yoke::cuda::abi::stream, yoke::cuda::abi::host_function, void*);
int cuStreamIsCapturing(yoke::cuda::abi::stream, yoke::cuda::abi::capture_status*);
int cuEventCreate(yoke::cuda::abi::event*, unsigned);
int cuEventDestroy(yoke::cuda::abi::event);
int cuEventRecord(yoke::cuda::abi::event, yoke::cuda::abi::stream);
int cuStreamWaitEvent(yoke::cuda::abi::stream, yoke::cuda::abi::event, unsigned);
int cuMemAlloc(unsigned long long*, std::size_t);
int cuMemFree(unsigned long long);
}

namespace yoke::nccl_simulator {

namespace entries {
#define YOKE_DECLARE(own, symbol, since, ...)                                                                          \
  extern __attribute__((visibility("default"))) std::remove_pointer_t<decltype(abi::functions::own)> own __asm__(      \
      symbol);
YOKE_NCCL_FUNCTIONS(YOKE_DECLARE)
#undef YOKE_DECLARE
/// Identifies the simulator to programs.
extern "C" __attribute__((visibility("default"))) const char ncclYokeSimulatorVersion[] = YOKE_VERSION_STRING;
}  // namespace entries

namespace {

/// All communicators, living and ended. Never freed, so that a handle used too late is found.
struct known_state {
  std::mutex mutex;
  std::vector<std::unique_ptr<communicator>> all;
  std::string last_error = "";
};
known_state& known() {
  static known_state* const once = new known_state;
  return *once;
}
std::string& last_error_of_thread() {
  thread_local std::string text;
  return text;
}

/// Effects: keeps the words for `ncclGetLastError`. Returns: the code.
abi::status refuse(abi::status code, const std::string& why) {
  last_error_of_thread() = why;
  return code;
}

/// Returns: a communicator that can be used; null otherwise.
communicator* living(abi::communicator handle) {
  auto* const which = reinterpret_cast<communicator*>(handle);
  known_state& all = known();
  const std::lock_guard lock(all.mutex);
  for (const auto& each : all.all) {
    if (each.get() == which) return which->now == stage::alive ? which : nullptr;
  }
  return nullptr;
}

abi::status injected(const communicator* of, int rank, const char* call) {
  const settings& set = the_settings();
  if (set.failing_call != call) return abi::success;
  const int which = of != nullptr ? of->rank : rank;
  if (set.failing_rank >= 0 && set.failing_rank != which) return abi::success;
  return refuse(set.failure, std::string(call) + " fails because YOKE_NCCL_SIMULATOR_FAIL says so");
}

/// A communicator's context is current in a scope.
struct in_context {
  explicit in_context(cuda_abi::context context) { pushed = cuCtxPushCurrent(context) == 0; }
  ~in_context() {
    cuda_abi::context popped = nullptr;
    if (pushed) (void)cuCtxPopCurrent(&popped);
  }
  in_context(const in_context&) = delete;
  in_context& operator=(const in_context&) = delete;
  bool pushed;
};

struct pending_init {
  std::unique_ptr<communicator> made;
  abi::communicator* to;
};
struct pending_operation {
  communicator* of;
  operation what;
  cuda_abi::stream in;
};
/// What this thread's group has collected.
struct group {
  int depth = 0;
  abi::status error = abi::success;
  std::vector<pending_init> inits;
  std::vector<pending_operation> operations;
};
group& this_group() {
  thread_local group own;
  return own;
}

/// Effects: a communicator's rank waits for all others to come.
abi::status finish_init(communicator& of) {
  try {
    wait_until(of, {}, [&] {
      for (int rank = 0; rank < of.size; ++rank) {
        if (of.shared->slot(rank).arrived == 0) return false;
      }
      return true;
    });
  } catch (const wait_ended&) {
    of.shared->close_door();
    return refuse(abi::remote_error, "not all ranks have come");
  }
  of.shared->close_door();
  return abi::success;
}

void run_host_function(void* data) { run(*static_cast<plan*>(data)); }
void run_once(void* data) {
  const std::unique_ptr<plan> what(static_cast<plan*>(data));
  run(*what);
}

bool is_capturing(cuda_abi::stream in) {
  auto status = cuda_abi::capture_status{};
  return cuStreamIsCapturing(in, &status) != 0 || status != cuda_abi::capture_status{};
}

/// Effects: makes the connections that these operations need, as NCCL does at their first use. Each communicator says
/// that it is here before one of them waits.
abi::status connect(std::vector<pending_operation>& all) {
  for (const bool waits : {false, true}) {
    for (const pending_operation& each : all) {
      communicator& of = *each.of;
      const call_facts& facts = each.what.facts;
      const bool sends = facts.which == verb::send;
      const bool receives = facts.which == verb::receive;
      channel* const way = sends      ? &of.shared->from_to(of.rank, facts.root)
                           : receives ? &of.shared->from_to(facts.root, of.rank)
                                      : nullptr;
      auto& here = way == nullptr ? of.shared->slot(of.rank).connected
                   : sends        ? way->sender_connected
                                  : way->receiver_connected;
      if (!waits) {
        if (here != 0) continue;
        if (is_capturing(each.in)) {
          of.async_error = abi::unhandled_cuda_error;
          return refuse(abi::unhandled_cuda_error, "operation not permitted when stream is capturing");
        }
        here = 1;
        continue;
      }
      try {
        wait_until(of, facts, [&] {
          if (sends) return way->receiver_connected != 0;
          if (receives) return way->sender_connected != 0;
          if (of.connected) return true;
          for (int rank = 0; rank < of.size; ++rank) {
            if (of.shared->slot(rank).connected == 0) return false;
          }
          of.connected = true;
          return true;
        });
      } catch (const wait_ended&) {
        return refuse(abi::remote_error, "another rank did not connect");
      }
    }
  }
  return abi::success;
}

/// Effects: lets a stream wait for all that another one has so far.
abi::status follow(cuda_abi::stream behind, cuda_abi::stream first) {
  constexpr unsigned untimed = 2;
  cuda_abi::event point = nullptr;
  if (cuEventCreate(&point, untimed) != 0) return abi::unhandled_cuda_error;
  const bool fine = cuEventRecord(point, first) == 0 && cuStreamWaitEvent(behind, point, 0) == 0;
  (void)cuEventDestroy(point);
  return fine ? abi::success : abi::unhandled_cuda_error;
}

/// Effects: enqueues the operations of a group, one host function for each communicator.
abi::status launch(std::vector<pending_operation> all) {
  if (const abi::status code = connect(all)) return code;
  while (!all.empty()) {
    communicator& of = *all.front().of;
    const cuda_abi::stream in = all.front().in;
    auto made = std::make_unique<plan>();
    made->of = &of;
    std::vector<cuda_abi::stream> others;
    for (const pending_operation& each : all) {
      if (each.of != &of) continue;
      made->operations.push_back(each.what);
      if (each.in != in && std::find(others.begin(), others.end(), each.in) == others.end()) others.push_back(each.in);
    }
    std::erase_if(all, [&](const pending_operation& each) { return each.of == &of; });
    const in_context scope(of.context);
    for (const cuda_abi::stream other : others) {
      if (const abi::status code = follow(in, other)) return refuse(code, "cudaStreamWaitEvent failed");
    }
    plan* const what = made.get();
    const bool captured = is_capturing(in);
    if (!captured) what->number = ++of.issued;
    if (cuLaunchHostFunc(in, captured ? &run_host_function : &run_once, what) != 0) {
      if (!captured) --of.issued;
      return refuse(abi::unhandled_cuda_error, "cudaLaunchHostFunc failed");
    }
    if (captured) {
      of.captured.push_back(std::move(made));
    } else {
      (void)made.release();
    }
    for (const cuda_abi::stream other : others) {
      if (const abi::status code = follow(other, in)) return refuse(code, "cudaStreamWaitEvent failed");
    }
  }
  return abi::success;
}

/// Effects: ends a group, whatever it has come to.
abi::status end_group() {
  group& own = this_group();
  if (own.depth == 0) return refuse(abi::invalid_usage, "ncclGroupEnd: not in a group call");
  if (--own.depth != 0) return abi::success;
  std::vector<pending_init> inits = std::exchange(own.inits, {});
  std::vector<pending_operation> operations = std::exchange(own.operations, {});
  abi::status code = std::exchange(own.error, abi::success);
  for (pending_init& each : inits) {
    if (code == abi::success) code = finish_init(*each.made);
  }
  if (code == abi::success) {
    for (pending_init& each : inits) {
      known_state& all = known();
      const std::lock_guard lock(all.mutex);
      *each.to = reinterpret_cast<abi::communicator>(each.made.get());
      all.all.push_back(std::move(each.made));
    }
    code = launch(std::move(operations));
  } else {
    for (pending_init& each : inits) each.made->shared->close_door();
  }
  return code;
}

/// Effects: in a group, keeps its first error. Returns: the code.
abi::status noted(abi::status code) {
  group& own = this_group();
  if (own.depth != 0 && own.error == abi::success) own.error = code;
  return code;
}

template <class Act>
abi::status entry(const Act& act) noexcept {
  try {
    return noted(act());
  } catch (const std::bad_alloc&) {
    return noted(abi::system_error);
  } catch (...) {
    return noted(abi::internal_error);
  }
}

/// Effects: adds an operation to this thread's group, or enqueues it.
abi::status add(abi::communicator handle, const call_facts& facts, const void* from, void* to, cuda_abi::stream in) {
  communicator* const of = living(handle);
  const char* const call = name_of(facts.which);
  if (of == nullptr) return refuse(abi::invalid_argument, std::string(call) + ": the communicator is not valid");
  if (const abi::status code = injected(of, 0, call)) return code;
  if (of->async_error != abi::success) return refuse(of->async_error, "the communicator has failed before");
  const auto least_types = the_settings().version >= 22400 ? 12 : 10;
  if (facts.type < 0 || facts.type >= least_types) {
    return refuse(abi::invalid_argument,
                  std::string(call) + ": the data type " + std::to_string(facts.type) + " is not valid");
  }
  if (facts.root < 0 || facts.root >= of->size) {
    return refuse(abi::invalid_argument, std::string(call) + ": rank " + std::to_string(facts.root) + " of " +
                                             std::to_string(of->size) + " is not valid");
  }
  const bool needs_from = facts.which != verb::receive && (facts.which != verb::broadcast || facts.root == of->rank);
  const bool needs_to = facts.which != verb::send && (facts.which != verb::reduce || facts.root == of->rank);
  if (facts.count != 0 && ((needs_from && from == nullptr) || (needs_to && to == nullptr))) {
    return refuse(abi::invalid_argument, std::string(call) + ": a buffer is null");
  }
  operation what;
  what.facts = facts;
  what.from = from;
  what.to = to;
  if (facts.operation >= abi::first_made_operation) {
    const auto found = of->operators.find(facts.operation);
    if (found == of->operators.end() || static_cast<int>(found->second.type) != facts.type) {
      return refuse(abi::invalid_argument, std::string(call) + ": the operator is not valid");
    }
    what.scales = true;
    what.scale_at = found->second.at;
    std::memcpy(what.scale, found->second.value, sizeof what.scale);
    what.facts.operation = abi::first_made_operation;
  } else if (facts.operation < 0 || facts.operation > 4) {
    return refuse(abi::invalid_argument, std::string(call) + ": the operator is not valid");
  }
  const bool is_message = facts.which == verb::send || facts.which == verb::receive;
  if (facts.count == 0 && !is_message) return abi::success;  // NCCL's ranks do not meet for nothing
  this_group().operations.push_back({of, what, in});
  return abi::success;
}
/// Effects: the same, in a group of its own.
abi::status add_alone(abi::communicator handle, const call_facts& facts, const void* from, void* to,
                      cuda_abi::stream in) {
  return entry([&] {
    ++this_group().depth;
    const abi::status code = noted(add(handle, facts, from, to, in));
    const abi::status ended = end_group();
    return code != abi::success ? code : ended;
  });
}

call_facts facts(verb which, std::size_t count, abi::data_type type, abi::operation operation = abi::operation::sum,
                 int root = 0) {
  return {which, static_cast<int>(type), static_cast<int>(operation), root, count};
}

/// Effects: adds the messages of a verb that consists of some. `each(group)` adds them.
template <class Each>
abi::status add_messages(const Each& each) {
  return entry([&] {
    ++this_group().depth;
    abi::status code = each();
    if (code != abi::success) (void)noted(code);
    const abi::status ended = end_group();
    return code != abi::success ? code : ended;
  });
}

std::size_t type_bytes(abi::data_type type) {
  constexpr std::size_t bytes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
  const auto number = static_cast<std::size_t>(type);
  return number < std::size(bytes) ? bytes[number] : 1;
}

/// Effects: waits for the operations of a communicator that ends in order.
void finish(communicator& of) {
  const call_facts none;
  try {
    wait_until(of, none, [&] { return of.done >= of.issued; });
  } catch (const wait_ended&) {  // another thread aborts it, or nothing moves
  }
}

/// Effects: what the end of a communicator releases.
void end(communicator& of) {
  of.shared->slot(of.rank).ended = 1;
  of.shared->slot(of.rank).post({});
  of.now = stage::ended;
  const std::size_t registered = of.registered.size();
  if (registered != 0) say("leak: " + std::to_string(registered) + " ranges are still registered");
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
  return entry([&]() -> abi::status {
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
    own.arrived = 1;
    group& in = this_group();
    ++in.depth;
    in.inits.push_back({std::move(made), to});
    return end_group();
  });
}

abi::status entries::finalize(abi::communicator handle) {
  return entry([&] {
    communicator* const of = living(handle);
    if (of == nullptr) return refuse(abi::invalid_argument, "ncclCommFinalize: the communicator is not valid");
    if (const abi::status code = injected(of, 0, "ncclCommFinalize")) return code;
    finish(*of);
    return of->async_error.load();
  });
}
abi::status entries::destroy(abi::communicator handle) {
  return entry([&] {
    communicator* const of = living(handle);
    if (of == nullptr) return refuse(abi::invalid_argument, "ncclCommDestroy: the communicator is not valid");
    if (const abi::status code = injected(of, 0, "ncclCommDestroy")) return code;
    finish(*of);
    if (of->now != stage::alive) return refuse(abi::invalid_argument, "ncclCommDestroy: aborted meanwhile");
    end(*of);
    return static_cast<abi::status>(abi::success);
  });
}
abi::status entries::abort(abi::communicator handle) {
  return entry([&] {
    communicator* const of = living(handle);
    if (of == nullptr) return refuse(abi::invalid_argument, "ncclCommAbort: the communicator is not valid");
    auto expected = stage::alive;
    if (!of->now.compare_exchange_strong(expected, stage::aborting)) return refuse(abi::invalid_argument, "twice");
    while (of->done < of->issued) std::this_thread::sleep_for(std::chrono::microseconds(100));
    end(*of);
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
  const communicator* const of = living(handle);
  if (of == nullptr || error == nullptr) return refuse(abi::invalid_argument, "ncclCommGetAsyncError: not valid");
  if (const abi::status code = injected(of, 0, "ncclCommGetAsyncError")) return code;
  *error = of->async_error;
  return abi::success;
}
abi::status entries::split(abi::communicator, int, int, abi::communicator*, abi::config*) {
  return refuse(abi::invalid_usage, "the simulator does not split communicators");
}

abi::status entries::group_start() {
  if (const abi::status code = injected(nullptr, -1, "ncclGroupStart")) return code;
  ++this_group().depth;
  return abi::success;
}
abi::status entries::group_end() {
  try {
    if (const abi::status code = injected(nullptr, -1, "ncclGroupEnd")) {
      (void)noted(code);
      (void)end_group();
      return code;
    }
    return end_group();
  } catch (...) {
    return abi::system_error;
  }
}

abi::status entries::all_reduce(const void* from, void* to, std::size_t count, abi::data_type type, abi::operation by,
                                abi::communicator of, abi::stream in) {
  return add_alone(of, facts(verb::all_reduce, count, type, by), from, to, in);
}
abi::status entries::reduce(const void* from, void* to, std::size_t count, abi::data_type type, abi::operation by,
                            int root, abi::communicator of, abi::stream in) {
  return add_alone(of, facts(verb::reduce, count, type, by, root), from, to, in);
}
abi::status entries::broadcast(const void* from, void* to, std::size_t count, abi::data_type type, int root,
                               abi::communicator of, abi::stream in) {
  return add_alone(of, facts(verb::broadcast, count, type, {}, root), from, to, in);
}
abi::status entries::all_gather(const void* from, void* to, std::size_t count, abi::data_type type,
                                abi::communicator of, abi::stream in) {
  return add_alone(of, facts(verb::all_gather, count, type), from, to, in);
}
abi::status entries::reduce_scatter(const void* from, void* to, std::size_t count, abi::data_type type,
                                    abi::operation by, abi::communicator of, abi::stream in) {
  return add_alone(of, facts(verb::reduce_scatter, count, type, by), from, to, in);
}
abi::status entries::send(const void* from, std::size_t count, abi::data_type type, int peer, abi::communicator of,
                          abi::stream in) {
  return add_alone(of, facts(verb::send, count, type, {}, peer), from, nullptr, in);
}
abi::status entries::receive(void* to, std::size_t count, abi::data_type type, int peer, abi::communicator of,
                             abi::stream in) {
  return add_alone(of, facts(verb::receive, count, type, {}, peer), nullptr, to, in);
}
abi::status entries::all_to_all(const void* from, void* to, std::size_t count, abi::data_type type,
                                abi::communicator handle, abi::stream in) {
  return add_messages([&]() -> abi::status {
    const communicator* const of = living(handle);
    if (of == nullptr) return refuse(abi::invalid_argument, "ncclAlltoAll: the communicator is not valid");
    if (const abi::status code = injected(of, 0, "ncclAlltoAll")) return code;
    const std::size_t bytes = count * type_bytes(type);
    for (int peer = 0; peer < of->size; ++peer) {
      const std::size_t at = static_cast<std::size_t>(peer) * bytes;
      const auto* const out = static_cast<const std::byte*>(from) + at;
      auto* const back = static_cast<std::byte*>(to) + at;
      if (const auto code = add(handle, facts(verb::send, count, type, {}, peer), out, nullptr, in)) return code;
      if (const auto code = add(handle, facts(verb::receive, count, type, {}, peer), nullptr, back, in)) return code;
    }
    return abi::success;
  });
}
abi::status entries::gather(const void* from, void* to, std::size_t count, abi::data_type type, int root,
                            abi::communicator handle, abi::stream in) {
  return add_messages([&]() -> abi::status {
    const communicator* const of = living(handle);
    if (of == nullptr) return refuse(abi::invalid_argument, "ncclGather: the communicator is not valid");
    if (const abi::status code = injected(of, 0, "ncclGather")) return code;
    if (const auto code = add(handle, facts(verb::send, count, type, {}, root), from, nullptr, in)) return code;
    for (int peer = 0; root == of->rank && peer < of->size; ++peer) {
      auto* const at = static_cast<std::byte*>(to) + static_cast<std::size_t>(peer) * count * type_bytes(type);
      if (const auto code = add(handle, facts(verb::receive, count, type, {}, peer), nullptr, at, in)) return code;
    }
    return abi::success;
  });
}
abi::status entries::scatter(const void* from, void* to, std::size_t count, abi::data_type type, int root,
                             abi::communicator handle, abi::stream in) {
  return add_messages([&]() -> abi::status {
    const communicator* const of = living(handle);
    if (of == nullptr) return refuse(abi::invalid_argument, "ncclScatter: the communicator is not valid");
    if (const abi::status code = injected(of, 0, "ncclScatter")) return code;
    for (int peer = 0; root == of->rank && peer < of->size; ++peer) {
      const auto* const at =
          static_cast<const std::byte*>(from) + static_cast<std::size_t>(peer) * count * type_bytes(type);
      if (const auto code = add(handle, facts(verb::send, count, type, {}, peer), at, nullptr, in)) return code;
    }
    return add(handle, facts(verb::receive, count, type, {}, root), nullptr, to, in);
  });
}

abi::status entries::create_scaled_sum(abi::operation* made, void* scale, abi::data_type type, abi::scalar_place place,
                                       abi::communicator handle) {
  return entry([&] {
    communicator* const of = living(handle);
    if (of == nullptr || made == nullptr || scale == nullptr) {
      return refuse(abi::invalid_argument, "ncclRedOpCreatePreMulSum: an argument is null");
    }
    if (const abi::status code = injected(of, 0, "ncclRedOpCreatePreMulSum")) return code;
    scaled_sum fresh;
    fresh.type = type;
    if (place == abi::scalar_place::device) {
      fresh.at = scale;
    } else {
      std::memcpy(fresh.value, scale, type_bytes(type));
    }
    int number = abi::first_made_operation;
    while (of->operators.contains(number)) ++number;
    of->operators.emplace(number, fresh);
    *made = static_cast<abi::operation>(number);
    return static_cast<abi::status>(abi::success);
  });
}
abi::status entries::destroy_operation(abi::operation made, abi::communicator handle) {
  return entry([&] {
    communicator* const of = living(handle);
    if (of == nullptr || of->operators.erase(static_cast<int>(made)) == 0) {
      return refuse(abi::invalid_argument, "ncclRedOpDestroy: the operator is not valid");
    }
    return injected(of, 0, "ncclRedOpDestroy");
  });
}

abi::status entries::register_memory(abi::communicator handle, void* at, std::size_t bytes, void** made) {
  return entry([&] {
    communicator* const of = living(handle);
    if (of == nullptr || at == nullptr || made == nullptr || bytes == 0) {
      return refuse(abi::invalid_argument, "ncclCommRegister: an argument is not valid");
    }
    if (const abi::status code = injected(of, 0, "ncclCommRegister")) return code;
    of->registered[at] = bytes;
    *made = at;
    return static_cast<abi::status>(abi::success);
  });
}
abi::status entries::deregister_memory(abi::communicator handle, void* made) {
  return entry([&] {
    communicator* const of = living(handle);
    if (of == nullptr || of->registered.erase(made) == 0) {
      return refuse(abi::invalid_argument, "ncclCommDeregister: the registration is not valid");
    }
    return injected(of, 0, "ncclCommDeregister");
  });
}
abi::status entries::register_window(abi::communicator handle, void* at, std::size_t bytes, abi::window* made, int) {
  constexpr std::uintptr_t alignment = 4096;
  if (reinterpret_cast<std::uintptr_t>(at) % alignment != 0) {
    return refuse(abi::invalid_argument, "ncclCommWindowRegister: the memory is not aligned to 4096 bytes");
  }
  return register_memory(handle, at, bytes, reinterpret_cast<void**>(made));
}
abi::status entries::deregister_window(abi::communicator handle, abi::window made) {
  return deregister_memory(handle, made);
}
abi::status entries::allocate(void** made, std::size_t bytes) {
  if (made == nullptr) return refuse(abi::invalid_argument, "ncclMemAlloc: no place for the address");
  if (const abi::status code = injected(nullptr, -1, "ncclMemAlloc")) return code;
  unsigned long long at = 0;
  if (cuMemAlloc(&at, bytes) != 0) return refuse(abi::unhandled_cuda_error, "Cuda failure 'out of memory'");
  *made = reinterpret_cast<void*>(at);
  return abi::success;
}
abi::status entries::free(void* at) {
  if (at == nullptr) return abi::success;
  if (cuMemFree(reinterpret_cast<unsigned long long>(at)) != 0) {
    return refuse(abi::unhandled_cuda_error, "Cuda failure 'invalid argument'");
  }
  return injected(nullptr, -1, "ncclMemFree");
}

}  // namespace yoke::nccl_simulator

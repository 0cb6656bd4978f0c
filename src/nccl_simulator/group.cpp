// SPDX-License-Identifier: MIT
// Runs groups: lets ranks meet and connect, and makes operations host functions of streams.
#include "group.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "driver.hpp"

namespace yoke::nccl_simulator {

namespace {

/// What this thread's group has collected.
struct group {
  int depth = 0;
  abi::status error = abi::success;
  std::optional<bool> blocks{};
  std::vector<pending_init> inits{};
  std::vector<pending_operation> operations{};
};
group& this_group() {
  thread_local group own;
  return own;
}
abi::status join(const communicator& of) {
  group& own = this_group();
  if (own.blocks.value_or(of.blocking) != of.blocking) {
    return refuse(abi::invalid_argument, "Blocking and nonblocking communicators are not allowed in the same group.");
  }
  own.blocks = of.blocking;
  return abi::success;
}

bool takes_several_ranks_a_gpu() {
  const char* const wish = ::secure_getenv("NCCL_MULTI_RANK_GPU_ENABLE");
  return the_settings().version >= 23000 && wish != nullptr && std::strcmp(wish, "1") == 0;
}

/// Effects: waits until `has_come(slot)` of all ranks. Returns: whether they have.
bool meet_all(communicator& of, const auto& has_come) {
  try {
    wait_until(of, {}, [&] {
      for (int rank = 0; rank < of.size; ++rank) {
        if (!has_come(of.shared->slot(rank))) return false;
      }
      return true;
    });
    return true;
  } catch (const wait_ended&) {
    return false;
  }
}
/// Effects: a communicator's rank waits for all others to come, and tells them whether it knows them.
abi::status meet(communicator& of) {
  if (!meet_all(of, [](const rank_slot& each) { return each.arrived != 0; })) {
    return refuse(abi::remote_error, "not all ranks have come");
  }
  const std::int32_t device = of.shared->slot(of.rank).device;
  abi::status code = abi::success;
  for (int rank = 0; rank < of.size && code == abi::success && !takes_several_ranks_a_gpu(); ++rank) {
    if (rank == of.rank || of.shared->slot(rank).device != device) continue;
    code = refuse(abi::invalid_usage, "Duplicate GPU detected : rank " + std::to_string(of.rank) + " and rank " +
                                          std::to_string(rank) + " both on CUDA device " + std::to_string(device));
  }
  of.shared->slot(of.rank).made = code == abi::success ? 1 : 2;
  return code;
}
/// Effects: the rank waits until all others know each other.
abi::status agree(communicator& of) {
  bool all_know = true;
  const bool came = meet_all(of, [](const rank_slot& each) { return each.made != 0; });
  for (int rank = 0; rank < of.size; ++rank) all_know = all_know && of.shared->slot(rank).made == 1;
  return came && all_know ? abi::success : refuse(abi::remote_error, "another rank has failed to come");
}
abi::status finish_inits(const std::vector<pending_init>& all) {
  abi::status code = abi::success;
  for (const pending_init& each : all) {
    const abi::status own = meet(*each.made);
    if (code == abi::success) code = own;
  }
  for (const pending_init& each : all) {
    if (code == abi::success) code = agree(*each.made);
  }
  for (const pending_init& each : all) each.made->shared->close_door();
  return code;
}

void run_once(void* data) {
  const std::unique_ptr<plan> what(static_cast<plan*>(data));
  run(*what);
}
void run_captured(void* data) { run(*static_cast<plan*>(data)); }
void end_captured(void* data) {
  const std::unique_ptr<plan> what(static_cast<plan*>(data));
  --what->of->graphs;
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

/// Effects: gives a plan to a stream, or to the graph that the stream captures. Returns: whether the driver took it.
bool hand_over(std::unique_ptr<plan> made, cuda_abi::stream in) {
  communicator& of = *made->of;
  if (is_capturing(in)) {
    // Stands for the wait for an event that NCCL captures, too.
    if (of.mixes_graphs && cuLaunchHostFunc(
                               in, [](void*) {}, nullptr) != 0)
      return false;
    ++of.graphs;
    if (cuYokeCaptureHostFunction(in, &run_captured, made.get(), &end_captured) == 0) {
      (void)made.release();
      return true;
    }
    --of.graphs;
    return false;
  }
  made->number = ++of.issued;
  if (cuLaunchHostFunc(in, &run_once, made.get()) == 0) {
    (void)made.release();
    return true;
  }
  --of.issued;
  return false;
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
    if (!hand_over(std::move(made), in)) return refuse(abi::unhandled_cuda_error, "cudaLaunchHostFunc failed");
    for (const cuda_abi::stream other : others) {
      if (const abi::status code = follow(other, in)) return refuse(code, "cudaStreamWaitEvent failed");
    }
  }
  return abi::success;
}

/// Effects: runs what a group has collected, on this thread.
abi::status run_group(std::vector<pending_init>& inits, std::vector<pending_operation> operations) {
  if (const abi::status code = finish_inits(inits)) return code;
  for (pending_init& each : inits) {
    if (each.owned != nullptr) *each.to = make_known(std::move(each.owned));
  }
  return launch(std::move(operations));
}

/// The work of communicators that do not block, on a thread of its own.
struct job {
  std::vector<pending_init> inits;
  std::vector<pending_operation> operations;
  std::vector<communicator*> of;

  void run() noexcept {
    abi::status code = abi::system_error;
    try {
      code = run_group(inits, operations);
    } catch (...) {  // memory ran out
    }
    end(code);
  }
  void end(abi::status code) noexcept {
    for (communicator* const each : of) {
      abi::status fine = abi::success;
      if (code != abi::success && each->async_error.compare_exchange_strong(fine, code)) {
        const std::lock_guard lock(each->words_mutex);
        each->words.swap(last_error_of_thread());
      }
      --each->jobs;
    }
  }
};

/// Effects: lets a group go on behind the call.
abi::status start_group(std::vector<pending_init> inits, std::vector<pending_operation> operations) {
  const auto work = std::make_shared<job>();
  for (const pending_init& each : inits) work->of.push_back(each.made);
  for (const pending_operation& each : operations) {
    if (std::find(work->of.begin(), work->of.end(), each.of) == work->of.end()) work->of.push_back(each.of);
  }
  work->inits = std::move(inits);
  work->operations = std::move(operations);
  for (communicator* const each : work->of) ++each->jobs;
  try {
    std::thread([work] { work->run(); }).detach();
  } catch (...) {
    work->end(abi::system_error);
    return refuse(abi::system_error, "pthread_create failed");
  }
  return abi::in_progress;
}

}  // namespace

void begin_group() { ++this_group().depth; }

abi::status end_group() {
  group& own = this_group();
  if (own.depth == 0) return refuse(abi::invalid_usage, "ncclGroupEnd: not in a group call");
  if (--own.depth != 0) return abi::success;
  std::vector<pending_init> inits = std::exchange(own.inits, {});
  std::vector<pending_operation> operations = std::exchange(own.operations, {});
  const abi::status code = std::exchange(own.error, abi::success);
  const bool blocks = std::exchange(own.blocks, {}).value_or(true);
  if (code != abi::success) {
    for (pending_init& each : inits) {
      each.made->shared->close_door();
      if (!blocks) each.made->async_error = code;
    }
    return code;
  }
  if (blocks || (inits.empty() && operations.empty())) return run_group(inits, std::move(operations));
  return start_group(std::move(inits), std::move(operations));
}

abi::status noted(abi::status code) {
  group& own = this_group();
  if (own.depth != 0 && own.error == abi::success && code != abi::in_progress) own.error = code;
  return code;
}

abi::status add_to_group(pending_init what) {
  if (const abi::status code = join(*what.made)) return code;
  if (!what.made->blocking) *what.to = make_known(std::move(what.owned));
  this_group().inits.push_back(std::move(what));
  return abi::success;
}
abi::status add_to_group(const pending_operation& what) {
  if (const abi::status code = join(*what.of)) return code;
  this_group().operations.push_back(what);
  return abi::success;
}

}  // namespace yoke::nccl_simulator

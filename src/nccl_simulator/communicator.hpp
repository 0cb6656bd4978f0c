// SPDX-License-Identifier: MIT
// A simulated communicator: the memory that its ranks share, also between processes, and how they wait for each other.
#ifndef YOKE_NCCL_SIMULATOR_COMMUNICATOR_HPP
#define YOKE_NCCL_SIMULATOR_COMMUNICATOR_HPP

#include <yoke/driver/cuda/abi/abi.hpp>
#include <yoke/driver/nccl/functions.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "settings.hpp"

namespace yoke::nccl_simulator {

namespace abi = yoke::nccl::abi;
namespace cuda_abi = yoke::cuda::abi;

inline constexpr int most_ranks = 64;
inline constexpr std::size_t chunk_bytes = std::size_t{1} << 18U;

enum class verb : std::uint32_t { none, all_reduce, reduce, broadcast, all_gather, reduce_scatter, send, receive };
const char* name_of(verb which) noexcept;

/// An operation as one rank calls it. The ranks compare it.
struct call_facts {
  verb which = verb::none;
  int type = 0;
  int operation = 0;
  int root = 0;  ///< or the other rank
  std::uint64_t count = 0;
};
std::string text_of(const call_facts& call);

/// The memory of one rank that the others read. Other processes map it at other addresses.
struct rank_slot {
  std::atomic<std::uint32_t> taken;
  std::atomic<std::uint32_t> arrived;
  std::atomic<std::uint32_t> made;  ///< 1 once the rank knows all others, 2 if it has failed to
  std::atomic<std::uint32_t> connected;
  std::atomic<std::uint32_t> ended;
  std::atomic<std::int32_t> process;
  std::atomic<std::int32_t> device;
  std::atomic<std::uint64_t> written;  ///< the number of its latest chunk
  std::atomic<std::uint64_t> read;     ///< the number of the chunk up to which it has read those of all ranks
  std::atomic<std::uint32_t> verb_now;
  std::atomic<std::int32_t> type_now, operation_now, root_now;
  std::atomic<std::uint64_t> count_now;
  alignas(64) std::byte data[chunk_bytes];

  void post(const call_facts& call) noexcept;
  call_facts posted() const noexcept;
};
/// The messages from one rank to another.
struct channel {
  std::atomic<std::uint32_t> sender_connected, receiver_connected;
  std::atomic<std::uint64_t> written, read;
  std::atomic<std::uint64_t> message_bytes;
  std::atomic<std::uint64_t> bytes;
  alignas(64) std::byte data[chunk_bytes];
};

/// Shared memory of all ranks of a communicator.
class segment {
 public:
  /// Returns: the memory that an id names, made by the first rank; null with the reason.
  static std::shared_ptr<segment> open(const abi::unique_id& id, int size, std::string& why);
  ~segment();
  segment(const segment&) = delete;
  segment& operator=(const segment&) = delete;

  /// Effects: others cannot open it any more.
  void close_door() noexcept;
  const std::string& path() const noexcept { return path_; }
  rank_slot& slot(int rank) noexcept { return slots_[rank]; }
  channel& from_to(int from, int to) noexcept { return channels_[from * size_ + to]; }

 private:
  segment(std::string path, void* at, std::size_t bytes, int size) noexcept;
  std::string path_;
  void* at_;
  std::size_t bytes_;
  int size_;
  rank_slot* slots_;
  channel* channels_;
};

/// An operation of one rank, to be run.
struct operation {
  call_facts facts{};
  const void* from = nullptr;
  void* to = nullptr;
  bool scales = false;             ///< a made operator, which multiplies by `scale` first
  const void* scale_at = nullptr;  ///< device memory with the factor
  std::byte scale[8]{};
};

struct communicator;
/// What one group asks of one communicator: one host function of a stream runs it.
struct plan {
  communicator* of = nullptr;
  std::vector<operation> operations{};
  std::uint64_t number = 0;  ///< among the communicator's plans; 0 for a captured one, which runs at each launch
};

/// A made operator.
struct scaled_sum {
  abi::data_type type{};
  const void* at = nullptr;
  std::byte value[8]{};
};

enum class stage : int { alive, aborting, ended };

/// Objects are kept until the process ends, so that a handle used too late is an error.
struct communicator {
  int rank = 0;
  int size = 0;
  int device = 0;
  bool blocking = true;
  bool mixes_graphs = true;  ///< its operations in graphs wait for those beside them, which conditional nodes refuse
  cuda_abi::context context = nullptr;
  std::shared_ptr<segment> shared{};
  std::atomic<stage> now{stage::alive};
  std::atomic<abi::status> async_error{abi::success};
  std::atomic<std::uint64_t> issued{0};
  std::atomic<std::uint64_t> done{0};
  std::atomic<unsigned long> operations_run{0};
  std::atomic<int> jobs{0};    ///< groups that go on behind their calls
  std::atomic<int> graphs{0};  ///< operations that graphs have
  std::mutex words_mutex{};
  std::string words{};      ///< about `async_error`, for `ncclGetLastError`
  std::mutex running{};     ///< one plan at a time
  std::uint64_t chunk = 0;  ///< the number of the latest chunk of collectives
  bool connected = false;   ///< whether collectives have met once
  bool has_left = false;    ///< destroyed or aborted; `leave` changes it
  std::map<int, scaled_sum> operators{};
  std::map<void*, std::size_t> registered{};
};

/// A wait that the communicator's end or a standstill has ended.
struct wait_ended {};

/// Effects: returns when `is_done()`. Throws: `wait_ended` when the communicator is aborted, or after a standstill of
/// `DEADLOCK_SECONDS`, which is reported with what each rank does.
void wait_until(communicator& of, const call_facts& during, const auto& is_done);

/// Effects: one look at what ends waits. Thread safety: as `wait_until`.
class patience {
 public:
  patience(communicator& of, const call_facts& during) : of_(of), during_(during) {}
  /// Effects: waits a moment. Throws: `wait_ended`.
  void pause();

 private:
  communicator& of_;
  const call_facts& during_;
  unsigned turns_ = 0;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};
void wait_until(communicator& of, const call_facts& during, const auto& is_done) {
  patience more(of, during);
  while (!is_done()) more.pause();
}

/// Effects: runs a plan. Does not throw.
void run(plan& what) noexcept;

}  // namespace yoke::nccl_simulator

#endif

// SPDX-License-Identifier: MIT
// NCCL's communicators of one process as plain numbers: how they are made, called, waited for, aborted and ended.
#ifndef YOKE_NCCL_ENGINE_HPP
#define YOKE_NCCL_ENGINE_HPP

#include <yoke/core/cleanup.hpp>
#include <yoke/driver/cuda/abi/functions.hpp>
#include <yoke/driver/nccl/loader.hpp>
#include <yoke/memory/memory_access.hpp>
#include <yoke/nccl/made_connections.hpp>
#include <yoke/nccl/options.hpp>
#include <yoke/nccl/rank_call.hpp>
#include <yoke/nccl/unique_id.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace yoke::inline v0_1::nccl::detail {

class own_ranks;

/// The communicators that one process's handle drives: one, or those of a clique. `ready`, then `failed` or `ended`.
/// Thread safety: one thread at a time, which is checked; the process's watch aborts a call that does not return.
class engine {
 public:
  /// Effects: makes a communicator for each place. Throws: `logic_error` for numbers and contexts that do not fit;
  /// `unsupported_error` without NCCL; `communication_error` when the other ranks do not come in time.
  [[nodiscard]] YOKE_API static std::shared_ptr<engine> open(const unique_id& id, int size,
                                                             std::vector<rank_place> places, const options& with,
                                                             const source_location& where);
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;
  ~engine() = default;

  [[nodiscard]] int size() const noexcept { return size_; }
  [[nodiscard]] std::size_t members() const noexcept { return places_.size(); }
  [[nodiscard]] int rank(std::size_t member) const noexcept { return places_[member].rank; }
  [[nodiscard]] cuda::abi::context context(std::size_t member) const noexcept { return places_[member].context; }
  [[nodiscard]] const options& settings() const noexcept { return options_; }
  [[nodiscard]] bool is_ready() const noexcept { return stage_.load(std::memory_order_relaxed) == stage::ready; }
  [[nodiscard]] const loaded_library& library() const noexcept { return *library_; }
  /// Returns: the native communicator; null once it has failed or ended.
  [[nodiscard]] YOKE_API abi::communicator native(std::size_t member) const noexcept;

  /// Throws: `communication_error` with the first failure's words, unless it is ready.
  void check_ready(const source_location& where) const {
    if (!is_ready()) [[unlikely]]
      throw_ended(where);
  }
  /// Effects: issues the calls, in a group if there are several. Throws: `communication_error`, after which it is failed
  /// and aborted; `logic_error` for what NCCL refuses without harm.
  YOKE_API void issue(std::span<const rank_call> calls, const source_location& where);
  /// Returns: what keeps the communicators while a graph has calls of theirs. NCCL ends none before its graphs.
  [[nodiscard]] YOKE_API static kept_alive keeper_of_graph(const std::shared_ptr<engine>& of);
  /// Effects: as `issue`, but records the calls of the only member as a graph. Returns: the graph, which the caller ends.
  [[nodiscard]] YOKE_API cuda::abi::graph captured(std::vector<rank_call> calls, const source_location& where);
  /// Throws: `logic_error` for a stream in a capture, of which `wait` would break the capture.
  YOKE_API void check_waits(std::span<const abi::stream> streams, const source_location& where) const;
  /// Effects: waits for streams, one of each member or fewer.
  /// Throws: `logic_error` for a stream in a capture; `communication_error` when NCCL reports a failure or the deadline
  /// passes; it is then failed and aborted.
  YOKE_API void wait(std::span<const abi::stream> streams, const source_location& where);
  /// Effects: waits until `is_done()`. Throws: as `wait`, and as `is_done`; `communication_error` if it has failed before.
  YOKE_API void wait_until(const std::function<bool()>& is_done, const source_location& where);
  /// Effects: waits for the work and ends the communicators in order. Throws: `logic_error` while a graph has their
  /// calls; `communication_error`.
  YOKE_API void close(const source_location& where);
  /// Effects: aborts the communicators; calls in flight end. With the last rank of the process NCCL frees memory of all
  /// of them, which waits for all work of their devices: if that has not ended after half of `end_within`, other
  /// communicators of the process with work on these devices are aborted, too. Does nothing after a failure or an end.
  /// Throws: nothing.
  YOKE_API void abort() noexcept;

  /// Whether a member has kept this stream. The end waits for the streams that it has kept.
  [[nodiscard]] bool knows(std::size_t member, abi::stream in) const noexcept { return latest_[member] == in; }
  YOKE_API void keep(std::size_t member, abi::stream in, kept_alive keeper);
  /// Effects: takes memory that work in flight may use. To free it waits for the device, for ever if a rank is lost: it
  /// ends at once if the kept streams are done, else at a `wait` behind which they are, or behind the communicators' end.
  template <class Memory>
  void keep_while_busy(const Memory& memory) noexcept {
    try {
      if (native(0) == nullptr || is_idle()) return free_left();
      const std::lock_guard lock(mutex_);
      left_.push_back(memory());
    } catch (...) {  // the memory is freed at once
      yoke::detail::report_cleanup_exception("halo_exchange");
    }
  }

  /// Effects: a wait that comes too late says that this has not ended.
  void note_verb(const char* name) noexcept { last_verb_.store(name, std::memory_order_relaxed); }
  /// Effects: calls NCCL outside of its verbs. Returns: the code. Throws: as `issue`.
  template <class Call>
  void call(const char* name, const Call& what, const source_location& where) {
    const inside scope(*this, where);
    if (const abi::status code = what(library_->table)) refuse(code, name, where);
  }

 private:
  enum class stage : unsigned char { ready, failed, ended };
  struct kept_stream {
    std::size_t member;
    abi::stream native;
    kept_alive keeper;
  };
  /// A call of this thread.
  class inside {
   public:
    inside(engine& of, const source_location& where) : of_(of) {
      of.check_ready(where);
      if (of.busy_.exchange(true, std::memory_order_acquire)) [[unlikely]]
        throw_two_threads(where);
      of.turn_.store(of.turn_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
    inside(const inside&) = delete;
    inside& operator=(const inside&) = delete;
    ~inside() { of_.busy_.store(false, std::memory_order_release); }

   private:
    engine& of_;
  };
  friend class process_watch;
  /// What a graph keeps.
  struct graph_share {
    explicit graph_share(std::shared_ptr<engine> shared) noexcept : of(std::move(shared)) { ++of->graphs_; }
    graph_share(const graph_share&) = delete;
    graph_share& operator=(const graph_share&) = delete;
    ~graph_share() { --of->graphs_; }
    std::shared_ptr<engine> of;
  };
  /// While it lives, the call has a deadline of its own, and the process's watch leaves it alone.
  class polling {
   public:
    explicit polling(std::atomic<bool>& of) noexcept : of_(of) { of_.store(true, std::memory_order_relaxed); }
    polling(const polling&) = delete;
    polling& operator=(const polling&) = delete;
    ~polling() { of_.store(false, std::memory_order_relaxed); }

   private:
    std::atomic<bool>& of_;
  };

  engine(std::vector<rank_place> places, int size, const options& with, const loaded_library& library)
      : places_(std::move(places)),
        size_(size),
        options_(with),
        library_(&library),
        natives_(places_.size()),
        latest_(places_.size(), unused_stream()) {}
  static abi::stream unused_stream() noexcept { return reinterpret_cast<abi::stream>(~std::uintptr_t{0}); }

  [[noreturn, gnu::cold]] YOKE_API void throw_ended(const source_location& where) const;
  [[noreturn, gnu::cold]] YOKE_API static void throw_two_threads(const source_location& where);
  /// Throws: the exception of a code, which names the call, the verb if there is one, and the rank. Effects: fails and
  /// aborts, unless the call had no effect.
  [[noreturn, gnu::cold]] YOKE_API void refuse(abi::status code, const char* call, const source_location& where,
                                               const char* verb = "", const rank_call* which = nullptr);
  [[noreturn]] void fail(const std::error_code& code, const char* call, const std::string& message,
                         const source_location& where);
  /// Throws: `communication_error` for a verb that has not ended within the deadline. Effects: fails and aborts.
  [[noreturn]] void fail_late(const char* call, const source_location& where);
  bool note_failure(const std::error_code& code, const std::string& message);
  /// Another communicator that has a device of this one's ranks, as it was when asked.
  struct neighbour {
    std::shared_ptr<engine> of;
    std::uint64_t turn;
    std::optional<bool> has_work;  // nothing: CUDA has not answered
  };
  [[nodiscard]] YOKE_API bool is_idle() const noexcept;
  [[nodiscard]] bool shares_device_with(const engine& other) const;
  /// Returns: the neighbours, after a moment at most: CUDA's queries may wait for an abort of another thread.
  [[nodiscard]] std::vector<neighbour> neighbours() const noexcept;
  /// Effects: aborts neighbours whose work has not ended. Where CUDA does not answer, what it said `before` counts.
  void abort_neighbours(const std::vector<neighbour>& before) noexcept;
  /// Effects: aborts communicators, and neighbours that they wait for. Returns: the first failure; `errc::timed_out` when
  /// they have not ended within `end_within`.
  [[nodiscard]] std::error_code free(const std::vector<abi::communicator>& natives) noexcept;
  /// Returns: the first failure of the communicators, else whether one is in progress.
  abi::status state_of_natives() const;
  /// Returns: the code of a call that was in progress, once it has ended or the deadline has passed.
  abi::status settled(abi::status code);
  void check_capture(std::span<const rank_call> calls, const source_location& where) const;
  bool is_captured(std::size_t member, abi::stream in, const source_location& where) const;
  void compare_ranks(const rank_call& call, const source_location& where);
  void await(std::span<const abi::stream> streams, const source_location& where);
  /// Effects: asks `is_done()` until it is true, a communicator fails or the deadline passes. Throws: as `wait`.
  void await(const std::function<bool()>& is_done, const source_location& where);
  abi::stream own_stream(const source_location& where);
  bool are_done(const kept_stream& stream) const noexcept;
  std::vector<abi::communicator> taken() noexcept;
  [[nodiscard]] const char* last_verb() const noexcept;
  /// Returns: ", in all_reduce on rank 1 of 4", with what is known.
  std::string text_of_place(const char* verb, const rank_call* which) const;
  void end(bool in_order, bool throws, const source_location& where);
  void end_own_objects() noexcept;
  YOKE_API void free_left() noexcept;
  /// Effects: for the process's watch: aborts a call that has not returned within the deadline.
  static void look(const std::shared_ptr<engine>& at, std::chrono::steady_clock::time_point now) noexcept;
  bool is_late(std::chrono::steady_clock::time_point now) noexcept;
  void end_call() noexcept;

  std::vector<rank_place> places_;
  int size_;
  options options_;
  const loaded_library* library_;
  std::shared_ptr<own_ranks> ranks_{};
  std::vector<abi::communicator> natives_{};
  std::vector<kept_stream> streams_{};     // changed under the lock
  std::vector<abi::stream> latest_{};      // of each member
  abi::stream recording_ = nullptr;        // the stream that captures what recorders record
  cuda::abi::device_pointer records_ = 0;  // what the ranks call, as each of them tells the others
  std::uint64_t compared_ = 0;             // how many calls were compared
  std::atomic<stage> stage_{stage::ready};
  std::atomic<bool> busy_{false};
  std::atomic<bool> polls_{false};  // whether the call has a deadline of its own
  made_connections connections_{};
  std::atomic<int> graphs_{0};  // how many recorded calls graphs have
  std::atomic<std::uint64_t> turn_{0};
  std::atomic<const char*> last_verb_{""};
  mutable std::mutex mutex_{};      // of what follows
  std::vector<kept_alive> left_{};  // memory that work in flight may use
  std::error_code failure_code_{};
  std::string failure_{};
  std::uint64_t seen_turn_ = 0;  // only the watch uses these
  std::chrono::steady_clock::time_point seen_at_{};
};

}  // namespace yoke::inline v0_1::nccl::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/nccl/engine.ipp>
#endif

#endif

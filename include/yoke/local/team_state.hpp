// SPDX-License-Identifier: MIT
// Where the ranks of a team meet: operations in which all take part, messages between two, and the end of both.
#ifndef YOKE_LOCAL_TEAM_STATE_HPP
#define YOKE_LOCAL_TEAM_STATE_HPP

#include <yoke/core/shared.hpp>
#include <yoke/distributed/rank_check.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace yoke::inline v0_1::detail {

/// An operation in which all ranks take part. The team's lock guards its members.
struct local_round {
  explicit local_round(int size)
      : reached(static_cast<std::size_t>(size)), calls(reached.size()), parts(reached.size()) {}
  static constexpr int gone = 1000;  // a rank has left and reads no other rank's part any more

  std::vector<int> reached;      // the stage that each rank has reached; 0 before it has come
  std::vector<rank_call> calls;  // what each rank calls
  std::vector<void*> parts;      // what each rank shows the others
};

/// A message that a rank has posted for another one. The team's lock guards its state.
struct local_message {
  enum class state { posted, taken, done, refused };
  int from = 0;
  int to = 0;
  std::uint64_t number = 0;  // among the messages between the two
  rank_call call{};
  shared<void> part{};  // what the sender shows the receiver
  state now = state::posted;
};

/// What a rank waits for.
class local_wait {
 public:
  local_wait(int rank, const rank_call& call) : rank_(rank), call_(&call) {}
  local_wait(const local_wait&) = delete;
  local_wait& operator=(const local_wait&) = delete;
  /// Whether the rank can go on.
  [[nodiscard]] virtual bool is_met() const = 0;
  /// Whether the rank cannot go on without another one.
  [[nodiscard]] virtual bool needs(int other) const = 0;
  /// Whether the rank can also go on after a failure.
  [[nodiscard]] virtual bool is_kept() const { return true; }
  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] const rank_call& call() const noexcept { return *call_; }

 protected:
  ~local_wait() = default;

 private:
  int rank_;
  const rank_call* call_;
};

/// What the ranks of a team share. After the first failure each call throws.
/// Thread safety: safe; each rank is one thread at a time.
class team_state {
 public:
  YOKE_API team_state(int size, std::chrono::nanoseconds within);
  team_state(const team_state&) = delete;
  team_state& operator=(const team_state&) = delete;

  [[nodiscard]] int size() const noexcept { return size_; }
  [[nodiscard]] std::chrono::nanoseconds deadline() const noexcept { return deadline_; }

  /// Effects: gives a rank to a communicator. Throws: `logic_error` for a rank that does not exist or is taken.
  YOKE_API void enter(int rank, const source_location& where);
  /// Effects: the rank takes part in nothing any more; who waits for it gets `communication_error`.
  YOKE_API void leave(int rank) noexcept;
  /// Effects: notes the first failure, of a rank; all that wait, and later calls, throw.
  YOKE_API void fail(int rank, errc code, const std::string& words) noexcept;
  [[nodiscard]] YOKE_API bool has_failed() const;
  /// Throws: `communication_error` (`errc::communicator_ended`) with the first failure.
  YOKE_API void check(const rank_call& call) const;

  /// Effects: begins the rank's next operation. Returns: its round. Throws: as `check`.
  [[nodiscard]] YOKE_API shared<local_round> begin(int rank, const rank_call& call);
  /// Effects: shows `part`, if it is not null, to the other ranks, and waits until all have reached the stage. Throws:
  /// `communication_error`.
  YOKE_API void meet(local_round& in, int rank, int stage, void* part);
  /// Throws: `communication_error` unless all ranks call the same. Requires: all have come.
  YOKE_API void compare(local_round& in, int rank) const;
  /// Effects: the rank reads no other part any more. With `waits`, which follows a failure, it waits for the others that
  /// have come, for at most the deadline.
  YOKE_API void finish(local_round& in, int rank, bool waits) noexcept;

  /// Effects: gives a message its number, and shows it to its receiver. Throws: as `check`.
  YOKE_API void post(const shared<local_message>& message);
  /// Returns: the number of the next message that the rank expects of another one. Messages and those who expect them
  /// meet in the order in which both began, whichever ends first.
  [[nodiscard]] YOKE_API std::uint64_t expect(int rank, int from);
  /// Returns: a message of a rank, once that has posted it. Throws: `communication_error`.
  [[nodiscard]] YOKE_API shared<local_message> take(int rank, int from, std::uint64_t number, const rank_call& call);
  /// Effects: the receiver has read the message, or refuses it after a failure.
  YOKE_API void finish(local_message& message, bool is_read) noexcept;
  /// Effects: waits until the receiver has read the message. Throws: `communication_error`.
  YOKE_API void wait_for(const local_message& message);
  /// Whether a message of that rank can be taken.
  [[nodiscard]] YOKE_API bool has_message(int rank, int from, std::uint64_t number) const;
  /// Effects: takes back a message that nobody has taken; else waits until it is read, for at most the deadline.
  YOKE_API void withdraw(const shared<local_message>& message) noexcept;

 private:
  struct failure {
    errc code{};
    std::string words;
  };
  class all_reached;
  class message_posted;
  class message_read;

  /// The messages between two ranks that nobody has taken, and how many have begun on both sides.
  struct mailbox {
    std::deque<shared<local_message>> posted;
    std::uint64_t sent = 0;
    std::uint64_t expected = 0;

    [[nodiscard]] auto find(std::uint64_t number) const noexcept {
      auto at = posted.begin();
      while (at != posted.end() && (*at)->number != number) ++at;
      return at;
    }
  };
  [[nodiscard]] std::size_t place_of(int from, int to) const noexcept {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(size_) + static_cast<std::size_t>(to);
  }
  void wait(std::unique_lock<std::mutex>& lock, const local_wait& what);
  void note(errc code, std::string words);
  void find_standstill(const local_wait& last);
  [[nodiscard]] std::string waiting_words() const;

  const int size_;
  const std::chrono::nanoseconds deadline_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<bool> entered_;
  std::vector<bool> left_;
  std::vector<std::uint64_t> next_;         // the number of each rank's next round
  std::vector<const local_wait*> waiting_;  // what each rank waits for; null: it does not wait
  std::map<std::uint64_t, shared<local_round>> rounds_;
  std::vector<mailbox> mail_;
  bool failed_ = false;
  failure failure_;
};

/// Throws: `logic_error` unless a team can have as many ranks and this deadline.
YOKE_API void check_team(int ranks, std::chrono::nanoseconds deadline, const source_location& where);

/// The exception that caused the others: the first one that is no consequence of a lost rank. Thread safety: safe.
class first_exception {
 public:
  /// Effects: takes the exception that is being handled.
  YOKE_API void take();
  /// Throws: the exception, if there is one.
  YOKE_API void rethrow();

 private:
  std::mutex mutex_;
  std::exception_ptr cause_;
  std::exception_ptr consequence_;
};

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/local/team_state.ipp>
#endif

#endif

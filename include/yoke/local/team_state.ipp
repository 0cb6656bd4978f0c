// SPDX-License-Identifier: MIT
// Bodies of local/team_state.hpp.
#ifndef YOKE_LOCAL_TEAM_STATE_IPP
#define YOKE_LOCAL_TEAM_STATE_IPP

#include <yoke/local/team_state.hpp>

#include <yoke/distributed/deadline.hpp>

#include <algorithm>
#include <utility>

namespace yoke::inline v0_1::detail {

inline std::size_t index_of_rank(int rank) noexcept { return static_cast<std::size_t>(rank); }

/// All ranks have reached a stage of a round.
class team_state::all_reached final : public local_wait {
 public:
  all_reached(int rank, const rank_call& call, const local_round& of, int stage)
      : local_wait(rank, call), of_(of), stage_(stage) {}
  bool is_met() const override {
    return std::all_of(of_.reached.begin(), of_.reached.end(), [&](int each) { return each >= stage_; });
  }
  bool needs(int other) const override { return of_.reached[index_of_rank(other)] < stage_; }
  bool is_kept() const override { return false; }  // a rank that has failed shows nothing any more

 private:
  const local_round& of_;
  int stage_;
};
/// A rank has posted a message.
class team_state::message_posted final : public local_wait {
 public:
  message_posted(int rank, const rank_call& call, const mailbox& of, int from, std::uint64_t number)
      : local_wait(rank, call), of_(of), from_(from), number_(number) {}
  bool is_met() const override { return of_.find(number_) != of_.posted.end(); }
  bool needs(int other) const override { return other == from_ && !is_met(); }

 private:
  const mailbox& of_;
  int from_;
  std::uint64_t number_;
};
/// A rank has read a message.
class team_state::message_read final : public local_wait {
 public:
  explicit message_read(const local_message& of) : local_wait(of.from, of.call), of_(of) {}
  bool is_met() const override { return of_.now == local_message::state::done; }
  bool needs(int other) const override { return other == of_.to && !is_met(); }

 private:
  const local_message& of_;
};

team_state::team_state(int size, std::chrono::nanoseconds within)
    : size_(size),
      deadline_(within),
      entered_(index_of_rank(size)),
      left_(index_of_rank(size)),
      next_(index_of_rank(size)),
      waiting_(index_of_rank(size)),
      mail_(index_of_rank(size) * index_of_rank(size)) {}

void team_state::enter(int rank, const source_location& where) {
  check_rank("team", "rank", rank, size_, where);
  const std::lock_guard lock(mutex_);
  if (entered_[index_of_rank(rank)]) {
    throw_error(errc::invalid_argument, where, "rank ", rank, " of this team has its communicator already");
  }
  entered_[index_of_rank(rank)] = true;
}
void team_state::leave(int rank) noexcept {
  const std::lock_guard lock(mutex_);
  left_[index_of_rank(rank)] = true;
  changed_.notify_all();
}
void team_state::fail(int rank, errc code, const std::string& words) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    note(code, text("rank ", rank, " ", words));
  } catch (const std::bad_alloc&) {
    note(code, std::string());
  }
}
bool team_state::has_failed() const {
  const std::lock_guard lock(mutex_);
  return failed_;
}
void team_state::check(const rank_call& call) const {
  const std::lock_guard lock(mutex_);
  if (!failed_) return;
  throw_error(errc::communicator_ended, call.where, words_of(call), " after the team has failed: ", failure_.words);
}

// Requires: the lock is held.
void team_state::note(errc code, std::string words) {
  if (std::exchange(failed_, true)) return;
  failure_.code = code;
  failure_.words = std::move(words);
  changed_.notify_all();
}
std::string team_state::waiting_words() const {
  std::string made;
  for (const local_wait* each : waiting_) {
    if (each == nullptr) continue;
    made += text(made.empty() ? "" : ", ", words_of(each->rank(), each->call()));
  }
  return made;
}
// Effects: notes a failure if no rank can go on: each waits for another one, or for one that has left.
void team_state::find_standstill(const local_wait& last) {
  for (int other = 0; other < size_; ++other) {
    if (!left_[index_of_rank(other)] || !last.needs(other)) continue;
    return note(errc::rank_lost, text("rank ", other, " has left the team, and ", words_of(last.rank(), last.call())));
  }
  for (std::size_t each = 0; each < waiting_.size(); ++each) {
    if (!left_[each] && (waiting_[each] == nullptr || waiting_[each]->is_met())) return;
  }
  note(errc::mismatched_ranks, text("all ranks wait for each other: ", waiting_words()));
}
void team_state::wait(std::unique_lock<std::mutex>& lock, const local_wait& what) {
  const auto can_go_on = [&] { return what.is_met() && (!failed_ || what.is_kept()); };
  if (can_go_on()) return;
  const detail::deadline until(deadline_);
  const local_wait*& place = waiting_[index_of_rank(what.rank())];
  place = &what;
  struct end {
    const local_wait*& of;
    ~end() { of = nullptr; }
  } const ends{place};
  for (;;) {
    if (can_go_on()) return;
    if (!failed_) find_standstill(what);
    if (!failed_ && until.has_passed()) {
      std::string late;
      for (int other = 0; other < size_; ++other) {
        if (what.needs(other)) late += text(late.empty() ? "rank " : " and rank ", other);
      }
      note(errc::timed_out,
           text(words_of(what.rank(), what.call()), ", which has not ended within ", duration_text(deadline_), ": ",
                late, late.find(" and ") == std::string::npos ? " is late" : " are late"));
    }
    if (failed_) {
      throw_error(failure_.code, what.call().where, words_of(what.call()), " on rank ", what.rank(), ": ",
                  failure_.words);
    }
    // Wakes now and then, so that deadlines of any length are kept.
    changed_.wait_for(lock, std::min<std::chrono::nanoseconds>(deadline_, std::chrono::milliseconds(100)));
  }
}

shared<local_round> team_state::begin(int rank, const rank_call& call) {
  check(call);
  const std::lock_guard lock(mutex_);
  const std::uint64_t number = next_[index_of_rank(rank)]++;
  shared<local_round>& found = rounds_[number];
  if (!found) found = make_shared<local_round>(size_);
  found->calls[index_of_rank(rank)] = call;
  // A round that every rank has begun is found by nobody any more.
  shared<local_round> made = found;
  if (std::all_of(next_.begin(), next_.end(), [&](std::uint64_t each) { return each > number; })) rounds_.erase(number);
  return made;
}
void team_state::meet(local_round& in, int rank, int stage, void* part) {
  std::unique_lock lock(mutex_);
  if (part != nullptr) in.parts[index_of_rank(rank)] = part;
  in.reached[index_of_rank(rank)] = stage;
  changed_.notify_all();
  wait(lock, all_reached(rank, in.calls[index_of_rank(rank)], in, stage));
}
void team_state::compare(local_round& in, int rank) const {
  const std::lock_guard lock(mutex_);
  std::vector<const rank_call*> calls;
  for (const rank_call& each : in.calls) calls.push_back(&each);
  check_calls(rank, calls);
}
void team_state::finish(local_round& in, int rank, bool waits) noexcept {
  std::unique_lock lock(mutex_);
  in.reached[index_of_rank(rank)] = local_round::gone;
  changed_.notify_all();
  if (!waits) return;
  const detail::deadline until(deadline_);
  while (!until.has_passed() && std::any_of(in.reached.begin(), in.reached.end(),
                                            [](int each) { return each != 0 && each != local_round::gone; })) {
    changed_.wait_for(lock, std::chrono::milliseconds(10));
  }
}

void team_state::post(const shared<local_message>& message) {
  check(message->call);
  const std::lock_guard lock(mutex_);
  mailbox& box = mail_[place_of(message->from, message->to)];
  message->number = box.sent;
  box.posted.push_back(message);
  ++box.sent;
  changed_.notify_all();
}
std::uint64_t team_state::expect(int rank, int from) {
  const std::lock_guard lock(mutex_);
  return mail_[place_of(from, rank)].expected++;
}
shared<local_message> team_state::take(int rank, int from, std::uint64_t number, const rank_call& call) {
  std::unique_lock lock(mutex_);
  mailbox& box = mail_[place_of(from, rank)];
  wait(lock, message_posted(rank, call, box, from, number));
  const auto found = box.find(number);
  shared<local_message> taken = *found;
  box.posted.erase(found);
  taken->now = local_message::state::taken;
  return taken;
}
void team_state::finish(local_message& message, bool is_read) noexcept {
  const std::lock_guard lock(mutex_);
  message.now = is_read ? local_message::state::done : local_message::state::refused;
  changed_.notify_all();
}
void team_state::wait_for(const local_message& message) {
  std::unique_lock lock(mutex_);
  wait(lock, message_read(message));
}
bool team_state::has_message(int rank, int from, std::uint64_t number) const {
  const std::lock_guard lock(mutex_);
  const mailbox& box = mail_[place_of(from, rank)];
  return box.find(number) != box.posted.end();
}
void team_state::withdraw(const shared<local_message>& message) noexcept {
  std::unique_lock lock(mutex_);
  auto& box = mail_[place_of(message->from, message->to)].posted;
  const auto found = std::find(box.begin(), box.end(), message);
  if (found != box.end()) {
    box.erase(found);
    message->now = local_message::state::refused;
    return;
  }
  const detail::deadline until(deadline_);
  while (!until.has_passed() && message->now == local_message::state::taken) {
    changed_.wait_for(lock, std::chrono::milliseconds(10));
  }
}

void check_team(int ranks, std::chrono::nanoseconds deadline, const source_location& where) {
  if (ranks < 1) throw_error(errc::invalid_argument, where, "a team of ", ranks, " ranks: it takes at least one");
  if (deadline < std::chrono::nanoseconds(0)) {
    throw_error(errc::invalid_argument, where, "a team's deadline is below 0: ", duration_text(deadline));
  }
}

void first_exception::take() {
  const std::lock_guard lock(mutex_);
  try {
    throw;
  } catch (const communication_error& of) {
    const bool is_consequence = of.code() == errc::rank_lost || of.code() == errc::communicator_ended;
    auto& place = is_consequence ? consequence_ : cause_;
    if (!place) place = std::current_exception();
  } catch (...) {
    if (!cause_) cause_ = std::current_exception();
  }
}
void first_exception::rethrow() {
  if (cause_) std::rethrow_exception(cause_);
  if (consequence_) std::rethrow_exception(consequence_);
}

}  // namespace yoke::inline v0_1::detail

#endif

// SPDX-License-Identifier: MIT
// Messages between ranks of a team, sent and received together.
#ifndef YOKE_LOCAL_TEAM_EXCHANGE_HPP
#define YOKE_LOCAL_TEAM_EXCHANGE_HPP

#include <yoke/distributed/exchange.hpp>
#include <yoke/local/team_operation.hpp>

#include <cstdint>
#include <exception>
#include <string_view>
#include <utility>
#include <vector>

namespace yoke::inline v0_1::detail {

/// What a sender shows its receiver.
template <class Port>
struct local_sent {
  local_memory<Port> from{};
  shared<const stream<Port>> in{};
  shared<const event<Port>> ready{};  // behind the packing
  event<Port> read{};                 // behind the receiver's copy; empty if the host has copied
};

/// An exchange that has begun. Thread safety: one thread at a time.
template <class Port>
class local_exchange {
 public:
  /// Effects: packs the messages that are sent, and shows them to their receivers. Throws: `logic_error`,
  /// `communication_error`, `error`.
  local_exchange(const local_rank& at, const char* verb, const std::vector<listed_message<Port>>& list,
                 const stream<Port>& in, const source_location& where)
      : at_(at),
        where_(where),
        list_(list),
        in_(detail::make_shared<const stream<Port>>(in.another(where))),
        sends_(*in_, where) {
    for (const auto& each : list_) {
      calls_.push_back({each.sends ? "send" : "receive", each.range.count(), each.range.element, each.range.type, -1,
                        -1, each.where});
      check_rank(verb, each.sends ? "destination" : "source", each.peer, at_.size(), each.where);
      local_operands<Port>::check(in, each.range, each.sends ? "source" : "destination", each.where);
    }
    at_.team->check({.verb = verb, .where = where});
    std::vector<local_memory<Port>> from;
    for (const auto& each : list_) {
      if (each.sends) from.push_back(sends_.take(each.range, memory_use::reads, true));
    }
    const auto ready = detail::make_shared<const event<Port>>(in_->record({}, where));
    in_->flush(where);
    try {
      std::size_t number = 0;
      expected_.resize(list_.size());
      for (std::size_t k = 0; k < list_.size(); ++k) {
        if (!list_[k].sends) {
          expected_[k] = at_.team->expect(at_.rank, list_[k].peer);
          continue;
        }
        auto part = detail::make_shared<local_sent<Port>>();
        part->from = from[number++];
        part->in = in_;
        part->ready = ready;
        auto message = detail::make_shared<local_message>();
        message->from = at_.rank;
        message->to = list_[k].peer;
        message->call = calls_[k];
        message->part = part;
        at_.team->post(message);
        posted_.push_back({message, std::move(part)});
      }
    } catch (...) {
      give_up(verb);
      throw;
    }
  }
  local_exchange(const local_exchange&) = delete;
  local_exchange& operator=(const local_exchange&) = delete;
  /// Effects: ends the exchange; while an exception passes, fails the team and takes back what nobody has read.
  ~local_exchange() {
    if (is_finished_) return;
    if (std::uncaught_exceptions() > exceptions_) {
      // The number of a message that never comes is for ever the next one of its ranks.
      at_.team->fail(at_.rank, errc::rank_lost, "leaves an exchange by an exception");
      withdraw();
      return;
    }
    try {
      finish(*in_, where_);
    } catch (const error& failure) {
      report_cleanup_failure(failure.code(), failure.call(), failure.what());
    } catch (...) {
      report_cleanup_exception("exchange");
    }
  }

  [[nodiscard]] bool is_finished() const noexcept { return is_finished_; }
  [[nodiscard]] const stream<Port>& order() const noexcept { return *in_; }
  /// Whether `finish` would wait for no rank.
  [[nodiscard]] bool is_met() const {
    for (std::size_t k = 0; k < list_.size(); ++k) {
      if (!list_[k].sends && !at_.team->has_message(at_.rank, list_[k].peer, expected_[k])) return false;
    }
    return true;
  }
  /// Effects: receives what the list receives; later commands of `in` see it, and may write what has been sent. Waits
  /// for the peers' calls. Throws: `communication_error`, `error`.
  void finish(const stream<Port>& in, const source_location& where) {
    if (std::exchange(is_finished_, true)) return;
    try {
      local_operands<Port> operands(in, where);
      const bool is_own = in.native_handle() == in_->native_handle() && in.context_of() == in_->context_of();
      if (!is_own) in.wait(in_->record({}, where), where);
      for (std::size_t k = 0; k < list_.size(); ++k) {
        if (!list_[k].sends) receive(operands, in, k, where);
      }
      for (const posted& each : posted_) {
        at_.team->wait_for(*each.message);
        if (each.part->read) in.wait(each.part->read, where);
      }
      operands.unpack();
      // The packed copies end in the order of the stream that made them.
      if (!is_own) in_->wait(in.record({}, where), where);
    } catch (...) {
      give_up("exchange");
      throw;
    }
  }

 private:
  struct posted {
    shared<local_message> message;
    shared<local_sent<Port>> part;
  };
  void receive(local_operands<Port>& operands, const stream<Port>& in, std::size_t k, const source_location& where) {
    const listed_message<Port>& own = list_[k];
    const local_memory<Port> to = operands.take(own.range, memory_use::writes, false);
    const shared<local_message> message = at_.team->take(at_.rank, own.peer, expected_[k], calls_[k]);
    struct end {
      team_state& team;
      local_message& message;
      bool is_read = false;
      ~end() { team.finish(message, is_read); }
    } ends{*at_.team, *message};
    const rank_call& theirs = message->call;
    if (theirs.count != own.range.count() || theirs.element != own.range.element ||
        std::string_view(theirs.type) != own.range.type) {
      at_.team->fail(at_.rank, errc::mismatched_ranks,
                     text("does not take the message of the other rank: ", words_of(at_.rank, calls_[k]), ", ",
                          words_of(own.peer, theirs)));
      throw_error(errc::mismatched_ranks, own.where, words_of(calls_[k]), " on rank ", at_.rank,
                  " does not match its message: ", words_of(own.peer, theirs));
    }
    ends.is_read = true;
    if (to.bytes == 0) return;
    ends.is_read = false;
    auto* const part = static_cast<local_sent<Port>*>(message->part.get());
    try {
      pull_memory(in, to, *part->in, part->from, *part->ready, *at_.met, where);
      if (are_together(in, *part->in)) {
        part->read = in.record({}, where);
        in.flush(where);
      }
    } catch (...) {
      try {
        in.synchronize(where);  // the sender may free its memory afterwards
      } catch (...) {           // the first failure is thrown
      }
      throw;
    }
    ends.is_read = true;
  }
  void give_up(const char* verb) noexcept {
    fail_by_exception(*at_.team, at_.rank, verb);
    withdraw();
  }
  void withdraw() noexcept {
    is_finished_ = true;
    for (const posted& each : posted_) {
      at_.team->withdraw(each.message);
      try {
        if (each.part->read) each.part->read.wait(where_);
      } catch (...) {  // the first failure is thrown
      }
    }
  }

  const local_rank at_;
  const source_location where_;
  const std::vector<listed_message<Port>> list_;
  std::vector<rank_call> calls_;
  std::vector<std::uint64_t> expected_;  // the numbers of the messages that are received
  const shared<const stream<Port>> in_;
  local_operands<Port> sends_;
  std::vector<posted> posted_;
  const int exceptions_ = std::uncaught_exceptions();
  bool is_finished_ = false;
};

}  // namespace yoke::inline v0_1::detail

#endif

// SPDX-License-Identifier: MIT
// One operation in which all ranks of a team take part: how they meet, show memory and read it.
#ifndef YOKE_LOCAL_TEAM_OPERATION_HPP
#define YOKE_LOCAL_TEAM_OPERATION_HPP

#include <yoke/local/team_memory.hpp>
#include <yoke/local/team_state.hpp>

#include <array>
#include <string>

namespace yoke::inline v0_1::detail {

/// A rank of a team.
struct local_rank {
  shared<team_state> team{};
  int rank = 0;
  shared<met_contexts> met = make_shared<met_contexts>();

  [[nodiscard]] int size() const noexcept { return team->size(); }
};

/// Returns: what an exception says. Requires: one is being handled.
[[nodiscard]] YOKE_API std::string words_of_exception();
/// Effects: fails the team with the exception that is being handled, unless it came from the team itself.
YOKE_API void fail_by_exception(team_state& team, int rank, const char* verb) noexcept;

/// One operation in which all ranks take part.
template <class Port>
class local_operation {
 public:
  local_operation(const local_rank& at, const rank_call& call, const stream<Port>& in)
      : at_(at), call_(call), in_(in), operands_(in, call.where) {}
  local_operation(const local_operation&) = delete;
  local_operation& operator=(const local_operation&) = delete;
  ~local_operation() = default;

  [[nodiscard]] local_operands<Port>& operands() noexcept { return operands_; }

  /// Effects: calls `work()` between the first meeting and the last; after a failure, in which the other ranks may still
  /// read this rank's memory, waits for them.
  template <class Work>
  void run(const Work& work) {
    round_ = at_.team->begin(at_.rank, call_);
    try {
      work();
    } catch (...) {
      fail_by_exception(*at_.team, at_.rank, call_.verb);
      wait_here();
      at_.team->finish(*round_, at_.rank, true);
      throw;
    }
    at_.team->finish(*round_, at_.rank, false);
  }
  /// Effects: shows memory to the other ranks, and waits until all show theirs. Throws: `communication_error`, `error`.
  void share(const local_memory<Port>& from) {
    const std::size_t number = static_cast<std::size_t>(stage_);
    parts_[number].from = from;
    parts_[number].in = &in_;
    parts_[number].ready = in_.record({}, call_.where);
    in_.flush(call_.where);
    next_stage();
    if (stage_ == 1) at_.team->compare(*round_, at_.rank);
  }
  /// Effects: enqueues a copy of `to.bytes` bytes of what a rank shows, from the byte `first` on.
  void pull(int rank, std::size_t first, const local_memory<Port>& to) {
    if (to.bytes == 0) return;
    const part& of = part_of(rank, stage_ - 1);
    const local_memory<Port> from = of.from.part(first, to.bytes);
    if (rank == at_.rank && from == to) return;
    pull_memory(in_, to, *of.in, from, of.ready, *at_.met, call_.where);
  }
  /// Effects: later commands of the stream wait until the ranks for which `has_read(rank)` is true have read this rank's
  /// memory. Throws: `communication_error`, `error`.
  template <class HasRead>
  void end(const HasRead& has_read) {
    const std::size_t number = static_cast<std::size_t>(stage_);
    parts_[number].in = &in_;
    parts_[number].ready = in_.record({}, call_.where);
    in_.flush(call_.where);
    next_stage();
    for (int other = 0; other < at_.size(); ++other) {
      if (other == at_.rank || !has_read(other)) continue;
      const part& of = part_of(other, stage_ - 1);
      if (are_together(in_, *of.in)) in_.wait(of.ready, call_.where);  // else the host has copied
    }
    next_stage();  // the other ranks' events are used until here
  }
  /// Effects: later commands of the stream wait for the commands of all streams before `share`. Throws: as `end`.
  void wait_for_all() {
    for (int other = 0; other < at_.size(); ++other) {
      if (other == at_.rank) continue;
      const part& of = part_of(other, stage_ - 1);
      if (are_together(in_, *of.in)) {
        in_.wait(of.ready, call_.where);
      } else {
        of.ready.wait(call_.where);
      }
    }
    next_stage();
  }

 private:
  struct part {
    local_memory<Port> from{};
    const stream<Port>* in = nullptr;
    event<Port> ready{};
  };
  [[nodiscard]] const part& part_of(int rank, int stage) const {
    return static_cast<const part*>(round_->parts[static_cast<std::size_t>(rank)])[stage];
  }
  void next_stage() {
    ++stage_;
    at_.team->meet(*round_, at_.rank, stage_, stage_ == 1 ? parts_.data() : nullptr);
  }
  void wait_here() const noexcept {
    try {
      in_.synchronize(call_.where);
    } catch (...) {  // the failure before is thrown
    }
  }

  const local_rank& at_;
  const rank_call& call_;
  const stream<Port>& in_;
  local_operands<Port> operands_;
  std::array<part, 4> parts_{};
  shared<local_round> round_;
  int stage_ = 0;
};

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/local/team_operation.ipp>
#endif

#endif

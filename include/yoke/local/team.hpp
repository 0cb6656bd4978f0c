// SPDX-License-Identifier: MIT
// A team of ranks that are threads of this process.
#ifndef YOKE_LOCAL_TEAM_HPP
#define YOKE_LOCAL_TEAM_HPP

#include <yoke/local/communicator.hpp>

#include <thread>

namespace yoke::inline v0_1 {

/// Options of a team.
struct local_team_options {
  /// How long a rank waits for the others in one call before it fails.
  std::chrono::nanoseconds deadline = std::chrono::seconds(60);
};

/// Ranks that are threads of this process, on one device or several, of any backend. It tests what is written for NCCL
/// and MPI, and gives OpenCL operations over several devices.
/// Thread safety: safe, but for `run`, which one thread calls at a time.
/// Example:
/// `yoke::local_team{4}.run([&](auto& comm) { yoke::stream<> s{ctx}; ...; comm.all_reduce(x, yoke::summed, s); });`
template <class Port = any_port>
class local_team {
 public:
  using port_type = Port;
  using communicator_type = local_communicator<Port>;

  /// Throws: `logic_error` unless there is a rank, and for a deadline below 0.
  explicit local_team(int ranks, const local_team_options& options = {},
                      const source_location& where = source_location::current())
      : size_(ranks), options_(options) {
    detail::check_team(ranks, options.deadline, where);
    state_ = detail::make_shared<detail::team_state>(ranks, options.deadline);
  }

  [[nodiscard]] int size() const noexcept { return size_; }
  /// Returns: the communicator of a rank, for a thread of the program. Each rank has one.
  /// Throws: `logic_error` for a rank that does not exist or has its communicator.
  [[nodiscard]] communicator_type communicator_of(int rank, const source_location& where = source_location::current()) {
    state_->enter(rank, where);
    return communicator_type(detail::local_rank{.team = state_, .rank = rank});
  }
  /// Calls `function(comm)` for each rank, in a thread of its own, with ranks of its own. Returns when all have returned.
  /// Throws: what the first function throws; the others then get `communication_error` in their next call.
  template <class Function>
  void run(const Function& function) {
    const auto state = detail::make_shared<detail::team_state>(size_, options_.deadline);
    detail::first_exception failure;
    std::vector<detail::local_rank> ranks;
    for (int rank = 0; rank < size_; ++rank) ranks.push_back({.team = state, .rank = rank});
    std::vector<std::thread> threads;
    const auto call = [&](int rank) {
      communicator_type comm(ranks[static_cast<std::size_t>(rank)]);
      try {
        function(comm);
      } catch (...) {
        failure.take();
        detail::fail_by_exception(*state, rank, "its function");
      }
    };
    try {
      for (int rank = 0; rank < size_; ++rank) threads.emplace_back(call, rank);
    } catch (...) {
      state->fail(static_cast<int>(threads.size()), errc::rank_lost, "has no thread");
      for (auto& each : threads) each.join();
      throw;
    }
    for (auto& each : threads) each.join();
    failure.rethrow();
  }

 private:
  int size_;
  local_team_options options_;
  detail::shared<detail::team_state> state_;
};
local_team(int) -> local_team<any_port>;
local_team(int, const local_team_options&) -> local_team<any_port>;

}  // namespace yoke::inline v0_1

#endif

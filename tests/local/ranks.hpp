// SPDX-License-Identifier: MIT
// What tests of ranks share: teams whose ranks have a stream each, and what they bring home.
#ifndef YOKE_TESTS_LOCAL_RANKS_HPP
#define YOKE_TESTS_LOCAL_RANKS_HPP

#include <array/array_rig.hpp>
#include <support/devices/settle.hpp>
#include <yoke/local.hpp>

#include <vector>

namespace yoke_test::ranks {

using namespace std::chrono_literals;
using communicator = yoke::local_communicator<>;

/// A context for all ranks, whose end waits for what callbacks keep.
struct team_rig : arrays::any_rig {
  using any_rig::any_rig;
  ~team_rig() { settle(stream); }
};

/// Returns: what `function(comm, stream)` returns for each rank. The ranks have a stream each in one context.
template <class Function>
auto in_team(const yoke::context<>& in, int ranks, const Function& function, std::chrono::nanoseconds deadline = 60s) {
  using result = decltype(function(std::declval<communicator&>(), std::declval<const yoke::stream<>&>()));
  std::vector<result> made(static_cast<std::size_t>(ranks));
  yoke::local_team(ranks, {.deadline = deadline}).run([&](communicator& comm) {
    const yoke::stream<> stream(in, in.devices().front());
    made[static_cast<std::size_t>(comm.rank())] = function(comm, stream);
  });
  return made;
}

/// Returns: what each rank's call throws, or "". All ranks call even if one throws.
template <class Function>
std::vector<std::string> failures_in_team(const yoke::context<>& in, int ranks, const Function& function,
                                          std::chrono::nanoseconds deadline = 60s) {
  return in_team(
      in, ranks,
      [&](communicator& comm, const yoke::stream<>& stream) {
        try {
          function(comm, stream);
        } catch (const std::exception& thrown) {
          return std::string(thrown.what());
        }
        return std::string();
      },
      deadline);
}

/// Returns: the elements that a rank has: 100 * rank, 100 * rank + 1, ...
template <class T = int>
std::vector<T> elements_of(int rank, std::size_t count) {
  std::vector<T> made(count);
  for (std::size_t k = 0; k < count; ++k) {
    const int value = 100 * rank + static_cast<int>(k);
    if constexpr (std::is_integral_v<T>) {
      made[k] = static_cast<T>(value);
    } else {
      made[k] = static_cast<T>(static_cast<float>(value));
    }
  }
  return made;
}

}  // namespace yoke_test::ranks

#endif

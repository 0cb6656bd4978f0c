// SPDX-License-Identifier: MIT
// Conditions of graphs, which kernels set by number.
#ifndef YOKE_SIMULATOR_ENGINE_WORDS_CONDITIONS_HPP
#define YOKE_SIMULATOR_ENGINE_WORDS_CONDITIONS_HPP

#include <atomic>
#include <memory>

namespace yoke::simulator {

struct graph_condition {
  unsigned long long number = 0;
  std::atomic<unsigned> value{0};
};

/// Returns: a new condition, which kernels find until it ends. Thread safety: safe.
std::shared_ptr<graph_condition> make_condition();
/// Returns: whether the condition exists. Thread safety: safe.
bool set_condition(unsigned long long number, unsigned value);

}  // namespace yoke::simulator

#endif

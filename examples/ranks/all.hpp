// SPDX-License-Identifier: MIT
// All examples of several ranks.
#ifndef YOKE_EXAMPLES_RANKS_ALL_HPP
#define YOKE_EXAMPLES_RANKS_ALL_HPP

#include "conjugate_gradient.hpp"
#include "heat.hpp"
#include "pipeline.hpp"
#include "regression.hpp"
#include "sample_sort.hpp"

namespace ranks {

/// Effects: calls `run(name, example)` for each. An example takes a communicator and a stream, and returns whether this
/// rank's result is right. Heat writes its picture to the file `picture`.
template <class Run>
void each_example(const char* picture, const Run& run) {
  run("heat", [picture](auto& comm, const auto& s) { return heat(comm, s, picture); });
  run("regression", [](auto& comm, const auto& s) { return regression(comm, s); });
  run("conjugate gradients", [](auto& comm, const auto& s) { return conjugate_gradient(comm, s); });
  run("sample sort", [](auto& comm, const auto& s) { return sample_sort(comm, s); });
  run("pipeline", [](auto& comm, const auto& s) { return pipeline(comm, s); });
}

}  // namespace ranks

#endif

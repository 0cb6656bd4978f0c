// SPDX-License-Identifier: MIT
// A pipeline: each rank is a stage, which works on one batch while the next one comes.
#ifndef YOKE_EXAMPLES_RANKS_PIPELINE_HPP
#define YOKE_EXAMPLES_RANKS_PIPELINE_HPP

#include <yoke/array.hpp>
#include <yoke/distributed.hpp>

#include <vector>

namespace ranks {

/// Returns: whether the last rank gets each batch with the work of all stages; other ranks return true.
template <yoke::communicator Communicator>
bool pipeline(Communicator& comm, const yoke::stream<typename Communicator::port_type>& s) {
  using port = typename Communicator::port_type;
  constexpr int batches = 6;
  constexpr std::size_t count = 1000;
  const int me = comm.rank();
  const bool is_first = me == 0;
  const bool is_last = me + 1 == comm.size();
  const yoke::stream<port> work(s.context_of(), s.device_of());

  // Two buffers on each side: batch k + 1 comes while batch k is worked on.
  std::vector<yoke::device_array<float, 1, port>> in;
  std::vector<yoke::device_array<float, 1, port>> out;
  for (int k = 0; k < 2; ++k) {
    in.emplace_back(s, yoke::shape{count});
    out.emplace_back(s, yoke::shape{count});
  }
  bool right = true;
  for (int batch = 0; batch < batches; ++batch) {
    auto& given = in[static_cast<std::size_t>(batch % 2)];
    auto& made = out[static_cast<std::size_t>(batch % 2)];
    if (is_first) {
      given.fill(static_cast<float>(batch));
    } else {
      comm.receive(given, me - 1, s);
    }
    work.wait(s.record());
    made.bind(work) = 2 * given + 1;  // the stage's work
    s.wait(work.record());
    if (!is_last) {
      comm.send(made, me + 1, s);
      continue;
    }
    float expected = static_cast<float>(batch);
    for (int stage = 0; stage < comm.size(); ++stage) expected = 2 * expected + 1;
    right = right && made.to_host() == std::vector<float>(count, expected);
  }
  return right;
}

}  // namespace ranks

#endif

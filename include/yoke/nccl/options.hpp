// SPDX-License-Identifier: MIT
// Options of NCCL's communicators.
#ifndef YOKE_NCCL_OPTIONS_HPP
#define YOKE_NCCL_OPTIONS_HPP

#include <chrono>
#include <cstddef>
#include <functional>
#include <limits>

namespace yoke::inline v0_1::nccl {

/// How the calls of a communicator stand in graphs.
enum class graphs : unsigned char {
  any,  ///< several graphs run at once, and beside calls in streams; bodies of conditional nodes take none
  one,  ///< only one graph with its calls runs at a time, and no call beside it; bodies of conditional nodes take them
};

/// Options of a communicator or a clique.
struct options {
  /// How long a communicator may take to be made, a verb to enqueue, and `wait` to return. Then the communicator is
  /// aborted, and the call throws.
  std::chrono::nanoseconds deadline = std::chrono::seconds(30);
  /// How long an abort, and the end of a communicator, may hold up the call.
  std::chrono::nanoseconds end_within = std::chrono::seconds(5);
  /// Each collective first compares verb, type, count, operator, root and line with those of the other ranks, and throws
  /// on all of them where they differ. Each call then waits for the stream and for the other ranks. `YOKE_DEBUG=ranks`
  /// sets it for all communicators.
  bool check = false;
  /// False: NCCL's own calls return before they have ended. A communicator can then be aborted while it is made; each
  /// verb takes longer, because NCCL starts a thread for it.
  bool blocking = true;
  /// What graphs may do with the communicator. All ranks say the same. `graphs::one` needs NCCL 2.29, or the variable
  /// NCCL_GRAPH_MIXING_SUPPORT=0.
  nccl::graphs graphs = nccl::graphs::any;
  /// The longest message, in bytes, of a clique's `halo_exchange` by peer copies, which need GPUs that see each other's
  /// memory. If one message is longer, or two neighbours do not see each other, all go by NCCL; with 0 they always do.
  /// Peer copies were the quicker ones at each size measured, up to 1 GiB.
  std::size_t peer_copy_bytes = (std::numeric_limits<std::size_t>::max)();
  /// The longest message, in bytes, that a clique's halos write straight into the receiver's memory when they are
  /// started; longer ones are copied beside the streams' other work. `run` always writes: nothing can run beside it.
  std::size_t peer_write_bytes = std::size_t{1} << 20U;
  /// Called again and again while `wait` waits, for libraries that need calls to make progress.
  std::function<void()> while_waiting{};
};

}  // namespace yoke::inline v0_1::nccl

#endif

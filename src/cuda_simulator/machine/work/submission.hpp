// SPDX-License-Identifier: MIT
// Puts commands into streams, whose workers run them.
#ifndef YOKE_SIMULATOR_MACHINE_WORK_SUBMISSION_HPP
#define YOKE_SIMULATOR_MACHINE_WORK_SUBMISSION_HPP

#include <functional>

#include "machine/stream/stream.hpp"

namespace yoke::simulator {

/// Effects: puts a command at the end of the queue, behind the legacy stream's or the blocking streams' where that is
/// the rule. Returns: what to wait for.
ticket submit(stream& to, command what);
ticket submit(stream& to, std::function<void()> work);

/// Returns: the next command of the stream, which nobody has put in yet.
ticket next_ticket(stream& to);

}  // namespace yoke::simulator

#endif

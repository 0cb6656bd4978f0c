// SPDX-License-Identifier: MIT
// Puts commands into streams, whose workers run them.
#ifndef YOKE_SIMULATOR_MACHINE_WORK_SUBMISSION_HPP
#define YOKE_SIMULATOR_MACHINE_WORK_SUBMISSION_HPP

#include <functional>

#include "machine/stream/stream.hpp"

namespace yoke::simulator {

/// Effects: appends a command to the queue, after the legacy stream's or the blocking streams' commands if the rules
/// demand it. Returns: its ticket.
ticket submit(stream& to, command what);
ticket submit(stream& to, std::function<void()> work);

/// Returns: the ticket of the stream's next, future command.
ticket next_ticket(stream& to);

}  // namespace yoke::simulator

#endif

// SPDX-License-Identifier: MIT
// Work over several ranks: the concept of communicators, operators, lists of sends and receives; opt-in.
#ifndef YOKE_DISTRIBUTED_HPP
#define YOKE_DISTRIBUTED_HPP

#include <yoke/distributed/communicator.hpp>
#include <yoke/distributed/deadline.hpp>
#include <yoke/distributed/exchange.hpp>
#include <yoke/distributed/message_range.hpp>
#include <yoke/distributed/operators.hpp>
#include <yoke/driver/any/port.hpp>

#endif

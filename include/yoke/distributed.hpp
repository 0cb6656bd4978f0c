// SPDX-License-Identifier: MIT
// Work over several ranks: communicators, operators, lists of sends and receives, partitions and halos; opt-in.
#ifndef YOKE_DISTRIBUTED_HPP
#define YOKE_DISTRIBUTED_HPP

#include <yoke/distributed/array_partition.hpp>
#include <yoke/distributed/communicator.hpp>
#include <yoke/distributed/deadline.hpp>
#include <yoke/distributed/exchange.hpp>
#include <yoke/distributed/halo_exchange.hpp>
#include <yoke/distributed/index_box.hpp>
#include <yoke/distributed/message_range.hpp>
#include <yoke/distributed/operators.hpp>
#include <yoke/distributed/peer_paths.hpp>
#include <yoke/distributed/rank_check.hpp>
#include <yoke/driver/any/port.hpp>

#endif

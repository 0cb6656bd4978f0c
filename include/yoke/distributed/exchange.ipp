// SPDX-License-Identifier: MIT
// Bodies of distributed/exchange.hpp: the messages of wrong ranks.
#ifndef YOKE_DISTRIBUTED_EXCHANGE_IPP
#define YOKE_DISTRIBUTED_EXCHANGE_IPP

#include <yoke/distributed/exchange.hpp>

namespace yoke::inline v0_1 {

void detail::throw_peer(const char* verb, int peer, const source_location& where) {
  throw_error(errc::out_of_range, where, "a list cannot ", verb, verb[0] == 's' ? " to" : " from", " rank ", peer,
              ": ranks begin at 0");
}

}  // namespace yoke::inline v0_1

#endif

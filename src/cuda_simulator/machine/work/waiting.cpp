// SPDX-License-Identifier: MIT
// Waits under the driver's lock, and tells the table of memory which commands the program has seen done.
#include "machine/work/waiting.hpp"

#include <string>
#include <utility>
#include <vector>

#include "machine/base/call.hpp"
#include "machine/base/settings.hpp"
#include "machine/base/state.hpp"
#include "machine/memory/pools.hpp"

namespace yoke::simulator {

void wait_for(driver_lock& lock, const ticket& what) {
  state<stream_state>().changed.wait(lock, [&] { return what.done(); });
  state<memory_table>().observe(what);
}

void wait_for_all(driver_lock& lock, context& of) {
  std::vector<ticket> tickets;
  for (const std::shared_ptr<stream>& each : of.streams) tickets.push_back(latest_ticket(*each));
  state<stream_state>().changed.wait(lock, [&] { return are_done(tickets); });
  for (const ticket& each : tickets) state<memory_table>().observe(each);
}

void wait_for_users(driver_lock& lock, const memory_block& block) {
  std::vector<ticket> others;
  for (const memory_use& each : block.uses) others.push_back(each.at);
  wait_for_all(lock, *block.owner);
  for (const ticket& each : others) wait_for(lock, each);
}

void check_work(context& done) {
  release_idle(done.device);
  const unsigned long launches = std::exchange(done.new_launches, 0);
  const std::vector<std::string> overruns =
      launches > 0 ? state<memory_table>().take_overruns(done) : std::vector<std::string>();
  for (const std::string& each : overruns) {
    std::string why = each + "; noticed at a synchronisation after kernel " + done.latest_kernel.data();
    if (launches > 1) why += ", the last of " + std::to_string(launches) + " launches since the one before";
    if (done.error != abi::success) say(why);
    break_context(done, abi::error_illegal_address, why);
  }
  require(done.error == abi::success, done.error);
}

}  // namespace yoke::simulator

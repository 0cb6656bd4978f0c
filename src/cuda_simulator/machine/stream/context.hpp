// SPDX-License-Identifier: MIT
// Contexts, and each thread's stack of them.
#ifndef YOKE_SIMULATOR_MACHINE_STREAM_CONTEXT_HPP
#define YOKE_SIMULATOR_MACHINE_STREAM_CONTEXT_HPP

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "machine/base/call.hpp"
#include "machine/stream/stream.hpp"

namespace yoke::simulator {

struct thread_record;

/// A context is never freed, so that a stack may name one that was destroyed. Thread safety: the driver's lock.
struct context {
  abi::context handle = nullptr;
  int device = 0;
  bool is_primary = false;
  bool alive = false;
  unsigned flags = 0;
  unsigned long long id = 0;
  abi::status error = abi::success;  ///< sticky: the failure of a kernel
  std::array<std::size_t, 10> limits{};
  abi::cache_config cache = abi::cache_config::prefer_none;
  std::shared_ptr<stream> legacy{};
  std::vector<std::shared_ptr<stream>> streams{};  ///< all, including the default ones
  std::map<thread_record*, std::shared_ptr<stream>> per_thread{};
  order_clock departed{};                 ///< the work of blocking streams that have ended
  std::set<context*> peers{};             ///< contexts whose memory may be used here
  std::array<char, 128> latest_kernel{};  ///< the kernel that ended last; truncated, so that noting it needs no memory
  unsigned long new_launches = 0;         ///< ended since the last check of the canaries
};

/// The thread's stack of contexts; outlives the thread's own variables, because calls at exit use it.
struct thread_record {
  std::vector<context*> stack;
};
/// Thread safety: the driver's lock.
struct context_state {
  std::vector<std::unique_ptr<context>> contexts{};
  std::vector<std::unique_ptr<thread_record>> threads{};
  unsigned long long made = 0;
};

thread_record& this_thread_record();

/// Throws: refusal, if the context was destroyed or has an error.
void check_context(const context& which);
/// Returns: the top of this thread's stack, usable. Throws: refusal.
context& current_context();
/// Returns: the top of the stack in any state, or null.
context* top_context();
/// Returns: the context of that handle, alive or not. Throws: refusal.
context& context_of(abi::context handle);
/// Returns: the stream of this thread in that context.
stream& per_thread_stream(context& in);

/// Returns: a new context.
context& make_context(int device, unsigned flags, bool is_primary);
/// Effects: makes an inactive primary context active again.
void activate(context& which);
/// Effects: gives the context an error that every later call in it returns, and reports the reason once.
void break_context(context& which, abi::status code, const std::string& why);

}  // namespace yoke::simulator

#endif

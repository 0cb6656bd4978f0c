// SPDX-License-Identifier: MIT
// Each service is a call on the block that runs on the calling OS thread.
#include "engine/launch/services.hpp"

#include <chrono>
#include <string>

#include "engine/launch/block.hpp"
#include "engine/words/conditions.hpp"
#include "engine/words/rounding.hpp"
#include "engine/words/special_functions.hpp"
#include "engine/words/texels.hpp"

namespace yoke::simulator {

namespace {

using yoke_simulator::failure;
using yoke_simulator::meeting;
using yoke_simulator::place;

std::string at(const place& where) { return std::string(where.file) + "(" + std::to_string(where.line) + ")"; }

// After a failure no thread goes on; its stack is dropped, and must not hold objects that need a destructor.
void stop_if_failed() {
  block_run& block = *block_run::running();
  if (block.has_failed()) block.abandon();
}

int block_barrier(meeting kind, int vote, place where) {
  const int result = block_run::running()->block_barrier(kind, vote, where);
  stop_if_failed();
  return result;
}
void warp_meeting(meeting kind, unsigned mask, void* slot, yoke_simulator::resolve_function resolve, place where) {
  block_run::running()->warp_meeting(kind, mask, slot, resolve, where);
  stop_if_failed();
}
unsigned active_mask(place where) { return block_run::running()->active_mask(where); }
void grid_barrier(place where) {
  block_run::running()->grid_barrier(where);
  stop_if_failed();
}
bool is_cooperative() { return block_run::running()->is_cooperative(); }
void yield() { block_run::running()->yield(); }
bool is_shared(const void* address) { return block_run::running()->is_shared(address); }
long long ticks() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

void record(failure kind, const char* text, place where) {
  block_run& block = *block_run::running();
  switch (kind) {
    case failure::assertion:
      block.fail(launch_status::assertion, at(where) + ": Assertion `" + text + "` failed");
      break;
    case failure::trap: block.fail(launch_status::trap, at(where) + ": " + text); break;
    case failure::invalid_mask: block.fail(launch_status::barrier_divergence, at(where) + ": " + text); break;
    case failure::unsupported: block.fail(launch_status::unsupported, at(where) + ": " + text); break;
  }
}
void fail(failure kind, const char* text, place where) {
  record(kind, text, where);
  stop_if_failed();
}

void sample(const yoke_simulator::sample_request& what, unsigned* words, place where) {
  const char* const problem = sample_texture(what, words);
  if (problem != nullptr) fail(failure::trap, problem, where);
}
void read_surface(const yoke_simulator::surface_request& what, void* to, place where) {
  const char* const problem = access_surface(what, to, nullptr);
  if (problem != nullptr) fail(failure::trap, problem, where);
}
void write_surface(const yoke_simulator::surface_request& what, const void* from, place where) {
  const char* const problem = access_surface(what, nullptr, from);
  if (problem != nullptr) fail(failure::trap, problem, where);
}

void set_graph_condition(unsigned long long number, unsigned value, place where) {
  if (!set_condition(number, value)) fail(failure::trap, "cudaGraphSetConditional got no handle of a graph", where);
}

}  // namespace

const yoke_simulator::services engine_services = {
    &block_barrier,
    &warp_meeting,
    &active_mask,
    &grid_barrier,
    &is_cooperative,
    &yield,
    &ticks,
    &fail,
    &rounded_float,
    &rounded_double,
    &narrowed,
    &float_from_signed,
    &float_from_unsigned,
    &double_from_signed,
    &double_from_unsigned,
    &special_function,
    &is_shared,
    &sample,
    &read_surface,
    &write_surface,
    &set_graph_condition,
};

}  // namespace yoke::simulator

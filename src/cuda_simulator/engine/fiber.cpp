// SPDX-License-Identifier: MIT
// Fibers over Boost.Context's bare switches; the sanitizers are told of each.
#include "fiber.hpp"

#include <boost/context/detail/fcontext.hpp>
#include <new>

#include <sys/mman.h>
#include <unistd.h>

#include "sanitizers.hpp"

#ifdef YOKE_SIMULATOR_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef YOKE_SIMULATOR_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace yoke::simulator {

namespace context = boost::context::detail;

struct fiber::state {
  fiber::body run = nullptr;
  void* argument = nullptr;
  context::fcontext_t place = nullptr;
  char* mapping = nullptr;
  std::size_t mapping_bytes = 0;
  // The sanitizer's view: the stack's bounds (an OS thread's are learned at the first switch away from it).
  const void* bottom = nullptr;
  std::size_t bytes = 0;
  void* fake_stack = nullptr;
  void* twin = nullptr;

  static void arrive(context::transfer_t from, state& self);
  static void enter(context::transfer_t from);
};

// The first thing that happens on the far side of a switch.
void fiber::state::arrive(context::transfer_t from, state& self) {
  state** const pair = static_cast<state**>(from.data);
  pair[0]->place = from.fctx;
#ifdef YOKE_SIMULATOR_ASAN
  const void* bottom = nullptr;
  std::size_t bytes = 0;
  __sanitizer_finish_switch_fiber(self.fake_stack, &bottom, &bytes);
  if (pair[0]->bottom == nullptr) {
    pair[0]->bottom = bottom;
    pair[0]->bytes = bytes;
  }
#else
  (void)self;
#endif
}

void fiber::state::enter(context::transfer_t from) {
  state* const self = static_cast<state**>(from.data)[1];
  self->fake_stack = nullptr;
  arrive(from, *self);
  self->run(self->argument);
}

fiber::fiber() : state_(std::make_unique<state>()) {
#ifdef YOKE_SIMULATOR_TSAN
  state_->twin = __tsan_get_current_fiber();
#endif
}

fiber::fiber(body run, void* argument) : state_(std::make_unique<state>()) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  state_->run = run;
  state_->argument = argument;
  state_->mapping_bytes = fiber_stack_bytes + page;
  void* const mapping = ::mmap(nullptr, state_->mapping_bytes, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  state_->mapping = static_cast<char*>(mapping);
  if (::mprotect(mapping, page, PROT_NONE) != 0) {
    ::munmap(mapping, state_->mapping_bytes);
    throw std::bad_alloc();
  }
  state_->bottom = state_->mapping + page;
  state_->bytes = fiber_stack_bytes;
#ifdef YOKE_SIMULATOR_TSAN
  state_->twin = __tsan_create_fiber(0);
#endif
  restart();
}

fiber::~fiber() {
  if (state_->mapping == nullptr) return;
#ifdef YOKE_SIMULATOR_ASAN
  __asan_unpoison_memory_region(state_->bottom, state_->bytes);
#endif
#ifdef YOKE_SIMULATOR_TSAN
  __tsan_destroy_fiber(state_->twin);
#endif
  ::munmap(state_->mapping, state_->mapping_bytes);
}

void fiber::restart() {
#ifdef YOKE_SIMULATOR_ASAN
  __asan_unpoison_memory_region(state_->bottom, state_->bytes);  // frames that were dropped left their marks
#endif
  char* const top = state_->mapping + state_->mapping_bytes;
  state_->place = context::make_fcontext(top, state_->bytes, &state::enter);
}

void fiber::switch_to(fiber& target) {
  state* pair[2] = {state_.get(), target.state_.get()};
#ifdef YOKE_SIMULATOR_ASAN
  __sanitizer_start_switch_fiber(&pair[0]->fake_stack, pair[1]->bottom, pair[1]->bytes);
#endif
#ifdef YOKE_SIMULATOR_TSAN
  __tsan_switch_to_fiber(pair[1]->twin, 0);
#endif
  const context::transfer_t back = context::jump_fcontext(pair[1]->place, pair);
  state::arrive(back, *state_);
}

}  // namespace yoke::simulator

// SPDX-License-Identifier: MIT
// Fibers over Boost.Context's bare switches; the sanitizers are told of each.
#include "engine/system/fiber.hpp"

#include <boost/context/detail/fcontext.hpp>
#include <memory>
#include <new>

#include <sys/mman.h>
#include <unistd.h>

#include "engine/system/sanitizers.hpp"

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

  void take_stack(std::size_t wanted);
  void drop_stack();
  static void arrive(context::transfer_t from, state& self);
  static void enter(context::transfer_t from);
};

void fiber::state::take_stack(std::size_t wanted) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t rounded = (wanted + page - 1) / page * page;
  const std::size_t whole = guard_bytes + rounded;  // guard_bytes are whole pages of every size that Linux has
  void* const fresh =
      ::mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (fresh == MAP_FAILED) throw std::bad_alloc();
  if (::mprotect(fresh, guard_bytes, PROT_NONE) != 0) {
    ::munmap(fresh, whole);
    throw std::bad_alloc();
  }
  drop_stack();
  mapping = static_cast<char*>(fresh);
  mapping_bytes = whole;
  bottom = mapping + guard_bytes;
  bytes = rounded;
}

void fiber::state::drop_stack() {
  if (mapping == nullptr) return;
#ifdef YOKE_SIMULATOR_ASAN
  __asan_unpoison_memory_region(bottom, bytes);
#endif
  ::munmap(mapping, mapping_bytes);
  mapping = nullptr;
}

// Runs first on the far side of a switch.
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

fiber::fiber(body run, void* argument, std::size_t stack_bytes) : state_(std::make_unique<state>()) {
  state_->run = run;
  state_->argument = argument;
  state_->take_stack(stack_bytes);
#ifdef YOKE_SIMULATOR_TSAN
  state_->twin = __tsan_create_fiber(0);
#endif
  restart();
}

fiber::~fiber() {
  if (state_->mapping == nullptr) return;
#ifdef YOKE_SIMULATOR_TSAN
  __tsan_destroy_fiber(state_->twin);
#endif
  state_->drop_stack();
}

void fiber::grow(std::size_t stack_bytes) {
  if (stack_bytes <= state_->bytes) return;
  state_->take_stack(stack_bytes);
  restart();
}

std::size_t fiber::stack_bytes() const noexcept { return state_->bytes; }

bool fiber::is_guard(std::uintptr_t address) const noexcept {
  return address - reinterpret_cast<std::uintptr_t>(state_->mapping) < guard_bytes;
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

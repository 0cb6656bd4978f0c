// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/context_options.hpp.
#ifndef YOKE_DRIVER_CUDA_CONTEXT_OPTIONS_IPP
#define YOKE_DRIVER_CUDA_CONTEXT_OPTIONS_IPP

#include <yoke/driver/cuda/context_options.hpp>

#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/port.hpp>
#include <yoke/driver/cuda/references.hpp>

#include <cerrno>
#include <string>

namespace yoke::inline v0_1::cuda {

namespace detail {

/// Throws: `logic_error` for an unknown way of waiting.
unsigned flags_of(const context_options& options, const source_location& where) {
  using enum schedule;
  yoke::detail::check_enumerator("context_options::waiting", options.waiting, {automatic, spin, yield, blocking_sync},
                                 where);
  return static_cast<unsigned>(options.waiting) | (options.map_host ? abi::context_map_host : 0) |
         (options.resize_local_memory ? abi::context_lmem_resize_to_max : 0);
}
context_options options_from(unsigned flags) noexcept {
  return {static_cast<schedule>(flags & abi::context_sched_mask), (flags & abi::context_map_host) != 0,
          (flags & abi::context_lmem_resize_to_max) != 0};
}

#define YOKE_CUDA_LIMITS(X)                                                                                            \
  X(stack_bytes)                                                                                                       \
  X(printf_buffer_bytes)                                                                                               \
  X(malloc_heap_bytes)                                                                                                 \
  X(device_runtime_depth)                                                                                              \
  X(device_runtime_launches)                                                                                           \
  X(l2_fetch_bytes)                                                                                                    \
  X(persisting_l2_bytes)

void check_limit(limit which, const source_location& where) {
#define YOKE_CUDA_LIMIT(name) limit::name,
  yoke::detail::check_enumerator("limit", which, {YOKE_CUDA_LIMITS(YOKE_CUDA_LIMIT)}, where);
#undef YOKE_CUDA_LIMIT
}
const char* name_of(limit which) noexcept {
#define YOKE_CUDA_LIMIT(name)                                                                                          \
  case limit::name: return #name;
  switch (which) { YOKE_CUDA_LIMITS(YOKE_CUDA_LIMIT) }
#undef YOKE_CUDA_LIMIT
  return "?";
}
#undef YOKE_CUDA_LIMITS
/// Returns: why a limit was refused, with its value in the current context.
std::string refused_limit(const abi::functions* table, limit which, std::size_t value, abi::status status) {
  std::string why = text("limit ", name_of(which), " of ", value, ": ", error_text(status));
  if (status != abi::error_invalid_value) return why;
  if (which == limit::l2_fetch_bytes) why += "; the largest is 128";
  if (which == limit::stack_bytes) why += "; a thread's local memory, which the stack is in, has 524288 bytes";
  std::size_t now = 0;
  if (table->context_get_limit(&now, static_cast<abi::limit>(which)) == abi::success) why += text("; it stays ", now);
  return why;
}
void check_cache(cache_config config, const source_location& where) {
  using enum abi::cache_config;
  yoke::detail::check_enumerator("cache_config", config, {prefer_none, prefer_shared, prefer_l1, prefer_equal}, where);
}

/// Returns: an address that is unique among living threads and the same in every shared object.
const void* this_thread() noexcept { return &errno; }

/// Returns: the current context. Effects: stores a failure in `outcome`.
abi::context current_on_thread(const abi::functions* table, release_result& outcome) noexcept {
  abi::context now = nullptr;
  add_outcome(outcome, release<&abi::functions::context_get_current>(table, &now));
  return now;
}
/// Effects: pops one context. Returns: the context that is current then.
abi::context pop_context(const abi::functions* table, release_result& outcome) noexcept {
  abi::context popped = nullptr;
  add_outcome(outcome, release<&abi::functions::context_pop>(table, &popped));
  return current_on_thread(table, outcome);
}

}  // namespace detail

abi::context context_options_functions::create_context_with(device_id device, const context_options& options,
                                                            const source_location& where) const {
  abi::context made = nullptr;
  detail::invoke<&abi::functions::context_create>(table(), where, &made, detail::flags_of(options, where),
                                                  device.native());
  // The driver has made it current. As after every pop, a failure goes to the cleanup handler.
  abi::context popped = nullptr;
  detail::report(detail::release<&abi::functions::context_pop>(table(), &popped));
  try {
    detail::contexts_of(table()).add({table(), made, detail::number_of(table(), made), device.native(), false});
  } catch (...) {
    detail::report(detail::release<&abi::functions::context_destroy>(table(), made));
    throw;
  }
  return made;
}
context_options context_options_functions::options_of(abi::context context, const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  unsigned flags = 0;
  detail::invoke<&abi::functions::context_get_flags>(table(), where, &flags);
  return detail::options_from(flags);
}
primary_state context_options_functions::primary(device_id device, const source_location& where) const {
  unsigned flags = 0;
  int active = 0;
  detail::invoke<&abi::functions::primary_context_get_state>(table(), where, device.native(), &flags, &active);
  return {active != 0, detail::options_from(flags)};
}
void context_options_functions::set_primary_options(device_id device, const context_options& options,
                                                    const source_location& where) const {
  detail::invoke<&abi::functions::primary_context_set_flags>(table(), where, device.native(),
                                                             detail::flags_of(options, where));
}
void context_options_functions::reset_primary(device_id device, const source_location& where) const {
  detail::invoke<&abi::functions::primary_context_reset>(table(), where, device.native());
}
std::size_t context_options_functions::get_limit(abi::context context, limit which,
                                                 const source_location& where) const {
  detail::check_limit(which, where);
  const detail::current_context scope(table(), context, where);
  std::size_t value = 0;
  detail::invoke_explained<&abi::functions::context_get_limit>(
      table(), where,
      [&](abi::status status) { return detail::text("limit ", detail::name_of(which), ": ", error_text(status)); },
      &value, static_cast<abi::limit>(which));
  return value;
}
std::size_t context_options_functions::set_limit(abi::context context, limit which, std::size_t value,
                                                 const source_location& where) const {
  detail::check_limit(which, where);
  const detail::current_context scope(table(), context, where);
  detail::invoke_explained<&abi::functions::context_set_limit>(
      table(), where, [&](abi::status status) { return detail::refused_limit(table(), which, value, status); },
      static_cast<abi::limit>(which), value);
  std::size_t now = 0;
  detail::invoke<&abi::functions::context_get_limit>(table(), where, &now, static_cast<abi::limit>(which));
  return now;
}
cache_config context_options_functions::get_cache_config(abi::context context, const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  cache_config config{};
  detail::invoke<&abi::functions::context_get_cache_config>(table(), where, &config);
  return config;
}
void context_options_functions::set_cache_config(abi::context context, cache_config config,
                                                 const source_location& where) const {
  detail::check_cache(config, where);
  const detail::current_context scope(table(), context, where);
  detail::invoke<&abi::functions::context_set_cache_config>(table(), where, config);
}
priority_range context_options_functions::stream_priorities(abi::context context, const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  priority_range range;
  detail::invoke<&abi::functions::context_get_stream_priority_range>(table(), where, &range.least, &range.greatest);
  return range;
}
std::uint64_t context_options_functions::context_id(abi::context context, const source_location& where) const {
  abi::ulong id = 0;
  detail::invoke<&abi::functions::context_get_id>(table(), where, context, &id);
  return id;
}
unsigned context_options_functions::api_version(abi::context context, const source_location& where) const {
  unsigned version = 0;
  detail::invoke<&abi::functions::context_get_api_version>(table(), where, context, &version);
  return version;
}
memory_info context_options_functions::memory(abi::context context, const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  memory_info info;
  detail::invoke<&abi::functions::mem_get_info>(table(), where, &info.free_bytes, &info.total_bytes);
  return info;
}
void context_options_functions::synchronize_context(abi::context context, const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  detail::invoke<&abi::functions::context_synchronize>(table(), where);
}
context_options_functions::activation context_options_functions::activate(abi::context context,
                                                                          const source_location& where) const {
  activation made{context, nullptr, detail::this_thread()};
  detail::invoke<&abi::functions::context_get_current>(table(), where, &made.before);
  detail::push_living(table(), context, where);
  return made;
}
release_result context_options_functions::deactivate(const activation& made) const noexcept {
  if (made.thread != detail::this_thread()) {
    return {abi::error_invalid_context, "cuCtxPopCurrent on another thread than cuCtxPushCurrent"};
  }
  release_result outcome{};
  abi::context now = detail::current_on_thread(table(), outcome);
  bool changed = false;
  if (now == made.context || outcome.code != 0) {  // if the driver cannot tell, assume the correct order
    now = detail::pop_context(table(), outcome);
  } else if (now != nullptr) {
    // Most likely it was replaced, as by cudaSetDevice; otherwise another context was pushed over it and left there.
    now = detail::pop_context(table(), outcome);
    if (now == made.context && now != made.before) {
      changed = true;
      now = detail::pop_context(table(), outcome);
    }
  }
  if (outcome.code != 0 || now == made.before) {
    if (outcome.code == 0 && changed) {
      return {abi::error_invalid_context,
              "cuCtxPopCurrent: another context was pushed over the active one and left there"};
    }
    return outcome;
  }
  // Other code popped it by mistake.
  detail::add_outcome(outcome, {abi::error_invalid_context, "cuCtxPopCurrent: other code popped the active context"});
  if (made.before != nullptr) {
    detail::add_outcome(outcome, detail::outcome_of("cuCtxPushCurrent", [&] {
                          detail::push_living(table(), made.before, {});
                          return release_result{};
                        }));
  }
  return outcome;
}

}  // namespace yoke::inline v0_1::cuda

#endif

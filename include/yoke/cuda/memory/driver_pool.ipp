// SPDX-License-Identifier: MIT
// Bodies of cuda/memory/driver_pool.hpp.
#ifndef YOKE_CUDA_MEMORY_DRIVER_POOL_IPP
#define YOKE_CUDA_MEMORY_DRIVER_POOL_IPP

#include <yoke/cuda/memory/driver_pool.hpp>

#include <yoke/core/system.hpp>
#include <yoke/cuda/memory/physical_memory.hpp>

namespace yoke::inline v0_1::cuda {

namespace detail {

driver_pool_state::~driver_pool_state() {
  if (owned && native != nullptr) in.report(in.state().port.destroy_pool(native));
}
abi::device_pointer driver_pool_state::allocate(std::size_t bytes, const stream& order, const source_location& where) {
  const auto& of = in.state();
  if (bytes == 0) return {};
  return yoke::detail::allocate_in(of, [&] {
    return of.port.allocate_from_pool(of.living(where), native, order.native_handle(), bytes, limit_bytes, where);
  });
}
void driver_pool_state::deallocate(abi::device_pointer memory, std::size_t, abi::stream order,
                                   std::span<const abi::stream> uses) noexcept {
  const auto& of = in.state();
  if (memory == abi::device_pointer{}) return;
  if (of.left_us()) {  // the streams ended with the context, the pool's memory did not
    of.report(of.port.release_memory(of.native, memory));
  } else if (order == nullptr) {  // no command uses it
    of.report(
        of.port.release_memory_ordered(of.native, memory, reinterpret_cast<abi::stream>(abi::legacy_stream), uses));
  } else {
    of.report(of.port.release_memory_ordered(of.native, memory, order, uses));
  }
}
abi::device_pointer opened_pool_memory::allocate(std::size_t, const stream&, const source_location& where) {
  const auto& of = pool_->in.state();
  return of.port.import_from_pool(of.living(where), pool_->native, data_, where);
}

device_id device_of(const context& in, const source_location& where) { return in.only_device(where).native_handle(); }

}  // namespace detail

driver_pool::driver_pool(const context& in, const driver_pool_options& options, const source_location& where)
    : base(yoke::detail::make_shared<detail::driver_pool_state>(in)) {
  detail::driver_pool_state& made = state(where);
  made.native = in.port(where).create_pool(in.native_handle(), detail::device_of(in, where), options.max_bytes,
                                           options.shareable, where);
  made.limit_bytes = options.max_bytes;
  made.owned = true;
  if (options.release_threshold != 0) set_release_threshold(options.release_threshold, where);
  if (!(options.reuse == pool_reuse{})) set_reuse(options.reuse, where);
}
driver_pool driver_pool::found(const context& in, native_type native, bool owned, const source_location& where) {
  (void)in.port(where);
  if (native == nullptr) yoke::detail::throw_null_native("pool", where);
  auto made = yoke::detail::make_shared<detail::driver_pool_state>(in);
  made->native = native;
  made->owned = owned;
  return driver_pool(std::move(made));
}
driver_pool driver_pool::default_of(const context& in, const source_location& where) {
  return found(in, in.port(where).default_pool(detail::device_of(in, where), where), false, where);
}
driver_pool driver_pool::current_of(const context& in, const source_location& where) {
  return found(in, in.port(where).current_pool(detail::device_of(in, where), where), false, where);
}
driver_pool driver_pool::open(const context& in, const file_descriptor& descriptor, const source_location& where) {
  const port& with = in.port(where);
  detail::check_descriptor(descriptor.native_handle(), where);
  driver_pool made(yoke::detail::make_shared<detail::driver_pool_state>(in));
  detail::driver_pool_state& state = made.state(where);
  state.native = with.import_pool(in.native_handle(), descriptor.native_handle(), where);
  state.owned = true;
  // An importer's access is not changed here.
  const device_id here = detail::device_of(in, where);
  if (with.pool_access(state.native, here, where) != abi::access_flags::read_write) {
    with.set_pool_access(state.native, here, abi::access_flags::read_write, where);
  }
  return made;
}

void driver_pool::make_current(const source_location& where) const {
  const context& in = context_of(where);
  in.port(where).set_current_pool(detail::device_of(in, where), native_handle(), where);
}

driver_pool_figures driver_pool::figures(const source_location& where) const {
  const port& with = context_of(where).port(where);
  const auto get = [&](abi::pool_attribute which) { return with.pool_attribute(native_handle(), which, where); };
  using enum abi::pool_attribute;
  return {get(used_mem_current), get(used_mem_high), get(reserved_mem_current), get(reserved_mem_high)};
}
std::uint64_t driver_pool::release_threshold(const source_location& where) const {
  return context_of(where).port(where).pool_attribute(native_handle(), abi::pool_attribute::release_threshold, where);
}
pool_reuse driver_pool::reuse(const source_location& where) const {
  const port& with = context_of(where).port(where);
  const auto holds = [&](abi::pool_attribute which) { return with.pool_attribute(native_handle(), which, where) != 0; };
  using enum abi::pool_attribute;
  return {holds(reuse_follow_event_dependencies), holds(reuse_allow_opportunistic),
          holds(reuse_allow_internal_dependencies)};
}
void driver_pool::set_release_threshold(std::uint64_t bytes, const source_location& where) const {
  context_of(where).port(where).set_pool_attribute(native_handle(), abi::pool_attribute::release_threshold, bytes,
                                                   where);
}
void driver_pool::set_reuse(const pool_reuse& policies, const source_location& where) const {
  const port& with = context_of(where).port(where);
  using enum abi::pool_attribute;
  with.set_pool_attribute(native_handle(), reuse_follow_event_dependencies, policies.follow_event_dependencies, where);
  with.set_pool_attribute(native_handle(), reuse_allow_opportunistic, policies.allow_opportunistic, where);
  with.set_pool_attribute(native_handle(), reuse_allow_internal_dependencies, policies.allow_internal_dependencies,
                          where);
}
void driver_pool::reset_high_figures(const source_location& where) const {
  const port& with = context_of(where).port(where);
  with.set_pool_attribute(native_handle(), abi::pool_attribute::used_mem_high, 0, where);
  with.set_pool_attribute(native_handle(), abi::pool_attribute::reserved_mem_high, 0, where);
}
void driver_pool::trim_to(std::size_t bytes_to_keep, const source_location& where) const {
  context_of(where).port(where).trim_pool(native_handle(), bytes_to_keep, where);
}

void driver_pool::set_access(const device& of, bool may_access, const source_location& where) const {
  context_of(where).port(where).set_pool_access(
      native_handle(), of.native_handle(), may_access ? abi::access_flags::read_write : abi::access_flags::none, where);
}
bool driver_pool::may_access(const device& of, const source_location& where) const {
  return context_of(where).port(where).pool_access(native_handle(), of.native_handle(), where) ==
         abi::access_flags::read_write;
}

file_descriptor driver_pool::share(const source_location& where) const {
  auto descriptor = file_descriptor::adopt(context_of(where).port(where).export_pool(native_handle(), where));
  state(where).exported.store(true);
  return descriptor;
}
ipc_pool_memory driver_pool::shared_memory(abi::device_pointer memory, std::size_t size, std::size_t element_bytes,
                                           const source_location& where) const {
  const port& with = context_of(where).port(where);
  if (memory == 0) yoke::detail::throw_error(errc::invalid_argument, "memory of no elements cannot be shared", where);
  if (with.pool_of(memory, where) != native_handle()) {
    yoke::detail::throw_error(errc::invalid_argument, where, yoke::detail::native_text("memory", memory),
                              " is not of this pool, so that who opens the pool does not find it");
  }
  if (!state(where).exported.load()) (void)share(where);  // the driver exports memory only after the pool
  ipc_pool_memory shared;
  shared.native = with.export_from_pool(memory, where);
  shared.size = size;
  shared.element_bytes = static_cast<std::uint32_t>(element_bytes);
  shared.process = static_cast<std::int32_t>(yoke::detail::process_number());
  return shared;
}
yoke::detail::shared<memory_resource<port>> driver_pool::opened_memory(const ipc_pool_memory& handle,
                                                                       std::size_t element_bytes,
                                                                       const source_location& where) const {
  (void)state(where);
  if (handle.process == static_cast<std::int32_t>(yoke::detail::process_number())) {
    yoke::detail::throw_error(errc::invalid_argument, "memory of this process cannot be opened in it: use the original",
                              where);
  }
  if (handle.element_bytes != element_bytes) {
    yoke::detail::throw_error(errc::invalid_argument, where, "the shared memory holds elements of ",
                              handle.element_bytes, " bytes, not of ", element_bytes);
  }
  if (handle.size == 0) {
    yoke::detail::throw_error(errc::invalid_argument,
                              "the shared memory holds no elements: these are no bytes of `share`", where);
  }
  return yoke::detail::make_shared<detail::opened_pool_memory>(share_of_state(), handle.native);
}

}  // namespace yoke::inline v0_1::cuda

#endif

// SPDX-License-Identifier: MIT
// A module: a shared handle of compiled or loaded kernels.
#ifndef YOKE_PROGRAM_MODULE_HPP
#define YOKE_PROGRAM_MODULE_HPP

#include <yoke/core/shared.hpp>
#include <yoke/program/kernel.hpp>
#include <yoke/program/structs/struct_record.hpp>

namespace yoke::inline v0_1 {

/// Compiled kernels of a context. Copies share one module; kernels keep it alive.
/// Thread safety: safe.
template <class Port = any_port>
class module {
 public:
  using port_type = Port;
  using native_type = typename Port::module_handle;

  constexpr module() noexcept = default;
  /// Takes ownership of one reference to a built native program. Throws: `logic_error` for null; `std::bad_alloc`.
  [[nodiscard]] static module adopt(const context<Port>& context, native_type native,
                                    const source_location& where = source_location::current()) {
    return module(context, native, true, where);
  }
  /// Uses a built native program without owning it. Requires: the native program outlives this.
  [[nodiscard]] static module borrow(const context<Port>& context, native_type native,
                                     const source_location& where = source_location::current()) {
    return module(context, native, false, where);
  }
  /// Shares a built native program with the caller, by a reference of this handle's own. Throws: as `adopt`; `error`.
  /// Wraps `clRetainProgram`.
  [[nodiscard]] static module retain(const context<Port>& context, native_type native,
                                     const source_location& where = source_location::current())
    requires counting_port<Port>
  {
    yoke::module<Port> shared(context, native, false, where);
    (void)shared.retain_native(where);
    shared.state_->owned = true;
    return shared;
  }

  [[nodiscard]] native_type native_handle() const noexcept { return state_ ? state_->native : native_type{}; }
  /// Adds a reference to the driver's module for the caller, who has to release it. Replaces `release()`, because a
  /// shared handle cannot give up its own reference.
  /// Returns: the driver's module. Throws: `error`. Thread safety: safe. Wraps `clRetainProgram`.
  [[nodiscard]] native_type retain_native(const source_location& where = source_location::current()) const {
    port(where).retain_module(state_->native, where);
    return state_->native;
  }
  void reset() noexcept { state_.reset(); }
  void swap(module& other) noexcept { state_.swap(other.state_); }
  friend void swap(module& left, module& right) noexcept { left.swap(right); }
  [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }
  [[nodiscard]] const context<Port>& context_of(const source_location& where = source_location::current()) const {
    return state(where)->context.get();
  }

  /// Finds a kernel by name and compares its parameters with `Signature`, a `void(P...)`.
  /// Returns: the kernel; `checked()` says how much could be compared.
  /// Throws: `logic_error` that lists the kernels (`errc::kernel_not_found`) or shows both signatures
  /// (`errc::signature_mismatch`), and for a name with a zero character; `error`.
  /// Wraps `clCreateKernel`, `clGetKernelArgInfo`.
  template <class Signature>
  [[nodiscard]] kernel<Signature, Port> get_kernel(const std::string& name,
                                                   const source_location& where = source_location::current()) const {
    const Port& with = port(where);
    detail::check_kernel_name(name, where);
    kernel<Signature, Port> result(state_, kernel<Signature, Port>::find(with, state_->native, name, where));
    result.checked_ = kernel<Signature, Port>::verify(state_->context.state(), result.handle_of(), name,
                                                      state_->stored_kernels, state_->types, where);
    return result;
  }
  /// The names of the kernels, sorted. Throws: `error`. Wraps `clGetProgramInfo`.
  [[nodiscard]] std::vector<std::string> kernel_names(const source_location& where = source_location::current()) const {
    return port(where).kernel_names(state_->native, where);
  }
  /// The compiler's messages, also of a successful build.
  /// Throws: `logic_error` for a device of another context; `error`. Wraps `clGetProgramBuildInfo`.
  [[nodiscard]] std::string build_log(const device<Port>& device,
                                      const source_location& where = source_location::current()) const {
    const Port& with = port(where);
    const std::size_t index = context_of(where).index_of(device.native_handle(), where);
    if (index < state_->logs.size()) return state_->logs[index];
    return with.build_log(state_->native, device.native_handle(), state_->source, where);
  }
  [[nodiscard]] std::string build_log(const source_location& where = source_location::current()) const {
    return build_log(context_of(where).only_device(where), where);
  }
  /// Returns: the folder that `compile_options::keep` made for this module; "" without it.
  /// Throws: `logic_error` for an empty module.
  [[nodiscard]] const std::string& kept_folder(const source_location& where = source_location::current()) const {
    return state(where)->kept;
  }
  /// The device's binary with its identity, the structs of `compile_options::types` and a checksum, for `load`.
  /// Throws: `unsupported_error` when the driver cannot export it; `error`. Wraps `clGetProgramInfo`.
  [[nodiscard]] std::vector<std::byte> export_binary(const source_location& where = source_location::current()) const {
    const detail::module_state<Port>& of = *state(where);
    std::vector<std::byte> binary = of.context.state().port.export_binary(of.native, where);
    return of.types.empty() ? binary : detail::binary_with_structs(std::move(binary), of.types);
  }

  // Kernels share the state to keep the module alive.
  [[nodiscard]] const detail::shared<detail::module_state<Port>>& state(const source_location& where) const {
    if (!state_) [[unlikely]]
      detail::throw_error(errc::empty_handle, "this module is empty (moved from or never set)", where);
    return state_;
  }

 private:
  template <class Make>
  [[gnu::cold]] static module made_by(const context<Port>& context, const source_lines& source, Make make,
                                      const source_location& where) {
    (void)context.state(where).living(where);
    yoke::module<Port> result;
    // Allocate the state first: if that threw later, the program would leak.
    result.state_ = detail::make_shared<detail::module_state<Port>>(context, native_type{}, true);
    result.state_->source = source;
    result.state_->native = make();
    return result;
  }
  friend struct detail::module_maker;
  explicit module(const context<Port>& context, native_type native, bool owned, const source_location& where) {
    (void)context.state(where).living(where);
    if (native == native_type{}) detail::throw_null_native("module", where);
    const auto of = detail::ask_native(
        "module", native, where, [&] { return port_traits<Port>::module_context(context.port(where), native, where); });
    if (!(of == typename Port::context_handle{}) && !(of == context.native_handle())) {
      detail::throw_foreign_native("module", detail::native_value(native), "context", where);
    }
    state_ = detail::make_shared<detail::module_state<Port>>(context, native, owned);
  }
  [[nodiscard]] const Port& port(const source_location& where) const { return state(where)->context.state().port; }

  detail::shared<detail::module_state<Port>> state_;
};

/// `module.get_kernel<Signature>(name)` without the `template` keyword, for generic code.
template <class Signature, class Port>
[[nodiscard]] kernel<Signature, Port> get_kernel(const module<Port>& module, const std::string& name,
                                                 const source_location& where = source_location::current()) {
  return module.template get_kernel<Signature>(name, where);
}

}  // namespace yoke::inline v0_1

#endif

// SPDX-License-Identifier: MIT
// Kernels with their signature in the type: checked once against the compiled kernel, launched like functions.
#ifndef YOKE_PROGRAM_KERNEL_HPP
#define YOKE_PROGRAM_KERNEL_HPP

#include <yoke/execution/context_reference.hpp>
#include <yoke/program/kernel/argument.hpp>
#include <yoke/program/kernel/compared_structs.hpp>
#include <yoke/program/kernel/recorder.hpp>
#include <yoke/program/kernel/shape.hpp>
#include <yoke/program/kernel/signature.hpp>
#include <yoke/program/structs/device_struct.hpp>

namespace yoke::inline v0_1 {

namespace detail {
struct module_maker;

template <class Port>
struct module_state {
  context_reference<Port> context;
  typename Port::module_handle native{};
  bool owned = true;
  source_lines source{};                       // to translate lines in build logs
  std::vector<std::string> logs{};             // if from a cache, the logs of the compilation, one for each device
  std::vector<typed_kernel> stored_kernels{};  // if from a cache, the signatures from the driver at the compilation
  std::vector<struct_description> types{};     // the structs that the source was compiled with
  std::string kept{};                          // the folder of `compile_options::keep`

  module_state(const yoke::context<Port>& in, typename Port::module_handle module, bool own) noexcept
      : context(in), native(module), owned(own) {}
  module_state(const module_state&) = delete;
  module_state& operator=(const module_state&) = delete;
  ~module_state() {
    if (owned && !(native == typename Port::module_handle{})) {
      context.report(context.state().port.release_module(native));
    }
  }
};
}  // namespace detail

template <class Port>
class module;

namespace detail {

/// A stream as the first argument of `enqueue`, with the caller's location.
template <class Port, bool Ordered>
class launch_stream {
 public:
  launch_stream(const stream<Port>& stream, const source_location& where = source_location::current())  // NOLINT
      : launch_stream(0, stream, where) {
    ordered_ = &stream;
  }
  template <class OutOfOrder>
    requires(!Ordered && !std::same_as<OutOfOrder, stream<Port>> &&
             std::derived_from<OutOfOrder, stream_base<OutOfOrder, Port>>)
  launch_stream(const OutOfOrder& stream, const source_location& where = source_location::current())  // NOLINT
      : launch_stream(0, stream, where) {}

  [[nodiscard]] const launch_target<Port>& target() const noexcept { return target_; }
  [[nodiscard]] const context<Port>& context_of() const noexcept { return origin_->get(); }
  [[nodiscard]] const context_reference<Port>& origin() const noexcept { return *origin_; }
  [[nodiscard]] bool has_timing() const noexcept { return timing_; }
  /// Returns: the launch as an operation on other streams' memory.
  [[nodiscard]] other_streams<Port> operation() const noexcept {
    if (ordered_ != nullptr) return other_streams<Port>(*ordered_);
    return other_streams<Port>(*origin_, target_.stream);
  }

 private:
  template <class Stream>
  launch_stream(int, const Stream& stream, const source_location& where)
      : origin_(&stream.origin()),
        timing_(stream.has_timing()),
        target_{.limits = &stream.limits(where), .where = where} {
    target_.state = &context_of().state(where);  // not empty: `limits` has checked the stream
    target_.port = &target_.state->port;
    target_.context = context_of().native_handle();
    target_.stream = stream.native_handle();
  }

  const context_reference<Port>* origin_;
  const stream<Port>* ordered_ = nullptr;  // null for an out-of-order stream
  bool timing_;
  launch_target<Port> target_;
};

/// An in-order stream as the first argument of a launch, which checks it. Holds the parts of the caller's location, so
/// that a successful launch does not build one.
template <class Port>
class launch_order {
 public:
  launch_order(const stream<Port>& stream, const char* file = __builtin_FILE(),  // NOLINT: a stream is one
               const char* function = __builtin_FUNCTION(), unsigned line = __builtin_LINE()) noexcept
      : stream_(&stream), file_(file), function_(function), line_(line) {}
  launch_order(const stream<Port>& stream, const source_location& where) noexcept
      : launch_order(stream, where.file_name(), where.function_name(), where.line()) {}
  [[nodiscard]] const stream<Port>& get() const noexcept { return *stream_; }
  [[nodiscard]] source_location where() const noexcept { return source_location::current(file_, function_, line_); }

 private:
  const stream<Port>* stream_;
  const char* file_;
  const char* function_;
  unsigned line_;
};

/// Returns: a copy of a shape, with all its members set.
template <class Shape>
[[gnu::always_inline]] inline Shape spelled_out(const Shape& shape) noexcept {
  if constexpr (requires { shape.spelled_out(); }) return shape.spelled_out();
  return shape;
}

/// Whether a shape has no threads, on purpose (`nothing`) or by mistake.
template <class Shape>
[[gnu::always_inline]] inline bool is_empty(const Shape& shape) noexcept {
  const extent3& grid = shape.grid;
  const extent3& block = shape.block;
  return shape.nothing || grid.x == 0 || grid.y == 0 || grid.z == 0 || block.x == 0 || block.y == 0 || block.z == 0;
}

}  // namespace detail

/// The events that a launch waits for.
template <class Port = any_port>
struct launch_options {
  wait_list<Port> after{};
};

template <class Signature, class Port = any_port>
class kernel {
  static_assert(!std::same_as<Signature, Signature>, "a kernel returns void: its signature is a void(P...)");
};
template <class Signature, class Port, class Indices>
class basic_kernel;

/// A kernel of a module, with its parameters in its type.
///
/// Parameter types: `T*` and `const T*` take device memory of `T`, SVM, `nullptr`, or a host range in `in()`, `out()`
/// or `in_out()`; `local<T>` takes `local<T>(count)`; `constant<T>` takes device memory; every other type is passed by
/// value and converts only without loss. Wrong arguments do not compile. Move-only.
/// Thread safety: launching is safe from any number of threads at once.
template <class... P, class Port, std::size_t... Index>
class basic_kernel<void(P...), Port, std::index_sequence<Index...>>
    : public detail::handle<kernel<void(P...), Port>, detail::shared<detail::module_state<Port>>,
                            typename Port::kernel_handle> {
  using base = detail::handle<kernel<void(P...), Port>, detail::shared<detail::module_state<Port>>,
                              typename Port::kernel_handle>;
  template <class... Given>
  static constexpr std::size_t count_without_options =
      (std::size_t{!std::same_as<Given, launch_options<Port>>} + ... + 0);

 public:
  using port_type = Port;
  using native_type = typename Port::native_kernel;
  using signature = void(P...);
  using shape_type = shape_for<Port>;
  static constexpr const char* noun = "kernel";

  basic_kernel() noexcept = default;

  /// The driver's own kernel; null when empty. On OpenCL, launches use clones of it. Throws: nothing.
  [[nodiscard]] native_type native_handle() const noexcept {
    return *this ? this->parent()->context.state().port.native_of(base::native_handle()) : native_type{};
  }
  /// Gives up the driver's kernel: the caller has to release it, unless it was borrowed.
  /// Returns: the driver's kernel; this handle is empty afterwards. Throws: nothing.
  [[nodiscard]] native_type release() noexcept {
    const native_type native = native_handle();
    if (*this) {
      const detail::shared<detail::module_state<Port>> owner = this->parent();
      owner->context.report(owner->context.state().port.detach_kernel(base::release()));
    }
    return native;
  }

  /// Launches the kernel in the stream's order.
  /// Returns at once; with `in`, `out` or `in_out` it returns when the host ranges are copied. For an empty shape it
  /// only checks the arguments, without a driver call.
  /// Throws: `launch_error` with the limit in words; `logic_error` for arguments that are empty, mapped, of another
  /// context or out of a parameter's range; `error`. Wraps `clSetKernelArg` (skipping unchanged values),
  /// `clEnqueueNDRangeKernel`.
  [[gnu::always_inline]] void operator()(detail::launch_order<Port> stream, const shape_type& shape,
                                         detail::launch_argument<Index, P, Port>... arguments) const {
    if constexpr ((detail::has_neighbours<P> || ...)) {
      (detail::check_neighbours<P, P...>(arguments, stream.where()), ...);
    }
    direct_outcome outcome{direct_outcome::unusual};
    if constexpr (direct_launch_port<Port> && !(detail::is_local<P> || ...)) {
      const auto& order = stream.get();
      const detail::context_state<Port>* const in = order.context_of().shared();
      const kernel_type native = handle_of();
      // Handles without a context are empty, so comparing contexts also finds empty ones.
      if (order.native_handle() != typename Port::stream_handle{} && native != kernel_type{} &&
          this->parent()->context.get().shared() == in && (arguments.is_usual(*in, order.native_handle()) && ...) &&
          (!detail::are_views(in->port) || (arguments.is_unmapped() && ...))) [[likely]] {
        outcome = in->port.template launch_directly<detail::launch_argument<Index, P, Port>::form...>(
            native, order.native_handle(), shape, std::array<const void*, sizeof...(P)>{arguments.place()...});
      }
    }
    // Passes copies, so that the arguments of a usual launch stay in registers.
    if (outcome.refused != direct_outcome::launched) [[unlikely]]
      launch_otherwise(outcome, stream.get(), detail::spelled_out(shape), stream.where(), arguments.facts()...);
  }

  template <class... Given>
    requires(sizeof...(Given) != sizeof...(P))
  void operator()(detail::launch_order<Port>, const shape_type&, const Given&...) const {
    detail::refuse_count<sizeof...(Given), P...>();
  }

  /// Records the launch as a node of a graph (<yoke/graph.hpp>). The graph keeps the module, and the page-locked
  /// memory, shared memory and arrays of the arguments alive. An empty shape makes an empty node. Does not compile with
  /// host ranges in `in`, `out` or `in_out`.
  /// Returns: the node. Throws: `launch_error` for a block that is too large; `logic_error` as above; `error`.
  /// Wraps `cuGraphAddKernelNode`.
  auto operator()(detail::record_order<Port> record, const shape_type& shape,
                  detail::recorded_argument<Index, P, Port>... arguments) const {
    const detail::launch_target<Port> target = record.target();
    const kernel_type native = this->use(target.where);
    check_context(target);
    return record.template launch<void(P...)>(target, native, native_handle(), shape, this->parent(), arguments...);
  }

  template <class Recorder, class... Given>
    requires(detail::is_a_recorder<Recorder> && sizeof...(Given) != sizeof...(P))
  void operator()(const Recorder&, const shape_type&, const Given&...) const {
    detail::refuse_count<sizeof...(Given), P...>();
  }

  template <class... Given>
    requires(!detail::begins_with_both<detail::launch_order<Port>, shape_type, Given...> &&
             !detail::begins_with_recorder<Given...>)
  void operator()(const Given&...) const {
    detail::refuse_beginning<detail::launch_order<Port>, Given...>();
  }

  /// Launches the kernel behind the given events, on an in-order or out-of-order stream, and returns at once.
  /// Returns: the launch's event. Throws: as above, and `runtime_error` when an event's command has already failed.
  event<Port> enqueue(detail::launch_stream<Port, false> stream, const shape_type& shape,
                      detail::argument<Index, P, Port, true>... arguments,
                      const launch_options<Port>& options = {}) const {
    return event<Port>::own_recorded(stream.origin(), stream.target().stream,
                                     start<false>(stream, shape, options, arguments...));
  }
  template <class... Given>
    requires(count_without_options<Given...> != sizeof...(P))
  event<Port> enqueue(detail::launch_stream<Port, false>, const shape_type&, const Given&...) const {
    detail::refuse_count<count_without_options<Given...>, P...>();
    return event<Port>();
  }
  /// As `enqueue`, but returns an event with the time when the launch ended; on `opencl::port` with all four times.
  /// Requires: a stream that `has_timing()`.
  /// Throws: `logic_error` on a stream without timing, before anything is enqueued; as above.
  timed_event<Port> enqueue_timed(detail::launch_stream<Port, false> stream, const shape_type& shape,
                                  detail::argument<Index, P, Port, true>... arguments,
                                  const launch_options<Port>& options = {}) const {
    detail::check_timing(stream.has_timing(), stream.target().where);
    return timed_event<Port>::own_recorded(stream.origin(), stream.target().stream,
                                           start<true>(stream, shape, options, arguments...));
  }

  template <class... Given>
    requires(count_without_options<Given...> != sizeof...(P))
  timed_event<Port> enqueue_timed(detail::launch_stream<Port, false>, const shape_type&, const Given&...) const {
    detail::refuse_count<count_without_options<Given...>, P...>();
    return timed_event<Port>();
  }

  /// The context of the kernel's module. Throws: `logic_error` when empty.
  [[nodiscard]] const context<Port>& context_of(const source_location& where = source_location::current()) const {
    (void)this->use(where);
    return this->parent()->context.get();
  }
  /// How thoroughly the signature was checked when the kernel was obtained.
  [[nodiscard]] signature_check checked() const noexcept { return checked_; }
  /// The kernel's limits and resource use on a device of its module's context.
  /// Throws: `logic_error` for a device of another context; `error`. Wraps `clGetKernelWorkGroupInfo`.
  [[nodiscard]] kernel_limits limits(const device<Port>& device,
                                     const source_location& where = source_location::current()) const {
    const kernel_type native = this->use(where);
    (void)this->parent()->context.get().index_of(device.native_handle(), where);
    return this->parent()->context.state().port.limits_of_kernel(native, device.native_handle(), where);
  }
  [[nodiscard]] kernel_limits limits(const source_location& where = source_location::current()) const {
    (void)this->use(where);
    return limits(this->parent()->context.get().only_device(where), where);
  }

  // The port's own handle, for functions of one backend.
  [[nodiscard]] typename Port::kernel_handle handle_of() const noexcept { return base::native_handle(); }
  void swap(kernel<void(P...), Port>& other) noexcept {
    base::swap_handle(other);
    std::swap(checked_, other.checked_);
  }

 protected:
  friend base;
  using kernel_type = typename Port::kernel_handle;
  static void destroy(detail::shared<detail::module_state<Port>>& parent, kernel_type native) noexcept {
    parent->context.report(parent->context.state().port.release_kernel(native));
  }
  basic_kernel(detail::shared<detail::module_state<Port>> module, kernel_type native) noexcept
      : base(std::move(module), native, true) {}

  /// Returns: the port's kernel of that name, and of this signature if the port knows signatures.
  [[gnu::cold]] static kernel_type find(const Port& port, typename Port::module_handle module, const std::string& name,
                                        const source_location& where) {
    if constexpr (signature_port<Port>) {
      const std::vector<parameter_info> wanted{detail::describe_parameter<P>()...};
      return port.find_kernel(module, name.c_str(), wanted, where);
    } else {
      return port.create_kernel(module, name.c_str(), where);
    }
  }
  /// Effects: compares the signature with the driver's description, or else with `stored`, the description from the
  /// cache, and with the module's described structs.
  /// Returns: how much could be compared. Throws: `logic_error` when it differs.
  [[gnu::cold]] static signature_check verify(const detail::context_state<Port>& context, kernel_type native,
                                              const std::string& name, std::span<const typed_kernel> stored,
                                              std::span<const struct_description> structs,
                                              const source_location& where) {
    (detail::check_parameter<Port, Index + 1, P>(), ...);
    const std::vector<parameter_info> asked{detail::describe_parameter<P>()...};
    kernel_signature found = context.port.signature(context.native, native, where);
    detail::complete_signature(found, stored, name);
    const signature_check checked = detail::compare_signatures(name, asked, found, structs, where);
    if constexpr (sizeof...(P) > 0) {
      if (found.counted && !found.laid_out && !found.by_compiler) {
        // The driver may at least know the size of an undescribed struct by value.
        bool ask = !found.described;
        for (const parameter_info& each : asked) {
          const bool is_value = each.space == address_space::value;
          ask = ask || (is_value && (each.type.empty() || detail::is_undescribed_struct(each, structs)));
        }
        const signature_check by_size = ask ? verify_sizes(context, native, name, asked, where) : checked;
        return found.described ? checked : by_size;
      }
    }
    return checked;
  }

  signature_check checked_ = signature_check::nothing;

 private:
  /// Effects: asks the driver whether it takes arguments of these kinds and sizes. For drivers that do not give type
  /// names.
  [[gnu::cold]] static signature_check verify_sizes(const detail::context_state<Port>& context, kernel_type native,
                                                    const std::string& name, const std::vector<parameter_info>& asked,
                                                    const source_location& where) {
    const auto accepts = [&](std::span<const kernel_argument> arguments) {
      return context.port.accepts(context.native, native, arguments, where);
    };
    return detail::compare_sizes(
        name, asked,
        [](const void* ask, std::span<const kernel_argument> arguments) {
          return (*static_cast<const decltype(accepts)*>(ask))(arguments);
        },
        &accepts, where);
  }
  /// Effects: launches unusual arguments. Throws: the driver's error if it refused a usual launch.
  template <class... Facts>
  [[gnu::noinline, gnu::cold]] void launch_otherwise(direct_outcome outcome, const stream<Port>& stream,
                                                     const shape_type& shape, const source_location& where,
                                                     const Facts&... facts) const {
    const detail::launch_stream<Port, true> order(stream, where);
    if constexpr (direct_launch_port<Port> && !(detail::is_local<P> || ...)) {
      if (outcome.refused != direct_outcome::unusual) {
        const std::array<const void*, sizeof...(P)> places{facts.place()...};
        return order.target().port->launch_refused(
            outcome, handle_of(), order.target().stream, shape, places.data(),
            detail::sizes_of_arguments<detail::launch_argument<Index, P, Port>::form.bytes...>, *order.target().limits,
            where);
      }
    }
    detail::other_streams<Port> operation(stream);
    detail::launch_target<Port> target = order.target();
    target.operation = &operation;
    launch_checked(target, shape, as_argument<Index, P>(facts)...);
  }
  /// Returns: the argument itself, or an argument made from a `given_pointer`.
  template <std::size_t I, class Parameter>
  static const detail::argument<I, Parameter, Port, false>& as_argument(
      const detail::argument<I, Parameter, Port, false>& given) noexcept {
    return given;
  }
  template <std::size_t I, class Parameter, class T>
  static detail::argument<I, Parameter, Port, false> as_argument(const detail::pointer_facts<T, Port>& facts) {
    return detail::argument<I, Parameter, Port, false>(facts);
  }
  template <class... Arguments>
  void launch_checked(const detail::launch_target<Port>& target, const shape_type& shape,
                      Arguments&&... arguments) const {
    const kernel_type native = this->use(target.where);
    if (detail::is_empty(shape)) [[unlikely]]
      return check_unlaunched<false>(target, shape, arguments...);
    check_context(target);
    if constexpr (sizeof...(P) > 1) {
      if (((arguments.written().begin != nullptr) + ...) > 1) {
        detail::check_written_ranges(std::array{arguments.written()...}, target.where);
      }
    }
    const std::array<kernel_argument, sizeof...(P)> list{arguments.prepare(target)...};
    target.port->launch({native, target.stream, target.limits, shape, list, {}, nullptr}, target.where);
    (arguments.finish(target), ...);
  }
  template <bool Timed>
  typename Port::event_handle start(const detail::launch_stream<Port, false>& stream, const shape_type& shape,
                                    const launch_options<Port>& options,
                                    detail::argument<Index, P, Port, true>&... arguments) const {
    detail::other_streams<Port> operation = stream.operation();
    detail::launch_target<Port> target = stream.target();
    target.operation = &operation;
    if constexpr ((detail::has_neighbours<P> || ...)) {
      (detail::check_neighbours<P, P...>(arguments, target.where), ...);
    }
    const kernel_type native = this->use(target.where);
    auto after = options.after.view(stream.context_of(), target.where);
    if (detail::is_empty(shape)) [[unlikely]] {
      check_unlaunched<true>(target, shape, arguments...);
      if constexpr (Timed) return target.port->record_timed(target.stream, after, target.where);
      return target.port->record(target.stream, after, target.where);
    }
    check_context(target);
    const std::array<kernel_argument, sizeof...(P)> list{arguments.prepare(target)...};
    if constexpr (detail::event_reusing_port<Port>) {
      if (target.port->reuses_events(target.stream)) {
        target.port->launch({native, target.stream, target.limits, shape, list, after, nullptr}, target.where);
        return detail::record_reused<Timed, Port>(*stream.context_of().shared(), target.stream, target.where);
      }
    }
    const auto all = operation.with_others(after);
    if (!all.empty()) after = all;
    typename Port::event_handle done{};
    target.port->launch({native, target.stream, target.limits, shape, list, after, &done, Timed}, target.where);
    operation.note_behind(done);
    return done;
  }
  /// Throws: `launch_error` for a shape that is empty by mistake; else as a launch with these arguments.
  template <bool Async>
  [[gnu::noinline]] void check_unlaunched(const detail::launch_target<Port>& target, const shape_type& shape,
                                          const detail::argument<Index, P, Port, Async>&... arguments) const {
    if (!shape.nothing) detail::throw_empty_shape(shape.grid, shape.block, target.where);
    check_context(target);
    if constexpr (sizeof...(P) > 1) detail::check_written_ranges(std::array{arguments.written()...}, target.where);
    (arguments.check_unused(target), ...);
  }
  void check_context(const detail::launch_target<Port>& target) const {
    if (!(this->parent()->context.get().native_handle() == target.context)) [[unlikely]] {
      detail::throw_error(errc::wrong_context, "the kernel is of another context than the stream", target.where);
    }
  }

  friend class module<Port>;
};

template <class... P, class Port>
class kernel<void(P...), Port> : public basic_kernel<void(P...), Port, std::index_sequence_for<P...>> {
  using base = basic_kernel<void(P...), Port, std::index_sequence_for<P...>>;

 public:
  kernel() noexcept = default;

  /// Takes ownership of a native kernel of a module and checks its signature against the driver's description. `name`
  /// is for messages.
  /// Throws: as `module::get_kernel`; the caller then keeps the native kernel.
  [[nodiscard]] static kernel adopt(const module<Port>& module, typename Port::native_kernel native,
                                    const std::string& name = {},
                                    const source_location& where = source_location::current()) {
    return take(module.state(where), native, true, name, where);
  }
  /// Uses a native kernel without owning it. Requires: the native kernel outlives this. Throws: as `adopt`.
  [[nodiscard]] static kernel borrow(const module<Port>& module, typename Port::native_kernel native,
                                     const std::string& name = {},
                                     const source_location& where = source_location::current()) {
    return take(module.state(where), native, false, name, where);
  }
  /// Shares a native kernel with the caller, by a reference of this handle's own. Launches set its arguments.
  /// Throws: as `adopt`. Wraps `clRetainKernel`.
  [[nodiscard]] static kernel retain(const module<Port>& module, typename Port::native_kernel native,
                                     const std::string& name = {},
                                     const source_location& where = source_location::current())
    requires counting_port<Port>
  {
    kernel shared = borrow(module, native, name, where);
    // Clang 14 instantiates this for other ports, too, where a program names the class explicitly.
    if constexpr (counting_port<Port>) module.context_of(where).port(where).retain_kernel(shared.handle_of(), where);
    return shared;
  }

 private:
  friend base;
  friend typename base::handle;
  friend class module<Port>;
  using base::base;
  static kernel take(const detail::shared<detail::module_state<Port>>& module, typename Port::native_kernel native,
                     bool owned, const std::string& name, const source_location& where) {
    if (native == typename Port::native_kernel{}) detail::throw_null_native("kernel", where);
    const Port& with = module->context.state().port;
    kernel result(module, with.adopt_kernel(module->native, native, owned, where));
    try {
      // `name` may differ from the kernel's own, so do not use stored descriptions.
      result.checked_ = base::verify(module->context.state(), result.handle_of(), name, {}, module->types, where);
    } catch (...) {
      (void)result.release();  // the caller keeps it
      throw;
    }
    return result;
  }
};

}  // namespace yoke::inline v0_1

#endif

// SPDX-License-Identifier: MIT
// Scans of arrays and expressions: the elements up to each one, joined in an order that no device changes.
#ifndef YOKE_ARRAY_SCAN_HPP
#define YOKE_ARRAY_SCAN_HPP

#include <yoke/array/reduction.hpp>
#include <yoke/array/scan_source.hpp>

namespace yoke::inline YOKE_ABI {

/// Where segments begin: an array or expression of the scanned shape that is not 0 there.
template <class E>
struct segment_starts {
  E at;
};
/// Scans each segment for itself: `cumsum(x, segments(key(slice(1, none)) != key(slice(0, -1))))`.
template <detail::array_operand A>
[[nodiscard]] auto segments(A&& at) {
  return segment_starts<detail::operand_of<A>>{detail::as_operand(std::forward<A>(at))};
}

namespace detail {

template <bool Inclusive, class Op, class... E>
struct scans;  // the tag of their kernels

/// Returns: what a launch takes of an argument.
template <std::size_t Index, class P, class Port>
[[nodiscard]] auto launched(const elementwise_argument<Index, P, Port>& of) {
  return of.launched();
}

template <class Given>
[[nodiscard]] Given&& launched(Given&& of) noexcept {
  return std::forward<Given>(of);
}

/// Whether scans of a context look back, in one pass. `needs_all`: the output needs what all elements make.
template <class Port>
[[nodiscard]] bool looks_back(const context<Port>& in, bool needs_all, const source_location& where) {
  return !needs_all && look_back_allowed() && in.port(where).language().blocks_progress;
}

/// The kernels of one scan, which one module has.
template <class Port, class Steps, class... P>
struct scan_kernels {
  scan_kernels(const module<Port>& of, bool looks_back, const source_location& where)
      : scan(get_kernel<void(P..., std::uint8_t*, Steps)>(of, "yoke_x_scan", where)) {
    if (looks_back) return;
    parts = get_kernel<void(P..., std::uint8_t*, Steps)>(of, "yoke_x_scan_parts", where);
    tiles = get_kernel<void(std::uint8_t*, Steps)>(of, "yoke_x_scan_tiles", where);
  }

  /// Effects: enqueues the scan of `steps.results` rows. `part` are the bytes that a tile leaves.
  template <class... Given>
  void run(const stream<Port>& order, const Steps& steps, std::size_t part, const source_location& where,
           Given&&... given) const {
    const auto rows = static_cast<std::size_t>(steps.results);
    const auto each = static_cast<std::size_t>(steps.tiles);
    const std::size_t block = scan_block(part);
    const launch_shape threads = launch_over(rows * each * block, block);
    const look_back_memory memory = look_back_memory_for(rows, each, part);
    const bool in_one_pass = !parts;
    device_array<std::uint8_t, 1, Port> left(order,
                                             yoke::shape<1>(each == 1     ? part
                                                            : in_one_pass ? memory.all
                                                                          : rows * (each + 1) * part),
                                             array_order::c, where);
    if (each > 1 && in_one_pass) {
      left(slice(0, memory.cleared)).fill(std::uint8_t{0}, where);
    } else if (each > 1) {
      parts({order, where}, threads, launched(given)..., left, steps);
      tiles({order, where}, launch_over(rows * block, block), left, steps);
    }
    scan({order, where}, threads, launched(given)..., left, steps);
  }

  kernel<void(P..., std::uint8_t*, Steps), Port> scan;
  kernel<void(P..., std::uint8_t*, Steps), Port> parts{};  // empty where it looks back
  kernel<void(std::uint8_t*, Steps), Port> tiles{};
};
/// The same with one for many short rows.
template <class Port, class Steps, class... P>
struct scan_set : scan_kernels<Port, Steps, P...> {
  scan_set(const module<Port>& of, bool looks_back, const source_location& where)
      : scan_kernels<Port, Steps, P...>(of, looks_back, where),
        rows(get_kernel<void(P..., Steps)>(of, "yoke_x_scan_rows", where)) {}

  kernel<void(P..., Steps), Port> rows;
};
template <class Tag, class Set>
struct kept_scans {
  once_map<Set> sets;
};

[[nodiscard]] constexpr std::int64_t scan_tiles(std::int64_t count, std::size_t part) noexcept {
  return count == 0 ? 1 : (count - 1) / static_cast<std::int64_t>(scan_block(part) * scan_items(part)) + 1;
}

template <class Op>
[[nodiscard]] constexpr const char* scan_join([[maybe_unused]] value_kind kind) noexcept {
  if constexpr (requires { Op::join_of(kind); }) {
    return Op::join_of(kind);
  } else {
    return Op::join;
  }
}

/// Effects: enqueues a scan along the axes of a mask. Returns: the results in C order, in an array of that rank.
template <bool Inclusive, class Op, std::size_t Rank, class... E>
[[nodiscard]] auto run_scan(std::uint32_t mask, const source_location& where, const E&... of) {
  using joined = joined_operands<E...>;
  using port = typename joined::port_type;
  using accumulator = typename reduction_item<Op, std::tuple_element_t<0, std::tuple<E...>>>::accumulator;
  using word = kernel_word_of<accumulator>;
  static_assert(joined::inputs < most_inputs, "a scan reads at most 15 arrays");
  constexpr bool in_segments = sizeof...(E) == 2;
  constexpr std::size_t part = scan_part_bytes(sizeof(accumulator), in_segments);
  static_assert(part <= most_scan_bytes, "a scan's values have at most 256 bytes, with segments 8 less");
  constexpr std::size_t operands = joined::inputs + 1;
  using steps_type = reduction_steps<operands>;
  const auto extents = shape_of_all(where, reduction_item<Op, E>{of, where}...);
  const array_layout<joined::rank> layout(extents, sizeof(accumulator), array_order::c, where);
  const auto inputs = std::tuple_cat(of.all_inputs()...);
  const auto& order = std::get<0>(inputs)->stream(where);
  yoke::shape<Rank> shape;
  if constexpr (Rank == joined::rank) {
    shape = extents;
  } else {
    shape[0] = layout.size();
  }
  device_array<accumulator, Rank, port> result(order, shape, array_order::c, where);
  if (layout.empty()) return result;
  const auto scan = [&]<class... I, class... Scalars>(const std::tuple<const I*...>& from,
                                                      const std::tuple<Scalars...>& scalars) {
    reduction_plan<operands> plan;
    const auto native = order.context_of().native_handle();
    const device_span<word, port> to(native, result.native_handle(), 0, 1);
    std::apply(
        [&](const I*... input) {
          (check_memory(order, input->view.memory(), "operand", where), ...);
          const array_side sides[]{input->view.layout()..., layout};
          split_axes(plan.axes, extents.begin(), joined::rank, mask, sides, where);
          const typename port::memory_handle memories[]{input->view.memory().memory..., result.native_handle()};
          const value_type_name kinds[]{name_of<typename I::value_type>()..., name_of<accumulator>()};
          finish_plan(plan, memories, kinds, true, part);
        },
        from);
    using set = scan_set<port, steps_type, word*, const kernel_word_of<typename I::value_type>*..., Scalars...>;
    auto& kept = order.context_of().state(where).attached.template get<kept_scans<scans<Inclusive, Op, E...>, set>>();
    const bool back = looks_back(order.context_of(), false, where);
    const set& run = kept.sets.find_or_make(plan.key << 1U | (back ? 1U : 0U), [&] {
      const std::string source = scan_source(
          {.values = {.steps = steps_of<joined>, .slots = plan.slots, .inputs = joined::inputs, .wide = plan.wide},
           .accumulator = name_of<accumulator>(),
           .join = scan_join<Op>(kind_of<accumulator>()),
           .neutral = Op::neutral,
           .result_rank = plan.axes.results.rank,
           .rank = plan.axes.reduced.rank,
           .linear = plan.linear,
           .inclusive = Inclusive,
           .segments = in_segments,
           .look_back = back});
      return set(
          compile_for_arrays(context<port>::unowned(order.context_of().state(where)), source,
                             {.name = "yoke scan", .types = structs_of<joined>(), .math = {.contract = false}}, where),
          back, where);
    });
    const std::int64_t count = plan.axes.reduced.count;
    const steps_type steps = steps_for(plan, count, scan_tiles(count, part));
    std::apply(
        [&](const I*... input) {
          std::apply(
              [&](const Scalars&... scalar) {
                const auto pass = [&](const auto&... given) {
                  if (count <= 32 && steps.results > 1) {
                    run.rows({order, where}, launch_over(steps.results, reduction_block), given..., steps);
                  } else {
                    run.run(order, steps, part, where, given...);
                  }
                };
                pass(to,
                     device_span<const kernel_word_of<typename I::value_type>, port>(
                         native, input->view.memory().memory, 0, 1)...,
                     scalar...);
              },
              scalars);
        },
        from);
  };
  scan(inputs, std::tuple_cat(of.all_scalars()...));
  return result;
}

/// A scan's operator: that of a sum or product, or a given one.
template <fixed_text Join, fixed_text Neutral, fixed_text Single = Join, fixed_text Twice = Join>
struct total_scan : given_operation<Join, Neutral, void> {
  static constexpr bool takes_structs = false;
  template <class T>
  using accumulator = sum_of<T>;
  static constexpr const char* join_of(value_kind kind) noexcept {
    return kind == value_kind::complex64 ? Single.text : kind == value_kind::complex128 ? Twice.text : Join.text;
  }
};

}  // namespace detail

// Each takes an array, a view or an expression, which is calculated on the way. Without axis the elements are scanned in C
// order, and the result has one axis; `along(axis)` scans each row along it; `segments(starts)` begins anew where that is not
// 0. `a(reversed)` scans backwards. The order of the calculation depends only on the number of elements.
// Throws: as `evaluate`; `logic_error` for an axis that does not exist, and for segments of another shape.
#define YOKE_X_SCAN(name, templates, inclusive, ...)                                                                   \
  YOKE_X_TEMPLATE(templates, class A)                                                                                  \
  requires detail::array_operand<A> [[nodiscard]] auto name(                                                           \
      A&& of, const source_location& where = source_location::current()) {                                             \
    const auto operand = detail::as_operand(std::forward<A>(of));                                                      \
    constexpr std::uint32_t all = (1U << decltype(operand)::rank) - 1;                                                 \
    return detail::run_scan<inclusive, __VA_ARGS__, 1>(all, where, operand);                                           \
  }                                                                                                                    \
  YOKE_X_TEMPLATE(templates, class A)                                                                                  \
  requires detail::array_operand<A> [[nodiscard]] auto name(                                                           \
      A&& of, const reduced_axes<1>& axis, const source_location& where = source_location::current()) {                \
    const auto operand = detail::as_operand(std::forward<A>(of));                                                      \
    constexpr std::size_t rank = decltype(operand)::rank;                                                              \
    return detail::run_scan<inclusive, __VA_ARGS__, rank>(detail::axis_mask(axis.axes, rank, where), where, operand);  \
  }                                                                                                                    \
  YOKE_X_TEMPLATE(templates, class A, class E)                                                                         \
  requires detail::array_operand<A> [[nodiscard]] auto name(                                                           \
      A&& of, const segment_starts<E>& starts, const source_location& where = source_location::current()) {            \
    const auto operand = detail::as_operand(std::forward<A>(of));                                                      \
    constexpr std::uint32_t all = (1U << decltype(operand)::rank) - 1;                                                 \
    return detail::run_scan<inclusive, __VA_ARGS__, 1>(all, where, operand, starts.at);                                \
  }
#define YOKE_X_TEMPLATE(given, ...) template <YOKE_X_GIVEN_##given __VA_ARGS__>
#define YOKE_X_GIVEN_none
#define YOKE_X_GIVEN_operator fixed_text Join, fixed_text Neutral, class Accumulator = void,

/// The sum of the elements up to each one: for integers in 64 bits, else in the elements' own type.
/// Example: `auto up_to_here = yoke::cumsum(a);`
YOKE_X_SCAN(cumsum, none, true, detail::total_scan<"a + b", "0">)
/// The product of the elements up to each one, of the same types.
YOKE_X_SCAN(cumprod, none, true,
            detail::total_scan<"a * b", "1", "yoke_complex_times_f(a, b)", "yoke_complex_times_d(a, b)">)
/// The elements up to each one, joined by an expression in the dialect that makes one of two values, `a` and `b`, in any
/// grouping but in their order, and its neutral element. Both may be statements that return, as they are of structs. Values
/// have the elements' type, or `Accumulator`.
/// Example: `auto highest = yoke::inclusive_scan<"max(a, b)", "0">(a);`
YOKE_X_SCAN(inclusive_scan, operator, true, detail::given_operation<Join, Neutral, Accumulator>)
/// The elements before each one, joined; the neutral element for the first.
YOKE_X_SCAN(exclusive_scan, operator, false, detail::given_operation<Join, Neutral, Accumulator>)
#undef YOKE_X_SCAN
#undef YOKE_X_TEMPLATE
#undef YOKE_X_GIVEN_none
#undef YOKE_X_GIVEN_operator

namespace detail {

template <class Signature, class Port, class Indices>
class scan_call;
/// The call of a scan kernel.
template <class R, class... P, class Port, std::size_t... Index>
class scan_call<R(P...), Port, std::index_sequence<Index...>> {
 protected:
  using steps_type = reduction_steps<1>;
  scan_call(const module<Port>& of, bool looks_back, bool in_segments, const source_location& where)
      : kernels_(of, looks_back, where), part_(scan_part_bytes(sizeof(R), in_segments)) {}

 public:
  /// Enqueues it for all elements, in the stream of the first array.
  /// Throws: `logic_error` for arrays of several shapes, or with gaps; as a launch.
  void operator()(const elementwise_argument<Index, P, Port>&... arguments) const {
    const source_location places[]{arguments.where()...};
    elementwise_shape<Port> shape;
    (arguments.add_to(shape), ...);
    if (shape.order == nullptr)
      throw_error(errc::invalid_argument, "no argument is an array, which has a shape", places[0]);
    steps_type steps;
    steps.results = 1;
    steps.count = static_cast<std::int64_t>(volume(shape.first.extents, shape.first.rank));
    steps.tiles = scan_tiles(steps.count, part_);
    if (steps.count != 0) kernels_.run(*shape.order, steps, part_, places[0], arguments...);
  }
  template <class... Given>
    requires(sizeof...(Given) != sizeof...(P))
  void operator()(const Given&...) const {
    refuse_count<sizeof...(Given), P...>();
  }

 private:
  scan_kernels<Port, steps_type, P...> kernels_;
  std::size_t part_;
};

}  // namespace detail

template <class Signature, class Port = any_port>
class scan_kernel;

/// A scan from text with an output statement, as PyOpenCL's GenericScanKernel and PyCUDA's InclusiveScanKernel and
/// ExclusiveScanKernel: `item` joins the elements up to `i`, `prev_item` those before it in its segment, `last_item` all; `N`
/// is their number. The result of the signature is the type of values.
///
/// Parameters are pointers, which take arrays and views without gaps in C order, and numbers.
/// Thread safety: calls are safe from any number of threads at once.
/// Example: `yoke::scan_kernel<int(const int*, int*)> before(ctx, {"x", "y"}, {.input = "x[i]", .join = "a + b",
///           .neutral = "0", .output = "y[i] = prev_item"});`
template <class R, class... P, class Port>
class scan_kernel<R(P...), Port> : public detail::scan_call<R(P...), Port, std::index_sequence_for<P...>> {
  static_assert((std::is_pointer_v<P> || ...), "a scan kernel has an array");
  static_assert((std::is_arithmetic_v<R> && !std::same_as<R, bool>) || detail::complex_element<R> ||
                    detail::registered_struct<R>,
                "a scan kernel joins numbers or structs of YOKE_STRUCT");
  static_assert(detail::scan_part_bytes(sizeof(R), true) <= detail::most_scan_bytes,
                "a scan kernel's values have at most 248 bytes");

 public:
  /// Compiles it. Throws: `logic_error` for another number of names than parameters, names that are no identifiers or given
  /// twice, and empty texts; as `compile`.
  scan_kernel(const context<Port>& context, std::initializer_list<std::string_view> names, const scan_text& of,
              const source_location& where = source_location::current())
      : scan_kernel(context, std::span(names.begin(), names.size()), of,
                    detail::looks_back(context, detail::needs_last_item(of), where), where) {}

 private:
  scan_kernel(const context<Port>& context, std::span<const std::string_view> names, const scan_text& of,
              bool looks_back, const source_location& where)
      : detail::scan_call<R(P...), Port, std::index_sequence_for<P...>>(made(context, names, of, looks_back, where),
                                                                        looks_back, !of.segment_start.empty(), where) {}
  static module<Port> made(const context<Port>& context, std::span<const std::string_view> names, const scan_text& of,
                           bool looks_back, const source_location& where) {
    static constexpr detail::elementwise_parameter parameters[]{detail::parameter_of<P>...};
    compile_options options = of.compile;
    detail::define_types<P...>(options);
    detail::describe_structs<R, P...>(options);
    if (options.name.empty()) options.name = "scan";
    if (!options.math.contract) options.math.contract = false;
    const auto given = detail::given_parameters_of("a scan kernel", parameters, names, where);
    return detail::compile_for_arrays(
        context, detail::scan_kernel_source(given, detail::name_of<detail::kernel_word_of<R>>(), of, looks_back, where),
        options, where);
  }
};

}  // namespace yoke::inline YOKE_ABI

#endif

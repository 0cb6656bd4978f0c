// SPDX-License-Identifier: MIT
// A scan made from the expression of element `i` of its arrays, and from the statements that use the results.
#ifndef YOKE_ARRAY_REDUCTION_SCAN_KERNEL_HPP
#define YOKE_ARRAY_REDUCTION_SCAN_KERNEL_HPP

#include <yoke/array/kernel/named_parameters.hpp>
#include <yoke/array/reduction/scan.hpp>

namespace yoke::inline v0_1 {

/// The texts of a `scan_kernel`, in the dialect.
struct scan_text {
  std::string input{};          ///< the value of element `i`: "x[i]"
  std::string join{};           ///< joins two values, `a` before `b`: "a + b"
  std::string neutral{};        ///< joins without effect: "0"
  std::string output{};         ///< statements on `item`, `prev_item`, `last_item`, `i`, `N`: "y[i] = item"
  std::string segment_start{};  ///< a condition: a segment begins at `i`; empty for one segment
  std::string preamble{};
  compile_options compile{};
};

namespace detail {

/// Returns: the source of `yoke_x_scan` and, without look-back, of `yoke_x_scan_parts` and `yoke_x_scan_tiles`.
YOKE_API std::string scan_kernel_source(const named_parameters& parameters, value_type_name accumulator,
                                        const scan_text& of, bool look_back, const source_location& where);
/// Whether the output text uses the total of all elements, which a scan in one pass does not know in time.
[[nodiscard]] YOKE_API bool needs_last_item(const scan_text& of) noexcept;

template <class Signature, class Port, class Indices>
class scan_call;
/// The call operators of a scan kernel.
template <class R, class... P, class Port, std::size_t... Index>
class scan_call<R(P...), Port, std::index_sequence<Index...>> {
 protected:
  using steps_type = reduction_steps;
  scan_call(const module<Port>& of, bool looks_back, bool in_segments, const source_location& where)
      : all_(get_kernel<passes>(of, "yoke_x_scan", where)), part_(scan_part_bytes(sizeof(R), in_segments)) {
    if (looks_back) return;
    parts_ = get_kernel<passes>(of, "yoke_x_scan_parts", where);
    tiles_ = get_kernel<void(std::uint8_t*, steps_type)>(of, "yoke_x_scan_tiles", where);
  }

 public:
  /// Enqueues the kernel for all elements, in the stream of the first array.
  /// Throws: `logic_error` for arrays of different shapes or with gaps; as a launch.
  void operator()(const elementwise_argument<Index, P, Port>&... arguments) const {
    const source_location places[]{arguments.where()...};
    const auto shape = elementwise_shape<Port>::of(places[0], arguments...);
    steps_type steps;
    steps.results = 1;
    steps.count = static_cast<std::int64_t>(volume(shape.first.extents, shape.first.rank));
    steps.tiles = scan_tiles(steps.count, part_);
    if (steps.count == 0) return;
    const begins_type begins{{arguments.offset()...}};
    const launch_order<Port> order{*shape.order, places[0]};
    launch_scan(*shape.order, steps.results, steps.tiles, part_, !parts_, places[0],
                [&](scan_pass pass, const launch_shape& threads, device_allocation<std::uint8_t, Port>& left) {
                  if (pass == scan_pass::tiles) return tiles_(order, threads, left, steps);
                  (pass == scan_pass::parts ? parts_ : all_)(order, threads, arguments.launched()..., begins, left,
                                                             steps);
                });
  }
  /// Makes the call a node of a graph (<yoke/graph.hpp>), which keeps the kernel and the arrays' memory alive.
  /// Returns: the node; it stands for all passes. Throws: as above. Example: `keep(record, x, kept);`
  graph_node<Port> operator()(record_order<Port> record,
                              const recorded_elementwise<Index, P, Port>&... arguments) const {
    const source_location places[]{arguments.where()...};
    const source_location& where = places[0];
    const auto shape = elementwise_shape<Port>::of(where, arguments...);
    steps_type steps;
    steps.results = 1;
    steps.count = static_cast<std::int64_t>(volume(shape.first.extents, shape.first.rank));
    steps.tiles = scan_tiles(steps.count, part_);
    const begins_type begins{{arguments.offset()...}};
    return record_for_array(
        record.recorder(),
        [&](const auto& order) {
          if (steps.count == 0) return;
          launch_scan(order, steps.results, steps.tiles, part_, !parts_, where,
                      [&](scan_pass pass, const launch_shape& threads, device_allocation<std::uint8_t, Port>& left) {
                        if (pass == scan_pass::tiles) return order.add(tiles_(record, threads, left, steps));
                        const auto& run = pass == scan_pass::parts ? parts_ : all_;
                        order.add(run(record, threads, arguments.recorded()..., begins, left, steps));
                      });
        },
        where);
  }
  template <class... Given>
    requires(sizeof...(Given) != sizeof...(P) + begins_with_recorder<Given...>)
  void operator()(const Given&...) const {
    refuse_count<sizeof...(Given) - begins_with_recorder<Given...>, P...>();
  }

 private:
  using begins_type = array_offsets<sizeof...(P)>;
  using passes = void(P..., begins_type, std::uint8_t*, steps_type);
  kernel<passes, Port> all_;
  kernel<passes, Port> parts_{};  // empty with look-back
  kernel<void(std::uint8_t*, steps_type), Port> tiles_{};
  std::size_t part_;
};

}  // namespace detail

template <class Signature, class Port = any_port>
class scan_kernel;

/// A scan with an output statement, like GenericScanKernel of PyOpenCL, and InclusiveScanKernel and
/// ExclusiveScanKernel of PyCUDA. In the statement `item` joins the elements up to `i`, `prev_item` those before `i`
/// in its segment, and `last_item` all elements; `N` is their number. The result type of the signature is the type of
/// these values.
///
/// Parameters are numbers and pointers; a pointer takes an array or a view without gaps in C order.
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
  /// Compiles it. Throws: `logic_error` unless each parameter has one name, for names that are not identifiers or given
  /// twice, and for empty texts; as `compile`.
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
    const auto given = detail::named_parameters_of("a scan kernel", parameters, names, where);
    return detail::compile_for_arrays(
        context, detail::scan_kernel_source(given, detail::name_of<detail::kernel_word_of<R>>(), of, looks_back, where),
        options, where);
  }
};

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/reduction/scan_kernel.ipp>
#endif

#endif

// SPDX-License-Identifier: MIT
// A reduction made from the expression that it calculates for element `i` of its arrays.
#ifndef YOKE_ARRAY_REDUCTION_REDUCTION_KERNEL_HPP
#define YOKE_ARRAY_REDUCTION_REDUCTION_KERNEL_HPP

#include <yoke/array/kernel/named_parameters.hpp>
#include <yoke/array/reduction/reduction_run.hpp>
#include <yoke/array/storage/array_recording.hpp>

namespace yoke::inline v0_1 {

/// The texts of a `reduction_kernel`, in the dialect.
struct reduction_text {
  std::string map{};      ///< the value of element `i`: "x[i] * y[i]"
  std::string join{};     ///< joins two values, `a` and `b`: "a + b"
  std::string neutral{};  ///< joins without effect: "0"
  std::string preamble{};
  compile_options compile{};
};

namespace detail {
/// Returns: the source of `yoke_x_map`, `yoke_x_map_parts`, `yoke_x_rest` and `yoke_x_rest_parts`.
YOKE_API std::string reduction_kernel_source(const named_parameters& parameters, value_type_name result,
                                             const reduction_text& of, bool coalesces, const source_location& where);

template <class Signature, class Port, class Indices>
class reduction_call;
/// The call operators of a reduction kernel.
template <class R, class... P, class Port, std::size_t... Index>
class reduction_call<R(P...), Port, std::index_sequence<Index...>> {
 protected:
  using word = kernel_word_of<R>;
  using steps_type = reduction_steps;
  using begins_type = array_offsets<sizeof...(P)>;

 public:
  /// Enqueues the kernel for all elements, in the stream of the first array. Without elements the result is the
  /// neutral element.
  /// Returns: the result, which stays on the device until `get()`.
  /// Throws: `logic_error` for arrays of different shapes or with gaps; as a launch.
  [[nodiscard]] device_value<R, Port> operator()(const elementwise_argument<Index, P, Port>&... arguments) const {
    const source_location places[]{arguments.where()...};
    const source_location& where = places[0];
    const auto shape = elementwise_shape<Port>::of(where, arguments...);
    const stream<Port>& order = *shape.order;
    steps_type steps;
    steps.results = 1;
    steps.count = static_cast<std::int64_t>(volume(shape.first.extents, shape.first.rank));
    steps.tiles = tiles_of(steps.count, reduction_tile);
    const begins_type begins{{arguments.offset()...}};
    device_value<R, Port> result(order, where);
    const auto blocks = [&] {
      return launch_over(static_cast<std::size_t>(steps.tiles) * reduction_block, reduction_block);
    };
    const auto native = order.context_of().native_handle();
    const device_span<word, Port> to(native, result.array().native_handle(), 0, 1);
    if (steps.tiles == 1) {
      map_({order, where}, blocks(), arguments.launched()..., begins, to, steps);
      return result;
    }
    const auto parts_of = [&] {
      return device_array<std::uint8_t, 1, Port>(
          order, yoke::shape<1>(static_cast<std::size_t>(steps.tiles) * sizeof(R)), array_order::c, where);
    };
    auto parts = parts_of();
    map_parts_({order, where}, blocks(), arguments.launched()..., begins, parts, steps);
    for (;;) {
      steps.count = steps.tiles;
      steps.tiles = tiles_of(steps.count, later_tile);
      const auto& from = parts;
      if (steps.tiles == 1) {
        rest_({order, where}, blocks(), to, from, steps);
        return result;
      }
      auto next = parts_of();
      rest_parts_({order, where}, blocks(), next, from, steps);
      parts = std::move(next);
    }
  }

  /// Makes the call a node of a graph (<yoke/graph.hpp>), which writes `result` at each launch. The graph keeps the
  /// kernel and the memory alive.
  /// Returns: the node; it stands for all passes. Throws: as above; `logic_error` for a value that was moved from.
  /// Example: `dot(record, total, x, y);`
  graph_node<Port> operator()(record_order<Port> record, device_value<R, Port>& result,
                              const recorded_elementwise<Index, P, Port>&... arguments) const {
    const source_location places[]{arguments.where()...};
    const source_location& where = places[0];
    const auto shape = elementwise_shape<Port>::of(where, arguments...);
    const auto value = result.array().view(where);
    steps_type steps;
    steps.results = 1;
    steps.count = static_cast<std::int64_t>(volume(shape.first.extents, shape.first.rank));
    steps.tiles = tiles_of(steps.count, reduction_tile);
    const begins_type begins{{arguments.offset()...}};
    return record_for_array(
        record.recorder(),
        [&](const auto& order) {
          operation_memory operation(order);
          check_memory(operation, value.memory(), memory_use::writes, "result", where);
          const auto blocks = [&] {
            return launch_over(static_cast<std::size_t>(steps.tiles) * reduction_block, reduction_block);
          };
          const auto parts_of = [&] {
            const std::size_t bytes = static_cast<std::size_t>(steps.tiles) * sizeof(R);
            return allocate_for_array<std::uint8_t>(order, bytes, where).span(where);
          };
          const device_span<word, Port> to(value.memory().context, value.memory().memory, 0, 1);
          if (steps.tiles == 1) {
            return order.add(map_(record, blocks(), arguments.recorded()..., begins, to, steps));
          }
          auto parts = parts_of();
          order.add(map_parts_(record, blocks(), arguments.recorded()..., begins, parts, steps));
          for (;;) {
            steps.count = steps.tiles;
            steps.tiles = tiles_of(steps.count, later_tile);
            if (steps.tiles == 1) return order.add(rest_(record, blocks(), to, parts, steps));
            const auto next = parts_of();
            order.add(rest_parts_(record, blocks(), next, parts, steps));
            parts = next;
          }
        },
        where);
  }

  template <class... Given>
    requires(sizeof...(Given) != sizeof...(P) + 2 * begins_with_recorder<Given...>)
  void operator()(const Given&...) const {
    refuse_count<sizeof...(Given) - (begins_with_recorder<Given...> && sizeof...(Given) > 1 ? 2 : 0), P...>();
  }

 protected:
  kernel<void(P..., begins_type, word*, steps_type), Port> map_;
  kernel<void(P..., begins_type, std::uint8_t*, steps_type), Port> map_parts_;
  kernel<void(word*, const std::uint8_t*, steps_type), Port> rest_;
  kernel<void(std::uint8_t*, const std::uint8_t*, steps_type), Port> rest_parts_;
};

}  // namespace detail

template <class Signature, class Port = any_port>
class reduction_kernel;

/// A kernel that reduces arrays to one number or one registered struct, like ReductionKernel of PyCUDA and PyOpenCL.
///
/// Parameters are numbers and pointers; a pointer takes an array or a view without gaps in C order. The order of the
/// calculation depends only on the number of elements.
/// Thread safety: calls are safe from any number of threads at once.
/// Example: `yoke::reduction_kernel<float(const float*, const float*)> dot(
///           ctx, {"x", "y"}, {"x[i] * y[i]", "a + b", "0"});`
template <class R, class... P, class Port>
class reduction_kernel<R(P...), Port> : public detail::reduction_call<R(P...), Port, std::index_sequence_for<P...>> {
  static_assert((std::is_pointer_v<P> || ...), "a reduction kernel has an array");
  static_assert((std::is_arithmetic_v<R> && !std::same_as<R, bool>) || detail::complex_element<R> ||
                    detail::registered_struct<R>,
                "a reduction kernel makes a number or a struct of YOKE_STRUCT");
  static_assert(sizeof(R) <= detail::most_part_bytes, "a reduction kernel's value has at most 128 bytes");
  using base = detail::reduction_call<R(P...), Port, std::index_sequence_for<P...>>;
  using typename base::begins_type;
  using typename base::steps_type;
  using typename base::word;

 public:
  /// Compiles it. Throws: `logic_error` unless each parameter has one name, for names that are not identifiers or given
  /// twice, and for empty texts; as `compile`.
  reduction_kernel(const context<Port>& context, std::initializer_list<std::string_view> names,
                   const reduction_text& of, const source_location& where = source_location::current()) {
    static constexpr detail::elementwise_parameter parameters[]{detail::parameter_of<P>...};
    compile_options options = of.compile;
    detail::define_types<P...>(options);
    detail::describe_structs<R, P...>(options);
    if (options.name.empty()) options.name = "reduction";
    if (!options.math.contract) options.math.contract = false;
    const auto module = detail::compile_for_arrays(
        context,
        detail::reduction_kernel_source(detail::named_parameters_of("a reduction kernel", parameters,
                                                                    std::span(names.begin(), names.size()), where),
                                        detail::name_of<word>(), of, context.port(where).language().coalesces, where),
        options, where);
    this->map_ = get_kernel<void(P..., begins_type, word*, steps_type)>(module, "yoke_x_map", where);
    this->map_parts_ =
        get_kernel<void(P..., begins_type, std::uint8_t*, steps_type)>(module, "yoke_x_map_parts", where);
    this->rest_ = get_kernel<void(word*, const std::uint8_t*, steps_type)>(module, "yoke_x_rest", where);
    this->rest_parts_ =
        get_kernel<void(std::uint8_t*, const std::uint8_t*, steps_type)>(module, "yoke_x_rest_parts", where);
  }
};

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/reduction/reduction_kernel.ipp>
#endif

#endif

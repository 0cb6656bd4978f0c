// SPDX-License-Identifier: MIT
// A kernel made from the statements that it runs for element `i` of its arrays.
#ifndef YOKE_ARRAY_KERNEL_ELEMENTWISE_KERNEL_HPP
#define YOKE_ARRAY_KERNEL_ELEMENTWISE_KERNEL_HPP

#include <yoke/array/storage/device_array.hpp>

#include <string>
#include <string_view>

namespace yoke::inline v0_1 {

/// Options of an `elementwise_kernel`.
struct elementwise_options {
  std::string name{"elementwise"};  ///< name of the kernel
  std::string preamble{};           ///< text before the kernel: functions, definitions
  compile_options compile{};
};

namespace detail {

/// A parameter of an elementwise kernel. A macro stands for its type, because each language has its own name for it.
struct elementwise_parameter {
  bool is_pointer;
  bool is_const;
};
/// Throws: `logic_error` unless there is one name for each parameter, and all are different identifiers other than
/// `i`.
YOKE_API void check_names(const char* what, std::size_t parameters, std::span<const std::string_view> names,
                          const source_location& where);
/// Throws: `logic_error` for an empty text.
YOKE_API void check_text(const char* part, const char* what, std::string_view given, const source_location& where);
/// Returns: the kernel's source. Throws: `logic_error` as the checks above, and for a kernel name other than an
/// identifier.
YOKE_API std::string elementwise_source(std::span<const elementwise_parameter> parameters,
                                        std::span<const std::string_view> names, std::string_view body,
                                        const elementwise_options& options, const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_elementwise_shape(std::size_t argument, const const_axes& one,
                                                              const const_axes& other, const source_location& where);

/// The offset of each array's first element from the start of its memory, in elements; 0 for a number. Drivers whose
/// memory handles are not addresses get the memory from its start and this offset.
template <std::size_t Parameters>
struct array_offsets {
  std::int64_t at[Parameters];
};
/// Returns: the definition of `array_offsets` in a kernel.
YOKE_API std::string offsets_text(std::size_t parameters);

/// A launch argument that stands for memory from its start, whatever part of it a view shows.
template <class T, class Port>
struct memory_from_start {
  memory_side<device_place<Port>, T> side{};
};

/// The same for a recorded launch, which keeps the memory alive.
template <class T, class Port>
struct kept_from_start : memory_from_start<T, Port> {
  kept_alive kept{};
};

template <class P>
using elementwise_value = std::remove_const_t<std::remove_pointer_t<P>>;

/// The common shape of all arrays of a call, and the stream of the first one. `add` throws `logic_error` for another
/// shape.
template <class Port>
struct elementwise_shape {
  const stream<Port>* order = nullptr;
  const_axes first{};

  /// Returns: the shape of a call's arguments. Throws: `logic_error` where shapes differ, or no argument is an array.
  template <class... Arguments>
  static elementwise_shape of(const source_location& where, const Arguments&... arguments) {
    elementwise_shape shape;
    (arguments.add_to(shape), ...);
    if (shape.order == nullptr)
      throw_error(errc::invalid_argument, "no argument is an array, which has a shape", where);
    return shape;
  }

  template <class Given>
  void add(const Given& given, std::size_t argument, const source_location& where) {
    if constexpr (requires { given.layout().axes(); }) {
      const const_axes axes = given.layout().axes();
      if (order == nullptr) {
        order = &given.stream(where);
        first = axes;
        return;
      }
      bool equal = axes.rank == first.rank;
      for (std::size_t axis = 0; equal && axis < axes.rank; ++axis) {
        equal = axes.extents[axis] == first.extents[axis];
      }
      if (!equal) throw_elementwise_shape(argument, axes, first, where);
    }
  }
};

/// An argument of an elementwise kernel, and the place of its call. It refers to arrays and copies numbers.
template <std::size_t Index, class P, class Port>
class elementwise_argument {
 public:
  template <class Given>
  elementwise_argument(const Given& value, const source_location& where = source_location::current())  // NOLINT
      : value_(*static_cast<const P*>(argument<Index, P, Port, false>(value, where).place())), where_(where) {}

  void add_to(elementwise_shape<Port>&) const noexcept {}
  [[nodiscard]] std::int64_t offset() const noexcept { return 0; }
  [[nodiscard]] argument<Index, P, Port, false> launched() const { return value_; }
  [[nodiscard]] const source_location& where() const noexcept { return where_; }

 protected:
  P value_;
  source_location where_;
};
template <std::size_t Index, class T, class Port>
class elementwise_argument<Index, T*, Port> {
  using launched_type = launch_argument<Index, T*, Port>;

 public:
  template <class Given>
  elementwise_argument(Given&& value, const source_location& where = source_location::current())  // NOLINT
      : given_(&value),
        add_(&add<const std::remove_reference_t<Given>>),
        launch_(&launch<std::remove_reference_t<Given>>),
        where_(where) {
    take_offset(value);
  }
  elementwise_argument(const elementwise_argument&) = delete;
  elementwise_argument& operator=(const elementwise_argument&) = delete;

  void add_to(elementwise_shape<Port>& shape) const { add_(given_, shape, where_); }
  [[nodiscard]] std::int64_t offset() const noexcept { return offset_; }
  [[nodiscard]] launched_type launched() const { return offset_ == 0 ? launch_(given_) : launched_type(start_); }
  [[nodiscard]] const source_location& where() const noexcept { return where_; }

 protected:
  template <class Given>
  static void add(const void* at, elementwise_shape<Port>& shape, const source_location& where) {
    shape.add(*static_cast<Given*>(at), Index + 1, where);
  }
  template <class Given>
  static launched_type launch(const void* at) {
    return launched_type(*static_cast<Given*>(const_cast<void*>(at)));
  }
  template <class Given>
  void take_offset(Given& value) noexcept {
    if constexpr (requires { describe(value).at.first; }) {
      auto side = describe(value);
      using element = typename decltype(side)::element;
      if constexpr (std::same_as<typename decltype(side)::place, device_place<Port>> &&
                    (std::same_as<element, T> || std::same_as<const element, T>)) {
        if (side.refusal != nullptr) return;  // the launch throws it
        offset_ = static_cast<std::int64_t>(side.at.first);
        start_.side = {.at = {side.at.memory, 0},
                       .size = side.at.first + side.size,
                       .context = side.context,
                       .maps = side.maps,
                       .uses = side.uses};
      }
    }
  }

  const void* given_;
  std::int64_t offset_ = 0;
  memory_from_start<T, Port> start_{};
  void (*add_)(const void*, elementwise_shape<Port>&, const source_location&);
  launched_type (*launch_)(const void*);
  source_location where_;
};

/// An argument of a recorded call of an elementwise kernel.
template <std::size_t Index, class P, class Port>
class recorded_elementwise : public elementwise_argument<Index, P, Port> {
 public:
  template <class Given>
  recorded_elementwise(const Given& value, const source_location& where = source_location::current())  // NOLINT
      : elementwise_argument<Index, P, Port>(value, where) {}
  [[nodiscard]] recorded_argument<Index, P, Port> recorded() const { return {this->value_, this->where_}; }
};
template <std::size_t Index, class T, class Port>
class recorded_elementwise<Index, T*, Port> : public elementwise_argument<Index, T*, Port> {
  using made_type = recorded_argument<Index, T*, Port>;

 public:
  template <class Given>
  recorded_elementwise(Given&& value, const source_location& where = source_location::current())  // NOLINT
      : elementwise_argument<Index, T*, Port>(value, where), make_(&make<std::remove_reference_t<Given>>) {
    if constexpr (accessible_memory<std::remove_reference_t<Given>>) start_.kept = kept_with(value);
    start_.side = elementwise_argument<Index, T*, Port>::start_.side;
  }
  [[nodiscard]] made_type recorded() const {
    return this->offset_ == 0 ? make_(this->given_, this->where_) : made_type(start_, this->where_);
  }

 private:
  template <class Given>
  static made_type make(const void* at, const source_location& where) {
    return made_type(*static_cast<Given*>(const_cast<void*>(at)), where);
  }
  kept_from_start<T, Port> start_{};
  made_type (*make_)(const void*, const source_location&);
};

template <class Signature, class Port, class Indices>
class elementwise_call;
/// The call operators of an elementwise kernel.
template <class... P, class Port, std::size_t... Index>
class elementwise_call<void(P...), Port, std::index_sequence<Index...>> {
 public:
  /// Enqueues the kernel for all elements, in the stream of the first array.
  /// Throws: `logic_error` for arrays of different shapes or with gaps; as a launch.
  void operator()(const elementwise_argument<Index, P, Port>&... arguments) const {
    const source_location places[]{arguments.where()...};
    const auto shape = elementwise_shape<Port>::of(places[0], arguments...);
    const std::size_t count = volume(shape.first.extents, shape.first.rank);
    kernel_({*shape.order, places[0]}, threads_for(static_cast<std::int64_t>(count)), arguments.launched()...,
            array_offsets<sizeof...(P)>{{arguments.offset()...}}, static_cast<std::int64_t>(count));
  }
  /// Makes the call a node of a graph (<yoke/graph.hpp>), which keeps the kernel and the arrays' memory alive.
  /// Returns: the node. Throws: as above. Example: `axpy(record, y, x, 2.0F);`
  graph_node<Port> operator()(record_order<Port> record,
                              const recorded_elementwise<Index, P, Port>&... arguments) const {
    const source_location places[]{arguments.where()...};
    const auto shape = elementwise_shape<Port>::of(places[0], arguments...);
    const std::size_t count = volume(shape.first.extents, shape.first.rank);
    return kernel_(record, threads_for(static_cast<std::int64_t>(count)), arguments.recorded()...,
                   array_offsets<sizeof...(P)>{{arguments.offset()...}}, static_cast<std::int64_t>(count));
  }
  template <class... Given>
    requires(sizeof...(Given) != sizeof...(P) + begins_with_recorder<Given...>)
  void operator()(const Given&...) const {
    refuse_count<sizeof...(Given) - begins_with_recorder<Given...>, P...>();
  }

 protected:
  using signature = void(P..., array_offsets<sizeof...(P)>, std::int64_t);
  kernel<signature, Port> kernel_;
};

}  // namespace detail

template <std::size_t Parameters>
inline constexpr const char* device_type_name<detail::array_offsets<Parameters>> = "yoke_x_offsets";
template <class T, class Port>
struct memory_access<detail::memory_from_start<T, Port>> {
  static memory_side<device_place<Port>, T> describe(const detail::memory_from_start<T, Port>& of) noexcept {
    return of.side;
  }
};
template <class T, class Port>
struct memory_access<detail::kept_from_start<T, Port>> {
  static memory_side<device_place<Port>, T> describe(const detail::kept_from_start<T, Port>& of) noexcept {
    return of.side;
  }
  static kept_alive kept(const detail::kept_from_start<T, Port>& of) noexcept { return of.kept; }
};

template <class Signature, class Port = any_port>
class elementwise_kernel;

/// A kernel that runs statements for each element `i`, like ElementwiseKernel of PyCUDA and PyOpenCL.
///
/// Parameters are numbers and pointers; a pointer takes an array or a view without gaps in C order. The text is in the
/// dialect.
/// Thread safety: calls are safe from any number of threads at once.
/// Example: `yoke::elementwise_kernel<void(float*, const float*, float)> axpy(
///           ctx, {"y", "x", "a"}, "y[i] += a * x[i]");`
template <class... P, class Port>
class elementwise_kernel<void(P...), Port>
    : public detail::elementwise_call<void(P...), Port, std::index_sequence_for<P...>> {
  static_assert((std::is_pointer_v<P> || ...), "an elementwise kernel has an array");

 public:
  /// Compiles it. Throws: `logic_error` unless each parameter has one name, for names that are not identifiers or given
  /// twice, and for empty texts; as `compile`.
  elementwise_kernel(const context<Port>& context, std::initializer_list<std::string_view> names, std::string_view body,
                     const elementwise_options& options = {},
                     const source_location& where = source_location::current()) {
    const detail::elementwise_parameter parameters[]{
        {std::is_pointer_v<P>, std::is_const_v<std::remove_pointer_t<P>>}...};
    compile_options compiled = options.compile;
    std::size_t number = 0;
    const auto add = [&]<class T>(std::type_identity<T>) {
      for (define& each : specialise<T>("yoke_x_type" + std::to_string(number))) {
        compiled.defines.push_back(std::move(each));
      }
      ++number;
    };
    (add(std::type_identity<detail::elementwise_value<P>>{}), ...);
    if (compiled.name.empty()) compiled.name = options.name;
    const auto module = detail::compile_for_arrays(
        context, detail::elementwise_source(parameters, std::span(names.begin(), names.size()), body, options, where),
        compiled, where);
    this->kernel_ = get_kernel<typename elementwise_kernel::signature>(module, options.name, where);
  }
};

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/kernel/elementwise_kernel.ipp>
#endif

#endif

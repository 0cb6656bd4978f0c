// SPDX-License-Identifier: MIT
// A view whose work becomes nodes of a graph: `y.bind(record) = 2 * x + 1`.
#ifndef YOKE_ARRAY_REDUCTION_RECORDED_VIEW_HPP
#define YOKE_ARRAY_REDUCTION_RECORDED_VIEW_HPP

#include <yoke/array/expression/operation_kinds.hpp>
#include <yoke/array/reduction/reduction_run.hpp>
#include <yoke/array/storage/array_recording.hpp>

namespace yoke::inline v0_1 {

// Work that cannot be recorded does not compile. The first error names a missing member, whose name says what to
// write.
template <class... Given>
struct recording_mismatch {};

/// The elements of an array or a view on a graph recorder; `bind(record)` makes it. Its work becomes nodes of the
/// graph. The graph keeps temporaries and the memory of arrays and of views that share it; the program keeps memory
/// that a view only refers to as long as the graph's executables live. Only the destination is bound; sources are
/// ordinary arrays and views.
///
/// Requires: array and recorder outlive it. Thread safety: one thread at a time for all recorders of a graph.
/// Example: `a.bind(record).fill(0.0F); a.bind(record) = a + sin(b); a.bind(record).copy_to(host);`
template <class T, std::size_t Rank, class Port>
class recorded_view {
 public:
  using view_type = device_view<T, Rank, Port>;
  using value_type = std::remove_const_t<T>;
  using element_type = T;
  using port_type = Port;

  recorded_view(const view_type& of, graph_recorder<Port>& by) noexcept : view_(of), by_(&by) {}
  recorded_view(const recorded_view&) noexcept = default;
  recorded_view& operator=(const recorded_view&) = delete;
  ~recorded_view() = default;

  /// The elements as a view, for functions that do not record.
  [[nodiscard]] const view_type& view() const noexcept { return view_; }
  /// Records the work that `body(order)` enqueues; algorithms call it. Returns: the node. Throws: `logic_error` for an
  /// empty recorder.
  template <class Body>
  graph_node<Port> record(const Body& body, const source_location& where) const {
    return detail::record_for_array(*by_, body, where);
  }

  /// Sets every element at each launch. Returns: the node. Throws: as `device_view::fill`; `logic_error` for an empty
  /// recorder.
  template <class Value = value_type>
  graph_node<Port> fill(const Value& value, const source_location& where = source_location::current()) const {
    static_assert(!std::is_const_v<T>, "this view cannot be written");
    const value_type element = detail::given_element<value_type>(value, "value", where);
    return record([&](const auto& order) { detail::fill_view(order, view_, element, where); }, where);
  }
  /// Assigns the elements of another view or array, of an expression or of the result of a function of `pass`, at each
  /// launch; they broadcast to this view's shape. Numbers in an expression keep the values that they have at
  /// recording.
  /// Returns: the node; with a temporary it stands for several. Throws: as `device_view::assign`.
  /// Example: `y.bind(record).assign(yoke::pass::cumsum(x));`
  template <class Source>
    requires(detail::assignable<Source> || detail::is_device_view<Source>)
  graph_node<Port> assign(const Source& source, const source_location& where = source_location::current()) const {
    static_assert(!detail::reads_new_value<Source>,
                  "a reduction in this expression is made now, not at each launch: name its device_value and assign "
                  "pass::sum or its like to it first");
    return record([&](const auto& order) { detail::assign_in(order, view_, source, where); }, where);
  }
  template <class U, std::size_t Other>
  graph_node<Port> assign(const device_array<U, Other, Port>& source,
                          const source_location& where = source_location::current()) const {
    return assign(source.view(where), where);
  }
  template <class U, std::size_t Other>
  void assign(device_array<U, Other, Port>&&) const {
    refuse_temporary<U>();
  }
  template <class U>
  graph_node<Port> assign(const device_value<U, Port>& source,
                          const source_location& where = source_location::current()) const {
    return assign(source.array(), where);
  }
  template <class U>
  void assign(device_value<U, Port>&&) const {
    refuse_temporary_value<U>();
  }
  /// Copies the elements of page-locked memory, in C order, at each launch. The graph keeps the memory alive.
  /// Returns: the node. Throws: `logic_error` for another number of elements; as above.
  template <class Host>
    requires(!detail::array_operand<Host> && !detail::assignable<Host>)
  graph_node<Port> assign(const Host& host, const source_location& where = source_location::current()) const {
    static_assert(!std::is_const_v<T>, "this view cannot be written");
    if constexpr (check_host<const Host>()) {
      return record(
          [&](const auto& order) {
            const auto from = host_side(order, host, "source", where);
            detail::write_view(
                order, view_.memory(), view_.layout(),
                [&](auto on_device, const box_layout& box) {
                  enqueue_copy(detail::staged_bytes<Port>(from, box), on_device, order, where);
                },
                where);
          },
          where);
    } else {
      return {};
    }
  }
  /// Copies the elements to page-locked memory, in C order, at each launch. Returns, throws: as above.
  template <class Host>
  graph_node<Port> copy_to(Host&& host, const source_location& where = source_location::current()) const {
    if constexpr (check_host<std::remove_reference_t<Host>>()) {
      return record(
          [&](const auto& order) {
            const auto to = host_side(order, host, "destination", where);
            detail::read_view(
                order, view_.memory(), view_.layout(),
                [&](auto on_device, const box_layout& box) {
                  detail::staged_bytes<Port> staged(to, box);
                  enqueue_copy(on_device, staged, order, where);
                },
                where);
          },
          where);
    } else {
      return {};
    }
  }

  /// `assign` or `fill`. Example: `y.bind(record) = x; y.bind(record) += 2;`
  recorded_view& operator=(const detail::assigned<T, Rank, Port, recorded_view>& source) {
    source.assign_to(*this);
    return *this;
  }

  template <class U, std::size_t Other>
  recorded_view& operator=(device_array<U, Other, Port>&&) {
    refuse_temporary<U>();
    return *this;
  }
  template <class U>
  recorded_view& operator=(device_value<U, Port>&&) {
    refuse_temporary_value<U>();
    return *this;
  }

  // These do not compile: a recorder cannot wait for results or make arrays.
  template <class Here = recorded_view>
  void to_host() const {
    (void)recording_mismatch<Here>::a_recording_cannot_wait_write_copy_to_pagelocked_memory;
  }
  template <class Here = recorded_view>
  void to_host_async() const {
    (void)recording_mismatch<Here>::a_recording_cannot_wait_write_copy_to_pagelocked_memory;
  }
  template <class Here = recorded_view>
  void value() const {
    (void)recording_mismatch<Here>::a_recording_cannot_wait_write_copy_to_pagelocked_memory;
  }
  template <class Here = recorded_view>
  void copy() const {
    (void)recording_mismatch<Here>::a_recording_makes_no_arrays_assign_to_one_that_exists;
  }

 private:
  template <class U>
  static void refuse_temporary() {
    (void)recording_mismatch<
        U>::this_array_is_made_now_not_at_each_launch_assign_pass_cumsum_or_its_like_or_name_the_array;
  }
  template <class U>
  static void refuse_temporary_value() {
    (void)
        recording_mismatch<U>::this_value_is_made_now_not_at_each_launch_assign_pass_sum_or_its_like_or_name_the_value;
  }
  template <class Host>
  static constexpr bool check_host() {
    if constexpr (!accessible_memory<Host>) {
      (void)recording_mismatch<Host>::pass_a_pagelocked_array_or_an_array_of_the_device;
    } else {
      using side = decltype(detail::describe(std::declval<Host&>()));
      if constexpr (!std::same_as<typename side::place, pagelocked_place<Port>>) {
        (void)recording_mismatch<Host>::the_memory_is_not_pagelocked_pass_a_pagelocked_array;
      } else if constexpr (!std::same_as<std::remove_const_t<typename side::element>, value_type>) {
        (void)recording_mismatch<Host, T>::the_element_types_differ_pass_memory_of_the_same_type;
      } else {
        return true;
      }
    }
    return false;
  }
  template <class Order, class Host>
  [[nodiscard]] auto host_side(const Order& order, Host& host, const char* name, const source_location& where) const {
    const auto side = detail::describe(host);
    detail::check_side(order, side, name, where);
    const std::size_t size = detail::volume(side.layout());
    if (side.strided && !detail::dense(side.layout())) {
      detail::throw_error(errc::invalid_argument,
                          detail::text("the ", name, " has gaps between its rows: pass memory without"), where);
    }
    if (size != view_.size()) detail::throw_range_size(size, view_.layout().axes(), where);
    auto from_its_start = side;
    if (side.strided) from_its_start.at += side.box.offset;
    from_its_start.size = size;
    return from_its_start;
  }

  const view_type view_;
  graph_recorder<Port>* by_;
};

}  // namespace yoke::inline v0_1

#endif

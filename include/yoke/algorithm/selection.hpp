// SPDX-License-Identifier: MIT
// The elements that an algorithm has selected, and their number, both on the device.
#ifndef YOKE_ALGORITHM_SELECTION_HPP
#define YOKE_ALGORITHM_SELECTION_HPP

#include <yoke/array/reduction/recorded_view.hpp>
#include <yoke/array/storage/device_value.hpp>

namespace yoke::inline v0_1 {

namespace detail {
/// The results of `pass::copy_if` and other selecting functions.
template <class S>
concept selects = requires { typename S::selection_tag; };
/// The right-hand side of an assignment to a recorded selection, with its place in the program.
template <class To>
class assigned_selection {
 public:
  template <selects Item>
  assigned_selection(const Item& item,
                     const source_location& where = source_location::current())  // NOLINT: of `a = item`
      : item_(&item), assign_(&assign<Item>), where_(where) {}
  void assign_to(const To& to) const { assign_(to, item_, where_); }

 private:
  template <class Item>
  static void assign(const To& to, const void* item, const source_location& where) {
    to.assign(*static_cast<const Item*>(item), where);
  }
  const void* item_;
  void (*assign_)(const To&, const void*, const source_location&);
  source_location where_;
};
}  // namespace detail

template <class T, class Port = any_port>
class selection;

/// A selection on a graph recorder, which selects again at each launch. Requires: selection and recorder outlive it.
/// Example: `large.bind(record) = yoke::pass::copy_if(a, a > 3);`
template <class T, class Port, bool Parts = false>
class recorded_selection {
 public:
  recorded_selection(selection<T, Port>& of, graph_recorder<Port>& by) noexcept : of_(&of), by_(&by) {}
  recorded_selection(const recorded_selection&) noexcept = default;
  ~recorded_selection() = default;

  /// Records the selection. Returns: the node. Throws: as `selection::assign`; `logic_error` for an empty recorder.
  template <detail::selects Item>
  graph_node<Port> assign(const Item& item, const source_location& where = source_location::current()) const {
    static_assert(Item::keeps_all || !Parts, "what is parted is assigned by pass::partition");
    return detail::record_for_array(
        *by_, [&](const auto& order) { of_->select_in(order, item, where); }, where);
  }
  /// The same, without the node.
  recorded_selection& operator=(const detail::assigned_selection<recorded_selection>& item) {
    item.assign_to(*this);
    return *this;
  }
  recorded_selection& operator=(const recorded_selection&) = delete;
  template <std::derived_from<selection<T, Port>> Made>
  recorded_selection& operator=(Made&&) {
    (void)recording_mismatch<T>::this_selection_is_made_now_not_at_each_launch_assign_pass_copy_if_or_its_like;
    return *this;
  }

 private:
  selection<T, Port>* of_;
  graph_recorder<Port>* by_;
};

/// Elements that `copy_if` and other functions have selected, in their order. They are at the start of an array with
/// room for all elements of the source; their number is a value on the device, so that nothing waits until the program
/// asks for it. Move-only.
///
/// Thread safety: one thread at a time.
/// Example: `auto large = yoke::copy_if(a, a > 3); float sum = yoke::sum(large.view()).get();`
template <class T, class Port>
class selection {
 public:
  using value_type = T;
  using port_type = Port;

  selection(device_array<T, 1, Port> elements, device_value<std::int64_t, Port> count) noexcept
      : elements_(std::move(elements)), count_(std::move(count)) {}
  /// Room for a number of elements; none is selected yet. Throws: as `device_array`.
  explicit selection(const stream<Port>& stream, std::size_t room,
                     const source_location& where = source_location::current())
      : elements_(stream, shape<1>(room), array_order::c, where), count_(stream, 0, where) {}
  /// The same with memory of a pool or of a `memory_resource`. Throws: also as `device_array` of a pool.
  /// Example: `yoke::selection<float> large{pool, stream, 1000};`
  template <detail::memory_origin<Port> From>
  selection(const From& from, const stream<Port>& stream, std::size_t room,
            const source_location& where = source_location::current())
      : selection(detail::stream_with(stream, from, where), room, where) {}

  /// Selects into these elements, in their stream. Throws: `logic_error` for less room than the source has elements;
  /// as the function of `pass`.
  /// Example: `large.assign(yoke::pass::copy_if(a, a > 3));`
  template <detail::selects Item>
  void assign(const Item& item, const source_location& where = source_location::current()) {
    select_in(elements_.view(where).stream(where), item, where);
  }
  /// The selection on a graph recorder. Throws: `logic_error` for an empty recorder.
  template <class Recorder>
    requires(detail::is_a_recorder<std::remove_cvref_t<Recorder>>)
  [[nodiscard]] recorded_selection<T, Port> bind(Recorder&& recorder,
                                                 const source_location& where = source_location::current()) {
    static_assert(std::same_as<typename std::remove_cvref_t<Recorder>::port_type, Port>,
                  "the recorder is of another backend than the selection");
    (void)elements_.view(where);
    return {*this, recorder};
  }
  // For functions that select.
  template <class Order, class Item>
  void select_in(const Order& order, const Item& item, const source_location& where) {
    static_assert(std::same_as<typename Item::value_type, T>, "what is selected has the selection's type");
    item.select_in(order, elements_.view(where), count_.array().view(where), where);
  }

  /// The number of selected elements, on the device.
  [[nodiscard]] const device_value<std::int64_t, Port>& count() const noexcept { return count_; }
  /// Returns: the number on the host, once it has arrived. Throws: `logic_error` when moved from; `error`.
  [[nodiscard]] std::size_t size(const source_location& where = source_location::current()) const {
    return static_cast<std::size_t>(count_.get(where));
  }
  /// The array that has the selected elements at its start.
  [[nodiscard]] device_array<T, 1, Port>& elements() noexcept { return elements_; }
  [[nodiscard]] const device_array<T, 1, Port>& elements() const noexcept { return elements_; }
  /// Returns: a view of the selected elements alone. Effects: waits for their number. Throws: as `size`.
  [[nodiscard]] device_view<T, 1, Port> view(const source_location& where = source_location::current()) {
    return elements_.view(where).part_at(where, first(where));
  }
  [[nodiscard]] device_view<const T, 1, Port> view(const source_location& where = source_location::current()) const {
    return elements_.view(where).part_at(where, first(where));
  }
  /// Returns: the selected elements on the host. Throws: as `size`.
  [[nodiscard]] std::vector<T> to_host(const source_location& where = source_location::current()) const {
    return view(where).to_host(where);
  }

 protected:
  [[nodiscard]] slice first(const source_location& where) const {
    return slice(0, static_cast<std::ptrdiff_t>(size(where)));
  }

 private:
  device_array<T, 1, Port> elements_;
  device_value<std::int64_t, Port> count_;
};

/// The result of `partition`: all elements, the selected ones first.
template <class T, class Port = any_port>
class parted : public selection<T, Port> {
 public:
  using selection<T, Port>::selection;
  /// Partitions elements into these; there must be equally many. Effects and throws: as `selection::assign`.
  /// Example: `both.assign(yoke::pass::partition(a, a > 3));`
  template <detail::selects Item>
  void assign(const Item& item, const source_location& where = source_location::current()) {
    static_assert(Item::keeps_all, "what is parted is assigned by pass::partition");
    selection<T, Port>::assign(item, where);
  }
  template <class Recorder>
    requires(detail::is_a_recorder<std::remove_cvref_t<Recorder>>)
  [[nodiscard]] recorded_selection<T, Port, true> bind(Recorder&& recorder,
                                                       const source_location& where = source_location::current()) {
    (void)selection<T, Port>::bind(recorder, where);
    return {*this, recorder};
  }
  /// Returns: the elements that are not selected, in their order. Effects and throws: as `view`.
  [[nodiscard]] device_view<T, 1, Port> rest(const source_location& where = source_location::current()) {
    return this->elements().view(where).part_at(where, others(where));
  }
  [[nodiscard]] device_view<const T, 1, Port> rest(const source_location& where = source_location::current()) const {
    return this->elements().view(where).part_at(where, others(where));
  }

 private:
  [[nodiscard]] slice others(const source_location& where) const {
    return slice(static_cast<std::ptrdiff_t>(this->size(where)), none);
  }
};

}  // namespace yoke::inline v0_1

#endif

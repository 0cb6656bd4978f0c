// SPDX-License-Identifier: MIT
// Elements that an algorithm has selected, and how many: both on the device.
#ifndef YOKE_ALGORITHM_SELECTION_HPP
#define YOKE_ALGORITHM_SELECTION_HPP

#include <yoke/array/reduction/recorded_view.hpp>
#include <yoke/array/storage/device_value.hpp>

namespace yoke::inline v0_1 {

namespace detail {
/// What selects: what `pass::copy_if` and others make.
template <class S>
concept selects = requires { typename S::selection_tag; };
/// What is assigned to a recorded selection, and where in the program.
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

/// A selection on a recorder of a graph, which selects anew at each launch. Requires: selection and recorder outlive it.
/// Example: `large.bind(record) = yoke::pass::copy_if(a, a > 3);`
template <class T, class Port, bool Parts = false>
class recorded_selection {
 public:
  recorded_selection(selection<T, Port>& of, graph_recorder<Port>& by) noexcept : of_(&of), by_(&by) {}
  recorded_selection(const recorded_selection&) noexcept = default;
  ~recorded_selection() = default;

  /// Returns: the node. Throws: as `selection::assign`; `logic_error` for an empty recorder.
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

/// Elements that `copy_if` and others have selected, in their order. They lie at the start of an array that has room for all;
/// how many there are is a value on the device, so that nothing waits until somebody asks. Move-only.
///
/// Thread safety: one thread at a time. Example: `auto large = yoke::copy_if(a, a > 3); float sum = yoke::sum(large.view()).get();`
template <class T, class Port>
class selection {
 public:
  using value_type = T;
  using port_type = Port;

  selection(device_array<T, 1, Port> elements, device_value<std::int64_t, Port> count) noexcept
      : elements_(std::move(elements)), count_(std::move(count)) {}
  /// Room for as many elements, none of which are selected yet. Throws: as `device_array`.
  explicit selection(const stream<Port>& stream, std::size_t room,
                     const source_location& where = source_location::current())
      : elements_(stream, shape<1>(room), array_order::c, where), count_(stream, 0, where) {}

  /// Selects into these elements, in their stream. Throws: `logic_error` for less room than the source has elements; as the function of `pass`.
  /// Example: `large.assign(yoke::pass::copy_if(a, a > 3));`
  template <detail::selects Item>
  void assign(const Item& item, const source_location& where = source_location::current()) {
    select_in(elements_.view(where).stream(where), item, where);
  }
  /// The selection on a recorder of a graph. Throws: `logic_error` for an empty one.
  template <class Recorder>
    requires(detail::is_a_recorder<std::remove_cvref_t<Recorder>>)
  [[nodiscard]] recorded_selection<T, Port> bind(Recorder&& recorder,
                                                 const source_location& where = source_location::current()) {
    static_assert(std::same_as<typename std::remove_cvref_t<Recorder>::port_type, Port>,
                  "the recorder is of another backend than the selection");
    (void)elements_.view(where);
    return {*this, recorder};
  }
  // For what selects.
  template <class Order, class Item>
  void select_in(const Order& order, const Item& item, const source_location& where) {
    static_assert(std::same_as<typename Item::value_type, T>, "what is selected has the selection's type");
    item.select_in(order, elements_.view(where), count_.array().view(where), where);
  }

  /// How many are selected: on the device.
  [[nodiscard]] const device_value<std::int64_t, Port>& count() const noexcept { return count_; }
  /// The same on the host; returns when it is there. Throws: `logic_error` when moved from; `error`.
  [[nodiscard]] std::size_t size(const source_location& where = source_location::current()) const {
    return static_cast<std::size_t>(count_.get(where));
  }
  /// The array whose first elements are those selected.
  [[nodiscard]] device_array<T, 1, Port>& elements() noexcept { return elements_; }
  [[nodiscard]] const device_array<T, 1, Port>& elements() const noexcept { return elements_; }
  /// The elements that are selected, and none besides. Effects: waits for their number. Throws: as `size`.
  [[nodiscard]] device_view<T, 1, Port> view(const source_location& where = source_location::current()) {
    return elements_.view(where).part_at(where, first(where));
  }
  [[nodiscard]] device_view<const T, 1, Port> view(const source_location& where = source_location::current()) const {
    return elements_.view(where).part_at(where, first(where));
  }
  /// They on the host. Throws: as `size`.
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

/// What `partition` makes: all elements, those that are selected first.
template <class T, class Port = any_port>
class parted : public selection<T, Port> {
 public:
  using selection<T, Port>::selection;
  /// Parts elements into these, of which there are as many. Effects and throws: as `selection::assign`. Example: `both.assign(yoke::pass::partition(a, a > 3));`
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
  /// The elements that are not selected, in their order. Effects and throws: as `view`.
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

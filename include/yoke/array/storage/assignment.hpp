// SPDX-License-Identifier: MIT
// Assigns expressions, views and values to the elements of an array, in a stream or on a recorder.
#ifndef YOKE_ARRAY_STORAGE_ASSIGNMENT_HPP
#define YOKE_ARRAY_STORAGE_ASSIGNMENT_HPP

#include <yoke/array/evaluation/given_element.hpp>
#include <yoke/array/storage/array_copy.hpp>

#include <concepts>
#include <type_traits>

namespace yoke::inline v0_1 {

template <class T, std::size_t Rank, class Port = any_port>
class device_array;
template <class T, std::size_t Rank, class Port = any_port>
class device_view;
template <class T, class Port>
class device_value;

namespace detail {

/// Expressions, as <yoke/array/expression/expression.hpp> defines them.
template <class E>
concept array_expression = requires { typename E::expression_tag; };
/// Types that are calculated on assignment: expressions, and results of the functions of `pass`.
template <class E>
concept assignable = array_expression<E> || requires { typename E::pass_tag; };

/// A number, or another value of the elements' type, for every element. `given_element` checks the kind of a number
/// later, with a message.
template <class Value, class T>
concept filling_value =
    !std::is_const_v<T> &&
    ((is_number<T> && is_number<Value>) || std::convertible_to<const Value&, T>)&&!assignable<Value> &&
    !requires(const Value& value) { value.layout(); };

/// The right-hand side of an assignment to a view or a recorded view, with its place in the program.
template <class T, std::size_t Rank, class Port, class To = device_view<T, Rank, Port>>
class assigned {
 public:
  template <filling_value<T> Value>
  assigned(const Value& value, const source_location& where = source_location::current())  // NOLINT: of `a = value`
      : source_(&value), assign_(&fill<Value>), where_(where) {}
  template <class Source>
    requires(assignable<Source> || requires(const Source& source) { source.layout(); })
  assigned(const Source& source, const source_location& where = source_location::current())  // NOLINT: of `a = source`
      : source_(&source), assign_(&assign<Source>), where_(where) {}
  template <class U>
  assigned(const device_value<U, Port>& source,  // NOLINT: implicit for `a(0) = sum(b)`
           const source_location& where = source_location::current())
      : source_(&source), assign_(&assign<device_value<U, Port>>), where_(where) {}
  void assign_to(const To& to) const { assign_(to, source_, where_); }
  [[nodiscard]] const source_location& where() const noexcept { return where_; }

 private:
  template <class Source>
  static void assign(const To& to, const void* source, const source_location& where) {
    to.assign(*static_cast<const Source*>(source), where);
  }
  template <class Value>
  static void fill(const To& to, const void* value, const source_location& where) {
    to.fill(*static_cast<const Value*>(value), where);
  }
  const void* source_;
  void (*assign_)(const To&, const void*, const source_location&);
  source_location where_;
};

template <class Source>
inline constexpr bool is_device_view = false;
template <class T, std::size_t Rank, class Port>
inline constexpr bool is_device_view<device_view<T, Rank, Port>> = true;

/// The same for expressions, views and values; an array is excluded, because `a = b` would read as a copy of its
/// memory.
template <class T, std::size_t Rank, class Port>
class assigned_expression : public assigned<T, Rank, Port> {
 public:
  template <assignable Expression>
  assigned_expression(const Expression& source,  // NOLINT: as above
                      const source_location& where = source_location::current())
      : assigned<T, Rank, Port>(source, where) {}
  template <class View>
    requires is_device_view<View>
  assigned_expression(const View& source,  // NOLINT: as above
                      const source_location& where = source_location::current())
      : assigned<T, Rank, Port>(source, where) {}
  template <class U>
  assigned_expression(const device_value<U, Port>& source,  // NOLINT: as above
                      const source_location& where = source_location::current())
      : assigned<T, Rank, Port>(source, where) {}
  template <class U>
    requires(!std::same_as<U, T>)                                 // the same type could move its memory
  assigned_expression(const device_array<U, Rank, Port>& source,  // NOLINT: as above
                      const source_location& where = source_location::current())
      : assigned<T, Rank, Port>(source, where) {}
  template <filling_value<T> Value>
  assigned_expression(const Value& value,  // NOLINT: as above
                      const source_location& where = source_location::current())
      : assigned<T, Rank, Port>(value, where) {}
};

/// Effects: sets every element of a view, in an order of work.
template <class Order, class T, std::size_t Rank, class Port>
void fill_view(const Order& order, const device_view<T, Rank, Port>& view, const T& value,
               const source_location& where) {
  const array_layout<Rank>& layout = view.layout();
  operation_memory operation(order);
  check_memory(operation, view.memory(), memory_use::writes, "destination", where);
  if ((layout.is_c_contiguous() || layout.is_f_contiguous()) && layout.offset_bytes() % sizeof(T) == 0) {
    fill(view.ordered_span(where), value, order, where);
    return;
  }
  check_writable(layout, where);
  auto&& one = allocate_for_array<T>(order, 1, where);
  const auto only = one.span(where);
  fill(only, value, order, where);
  const array_layout<0> layout_of_one(yoke::shape<0>{}, sizeof(T), array_order::c, where);
  const array_memory<Port> memory{only.native_handle(), sizeof(T), view.memory().context, only.maps()};
  copy_views(order, view.memory(), layout, memory, layout_of_one.broadcast_to(view.shape(), where), where);
}

/// Effects: assigns a view, an expression, or the result of a function of `pass`, in an order of work.
template <class Order, class T, std::size_t Rank, class Port, class Source>
void assign_in(const Order& order, const device_view<T, Rank, Port>& to, const Source& source,
               const source_location& where) {
  if constexpr (!is_device_view<Source>) {
    source.evaluate_in(order, to, where);
  } else {
    static_assert(!std::is_const_v<T>, "this view cannot be written");
    static_assert(Source::rank() <= Rank, "the source has more axes than the destination");
    if constexpr (!std::same_as<typename Source::value_type, std::remove_const_t<T>>) {
      // An expression; `evaluate_in` refuses the types that it does not take.
      (+source).evaluate_in(order, to, where);
    } else {
      const auto from = source.layout().broadcast_to(to.shape(), where);
      copy_views(order, to.memory(), to.layout(), source.memory(), from, where);
    }
  }
}

}  // namespace detail

}  // namespace yoke::inline v0_1

#endif

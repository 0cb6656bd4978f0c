// SPDX-License-Identifier: MIT
// The functions that arrays forward to their views.
#ifndef YOKE_ARRAY_STORAGE_ARRAY_OPERATIONS_HPP
#define YOKE_ARRAY_STORAGE_ARRAY_OPERATIONS_HPP

#include <yoke/array/storage/device_view.hpp>
#include <yoke/graph/graph_types.hpp>

namespace yoke::inline v0_1::detail {

/// Gives an array the functions of its view; `device_view` documents them. `Derived` has `layout` and `view`; a const
/// array's `view` has const elements.
template <class Derived>
class array_operations;
template <class T, std::size_t Rank, class Port>
class array_operations<device_array<T, Rank, Port>> : public subscripts<device_array<T, Rank, Port>>,
                                                      public layout_facts<device_array<T, Rank, Port>, Rank> {
  using array = device_array<T, Rank, Port>;
  using place = source_location;

 public:
  // Defines each function three times: for arrays, const arrays and temporaries. Elements of temporaries can be
  // written.
#define YOKE_ARRAY_VIEWS(QUALIFIER, VIEW)                                                                              \
  template <array_index... Indices>                                                                                    \
  [[nodiscard]] auto part_at(const place& where, const Indices&... indices) QUALIFIER {                                \
    return VIEW.part_at(where, indices...);                                                                            \
  }                                                                                                                    \
  [[nodiscard]] auto bind(const yoke::stream<Port>& stream, const place& where = place::current()) QUALIFIER {         \
    return VIEW.bind(stream, where);                                                                                   \
  }                                                                                                                    \
  template <class Recorder>                                                                                            \
    requires(is_a_recorder<std::remove_cvref_t<Recorder>>)                                                             \
  [[nodiscard]] auto bind(Recorder&& recorder, const place& where = place::current()) QUALIFIER {                      \
    return VIEW.bind(recorder, where);                                                                                 \
  }                                                                                                                    \
  [[nodiscard]] auto transpose(const place& where = place::current()) QUALIFIER { return VIEW.transpose(where); }      \
  [[nodiscard]] auto transpose(const int(&order)[Rank == 0 ? 1 : Rank], const place& where = place::current())         \
      QUALIFIER                                                                                                        \
    requires(Rank > 0)                                                                                                 \
  {                                                                                                                    \
    return VIEW.transpose(order, where);                                                                               \
  }                                                                                                                    \
  template <std::size_t New>                                                                                           \
  [[nodiscard]] auto broadcast_to(const yoke::shape<New>& extents, const place& where = place::current()) QUALIFIER {  \
    return VIEW.broadcast_to(extents, where);                                                                          \
  }                                                                                                                    \
  template <std::size_t New>                                                                                           \
  [[nodiscard]] auto broadcast_to(const axis_extent(&extents)[New], const place& where = place::current()) QUALIFIER { \
    return VIEW.broadcast_to(extents, where);                                                                          \
  }                                                                                                                    \
  [[nodiscard]] auto squeeze(int axis, const place& where = place::current()) QUALIFIER                                \
    requires(Rank > 0)                                                                                                 \
  {                                                                                                                    \
    return VIEW.squeeze(axis, where);                                                                                  \
  }                                                                                                                    \
  [[nodiscard]] auto diagonal(std::ptrdiff_t offset = 0, int axis1 = 0, int axis2 = 1,                                 \
                              const place& where = place::current()) QUALIFIER                                         \
    requires(Rank > 1)                                                                                                 \
  {                                                                                                                    \
    return VIEW.diagonal(offset, axis1, axis2, where);                                                                 \
  }                                                                                                                    \
  template <std::size_t New>                                                                                           \
  [[nodiscard]] auto reshape(const yoke::shape<New>& extents, array_order order = array_order::c,                      \
                             const place& where = place::current()) QUALIFIER {                                        \
    return VIEW.reshape(extents, order, where);                                                                        \
  }                                                                                                                    \
  template <std::size_t New>                                                                                           \
  [[nodiscard]] auto reshape(const axis_extent(&extents)[New], array_order order = array_order::c,                     \
                             const place& where = place::current()) QUALIFIER {                                        \
    return VIEW.reshape(extents, order, where);                                                                        \
  }                                                                                                                    \
  template <std::size_t New>                                                                                           \
  [[nodiscard]] auto try_reshape(const yoke::shape<New>& extents, array_order order = array_order::c,                  \
                                 const place& where = place::current()) QUALIFIER {                                    \
    return VIEW.try_reshape(extents, order, where);                                                                    \
  }                                                                                                                    \
  template <std::size_t New>                                                                                           \
  [[nodiscard]] auto try_reshape(const axis_extent(&extents)[New], array_order order = array_order::c,                 \
                                 const place& where = place::current()) QUALIFIER {                                    \
    return VIEW.try_reshape(extents, order, where);                                                                    \
  }                                                                                                                    \
  template <std::size_t New>                                                                                           \
  [[nodiscard]] auto as_strided(const yoke::shape<New>& extents, const std::array<std::ptrdiff_t, New>& strides,       \
                                const place& where = place::current()) QUALIFIER {                                     \
    return VIEW.as_strided(extents, strides, where);                                                                   \
  }                                                                                                                    \
  template <std::size_t New>                                                                                           \
  [[nodiscard]] auto as_strided(const axis_extent(&extents)[New], const std::ptrdiff_t(&strides)[New],                 \
                                const place& where = place::current()) QUALIFIER {                                     \
    return VIEW.as_strided(extents, strides, where);                                                                   \
  }                                                                                                                    \
  [[nodiscard]] auto ravel(array_order order = array_order::c, const place& where = place::current()) QUALIFIER {      \
    return VIEW.ravel(order, where);                                                                                   \
  }                                                                                                                    \
  [[nodiscard]] auto chunks(std::ptrdiff_t length, int axis = 0, const place& where = place::current()) QUALIFIER {    \
    return VIEW.chunks(length, axis, where);                                                                           \
  }                                                                                                                    \
  [[nodiscard]] auto parts(std::ptrdiff_t count, int axis = 0, const place& where = place::current()) QUALIFIER {      \
    return VIEW.parts(count, axis, where);                                                                             \
  }                                                                                                                    \
  template <auto Member>                                                                                               \
  [[nodiscard]] auto member(const place& where = place::current()) QUALIFIER {                                         \
    return VIEW.template member<Member>(where);                                                                        \
  }                                                                                                                    \
  template <class U>                                                                                                   \
  [[nodiscard]] auto as(const place& where = place::current()) QUALIFIER {                                             \
    return VIEW.template as<U>(where);                                                                                 \
  }
  YOKE_ARRAY_VIEWS(&, self().view(where))
  YOKE_ARRAY_VIEWS(const&, self().view(where))
  YOKE_ARRAY_VIEWS(&&, self().view(where))
#undef YOKE_ARRAY_VIEWS
  [[nodiscard]] auto span(const place& where = place::current()) & { return self().view(where).span(where); }
  [[nodiscard]] auto span(const place& where = place::current()) const& { return self().view(where).span(where); }
  auto span(const place& where = place::current()) && = delete;  // a span does not keep the memory alive

  template <std::size_t New>
  [[nodiscard]] auto reshape_copy(const yoke::shape<New>& extents, array_order order = array_order::c,
                                  const place& where = place::current()) const {
    return self().view(where).reshape_copy(extents, order, where);
  }
  template <std::size_t New>
  [[nodiscard]] auto reshape_copy(const axis_extent (&extents)[New], array_order order = array_order::c,
                                  const place& where = place::current()) const {
    return self().view(where).reshape_copy(extents, order, where);
  }
  template <class Value = T>
  void fill(const Value& value, const place& where = place::current()) {
    self().view(where).fill(value, where);
  }
  template <class Source>
  void assign(const Source& source, const place& where = place::current()) {
    self().view(where).assign(source, where);
  }
  template <host_range Range>
  void copy_to(Range&& range, const place& where = place::current()) const {
    self().view(where).copy_to(range, where);
  }
  void copy_to(const host_view<T, Rank>& to, const place& where = place::current()) const {
    self().view(where).copy_to(to, where);
  }
  [[nodiscard]] auto to_host(const place& where = place::current()) const { return self().view(where).to_host(where); }
  [[nodiscard]] auto to_host_async(const place& where = place::current()) const {
    return self().view(where).to_host_async(where);
  }
  [[nodiscard]] T value(const place& where = place::current()) const
    requires(Rank == 0)
  {
    return self().view(where).value(where);
  }
  [[nodiscard]] array copy(const place& where = place::current()) const { return self().view(where).copy(where); }
  template <class U>
  [[nodiscard]] device_array<U, Rank, Port> astype(const place& where = place::current()) const {
    return self().view(where).template astype<U>(where);
  }

 private:
  [[nodiscard]] array& self() noexcept { return static_cast<array&>(*this); }
  [[nodiscard]] const array& self() const noexcept { return static_cast<const array&>(*this); }
};

}  // namespace yoke::inline v0_1::detail

#endif

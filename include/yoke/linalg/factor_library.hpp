// SPDX-License-Identifier: MIT
// Factorisations by a vendor's library.
#ifndef YOKE_LINALG_FACTOR_LIBRARY_HPP
#define YOKE_LINALG_FACTOR_LIBRARY_HPP

#include <yoke/algorithm/libraries.hpp>
#include <yoke/linalg/factor_matrix.hpp>
#include <yoke/linalg/product_library.hpp>

#include <algorithm>
#include <vector>

namespace yoke::inline v0_1::detail {

/// The results of a library's factorisation beside those that it leaves in the place of the matrix.
template <class Port>
struct library_results {
  factor_words<Port> infos{};
  const typename Port::memory_handle* values = nullptr;
  const typename Port::memory_handle* pivots = nullptr;  ///< the smaller extent's, of 64 bits, for each matrix
  const factor_matrix<Port>* left = nullptr;
  const factor_matrix<Port>* right = nullptr;  ///< rows are conjugated vectors
};
/// The most matrices that a library factors one after the other: more are done side by side by own kernels.
inline constexpr std::int64_t most_library_matrices = 16;

/// Returns: the library that factors matrices of a size and layout; null where own kernels do it.
template <class Order>
[[nodiscard]] math_libraries* factor_library_for(const Order& order, const factor_matrix<port_of_order<Order>>& a,
                                                 const source_location& where) {
  const bool fits = a.columns >= least_library_columns() && a.batches <= most_library_matrices && a.row == 1;
  return fits && !a.conjugated ? library_for(order, math_family::factorisations, where) : nullptr;
}
/// Effects: enqueues factorisations by a library; `infos` get an `int` for each matrix, 0 for success.
/// Returns: false, with nothing enqueued, if own kernels must make them. Requires: matrices whose rows are neighbours.
/// Throws: `error`.
template <class Order>
[[nodiscard]] bool run_library_factors(const Order& order, library_factors which,
                                       const factor_matrix<port_of_order<Order>>& a,
                                       const library_results<port_of_order<Order>>& to, const source_location& where) {
  if constexpr (is_a_stream<Order>) {
    library_factorisation of{.which = which};
    math_libraries* const by = factor_library_for(order, a, where);
    if (by == nullptr || !set_library_type(of.type, a.kind)) return false;
    const std::uint64_t element = library_type_bytes(of.type);
    const auto address = [&](const factor_matrix<port_of_order<Order>>& matrix, std::int64_t batch) {
      return number_of_handle(matrix.memory.memory) +
             static_cast<std::uint64_t>(matrix.first + batch * matrix.batch) * element;
    };
    of.m = a.rows;
    of.n = a.columns;
    of.a = address(a, 0);
    of.a_leading = a.column;
    if (to.values != nullptr) of.values = number_of_handle(*to.values);
    if (to.left != nullptr) {
      of.left = address(*to.left, 0);
      of.left_leading = to.left->column;
    }
    if (to.right != nullptr) {
      of.right = address(*to.right, 0);
      of.right_leading = to.right->column;
    }
    const std::uintptr_t in = number_of_handle(order.native_handle());
    const library_workspace sizes = by->workspace_of(in, of, where);
    if (!sizes.is_supported) return false;
    const temporary_memory<Order> on_device(order, sizes.on_device + 1, where);
    std::vector<std::byte> host_memory(sizes.on_host);
    for (std::int64_t batch = 0; batch < a.batches; ++batch) {
      of.a = address(a, batch);
      if (to.pivots != nullptr) {
        const auto pivots = static_cast<std::uint64_t>((std::min)(a.rows, a.columns));
        of.pivots = number_of_handle(*to.pivots) + static_cast<std::uint64_t>(batch) * pivots * sizeof(std::int64_t);
      }
      of.info = number_of_handle(to.infos.memory) +
                static_cast<std::uint64_t>(to.infos.first + batch * to.infos.batch) * sizeof(std::int32_t);
      const bool done =
          by->factor(in, of, sizes, number_of_handle(on_device.get().native_handle()), host_memory.data(), where);
      if (!done && batch == 0) return false;
      if (!done) throw_error(errc::unsupported, "a library refused a matrix after it took one of its kind", where);
    }
    if (!host_memory.empty()) order.synchronize(where);  // the library may use it until then
    return true;
  } else {
    return false;
  }
}

}  // namespace yoke::inline v0_1::detail

#endif

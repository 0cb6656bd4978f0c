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
  const typename Port::memory_handle* values = nullptr;  ///< of one matrix; of QR the smaller extent's for each
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
/// A step of factorisations by a library, with the memory that it works in. The memory lives as long.
template <class Order>
class library_step {
  using port = port_of_order<Order>;

 public:
  /// Effects: asks the library what it needs, and takes it. `count`: of reflections.
  library_step(const Order& order, math_libraries& by, library_factors which, const factor_matrix<port>& a,
               const library_results<port>& to, std::int64_t count, const source_location& where)
      : order_(order), by_(by), a_(a), to_(to) {
    if (!set_library_type(of_.type, a.kind)) return;
    of_.which = which;
    of_.m = a.rows;
    of_.n = a.columns;
    of_.count = count;
    of_.a_leading = a.column;
    if (to.left != nullptr) {
      of_.left = address(*to.left, 0);
      of_.left_leading = to.left->column;
    }
    if (to.right != nullptr) {
      of_.right = address(*to.right, 0);
      of_.right_leading = to.right->column;
    }
    place(0);
    sizes_ = by.workspace_of(number_of_handle(order.native_handle()), of_, where);
  }
  [[nodiscard]] bool is_supported() const noexcept { return sizes_.is_supported; }
  /// Effects: enqueues the step for each matrix. Returns: false, with nothing enqueued, if the library does not make it.
  /// Requires: `is_supported()`.
  [[nodiscard]] bool run(const source_location& where) {
    const temporary_memory<Order> on_device(order_, sizes_.on_device + 1, where);
    const std::uint64_t memory = number_of_handle(on_device.get().native_handle());
    on_host_.resize(sizes_.on_host);
    // The library may use the host's memory until its work is done.
    struct waits_for_host_memory {
      ~waits_for_host_memory() {
        if (of.on_host_.empty() || !begun) return;
        try {
          of.order_.synchronize(where);
        } catch (...) {  // the stream's error is thrown by what comes next
        }
      }
      const library_step& of;
      const source_location& where;
      bool begun = false;
    } ended{*this, where};
    for (std::int64_t batch = 0; batch < a_.batches; ++batch) {
      place(batch);
      if (batch > 0 && !on_host_.empty()) order_.synchronize(where);
      ended.begun = true;
      const std::uintptr_t in = number_of_handle(order_.native_handle());
      const bool done = by_.factor(in, of_, sizes_, memory, on_host_.data(), where);
      if (!done && batch == 0) return false;
      if (!done) throw_error(errc::unsupported, "a library refused a matrix after it took one of its kind", where);
    }
    if (!on_host_.empty()) order_.synchronize(where);
    ended.begun = false;
    return true;
  }

 private:
  [[nodiscard]] std::uint64_t address(const factor_matrix<port>& matrix, std::int64_t batch) const noexcept {
    return number_of_handle(matrix.memory.memory) +
           static_cast<std::uint64_t>(matrix.first + batch * matrix.batch) * library_type_bytes(of_.type);
  }
  void place(std::int64_t batch) noexcept {
    const auto least = static_cast<std::uint64_t>((std::min)(a_.rows, a_.columns));
    const auto at = static_cast<std::uint64_t>(batch);
    of_.a = address(a_, batch);
    if (to_.values != nullptr) {
      const bool of_reflections = of_.which == library_factors::reflections || of_.which == library_factors::columns;
      const auto factors = static_cast<std::uint64_t>(of_.count);
      of_.values = number_of_handle(*to_.values) + (of_reflections ? at * factors * library_type_bytes(of_.type) : 0);
    }
    if (to_.pivots != nullptr) of_.pivots = number_of_handle(*to_.pivots) + at * least * sizeof(std::int64_t);
    of_.info = number_of_handle(to_.infos.memory) +
               static_cast<std::uint64_t>(to_.infos.first + batch * to_.infos.batch) * sizeof(std::int32_t);
  }

  const Order& order_;
  math_libraries& by_;
  factor_matrix<port> a_;
  library_results<port> to_;
  library_factorisation of_{};
  library_workspace sizes_{};
  std::vector<std::byte> on_host_{};
};

/// Effects: enqueues factorisations by a library; `infos` get an `int` for each matrix, 0 for success.
/// Returns: false, with nothing enqueued, if own kernels must make them. Requires: matrices whose rows are neighbours.
/// Throws: `error`.
template <class Order>
[[nodiscard]] bool run_library_factors(const Order& order, library_factors which,
                                       const factor_matrix<port_of_order<Order>>& a,
                                       const library_results<port_of_order<Order>>& to, const source_location& where) {
  if constexpr (is_a_stream<Order>) {
    math_libraries* const by = factor_library_for(order, a, where);
    if (by == nullptr) return false;
    library_step<Order> step(order, *by, which, a, to, 0, where);
    return step.is_supported() && step.run(where);
  } else {
    return false;
  }
}

}  // namespace yoke::inline v0_1::detail

#endif

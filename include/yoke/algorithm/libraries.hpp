// SPDX-License-Identifier: MIT
// The vendors' libraries that products and transforms use, and how to choose them.
#ifndef YOKE_ALGORITHM_LIBRARIES_HPP
#define YOKE_ALGORITHM_LIBRARIES_HPP

#include <yoke/array/storage/array_copy.hpp>

namespace yoke::inline v0_1 {

/// Options of a context's products and transforms.
struct linalg_options {
  /// The libraries that may be used: `own` for none, or a list such as `cublas,cufft`, of which each must then be there.
  /// Empty: as the variable `YOKE_LIBRARIES` says, else every library that is there.
  std::string libraries{};
  /// Products of `float` may round their operands to 10 bits (TF32), where a library and the device can. They are
  /// faster, and wrong in the fourth digit.
  bool tf32 = false;
  std::size_t workspace_bytes = 0;  ///< memory that a library's product may use; 0: as the vendor recommends
};
/// The libraries that a context uses for each family of functions.
struct linalg_libraries {
  math_library products{};        ///< `matmul` and its kin
  math_library transforms{};      ///< `fft` and its kin
  math_library factorisations{};  ///< `cholesky`, `lu`, `qr`, `eigh` and `svd` of greater matrices
  math_library sparse{};          ///< products of a `csr_matrix`
};

namespace detail {

/// The libraries of a context, which are made at the first use.
template <class Port>
class kept_libraries final : public idle_cache {
 public:
  kept_libraries(context_state<Port>& in, const linalg_options& options, const source_location& where)
      : made_(port_traits<Port>::libraries_of_context(
            in.port, in.living(where),
            {.libraries = options.libraries, .tf32 = options.tf32, .workspace_bytes = options.workspace_bytes}, where)),
        entry_(in.attached.template get<idle_caches>(), *this) {}
  [[nodiscard]] math_libraries* get() const noexcept { return made_.get(); }
  void drop_idle() noexcept override {
    if (made_ != nullptr) made_->drop_idle();
  }

 private:
  owner<math_libraries> made_;
  idle_entry entry_;
};
/// Returns: the options that the environment variables set.
[[nodiscard]] YOKE_API linalg_options default_linalg_options();
/// Throws: `logic_error` for a list that names an unknown library.
YOKE_API void check_libraries(const linalg_options& options, const source_location& where);
/// The least product of all extents for which a product goes to a library: own kernels are faster below it. Tests
/// change it.
[[nodiscard]] YOKE_API std::int64_t& least_library_work() noexcept;
/// The least number of columns for which a factorisation goes to a library. Tests change it.
[[nodiscard]] YOKE_API std::int64_t& least_library_columns() noexcept;
[[noreturn, gnu::cold]] YOKE_API void throw_has_libraries(const source_location& where);

template <class Port, class Options>
[[nodiscard]] const kept_libraries<Port>& libraries_of(const context<Port>& of, const source_location& where,
                                                       const Options& options) {
  context_state<Port>& in = of.state(where);
  return in.attached.template get<kept_libraries<Port>>([&] { return kept_libraries<Port>(in, options(), where); });
}
/// An order that records, and takes what a library enqueues as a node.
template <class Order>
concept takes_library_graphs =
    requires(const Order& order, const source_location& where) { order.is_body(where); } && !is_a_stream<Order>;
/// Returns: the libraries for what a graph records; null where own kernels do it, as in the bodies of conditional nodes.
template <takes_library_graphs Order>
[[nodiscard]] math_libraries* recording_library_for(const Order& order, math_family family,
                                                    const source_location& where) {
  math_libraries* const made = libraries_of(order.context_of(), where, &default_linalg_options).get();
  return made != nullptr && !order.is_body(where) && made->has(family, where) ? made : nullptr;
}
/// Returns: the libraries for work in a stream that have a family; null where own kernels do it, as in a capture, whose
/// graph could not keep the libraries' memory, and on recorders.
template <class Order>
[[nodiscard]] math_libraries* library_for(const Order& order, math_family family, const source_location& where) {
  if constexpr (is_a_stream<Order>) {
    using Port = port_of_order<Order>;
    math_libraries* const made = libraries_of(order.context_of(), where, &default_linalg_options).get();
    if (made == nullptr || !made->has(family, where)) return nullptr;
    return port_traits<Port>::capture_of(order.context_of().port(where), order.native_handle()) == 0 ? made : nullptr;
  } else {
    return nullptr;
  }
}

}  // namespace detail

/// Sets the options of a context's products and transforms. Call it before the first one. Where a program does not call
/// it, `YOKE_LIBRARIES` names the libraries that may be used.
/// Throws: `logic_error` for an unknown library, after the first product or transform of the context, or at a second
/// call; `std::bad_alloc`. Thread safety: safe.
/// Example: `yoke::use_linalg(ctx, {.libraries = "own"});`
template <class Port>
void use_linalg(const context<Port>& context, const linalg_options& options,
                const source_location& where = source_location::current()) {
  detail::check_libraries(options, where);
  bool taken = false;
  (void)detail::libraries_of(context, where, [&] {
    taken = true;
    return options.libraries.empty()
               ? linalg_options{detail::default_linalg_options().libraries, options.tf32, options.workspace_bytes}
               : options;
  });
  if (!taken) detail::throw_has_libraries(where);
}
/// Returns: the libraries that a context's products and transforms use, and why a family uses own kernels.
/// Effects: opens the libraries. Throws: `logic_error` for an empty context; `error`. Thread safety: safe.
/// Example: `fmt::print("{}\n", yoke::linalg_library(ctx).products.name);`
template <class Port>
[[nodiscard]] linalg_libraries linalg_library(const context<Port>& context,
                                              const source_location& where = source_location::current()) {
  auto* const made = detail::libraries_of(context, where, &detail::default_linalg_options).get();
  if (made == nullptr) {
    const math_library own{.reason = "vendors' libraries are for CUDA"};
    return {own, own, own, own};
  }
  return {made->facts(detail::math_family::products), made->facts(detail::math_family::transforms),
          made->facts(detail::math_family::factorisations), made->facts(detail::math_family::sparse)};
}

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/algorithm/libraries.ipp>
#endif

#endif

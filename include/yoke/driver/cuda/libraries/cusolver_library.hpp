// SPDX-License-Identifier: MIT
// cuSOLVER of a context.
#ifndef YOKE_DRIVER_CUDA_LIBRARIES_CUSOLVER_LIBRARY_HPP
#define YOKE_DRIVER_CUDA_LIBRARIES_CUSOLVER_LIBRARY_HPP

#include <yoke/driver/cuda/libraries/context_library.hpp>

#include <limits>

namespace yoke::inline v0_1::cuda::detail {

/// Factorisations by cuSOLVER. A call takes a handle that no other call has, and memory for its work.
class cusolver_library final : public context_library<cusolver_facts> {
  using factorisation = yoke::detail::library_factorisation;
  using factors = yoke::detail::library_factors;
  using workspace = yoke::detail::library_workspace;

 public:
  cusolver_library(const abi::functions* driver, const context_facts& context,
                   const yoke::detail::library_options& options, const source_location& where)
      : context_library(driver, context, options.libraries, where) {}
  cusolver_library(const cusolver_library&) = delete;
  cusolver_library& operator=(const cusolver_library&) = delete;
  ~cusolver_library() { drop_idle(); }

  [[nodiscard]] workspace workspace_of(abi::stream order, const factorisation& of, const source_location& where) {
    workspace made;
    const int code = with_handle(order, where, [&](const kept& with) { return ask(with, of, made); });
    made.is_supported = !lacks(code);
    if (made.is_supported) check(code, name_of(of), order, where);
    return made;
  }
  [[nodiscard]] bool factor(abi::stream order, const factorisation& of, const workspace& sizes, std::uint64_t on_device,
                            void* on_host, const source_location& where) {
    const int code = with_handle(
        order, where, [&](const kept& with) { return make(with, of, sizes, to_pointer(on_device), on_host); });
    if (lacks(code)) return false;
    check(code, name_of(of), order, where);
    return true;
  }
  void drop_idle() noexcept {
    if (idle_.empty()) return;
    end([&] { idle_.end_all([&](const kept& each) { end_handle(each); }); });
  }

 private:
  struct kept {
    abi::cusolver handle = nullptr;
    abi::cusolver_options options = nullptr;
  };
  void end_handle(const kept& which) const noexcept {
    if (which.options != nullptr) (void)table().destroy_options(which.options);
    if (which.handle != nullptr) (void)table().destroy(which.handle);
  }
  /// Returns: what `call` returns for a handle that nobody else uses.
  template <class Call>
  int with_handle(abi::stream order, const source_location& where, const Call& call) {
    const functions& of_solver = table();
    const current_context scope = current(where);
    const std::optional<kept> there = idle_.take();
    kept with = there.value_or(kept{});
    const auto check_new = [&](int code, const char* name) {
      if (code == 0) return;
      end_handle(with);
      idle_.give_up();
      check(code, name, order, where);
    };
    if (!there) {
      check_new(of_solver.create(&with.handle), "cusolverDnCreate");
      check_new(of_solver.create_options(&with.options), "cusolverDnCreateParams");
    }
    check_new(of_solver.set_stream(with.handle, order), "cusolverDnSetStream");
    const int code = call(with);
    idle_.give_back(with);
    return code;
  }
  static bool lacks(int code) noexcept {
    return code == abi::cusolver_not_supported || code == abi::cusolver_matrix_type_not_supported ||
           code == abi::cusolver_arch_mismatch;
  }
  static abi::data_type real_type_of(abi::data_type type) noexcept {
    const bool in_double = type == abi::data_type::real_double || type == abi::data_type::complex_double;
    return in_double ? abi::data_type::real_double : abi::data_type::real_float;
  }

  /// Returns: the code of one of the two entries of a factorisation, which share their first parameters. `asks`: it is
  /// the one that tells the workspace. `rest`: the parameters behind those.
  template <bool Asks, class... Rest>
  int enter(const kept& with, const factorisation& of, Rest... rest) const {
    const functions& of_solver = table();
    const abi::data_type type = data_type_of(of.type);
    const abi::data_type real = real_type_of(type);
    void* const a = to_pointer(of.a);
    void* const values = to_pointer(of.values);
    // Returns: one of both entries.
    const auto either = [](auto asking, auto making) {
      if constexpr (Asks) {
        return asking;
      } else {
        return making;
      }
    };
    constexpr auto lower = abi::fill_mode::lower;
    switch (of.which) {
      case factors::cholesky:
        return either(of_solver.cholesky_bytes, of_solver.cholesky)(with.handle, with.options, lower, of.n, type, a,
                                                                    of.a_leading, type, rest...);
      case factors::lu:
        if constexpr (Asks) {
          return of_solver.lu_bytes(with.handle, with.options, of.m, of.n, type, a, of.a_leading, type, rest...);
        } else {
          return of_solver.lu(with.handle, with.options, of.m, of.n, type, a, of.a_leading,
                              static_cast<std::int64_t*>(to_pointer(of.pivots)), type, rest...);
        }
      case factors::eigenvalues:
        return either(of_solver.eigenvalues_bytes, of_solver.eigenvalues)(with.handle, with.options,
                                                                          abi::cusolver_with_vectors, lower, of.n, type,
                                                                          a, of.a_leading, real, values, type, rest...);
      case factors::reflections:
        return either(of_solver.reflections_bytes, of_solver.reflections)(with.handle, with.options, of.m, of.n, type,
                                                                          a, of.a_leading, type, values, type, rest...);
      default:
        return either(of_solver.singular_values_bytes, of_solver.singular_values)(
            with.handle, with.options, 'S', 'S', of.m, of.n, type, a, of.a_leading, real, values, type,
            to_pointer(of.left), of.left_leading, type, to_pointer(of.right), of.right_leading, type, rest...);
    }
  }
  /// The two entries that make columns from reflections, which have no 64-bit form.
  struct columns_entries {
    decltype(functions::columns_float_bytes) bytes;
    decltype(functions::columns_float) make;
  };
  columns_entries columns_of(yoke::detail::library_type type) const noexcept {
    using enum yoke::detail::library_type;
    const functions& of_solver = table();
    switch (type) {
      case float64: return {of_solver.columns_double_bytes, of_solver.columns_double};
      case complex64: return {of_solver.columns_complex_float_bytes, of_solver.columns_complex_float};
      case complex128: return {of_solver.columns_complex_double_bytes, of_solver.columns_complex_double};
      default: return {of_solver.columns_float_bytes, of_solver.columns_float};
    }
  }
  static bool counts_in_int(const factorisation& of) noexcept {
    constexpr std::int64_t most = (std::numeric_limits<int>::max)();
    return of.m <= most && of.n <= most && of.a_leading <= most;
  }
  int ask(const kept& with, const factorisation& of, workspace& to) const {
    if (of.which != factors::columns) return enter<true>(with, of, &to.on_device, &to.on_host);
    if (!counts_in_int(of)) return abi::cusolver_not_supported;
    int elements = 0;
    const int code = columns_of(of.type).bytes(with.handle, static_cast<int>(of.m), static_cast<int>(of.n),
                                               static_cast<int>(of.count), to_pointer(of.a),
                                               static_cast<int>(of.a_leading), to_pointer(of.values), &elements);
    to.on_device = static_cast<std::size_t>(elements) * yoke::detail::library_type_bytes(of.type);
    return code;
  }
  int make(const kept& with, const factorisation& of, const workspace& sizes, void* on_device, void* on_host) const {
    auto* const info = static_cast<int*>(to_pointer(of.info));
    if (of.which != factors::columns) {
      return enter<false>(with, of, on_device, sizes.on_device, on_host, sizes.on_host, info);
    }
    const auto elements = static_cast<int>(sizes.on_device / yoke::detail::library_type_bytes(of.type));
    return columns_of(of.type).make(with.handle, static_cast<int>(of.m), static_cast<int>(of.n),
                                    static_cast<int>(of.count), to_pointer(of.a), static_cast<int>(of.a_leading),
                                    to_pointer(of.values), on_device, elements, info);
  }
  static const char* name_of(const factorisation& of) noexcept {
    using enum yoke::detail::library_type;
    switch (of.which) {
      case factors::cholesky: return "cusolverDnXpotrf";
      case factors::lu: return "cusolverDnXgetrf";
      case factors::eigenvalues: return "cusolverDnXsyevd";
      case factors::singular_values: return "cusolverDnXgesvd";
      case factors::reflections: return "cusolverDnXgeqrf";
      default: break;
    }
    return of.type == float64      ? "cusolverDnDorgqr"
           : of.type == complex64  ? "cusolverDnCungqr"
           : of.type == complex128 ? "cusolverDnZungqr"
                                   : "cusolverDnSorgqr";
  }

  idle_handles<kept> idle_{};
};

}  // namespace yoke::inline v0_1::cuda::detail

#endif

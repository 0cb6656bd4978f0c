// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/libraries/math_libraries.hpp.
#ifndef YOKE_DRIVER_CUDA_LIBRARIES_MATH_LIBRARIES_IPP
#define YOKE_DRIVER_CUDA_LIBRARIES_MATH_LIBRARIES_IPP

#include <yoke/driver/cuda/libraries/math_libraries.hpp>

#include <yoke/core/system.hpp>
#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/code_category.hpp>
#include <yoke/driver/cuda/device_info.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/libraries/library_files.hpp>
#include <yoke/driver/cuda/port.hpp>
#include <yoke/driver/cuda/references.hpp>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace yoke::inline v0_1::cuda {

namespace detail {

YOKE_CODE_CATEGORY(cublas_category_instance, "yoke.cublas", &cublas_facts_of)
YOKE_CODE_CATEGORY(cufft_category_instance, "yoke.cufft", &cufft_facts_of)
YOKE_CODE_CATEGORY(cusolver_category_instance, "yoke.cusolver", &cusolver_facts_of)

given_libraries& libraries_of_tests() noexcept {
  static given_libraries given;
  return given;
}

/// A library with its entry points. It lives as long as the process.
template <class Table>
struct loaded_library {
  Table table{};
  std::string name{};
  std::string path{};
};
using loaded_cublas = loaded_library<abi::cublas_functions>;
using loaded_cufft = loaded_library<abi::cufft_functions>;
using loaded_cusolver = loaded_library<abi::cusolver_functions>;

/// Returns: a library's name with the version that it tells.
template <class Table>
std::string name_of_library(const library_kind& kind, const Table& table) {
  int version[3]{};
  constexpr abi::library_property parts[]{abi::library_property::major, abi::library_property::minor,
                                          abi::library_property::patch};
  for (std::size_t k = 0; k < 3; ++k) {
    if (table.property(parts[k], version + k) != 0) return kind.name;
  }
  return text(kind.name, " ", version[0], ".", version[1], ".", version[2]);
}
// Fills a table of entry points; false with the reason for a library that lacks one.
#define YOKE_RESOLVE(own, symbol, ...)                                                                                 \
  table.own = reinterpret_cast<decltype(table.own)>(yoke::detail::library_symbol(library, symbol));                    \
  if (table.own == nullptr) {                                                                                          \
    why = "it lacks " symbol;                                                                                          \
    return false;                                                                                                      \
  }
bool resolve_cublas(void* library, std::string& why, void* to) {
  abi::cublas_functions& table = static_cast<loaded_cublas*>(to)->table;
  YOKE_CUBLAS_FUNCTIONS(YOKE_RESOLVE)
  return true;
}
bool resolve_cufft(void* library, std::string& why, void* to) {
  abi::cufft_functions& table = static_cast<loaded_cufft*>(to)->table;
  YOKE_CUFFT_FUNCTIONS(YOKE_RESOLVE)
  return true;
}
bool resolve_cusolver(void* library, std::string& why, void* to) {
  abi::cusolver_functions& table = static_cast<loaded_cusolver*>(to)->table;
  YOKE_CUSOLVER_FUNCTIONS(YOKE_RESOLVE)
  return true;
}
#undef YOKE_RESOLVE

/// Returns: the toolkits whose libraries this driver can run, newest first.
std::vector<int> toolkits_of(int driver_version) {
  std::vector<int> majors;
  for (int major = driver_version / 1000; major >= 12; --major) majors.push_back(major);
  return majors;
}

/// A library of the process. After a failure the next call tries again. Thread safety: safe.
template <class Table>
class process_library {
 public:
  constexpr process_library() noexcept = default;
  const loaded_library<Table>* find(const library_kind& kind, bool (*resolve)(void*, std::string&, void*),
                                    int driver_version, std::string& reason) {
    if (const auto* const there = found_.load(std::memory_order_acquire)) return there;
    const std::lock_guard lock(mutex_);
    if (const auto* const there = found_.load(std::memory_order_relaxed)) return there;
    auto made = std::make_unique<loaded_library<Table>>();
    const opened_library opened =
        open_library_of(kind, toolkits_of(driver_version), places_of(kind), resolve, made.get(), reason);
    if (opened.library == nullptr) return nullptr;
    made->name = name_of_library(kind, made->table);
    made->path = yoke::detail::file_of_address(reinterpret_cast<const void*>(made->table.create));
    if (made->path.empty()) made->path = opened.path;
    found_.store(made.get(), std::memory_order_release);
    return made.release();
  }

 private:
  std::mutex mutex_;
  std::atomic<const loaded_library<Table>*> found_{nullptr};
};
inline constinit process_library<abi::cublas_functions> the_cublas;
inline constinit process_library<abi::cufft_functions> the_cufft;
inline constinit process_library<abi::cusolver_functions> the_cusolver;

[[noreturn, gnu::cold]] void throw_library_failure(const abi::functions* driver, const std::error_category& category,
                                                   const code_facts& facts, int code, const char* call,
                                                   abi::stream stream, const source_location& where) {
  // A library says only that it failed, where the driver knows why.
  if (facts.thrown == thrown_as::runtime && stream != nullptr) {
    const abi::status status = detail::call<&abi::functions::stream_query>(driver, stream);
    if (is_sticky(status)) throw_failure(status, call, "", where);
  }
  throw_as(facts.thrown, {code, category}, call, facts.text, where);
}

abi::data_type data_type_of(yoke::detail::library_type type) noexcept {
  using enum yoke::detail::library_type;
  switch (type) {
    case float16: return abi::data_type::real_half;
    case bfloat16: return abi::data_type::real_bfloat16;
    case float64: return abi::data_type::real_double;
    case complex64: return abi::data_type::complex_float;
    case complex128: return abi::data_type::complex_double;
    default: return abi::data_type::real_float;
  }
}

/// cuBLAS, cuFFT and cuSOLVER of a context.
class cuda_libraries final : public yoke::detail::math_libraries {
  using family = yoke::detail::math_family;
  using plan = yoke::detail::library_plan;
  using transform_key = yoke::detail::library_transform;

 public:
  cuda_libraries(const abi::functions* driver, const context_facts& context,
                 const yoke::detail::library_options& options, const source_location& where)
      : driver_(driver),
        context_(context),
        cublas_wish_(yoke::detail::wish_for(options.libraries, cublas_kind.word, where)),
        cufft_wish_(yoke::detail::wish_for(options.libraries, cufft_kind.word, where)),
        cusolver_wish_(yoke::detail::wish_for(options.libraries, cusolver_kind.word, where)),
        tf32_(options.tf32),
        workspace_bytes_(options.workspace_bytes) {
    if (workspace_bytes_ == 0) {
      const int major = get(*driver, context.device, info::compute_capability_major, where);
      workspace_bytes_ = std::size_t{major >= 9 ? 32U : 4U} << 20U;
    }
  }
  cuda_libraries(const cuda_libraries&) = delete;
  cuda_libraries& operator=(const cuda_libraries&) = delete;
  ~cuda_libraries() override { cuda_libraries::drop_idle(); }

  math_library facts(family which) override {
    std::string reason;
    if (!find(which, reason)) return {.reason = reason};
    const std::lock_guard lock(mutex_);
    return facts_[static_cast<std::size_t>(which)];
  }
  bool has(family which, const source_location& where) override {
    std::string reason;
    if (find(which, reason)) return true;
    const bool products = which == family::products;
    const bool transforms = which == family::transforms;
    if ((products ? cublas_wish_ : transforms ? cufft_wish_ : cusolver_wish_) == yoke::detail::library_wish::named) {
      throw_error(errc::unsupported, where, "the libraries that may be used name ",
                  (products     ? cublas_kind
                   : transforms ? cufft_kind
                                : cusolver_kind)
                      .word,
                  ": ", reason);
    }
    return false;
  }
  std::size_t product_workspace() const noexcept override { return workspace_bytes_; }

  bool multiply(std::uintptr_t in, const yoke::detail::library_product& of, std::uint64_t workspace,
                const source_location& where) override {
    const auto order = reinterpret_cast<abi::stream>(in);
    std::string reason;
    const abi::cublas_functions& table = *find_cublas(reason);
    const current_context scope(driver_, context_.context, where);
    lease handle(*this, table, order, where);
    const auto check = [&](int code, const char* call) {
      if (code != abi::cublas_success) [[unlikely]] {
        throw_library_failure(driver_, cublas_category_instance(), cublas_facts_of(code), code, call, order, where);
      }
    };
    // A new stream takes the library's own workspace, which other streams share.
    if (handle.is_new(order, workspace)) {
      handle.forget();
      check(table.set_stream(handle.get(), order), "cublasSetStream");
      check(table.set_workspace(handle.get(), to_pointer(workspace), workspace_bytes_), "cublasSetWorkspace");
      handle.note(order, workspace);
    }
    using enum yoke::detail::library_type;
    const bool in_double = of.operands == float64 || of.operands == complex128;
    const auto compute = in_double ? abi::cublas_compute::float64
                         : tf32_ && (of.operands == float32 || of.operands == complex64)
                             ? abi::cublas_compute::float32_fast_tf32
                             : abi::cublas_compute::float32;
    alignas(8) const float alpha[]{static_cast<float>(of.alpha[0]), static_cast<float>(of.alpha[1])};
    alignas(8) const float beta[]{static_cast<float>(of.beta[0]), static_cast<float>(of.beta[1])};
    const void* const scale = in_double ? static_cast<const void*>(of.alpha) : alpha;
    const void* const added = in_double ? static_cast<const void*>(of.beta) : beta;
    const abi::data_type type = data_type_of(of.operands);
    const abi::data_type result = data_type_of(of.result);
    const int code =
        of.batches == 1
            ? table.gemm(handle.get(), operation(of.left), operation(of.right), of.m, of.n, of.k, scale,
                         to_pointer(of.left.address), type, of.left.leading, to_pointer(of.right.address), type,
                         of.right.leading, added, to_pointer(of.to.address), result, of.to.leading, compute,
                         abi::cublas_gemm_default)
            : table.gemm_strided_batched(handle.get(), operation(of.left), operation(of.right), of.m, of.n, of.k, scale,
                                         to_pointer(of.left.address), type, of.left.leading, of.left.batch,
                                         to_pointer(of.right.address), type, of.right.leading, of.right.batch, added,
                                         to_pointer(of.to.address), result, of.to.leading, of.to.batch, of.batches,
                                         compute, abi::cublas_gemm_default);
    if (code == abi::cublas_not_supported || code == abi::cublas_arch_mismatch) return false;
    check(code, of.batches == 1 ? "cublasGemmEx" : "cublasGemmStridedBatchedEx");
    return true;
  }

  plan take_plan(const transform_key& of, const source_location& where) override {
    std::string reason;
    const abi::cufft_functions& table = *find_cufft(reason);
    {
      const std::lock_guard lock(mutex_);
      for (kept_plan& each : plans_) {
        if (each.busy || !(each.of == of)) continue;
        each.busy = true;
        each.last_use = ++uses_;
        return {reinterpret_cast<void*>(each.number), each.workspace_bytes};
      }
    }
    // Making a plan takes long, and waits for the device at times: other plans can be used meanwhile.
    const current_context scope(driver_, context_.context, where);
    kept_plan made{of, 0, 0, true, 0, 0};
    const auto check = [&](int code, const char* call) {
      if (code != abi::cufft_success) [[unlikely]] {
        throw_library_failure(driver_, cufft_category_instance(), cufft_facts_of(code), code, call, nullptr, where);
      }
    };
    check(table.create(&made.native), "cufftCreate");
    struct ending {
      const abi::cufft_functions* table;
      int native;
      ~ending() {
        if (table != nullptr) (void)table->destroy(native);
      }
    } unless_kept{&table, made.native};
    check(table.set_auto_allocation(made.native, 0), "cufftSetAutoAllocation");
    abi::longlong points[3], from[3], to[3];
    std::copy(std::begin(of.points), std::end(of.points), points);  // the library takes them as its own
    std::copy(std::begin(of.from_embed), std::end(of.from_embed), from);
    std::copy(std::begin(of.to_embed), std::end(of.to_embed), to);
    const auto type = [&](bool real) {
      return of.in_double ? (real ? abi::data_type::real_double : abi::data_type::complex_double)
                          : (real ? abi::data_type::real_float : abi::data_type::complex_float);
    };
    const int code =
        table.make_plan(made.native, of.rank, points, from, of.from_stride, of.from_batch, type(of.real_in), to,
                        of.to_stride, of.to_batch, type(of.real_out), of.batches, &made.workspace_bytes, type(false));
    if (cufft_facts_of(code).thrown == thrown_as::unsupported || code == abi::cufft_invalid_size) return {};
    check(code, "cufftXtMakePlanMany");
    const std::lock_guard lock(mutex_);
    made.number = ++plans_made_;
    made.last_use = ++uses_;
    plans_.push_back(made);
    unless_kept.table = nullptr;
    return {reinterpret_cast<void*>(made.number), made.workspace_bytes};
  }
  void transform(const plan& by, std::uintptr_t in, std::uint64_t to, std::uint64_t from, std::uint64_t workspace,
                 bool inverse, const source_location& where) override {
    const auto order = reinterpret_cast<abi::stream>(in);
    std::string reason;
    const abi::cufft_functions& table = *find_cufft(reason);
    const int native = native_of(by);
    const current_context scope(driver_, context_.context, where);
    const auto check = [&](int code, const char* call) {
      if (code != abi::cufft_success) [[unlikely]] {
        throw_library_failure(driver_, cufft_category_instance(), cufft_facts_of(code), code, call, order, where);
      }
    };
    check(table.set_stream(native, order), "cufftSetStream");
    check(table.set_work_area(native, to_pointer(workspace)), "cufftSetWorkArea");
    check(table.execute(native, to_pointer(from), to_pointer(to), inverse ? abi::cufft_inverse : abi::cufft_forward),
          "cufftXtExec");
  }
  void give_back(const plan& used) noexcept override {
    const auto number = reinterpret_cast<std::uintptr_t>(used.plan);
    int ended = 0;
    bool ends = false;
    {
      const std::lock_guard lock(mutex_);
      for (kept_plan& each : plans_) {
        if (each.number == number) each.busy = false;
      }
      if (plans_.size() > most_plans) {
        auto oldest = plans_.end();
        for (auto each = plans_.begin(); each != plans_.end(); ++each) {
          if (!each->busy && (oldest == plans_.end() || each->last_use < oldest->last_use)) oldest = each;
        }
        if (oldest != plans_.end()) {
          ended = oldest->native;
          ends = true;
          plans_.erase(oldest);
        }
      }
    }
    if (ends) end([&] { (void)cufft_table_.load()->destroy(ended); });
  }
  yoke::detail::library_workspace workspace_of(std::uintptr_t in, const yoke::detail::library_factorisation& of,
                                               const source_location& where) override {
    const auto order = reinterpret_cast<abi::stream>(in);
    std::string reason;
    const abi::cusolver_functions& table = *find_cusolver(reason);
    const current_context scope(driver_, context_.context, where);
    const solver_lease with(*this, table, order, where);
    yoke::detail::library_workspace made;
    const abi::data_type type = data_type_of(of.type);
    const abi::data_type real = real_type_of(type);
    int code = 0;
    switch (of.which) {
      case yoke::detail::library_factors::cholesky:
        code = table.cholesky_bytes(with.get(), with.options(), abi::fill_mode::lower, of.n, type, to_pointer(of.a),
                                    of.a_leading, type, &made.on_device, &made.on_host);
        break;
      case yoke::detail::library_factors::lu:
        code = table.lu_bytes(with.get(), with.options(), of.m, of.n, type, to_pointer(of.a), of.a_leading, type,
                              &made.on_device, &made.on_host);
        break;
      case yoke::detail::library_factors::eigenvalues:
        code = table.eigenvalues_bytes(with.get(), with.options(), abi::cusolver_with_vectors, abi::fill_mode::lower,
                                       of.n, type, to_pointer(of.a), of.a_leading, real, to_pointer(of.values), type,
                                       &made.on_device, &made.on_host);
        break;
      default:
        code = table.singular_values_bytes(with.get(), with.options(), 'S', 'S', of.m, of.n, type, to_pointer(of.a),
                                           of.a_leading, real, to_pointer(of.values), type, to_pointer(of.left),
                                           of.left_leading, type, to_pointer(of.right), of.right_leading, type,
                                           &made.on_device, &made.on_host);
    }
    made.is_supported = !lacks(code);
    if (made.is_supported) check_solver(code, name_of(of.which), order, where);
    return made;
  }
  bool factor(std::uintptr_t in, const yoke::detail::library_factorisation& of,
              const yoke::detail::library_workspace& sizes, std::uint64_t on_device, void* on_host,
              const source_location& where) override {
    const auto order = reinterpret_cast<abi::stream>(in);
    std::string reason;
    const abi::cusolver_functions& table = *find_cusolver(reason);
    const current_context scope(driver_, context_.context, where);
    const solver_lease with(*this, table, order, where);
    const abi::data_type type = data_type_of(of.type);
    const abi::data_type real = real_type_of(type);
    auto* const info = static_cast<int*>(to_pointer(of.info));
    int code = 0;
    switch (of.which) {
      case yoke::detail::library_factors::cholesky:
        code = table.cholesky(with.get(), with.options(), abi::fill_mode::lower, of.n, type, to_pointer(of.a),
                              of.a_leading, type, to_pointer(on_device), sizes.on_device, on_host, sizes.on_host, info);
        break;
      case yoke::detail::library_factors::lu:
        code = table.lu(with.get(), with.options(), of.m, of.n, type, to_pointer(of.a), of.a_leading,
                        static_cast<std::int64_t*>(to_pointer(of.pivots)), type, to_pointer(on_device), sizes.on_device,
                        on_host, sizes.on_host, info);
        break;
      case yoke::detail::library_factors::eigenvalues:
        code = table.eigenvalues(with.get(), with.options(), abi::cusolver_with_vectors, abi::fill_mode::lower, of.n,
                                 type, to_pointer(of.a), of.a_leading, real, to_pointer(of.values), type,
                                 to_pointer(on_device), sizes.on_device, on_host, sizes.on_host, info);
        break;
      default:
        code = table.singular_values(with.get(), with.options(), 'S', 'S', of.m, of.n, type, to_pointer(of.a),
                                     of.a_leading, real, to_pointer(of.values), type, to_pointer(of.left),
                                     of.left_leading, type, to_pointer(of.right), of.right_leading, type,
                                     to_pointer(on_device), sizes.on_device, on_host, sizes.on_host, info);
    }
    if (lacks(code)) return false;
    check_solver(code, name_of(of.which), order, where);
    return true;
  }
  void drop_idle() noexcept override {
    std::vector<kept_solver> solvers;
    std::vector<kept_handle> handles;
    std::vector<kept_plan> plans;
    {
      const std::lock_guard lock(mutex_);
      handles.swap(handles_);
      solvers.swap(solvers_);
      const auto idle = std::partition(plans_.begin(), plans_.end(), [](const kept_plan& each) { return each.busy; });
      try {
        plans.assign(idle, plans_.end());
      } catch (...) {  // they stay
        return;
      }
      plans_.erase(idle, plans_.end());
    }
    if (handles.empty() && plans.empty() && solvers.empty()) return;
    end([&] {
      for (const kept_solver& each : solvers) end_solver(each);
      for (const kept_plan& each : plans) (void)cufft_table_.load()->destroy(each.native);
      for (const kept_handle& each : handles) (void)cublas_table_.load()->destroy(each.handle);
    });
  }

 private:
  static constexpr std::size_t most_plans = 32;
  struct kept_plan {
    transform_key of;
    int native;
    std::uintptr_t number;
    bool busy;
    std::uint64_t last_use;
    std::size_t workspace_bytes;
  };

  struct kept_handle {
    abi::cublas handle;
    abi::stream order;        // that it was given last
    std::uint64_t workspace;  // and its workspace
    bool is_set;
  };

  /// A handle of cuBLAS that one call uses at a time.
  class lease {
   public:
    lease(cuda_libraries& of, const abi::cublas_functions& table, abi::stream order, const source_location& where)
        : of_(of) {
      {
        const std::lock_guard lock(of.mutex_);
        if (!of.handles_.empty()) {
          kept_ = of.handles_.back();
          of.handles_.pop_back();
          return;
        }
        of.handles_.reserve(++of.handles_made_);
      }
      const auto check = [&](int code, const char* call) {
        if (code == abi::cublas_success) return;
        if (kept_.handle != nullptr) (void)table.destroy(kept_.handle);
        throw_library_failure(of.driver_, cublas_category_instance(), cublas_facts_of(code), code, call, order, where);
      };
      check(table.create(&kept_.handle), "cublasCreate");
      check(table.set_math_mode(kept_.handle, abi::cublas_math_exact_sums), "cublasSetMathMode");
    }
    lease(const lease&) = delete;
    lease& operator=(const lease&) = delete;
    ~lease() {
      const std::lock_guard lock(of_.mutex_);
      of_.handles_.push_back(kept_);  // its place is reserved
    }
    [[nodiscard]] abi::cublas get() const noexcept { return kept_.handle; }
    [[nodiscard]] bool is_new(abi::stream order, std::uint64_t workspace) const noexcept {
      return !kept_.is_set || kept_.order != order || kept_.workspace != workspace;
    }
    void forget() noexcept { kept_.is_set = false; }
    void note(abi::stream order, std::uint64_t workspace) noexcept {
      kept_.order = order;
      kept_.workspace = workspace;
      kept_.is_set = true;
    }

   private:
    cuda_libraries& of_;
    kept_handle kept_{};
  };

  struct kept_solver {
    abi::cusolver handle;
    abi::cusolver_options options;
  };
  /// A handle of cuSOLVER that one call uses at a time.
  class solver_lease {
   public:
    solver_lease(cuda_libraries& of, const abi::cusolver_functions& table, abi::stream order,
                 const source_location& where)
        : of_(of) {
      {
        const std::lock_guard lock(of.mutex_);
        if (!of.solvers_.empty()) {
          kept_ = of.solvers_.back();
          of.solvers_.pop_back();
        } else {
          of.solvers_.reserve(++of.solvers_made_);
        }
      }
      const auto check = [&](int code, const char* call) {
        if (code == abi::cusolver_success) return;
        of.end_solver(kept_);
        of.check_solver(code, call, order, where);
      };
      if (kept_.handle == nullptr) {
        check(table.create(&kept_.handle), "cusolverDnCreate");
        check(table.create_options(&kept_.options), "cusolverDnCreateParams");
      }
      check(table.set_stream(kept_.handle, order), "cusolverDnSetStream");
    }
    solver_lease(const solver_lease&) = delete;
    solver_lease& operator=(const solver_lease&) = delete;
    ~solver_lease() {
      const std::lock_guard lock(of_.mutex_);
      of_.solvers_.push_back(kept_);  // its place is reserved
    }
    [[nodiscard]] abi::cusolver get() const noexcept { return kept_.handle; }
    [[nodiscard]] abi::cusolver_options options() const noexcept { return kept_.options; }

   private:
    cuda_libraries& of_;
    kept_solver kept_{};
  };
  void end_solver(const kept_solver& which) const noexcept {
    const abi::cusolver_functions& table = *cusolver_table_.load();
    if (which.options != nullptr) (void)table.destroy_options(which.options);
    if (which.handle != nullptr) (void)table.destroy(which.handle);
  }
  static bool lacks(int code) noexcept {
    return code == abi::cusolver_not_supported || code == abi::cusolver_matrix_type_not_supported ||
           code == abi::cusolver_arch_mismatch;
  }
  void check_solver(int code, const char* call, abi::stream order, const source_location& where) const {
    if (code == abi::cusolver_success) [[likely]]
      return;
    throw_library_failure(driver_, cusolver_category_instance(), cusolver_facts_of(code), code, call, order, where);
  }
  static const char* name_of(yoke::detail::library_factors which) noexcept {
    switch (which) {
      case yoke::detail::library_factors::cholesky: return "cusolverDnXpotrf";
      case yoke::detail::library_factors::lu: return "cusolverDnXgetrf";
      case yoke::detail::library_factors::eigenvalues: return "cusolverDnXsyevd";
      default: return "cusolverDnXgesvd";
    }
  }
  static abi::data_type real_type_of(abi::data_type type) noexcept {
    return type == abi::data_type::real_double || type == abi::data_type::complex_double ? abi::data_type::real_double
                                                                                         : abi::data_type::real_float;
  }

  static void* to_pointer(std::uint64_t address) noexcept { return reinterpret_cast<void*>(address); }
  static abi::cublas_operation operation(const yoke::detail::library_matrix& of) noexcept {
    return !of.transposed  ? abi::cublas_operation::none
           : of.conjugated ? abi::cublas_operation::conjugate_transposed
                           : abi::cublas_operation::transposed;
  }
  /// Effects: calls `ends` with the context current, unless other code has ended it and everything in it.
  template <class Ends>
  void end(const Ends& ends) const noexcept {
    try {
      if (context_.id != 0 && number_of(driver_, context_.context) != context_.id) return;
      const current_context scope(driver_, context_.context, {});
      ends();
    } catch (...) {  // the context does not work any more
    }
  }
  int native_of(const plan& by) {
    const std::lock_guard lock(mutex_);
    const auto number = reinterpret_cast<std::uintptr_t>(by.plan);
    return std::find_if(plans_.begin(), plans_.end(), [&](const kept_plan& each) { return each.number == number; })
        ->native;
  }

  /// Returns: why the machine's libraries are not used here; "" if they are.
  [[nodiscard]] std::string refusal() const {
    const loaded_driver* const driver = driver_if_loaded();
    if (driver == nullptr || driver_ != &driver->table) return "the driver's functions are a test's";
    if (driver->is_simulator) return "the simulator's memory is no device's: CUDA's libraries cannot use it";
    if (driver->named) return "YOKE_CUDA_DRIVER names a driver, and CUDA's libraries open the machine's";
    if (!context_.primary) return "the context is not the device's primary one, which CUDA's libraries need";
    return "";
  }
  template <class Table>
  [[nodiscard]] const Table* find(const library_kind& kind, yoke::detail::library_wish wish, const Table* given,
                                  process_library<Table>& process, bool (*resolve)(void*, std::string&, void*),
                                  std::atomic<const Table*>& kept, math_library& facts, std::string& reason) {
    if (const Table* const there = kept.load(std::memory_order_acquire)) return there;
    if (wish == yoke::detail::library_wish::refused) {
      reason = text("the libraries that may be used do not name ", kind.word);
      return nullptr;
    }
    if (given != nullptr) {
      const std::lock_guard lock(mutex_);
      facts = {name_of_library(kind, *given), "", ""};
      kept.store(given, std::memory_order_release);
      return given;
    }
    reason = refusal();
    if (!reason.empty()) return nullptr;
    const loaded_library<Table>* const found = process.find(kind, resolve, driver_if_loaded()->version, reason);
    if (found == nullptr) return nullptr;
    const std::lock_guard lock(mutex_);
    facts = {found->name, found->path, ""};
    kept.store(&found->table, std::memory_order_release);
    return &found->table;
  }
  [[nodiscard]] bool find(family which, std::string& reason) {
    switch (which) {
      case family::products: return find_cublas(reason) != nullptr;
      case family::transforms: return find_cufft(reason) != nullptr;
      default: return find_cusolver(reason) != nullptr;
    }
  }
  [[nodiscard]] const abi::cublas_functions* find_cublas(std::string& reason) {
    return find(cublas_kind, cublas_wish_, libraries_of_tests().cublas, the_cublas, &resolve_cublas, cublas_table_,
                facts_[0], reason);
  }
  [[nodiscard]] const abi::cufft_functions* find_cufft(std::string& reason) {
    return find(cufft_kind, cufft_wish_, libraries_of_tests().cufft, the_cufft, &resolve_cufft, cufft_table_, facts_[1],
                reason);
  }
  [[nodiscard]] const abi::cusolver_functions* find_cusolver(std::string& reason) {
    return find(cusolver_kind, cusolver_wish_, libraries_of_tests().cusolver, the_cusolver, &resolve_cusolver,
                cusolver_table_, facts_[2], reason);
  }

  const abi::functions* driver_;
  context_facts context_;
  yoke::detail::library_wish cublas_wish_, cufft_wish_, cusolver_wish_;
  bool tf32_;
  std::size_t workspace_bytes_;
  std::atomic<const abi::cublas_functions*> cublas_table_{nullptr};
  std::atomic<const abi::cufft_functions*> cufft_table_{nullptr};
  std::atomic<const abi::cusolver_functions*> cusolver_table_{nullptr};
  std::mutex mutex_;  // of everything below
  math_library facts_[3]{};
  std::vector<kept_handle> handles_{};  // idle ones; it has room for all
  std::size_t handles_made_ = 0;
  std::vector<kept_solver> solvers_{};  // likewise
  std::size_t solvers_made_ = 0;
  std::vector<kept_plan> plans_{};
  std::uintptr_t plans_made_ = 0;
  std::uint64_t uses_ = 0;
};

}  // namespace detail

yoke::detail::owner<yoke::detail::math_libraries> math_functions::libraries_of_context(
    abi::context context, const yoke::detail::library_options& options, const source_location& where) const {
  return yoke::detail::make_owner<detail::cuda_libraries>(
      table(), detail::contexts_of(table()).find(table(), context, where), options, where);
}

const std::error_category& cublas_error_category() noexcept { return detail::cublas_category_instance(); }
const std::error_category& cufft_error_category() noexcept { return detail::cufft_category_instance(); }
const std::error_category& cusolver_error_category() noexcept { return detail::cusolver_category_instance(); }

}  // namespace yoke::inline v0_1::cuda

#endif

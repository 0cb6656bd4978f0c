// SPDX-License-Identifier: MIT
// All that the classes of a context's libraries share: how a library is found, its entry points, idle handles and errors.
#ifndef YOKE_DRIVER_CUDA_LIBRARIES_CONTEXT_LIBRARY_HPP
#define YOKE_DRIVER_CUDA_LIBRARIES_CONTEXT_LIBRARY_HPP

#include <yoke/core/system.hpp>
#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/code_category.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/libraries/library_files.hpp>
#include <yoke/driver/cuda/libraries/math_libraries.hpp>
#include <yoke/driver/cuda/references.hpp>

#include <atomic>
#include <concepts>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline v0_1::cuda::detail {

// Fills an entry point of a table; false with the reason for a library that lacks it.
#define YOKE_RESOLVE(own, symbol, ...)                                                                                 \
  to.own = reinterpret_cast<decltype(to.own)>(yoke::detail::library_symbol(library, symbol));                          \
  if (to.own == nullptr) {                                                                                             \
    why = "it lacks " symbol;                                                                                          \
    return false;                                                                                                      \
  }
// The facts of a library that generic code takes.
#define YOKE_LIBRARY_FACTS(word, FUNCTIONS)                                                                            \
  struct word##_facts {                                                                                                \
    using table = abi::word##_functions;                                                                               \
    static constexpr const library_kind& kind = word##_kind;                                                           \
    static const table* given() noexcept { return libraries_of_tests().word; }                                         \
    static const std::error_category& category() noexcept { return word##_error_category(); }                          \
    static code_facts of(int code) noexcept { return word##_facts_of(code); }                                          \
    static bool resolve(void* library, table& to, std::string& why) {                                                  \
      FUNCTIONS(YOKE_RESOLVE)                                                                                          \
      return true;                                                                                                     \
    }                                                                                                                  \
  };
YOKE_LIBRARY_FACTS(cublas, YOKE_CUBLAS_FUNCTIONS)
YOKE_LIBRARY_FACTS(cufft, YOKE_CUFFT_FUNCTIONS)
YOKE_LIBRARY_FACTS(cusolver, YOKE_CUSOLVER_FUNCTIONS)
YOKE_LIBRARY_FACTS(cusparse, YOKE_CUSPARSE_FUNCTIONS)
#undef YOKE_LIBRARY_FACTS
#undef YOKE_RESOLVE

/// A library with its entry points. It lives as long as the process.
template <class Table>
struct loaded_library {
  Table table{};
  int driver_version = 0;
  std::string name{};
  std::string path{};
};

/// Returns: a library's name with the version that it tells.
template <class Table>
std::string name_of_library(const library_kind& kind, const Table& table) {
  int version[3]{};
  constexpr abi::library_property parts[]{abi::library_property::major, abi::library_property::minor,
                                          abi::library_property::patch};
  for (std::size_t k = 0; k < 3; ++k) {
    if (table.property(parts[k], version + k) != 0) return kind.name;
  }
  return yoke::detail::text(kind.name, " ", version[0], ".", version[1], ".", version[2]);
}
/// Returns: the toolkits whose libraries this driver can run, newest first.
inline std::vector<int> toolkits_of(int driver_version) {
  std::vector<int> majors;
  for (int major = driver_version / 1000; major >= 12; --major) majors.push_back(major);
  return majors;
}
/// Whether a library can be used; sets its entry points. `to`: a `loaded_library`.
template <class Facts>
bool use_library(void* library, std::string& why, void* to) {
  auto& made = *static_cast<loaded_library<typename Facts::table>*>(to);
  if (!Facts::resolve(library, made.table, why)) return false;
  if constexpr (std::same_as<Facts, cusparse_facts>) {
    // The name of its file is the same in the toolkits 12 and 13; 12.6 is the first version of the latter.
    int minor = 0;
    if (made.table.property(abi::library_property::minor, &minor) == 0 && minor >= 6 && made.driver_version < 13000) {
      why = yoke::detail::text("version 12.", minor, " is of CUDA 13, and the driver is of CUDA ",
                               made.driver_version / 1000, ".", made.driver_version % 1000 / 10);
      return false;
    }
  }
  return true;
}

/// A library of the process. After a failure the next call tries again. Thread safety: safe.
template <class Facts>
class process_library {
  using loaded = loaded_library<typename Facts::table>;

 public:
  constexpr process_library() noexcept = default;
  const loaded* find(int driver_version, std::string& reason) {
    if (const loaded* const there = found_.load(std::memory_order_acquire)) return there;
    const std::lock_guard lock(mutex_);
    if (const loaded* const there = found_.load(std::memory_order_relaxed)) return there;
    auto made = std::make_unique<loaded>();
    made->driver_version = driver_version;
    const opened_library opened = open_library_of(Facts::kind, toolkits_of(driver_version), places_of(Facts::kind),
                                                  &use_library<Facts>, made.get(), reason);
    if (opened.library == nullptr) return nullptr;
    made->name = name_of_library(Facts::kind, made->table);
    made->path = yoke::detail::file_of_address(reinterpret_cast<const void*>(made->table.create));
    if (made->path.empty()) made->path = opened.path;
    found_.store(made.get(), std::memory_order_release);
    return made.release();
  }

 private:
  std::mutex mutex_;
  std::atomic<const loaded*> found_{nullptr};
};
template <class Facts>
inline constinit process_library<Facts> library_of_process;

/// Handles that one call uses at a time. Thread safety: safe.
template <class Kept>
class idle_handles {
 public:
  /// Returns: an idle handle; none if a new one must be made, whose place is then reserved. Throws: `std::bad_alloc`.
  [[nodiscard]] std::optional<Kept> take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) {
      idle_.reserve(made_ + 1);
      ++made_;
      return {};
    }
    const Kept taken = idle_.back();
    idle_.pop_back();
    return taken;
  }
  void give_back(const Kept& used) noexcept {
    const std::lock_guard lock(mutex_);
    idle_.push_back(used);  // its place is reserved
  }
  /// Effects: frees the place of a handle that could not be made.
  void give_up() noexcept {
    const std::lock_guard lock(mutex_);
    --made_;
  }
  /// Effects: calls `ends` for each idle handle, which goes.
  template <class Ends>
  void end_all(const Ends& ends) noexcept {
    const std::lock_guard lock(mutex_);
    for (const Kept& each : idle_) ends(each);
    made_ -= idle_.size();
    idle_.clear();
  }
  [[nodiscard]] bool empty() noexcept {
    const std::lock_guard lock(mutex_);
    return idle_.empty();
  }

 private:
  std::mutex mutex_;
  std::vector<Kept> idle_{};  // it has room for all that were made
  std::size_t made_ = 0;
};

[[nodiscard]] inline void* to_pointer(std::uint64_t address) noexcept { return reinterpret_cast<void*>(address); }
[[nodiscard]] inline abi::stream to_stream(std::uintptr_t in) noexcept { return reinterpret_cast<abi::stream>(in); }
[[nodiscard]] inline abi::data_type data_type_of(yoke::detail::library_type type) noexcept {
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
/// The factors of a product as a library loads them: of double precision, or rounded to float. They point into the
/// product.
struct library_scalars {
  template <class Product>
  explicit library_scalars(const Product& of) noexcept {
    for (std::size_t k = 0; k < 2; ++k) {
      rounded_alpha[k] = static_cast<float>(of.alpha[k]);
      rounded_beta[k] = static_cast<float>(of.beta[k]);
    }
    in_double =
        of.operands == yoke::detail::library_type::float64 || of.operands == yoke::detail::library_type::complex128;
    alpha = in_double ? static_cast<const void*>(of.alpha) : rounded_alpha;
    beta = in_double ? static_cast<const void*>(of.beta) : rounded_beta;
  }
  library_scalars(const library_scalars&) = delete;
  library_scalars& operator=(const library_scalars&) = delete;
  alignas(8) float rounded_alpha[2];
  alignas(8) float rounded_beta[2];
  bool in_double = false;
  const void* alpha = nullptr;
  const void* beta = nullptr;
};

/// Returns: why the machine's libraries are not used in a context; "" if they are. `given`: tests give a library.
[[nodiscard]] inline std::string refusal_of(const abi::functions* functions, const context_facts& context, bool given) {
  if (!context.primary) return "the context is not the device's primary one, which CUDA's libraries need";
  if (given) return "";
  const loaded_driver* const driver = driver_if_loaded();
  if (driver == nullptr || functions != &driver->table) return "the driver's functions are a test's";
  if (driver->is_simulator) return "the simulator's memory is no device's: CUDA's libraries cannot use it";
  if (driver->named) return "YOKE_CUDA_DRIVER names a driver, and CUDA's libraries open the machine's";
  return "";
}

/// A library of one context, which is opened at the first need. Thread safety: safe.
template <class Facts>
class context_library {
 public:
  context_library(const abi::functions* driver, const context_facts& context, std::string_view wishes,
                  const source_location& where)
      : driver_(driver), context_(context), wish_(yoke::detail::wish_for(wishes, Facts::kind.word, where)) {}
  context_library(const context_library&) = delete;
  context_library& operator=(const context_library&) = delete;

  /// As `math_libraries`.
  [[nodiscard]] math_library facts() {
    std::string reason;
    if (!find(reason)) return {.reason = reason};
    const std::lock_guard lock(mutex_);
    return facts_;
  }
  [[nodiscard]] bool has(const source_location& where) {
    std::string reason;
    if (find(reason)) return true;
    if (wish_ == yoke::detail::library_wish::named) {
      yoke::detail::throw_error(errc::unsupported, where, "the libraries that may be used name ", Facts::kind.word,
                                ": ", reason);
    }
    return false;
  }

 protected:
  using functions = typename Facts::table;
  ~context_library() = default;

  /// Requires: `has()`.
  [[nodiscard]] const functions& table() const noexcept { return *table_.load(std::memory_order_acquire); }
  [[nodiscard]] current_context current(const source_location& where) const {
    return current_context(driver_, context_.context, where);
  }
  void check(int code, const char* call, abi::stream order, const source_location& where) const {
    if (code != 0) [[unlikely]]
      fail(code, call, order, where);
  }
  /// Effects: captures what `enqueue(order)` enqueues in a stream that is made for it. Returns: the graph; null if it
  /// returns false. Requires: that the context is current.
  template <class Enqueue>
  [[nodiscard]] abi::graph captured(const Enqueue& enqueue, const source_location& where) const {
    abi::stream order = nullptr;
    detail::invoke<&abi::functions::stream_create>(driver_, where, &order, abi::stream_non_blocking, 0);
    struct ending {
      const abi::functions* driver;
      abi::stream order;
      ~ending() { report(release<&abi::functions::stream_destroy>(driver, order)); }
    } const at_the_end{driver_, order};
    detail::invoke<&abi::functions::stream_begin_capture>(driver_, where, order, abi::capture_mode::thread_local_);
    abi::graph made = nullptr;
    const auto abandon = [&] {
      if (made != nullptr) report(release<&abi::functions::graph_destroy>(driver_, made));
    };
    try {
      const bool is_done = enqueue(order);
      detail::invoke<&abi::functions::stream_end_capture>(driver_, where, order, &made);
      if (is_done) return made;
    } catch (...) {
      // An invalid capture ends with an error, which is expected here.
      if (made == nullptr) (void)detail::call<&abi::functions::stream_end_capture>(driver_, order, &made);
      abandon();
      throw;
    }
    abandon();
    return nullptr;
  }
  /// Effects: calls `ends` with the context current, unless other code has ended it and everything in it.
  template <class Ends>
  void end(const Ends& ends) const noexcept {
    try {
      if (context_.id != 0 && number_of(driver_, context_.context) != context_.id) return;
      const current_context scope = current({});
      ends();
    } catch (...) {  // the context does not work any more
    }
  }

 private:
  [[noreturn, gnu::cold]] void fail(int code, const char* call, abi::stream order, const source_location& where) const {
    const code_facts facts = Facts::of(code);
    // A library says only that it failed, where the driver knows why.
    if (facts.thrown == thrown_as::runtime && order != nullptr) {
      const abi::status status = detail::call<&abi::functions::stream_query>(driver_, order);
      if (is_sticky(status)) throw_failure(status, call, "", where);
    }
    throw_as(facts.thrown, {code, Facts::category()}, call, facts.text, where);
  }
  [[nodiscard]] bool find(std::string& reason) {
    if (table_.load(std::memory_order_acquire) != nullptr) return true;
    if (wish_ == yoke::detail::library_wish::refused) {
      reason = yoke::detail::text("the libraries that may be used do not name ", Facts::kind.word);
      return false;
    }
    const functions* const given = Facts::given();
    reason = refusal_of(driver_, context_, given != nullptr);
    if (!reason.empty()) return false;
    math_library facts;
    const functions* table = given;
    if (given != nullptr) {
      facts.name = name_of_library(Facts::kind, *given);
    } else {
      const auto* const found = library_of_process<Facts>.find(driver_if_loaded()->version, reason);
      if (found == nullptr) return false;
      facts.name = found->name;
      facts.path = found->path;
      table = &found->table;
    }
    const std::lock_guard lock(mutex_);
    facts_ = facts;
    table_.store(table, std::memory_order_release);
    return true;
  }

  const abi::functions* driver_;
  context_facts context_;
  yoke::detail::library_wish wish_;
  std::atomic<const functions*> table_{nullptr};
  std::mutex mutex_;
  math_library facts_{};
};

}  // namespace yoke::inline v0_1::cuda::detail

#endif

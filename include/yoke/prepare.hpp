// SPDX-License-Identifier: MIT
// Work that a program does ahead on several threads, so that its kernels are compiled when it needs them.
#ifndef YOKE_PREPARE_HPP
#define YOKE_PREPARE_HPP

#include <yoke/driver/any/port.hpp>
#include <yoke/execution/stream.hpp>

#include <concepts>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace yoke::inline v0_1 {

namespace detail {
class prepared_jobs;
}

/// Jobs that `prepare` has begun. Move-only; its end waits for them. Thread safety: as a `std::vector`.
class preparation {
 public:
  YOKE_API preparation() noexcept;
  YOKE_API preparation(preparation&& other) noexcept;
  YOKE_API preparation& operator=(preparation&& other) noexcept;
  /// Waits for all jobs. What they threw is lost if `wait` was not called: the program meets it again where it does the
  /// same.
  YOKE_API ~preparation();

  /// Whether all jobs have ended.
  [[nodiscard]] YOKE_API bool is_ready() const noexcept;
  /// Waits for all jobs. Throws: the first exception that a job threw, once.
  YOKE_API void wait();

  YOKE_API explicit preparation(std::vector<std::function<void()>> jobs);

 private:
  std::unique_ptr<detail::prepared_jobs> jobs_;
};

/// Does work ahead that compiles kernels, while the program reads its data, say: the context then has the kernels, and a
/// cache on disk the programs.
///
/// Each job is called with a stream of its own, on one of as many threads as the machine has processors, the first jobs
/// first. Kernels are compiled for types, layouts and sizes of the kinds that a job uses, so that arrays of a few
/// elements do only where the program's are as small: sizes choose kernels, too.
/// Requires: the jobs' references live until they have ended. Jobs that run at once do not share arrays.
/// Returns: the preparation; keep it until the kernels are wanted, or call `wait`.
/// Throws: `logic_error` for an empty context; `std::bad_alloc`. Without threads the jobs run before this returns.
/// Thread safety: safe. Source: own.
/// Example:
///     auto ahead = yoke::prepare(
///         ctx, [](const yoke::stream<>& s) { (void)yoke::sorted(yoke::zeros<float>({1 << 20}, s)); },
///         [](const yoke::stream<>& s) { (void)yoke::sum(yoke::zeros<float>({1 << 20}, s)); });
template <class Port, class... Jobs>
[[nodiscard]] preparation prepare(const context<Port>& context, Jobs... jobs) {
  static_assert((std::invocable<Jobs&, const stream<Port>&> && ...),
                "a job of prepare is called with a stream: [](const yoke::stream<>& s) { ... }");
  if constexpr ((std::invocable<Jobs&, const stream<Port>&> && ...)) {
    (void)context.port(source_location::current());
    std::vector<std::function<void()>> all;
    all.reserve(sizeof...(jobs));
    (all.emplace_back([context, job = std::make_shared<Jobs>(std::move(jobs))] {
      const stream<Port> own(context);
      (void)(*job)(own);
      own.synchronize();
    }),
     ...);
    return preparation(std::move(all));
  } else {
    return {};
  }
}

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/prepare.ipp>
#endif

#endif

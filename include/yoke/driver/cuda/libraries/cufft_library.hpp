// SPDX-License-Identifier: MIT
// cuFFT of a context.
#ifndef YOKE_DRIVER_CUDA_LIBRARIES_CUFFT_LIBRARY_HPP
#define YOKE_DRIVER_CUDA_LIBRARIES_CUFFT_LIBRARY_HPP

#include <yoke/driver/cuda/libraries/context_library.hpp>

#include <algorithm>

namespace yoke::inline v0_1::cuda::detail {

/// Transforms by cuFFT. A call takes a plan that no other call has; the context keeps those used last.
class cufft_library final : public context_library<cufft_facts> {
  using plan = yoke::detail::library_plan;
  using key = yoke::detail::library_transform;

 public:
  cufft_library(const abi::functions* driver, const context_facts& context,
                const yoke::detail::library_options& options, const source_location& where)
      : context_library(driver, context, options.libraries, where) {}
  cufft_library(const cufft_library&) = delete;
  cufft_library& operator=(const cufft_library&) = delete;
  ~cufft_library() { drop_idle(); }

  [[nodiscard]] plan take_plan(abi::stream order, const key& of, const source_location& where) {
    const functions& of_fft = table();
    {
      const std::lock_guard lock(mutex_);
      for (kept& each : plans_) {
        if (each.busy || !(each.of == of)) continue;
        each.busy = true;
        each.last_use = ++uses_;
        return {reinterpret_cast<void*>(each.number), each.workspace_bytes};
      }
    }
    // Making a plan takes long, and waits for the device at times: other plans can be used meanwhile.
    const current_context scope = current(where);
    kept made{of, 0, 0, true, 0, 0};
    check(of_fft.create(&made.native), "cufftCreate", order, where);
    struct ending {
      const functions* table;
      int native;
      ~ending() {
        if (table != nullptr) (void)table->destroy(native);
      }
    } unless_kept{&of_fft, made.native};
    check(of_fft.set_auto_allocation(made.native, 0), "cufftSetAutoAllocation", order, where);
    abi::longlong points[3], from[3], to[3];
    std::copy(std::begin(of.points), std::end(of.points), points);  // the library takes them as its own
    std::copy(std::begin(of.from_embed), std::end(of.from_embed), from);
    std::copy(std::begin(of.to_embed), std::end(of.to_embed), to);
    const auto type = [&](bool real) {
      return of.in_double ? (real ? abi::data_type::real_double : abi::data_type::complex_double)
                          : (real ? abi::data_type::real_float : abi::data_type::complex_float);
    };
    const int code =
        of_fft.make_plan(made.native, of.rank, points, from, of.from_stride, of.from_batch, type(of.real_in), to,
                         of.to_stride, of.to_batch, type(of.real_out), of.batches, &made.workspace_bytes, type(false));
    if (lacks(code)) return {};
    check(code, "cufftXtMakePlanMany", order, where);
    const std::lock_guard lock(mutex_);
    made.number = ++plans_made_;
    made.last_use = ++uses_;
    plans_.push_back(made);
    unless_kept.table = nullptr;
    return {reinterpret_cast<void*>(made.number), made.workspace_bytes};
  }
  void transform(const plan& by, abi::stream order, std::uint64_t to, std::uint64_t from, std::uint64_t workspace,
                 bool inverse, const source_location& where) {
    const int native = native_of(by);
    const current_context scope = current(where);
    enqueue(native, order, to, from, workspace, inverse, where);
  }
  /// As `math_libraries`.
  [[nodiscard]] abi::graph record(const plan& by, std::uint64_t to, std::uint64_t from, std::uint64_t workspace,
                                  bool inverse, const source_location& where) {
    const int native = native_of(by);
    const current_context scope = current(where);
    return captured(
        [&](abi::stream order) {
          enqueue(native, order, to, from, workspace, inverse, where);
          return true;
        },
        where);
  }
  void give_back(const plan& used) noexcept {
    const auto number = reinterpret_cast<std::uintptr_t>(used.plan);
    int ended = 0;
    bool ends = false;
    {
      const std::lock_guard lock(mutex_);
      for (kept& each : plans_) {
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
    if (ends) end([&] { (void)table().destroy(ended); });
  }
  void drop_idle() noexcept {
    std::vector<kept> idle;
    {
      const std::lock_guard lock(mutex_);
      const auto first = std::partition(plans_.begin(), plans_.end(), [](const kept& each) { return each.busy; });
      try {
        idle.assign(first, plans_.end());
      } catch (...) {  // they stay
        return;
      }
      plans_.erase(first, plans_.end());
    }
    if (idle.empty()) return;
    end([&] {
      for (const kept& each : idle) (void)table().destroy(each.native);
    });
  }

 private:
  void enqueue(int native, abi::stream order, std::uint64_t to, std::uint64_t from, std::uint64_t workspace,
               bool inverse, const source_location& where) const {
    const functions& of_fft = table();
    check(of_fft.set_stream(native, order), "cufftSetStream", order, where);
    check(of_fft.set_work_area(native, to_pointer(workspace)), "cufftSetWorkArea", order, where);
    check(of_fft.execute(native, to_pointer(from), to_pointer(to), inverse ? abi::cufft_inverse : abi::cufft_forward),
          "cufftXtExec", order, where);
  }

  static constexpr std::size_t most_plans = 32;
  struct kept {
    key of;
    int native;
    std::uintptr_t number;
    bool busy;
    std::uint64_t last_use;
    std::size_t workspace_bytes;
  };
  static bool lacks(int code) noexcept {
    return code == abi::cufft_not_supported || code == abi::cufft_not_implemented ||
           code == abi::cufft_missing_dependency || code == abi::cufft_invalid_device ||
           code == abi::cufft_invalid_size;
  }
  int native_of(const plan& by) {
    const std::lock_guard lock(mutex_);
    const auto number = reinterpret_cast<std::uintptr_t>(by.plan);
    return std::find_if(plans_.begin(), plans_.end(), [&](const kept& each) { return each.number == number; })->native;
  }

  std::mutex mutex_;  // of everything below
  std::vector<kept> plans_{};
  std::uintptr_t plans_made_ = 0;
  std::uint64_t uses_ = 0;
};

}  // namespace yoke::inline v0_1::cuda::detail

#endif

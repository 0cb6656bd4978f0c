// SPDX-License-Identifier: MIT
// An operator that multiplies by a factor before it adds.
#ifndef YOKE_NCCL_SCALED_SUM_HPP
#define YOKE_NCCL_SCALED_SUM_HPP

#include <yoke/core/cleanup.hpp>
#include <yoke/driver/nccl/error.hpp>
#include <yoke/nccl/clique.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace yoke::inline v0_1::nccl {

/// Multiplies this rank's elements by a factor, and adds the ranks': the average is `factor = 1.0 / size()`. Each rank
/// may have a factor of its own. Serves the communicator or clique that made it, for elements of type `T`. Move-only.
/// Requires: it lives until the calls that take it have returned.
/// Thread safety: as the communicator.
/// Example: `yoke::nccl::scaled_sum by{comm, 0.25F}; comm.all_reduce(x, by, stream);`
template <class T>
class scaled_sum {
  static_assert(detail::kind_of<T>.is_number && !detail::kind_of<T>.is_complex,
                "NCCL scales 8-, 32- and 64-bit integers, half, bfloat16, float and double");

 public:
  scaled_sum() noexcept = default;
  /// Throws: `communication_error` for a communicator that has failed or ended; NCCL's errors.
  /// Wraps `ncclRedOpCreatePreMulSum`.
  template <class Port>
  scaled_sum(const communicator<Port>& of, const T& factor, const source_location& where = source_location::current())
      : scaled_sum(of.shared(), factor, where) {}
  template <class Port>
  scaled_sum(const clique<Port>& of, const T& factor, const source_location& where = source_location::current())
      : scaled_sum(of.shared(), factor, where) {}
  scaled_sum(scaled_sum&& other) noexcept : engine_(std::move(other.engine_)), made_(std::exchange(other.made_, {})) {}
  scaled_sum& operator=(scaled_sum&& other) noexcept {
    if (this != &other) {
      end();
      engine_ = std::move(other.engine_);
      made_ = std::exchange(other.made_, {});
    }
    return *this;
  }
  ~scaled_sum() { end(); }

  // For verbs.
  [[nodiscard]] abi::operation operation_for(const detail::engine& of, std::size_t member,
                                             const source_location& where) const {
    if (engine_.get() != &of) {
      yoke::detail::throw_error(errc::wrong_context, "the scaled sum is empty, or of another communicator", where);
    }
    return made_[member];
  }

 private:
  scaled_sum(const std::shared_ptr<detail::engine>& of, const T& factor, const source_location& where) : engine_(of) {
    if (engine_ == nullptr) yoke::detail::throw_error(errc::empty_handle, "the communicator is empty", where);
    try {
      for (std::size_t member = 0; member < engine_->members(); ++member) {
        T value = factor;
        abi::operation made{};
        engine_->call(
            "ncclRedOpCreatePreMulSum",
            [&](const abi::functions& table) {
              return table.create_scaled_sum(&made, &value, detail::kind_of<T>.type, abi::scalar_place::host,
                                             engine_->native(member));
            },
            where);
        made_.push_back(made);
      }
    } catch (...) {
      end();
      throw;
    }
  }
  void end() noexcept {
    for (std::size_t member = 0; member < made_.size(); ++member) {
      const abi::communicator of = engine_->native(member);
      if (of == nullptr) continue;  // gone with the communicator
      if (const abi::status code = engine_->library().table.destroy_operation(made_[member], of)) {
        yoke::detail::report_cleanup_failure({code, error_category()}, "ncclRedOpDestroy");
      }
    }
    made_.clear();
    engine_.reset();
  }
  std::shared_ptr<detail::engine> engine_{};
  std::vector<abi::operation> made_{};
};

}  // namespace yoke::inline v0_1::nccl

#endif

// SPDX-License-Identifier: MIT
// Memory that a communicator knows beforehand, so that transfers need no copies of it.
#ifndef YOKE_NCCL_REGISTERED_HPP
#define YOKE_NCCL_REGISTERED_HPP

#include <yoke/core/cleanup.hpp>
#include <yoke/driver/nccl/error.hpp>
#include <yoke/nccl/communicator.hpp>

#include <memory>
#include <utility>

namespace yoke::inline v0_1::nccl {

/// Registers memory with a communicator. All ranks register theirs: memory that is registered on one rank and not on
/// another gives undefined results. Verbs then find the registration by the address. Move-only.
/// Requires: the memory outlives this.
/// Thread safety: as the communicator.
/// Example: `const yoke::nccl::registered known{comm, x};`
template <class Port = any_port>
class registered {
 public:
  registered() noexcept = default;
  /// Throws: `unsupported_error` for NCCL before 2.19; `logic_error` for memory that is empty, page-locked or of another
  /// context than the communicator; `communication_error`.
  /// Wraps `ncclCommRegister`.
  template <class Memory>
  registered(const communicator<Port>& of, Memory& memory, const source_location& where = source_location::current())
      : engine_(of.shared()) {
    if constexpr (detail::check_range<Memory, Port>()) {
      if (engine_ == nullptr) yoke::detail::throw_error(errc::empty_handle, "the communicator is empty", where);
      if (engine_->library().table.register_memory == nullptr) {
        detail::throw_too_old(engine_->library(), "registered memory needs", 21900, where);
      }
      const auto range = yoke::detail::message_of<Port>(memory, where);
      if (range.packing != nullptr || range.bytes == 0) {
        yoke::detail::throw_error(errc::invalid_argument, "the memory to register is empty or has gaps", where);
      }
      if (range.host != nullptr) {
        yoke::detail::throw_error(errc::invalid_argument,
                                  "the memory to register is page-locked: NCCL moves device memory", where);
      }
      if (yoke::detail::number_of_handle(range.context) != reinterpret_cast<std::uintptr_t>(engine_->context(0))) {
        yoke::detail::throw_error(errc::wrong_context,
                                  "the memory to register is of another context than the communicator", where);
      }
      auto* const at = reinterpret_cast<std::byte*>(yoke::detail::number_of_handle(range.memory)) + range.first;
      engine_->call(
          "ncclCommRegister",
          [&](const abi::functions& table) {
            return table.register_memory(engine_->native(0), at, range.bytes, &made_);
          },
          where);
    }
  }
  registered(registered&& other) noexcept
      : engine_(std::move(other.engine_)), made_(std::exchange(other.made_, nullptr)) {}
  registered& operator=(registered&& other) noexcept {
    if (this != &other) {
      end();
      engine_ = std::move(other.engine_);
      made_ = std::exchange(other.made_, nullptr);
    }
    return *this;
  }
  ~registered() { end(); }
  [[nodiscard]] explicit operator bool() const noexcept { return made_ != nullptr; }

 private:
  void end() noexcept {
    if (made_ == nullptr) return;
    if (const abi::communicator of = engine_->native(0)) {
      if (const abi::status code = engine_->library().table.deregister_memory(of, made_)) {
        yoke::detail::report_cleanup_failure({code, error_category()}, "ncclCommDeregister");
      }
    }
    made_ = nullptr;
    engine_.reset();
  }
  std::shared_ptr<detail::engine> engine_{};
  void* made_ = nullptr;
};

}  // namespace yoke::inline v0_1::nccl

#endif

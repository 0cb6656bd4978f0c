// SPDX-License-Identifier: MIT
// Stands between the library and the CUDA driver: logs calls, injects failures, counts what is alive.
#ifndef YOKE_TESTS_SUPPORT_CUDA_INTERPOSER_HPP
#define YOKE_TESTS_SUPPORT_CUDA_INTERPOSER_HPP

#include <support/drivers/cuda_entries.hpp>
#include <support/drivers/driver_calls.hpp>

#include <array>
#include <cstddef>
#include <string_view>

namespace yoke_test {

/// A table of thunks, one an entry point, generated from `YOKE_CUDA_FUNCTIONS`; the twin of `opencl_interposer`.
///
/// One lives at a time. A failing release runs the real call and then returns the code; a failing wait waits.
/// Thread safety: safe.
class cuda_interposer : public driver_calls {
 public:
  using functions_type = cuda_abi::functions;
  /// What the fault loops let calls fail with.
  static constexpr std::array<fault_code, 4> fault_codes{
      {{2, "out of memory", yoke::errc::out_of_memory, error_class::memory},
       {1, "invalid value", yoke::errc::invalid_argument, error_class::logic},
       {700, "sticky fatal", yoke::errc::context_lost, error_class::context_lost},
       {801, "not supported", yoke::errc::unsupported, error_class::unsupported}}};
  /// Returns: the facts of an entry.
  [[nodiscard]] static const entry_facts& facts_of(std::string_view name);

  /// `real` must outlive this. Throws: `std::logic_error` when another interposer lives.
  explicit cuda_interposer(const cuda_abi::functions& real);
  ~cuda_interposer();
  cuda_interposer(const cuda_interposer&) = delete;
  cuda_interposer& operator=(const cuda_interposer&) = delete;

  [[nodiscard]] const cuda_abi::functions* table() const noexcept { return &table_; }
  [[nodiscard]] const cuda_abi::functions& real() const noexcept { return real_; }

  /// Effects: the driver lacks every entry newer than this ABI version from now on. Before the library reads the table.
  void remove_newer_than(int version);

 private:
  template <std::size_t Index, class Function>
  friend struct cuda_thunk;

  const cuda_abi::functions& real_;
  cuda_abi::functions table_;
};

}  // namespace yoke_test

#endif

// SPDX-License-Identifier: MIT
// Stands between the library and the CUDA driver: logs calls, injects failures, counts what is alive.
#ifndef YOKE_TESTS_SUPPORT_CUDA_INTERPOSER_HPP
#define YOKE_TESTS_SUPPORT_CUDA_INTERPOSER_HPP

#include <support/drivers/cuda_entries.hpp>
#include <support/drivers/opencl_interposer.hpp>

#include <array>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace yoke_test {

/// A table of thunks, one an entry point, generated from `YOKE_CUDA_FUNCTIONS`; the twin of `opencl_interposer`.
///
/// One lives at a time. A failing release runs the real call and then returns the code; a failing wait waits.
/// Thread safety: safe.
class cuda_interposer {
 public:
  using functions_type = cuda_abi::functions;
  /// What the fault loops let calls fail with.
  static constexpr std::array<fault_code, 4> fault_codes{
      {{2, "out of memory", yoke::errc::out_of_memory, error_class::memory},
       {1, "invalid value", yoke::errc::invalid_argument, error_class::logic},
       {700, "sticky fatal", yoke::errc::context_lost, error_class::context_lost},
       {801, "not supported", yoke::errc::unsupported, error_class::unsupported}}};
  /// Returns: the facts of an entry.
  [[nodiscard]] static const cuda_entry_facts& facts_of(std::string_view name);

  /// `real` must outlive this. Throws: `std::logic_error` when another interposer lives.
  explicit cuda_interposer(const cuda_abi::functions& real);
  ~cuda_interposer();
  cuda_interposer(const cuda_interposer&) = delete;
  cuda_interposer& operator=(const cuda_interposer&) = delete;

  [[nodiscard]] const cuda_abi::functions* table() const noexcept { return &table_; }
  [[nodiscard]] const cuda_abi::functions& real() const noexcept { return real_; }

  // Own names everywhere; an unknown one throws std::invalid_argument.

  /// Effects: the driver lacks every entry newer than this ABI version from now on. Before the library reads the table.
  void remove_newer_than(int version);

  [[nodiscard]] std::size_t mark() const;
  /// Returns: own names in the order the calls began.
  [[nodiscard]] std::vector<std::string> calls(std::size_t since = 0) const;
  [[nodiscard]] std::size_t count(std::string_view name, std::size_t since = 0) const;
  [[nodiscard]] std::size_t count_all(std::size_t since = 0) const;

  /// Effects: the n-th call (from 1) fails with `code`; with `for_ever`, each later one too.
  void fail_call(std::size_t n, fault_mode mode, cuda_abi::status code, fault_scope scope = fault_scope::every_thread);
  /// Effects: the same for the calls of one function, even an excluded one.
  void fail_function(std::string_view name, std::size_t nth, fault_mode mode, cuda_abi::status code,
                     fault_scope scope = fault_scope::every_thread);
  /// Effects: `fail_call` neither counts nor strikes this function.
  void exclude(std::string_view name);
  void disarm();
  [[nodiscard]] std::vector<injection> injections() const;

  [[nodiscard]] std::vector<std::string> live() const { return ledger_.live(); }
  [[nodiscard]] std::vector<std::string> bad_releases() const { return ledger_.bad_releases(); }

 private:
  template <std::size_t Index, class Function>
  friend struct cuda_thunk;

  /// Effects: logs the call. Returns: the code with which it is to fail, if it is.
  std::optional<cuda_abi::status> begin(std::size_t index);
  void arm(std::optional<std::size_t> only, std::size_t nth, fault_mode mode, cuda_abi::status code, fault_scope scope);

  struct fault {
    std::optional<std::size_t> only;
    std::size_t nth;
    fault_mode mode;
    cuda_abi::status code;
    std::optional<std::thread::id> thread;
    std::size_t seen = 0;
  };

  const cuda_abi::functions& real_;
  cuda_abi::functions table_;
  opencl_ledger ledger_;
  mutable std::mutex mutex_;
  std::vector<std::size_t> log_;
  std::vector<fault> faults_;
  std::vector<injection> injections_;
  std::array<bool, cuda_entries.size()> excluded_{};
};

}  // namespace yoke_test

#endif

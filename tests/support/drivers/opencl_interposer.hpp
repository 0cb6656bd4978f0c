// SPDX-License-Identifier: MIT
// Stands between the library and the OpenCL driver: logs calls, injects failures, counts what is alive.
#ifndef YOKE_TESTS_SUPPORT_OPENCL_INTERPOSER_HPP
#define YOKE_TESTS_SUPPORT_OPENCL_INTERPOSER_HPP

#include <support/drivers/driver_calls.hpp>
#include <support/drivers/opencl_entries.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <type_traits>
#include <utility>

namespace yoke_test {

/// A table of thunks, one an entry point, generated from `YOKE_OPENCL_FUNCTIONS`.
///
/// One interposer lives at a time; its thunks find it through a global, because C functions have no closure. A call
/// made through the table when none lives ends the process with a message. Entries that the driver lacks stay null. Set
/// the table's shape (`remove`, `replace`) before the library reads it. Thread safety: everything else is safe.
class opencl_interposer : public driver_calls {
 public:
  using functions_type = abi::functions;
  /// What the fault loops let calls fail with.
  static constexpr std::array<fault_code, 4> fault_codes{
      {{-4, "out of memory", yoke::errc::out_of_memory, error_class::memory},
       {-30, "invalid value", yoke::errc::invalid_argument, error_class::logic},
       {-2, "sticky fatal", yoke::errc::context_lost, error_class::context_lost},
       {-59, "not supported", yoke::errc::unsupported, error_class::unsupported}}};

  /// `real` must outlive this. Throws: `std::logic_error` when another interposer lives.
  explicit opencl_interposer(const abi::functions& real);
  /// Effects: waits until no thread is inside a call.
  ~opencl_interposer();
  opencl_interposer(const opencl_interposer&) = delete;
  opencl_interposer& operator=(const opencl_interposer&) = delete;

  /// The table to give to the library.
  [[nodiscard]] const abi::functions* table() const noexcept { return &table_; }
  /// The driver's table.
  [[nodiscard]] const abi::functions& real() const noexcept { return real_; }

  // The table's shape. Own names everywhere; an unknown one throws std::invalid_argument.

  /// Effects: the driver lacks this symbol from now on.
  void remove(std::string_view name);
  /// Effects: removes every entry newer than this OpenCL version times 10.
  void remove_newer_than(int version);
  /// Effects: `answer` stands for the driver from now on, also where the driver lacks the symbol. Log, faults and
  /// ledger stay in force. It may call `real()`.
  template <auto Member, class Answer>
  void replace(Answer answer) {
    using pointer = std::remove_reference_t<decltype(table_.*Member)>;
    using signature = std::function<std::remove_pointer_t<pointer>>;
    const std::lock_guard lock(replacing_);
    replacements_[static_cast<std::size_t>(entry_of<Member>)] = std::make_shared<signature>(std::move(answer));
    table_.*Member = thunks().*Member;
  }
  /// Effects: counts an object that was created behind the interposer's back and that the program now owns; without
  /// this its release is a bad one, and does not reach the driver when its address was another object's before.
  template <class Handle>
  void own(Handle object) {
    ledger_.gained(kind_of<Handle>(), object, "the test");
  }

  /// The kind of object that a handle type names.
  template <class Handle>
  static constexpr object_kind kind_of() {
    if constexpr (std::is_same_v<Handle, abi::device>) return object_kind::device;
    if constexpr (std::is_same_v<Handle, abi::context>) return object_kind::context;
    if constexpr (std::is_same_v<Handle, abi::queue>) return object_kind::queue;
    if constexpr (std::is_same_v<Handle, abi::memory>) return object_kind::memory;
    if constexpr (std::is_same_v<Handle, abi::program>) return object_kind::program;
    if constexpr (std::is_same_v<Handle, abi::kernel>) return object_kind::kernel;
    if constexpr (std::is_same_v<Handle, abi::event>) return object_kind::event;
    if constexpr (std::is_same_v<Handle, abi::sampler>) return object_kind::sampler;
    return object_kind::svm;
  }

 private:
  template <auto Member>
  friend struct thunk;

  static const abi::functions& thunks() noexcept;
  std::shared_ptr<void> replacement(entry which) const;

  const abi::functions& real_;
  abi::functions table_;
  mutable std::mutex replacing_;
  std::array<std::shared_ptr<void>, entries.size()> replacements_;
};

}  // namespace yoke_test

#endif

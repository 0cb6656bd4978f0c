// SPDX-License-Identifier: MIT
// Stands between the library and the OpenCL driver: logs calls, injects failures, counts what is alive.
#ifndef YOKE_TESTS_SUPPORT_OPENCL_INTERPOSER_HPP
#define YOKE_TESTS_SUPPORT_OPENCL_INTERPOSER_HPP

#include <support/drivers/opencl_entries.hpp>
#include <support/drivers/opencl_ledger.hpp>

#include <yoke/core/error.hpp>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace yoke_test {

enum class fault_mode { once, for_ever };

/// Whose calls a fault counts and strikes.
enum class fault_scope { every_thread, this_thread };

/// The classes of the library's exceptions.
enum class error_class { plain, memory, logic, launch, runtime, unsupported, context_lost, compile };

/// A driver's code, what it means, and what the library makes of it.
struct fault_code {
  int value;
  const char* word;
  yoke::errc condition;
  error_class thrown;
};

/// One failure that the interposer made up.
struct injection {
  std::string name;    ///< the library's own name, "create_buffer"
  std::string symbol;  ///< the driver's, "clCreateBuffer"
  abi::status code;
  bool releases;  ///< `release_*` or `svm_free`: the real call was made
  bool cleanup;   ///< one of those, or one that unmaps or frees in a queue
  bool reports;   ///< false where the function cannot carry a code
};

/// A table of thunks, one an entry point, generated from `YOKE_OPENCL_FUNCTIONS`.
///
/// One interposer lives at a time; its thunks find it through a global, because C functions have no closure. A call
/// made through the table when none lives ends the process with a message. Entries that the driver lacks stay null. Set
/// the table's shape (`remove`, `replace`) before the library reads it. Thread safety: everything else is safe.
class opencl_interposer {
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
    const std::lock_guard lock(mutex_);
    replacements_[static_cast<std::size_t>(entry_of<Member>)] = std::make_shared<signature>(std::move(answer));
    table_.*Member = thunks().*Member;
  }
  /// Effects: runs `hook` at the start of each such call, before a fault strikes. Null ends it.
  void on_call(std::string_view name, std::function<void()> hook);

  // The log.

  /// A place in the log, for the functions below.
  [[nodiscard]] std::size_t mark() const;
  /// Returns: own names in the order the calls began.
  [[nodiscard]] std::vector<std::string> calls(std::size_t since = 0) const;
  [[nodiscard]] std::size_t count(std::string_view name, std::size_t since = 0) const;
  [[nodiscard]] std::size_t count_all(std::size_t since = 0) const;
  void clear_log();

  // Faults. Several may be armed at once; calls count from the moment of arming.

  /// Effects: the n-th call (from 1) fails with `code`; with `for_ever`, each later one too.
  void fail_call(std::size_t n, fault_mode mode, abi::status code, fault_scope scope = fault_scope::every_thread);
  /// Effects: the same for the calls of one function, even an excluded one.
  void fail_function(std::string_view name, std::size_t nth, fault_mode mode, abi::status code,
                     fault_scope scope = fault_scope::every_thread);
  /// Effects: `fail_call` neither counts nor strikes this function.
  void exclude(std::string_view name);
  /// Effects: no fault strikes any more; what was injected is remembered.
  void disarm();
  /// Returns: the first failure that was injected.
  [[nodiscard]] std::optional<injection> injected() const;
  [[nodiscard]] std::vector<injection> injections() const;

  // The ledger. Handles that queries return are not owned; root devices are not counted.

  [[nodiscard]] std::vector<std::string> live() const { return ledger_.live(); }
  [[nodiscard]] std::vector<std::string> bad_releases() const { return ledger_.bad_releases(); }
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

  struct fault {
    std::optional<entry> only;
    std::size_t nth;
    fault_mode mode;
    abi::status code;
    std::optional<std::thread::id> thread;
    std::size_t seen = 0;
  };

  static const abi::functions& thunks() noexcept;
  void arm(std::optional<entry> only, std::size_t nth, fault_mode mode, abi::status code, fault_scope scope);
  /// Effects: logs the call and runs its hook. Returns: the code with which it is to fail, if it is.
  std::optional<abi::status> begin(entry which);
  std::shared_ptr<void> replacement(entry which) const;

  const abi::functions& real_;
  abi::functions table_;
  opencl_ledger ledger_;
  mutable std::mutex mutex_;
  std::vector<entry> log_;
  std::vector<fault> faults_;
  std::vector<injection> injections_;
  std::array<bool, entries.size()> excluded_{};
  std::array<std::function<void()>, entries.size()> hooks_;
  std::array<std::shared_ptr<void>, entries.size()> replacements_;
};

}  // namespace yoke_test

#endif

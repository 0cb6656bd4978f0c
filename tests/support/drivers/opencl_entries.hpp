// SPDX-License-Identifier: MIT
// The entry points as numbers, names and driver symbols, all made from the library's one list.
#ifndef YOKE_TESTS_SUPPORT_OPENCL_ENTRIES_HPP
#define YOKE_TESTS_SUPPORT_OPENCL_ENTRIES_HPP

#include <yoke/driver/opencl/abi/functions.hpp>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace yoke_test {

namespace abi = yoke::opencl::abi;

/// An entry point; the enumerators are the library's own names.
enum class entry : std::size_t {
#define YOKE_TEST_ENTRY(name, symbol, version, ...) name,
  YOKE_OPENCL_FUNCTIONS(YOKE_TEST_ENTRY)
#undef YOKE_TEST_ENTRY
};

struct entry_facts {
  std::string_view name;  ///< the library's own, "create_buffer"
  const char* symbol;     ///< the driver's, "clCreateBuffer"
  int version;            ///< the first OpenCL version that has it, times 10

  /// Whether it gives something back: the calls that destructors make.
  [[nodiscard]] constexpr bool cleanup() const {
    return releases() || name == "enqueue_svm_free" || name == "enqueue_unmap_memory" || name == "enqueue_svm_unmap";
  }
  /// Whether an injected failure still runs the real call, as a driver does that releases and then reports.
  [[nodiscard]] constexpr bool releases() const { return name.starts_with("release_") || name == "svm_free"; }
  /// Whether it waits. An injected failure still waits, or memory that a command uses would be freed under it.
  [[nodiscard]] constexpr bool waits() const { return name == "finish" || name == "wait_for_events"; }
  /// Whether a failure has a code at all.
  [[nodiscard]] constexpr bool reports() const {
    return name != "svm_alloc" && name != "svm_free" && name != "get_extension_function";
  }
};

inline constexpr std::array entries{
#define YOKE_TEST_ENTRY(name, symbol, version, ...) entry_facts{#name, symbol, version},
    YOKE_OPENCL_FUNCTIONS(YOKE_TEST_ENTRY)
#undef YOKE_TEST_ENTRY
};

/// The entry that a member of the table stands for: `entry_of<&abi::functions::flush>`.
template <auto Member>
inline constexpr entry entry_of = entry{};
#define YOKE_TEST_ENTRY(name, symbol, version, ...)                                                                    \
  template <>                                                                                                          \
  inline constexpr entry entry_of<& abi::functions::name> = entry::name;
YOKE_OPENCL_FUNCTIONS(YOKE_TEST_ENTRY)
#undef YOKE_TEST_ENTRY

constexpr const entry_facts& facts_of(entry which) { return entries[static_cast<std::size_t>(which)]; }

/// Returns: the entry of that own name. Throws: `std::invalid_argument`, so that a misspelt test cannot pass.
inline entry entry_named(std::string_view name) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].name == name) return static_cast<entry>(i);
  }
  throw std::invalid_argument("no entry point is called " + std::string(name));
}

}  // namespace yoke_test

#endif

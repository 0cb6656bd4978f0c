// SPDX-License-Identifier: MIT
// The entry points as numbers, names and driver symbols, all made from the library's one list.
#ifndef YOKE_TESTS_SUPPORT_OPENCL_ENTRIES_HPP
#define YOKE_TESTS_SUPPORT_OPENCL_ENTRIES_HPP

#include <support/drivers/entry_facts.hpp>

#include <yoke/driver/opencl/abi/functions.hpp>

#include <array>
#include <cstddef>
#include <string_view>

namespace yoke_test {

namespace abi = yoke::opencl::abi;

/// An entry point; the enumerators are the library's own names.
enum class entry : std::size_t {
#define YOKE_TEST_ENTRY(name, symbol, version, ...) name,
  YOKE_OPENCL_FUNCTIONS(YOKE_TEST_ENTRY)
#undef YOKE_TEST_ENTRY
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

/// Returns: the entry of that own name. Throws: as `entry_index`.
inline entry entry_named(std::string_view name) { return static_cast<entry>(entry_index(entries, name)); }

}  // namespace yoke_test

#endif

// SPDX-License-Identifier: MIT
// Calls an entry point and translates its failure; the only way the port reaches the driver.
#ifndef YOKE_DRIVER_OPENCL_INVOKE_HPP
#define YOKE_DRIVER_OPENCL_INVOKE_HPP

#include <yoke/core/cleanup.hpp>
#include <yoke/core/text.hpp>
#include <yoke/driver/opencl/error.hpp>
#include <yoke/driver/opencl/loader.hpp>
#include <yoke/driver/types.hpp>

#include <string>
#include <vector>

namespace yoke::inline v0_1::opencl::detail {

using yoke::detail::text;
using yoke::detail::throw_error;

// The driver's name of an entry point.
template <auto Member>
consteval const char* symbol() noexcept;
#define YOKE_SYMBOL(own, name, version, ...)                                                                           \
  template <>                                                                                                          \
  consteval const char* symbol<&abi::functions::own>() noexcept {                                                      \
    return name;                                                                                                       \
  }
YOKE_OPENCL_FUNCTIONS(YOKE_SYMBOL)
#undef YOKE_SYMBOL

template <auto Member>
auto entry(const abi::functions* table, const source_location& where) {
  auto* function = table->*Member;
  if (function == nullptr) [[unlikely]] {
    throw_error(errc::unsupported, where, "this OpenCL driver has no ", symbol<Member>());
  }
  return function;
}

/// Effects: calls an entry that returns a status.
template <auto Member, class... Arguments>
void invoke(const abi::functions* table, const source_location& where, Arguments... arguments) {
  const abi::status status = entry<Member>(living(table), where)(arguments...);
  if (status != 0) [[unlikely]]
    throw_failure(status, symbol<Member>(), "", where);
}

/// Effects: calls an entry that returns a status. Returns: false if the driver refused a value and `is_known()`
/// explains why.
template <auto Member, class Known, class... Arguments>
bool is_taken(const abi::functions* table, const source_location& where, Known is_known, Arguments... arguments) {
  const abi::status status = entry<Member>(table, where)(arguments...);
  if (status == 0) [[likely]]
    return true;
  if (status == abi::invalid_value && is_known()) return false;
  throw_failure(status, symbol<Member>(), "", where);
}

/// Effects: calls an entry that returns an object and a status through its last argument.
template <auto Member, class... Arguments>
auto create(const abi::functions* table, const source_location& where, Arguments... arguments) {
  abi::status status = 0;
  const auto result = entry<Member>(table, where)(arguments..., &status);
  if (status != 0 || result == nullptr) [[unlikely]] {
    throw_failure(status == 0 ? -6 : status, symbol<Member>(), "", where);
  }
  return result;
}

/// Effects: calls a release, which must not throw.
template <auto Member, class... Arguments>
release_result release(const abi::functions* table, Arguments... arguments) noexcept {
  if (is_forked_process()) return {0, symbol<Member>()};  // everything belongs to the parent
  if (table->*Member == nullptr) return {abi::invalid_operation, symbol<Member>()};
  return {(table->*Member)(arguments...), symbol<Member>()};
}

/// Effects: hands the failure of a release to the cleanup handler.
inline void report(const release_result& result) noexcept {
  if (result.code != 0 && !is_forked_process())
    yoke::detail::report_cleanup_failure({result.code, error_category()}, result.call);
}

/// Effects: adds the outcome of another call of the same release. The first failure is the release's outcome; later
/// ones go to the cleanup handler at once.
inline void add_outcome(release_result& first, const release_result& next) noexcept {
  if (first.code == 0) {
    first = next;
  } else {
    report(next);
  }
}

/// Returns: a fixed-size property.
template <class Value, auto Member, class... Arguments>
Value query(const abi::functions* table, const source_location& where, Arguments... arguments) {
  Value value{};
  invoke<Member>(table, where, arguments..., sizeof(Value), static_cast<void*>(&value),
                 static_cast<std::size_t*>(nullptr));
  return value;
}

/// Returns: a property that is a list.
template <class Element, auto Member, class... Arguments>
std::vector<Element> query_list(const abi::functions* table, const source_location& where, Arguments... arguments) {
  std::size_t bytes = 0;
  invoke<Member>(table, where, arguments..., std::size_t{0}, static_cast<void*>(nullptr), &bytes);
  std::vector<Element> list(bytes / sizeof(Element));
  if (!list.empty()) {
    invoke<Member>(table, where, arguments..., list.size() * sizeof(Element), static_cast<void*>(list.data()),
                   static_cast<std::size_t*>(nullptr));
  }
  return list;
}

/// Returns: a property that is text, without the terminating zeros that some drivers include.
template <auto Member, class... Arguments>
std::string query_text(const abi::functions* table, const source_location& where, Arguments... arguments) {
  const std::vector<char> list = query_list<char, Member>(table, where, arguments...);
  std::string out(list.begin(), list.end());
  while (!out.empty() && out.back() == '\0') out.pop_back();
  return out;
}

}  // namespace yoke::inline v0_1::opencl::detail

#endif

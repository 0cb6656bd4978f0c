// SPDX-License-Identifier: MIT
// The cache of compiled programs in memory, which makes each program once for all threads.
#ifndef YOKE_PROGRAM_CACHE_MEMORY_CACHE_HPP
#define YOKE_PROGRAM_CACHE_MEMORY_CACHE_HPP

#include <yoke/program/cache/cache_key.hpp>

#include <memory>
#include <type_traits>

namespace yoke::inline v0_1 {

namespace detail {

/// The part of a `memory_cache` that is the same for every type of value.
class flight_table {
 public:
  YOKE_API flight_table();
  flight_table(const flight_table&) = delete;
  flight_table& operator=(const flight_table&) = delete;
  YOKE_API ~flight_table();

  using maker = std::shared_ptr<const void> (*)(void* state);

  YOKE_API std::shared_ptr<const void> find(const cache_digest& id) const;
  YOKE_API std::shared_ptr<const void> find_or_make(const cache_digest& id, maker make, void* state);
  YOKE_API bool erase(const cache_digest& id);
  YOKE_API void clear();
  [[nodiscard]] YOKE_API std::size_t size() const;

 private:
  class table;
  std::unique_ptr<table> table_;
};

}  // namespace detail

/// Maps the keys of programs to values.
///
/// The first thread that asks for a key makes the value, without holding a lock; the others wait for it. If it fails,
/// all waiting threads get the same exception, and the next call tries again.
/// Thread safety: safe. After `fork` without `exec`, the child may use a cache only if no other thread of the parent
/// was in one of its functions at that moment.
template <class Value>
class memory_cache {
 public:
  /// Returns: the value of a key; null if there is none or it is not finished.
  [[nodiscard]] std::shared_ptr<const Value> find(const cache_key& key) const {
    return std::static_pointer_cast<const Value>(table_.find(key.id));
  }

  /// Returns: the value of a key; if there is none, keeps and returns the result of `make()`.
  /// Requires: `make` does not ask for the same key.
  /// Throws: as `make`, here or in the thread waited for; `logic_error` (`errc::invalid_argument`) if `make` asks for
  /// the same key; `std::bad_alloc`.
  template <class Make>
    requires std::is_invocable_r_v<Value, Make&>
  std::shared_ptr<const Value> find_or_make(const cache_key& key, Make&& make) {
    const auto call = [](void* state) -> std::shared_ptr<const void> {
      return std::make_shared<const Value>((*static_cast<std::remove_reference_t<Make>*>(state))());
    };
    void* const state = const_cast<void*>(static_cast<const void*>(std::addressof(make)));
    return std::static_pointer_cast<const Value>(table_.find_or_make(key.id, call, state));
  }

  /// Effects: forgets a value, which lives on with its users; an unfinished one will not be kept.
  /// Returns: whether a finished value existed.
  bool erase(const cache_key& key) { return table_.erase(key.id); }
  /// Effects: forgets every value.
  void clear() { table_.clear(); }
  /// Returns: the number of finished values.
  [[nodiscard]] std::size_t size() const { return table_.size(); }

 private:
  detail::flight_table table_;
};

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/cache/memory_cache.ipp>
#endif

#endif

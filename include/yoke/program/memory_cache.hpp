// SPDX-License-Identifier: MIT
// Compiled programs in memory: each is compiled once, however many threads ask for it at a time.
#ifndef YOKE_PROGRAM_MEMORY_CACHE_HPP
#define YOKE_PROGRAM_MEMORY_CACHE_HPP

#include <yoke/program/cache_key.hpp>

#include <memory>
#include <type_traits>

namespace yoke::inline YOKE_ABI {

namespace detail {

/// The part of a `memory_cache` that does not depend on what it holds.
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

/// Values by the key of the program they belong to. It belongs to a context, or to whom passes it in: none is static.
///
/// One flight a key: the first thread that asks makes the value, without any lock held, and the others wait for it. A
/// failure is not kept: whoever waited gets the same exception, because the same program would fail again for each of
/// them in turn, and the next call tries again.
/// Thread safety: safe. After `fork`, a child that does not `exec` may use a cache only if no other thread of the parent
/// was in one of its functions at that moment.
template <class Value>
class memory_cache {
 public:
  /// Returns: the value of a key; null where there is none, or none yet.
  [[nodiscard]] std::shared_ptr<const Value> find(const cache_key& key) const {
    return std::static_pointer_cast<const Value>(table_.find(key.id));
  }

  /// Returns: the value of a key; `make()`'s result, which is kept, where there is none.
  /// Requires: `make` does not ask for the same key. Throws: what `make` throws, here or in the thread waited for;
  /// `logic_error` (`errc::invalid_argument`) where `make` asks for the same key; `std::bad_alloc`.
  template <class Make>
    requires std::is_invocable_r_v<Value, Make&>
  std::shared_ptr<const Value> find_or_make(const cache_key& key, Make&& make) {
    const auto call = [](void* state) -> std::shared_ptr<const void> {
      return std::make_shared<const Value>((*static_cast<std::remove_reference_t<Make>*>(state))());
    };
    void* const state = const_cast<void*>(static_cast<const void*>(std::addressof(make)));
    return std::static_pointer_cast<const Value>(table_.find_or_make(key.id, call, state));
  }

  /// Effects: forgets a value; who has it keeps it, and one that is being made is not kept. Returns: whether there was
  /// one.
  bool erase(const cache_key& key) { return table_.erase(key.id); }
  /// Effects: forgets every value.
  void clear() { table_.clear(); }
  /// Returns: the number of values, without those that are being made.
  [[nodiscard]] std::size_t size() const { return table_.size(); }

 private:
  detail::flight_table table_;
};

}  // namespace yoke::inline YOKE_ABI

#if defined(YOKE_HEADER_ONLY)
#include <yoke/program/impl/memory_cache.ipp>
#endif

#endif

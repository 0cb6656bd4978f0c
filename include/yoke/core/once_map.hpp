// SPDX-License-Identifier: MIT
// Thread-safe maps that only grow, for objects that are made once.
#ifndef YOKE_CORE_ONCE_MAP_HPP
#define YOKE_CORE_ONCE_MAP_HPP

#include <yoke/core/shared.hpp>

#include <cstdint>
#include <exception>
#include <typeinfo>
#include <utility>

namespace yoke::inline v0_1::detail {

/// A lock-free list of objects of any types, each with a key; new ones join at its head.
class once_list {
 public:
  struct node {
    using ending = void (*)(node*) noexcept;
    node(std::uint64_t own_key, ending own_end) noexcept : key(own_key), end(own_end) {}
    const std::uint64_t key;
    const ending end;  // destroys the object of which this is the base
    node* next = nullptr;
  };

  once_list() noexcept = default;
  once_list(const once_list&) = delete;
  once_list& operator=(const once_list&) = delete;
  ~once_list() { clear(); }

  /// Returns: the object of a key, or null. Thread safety: safe.
  [[nodiscard]] node* find(std::uint64_t key) const noexcept {
    for (node* each = head_.load(order::acquire); each != nullptr; each = each->next) {
      if (each->key == key) return each;
    }
    return nullptr;
  }
  /// Effects: adds a new object, or destroys it if the key has one already. Returns: the object of the key.
  /// Thread safety: safe.
  node* add(node* fresh) noexcept {
    node* before = head_.load(order::acquire);
    for (;;) {
      for (node* each = before; each != nullptr; each = each->next) {
        if (each->key != fresh->key) continue;
        fresh->end(fresh);
        return each;
      }
      fresh->next = before;
      if (head_.compare_exchange_weak(before, fresh, order::acq_rel)) return fresh;
      before = head_.load(order::acquire);
    }
  }
  /// Effects: destroys every object, the last one first. Thread safety: while nobody else uses the list.
  void clear() noexcept {
    node* each = head_.exchange(nullptr);
    while (each != nullptr) {
      node* const next = each->next;
      each->end(each);
      each = next;
    }
  }

 private:
  atomic<node*> head_{nullptr};
};

/// A value as an object of a `once_list`.
template <class Value>
struct once_entry final : once_list::node {
  template <class Make>
  once_entry(std::uint64_t own_key, Make&& make) : node(own_key, &destroy), value(std::forward<Make>(make)()) {}
  static void destroy(node* old) noexcept { delete static_cast<once_entry*>(old); }
  Value value;

  /// Returns: the value of a key; `make()` makes it if there is none. Requires: the list uses the key for this type
  /// only.
  /// Throws: as `make`, `std::bad_alloc`. Thread safety: safe; when two threads make it at once, one of the two is
  /// kept.
  template <class Make>
  static Value& find_or_make(once_list& list, std::uint64_t key, Make&& make) {
    node* found = list.find(key);
    if (found == nullptr) [[unlikely]]
      found = list.add(new once_entry(key, std::forward<Make>(make)));
    return static_cast<once_entry*>(found)->value;
  }
};

/// Lets one thread make an object while the others that need it wait. Thread safety: safe.
class once_turn {
 public:
  /// Effects: waits while another thread makes the object. Returns: whether the caller must make it and then call
  /// `end`.
  /// Throws: the exception of the thread that it waited for.
  [[nodiscard]] YOKE_API bool begin();
  /// Effects: ends the caller's turn and wakes the others. `failure` is the exception of its `make`, or null.
  YOKE_API void end(std::exception_ptr failure) noexcept;

 private:
  enum class step : unsigned char { nothing, making, made };
  std::exception_ptr failure_;  // of the last turn; null unless it failed
  std::uint32_t turns_ = 0;     // how many have ended
  step step_ = step::nothing;
};

/// Maps numbers to objects of one type. Their addresses stay the same until the map ends.
template <class Value>
class once_map {
 public:
  /// Returns: the value of a key, made by its first `make()`. Throws: as `make`, `std::bad_alloc`.
  /// Thread safety: safe; while one thread makes a value, others that need it wait and also get its exception.
  template <class Make>
  Value& find_or_make(std::uint64_t key, Make&& make) {
    slot& found = once_entry<slot>::find_or_make(list_, key, [] { return slot(); });
    Value* made = found.ready.load(order::acquire);
    if (made == nullptr && found.turn.begin()) {
      try {
        found.value.reset(new Value(std::forward<Make>(make)()));
      } catch (...) {
        found.turn.end(std::current_exception());
        throw;
      }
      found.ready.store(found.value.get(), order::release);
      found.turn.end(nullptr);
    }
    return *found.value;
  }
  /// Whether a key was ever asked for: its value exists, is being made, or could not be made. Thread safety: safe.
  [[nodiscard]] bool has(std::uint64_t key) const noexcept { return list_.find(key) != nullptr; }

 private:
  struct slot {
    once_turn turn;
    owner<Value> value;
    atomic<Value*> ready{nullptr};
  };

  once_list list_;
};

/// One object for each type or address, made at its first use.
class attachments {
 public:
  /// Returns: the object of type `T`; `make()` makes it if there is none. Requires: `T` is not of an unnamed namespace.
  /// Throws, thread safety: as `once_map`.
  template <class T, class Make>
  T& get(Make&& make) {
    return once_entry<T>::find_or_make(list_, key_of<T>(), std::forward<Make>(make));
  }
  template <class T>
  T& get() {
    return get<T>([] { return T{}; });
  }
  /// Returns: the object of an address. Requires: each address is used with one type only.
  template <class T>
  T& get_at(const void* key) {
    return once_entry<T>::find_or_make(list_, reinterpret_cast<std::uintptr_t>(key), [] { return T{}; });
  }
  /// Effects: destroys every object. Thread safety: only while nobody else uses them.
  void clear() noexcept { list_.clear(); }

 private:
  /// A hash (FNV-1a) of the type's mangled name. A program and its shared library get the same one, although they share
  /// no variables of templates and may come from two compilers. The highest bit, which no address has, keeps it apart
  /// from `get_at`.
  template <class T>
  static std::uint64_t key_of() noexcept {
    static const std::uint64_t key = [] {
      std::uint64_t digest = 14'695'981'039'346'656'037U;
      for (const char* at = typeid(T).name(); *at != 0; ++at) {
        digest = (digest ^ static_cast<unsigned char>(*at)) * 1'099'511'628'211U;
      }
      return digest | std::uint64_t{1} << 63U;
    }();
    return key;
  }

  once_list list_;
};

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/core/once_map.ipp>
#endif

#endif

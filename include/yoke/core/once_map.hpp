// SPDX-License-Identifier: MIT
// Maps that only grow, which any thread may ask, for objects that are made once.
#ifndef YOKE_CORE_ONCE_MAP_HPP
#define YOKE_CORE_ONCE_MAP_HPP

#include <yoke/core/shared.hpp>

#include <cstdint>
#include <exception>
#include <typeinfo>
#include <utility>

namespace yoke::inline v0_1::detail {

/// A list of objects of any types, each with a key, that grows at its head.
class once_list {
 public:
  struct node {
    using ending = void (*)(node*) noexcept;
    node(std::uint64_t of, ending with) noexcept : key(of), end(with) {}
    const std::uint64_t key;
    const ending end;  // destroys the whole object
    node* next = nullptr;
  };

  once_list() noexcept = default;
  once_list(const once_list&) = delete;
  once_list& operator=(const once_list&) = delete;
  ~once_list() { clear(); }

  /// Returns: the object of a key; null if there is none. Thread safety: safe.
  [[nodiscard]] node* find(std::uint64_t key) const noexcept {
    for (node* each = head_.load(order::acquire); each != nullptr; each = each->next) {
      if (each->key == key) return each;
    }
    return nullptr;
  }
  /// Effects: takes a new object, or destroys it if another thread was faster with the key. Returns: the object that
  /// stays. Thread safety: safe.
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

/// An object in a list.
template <class Value>
struct once_entry final : once_list::node {
  template <class Make>
  once_entry(std::uint64_t of, Make&& make) : node(of, &destroy), value(std::forward<Make>(make)()) {}
  static void destroy(node* old) noexcept { delete static_cast<once_entry*>(old); }
  Value value;

  /// Returns: the value of a key in a list whose objects of that key are of this type; `make()` makes it if there is none.
  /// Throws: as `make`, `std::bad_alloc`. Thread safety: safe; when two threads make it at once, one of the two is kept.
  template <class Make>
  static Value& find_or_make(once_list& list, std::uint64_t key, Make&& make) {
    node* found = list.find(key);
    if (found == nullptr) [[unlikely]]
      found = list.add(new once_entry(key, std::forward<Make>(make)));
    return static_cast<once_entry*>(found)->value;
  }
};

/// Lets one thread make an object for which others wait. Thread safety: safe.
class once_turn {
 public:
  /// Effects: waits while another thread makes the object. Returns: whether the caller has to make it, and then call `end`.
  /// Throws: what the thread has thrown for which this one has waited.
  [[nodiscard]] YOKE_API bool begin();
  /// Effects: ends the turn of the caller. `failure` is what it throws; null if it has made the object.
  YOKE_API void end(std::exception_ptr failure) noexcept;

 private:
  enum class step : unsigned char { nothing, making, made };
  std::exception_ptr failure_;  // of the last turn that has failed
  std::uint32_t turns_ = 0;     // ended
  step step_ = step::nothing;
};

/// Objects of one type by number. They stay where they are until the map ends.
template <class Value>
class once_map {
 public:
  /// Returns: the value of a key, which is the result of the first `make()`. Throws: as `make`, `std::bad_alloc`.
  /// Thread safety: safe; while one thread makes a value, others that need it wait, and get its exception if it throws.
  template <class Make>
  Value& find_or_make(std::uint64_t key, Make&& make) {
    place& at = once_entry<place>::find_or_make(list_, key, [] { return place(); });
    Value* made = at.ready.load(order::acquire);
    if (made == nullptr && at.turn.begin()) {
      try {
        at.value.reset(new Value(std::forward<Make>(make)()));
      } catch (...) {
        at.turn.end(std::current_exception());
        throw;
      }
      at.ready.store(at.value.get(), order::release);
      at.turn.end(nullptr);
    }
    return *at.value;
  }
  /// Whether a value of a key was asked for: it is there, is being made, or its making has failed. Thread safety: safe.
  [[nodiscard]] bool has(std::uint64_t key) const noexcept { return list_.find(key) != nullptr; }

 private:
  struct place {
    once_turn turn;
    owner<Value> value;
    atomic<Value*> ready{nullptr};
  };

  once_list list_;
};

/// One object of each type, or of an address, made when it is first asked for.
class attachments {
 public:
  /// Returns: the object of type `T`, which `make()` makes if there is none. Requires: `T` is no type of an unnamed namespace.
  /// Throws, thread safety: as `once_map`.
  template <class T, class Make>
  T& get(Make&& make) {
    return once_entry<T>::find_or_make(list_, key_of<T>(), std::forward<Make>(make));
  }
  template <class T>
  T& get() {
    return get<T>([] { return T{}; });
  }
  /// Returns: the object of a key, an address that stands for nothing else. Requires: it is always asked for by one type.
  template <class T>
  T& get_at(const void* key) {
    return once_entry<T>::find_or_make(list_, reinterpret_cast<std::uintptr_t>(key), [] { return T{}; });
  }
  /// Effects: destroys every object. Thread safety: while nobody else uses them.
  void clear() noexcept { list_.clear(); }

 private:
  /// A number made of the type's mangled name: a program and the shared library that it links, which share no variables of templates
  /// and may be of two compilers, ask for one object. No address has the highest bit.
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

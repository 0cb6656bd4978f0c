// SPDX-License-Identifier: MIT
// The atomic functions, each on the types that CUDA documents for it, with their _block and _system forms.

// The atomics are ordered more strongly than CUDA demands, because ThreadSanitizer does not see the fences that a lock
// from relaxed operations would need.

namespace yoke_simulator {

template <class T, class F>
inline T update(T* address, F change) {
  T before;
  __atomic_load(address, &before, __ATOMIC_RELAXED);
  for (;;) {
    T after = change(before);
    if (__atomic_compare_exchange(address, &before, &after, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return before;
  }
}

template <class T>
inline T compare_and_swap(T* address, T expected, T wanted) {
  const T asked = expected;
  if (!__atomic_compare_exchange_n(address, &expected, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) &&
      expected != asked) {
    spinning();  // the loser of a lock lets its owner run
  }
  return expected;
}

/// Loops that ask an atomic again and again make way too, though not each time.
inline void asked_again() {
  static thread_local unsigned asked = 0;
  if (++asked % 1024 == 0) spinning();
}

}  // namespace yoke_simulator

#define YOKE_SIMULATOR_ATOMIC(name, T, parameters, expression)                                                         \
  inline T name parameters {                                                                                           \
    ::yoke_simulator::asked_again();                                                                                   \
    return expression;                                                                                                 \
  }                                                                                                                    \
  inline T name##_block parameters {                                                                                   \
    ::yoke_simulator::asked_again();                                                                                   \
    return expression;                                                                                                 \
  }                                                                                                                    \
  inline T name##_system parameters {                                                                                  \
    ::yoke_simulator::asked_again();                                                                                   \
    return expression;                                                                                                 \
  }
#define YOKE_SIMULATOR_BUILTIN(name, T, builtin)                                                                       \
  YOKE_SIMULATOR_ATOMIC(name, T, (T * address, T value), builtin(address, value, __ATOMIC_ACQ_REL))
#define YOKE_SIMULATOR_UPDATE(name, T, result)                                                                         \
  YOKE_SIMULATOR_ATOMIC(name, T, (T * address, T value),                                                               \
                        ::yoke_simulator::update(address, [=](T old) -> T { return result; }))

YOKE_SIMULATOR_BUILTIN(atomicAdd, int, __atomic_fetch_add)
YOKE_SIMULATOR_BUILTIN(atomicAdd, unsigned, __atomic_fetch_add)
YOKE_SIMULATOR_BUILTIN(atomicAdd, unsigned long long, __atomic_fetch_add)
YOKE_SIMULATOR_UPDATE(atomicAdd, float, old + value)
YOKE_SIMULATOR_UPDATE(atomicAdd, double, old + value)
YOKE_SIMULATOR_BUILTIN(atomicSub, int, __atomic_fetch_sub)
YOKE_SIMULATOR_BUILTIN(atomicSub, unsigned, __atomic_fetch_sub)
YOKE_SIMULATOR_BUILTIN(atomicExch, int, __atomic_exchange_n)
YOKE_SIMULATOR_BUILTIN(atomicExch, unsigned, __atomic_exchange_n)
YOKE_SIMULATOR_BUILTIN(atomicExch, unsigned long long, __atomic_exchange_n)
YOKE_SIMULATOR_UPDATE(atomicExch, float, value)
YOKE_SIMULATOR_UPDATE(atomicMin, int, value < old ? value : old)
YOKE_SIMULATOR_UPDATE(atomicMin, unsigned, value < old ? value : old)
YOKE_SIMULATOR_UPDATE(atomicMin, long long, value < old ? value : old)
YOKE_SIMULATOR_UPDATE(atomicMin, unsigned long long, value < old ? value : old)
YOKE_SIMULATOR_UPDATE(atomicMax, int, old < value ? value : old)
YOKE_SIMULATOR_UPDATE(atomicMax, unsigned, old < value ? value : old)
YOKE_SIMULATOR_UPDATE(atomicMax, long long, old < value ? value : old)
YOKE_SIMULATOR_UPDATE(atomicMax, unsigned long long, old < value ? value : old)
YOKE_SIMULATOR_UPDATE(atomicInc, unsigned, old >= value ? 0u : old + 1)
YOKE_SIMULATOR_UPDATE(atomicDec, unsigned, old == 0 || old > value ? value : old - 1)
YOKE_SIMULATOR_BUILTIN(atomicAnd, int, __atomic_fetch_and)
YOKE_SIMULATOR_BUILTIN(atomicAnd, unsigned, __atomic_fetch_and)
YOKE_SIMULATOR_BUILTIN(atomicAnd, unsigned long long, __atomic_fetch_and)
YOKE_SIMULATOR_BUILTIN(atomicAnd, long long, __atomic_fetch_and)
YOKE_SIMULATOR_BUILTIN(atomicOr, int, __atomic_fetch_or)
YOKE_SIMULATOR_BUILTIN(atomicOr, unsigned, __atomic_fetch_or)
YOKE_SIMULATOR_BUILTIN(atomicOr, unsigned long long, __atomic_fetch_or)
YOKE_SIMULATOR_BUILTIN(atomicOr, long long, __atomic_fetch_or)
YOKE_SIMULATOR_BUILTIN(atomicXor, int, __atomic_fetch_xor)
YOKE_SIMULATOR_BUILTIN(atomicXor, unsigned, __atomic_fetch_xor)
YOKE_SIMULATOR_BUILTIN(atomicXor, unsigned long long, __atomic_fetch_xor)
YOKE_SIMULATOR_BUILTIN(atomicXor, long long, __atomic_fetch_xor)

#define YOKE_SIMULATOR_CAS(T)                                                                                          \
  YOKE_SIMULATOR_ATOMIC(atomicCAS, T, (T * address, T compare, T value),                                               \
                        ::yoke_simulator::compare_and_swap(address, compare, value))
YOKE_SIMULATOR_CAS(int)
YOKE_SIMULATOR_CAS(unsigned)
YOKE_SIMULATOR_CAS(unsigned long long)
inline unsigned short atomicCAS(unsigned short* address, unsigned short compare, unsigned short value) {
  ::yoke_simulator::asked_again();
  return ::yoke_simulator::compare_and_swap(address, compare, value);
}

// On vectors each component is one atomic operation.
#define YOKE_SIMULATOR_ATOMIC_VECTORS(name)                                                                            \
  inline float2 name(float2* address, float2 value) {                                                                  \
    return float2{name(&address->x, value.x), name(&address->y, value.y)};                                             \
  }                                                                                                                    \
  inline float4 name(float4* address, float4 value) {                                                                  \
    return float4{name(&address->x, value.x), name(&address->y, value.y), name(&address->z, value.z),                  \
                  name(&address->w, value.w)};                                                                         \
  }
YOKE_SIMULATOR_ATOMIC_VECTORS(atomicAdd)
YOKE_SIMULATOR_ATOMIC_VECTORS(atomicAdd_block)
YOKE_SIMULATOR_ATOMIC_VECTORS(atomicAdd_system)
#undef YOKE_SIMULATOR_ATOMIC_VECTORS

namespace yoke_simulator {

/// Serialises operations on 16 bytes, because not every processor has them.
class wide_lock {
 public:
  wide_lock() {
    while (__atomic_test_and_set(&held(), __ATOMIC_ACQUIRE)) spinning();
  }
  ~wide_lock() { __atomic_clear(&held(), __ATOMIC_RELEASE); }
  wide_lock(const wide_lock&) = delete;
  wide_lock& operator=(const wide_lock&) = delete;

 private:
  static bool& held() {
    static bool flag = false;
    return flag;
  }
};
template <class T>
using if_wide = typename enable_if<sizeof(T) == 16 && alignof(T) >= 16, T>::type;

}  // namespace yoke_simulator

#define YOKE_SIMULATOR_ATOMIC_WIDE(scope)                                                                              \
  template <class T>                                                                                                   \
  inline ::yoke_simulator::if_wide<T> atomicExch##scope(T* address, T value) {                                         \
    const ::yoke_simulator::wide_lock lock;                                                                            \
    const T before = *address;                                                                                         \
    *address = value;                                                                                                  \
    return before;                                                                                                     \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  inline ::yoke_simulator::if_wide<T> atomicCAS##scope(T* address, T compare, T value) {                               \
    const ::yoke_simulator::wide_lock lock;                                                                            \
    const T before = *address;                                                                                         \
    if (__builtin_memcmp(&before, &compare, sizeof(T)) == 0) *address = value;                                         \
    return before;                                                                                                     \
  }
YOKE_SIMULATOR_ATOMIC_WIDE()
YOKE_SIMULATOR_ATOMIC_WIDE(_block)
YOKE_SIMULATOR_ATOMIC_WIDE(_system)
#undef YOKE_SIMULATOR_ATOMIC_WIDE

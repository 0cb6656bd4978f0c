// SPDX-License-Identifier: MIT
// Loads and stores with cache hints, which are plain ones here, and questions about address spaces.

#define YOKE_SIMULATOR_LOAD(name)                                                                                      \
  template <class T>                                                                                                   \
  inline T name(const T* address) {                                                                                    \
    return *address;                                                                                                   \
  }
#define YOKE_SIMULATOR_STORE(name)                                                                                     \
  template <class T, class U>                                                                                          \
  inline void name(T* address, U value) {                                                                              \
    *address = static_cast<T>(value);                                                                                  \
  }
YOKE_SIMULATOR_LOAD(__ldg)
YOKE_SIMULATOR_LOAD(__ldca)
YOKE_SIMULATOR_LOAD(__ldcg)
YOKE_SIMULATOR_LOAD(__ldcs)
YOKE_SIMULATOR_LOAD(__ldcv)
YOKE_SIMULATOR_LOAD(__ldlu)
YOKE_SIMULATOR_STORE(__stwb)
YOKE_SIMULATOR_STORE(__stcg)
YOKE_SIMULATOR_STORE(__stcs)
YOKE_SIMULATOR_STORE(__stwt)
#undef YOKE_SIMULATOR_LOAD
#undef YOKE_SIMULATOR_STORE

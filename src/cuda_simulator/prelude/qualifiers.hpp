// SPDX-License-Identifier: MIT
// CUDA's qualifier words, and the few names that are there without an include.

// The engine finds kernels in the preprocessed text by the first attribute, which no compiler knows; in the object file
// it finds those that it missed by the visibility, which nothing else here has.
#define __global__ __attribute__((__yoke_kernel__, __used__, noinline, visibility("internal")))
#define __launch_bounds__(...) __attribute__((__yoke_launch_bounds__(__VA_ARGS__)))
#define __device__
#define __host__
// The section marks managed variables for lookups by name. Each has its own section: inline variables would not fit
// with others.
#define YOKE_SIMULATOR_TEXT_OF(number) #number
#define YOKE_SIMULATOR_TEXT(number) YOKE_SIMULATOR_TEXT_OF(number)
#define __managed__ __attribute__((__used__, section("yoke_managed." YOKE_SIMULATOR_TEXT(__COUNTER__))))
#define __grid_constant__ __attribute__((__yoke_grid_constant__))
#define __cluster_dims__(...)
#define __maxnreg__(...)
// The visibility, which nothing else here has, marks the variables whose sizes are added up.
#define __constant__ __attribute__((__used__, visibility("protected")))
// A block runs on one OS thread, so thread-local variables are shared by the block. The linker's step defines the
// `extern` ones, all at one address. They are kept, or an optimiser that sees no other thread would remove them, and
// they would not count; the scan of the text searches for the mark.
#define __shared__ thread_local __attribute__((__used__, __yoke_shared__))
#define __forceinline__ __attribute__((always_inline))
#define __inline_hint__ inline
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))

using size_t = decltype(sizeof(0));
using ptrdiff_t = decltype((char*)nullptr - (char*)nullptr);
using clock_t = long;
#define NULL nullptr

namespace yoke_simulator {
template <class T>
struct without_reference {
  using type = T;
};
template <class T>
struct without_reference<T&> {
  using type = T;
};
template <class T>
struct without_reference<T&&> {
  using type = T;
};
}  // namespace yoke_simulator

namespace std {
#ifndef YOKE_SIMULATOR_NO_MOVE
template <class T>
constexpr typename ::yoke_simulator::without_reference<T>::type&& move(T&& value) noexcept {
  return static_cast<typename ::yoke_simulator::without_reference<T>::type&&>(value);
}
template <class T>
constexpr T&& forward(typename ::yoke_simulator::without_reference<T>::type& value) noexcept {
  return static_cast<T&&>(value);
}
template <class T>
constexpr T&& forward(typename ::yoke_simulator::without_reference<T>::type&& value) noexcept {
  return static_cast<T&&>(value);
}
#endif
#ifndef YOKE_SIMULATOR_NO_INITIALIZER_LIST
// The compiler fills the two members, in this order.
template <class T>
class initializer_list {
  const T* first_ = nullptr;
  size_t size_ = 0;

 public:
  using value_type = T;
  using size_type = size_t;
  constexpr size_t size() const noexcept { return size_; }
  constexpr const T* begin() const noexcept { return first_; }
  constexpr const T* end() const noexcept { return first_ + size_; }
};
#endif
}  // namespace std

inline void* operator new(size_t, void* where) noexcept { return where; }
inline void* operator new[](size_t, void* where) noexcept { return where; }

extern "C" {
void* malloc(size_t) noexcept;
void free(void*) noexcept;
}

// An image has its own operators, on the heap of malloc; a program's replacements do not concern a kernel. Weak,
// because several sources may be linked into one image.
#define YOKE_SIMULATOR_OWN __attribute__((visibility("hidden"), weak))
YOKE_SIMULATOR_OWN void* operator new(size_t bytes) { return malloc(bytes); }
YOKE_SIMULATOR_OWN void* operator new[](size_t bytes) { return malloc(bytes); }
YOKE_SIMULATOR_OWN void operator delete(void* memory) noexcept { free(memory); }
YOKE_SIMULATOR_OWN void operator delete[](void* memory) noexcept { free(memory); }
YOKE_SIMULATOR_OWN void operator delete(void* memory, size_t) noexcept { free(memory); }
YOKE_SIMULATOR_OWN void operator delete[](void* memory, size_t) noexcept { free(memory); }
// Defined here, so that an access that faults in them belongs to the kernel's code. Without the barriers they would
// call themselves.
extern "C" {
YOKE_SIMULATOR_OWN void* memcpy(void* to, const void* from, size_t bytes) noexcept {
  char* into = static_cast<char*>(to);
  const char* at = static_cast<const char*>(from);
  for (; bytes >= 8; bytes -= 8, into += 8, at += 8) {
    __builtin_memcpy(into, at, 8);
    __asm__ volatile("" ::: "memory");
  }
  for (; bytes != 0; --bytes, ++into, ++at) {
    *into = *at;
    __asm__ volatile("" ::: "memory");
  }
  return to;
}
YOKE_SIMULATOR_OWN void* memset(void* to, int value, size_t bytes) noexcept {
  char* into = static_cast<char*>(to);
  const unsigned long word = static_cast<unsigned char>(value) * 0x0101010101010101ul;
  for (; bytes >= 8; bytes -= 8, into += 8) {
    __builtin_memcpy(into, &word, 8);
    __asm__ volatile("" ::: "memory");
  }
  for (; bytes != 0; --bytes, ++into) {
    *into = static_cast<char>(value);
    __asm__ volatile("" ::: "memory");
  }
  return to;
}
}
#undef YOKE_SIMULATOR_OWN

namespace yoke_simulator {
extern "C" int print(const char* format, ...) __asm__("printf");
}
/// Returns: how many arguments were printed, as CUDA's does; the C library counts characters.
template <class... A>
inline int printf(const char* format, A... arguments) {
  if (format == nullptr) return -1;
  ::yoke_simulator::print(format, arguments...);
  return static_cast<int>(sizeof...(A));
}

namespace yoke_simulator {

extern const services* engine;

template <bool Condition, class T = void>
struct enable_if {};
template <class T>
struct enable_if<true, T> {
  using type = T;
};
template <class T, class U>
constexpr bool is_same = false;
template <class T>
constexpr bool is_same<T, T> = true;
template <class T, class... U>
constexpr bool is_one_of = (is_same<T, U> || ...);
template <class T>
constexpr bool is_integral = is_one_of<T, bool, char, signed char, unsigned char, short, unsigned short, int, unsigned,
                                       long, unsigned long, long long, unsigned long long>;

template <class To, class From>
inline To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "");
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}

}  // namespace yoke_simulator

// A default argument is evaluated at the caller. GCC gives the column only as part of std::source_location, which NVRTC
// lacks; the engine hides it from programs.
#if defined(__clang__)
#define YOKE_SIMULATOR_COLUMN __builtin_COLUMN()
#elif __has_builtin(__builtin_source_location) && !defined(YOKE_SIMULATOR_NO_COLUMN)
namespace std {
namespace yoke_simulator {
struct source_location {
  struct __impl {
    const char* _M_file_name;
    const char* _M_function_name;
    unsigned _M_line;
    unsigned _M_column;
  };
};
}  // namespace yoke_simulator
using namespace yoke_simulator;
}  // namespace std
#define YOKE_SIMULATOR_COLUMN static_cast<const ::std::source_location::__impl*>(__builtin_source_location())->_M_column
#else
#define YOKE_SIMULATOR_COLUMN 0
#endif
// A function, because GCC takes braces to stand where they are written.
namespace yoke_simulator {
constexpr place here(const char* file, int line, int column) { return place{file, line, column}; }
}  // namespace yoke_simulator
#define YOKE_SIMULATOR_PLACE                                                                                           \
  ::yoke_simulator::place where =                                                                                      \
      ::yoke_simulator::here(__builtin_FILE(), __builtin_LINE(), static_cast<int>(YOKE_SIMULATOR_COLUMN))

inline void __trap(YOKE_SIMULATOR_PLACE) {
  ::yoke_simulator::engine->fail(::yoke_simulator::failure::trap, "__trap", where);
}
inline void __brkpt(YOKE_SIMULATOR_PLACE) {
  ::yoke_simulator::engine->fail(::yoke_simulator::failure::trap, "__brkpt", where);
}
// The macro assert calls it; the engine defines it after the user's macros, because NDEBUG may be one.
namespace yoke_simulator {
inline void assertion_failed(const char* text, const char* file, unsigned line, const char*) {
  ::yoke_simulator::engine->fail(::yoke_simulator::failure::assertion, text,
                                 ::yoke_simulator::place{file, static_cast<int>(line), 0});
}
}  // namespace yoke_simulator
#define __builtin_assume(condition) ((void)0)

// SPDX-License-Identifier: MIT
// Lets the compiler itself tell the engine about kernels: their addresses, parameters and callers.

namespace yoke_simulator {

template <class P>
inline constexpr char number_of = __is_enum(P) ? 'u' : '\0';
template <class P>
inline constexpr char number_of<P*> = 'u';
#define YOKE_SIMULATOR_NUMBER(type, letter)                                                                            \
  template <>                                                                                                          \
  inline constexpr char number_of<type> = letter;
YOKE_SIMULATOR_NUMBER(float, 'f')
YOKE_SIMULATOR_NUMBER(double, 'f')
YOKE_SIMULATOR_NUMBER(bool, 'u')
YOKE_SIMULATOR_NUMBER(char, 's')
YOKE_SIMULATOR_NUMBER(signed char, 's')
YOKE_SIMULATOR_NUMBER(unsigned char, 'u')
YOKE_SIMULATOR_NUMBER(short, 's')
YOKE_SIMULATOR_NUMBER(unsigned short, 'u')
YOKE_SIMULATOR_NUMBER(int, 's')
YOKE_SIMULATOR_NUMBER(unsigned, 'u')
YOKE_SIMULATOR_NUMBER(long, 's')
YOKE_SIMULATOR_NUMBER(unsigned long, 'u')
YOKE_SIMULATOR_NUMBER(long long, 's')
YOKE_SIMULATOR_NUMBER(unsigned long long, 'u')
#undef YOKE_SIMULATOR_NUMBER

template <class... P>
struct parameter_table {
  static constexpr unsigned count = sizeof...(P);
  parameter entries[count + 1] = {};
  unsigned bytes = 0;

  constexpr parameter_table() {
    const unsigned long sizes[] = {sizeof(P)..., 0};
    const unsigned long alignments[] = {alignof(P)..., 1};
    const char numbers[] = {number_of<P>..., '\0'};
    unsigned long offset = 0;
    for (unsigned each = 0; each < count; ++each) {
      offset = (offset + alignments[each] - 1) / alignments[each] * alignments[each];
      entries[each] = parameter{offset, sizes[each], numbers[each]};
      offset += sizes[each];
    }
    bytes = static_cast<unsigned>(offset);
  }
};
template <class... P>
constexpr parameter_table<P...> parameters_of{};

template <unsigned... I>
struct places {};
template <unsigned N, unsigned... I>
struct count_to : count_to<N - 1, N - 1, I...> {};
template <unsigned... I>
struct count_to<0, I...> {
  using type = places<I...>;
};

// A parameter as the ABI passes it. A type that cannot be copied is moved out of a copy of its bytes, as a GPU copies
// it; what cannot be moved either is handed over by its address.
template <class P, bool Copied = __is_constructible(P, const P&), bool Moved = __is_constructible(P, P&&)>
struct argument {
  using type = P;
  const P& value;
  explicit argument(const char* from) : value(*reinterpret_cast<const P*>(from)) {}
  const P& get() { return value; }
};
template <class P>
struct argument_bytes {
  alignas(P) char bytes[sizeof(P)];
  explicit argument_bytes(const char* from) { __builtin_memcpy(bytes, from, sizeof(P)); }
};
template <class P>
struct argument<P, false, true> : argument_bytes<P> {
  using type = P;
  using argument_bytes<P>::argument_bytes;
  P&& get() { return static_cast<P&&>(*reinterpret_cast<P*>(this->bytes)); }
};
template <class P>
struct argument<P, false, false> : argument_bytes<P> {
  using type = P&;
  using argument_bytes<P>::argument_bytes;
  P& get() { return *reinterpret_cast<P*>(this->bytes); }
};

template <class... P, unsigned... I>
void call_with(void (*kernel)(P...), const char* arguments, places<I...>) {
  reinterpret_cast<void (*)(typename argument<P>::type...)>(kernel)(
      argument<P>(arguments + parameters_of<P...>.entries[I].offset).get()...);
  (void)arguments;
}
template <class... P>
void call_kernel(void (*kernel)(), const char* arguments) {
  call_with(reinterpret_cast<void (*)(P...)>(kernel), arguments, typename count_to<sizeof...(P)>::type{});
}

template <class... P>
kernel_record describe(void (*kernel)(P...), int max_threads = 0, int min_blocks = 0, int = 0) {
  using table = parameter_table<P...>;
  return kernel_record{reinterpret_cast<void (*)()>(kernel),
                       &call_kernel<P...>,
                       parameters_of<P...>.entries,
                       table::count,
                       parameters_of<P...>.bytes,
                       max_threads,
                       min_blocks};
}

template <class R, class... P>
kernel_record describe(R (*)(P...), int = 0, int = 0, int = 0) {
  static_assert(is_same<R, void>, "a __global__ function must have a void return type");
  return kernel_record{};
}

template <class... P>
const void* address(void (*kernel)(P...)) {
  return reinterpret_cast<const void*>(kernel);
}
template <class T>
const void* address(const volatile T* variable) {
  return const_cast<const T*>(variable);
}
// A name expression for a kernel makes it a kernel of the image, one for a variable does not.
template <class... P>
kernel_record describe_expression(void (*kernel)(P...)) {
  return describe(kernel);
}
template <class T>
kernel_record describe_expression(const volatile T*) {
  return kernel_record{};
}

inline void locate(variables* where) {
  where->thread_index = &threadIdx.x;
  where->block_index = &blockIdx.x;
  where->block_extent = &blockDim.x;
  where->grid_extent = &gridDim.x;
  where->thread_rank = &thread_rank;
}

}  // namespace yoke_simulator

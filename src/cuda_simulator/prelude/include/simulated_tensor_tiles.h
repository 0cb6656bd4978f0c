// SPDX-License-Identifier: MIT
// Copies of tiles by tensor maps. They happen at once; barriers count threads and bytes as the hardware does.
#ifndef YOKE_SIMULATOR_SIMULATED_TENSOR_TILES_H
#define YOKE_SIMULATOR_SIMULATED_TENSOR_TILES_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <yoke_simulator/tensor_words.h>

// A separate type name, by which the simulator detects parameters that a GPU could not use.
struct alignas(128) simulated_tensor_map {
  unsigned long long words[16];
};
#define tensor_map simulated_tensor_map
/// `pending` of `threads` threads have not arrived, and `bytes` more bytes are expected. `mark` distinguishes a barrier
/// from other memory.
struct alignas(8) tile_barrier {
  int bytes;
  unsigned pending : 13;
  unsigned threads : 13;
  unsigned phase : 1;
  unsigned mark : 5;
};

namespace yoke_simulator {

inline void fail_tile(const char* why, place where) { engine->fail(failure::unsupported, why, where); }

constexpr unsigned barrier_mark = 21;
constexpr unsigned most_arrivals = (1u << 13) - 1;

inline void step_barrier(tile_barrier& barrier) {
  if (barrier.pending != 0 || barrier.bytes != 0) return;
  barrier.phase ^= 1u;
  barrier.pending = barrier.threads;
}
inline void check_barrier(const tile_barrier& barrier, place where) {
  if (!engine->is_shared(&barrier)) fail_tile("a tile_barrier that is not in shared memory", where);
  if (barrier.mark != barrier_mark) fail_tile("a tile_barrier without init_barrier", where);
}

inline bool is_at(const void* address, unsigned long long multiple) {
  return reinterpret_cast<unsigned long long>(address) % multiple == 0;
}
/// Returns: the pitch of rows in shared memory. With a swizzle pattern it is the pattern's width. Units: bytes.
inline unsigned pitch_of(const tensor_words& what) {
  return what.swizzle == 0 ? what.box[0] * static_cast<unsigned>(what.element_bytes) : 16u << what.swizzle;
}

/// Returns: the address of a byte of a tile, `offset` bytes after the tile's start, which is a multiple of the
/// pattern's repeat.
inline unsigned swizzled(unsigned offset, unsigned swizzle) {
  const unsigned pieces = (1u << swizzle) - 1;  // bits 4 and on, by bits 7 and on
  return offset ^ ((offset >> 3) & (pieces << 4));
}

template <class T>
inline void add_element(char* to, const char* from) {
  *reinterpret_cast<T*>(to) = static_cast<T>(*reinterpret_cast<T*>(to) + *reinterpret_cast<const T*>(from));
}
/// Effects: adds floats, of which denormal ones count as zeros.
inline void add_flushed(char* to, const char* from) {
  const auto flushed = [](float of) { return __builtin_fabsf(of) < 0x1p-126f ? __builtin_copysignf(0.0f, of) : of; };
  float& sum = *reinterpret_cast<float*>(to);
  sum = flushed(flushed(sum) + flushed(*reinterpret_cast<const float*>(from)));
}
/// Effects: adds an element as the hardware does, which cannot add bytes and shorts.
inline bool add_number(char* to, const char* from, unsigned element) {
  switch (element) {
    case 2: return add_element<unsigned>(to, from), true;
    case 3: return add_element<int>(to, from), true;
    case 4: return add_element<unsigned long long>(to, from), true;
    case 6: return add_element<__half>(to, from), true;
    case 7:
    case 11: return add_element<float>(to, from), true;
    case 10:
    case 12: return add_flushed(to, from), true;
    case 9: return add_element<__nv_bfloat16>(to, from), true;
    default: return false;
  }
}

/// Effects: rounds a float to TF32.
inline void round_float(char* at) {
  unsigned bits;
  __builtin_memcpy(&bits, at, sizeof bits);
  if ((bits & 0x7f800000u) != 0x7f800000u) bits = (bits + 0xfffu + ((bits >> 13) & 1u)) & ~0x1fffu;
  __builtin_memcpy(at, &bits, sizeof bits);
}

enum class tile_work { load, store, add };

/// Effects: copies, or adds, the elements of the tile that begins at `first`, and reports places outside the array.
/// Returns: the bytes of the tile.
inline unsigned work_on_tile(tile_work work, const tensor_map& map, char* tile, const int* first, unsigned axes,
                             place where) {
  const tensor_words& what = reinterpret_cast<const tensor_words&>(map);
  if (what.mark != tensor_mark) fail_tile("a copy of a tile by what is no tensor map", where);
  if (what.rank != axes) fail_tile("a copy of a tile with more or fewer indices than the tensor map has axes", where);
  if (first[axes - 1] % static_cast<int>(16u / what.element_bytes) != 0) {
    fail_tile("a tile whose last index, in bytes, is no multiple of 16", where);
  }
  for (unsigned axis = 0; axis < axes; ++axis) {
    if (work != tile_work::load && first[axis] < 0) fail_tile("a tile that is stored at a negative index", where);
  }
  const unsigned repeat = 128u << what.swizzle;
  if (!is_at(tile, repeat)) fail_tile("a tile in shared memory that is not aligned for its swizzle", where);
  unsigned counts[5] = {1, 1, 1, 1, 1};
  unsigned total = 1;
  for (unsigned axis = 0; axis < axes; ++axis) {
    counts[axis] = (what.box[axis] + what.steps[axis] - 1u) / what.steps[axis];
    total *= counts[axis];
  }
  const unsigned pitch = pitch_of(what);
  const unsigned room = total / counts[0] * pitch;
  if (!engine->is_shared(tile) || !engine->is_shared(tile + room - 1)) {
    fail_tile("a tile that is not in shared memory, or leaves it", where);
  }
  for (unsigned n = 0; n < total; ++n) {
    unsigned rest = n;
    bool inside = true;
    long long indices[5] = {};
    for (unsigned axis = 0; axis < axes; ++axis) {
      indices[axis] = first[axes - 1 - axis] + static_cast<long long>(rest % counts[axis]) * what.steps[axis];
      rest /= counts[axis];
      inside = inside && indices[axis] >= 0 && indices[axis] < static_cast<long long>(what.extents[axis]);
    }
    char* there = reinterpret_cast<char*>(what.address);
    for (unsigned axis = 0; axis < axes && inside; ++axis) {
      there += indices[axis] * static_cast<long long>(axis == 0 ? what.element_bytes : what.strides[axis - 1]);
    }
    char* const here = tile + swizzled(n / counts[0] * pitch + n % counts[0] * what.element_bytes, what.swizzle);
    if (work == tile_work::load) {
      if (inside) {
        __builtin_memcpy(here, there, what.element_bytes);
        if (what.element >= 11) round_float(here);
      } else {
        __builtin_memset(here, what.fills_nan != 0 ? 0xff : 0, what.element_bytes);
      }
    } else if (inside && work == tile_work::store) {
      __builtin_memcpy(there, here, what.element_bytes);
    } else if (inside && !add_number(there, here, what.element)) {
      fail_tile("add_tile of a type that the hardware does not add", where);
    }
  }
  return total * what.element_bytes;
}

}  // namespace yoke_simulator

inline void prefetch_map(const tensor_map&) {}
inline void fence_tiles() {}
inline void wait_for_tiles() {}
inline void init_barrier(tile_barrier& barrier, unsigned threads, YOKE_SIMULATOR_PLACE) {
  using namespace yoke_simulator;
  if (threads == 0 || threads > most_arrivals) fail_tile("init_barrier for no thread, or for more than 8191", where);
  barrier = tile_barrier{0, threads, threads, 0, barrier_mark};
  check_barrier(barrier, where);
}
inline void arrive(tile_barrier& barrier, unsigned bytes, YOKE_SIMULATOR_PLACE) {
  using namespace yoke_simulator;
  check_barrier(barrier, where);
  if (barrier.pending == 0) fail_tile("more threads arrive at a tile_barrier than init_barrier was told", where);
  barrier.bytes += static_cast<int>(bytes);
  barrier.pending -= 1u;
  step_barrier(barrier);
}
inline void wait(tile_barrier& barrier, unsigned parity, YOKE_SIMULATOR_PLACE) {
  ::yoke_simulator::check_barrier(barrier, where);
  while (static_cast<volatile tile_barrier&>(barrier).phase == (parity & 1u)) __nanosleep(20);
}

#define YOKE_SIMULATOR_TILES(parameters, ...)                                                                          \
  inline void load_tile(void* to, const tensor_map& map, tile_barrier& barrier, YOKE_SIMULATOR_UNPACK parameters,      \
                        YOKE_SIMULATOR_PLACE) {                                                                        \
    const int first[] = {__VA_ARGS__};                                                                                 \
    ::yoke_simulator::check_barrier(barrier, where);                                                                   \
    barrier.bytes -= static_cast<int>(::yoke_simulator::work_on_tile(                                                  \
        ::yoke_simulator::tile_work::load, map, static_cast<char*>(to), first, sizeof first / sizeof *first, where));  \
    ::yoke_simulator::step_barrier(barrier);                                                                           \
  }                                                                                                                    \
  inline void store_tile(const tensor_map& map, const void* from, YOKE_SIMULATOR_UNPACK parameters,                    \
                         YOKE_SIMULATOR_PLACE) {                                                                       \
    const int first[] = {__VA_ARGS__};                                                                                 \
    ::yoke_simulator::work_on_tile(::yoke_simulator::tile_work::store, map,                                            \
                                   static_cast<char*>(const_cast<void*>(from)), first, sizeof first / sizeof *first,   \
                                   where);                                                                             \
  }                                                                                                                    \
  inline void add_tile(const tensor_map& map, const void* from, YOKE_SIMULATOR_UNPACK parameters,                      \
                       YOKE_SIMULATOR_PLACE) {                                                                         \
    const int first[] = {__VA_ARGS__};                                                                                 \
    ::yoke_simulator::work_on_tile(::yoke_simulator::tile_work::add, map, static_cast<char*>(const_cast<void*>(from)), \
                                   first, sizeof first / sizeof *first, where);                                        \
  }
#define YOKE_SIMULATOR_UNPACK(...) __VA_ARGS__
YOKE_SIMULATOR_TILES((int i), i)
YOKE_SIMULATOR_TILES((int i, int j), i, j)
YOKE_SIMULATOR_TILES((int i, int j, int k), i, j, k)
YOKE_SIMULATOR_TILES((int i, int j, int k, int l), i, j, k, l)
YOKE_SIMULATOR_TILES((int i, int j, int k, int l, int m), i, j, k, l, m)
#undef YOKE_SIMULATOR_UNPACK
#undef YOKE_SIMULATOR_TILES

#endif

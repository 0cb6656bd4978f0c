// SPDX-License-Identifier: MIT
// The interface between a compiled kernel and the engine; both sides are compiled from this text.
#ifndef YOKE_SIMULATOR_SERVICES_HPP
#define YOKE_SIMULATOR_SERVICES_HPP

namespace yoke_simulator {

constexpr unsigned interface_version = 7;

/// Where a kernel waits or fails.
struct place {
  const char* file;
  int line;
  int column;  // 0: the compiler does not say
};

/// How the threads of a block meet; threads that meet in different ways have diverged.
enum class meeting : unsigned {
  syncthreads,
  syncthreads_count,
  syncthreads_and,
  syncthreads_or,
  grid_sync,
  syncwarp,
  shuffle,
  vote,
  match,
  reduction,
  activemask,
};

enum class failure : unsigned { trap, assertion, invalid_mask, unsupported };
enum class rounding : unsigned { nearest, zero, up, down };
enum class operation : unsigned { add, subtract, multiply, divide, square_root, multiply_add };
enum class function : unsigned { sinpi, cospi, erfinv, erfcinv, erfcx, normcdf, normcdfinv, bessel_i0, bessel_i1 };

/// How a texture or a surface is addressed.
enum class texel_shape : unsigned { d1, d2, d3, d1_layered, d2_layered, cube, cube_layered, linear, gather };
/// One read through a texture object.
struct sample_request {
  unsigned long long texture;
  texel_shape shape;
  float x, y, z;
  int layer;    // of linear memory the element, of a gather the channel
  float level;  // of a mipmap
};
/// One texel of a surface: x counts bytes. `mode`: 0 zeros or nothing outside, 1 the nearest texel, 2 a fault.
struct surface_request {
  unsigned long long surface;
  texel_shape shape;
  int x, y, z, layer;
  unsigned bytes;
  int mode;
};

/// Called by the last lane to arrive: slots[i] is lane i's contribution, or null if lane i does not take part.
using resolve_function = void (*)(void* const* slots, unsigned lanes);

/// The engine's side.
struct services {
  int (*block_barrier)(meeting kind, int vote, place where);
  void (*warp_meeting)(meeting kind, unsigned mask, void* slot, resolve_function resolve, place where);
  unsigned (*active_mask)(place where);
  void (*grid_barrier)(place where);
  bool (*is_cooperative)();
  void (*yield)();
  long long (*ticks)();
  void (*fail)(failure kind, const char* text, place where);
  float (*rounded_float)(operation what, rounding how, float a, float b, float c);
  double (*rounded_double)(operation what, rounding how, double a, double b, double c);
  float (*narrowed)(rounding how, double value);
  float (*float_from_signed)(rounding how, long long value);
  float (*float_from_unsigned)(rounding how, unsigned long long value);
  double (*double_from_signed)(rounding how, long long value);
  double (*double_from_unsigned)(rounding how, unsigned long long value);
  double (*special)(function which, double value);
  bool (*is_shared)(const void* address);
  void (*sample)(const sample_request& what, unsigned* words, place where);  // four words: bits of float, or integers
  void (*read_surface)(const surface_request& what, void* to, place where);
  void (*write_surface)(const surface_request& what, const void* from, place where);
  void (*set_condition)(unsigned long long number, unsigned value, place where);
};

/// Where the calling OS thread's copies of the built-in variables and of dynamic shared memory are.
struct variables {
  unsigned* thread_index;  // three of each
  unsigned* block_index;
  unsigned* block_extent;
  unsigned* grid_extent;
  unsigned* thread_rank;
};

struct parameter {
  unsigned long offset;
  unsigned long size;
  char number;  // as PTX says it: 'f' floating point, 's' signed, 'u' unsigned or a pointer; 0: no number
};

/// A kernel as the compiler itself described it.
struct kernel_record {
  void (*function)();
  void (*call)(void (*function)(), const char* arguments);
  const parameter* parameters;
  unsigned parameter_count;
  unsigned argument_bytes;
  int max_threads;  // from __launch_bounds__; 0: not given
  int min_blocks;
};

/// One source of an image; its name in the shared object is yoke_simulator_image_ and a number.
struct image_record {
  unsigned version;
  const services** engine;
  void (*locate)(variables*);
  const kernel_record* kernels;
  unsigned kernel_count;
  const void* const* expressions;  // the addresses that the name expressions stand for
  unsigned expression_count;
};

}  // namespace yoke_simulator

#endif

// SPDX-License-Identifier: MIT
// A rig with a module of small kernels, one of them at hand.
#ifndef YOKE_TESTS_PROGRAM_KERNEL_BENCH_HPP
#define YOKE_TESTS_PROGRAM_KERNEL_BENCH_HPP

#include <support/rig.hpp>

namespace yoke_test {

inline constexpr const char* bench_kernels = R"(
  YOKE_KERNEL axpb(YOKE_GLOBAL int* a, int by, int plus) { size_t i = get_global_id(0); a[i] = a[i] * by + plus; }
  YOKE_KERNEL slow_store(YOKE_GLOBAL int* out, int rounds, int value) {
    unsigned x = (unsigned)value;
    for (int i = 0; i < rounds; ++i) x = x * 1664525u + 1013904223u;
    out[get_global_id(0)] = value + (x == 1u ? 1 : 0);
  }
  YOKE_KERNEL pick(YOKE_GLOBAL int* out, const YOKE_GLOBAL int* in) { out[get_global_id(0)] = in[get_global_id(0)]; }
)";

template <class Backend>
struct bench : rig<Backend> {
  explicit bench(const typename Backend::device& on)
      : rig<Backend>(on),
        module(yoke::compile(this->context, bench_kernels)),
        axpb(yoke::get_kernel<void(int*, int, int)>(module, "axpb")) {}
  typename Backend::module module;
  typename Backend::template kernel<void(int*, int, int)> axpb;
};
template <class Port>
bench(const yoke::device<Port>&) -> bench<backend_of<Port>>;

}  // namespace yoke_test

#endif

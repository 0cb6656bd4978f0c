# SPDX-License-Identifier: MIT
# The C++ peers over CUDA's runtime API, each where it is found; what is not is reported absent by its name.
set(yoke_bench_absent "it was not found when the benchmarks were built")
foreach(peer IN ITEMS VEXCL CUDA_API_WRAPPERS)
  target_compile_definitions(yoke_bench_suites PRIVATE YOKE_BENCH_${peer}_ABSENT="${yoke_bench_absent}")
endforeach()

// SPDX-License-Identifier: MIT
// The C++ libraries over CUDA's runtime API that were found when the benchmarks were built.
#ifndef YOKE_BENCHMARKS_PEERS_CUDA_HPP
#define YOKE_BENCHMARKS_PEERS_CUDA_HPP

#include <memory>
#include <tuple>

#include "operations.hpp"
#include "side_yoke.hpp"
#if defined(YOKE_BENCH_CCCL)
#include "side_cccl.hpp"
#endif
#if defined(YOKE_BENCH_RMM)
#include "side_rmm.hpp"
#endif

namespace bench {

/// Returns: their sides, as a tuple; what is not there is entered among the absent.
inline auto cuda_peers([[maybe_unused]] suite& into,
                       [[maybe_unused]] const std::shared_ptr<late<yoke_side<yoke::cuda::port>>>& of) {
#if defined(YOKE_BENCH_CCCL)
  auto cccl = std::make_tuple(
      named<cccl_side>{"cccl", made_late<cccl_side>([=] { return std::make_shared<cccl_side>(*of->get()); })});
#else
  auto cccl = std::tuple<>();
  into.absent.push_back({"cccl", "<cuda/stream> and CUDA's runtime were not found when the benchmarks were built"});
#endif
#if defined(YOKE_BENCH_RMM)
  auto rmm = std::make_tuple(
      named<rmm_side>{"rmm", made_late<rmm_side>([=] { return std::make_shared<rmm_side>(*of->get()); })});
#else
  auto rmm = std::tuple<>();
  into.absent.push_back({"rmm", "<rmm/device_buffer.hpp> was not found when the benchmarks were built"});
#endif
  return std::tuple_cat(std::move(cccl), std::move(rmm));
}

}  // namespace bench

#endif

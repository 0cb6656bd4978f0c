// SPDX-License-Identifier: MIT
// Bodies of cuda/device/occupancy.hpp.
#ifndef YOKE_CUDA_DEVICE_OCCUPANCY_IPP
#define YOKE_CUDA_DEVICE_OCCUPANCY_IPP

#include <yoke/cuda/device/occupancy.hpp>

#include <exception>

namespace yoke::inline v0_1::cuda::detail {

/// The call in progress: the driver's callback has no argument for it, but runs on the calling thread.
struct block_bytes_question {
  const block_bytes_call* bytes;
  std::exception_ptr failure{};
};
block_bytes_question*& current_question() noexcept {
  thread_local block_bytes_question* current = nullptr;
  return current;
}
std::size_t answer_block_bytes(int block) noexcept {
  block_bytes_question& asked = *current_question();
  if (asked.failure != nullptr) return 0;
  try {
    return asked.bytes->call(asked.bytes->object, block);
  } catch (...) {
    asked.failure = std::current_exception();
    return 0;
  }
}

potential_shape best_block_by(const context& in, abi::kernel kernel, const block_bytes_call& bytes, int limit,
                              const source_location& where) {
  block_bytes_question question{&bytes};
  current_question() = &question;
  const potential_shape shape =
      in.port(where).potential_block(in.native_handle(), kernel, &answer_block_bytes, 0, limit, where);
  if (question.failure != nullptr) std::rethrow_exception(question.failure);
  return shape;
}

int checked_block(const extent3& block, const source_location& where) {
  if (block.x == 0 || block.y == 0 || block.z == 0) {
    yoke::detail::throw_error(errc::invalid_argument, where, "block {", block.x, ", ", block.y, ", ", block.z,
                              "} has an extent of 0: a block has at least 1 thread");
  }
  std::size_t threads = 1;
  for (const std::size_t extent : {block.x, block.y, block.z}) {  // each product fits: both factors are below 2^31
    threads *= static_cast<std::size_t>(yoke::detail::narrow<int>(extent, "extent of the block", where));
    (void)yoke::detail::narrow<int>(threads, "threads of the block", where);
  }
  return static_cast<int>(threads);
}
int checked_limit(int limit, const source_location& where) {
  if (limit < 0) {
    yoke::detail::throw_error(errc::invalid_argument, where, "block limit ", limit, " is negative");
  }
  return limit;
}
void throw_negative_bytes(long long bytes, int block, const source_location& where) {
  yoke::detail::throw_error(errc::out_of_range, where, "the dynamic shared memory of a block of ", block,
                            " threads is ", bytes, " bytes, below 0");
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif

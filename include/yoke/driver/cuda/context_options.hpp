// SPDX-License-Identifier: MIT
// The CUDA port's context options and limits, and a thread's current context.
#ifndef YOKE_DRIVER_CUDA_CONTEXT_OPTIONS_HPP
#define YOKE_DRIVER_CUDA_CONTEXT_OPTIONS_HPP

#include <yoke/driver/cuda/facet.hpp>

namespace yoke::inline v0_1::cuda {

using abi::cache_config;

/// How a thread waits for the device.
enum class schedule : unsigned {
  automatic = abi::context_sched_auto,               ///< the driver chooses
  spin = abi::context_sched_spin,                    ///< polls: the shortest wait, but keeps a core busy
  yield = abi::context_sched_yield,                  ///< polls, and lets other threads run in between
  blocking_sync = abi::context_sched_blocking_sync,  ///< sleeps until the device wakes it
};

/// Options of a new context.
struct context_options {
  schedule waiting = schedule::automatic;
  bool map_host = false;             ///< page-locked memory can be mapped; contexts of supported drivers always allow
                                     ///< it
  bool resize_local_memory = false;  ///< keeps the local memory of a launch for later launches, which then need not
                                     ///< wait

  [[nodiscard]] friend bool operator==(const context_options&, const context_options&) noexcept = default;
};

/// The state of a device's primary context, known without retaining it.
struct primary_state {
  bool active = false;  ///< some code in the process retains it
  context_options options;
};

/// A limit of a context: a size in bytes if the name says so, else a count.
enum class limit : unsigned {
  stack_bytes = static_cast<unsigned>(abi::limit::stack_size),                ///< of each thread of a kernel
  printf_buffer_bytes = static_cast<unsigned>(abi::limit::printf_fifo_size),  ///< before the first kernel that prints
  malloc_heap_bytes = static_cast<unsigned>(abi::limit::malloc_heap_size),  ///< before the first kernel that allocates
  device_runtime_depth = static_cast<unsigned>(abi::limit::dev_runtime_sync_depth),
  device_runtime_launches = static_cast<unsigned>(abi::limit::dev_runtime_pending_launch_count),
  l2_fetch_bytes = static_cast<unsigned>(abi::limit::max_l2_fetch_granularity),  ///< a hint: 0 to 128
  persisting_l2_bytes = static_cast<unsigned>(abi::limit::persisting_l2_cache_size),
};

/// The priorities that streams can have: smaller runs first.
struct priority_range {
  int least = 0;
  int greatest = 0;
};

/// Device memory as the driver sees it. Others may allocate meanwhile.
struct memory_info {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
};

/// A part of `port`.
class context_options_functions : public facet<context_options_functions> {
 public:
  /// The state that `deactivate` restores.
  struct activation {
    abi::context context = nullptr;
    abi::context before = nullptr;  ///< the context that was current; null for none
    const void* thread = nullptr;   ///< identifies the thread that activated
  };

  /// Creates a context besides the primary one. It is current on no thread.
  YOKE_API abi::context create_context_with(device_id device, const context_options& options,
                                            const source_location& where) const;
  YOKE_API context_options options_of(abi::context context, const source_location& where) const;
  YOKE_API primary_state primary(device_id device, const source_location& where) const;
  YOKE_API void set_primary_options(device_id device, const context_options& options,
                                    const source_location& where) const;
  YOKE_API void reset_primary(device_id device, const source_location& where) const;

  YOKE_API std::size_t get_limit(abi::context context, limit which, const source_location& where) const;
  /// Returns: the value in force afterwards.
  YOKE_API std::size_t set_limit(abi::context context, limit which, std::size_t value,
                                 const source_location& where) const;
  YOKE_API cache_config get_cache_config(abi::context context, const source_location& where) const;
  YOKE_API void set_cache_config(abi::context context, cache_config config, const source_location& where) const;
  YOKE_API priority_range stream_priorities(abi::context context, const source_location& where) const;
  YOKE_API std::uint64_t context_id(abi::context context, const source_location& where) const;
  YOKE_API unsigned api_version(abi::context context, const source_location& where) const;
  YOKE_API memory_info memory(abi::context context, const source_location& where) const;
  YOKE_API void synchronize_context(abi::context context, const source_location& where) const;

  /// Pushes a context on this thread's stack.
  YOKE_API activation activate(abi::context context, const source_location& where) const;
  /// Restores the context that was current before. The outcome tells if others have changed the thread's stack.
  YOKE_API release_result deactivate(const activation& made) const noexcept;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/context_options.ipp>
#endif

#endif

// SPDX-License-Identifier: MIT
// Bodies of driver/opencl/program/launch.hpp: launches, and why they are refused.
#ifndef YOKE_DRIVER_OPENCL_PROGRAM_LAUNCH_IPP
#define YOKE_DRIVER_OPENCL_PROGRAM_LAUNCH_IPP

#include <yoke/driver/opencl/program/launch.hpp>

#include <yoke/driver/opencl/port.hpp>

#include <yoke/driver/opencl/event/held_events.hpp>
#include <yoke/driver/opencl/invoke.hpp>
#include <yoke/driver/opencl/pocl.hpp>
#include <yoke/driver/shape_limits.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>

namespace yoke::inline v0_1::opencl {

namespace detail {

/// Throws: always: `launch_error` with the limit that a refused launch breaks, or `error`.
[[noreturn]] void explain_launch(const abi::functions* table, abi::status status, abi::kernel kernel,
                                 abi::device device, const launch_functions::call_type& call,
                                 const source_location& where) {
  const launch_shape& shape = call.shape;
  const std::size_t threads = shape.block.x * shape.block.y * shape.block.z;
  const std::size_t sides[3] = {shape.block.x, shape.block.y, shape.block.z};
  std::string why = yoke::detail::broken_shape_limit({.grid = shape.grid, .block = shape.block}, *call.limits);
  if (why.empty()) {
    std::size_t kernel_block = 0;
    std::size_t required[3] = {};
    if (table->get_kernel_work_group_info(kernel, device, abi::kernel_compile_work_group_size, sizeof required,
                                          &required, nullptr) == 0 &&
        required[0] != 0 && (required[0] != sides[0] || required[1] != sides[1] || required[2] != sides[2])) {
      why = text("block {", sides[0], ", ", sides[1], ", ", sides[2], "} is not the {", required[0], ", ", required[1],
                 ", ", required[2], "} that the kernel requires");
    } else if (table->get_kernel_work_group_info(kernel, device, abi::kernel_work_group_size, sizeof kernel_block,
                                                 &kernel_block, nullptr) == 0 &&
               threads > kernel_block) {
      why = text("block ", threads, " exceeds this kernel's ", kernel_block, " on this device");
    }
  }
  if (why.empty()) {
    why = text("grid {", shape.grid.x, ", ", shape.grid.y, ", ", shape.grid.z, "} of blocks {", sides[0], ", ",
               sides[1], ", ", sides[2], "}");
  }
  throw_failure(status, "clEnqueueNDRangeKernel", why, where);
}

/// The number of threads of a launch along each axis.
struct launch_sizes {
  std::size_t global[3];
  bool shifted;  // whether the launch has an offset
};

/// Throws: `launch_error` for a shape whose numbers do not fit, or that PoCL miscounts.
[[gnu::noinline, gnu::cold]] void check_large_shape(const abi::functions* table, const launch_shape& shape,
                                                    abi::queue stream, const source_location& where) {
  const std::size_t grid[3] = {shape.grid.x, shape.grid.y, shape.grid.z};
  const std::size_t block[3] = {shape.block.x, shape.block.y, shape.block.z};
  const std::size_t offset[3] = {shape.global_offset.x, shape.global_offset.y, shape.global_offset.z};
  std::size_t global[3] = {};
  for (std::size_t i = 0; i < 3; ++i) {
    if (__builtin_mul_overflow(grid[i], block[i], &global[i])) {
      throw_error(errc::launch_failed, where, "grid ", grid[i], " times block ", block[i],
                  " exceeds the size of an integer");
    }
  }
  std::size_t total = 0;
  if (__builtin_mul_overflow(global[0], global[1], &total) || __builtin_mul_overflow(total, global[2], &total)) {
    throw_error(errc::launch_failed, where, "grid times block, {", global[0], ", ", global[1], ", ", global[2],
                "} threads, exceeds the size of an integer");
  }
  for (std::size_t i = 0; i < 3; ++i) {
    std::size_t end = 0;
    if (__builtin_add_overflow(global[i], offset[i], &end)) {
      throw_error(errc::launch_failed, where, "global offset ", offset[i], " plus ", global[i],
                  " threads exceeds the size of an integer");
    }
  }
  // PoCL counts blocks in 32 bits. With more, it ends the process or runs a few of them.
  constexpr std::size_t most = 0xffff'ffff;
  const std::size_t blocks = grid[0] * grid[1] * grid[2];
  if (blocks <= most || !is_pocl(table, port(table).stream_device(stream, where), where)) return;
  throw_error(errc::launch_failed, where, "grid {", grid[0], ", ", grid[1], ", ", grid[2], "} has ", blocks,
              " blocks, which exceeds the ", most, " that PoCL counts");
}

/// Returns: whether numbers may overflow or be miscounted. They cannot with up to 2^21 blocks along each axis, 2^31 in
/// all, and up to 2^11 threads along each axis.
inline bool is_large(const extent3& grid, const extent3& block) noexcept {
  return (((grid.x | grid.y | grid.z) >> 21) | ((block.x | block.y | block.z) >> 11) |
          ((grid.x * grid.y * grid.z) >> 31)) != 0;
}

/// Returns: the threads along each axis. Throws: `launch_error`.
inline launch_sizes sizes_of(const abi::functions* table, const launch_shape& shape, abi::queue stream,
                             const source_location& where) {
  const extent3& grid = shape.grid;
  const extent3& block = shape.block;
  const extent3& offset = shape.global_offset;
  const bool shifted = (offset.x | offset.y | offset.z) != 0;
  if (is_large(grid, block) || shifted) [[unlikely]]
    check_large_shape(table, shape, stream, where);
  return {{grid.x * block.x, grid.y * block.y, grid.z * block.z}, shifted};
}

/// Effects: adds up the local memory of a launch. Returns: whether it has SVM pointers. Throws: `launch_error`.
// With too much local memory PoCL 3.1 aborts in a worker thread instead of refusing.
[[gnu::noinline]] bool check_local_memory(const launch_functions::call_type& call, const source_location& where) {
  std::size_t local = call.kernel->static_local_bytes;
  bool svm = false;
  for (const kernel_argument& argument : call.arguments) {
    svm = svm || argument.kind == argument_kind::address;
    if (argument.kind == argument_kind::local && __builtin_add_overflow(local, argument.bytes, &local)) {
      local = (std::numeric_limits<std::size_t>::max)();
      break;
    }
  }
  if (local > call.limits->local_memory_bytes) [[unlikely]] {
    throw_error(errc::launch_failed, where, "local memory of ", local, " bytes (", call.kernel->static_local_bytes,
                " in the kernel, ", local - call.kernel->static_local_bytes,
                " in local arguments) exceeds this device's ", call.limits->local_memory_bytes);
  }
  return svm;
}

[[noreturn]] void throw_argument(abi::status status, argument_kind kind, std::size_t index, std::size_t count,
                                 std::size_t bytes, const source_location& where) {
  throw_failure(status, kind == argument_kind::address ? "clSetKernelArgSVMPointer" : "clSetKernelArg",
                text("argument ", index + 1, " of ", count, ", ", bytes, " bytes"), where);
}

bool plan_shape(extent3 grid, extent3 block, std::size_t* global) noexcept {
  if (is_large(grid, block)) return false;
  global[0] = grid.x * block.x;
  global[1] = grid.y * block.y;
  global[2] = grid.z * block.z;
  return true;
}
std::int32_t set_all_values(const abi::functions* table, abi::kernel clone, set_values& values,
                            std::span<const argument_form> forms, const std::uint64_t* given,
                            abi::status& code) noexcept {
  std::uint64_t* next = values.values.data();
  for (std::size_t i = 0; i != forms.size(); ++i) {
    if (!set_values::keeps(forms[i], i)) continue;
    code = table->set_kernel_arg(clone, static_cast<abi::uint>(i), forms[i].bytes, &given[i]);
    if (code != 0) return static_cast<std::int32_t>(i) + 1;
    *next++ = given[i];
  }
  values.known = true;
  return 0;
}
/// Effects: returns a clone to its own slot or to a free one; releases it if all are full.
void put_back(const abi::functions* table, kernel_clones* kernel, abi::kernel clone) noexcept {
  if (kernel->keeps_first) {
    const void* none = nullptr;
    if (kernel->thread.compare_exchange_strong(none, this_thread()))
      return kernel->own.store(clone, yoke::detail::order::relaxed);
    if (!kernel->is_shared.exchange(true, yoke::detail::order::relaxed))
      return kernel->shared.store(clone, yoke::detail::order::release);
  }
  for (auto& slot : kernel->idle) {
    abi::kernel none = nullptr;
    if (slot.compare_exchange_strong(none, clone)) return;
  }
  report(release<&abi::functions::release_kernel>(table, clone));
}

/// A clone that no other launch uses.
struct taken_clone {
  taken_clone(const abi::functions* entries, kernel_clones* of, const source_location& where)
      : table(entries), kernel(of) {
    if (kernel->is_own()) {
      home = &kernel->own;
      values = &kernel->own_values;
      clone = kernel->take_own();
    }
    if (clone == nullptr) {
      home = &kernel->shared;
      values = &kernel->shared_values;
      clone = kernel->take_shared();
    }
    if (clone != nullptr) {
      values->known = false;
      return;
    }
    home = nullptr;
    for (auto& slot : kernel->idle) {
      if ((clone = slot.exchange(nullptr, yoke::detail::order::acquire)) != nullptr) return;
    }
    clone = port(table).new_clone(kernel, where);
  }
  taken_clone(const taken_clone&) = delete;
  taken_clone& operator=(const taken_clone&) = delete;
  ~taken_clone() {
    if (home != nullptr) {
      home->store(clone, yoke::detail::order::release);
    } else {
      put_back(table, kernel, clone);
    }
  }

  const abi::functions* table;
  kernel_clones* kernel;
  abi::kernel clone = nullptr;
  yoke::detail::atomic<abi::kernel>* home = nullptr;
  set_values* values = nullptr;
};

/// Effects: sets the arguments of a clone, with SVM pointers if `Svm`. Throws: `error`.
template <bool Svm>
[[gnu::always_inline]] inline void set_clone(const abi::functions* table, abi::kernel clone,
                                             const launch_functions::call_type& call, const source_location& where) {
  abi::uint index = 0;
  for (const kernel_argument& argument : call.arguments) {  // a local argument has no data
    abi::status status = 0;
    if (Svm && argument.kind == argument_kind::address) {
      status = entry<&abi::functions::set_kernel_arg_svm>(table, where)(clone, index, argument.data);
    } else {
      status = table->set_kernel_arg(clone, index, argument.bytes, argument.data);
    }
    if (status != 0) [[unlikely]]
      throw_argument(status, argument.kind, index, call.arguments.size(), argument.bytes, where);
    ++index;
  }
}
/// Effects: enqueues a clone whose arguments are set. Throws: `error`.
[[gnu::always_inline]] inline void enqueue_clone(const abi::functions* table, abi::kernel clone,
                                                 const launch_functions::call_type& call,
                                                 const source_location& where) {
  const launch_shape& shape = call.shape;
  const launch_sizes sizes = sizes_of(table, shape, call.stream, where);
  static_assert(std::is_standard_layout_v<extent3> && sizeof(extent3) == 3 * sizeof(std::size_t));  // read as arrays
  kept_event kept(table);
  const abi::status status = table->enqueue_kernel(
      call.stream, clone, shape.dimensions(), sizes.shifted ? &shape.global_offset.x : nullptr, sizes.global,
      &shape.block.x, static_cast<abi::uint>(call.after.size()), call.after.empty() ? nullptr : call.after.data(),
      call.done != nullptr ? call.done : kept.slot());
  if (status != 0) [[unlikely]] {
    explain_launch(table, status, clone, port(table).stream_device(call.stream, where), call, where);
  }
}

template <bool Svm>
[[gnu::always_inline]] inline void launch_clone(const abi::functions* table, abi::kernel clone,
                                                const launch_functions::call_type& call, const source_location& where) {
  set_clone<Svm>(table, clone, call, where);
  enqueue_clone(table, clone, call, where);
}

}  // namespace detail

void launch_functions::set_recorded(abi::kernel clone, const call_type& call, const source_location& where) const {
  if (detail::check_local_memory(call, where)) return detail::set_clone<true>(table(), clone, call, where);
  detail::set_clone<false>(table(), clone, call, where);
}
void launch_functions::launch_recorded(abi::kernel clone, const call_type& call, const source_location& where) const {
  detail::enqueue_clone(table(), clone, call, where);
}

void launch_functions::launch(const call_type& call, const source_location& where) const {
  const detail::no_failure_meanwhile from_here(table(), !call.after.empty());
  if (!call.after.empty()) [[unlikely]]
    detail::prepare_wait_list(table(), call.stream, call.after, where);
  // Only local memory and SVM pointers need further checks.
  unsigned kinds = 0;
  for (const kernel_argument& argument : call.arguments) kinds |= static_cast<unsigned>(argument.kind);
  static_assert(static_cast<unsigned>(argument_kind::local) == 2 && static_cast<unsigned>(argument_kind::address) == 3);
  if ((kinds & 2) != 0 || call.kernel->static_local_bytes > call.limits->local_memory_bytes) [[unlikely]] {
    if (detail::check_local_memory(call, where)) return launch_svm(call, where);
  }

  const detail::taken_clone taken(table(), call.kernel, where);
  detail::launch_clone<false>(table(), taken.clone, call, where);
}

void launch_functions::launch_refused(direct_outcome outcome, kernel_clones* kernel, abi::queue stream,
                                      const launch_shape& shape, const void* const*, const argument_sizes& sizes,
                                      const device_limits& limits, const source_location& where) const {
  if (outcome.refused > 0) {
    const auto index = static_cast<std::size_t>(outcome.refused) - 1;
    detail::throw_argument(outcome.code, argument_kind::value, index, sizes.count, sizes.bytes[index], where);
  }
  const call_type call{kernel, stream, &limits, shape, {}, {}, nullptr};
  detail::explain_launch(table(), outcome.code, kernel->original, port(table()).stream_device(stream, where), call,
                         where);
}

void launch_functions::launch_svm(const call_type& call, const source_location& where) const {
  std::uint64_t places = 0;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    // Arguments from 63 on share a bit: a clone with SVM pointers there is used only once.
    if (call.arguments[i].kind == argument_kind::address) places |= std::uint64_t{1} << (std::min<std::size_t>)(i, 63);
  }
  struct deleter {
    const abi::functions* table;
    void operator()(detail::svm_clone* clone) const noexcept {
      if (clone->kernel != nullptr)
        detail::report(detail::release<&abi::functions::release_kernel>(table, clone->kernel));
      delete clone;
    }
  };
  using owner = std::unique_ptr<detail::svm_clone, deleter>;
  struct put_back {
    kernel_clones& kernel;
    owner clone;
    ~put_back() {
      if (clone == nullptr || clone->kernel == nullptr || (clone->places >> 63) != 0) return;
      for (auto& slot : kernel.idle_svm) {
        detail::svm_clone* none = nullptr;
        if (slot.compare_exchange_strong(none, clone.get())) {
          (void)clone.release();
          return;
        }
      }
    }
  } guard{*call.kernel, owner(nullptr, deleter{table()})};
  for (auto& slot : call.kernel->idle_svm) {
    owner found(slot.exchange(nullptr, yoke::detail::order::acquire), deleter{table()});
    if (found == nullptr) continue;
    if (found->places == places) {
      guard.clone = std::move(found);
      break;
    }
    const put_back theirs{*call.kernel, std::move(found)};  // a clone with SVM pointers at other arguments
  }
  if (guard.clone == nullptr) {
    guard.clone.reset(new detail::svm_clone{nullptr, places});
    guard.clone->kernel = port(table()).new_clone(call.kernel, where);
  }
  detail::launch_clone<true>(table(), guard.clone->kernel, call, where);
}

}  // namespace yoke::inline v0_1::opencl

#endif

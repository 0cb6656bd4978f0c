// SPDX-License-Identifier: MIT
// Bodies of driver/opencl/memory/svm.hpp.
#ifndef YOKE_DRIVER_OPENCL_MEMORY_SVM_IPP
#define YOKE_DRIVER_OPENCL_MEMORY_SVM_IPP

#include <yoke/driver/opencl/memory/svm.hpp>

#include <yoke/driver/opencl/port.hpp>

#include <yoke/driver/opencl/device_info.hpp>
#include <yoke/driver/opencl/event/command_wait_list.hpp>
#include <yoke/driver/opencl/event/copy_event.hpp>
#include <yoke/driver/opencl/invoke.hpp>
#include <yoke/driver/opencl/memory/failed_allocation.hpp>
#include <yoke/driver/opencl/memory/map_flags.hpp>
#include <yoke/driver/opencl/platform_version.hpp>

#include <algorithm>
#include <bit>
#include <mutex>
#include <new>

namespace yoke::inline v0_1::opencl {

namespace detail {

/// Makes allocations, frees, copies and fills of shared virtual memory take turns while they are enqueued. NVIDIA's
/// driver (580.159) returns null to one of two threads that allocate at once, in one context or in two, and refuses
/// copies while another thread frees or fills memory.
class svm_turns {
 public:
  /// Returns: a locked turn if this driver needs it; none if memory for the first one ran out.
  [[nodiscard]] static std::unique_lock<std::mutex> take(driver_notes& notes) noexcept {
    if (!notes.svm_takes_turns.load(yoke::detail::order::relaxed)) return {};
    svm_turns* there = notes.svm_turns_of.load(yoke::detail::order::acquire);
    if (there == nullptr) {
      yoke::detail::owner<svm_turns> made(new (std::nothrow) svm_turns);
      if (made == nullptr) return {};
      if (notes.svm_turns_of.compare_exchange_strong(there, made.get())) there = made.release();
    }
    return std::unique_lock(there->mutex_);
  }

 private:
  std::mutex mutex_;  // never destroyed: memory may be freed while the program ends
};

}  // namespace detail

svm_support svm_functions::svm(abi::device device, const source_location& where) const {
  if (table()->svm_alloc == nullptr || table()->enqueue_svm_free == nullptr) return {};
  abi::ulong bits = 0;
  const abi::status status = table()->get_device_info(device, info::svm_capabilities.code, sizeof bits, &bits, nullptr);
  if (status == abi::invalid_value) return {};  // a device older than OpenCL 2.0 does not have this property
  if (status != 0) detail::throw_failure(status, "clGetDeviceInfo", "", where);
  return {(bits & 1u) != 0, (bits & 2u) != 0, (bits & 4u) != 0, (bits & 8u) != 0};
}

void* svm_functions::svm_allocate(abi::context context, std::size_t bytes, std::size_t alignment, bool fine,
                                  bool atomics, const source_location& where) const {
  abi::ulong flags = abi::mem_read_write;
  if (fine) flags |= abi::mem_svm_fine_grain_buffer;
  if (fine && atomics) flags |= abi::mem_svm_atomics;
  return svm_allocate_with(context, flags, bytes, alignment, where);
}
void* svm_functions::svm_allocate_with(abi::context context, abi::ulong flags, std::size_t bytes, std::size_t alignment,
                                       const source_location& where) const {
  const auto allocate = detail::entry<&abi::functions::svm_alloc>(table(), where);
  auto turn = detail::svm_turns::take(*table()->notes);
  void* const address = allocate(context, flags, bytes, static_cast<abi::uint>(alignment));
  if (turn) turn.unlock();
  if (address == nullptr) {  // null is the call's only report of a failure
    check_alignment(context, alignment, where);
    detail::throw_no_memory(table(), make_error_code(errc::out_of_memory), "clSVMAlloc", context,
                            detail::text("SVM allocation, alignment ", alignment, ", of ", bytes, " bytes"), bytes,
                            where);
  }
  return address;
}

void svm_functions::check_alignment(abi::context context, std::size_t alignment, const source_location& where) const {
  for (const abi::device device : port(table()).context_devices(context, where)) {
    const std::size_t promised = port(table()).limits(device, where).base_alignment_bytes;
    if (alignment <= promised) continue;
    detail::throw_error(errc::misaligned, where, "the driver gives no shared virtual memory at an alignment of ",
                        alignment, " bytes: the device promises up to ", promised, " (", info::mem_base_addr_align.name,
                        ")");
  }
}

release_result svm_functions::svm_free(abi::context context, void* address) const noexcept {
  if (table()->svm_free == nullptr) return {abi::invalid_operation, "clSVMFree"};
  const auto turn = detail::svm_turns::take(*table()->notes);
  table()->svm_free(context, address);
  return {0, "clSVMFree"};
}

release_result svm_functions::svm_free_ordered(abi::context context, void* address, abi::queue stream,
                                               std::span<const abi::queue> others) const noexcept {
  release_result first{0, "clEnqueueSVMFree"};
  const auto note = [&](abi::status status, const char* call) {
    detail::add_outcome(first, {status, call});
    return status == 0;
  };
  bool ordered = true;
  detail::kept_event kept(table());
  for (const abi::queue other : others) {
    abi::event marker = nullptr;
    detail::kept_event kept_barrier(table());
    if (note(table()->enqueue_marker(other, 0, nullptr, &marker), "clEnqueueMarkerWithWaitList") &&
        note(table()->flush(other), "clFlush") &&
        note(table()->enqueue_barrier(stream, 1, &marker, kept_barrier.slot()), "clEnqueueBarrierWithWaitList")) {
    } else {
      ordered = false;
    }
    if (marker != nullptr) detail::add_outcome(first, port(table()).release_event(marker));
  }
  if (ordered && table()->enqueue_svm_free != nullptr) {
    const auto turn = detail::svm_turns::take(*table()->notes);
    if (note(table()->enqueue_svm_free(stream, 1, &address, nullptr, nullptr, 0, nullptr, kept.slot()),
             "clEnqueueSVMFree")) {
      return first;
    }
  }
  // The ordered free could not be enqueued: waits for all streams, then frees at once.
  for (const abi::queue other : others) note(table()->finish(other), "clFinish");
  note(table()->finish(stream), "clFinish");
  (void)svm_free(context, address);
  return first;
}

void svm_functions::svm_copy(abi::queue stream, void* destination, const void* source, std::size_t bytes,
                             completion<abi::event> done, const source_location& where) const {
  detail::copy_event event(table(), done);
  {
    const auto turn = detail::svm_turns::take(*table()->notes);
    const abi::boolean blocking = turn ? abi::no : event.blocking();  // nobody waits during a turn; `finish` does
    detail::invoke<&abi::functions::enqueue_svm_copy>(table(), where, stream, blocking, destination, source, bytes,
                                                      abi::uint{0}, static_cast<const abi::event*>(nullptr),
                                                      event.slot());
  }
  event.finish(table(), where);
}

void svm_functions::svm_fill(abi::queue stream, void* destination, const void* pattern, std::size_t pattern_bytes,
                             std::size_t count, const source_location& where) const {
  if (count == 0) return;  // drivers refuse an empty fill
  const auto address = reinterpret_cast<std::uintptr_t>(destination);
  if (std::has_single_bit(pattern_bytes) && pattern_bytes <= 128 && address % pattern_bytes == 0) {
    detail::kept_event kept(table());
    const auto turn = detail::svm_turns::take(*table()->notes);
    detail::invoke<&abi::functions::enqueue_svm_fill>(table(), where, stream, destination, pattern, pattern_bytes,
                                                      pattern_bytes * count, abi::uint{0},
                                                      static_cast<const abi::event*>(nullptr), kept.slot());
    return;
  }
  svm_copy(stream, destination, pattern, pattern_bytes, completion<abi::event>::blocking(), where);
  auto* bytes = static_cast<unsigned char*>(destination);
  std::size_t filled = pattern_bytes;
  while (filled < pattern_bytes * count) {
    const std::size_t piece = std::min(filled, pattern_bytes * count - filled);
    detail::kept_event kept(table());
    const auto turn = detail::svm_turns::take(*table()->notes);
    detail::invoke<&abi::functions::enqueue_svm_copy>(
        table(), where, stream, abi::no, static_cast<void*>(bytes + filled), static_cast<const void*>(bytes), piece,
        abi::uint{0}, static_cast<const abi::event*>(nullptr), kept.slot());
    filled += piece;
  }
}

void svm_functions::svm_map(abi::queue stream, void* address, std::size_t bytes, map_mode mode, bool blocking,
                            const source_location& where) const {
  if (!blocking) {
    detail::kept_event kept(table());
    detail::invoke<&abi::functions::enqueue_svm_map>(table(), where, stream, abi::no, detail::map_flags(mode), address,
                                                     bytes, abi::uint{0}, static_cast<const abi::event*>(nullptr),
                                                     kept.slot());
    return;
  }
  abi::event event = nullptr;
  detail::invoke<&abi::functions::enqueue_svm_map>(table(), where, stream, abi::yes, detail::map_flags(mode), address,
                                                   bytes, abi::uint{0}, static_cast<const abi::event*>(nullptr),
                                                   &event);
  try {
    detail::wait_and_release(table(), event, where);
  } catch (...) {  // the driver still counts it as mapped
    detail::report(svm_unmap(stream, address));
    throw;
  }
}
release_result svm_functions::svm_unmap(abi::queue stream, void* address) const noexcept {
  detail::kept_event kept(table());
  return detail::release<&abi::functions::enqueue_svm_unmap>(table(), stream, address, abi::uint{0},
                                                             static_cast<const abi::event*>(nullptr), kept.slot());
}

abi::event svm_functions::svm_map_later(abi::queue stream, void* address, std::size_t bytes, map_mode mode,
                                        std::span<const abi::event> after, const source_location& where) const {
  const detail::command_wait_list list(table(), stream, after, where);
  abi::event done = nullptr;
  detail::invoke<&abi::functions::enqueue_svm_map>(table(), where, stream, abi::no, detail::map_flags(mode), address,
                                                   bytes, list.size(), list.data(), &done);
  return done;
}
abi::event svm_functions::svm_unmap_later(abi::queue stream, void* address, std::span<const abi::event> after,
                                          const source_location& where) const {
  const detail::command_wait_list list(table(), stream, after, where);
  abi::event done = nullptr;
  detail::invoke<&abi::functions::enqueue_svm_unmap>(table(), where, stream, address, list.size(), list.data(), &done);
  return done;
}
abi::event svm_functions::svm_free_later(abi::queue stream, void* address, std::span<const abi::event> after,
                                         const source_location& where) const {
  const detail::command_wait_list list(table(), stream, after, where);
  abi::event done = nullptr;
  const auto turn = detail::svm_turns::take(*table()->notes);
  detail::invoke<&abi::functions::enqueue_svm_free>(table(), where, stream, abi::uint{1}, &address,
                                                    abi::svm_free_callback{nullptr}, static_cast<void*>(nullptr),
                                                    list.size(), list.data(), &done);
  return done;
}
abi::event svm_functions::svm_migrate(abi::queue stream, std::span<const void*> addresses,
                                      std::span<const std::size_t> bytes, abi::ulong flags,
                                      std::span<const abi::event> after, const source_location& where) const {
  // With an older platform the loader would call through null.
  const abi::device device = port(table()).stream_device(stream, where);
  if (detail::platform_version(table(), device, where) < 21) {
    detail::throw_error(errc::unsupported,
                        "shared virtual memory is not migrated: this OpenCL driver is older than 2.1", where);
  }
  const detail::command_wait_list list(table(), stream, after, where);
  abi::event done = nullptr;
  detail::invoke<&abi::functions::enqueue_svm_migrate>(table(), where, stream, static_cast<abi::uint>(addresses.size()),
                                                       addresses.data(), bytes.data(), flags, list.size(), list.data(),
                                                       &done);
  return done;
}

}  // namespace yoke::inline v0_1::opencl

#endif

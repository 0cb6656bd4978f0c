// SPDX-License-Identifier: MIT
// The operations of each backend behind `any_port`: allocations, copies and fills.
#ifndef YOKE_DRIVER_ANY_IMPL_MEMORY_IPP
#define YOKE_DRIVER_ANY_IMPL_MEMORY_IPP

#include <yoke/driver/any/impl/handles.ipp>

namespace yoke::inline YOKE_ABI::detail {

template <class Port>
struct memory_operations : any_handles {
  static memory_handle allocate(const void* driver, context_handle context, std::size_t bytes,
                                const source_location& where) {
    return wrapped<memory_handle>(
        port_of<Port>(driver).allocate(native<typename Port::context_handle>(context), bytes, where));
  }
  static memory_handle allocate_ordered(const void* driver, context_handle context, stream_handle stream,
                                        std::size_t bytes, const source_location& where) {
    return wrapped<memory_handle>(port_of<Port>(driver).allocate_ordered(
        native<typename Port::context_handle>(context), native<typename Port::stream_handle>(stream), bytes, where));
  }
  static release_result release_memory(const void* driver, context_handle context, memory_handle memory) noexcept {
    return port_of<Port>(driver).release_memory(native<typename Port::context_handle>(context),
                                                native<typename Port::memory_handle>(memory));
  }
  static memory_handle with_offset(const void* driver, memory_handle memory, std::size_t bytes,
                                   const source_location& where) {
    return wrapped<memory_handle>(
        port_of<Port>(driver).with_offset(native<typename Port::memory_handle>(memory), bytes, where));
  }
  static context_handle memory_context(const void* driver, memory_handle memory, const source_location& where) {
    return wrapped<context_handle>(
        port_of<Port>(driver).memory_context(native<typename Port::memory_handle>(memory), where));
  }
  static std::size_t memory_bytes(const void* driver, memory_handle memory, const source_location& where) {
    return port_of<Port>(driver).memory_bytes(native<typename Port::memory_handle>(memory), where);
  }
  static void check_native_memory(const void* driver, memory_handle memory, std::size_t alignment,
                                  native_ownership ownership, const source_location& where) {
    port_of<Port>(driver).check_native_memory(native<typename Port::memory_handle>(memory), alignment, ownership,
                                              where);
  }
  static pagelocked_handle allocate_pagelocked(const void* driver, context_handle context, device_handle device,
                                               std::size_t bytes, void** address, const source_location& where) {
    return wrapped<pagelocked_handle>(
        port_of<Port>(driver).allocate_pagelocked(native<typename Port::context_handle>(context),
                                                  native<typename Port::device_handle>(device), bytes, address, where));
  }
  static release_result release_pagelocked(const void* driver, context_handle context,
                                           pagelocked_handle block) noexcept {
    return port_of<Port>(driver).release_pagelocked(native<typename Port::context_handle>(context),
                                                    native<typename Port::pagelocked_handle>(block));
  }
  static pagelocked_handle adopt_pagelocked(const void* driver, context_handle context, device_handle device,
                                            native_pagelocked memory, std::size_t bytes, native_ownership ownership,
                                            void** address, const source_location& where) {
    return wrapped<pagelocked_handle>(port_of<Port>(driver).adopt_pagelocked(
        native<typename Port::context_handle>(context), native<typename Port::device_handle>(device),
        native<typename Port::native_pagelocked>(memory), bytes, ownership, address, where));
  }
  static native_pagelocked native_of_pagelocked(const void* driver, pagelocked_handle block) noexcept {
    return wrapped<native_pagelocked>(
        port_of<Port>(driver).native_of_pagelocked(native<typename Port::pagelocked_handle>(block)));
  }
  static release_result detach_pagelocked(const void* driver, context_handle context,
                                          pagelocked_handle block) noexcept {
    return port_of<Port>(driver).detach_pagelocked(native<typename Port::context_handle>(context),
                                                   native<typename Port::pagelocked_handle>(block));
  }
  static void write(const void* driver, stream_handle stream, memory_handle destination, std::size_t offset,
                    const void* source, std::size_t bytes, completion<event_handle> done,
                    const source_location& where) {
    typename Port::event_handle event{};
    port_of<Port>(driver).write(native<typename Port::stream_handle>(stream),
                                native<typename Port::memory_handle>(destination), offset, source, bytes,
                                done.with(event), where);
    if (done.wanted()) done.give(wrapped<event_handle>(event));
  }
  static void read(const void* driver, stream_handle stream, memory_handle source, std::size_t offset,
                   void* destination, std::size_t bytes, completion<event_handle> done, const source_location& where) {
    typename Port::event_handle event{};
    port_of<Port>(driver).read(native<typename Port::stream_handle>(stream),
                               native<typename Port::memory_handle>(source), offset, destination, bytes,
                               done.with(event), where);
    if (done.wanted()) done.give(wrapped<event_handle>(event));
  }
  static void copy(const void* driver, stream_handle stream, memory_handle source, std::size_t source_offset,
                   memory_handle destination, std::size_t destination_offset, std::size_t bytes,
                   completion<event_handle> done, const source_location& where) {
    typename Port::event_handle event{};
    port_of<Port>(driver).copy(
        native<typename Port::stream_handle>(stream), native<typename Port::memory_handle>(source), source_offset,
        native<typename Port::memory_handle>(destination), destination_offset, bytes, done.with(event), where);
    if (done.wanted()) done.give(wrapped<event_handle>(event));
  }
  static std::int32_t write_directly(const void* driver, stream_handle stream, memory_handle destination,
                                     std::size_t offset, const void* source, std::size_t bytes) noexcept {
    return port_of<Port>(driver).write_directly(native<typename Port::stream_handle>(stream),
                                                native<typename Port::memory_handle>(destination), offset, source,
                                                bytes);
  }
  static std::int32_t read_directly(const void* driver, stream_handle stream, memory_handle source, std::size_t offset,
                                    void* destination, std::size_t bytes) noexcept {
    return port_of<Port>(driver).read_directly(native<typename Port::stream_handle>(stream),
                                               native<typename Port::memory_handle>(source), offset, destination,
                                               bytes);
  }
  static std::int32_t copy_directly(const void* driver, stream_handle stream, memory_handle source,
                                    std::size_t source_offset, memory_handle destination,
                                    std::size_t destination_offset, std::size_t bytes) noexcept {
    return port_of<Port>(driver).copy_directly(
        native<typename Port::stream_handle>(stream), native<typename Port::memory_handle>(source), source_offset,
        native<typename Port::memory_handle>(destination), destination_offset, bytes);
  }
  static void refused(const void* driver, direct_command command, std::int32_t code, const direct_sides& sides,
                      const source_location& where) {
    port_of<Port>(driver).refused(command, code, sides, where);
  }
  static void write_box(const void* driver, stream_handle stream, memory_handle destination, const box_side& to,
                        const void* source, const box_side& from, const box_size& box, completion<event_handle> done,
                        const source_location& where) {
    typename Port::event_handle event{};
    port_of<Port>(driver).write_box(native<typename Port::stream_handle>(stream),
                                    native<typename Port::memory_handle>(destination), to, source, from, box,
                                    done.with(event), where);
    if (done.wanted()) done.give(wrapped<event_handle>(event));
  }
  static void read_box(const void* driver, stream_handle stream, memory_handle source, const box_side& from,
                       void* destination, const box_side& to, const box_size& box, completion<event_handle> done,
                       const source_location& where) {
    typename Port::event_handle event{};
    port_of<Port>(driver).read_box(native<typename Port::stream_handle>(stream),
                                   native<typename Port::memory_handle>(source), from, destination, to, box,
                                   done.with(event), where);
    if (done.wanted()) done.give(wrapped<event_handle>(event));
  }
  static void copy_box(const void* driver, stream_handle stream, memory_handle source, const box_side& from,
                       memory_handle destination, const box_side& to, const box_size& box,
                       completion<event_handle> done, const source_location& where) {
    typename Port::event_handle event{};
    port_of<Port>(driver).copy_box(native<typename Port::stream_handle>(stream),
                                   native<typename Port::memory_handle>(source), from,
                                   native<typename Port::memory_handle>(destination), to, box, done.with(event), where);
    if (done.wanted()) done.give(wrapped<event_handle>(event));
  }
  static void fill(const void* driver, stream_handle stream, memory_handle destination, std::size_t offset,
                   const void* pattern, std::size_t pattern_bytes, std::size_t count, const source_location& where) {
    port_of<Port>(driver).fill(native<typename Port::stream_handle>(stream),
                               native<typename Port::memory_handle>(destination), offset, pattern, pattern_bytes, count,
                               where);
  }
  static release_result release_memory_ordered(const void* driver, context_handle context, memory_handle memory,
                                               stream_handle stream, std::span<const stream_handle> others) noexcept {
    // No heap here: streams past the first eight are waited for instead.
    typename Port::stream_handle list[8] = {};
    const std::size_t count = std::min(others.size(), std::size(list));
    for (std::size_t i = 0; i < count; ++i) list[i] = native<typename Port::stream_handle>(others[i]);
    const Port port = port_of<Port>(driver);
    for (const stream_handle other : others.subspan(count)) {
      try {
        port.synchronize(native<typename Port::stream_handle>(other), {});
      } catch (...) {  // the release below is right all the same: the driver has ended that stream's work
      }
    }
    return port.release_memory_ordered(native<typename Port::context_handle>(context),
                                       native<typename Port::memory_handle>(memory),
                                       native<typename Port::stream_handle>(stream), {list, count});
  }

  static constexpr void enter(any_operations& table) noexcept {
    table.allocate = &allocate;
    table.allocate_ordered = &allocate_ordered;
    table.release_memory = &release_memory;
    table.with_offset = &with_offset;
    table.memory_context = &memory_context;
    table.memory_bytes = &memory_bytes;
    table.check_native_memory = &check_native_memory;
    table.allocate_pagelocked = &allocate_pagelocked;
    table.release_pagelocked = &release_pagelocked;
    table.adopt_pagelocked = &adopt_pagelocked;
    table.native_of_pagelocked = &native_of_pagelocked;
    table.detach_pagelocked = &detach_pagelocked;
    table.write = &write;
    table.read = &read;
    table.copy = &copy;
    table.write_directly = &write_directly;
    table.read_directly = &read_directly;
    table.copy_directly = &copy_directly;
    table.refused = &refused;
    table.write_box = &write_box;
    table.read_box = &read_box;
    table.copy_box = &copy_box;
    table.fill = &fill;
    table.release_memory_ordered = &release_memory_ordered;
  }
};

}  // namespace yoke::inline YOKE_ABI::detail

#endif

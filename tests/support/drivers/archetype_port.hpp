// SPDX-License-Identifier: MIT
// A backend with exactly the members of the port concepts, on host memory, whose handles convert to nothing.
#ifndef YOKE_TESTS_SUPPORT_ARCHETYPE_PORT_HPP
#define YOKE_TESTS_SUPPORT_ARCHETYPE_PORT_HPP

#include <yoke/driver/operations.hpp>
#include <yoke/driver/types.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace yoke_test {

/// A handle of the archetype: equality, a default, and nothing else that generic code could lean on.
template <class Noun>
class archetype_handle {
 public:
  constexpr archetype_handle() noexcept = default;
  friend constexpr bool operator==(const archetype_handle&, const archetype_handle&) noexcept = default;

 private:
  friend class archetype_port;
  friend struct archetype_driver;
  explicit constexpr archetype_handle(int number) noexcept : number_(number) {}
  int number_ = 0;
};

/// What the archetype's calls did: a log, references by handle, and the bytes of its "device" memory.
struct archetype_driver {
  mutable std::mutex mutex;  ///< callbacks release events on a thread of their own
  std::vector<std::string> calls;
  std::map<int, int> references;
  std::map<int, std::vector<std::byte>> memory;
  std::size_t launches = 0;
  std::vector<yoke::argument_kind> argument_kinds;  ///< of the last launch
  std::size_t waited_for = 0;                       ///< events of the last launch
  bool describes_kernels = true;
  int next = 100;
  int context = 0;  ///< the last one made: everything made after belongs to it

  [[nodiscard]] std::size_t count(const std::string& call) const {
    const std::lock_guard lock(mutex);
    return static_cast<std::size_t>(std::count(calls.begin(), calls.end(), call));
  }
  [[nodiscard]] std::size_t alive() const {
    const std::lock_guard lock(mutex);
    std::size_t total = 0;
    for (const auto& each : references) total += each.second > 0 ? static_cast<std::size_t>(each.second) : 0;
    return total;
  }
};

class archetype_port {
  using where_type = const yoke::source_location&;

 public:
  using device_handle = archetype_handle<struct archetype_device>;
  using context_handle = archetype_handle<struct archetype_context>;
  using stream_handle = archetype_handle<struct archetype_stream>;
  using event_handle = archetype_handle<struct archetype_event>;
  using memory_handle = archetype_handle<struct archetype_memory>;
  using pagelocked_handle = archetype_handle<struct archetype_pagelocked>;
  using native_pagelocked = archetype_handle<struct archetype_native_pagelocked>;
  using module_handle = archetype_handle<struct archetype_module>;
  using kernel_handle = archetype_handle<struct archetype_kernel>;
  using native_kernel = archetype_handle<struct archetype_native_kernel>;
  using release_result = yoke::release_result;

  constexpr archetype_port() noexcept = default;
  explicit archetype_port(archetype_driver& driver) noexcept : driver_(&driver) {}
  friend bool operator==(const archetype_port&, const archetype_port&) noexcept = default;

  // execution_port
  const char* backend_name() const { return "archetype"; }
  std::error_code error_code(std::int32_t code) const noexcept { return {code, yoke::error_category()}; }
  std::vector<device_handle> devices(where_type) const { return {device_handle{1}, device_handle{2}}; }
  yoke::device_summary summary(device_handle device, where_type) const {
    yoke::device_summary result;
    result.name = "archetype " + std::to_string(device.number_);
    result.platform = "tests";
    return result;
  }
  yoke::device_limits limits(device_handle, where_type) const { return {64, {64, 64, 64}, 1024, 1 << 20, 16}; }
  void retain_device(device_handle device, where_type) const { retain("device", device); }
  release_result release_device(device_handle device) const noexcept { return release("device", device); }
  context_handle create_context(std::span<const device_handle>, where_type) const {
    const auto made = make<context_handle>("context");
    driver_->context = made.number_;
    return made;
  }
  void retain_context(context_handle context, where_type) const { retain("context", context); }
  release_result release_context(context_handle context) const noexcept { return release("context", context); }
  std::vector<device_handle> context_devices(context_handle, where_type) const { return {device_handle{1}}; }
  std::uint64_t context_identity(context_handle) const noexcept { return 0; }
  bool context_is_gone(context_handle, std::uint64_t) const noexcept { return false; }
  stream_handle create_stream(context_handle context, device_handle device, const yoke::stream_options& options,
                              where_type) const {
    const auto made = make<stream_handle>("stream");
    streams()[made.number_] = {context, device, options.timing};
    return made;
  }
  void retain_stream(stream_handle stream, where_type) const { retain("stream", stream); }
  release_result release_stream(stream_handle stream) const noexcept { return release("stream", stream); }
  bool forget_stream(stream_handle) const noexcept { return false; }
  bool forget_event(event_handle) const noexcept { return false; }
  bool reuses_events(stream_handle) const noexcept { return false; }
  device_handle stream_device(stream_handle stream, where_type) const { return streams()[stream.number_].device; }
  context_handle stream_context(stream_handle stream, where_type) const { return streams()[stream.number_].context; }
  bool stream_has_timing(stream_handle stream, where_type) const { return streams()[stream.number_].timing; }
  void flush(stream_handle, where_type) const { note("flush"); }
  void synchronize(stream_handle, where_type) const { note("synchronize"); }
  event_handle record(stream_handle, std::span<const event_handle>, where_type) const {
    return make<event_handle>("event");
  }
  event_handle record_timed(stream_handle, std::span<const event_handle>, where_type) const {
    return make<event_handle>("event");
  }
  event_handle record_into(stream_handle, event_handle, where_type) const { return make<event_handle>("event"); }
  void wait_in_stream(stream_handle, std::span<const event_handle>, where_type) const { note("wait_in_stream"); }
  void retain_event(event_handle event, where_type) const { retain("event", event); }
  context_handle event_context(event_handle, where_type) const { return context_handle(driver_->context); }
  release_result release_event(event_handle event) const noexcept { return release("event", event); }
  void wait(event_handle, where_type) const { note("wait"); }
  yoke::event_status status(event_handle, where_type) const { return yoke::event_status::complete; }
  yoke::event_times times(event_handle, where_type) const { return {}; }
  std::int64_t elapsed(event_handle, event_handle, where_type) const { return 7; }
  void submit(event_handle, where_type) const { note("submit"); }

  // memory_port
  memory_handle allocate(context_handle, std::size_t bytes, where_type) const { return make_memory("memory", bytes); }
  memory_handle allocate_ordered(context_handle, stream_handle, std::size_t bytes, where_type) const {
    return make_memory("ordered_memory", bytes);
  }
  release_result release_memory(context_handle, memory_handle memory) const noexcept {
    return release("memory", memory);
  }
  release_result release_memory_ordered(context_handle, memory_handle memory, stream_handle,
                                        std::span<const stream_handle>) const noexcept {
    return release("ordered_memory", memory);
  }
  memory_handle with_offset(memory_handle memory, std::size_t, bool, where_type) const { return memory; }
  yoke::release_result release_offset(memory_handle) const noexcept { return {}; }
  context_handle memory_context(memory_handle, where_type) const { return context_handle(driver_->context); }
  std::size_t memory_bytes(memory_handle memory, where_type) const { return driver_->memory[memory.number_].size(); }
  void check_native_memory(memory_handle, std::size_t, yoke::native_ownership, where_type) const {}
  pagelocked_handle allocate_pagelocked(context_handle, device_handle, std::size_t bytes, void** address,
                                        where_type) const {
    const auto made = make<pagelocked_handle>("pagelocked");
    driver_->memory[made.number_].resize(bytes);
    *address = driver_->memory[made.number_].data();
    return made;
  }
  release_result release_pagelocked(context_handle, pagelocked_handle block) const noexcept {
    return release("pagelocked", block);
  }
  pagelocked_handle adopt_pagelocked(context_handle, device_handle, native_pagelocked native, std::size_t,
                                     yoke::native_ownership, void** address, where_type) const {
    *address = driver_->memory[native.number_].data();
    return pagelocked_handle(native.number_);
  }
  native_pagelocked native_of_pagelocked(pagelocked_handle block) const noexcept {
    return native_pagelocked(block.number_);
  }
  release_result detach_pagelocked(context_handle, pagelocked_handle) const noexcept { return {0, ""}; }
  void write(stream_handle, memory_handle to, std::size_t offset, const void* from, std::size_t bytes,
             yoke::completion<event_handle> done, where_type) const {
    finish("write", done);
    std::memcpy(at(to, offset), from, bytes);
  }
  void read(stream_handle, memory_handle from, std::size_t offset, void* to, std::size_t bytes,
            yoke::completion<event_handle> done, where_type) const {
    finish("read", done);
    std::memcpy(to, at(from, offset), bytes);
  }
  void copy(stream_handle, memory_handle from, std::size_t from_offset, memory_handle to, std::size_t to_offset,
            std::size_t bytes, yoke::completion<event_handle> done, where_type) const {
    finish("copy", done);
    std::memmove(at(to, to_offset), at(from, from_offset), bytes);
  }
  void write_box(stream_handle, memory_handle to, const yoke::box_side& there, const void* from,
                 const yoke::box_side& here, const yoke::box_size& box, yoke::completion<event_handle> done,
                 where_type) const {
    finish("write_box", done);
    rows(static_cast<const std::byte*>(from), here, at(to, 0), there, box);
  }
  void read_box(stream_handle, memory_handle from, const yoke::box_side& there, void* to, const yoke::box_side& here,
                const yoke::box_size& box, yoke::completion<event_handle> done, where_type) const {
    finish("read_box", done);
    rows(at(from, 0), there, static_cast<std::byte*>(to), here, box);
  }
  void copy_box(stream_handle, memory_handle from, const yoke::box_side& first, memory_handle to,
                const yoke::box_side& second, const yoke::box_size& box, yoke::completion<event_handle> done,
                where_type) const {
    finish("copy_box", done);
    rows(at(from, 0), first, at(to, 0), second, box);
  }
  void fill(stream_handle, memory_handle to, std::size_t offset, const void* pattern, std::size_t bytes,
            std::size_t count, where_type) const {
    note("fill");
    for (std::size_t i = 0; i < count; ++i) std::memcpy(at(to, offset + i * bytes), pattern, bytes);
  }

  // program_port
  const yoke::kernel_language& language() const noexcept {
    static constexpr yoke::kernel_language archetype{
        .name = "Archetype", .source_name = "kernel.archetype", .prelude = "#define YOKE_BACKEND_ARCHETYPE 1\n"};
    return archetype;
  }
  yoke::build_target target_of(std::span<const device_handle>, where_type) const {
    return {"archetype", "bytes", "1", "device"};
  }
  std::string compiler_of(std::span<const device_handle>, bool, where_type) const { return "archetype compiler 1"; }
  module_handle compile(context_handle, std::span<const device_handle>, const yoke::compile_request&,
                        where_type) const {
    return make<module_handle>("module");
  }
  module_handle load_binary(context_handle, std::span<const device_handle>, std::span<const std::byte>,
                            where_type) const {
    return make<module_handle>("module");
  }
  module_handle load_intermediate(context_handle, std::span<const device_handle>, std::span<const std::byte>,
                                  const yoke::compile_request&, where_type) const {
    return make<module_handle>("module");
  }
  std::vector<std::byte> export_binary(module_handle, where_type) const { return {std::byte{1}}; }
  context_handle module_context(module_handle, where_type) const { return context_handle(driver_->context); }
  void retain_module(module_handle module, where_type) const { retain("module", module); }
  release_result release_module(module_handle module) const noexcept { return release("module", module); }
  std::string build_log(module_handle, device_handle, const yoke::source_lines&, where_type) const { return "log"; }
  std::vector<std::string> kernel_names(module_handle, where_type) const { return {"k"}; }
  kernel_handle create_kernel(module_handle, const char*, where_type) const { return make<kernel_handle>("kernel"); }
  kernel_handle adopt_kernel(module_handle, native_kernel native, bool, where_type) const {
    return kernel_handle(native.number_);
  }
  native_kernel native_of(kernel_handle kernel) const noexcept { return native_kernel(kernel.number_); }
  release_result detach_kernel(kernel_handle) const noexcept { return {0, ""}; }
  release_result release_kernel(kernel_handle kernel) const noexcept { return release("kernel", kernel); }
  yoke::kernel_signature signature(context_handle, kernel_handle, where_type) const {
    using enum yoke::address_space;
    if (!driver_->describes_kernels) return {6, false, {}, true};
    return {6,
            true,
            {{global, false, 0, "float", "a"},
             {global, true, 0, "float", "b"},
             {local, false, 0, "int", "c"},
             {constant, true, 0, "float", "d"},
             {value, false, 0, "int", "e"},
             {value, false, 0, "float", "f"}},
            true};
  }
  bool accepts(context_handle, kernel_handle, std::span<const yoke::kernel_argument>, where_type) const { return true; }
  yoke::kernel_limits limits_of_kernel(kernel_handle, device_handle, where_type) const { return {32, 0, 8, 0, {}}; }
  void launch(const yoke::basic_launch_call<kernel_handle, stream_handle, event_handle>& call, where_type) const {
    ++driver_->launches;
    driver_->argument_kinds.clear();
    for (const yoke::kernel_argument& each : call.arguments) driver_->argument_kinds.push_back(each.kind);
    driver_->waited_for = call.after.size();
    finish("launch", call.done == nullptr ? yoke::completion<event_handle>::unwatched()
                                          : yoke::completion<event_handle>::into(*call.done));
  }

 protected:
  struct stream_facts {
    context_handle context;
    device_handle device;
    bool timing = false;
  };
  void note(const char* call) const {
    const std::lock_guard lock(driver_->mutex);
    driver_->calls.emplace_back(call);
  }
  template <class Handle>
  Handle make(const std::string& noun) const {
    note(("create_" + noun).c_str());
    const std::lock_guard lock(driver_->mutex);
    const Handle made(++driver_->next);
    driver_->references[made.number_] = 1;
    return made;
  }

 private:
  static std::map<int, stream_facts>& streams() {
    static std::map<int, stream_facts> all;
    return all;
  }
  memory_handle make_memory(const std::string& noun, std::size_t bytes) const {
    const auto made = make<memory_handle>(noun);
    driver_->memory[made.number_].resize(bytes);
    return made;
  }
  template <class Handle>
  void retain(const std::string& noun, Handle handle) const {
    note(("retain_" + noun).c_str());
    const std::lock_guard lock(driver_->mutex);
    ++driver_->references[handle.number_];
  }
  template <class Handle>
  release_result release(const std::string& noun, Handle handle) const noexcept {
    note(("release_" + noun).c_str());
    const std::lock_guard lock(driver_->mutex);
    return {--driver_->references[handle.number_] < 0 ? -38 : 0, "release"};
  }
  void finish(const char* call, yoke::completion<event_handle> done) const {
    note(call);
    if (done.wanted()) done.give(make<event_handle>("event"));
  }
  std::byte* at(memory_handle memory, std::size_t offset) const {
    return driver_->memory[memory.number_].data() + offset;
  }
  static void rows(const std::byte* from, const yoke::box_side& first, std::byte* to, const yoke::box_side& second,
                   const yoke::box_size& box) {
    for (std::size_t slice = 0; slice < box.slices; ++slice) {
      for (std::size_t row = 0; row < box.rows; ++row) {
        std::memcpy(to + second.offset + slice * second.slice_pitch + row * second.row_pitch,
                    from + first.offset + slice * first.slice_pitch + row * first.row_pitch, box.row_bytes);
      }
    }
  }

  archetype_driver* driver_ = nullptr;
};

/// The archetype with out-of-order streams, and nothing else more.
class out_of_order_archetype_port : public archetype_port {
 public:
  using archetype_port::archetype_port;
  stream_handle create_out_of_order_stream(context_handle context, device_handle device,
                                           const yoke::stream_options& options,
                                           const yoke::source_location& where) const {
    return create_stream(context, device, options, where);
  }
  bool stream_is_out_of_order(stream_handle, const yoke::source_location&) const { return false; }
  event_handle barrier(stream_handle, std::span<const event_handle>, const yoke::source_location&) const {
    return make<event_handle>("event");
  }
};

}  // namespace yoke_test

#endif

// SPDX-License-Identifier: MIT
// The plain values that ports and handles exchange: limits, shapes, boxes, signatures.
#ifndef YOKE_DRIVER_TYPES_HPP
#define YOKE_DRIVER_TYPES_HPP

#include <yoke/core/config.hpp>
#include <yoke/core/extent.hpp>

#include <array>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace yoke::inline v0_1 {

/// The class of a device, best first for choosing.
enum class device_kind : std::uint8_t { gpu, accelerator, cpu, other };

/// The facts that identify and rank a device.
struct device_summary {
  std::string name;
  std::string platform;
  std::string vendor;
  std::string version;
  std::string driver_version;
  device_kind kind = device_kind::other;
  std::uint32_t compute_units = 0;
  std::uint32_t clock_mhz = 0;
  std::uint64_t global_memory_bytes = 0;
  std::string pci_bus_id;  ///< "0000:01:00.0"; "" if the driver does not say
  std::string uuid;        ///< "GPU-12345678-1234-1234-1234-123456789abc"; "" if the driver does not say
};

/// The limits of a device that messages name, and that the library checks if a driver does not.
struct device_limits {
  std::size_t max_block = 0;
  std::array<std::size_t, 3> max_block_extent{};
  std::size_t local_memory_bytes = 0;
  std::uint64_t max_allocation_bytes = 0;
  std::size_t base_alignment_bytes = 1;
};

/// The options of a stream. A backend with more options has its own type: `cuda::stream_options`.
struct stream_options {
  bool timing = false;        ///< the stream records timed events
  bool non_blocking = false;  ///< does not synchronise with CUDA's legacy default stream; OpenCL's queues never do

  template <class Options>
    requires Options::refines_stream_options
  constexpr operator Options() const noexcept {  // NOLINT: options of every backend
    return Options::refining(*this);
  }
};

/// The progress of a command.
enum class event_status : std::uint8_t { queued, submitted, running, complete, failed };

struct event_times;

namespace detail {
/// The message for an adopted or borrowed event whose time the driver does not tell.
inline constexpr const char* untimed_event = "the native event carries no times: it was recorded without timing";
}  // namespace detail

/// Who releases native memory that a handle takes, and how.
enum class native_ownership : std::uint8_t {
  borrowed,  ///< the caller releases it
  plain,     ///< the handle releases it as a plain allocation
  ordered,   ///< the handle releases it in a stream's order
};

/// The outcome of a release call. Code 0 is success.
struct release_result {
  std::int32_t code = 0;
  const char* call = "";
};

/// One side of a copy of rows and slices, in bytes.
struct box_side {
  std::size_t offset = 0;
  std::size_t row_pitch = 0;
  std::size_t slice_pitch = 0;
};

/// The box to copy: `slices` slices of `rows` rows of `row_bytes` bytes.
struct box_size {
  std::size_t row_bytes = 0;
  std::size_t rows = 1;
  std::size_t slices = 1;
};

namespace detail {
/// Returns: whether the pitch of rows, or of several slices, differs between the two sides. If memory handles are not
/// addresses, drivers copy such a box within one memory only row by row.
[[nodiscard]] constexpr bool have_other_pitches(const box_side& from, const box_side& to, std::size_t slices) noexcept {
  return from.row_pitch != to.row_pitch || (slices != 1 && from.slice_pitch != to.slice_pitch);
}
}  // namespace detail

/// One of several copies for a single driver call. Both sides are addresses: device memory, or page-locked host memory.
/// The offsets of its sides are 0.
struct batched_copy {
  std::uint64_t source = 0;
  std::uint64_t destination = 0;
  box_side from{};
  box_side to{};
  box_size box{};
};

/// The access that kernels have to a buffer or an image.
enum class kernel_access : std::uint8_t { read_write, read_only, write_only };

/// The access of the host to mapped memory.
enum class map_mode : std::uint8_t { read, write, read_write };

namespace detail {
/// Whether each count is from 1 to 2^31. The subtraction turns 0 into the largest number.
[[nodiscard, gnu::always_inline]] constexpr bool all_fit(const extent3& grid, const extent3& block) noexcept {
  return (((grid.x - 1) | (grid.y - 1) | (grid.z - 1) | (block.x - 1) | (block.y - 1) | (block.z - 1)) >> 31) == 0;
}

/// The first member of a shape. It accepts no value, so that a shape cannot be initialised by position.
class parts_are_named {
 public:
  constexpr explicit parts_are_named() noexcept = default;
  template <class First, class... More>
    requires std::constructible_from<extent3, First, More...>
  constexpr parts_are_named(First, More...) noexcept {  // NOLINT: catches `{1024, 64}`
    static_assert(!std::constructible_from<extent3, First, More...>,
                  "name the parts of a launch's shape: {.grid = blocks, .block = threads of a block}, or write "
                  "yoke::launch_over(threads)");
  }
};
}  // namespace detail

/// The shape of a launch. Name its parts, as in `{.grid = 16, .block = 64}`: `{16, 64}` does not compile.
struct launch_shape {
  [[no_unique_address]] detail::parts_are_named named{};
  extent3 grid{};        ///< blocks (work-groups)
  extent3 block{};       ///< threads of a block (work-items of a group)
  bool nothing = false;  ///< `launch_over(0)`: enqueue nothing

  /// Converts to a backend's shape that has more parts.
  template <class Shape>
    requires Shape::refines_launch_shape
  constexpr operator Shape() const noexcept {  // NOLINT: `launch_over(n)` is a shape everywhere
    Shape result;
    result.grid = grid;
    result.block = block;
    result.nothing = nothing;
    return result;
  }
  /// Whether it has 1 to 2^31 blocks and threads along each axis, and sets nothing else.
  [[nodiscard, gnu::always_inline]] constexpr bool is_plain() const noexcept {
    return detail::all_fit(grid, block) && !nothing;
  }
  [[nodiscard, gnu::always_inline]] constexpr unsigned dimensions() const noexcept {
    if (grid.z != 1 || block.z != 1) return 3;
    return grid.y != 1 || block.y != 1 ? 2 : 1;
  }
};

/// A shape that `is_plain`, without local memory.
struct plain_shape {
  extent3 grid;
  extent3 block;
  unsigned dimensions;
};

/// The facts about an argument that are known when compiling: its size, and whether equal bytes mean equal values,
/// which is false for memory handles and for types with padding.
struct argument_form {
  std::size_t bytes = 0;
  bool is_its_bytes = false;
};

/// The sizes in bytes of a launch's arguments: a constant for each signature.
struct argument_sizes {
  const std::size_t* bytes;
  std::uint32_t count;
};

/// The kind of a kernel argument.
enum class argument_kind : std::uint8_t {
  value,    ///< `bytes` bytes at `data`
  memory,   ///< `data` points to a native memory handle; a null handle is a null pointer in the kernel
  local,    ///< `bytes` bytes of dynamic local memory
  address,  ///< `data` is an address in shared virtual memory
};

struct kernel_argument {
  argument_kind kind = argument_kind::value;
  const void* data = nullptr;
  std::size_t bytes = 0;
};

/// Which check a kernel's signature passed, strongest first.
enum class signature_check : std::uint8_t {
  types,    ///< the compiler's own types were compared: by the compiler, or from its mangled kernel names
  names,    ///< address spaces and type names of every parameter were compared
  sizes,    ///< count and sizes of by-value parameters were compared
  count,    ///< the number of parameters was compared, and other facts if known
  nothing,  ///< nothing could be compared
};

enum class address_space : std::uint8_t { value, global, local, constant, unknown };

/// Whether a scalar is an integer (or an address) or a floating-point number.
enum class scalar_kind : std::uint8_t { unknown, integer, floating };

struct struct_description;

/// One parameter of a kernel, as requested or as the driver reports it.
struct parameter_info {
  address_space space = address_space::unknown;
  bool is_const = false;
  std::size_t bytes = 0;                      ///< size of a by-value parameter; 0 when unknown
  std::string type;                           ///< element type of pointers, whole type of values; "" when unknown
  std::string name;                           ///< the parameter's own name; "" when unknown
  std::size_t alignment = 0;                  ///< alignment of a by-value parameter; 0 when unknown
  scalar_kind scalar = scalar_kind::unknown;  ///< kind of a by-value parameter
  std::string spelling{};                     ///< the whole type in standard C++; "" if the library cannot spell it
  std::size_t element_bytes = 0;      ///< size of the host's type, or of the pointee for a pointer; 0 when unknown
  std::size_t element_alignment = 0;  ///< alignment of the same type
  struct_description (*describe)() = nullptr;  ///< describes a registered struct; null for any other type
};

/// The offset and size of one parameter in a compiled kernel's argument buffer.
struct parameter_layout {
  std::size_t offset = 0;
  std::size_t bytes = 0;
  scalar_kind scalar = scalar_kind::unknown;
};

/// A kernel with its parameters: as requested from a compiler, or as reported by a driver.
struct typed_kernel {
  std::string name;
  std::vector<parameter_info> parameters;
};

/// A kernel's parameters as the driver reports them.
struct kernel_signature {
  std::size_t count = 0;
  bool described = false;  ///< whether `parameters` is filled in
  std::vector<parameter_info> parameters;
  bool counted = true;                     ///< whether the driver knows their number
  bool by_compiler = false;                ///< whether the compiler has compared every type with the requested one
  bool laid_out = false;                   ///< whether `layout` is known
  std::vector<parameter_layout> layout{};  ///< one entry for each parameter
  bool cxx = false;                        ///< whether type names are CUDA C++, which shows no typedefs
};

/// The needs and limits of a kernel on a device.
struct kernel_limits {
  std::size_t max_block = 0;           ///< largest block for this kernel
  std::size_t static_local_bytes = 0;  ///< declared in the kernel
  std::size_t preferred_multiple = 1;  ///< block sizes that fill the hardware
  std::size_t private_bytes = 0;
  std::array<std::size_t, 3> required_block{};  ///< fixed by the source; zeros when free
};

/// A `#line` directive of a source.
struct line_mark {
  std::size_t at = 0;    ///< the directive's own line, from 1
  std::size_t line = 0;  ///< the line number that it gives the next line
  std::string file{};    ///< the file name that it gives the next line
};
/// Maps lines of the compiler's text to lines of the source, for messages.
struct source_lines {
  std::string name;        ///< the source's name in messages
  std::size_t before = 0;  ///< lines of the text before the source's first
  /// Where headers replace their includes, for compilers that ignore `#line`.
  std::vector<line_mark> marks{};
};

/// The four times of a command, in the device's clock.
struct event_times {
  std::chrono::nanoseconds queued{};
  std::chrono::nanoseconds submitted{};
  std::chrono::nanoseconds started{};
  std::chrono::nanoseconds ended{};
};

/// Whether a backend can be used, and why not.
struct availability {
  bool available = false;
  std::string reason;  ///< the library that was looked for and the result; "" when available

  [[nodiscard]] explicit operator bool() const noexcept { return available; }
};

/// When a launch of a graph runs the bodies of a conditional node.
enum class condition_kind : std::uint8_t {
  if_not_zero,     ///< the first body if the value is not 0, else the second, if there are two
  while_not_zero,  ///< the only body, as long as the value is not 0
  by_number,       ///< the body of that number, if there is one
};

/// A conditional node and its body graphs, as the backend's own handles.
struct recorded_condition {
  void* node = nullptr;
  std::vector<void*> bodies{};
};

}  // namespace yoke::inline v0_1

#endif

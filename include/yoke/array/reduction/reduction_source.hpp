// SPDX-License-Identifier: MIT
// The text of a reduction's kernels, and the axes that they walk.
#ifndef YOKE_ARRAY_REDUCTION_REDUCTION_SOURCE_HPP
#define YOKE_ARRAY_REDUCTION_REDUCTION_SOURCE_HPP

#include <yoke/array/evaluation/expression_kernel.hpp>

namespace yoke::inline v0_1::detail {

/// The threads of a block, and the elements that it reduces for a result: the same on each device, so that sums are.
inline constexpr std::size_t reduction_block = 256;
inline constexpr std::size_t reduction_tile = 4096;
/// The parts of earlier passes that a block reduces for a result.
inline constexpr std::size_t later_tile = 16384;

[[noreturn, gnu::cold]] YOKE_API void throw_nothing_to_reduce(const char* what, const std::size_t* extents,
                                                              std::size_t rank, const source_location& where);

/// How values are reduced. `first_least` and `first_most` are indices.
enum class reduction_kind : std::uint8_t {
  sum,
  product,
  least,
  most,
  any,
  all,
  count,
  mean,
  mean_square,
  norm,
  first_least,
  first_most,
  given
};

/// One reduction of a pass.
struct reduction_field {
  reduction_kind by{};
  value_type_name accumulator{};
  value_type_name to{};
  const char* join = "";                 ///< of a given one: two values, `a` and `b`, as one
  const char* neutral = "";              ///< of a given one
  const char* needs_elements = nullptr;  ///< what nothing has none of; null: it has one
};
/// Whether floats are summed up in `double` where the device has it: the sums of means, variances and norms may leave the range of
/// `float` where the results do not.
[[nodiscard]] constexpr bool sums_in_double(const reduction_field& of) noexcept {
  const bool is_single = of.accumulator.kind == value_kind::float32 || of.accumulator.kind == value_kind::complex64;
  return is_single &&
         (of.by == reduction_kind::mean || of.by == reduction_kind::mean_square || of.by == reduction_kind::norm);
}
/// The most bytes that a block leaves for the next pass: 256 of them fit into local memory.
inline constexpr std::size_t most_part_bytes = 128;
/// Returns: no less than the alignment that a device gives to a type of so many bytes.
[[nodiscard]] constexpr std::size_t most_alignment(std::size_t bytes) noexcept { return bytes & (~bytes + 1); }

/// How a result's elements are dealt out. Each lane adds every so many elements of a tile; then lanes are joined in pairs.
/// The numbers of lanes and tiles depend only on the shape; any thread may have any lane.
struct reduction_lanes {
  std::uint32_t lanes = reduction_block;    ///< of a tile
  std::uint32_t threads = reduction_block;  ///< of a tile; each has one lane or several
  bool columns = false;                     ///< neighbours in a block have neighbouring results, not neighbouring lanes
  bool serial = false;                      ///< a block is one thread, which has all lanes of a tile
  /// The threads of a block.
  [[nodiscard]] constexpr std::size_t block() const noexcept {
    return serial ? 1 : threads < reduction_block ? reduction_block : threads;
  }
  /// Whether there is one result, of all elements.
  [[nodiscard]] constexpr bool is_whole() const noexcept { return threads >= reduction_block; }
};
/// Returns: what is not less than any number of a kind, or for `least` not greater: the neutral element of extremes.
[[nodiscard]] constexpr const char* extreme_neutral(value_kind kind, bool least) noexcept {
  switch (kind) {
    case value_kind::float32: return least ? "as_float(0x7f800000)" : "-as_float(0x7f800000)";
    case value_kind::float64: return least ? "(double)as_float(0x7f800000)" : "-(double)as_float(0x7f800000)";
    case value_kind::int8: return least ? "127" : "-128";
    case value_kind::uint8: return least ? "255" : "0";
    case value_kind::int16: return least ? "32767" : "-32768";
    case value_kind::uint16: return least ? "65535" : "0";
    case value_kind::uint32: return least ? "0xffffffffu" : "0";
    case value_kind::int64: return least ? "(yoke_int64)0x7fffffffffffffff" : "-(yoke_int64)0x7fffffffffffffff - 1";
    case value_kind::uint64: return least ? "~(yoke_uint64)0" : "0";
    default: return least ? "2147483647" : "-2147483647 - 1";
  }
}
/// Returns: the operator of extremes; NaN is more than any number, and less.
[[nodiscard]] constexpr const char* extreme_join(value_kind kind, bool least) noexcept {
  if (kind == value_kind::float32 || kind == value_kind::float64) {
    return least ? "b < a || b != b ? b : a" : "a < b || b != b ? b : a";
  }
  return least ? "b < a ? b : a" : "a < b ? b : a";
}
/// What a kernel's text depends on.
struct reduction_form {
  expression_form values{};  ///< of the elements; without rank and, for parts, without steps
  std::span<const reduction_field> fields{};
  reduction_lanes lanes{};
  std::size_t result_rank = 0;
  std::size_t rank = 0;     ///< of the axes that are reduced
  bool linear = false;      ///< element `i` is at place `i`
  bool from_parts = false;  ///< of an earlier pass
  bool to_parts = false;    ///< for a later one
  std::size_t batch = 1;    ///< the elements that a lane reads before it joins the first
};
/// Returns: that batch, for so many bytes of an element. `several` is what `takes_several` says.
[[nodiscard]] constexpr std::size_t reduction_batch(bool several, std::size_t bytes) noexcept {
  return !several ? 1 : bytes <= 4 ? 16 : bytes <= 8 ? 8 : 4;
}
/// Returns: `yoke_x_reduce`, and kernels of parts for the passes behind it: `yoke_x_reduce1` and so on. They share the fields.
YOKE_API std::string reduction_source(const reduction_form& form, std::span<const reduction_form> later = {});
/// Returns: a function that makes a given neutral element: a number, or the body of a function.
YOKE_API std::string neutral_text(value_type_name type, const std::string& name, const char* neutral);
/// The parts of it, for kernels with values of their own.
YOKE_API std::string reduction_steps_text(std::size_t inputs, bool wide);
YOKE_API std::string reduction_parts_text(std::span<const reduction_field> fields);
/// The texts of one kernel.
struct reduction_texts {
  std::string name{};
  std::string steps = "yoke_x_steps";  ///< the type of its last parameter
  std::string parameters{};            ///< the others: "..., "
  std::string places{};                ///< statements once for each result
  std::string load{};                  ///< statements that put element `i` into `next`
};
/// Returns: a kernel. It may stand behind others of the same parts.
YOKE_API std::string reduction_kernel_text(const reduction_form& form, const reduction_texts& of);
/// The parameter of a kernel that reads parts, and the statement that reads part `i`.
inline constexpr const char* parts_parameter = "YOKE_GLOBAL const yoke_uint8* p0, ";
[[nodiscard]] constexpr const char* part_load_text(const reduction_lanes& lanes) noexcept {
  return lanes.is_whole() ? "    next = ((YOKE_GLOBAL const yoke_x_part*)p0)[i];\n"
                          : "    next = ((YOKE_GLOBAL const yoke_x_part*)p0)[(yoke_int64)i * steps.results + "
                            "(yoke_int64)result];\n";
}

/// The axes of the results and of what is reduced for each. The first operand of both is in C order.
struct reduction_axes {
  expression_axes results;
  expression_axes reduced;
};
/// Effects: finds both. Requires: all operands broadcast to the shape. Throws: as `merge_axes`.
YOKE_API void split_axes(reduction_axes& axes, const std::size_t* extents, std::size_t rank, std::uint32_t reduced,
                         std::span<const byte_layout> operands, const source_location& where);
/// Whether 32 bits count all steps and reach every element.
[[nodiscard]] YOKE_API bool is_narrow(const reduction_axes& axes, std::size_t operands) noexcept;
/// Returns: the lanes for so many elements of each result, and parts of so many bytes.
[[nodiscard]] YOKE_API reduction_lanes lanes_for(const reduction_axes& axes, bool whole, std::size_t bytes) noexcept;
/// The same of what an earlier pass left, by blocks of up to so many threads.
[[nodiscard]] YOKE_API reduction_lanes lanes_for_parts(const reduction_axes& axes, bool whole, std::size_t bytes,
                                                       std::uint32_t most_threads) noexcept;

/// What the kernel gets of them, of one input. Units: elements.
struct reduction_steps {
  std::int64_t results = 0;
  std::int64_t count = 0;     ///< of the elements of each result
  std::int64_t tiles = 0;     ///< of each result
  std::int64_t elements = 0;  ///< what a mean divides by
  std::int64_t offsets[1]{};
  std::int64_t result_extents[most_axes]{};
  std::int64_t result_strides[most_axes]{};
  std::int64_t extents[most_axes]{};
  std::int64_t strides[most_axes]{};
};

/// Returns: the bytes of what a block leaves for the next pass: a struct of the accumulators, and of an index for each
/// reduction that has one.
[[nodiscard]] constexpr std::size_t part_bytes(std::span<const reduction_field> fields) noexcept {
  std::size_t size = 0;
  std::size_t alignment = 1;
  const auto add = [&](std::size_t bytes) {
    const std::size_t own = most_alignment(bytes);
    size = (size + own - 1) / own * own + bytes;
    alignment = alignment < own ? own : alignment;
  };
  for (const reduction_field& each : fields) {
    add(sums_in_double(each) ? 2 * each.accumulator.bytes : each.accumulator.bytes);
    if (each.by == reduction_kind::first_least || each.by == reduction_kind::first_most) add(8);
  }
  return (size + alignment - 1) / alignment * alignment;
}

}  // namespace yoke::inline v0_1::detail

namespace yoke::inline v0_1 {
// Its name in kernels.
template <>
inline constexpr const char* device_type_name<detail::reduction_steps> = "yoke_x_steps";
}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/reduction/reduction_source.ipp>
#endif

#endif

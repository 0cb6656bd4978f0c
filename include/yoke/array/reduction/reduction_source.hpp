// SPDX-License-Identifier: MIT
// The form and source of a reduction's kernels, and the axes that they walk.
#ifndef YOKE_ARRAY_REDUCTION_REDUCTION_SOURCE_HPP
#define YOKE_ARRAY_REDUCTION_REDUCTION_SOURCE_HPP

#include <yoke/array/evaluation/expression_kernel.hpp>

namespace yoke::inline v0_1::detail {

/// The threads of a block, and the elements that it reduces for a result. They are the same on each device, so that
/// sums are.
inline constexpr std::size_t reduction_block = 256;
inline constexpr std::size_t reduction_tile = 4096;
/// The elements that one of 32 lanes joins before it joins them to its others; the 256 lanes of a reduction of all
/// elements have no more.
inline constexpr std::size_t reduction_piece = 16;
/// The parts of an earlier pass that a block reduces for a result.
inline constexpr std::size_t later_tile = 16384;

[[noreturn, gnu::cold]] YOKE_API void throw_nothing_to_reduce(const char* what, const std::size_t* extents,
                                                              std::size_t rank, const source_location& where);

/// The kinds of reductions. The results of `first_least` and `first_most` are indices.
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
  variance,  ///< of all elements; the lanes' means and squares of distances are joined
  norm,
  first_least,
  first_most,
  given
};

/// Whether the result is an index.
[[nodiscard]] constexpr bool has_index(reduction_kind by) noexcept {
  return by == reduction_kind::first_least || by == reduction_kind::first_most;
}

/// One reduction of a pass.
struct reduction_field {
  reduction_kind by{};
  value_type_name accumulator{};
  value_type_name to{};
  const char* join = "";                 ///< joins two values, `a` and `b`, for `given`
  const char* neutral = "";              ///< neutral element for `given`
  const char* needs_elements = nullptr;  ///< noun for messages if the reduction needs elements, else null
};
/// Whether floats are added in `double` where the device has it. The sums of means, variances and norms may overflow
/// `float` where the results do not.
[[nodiscard]] constexpr bool sums_in_double(const reduction_field& of) noexcept {
  const bool is_single = of.accumulator.kind == value_kind::float32 || of.accumulator.kind == value_kind::complex64;
  return is_single && (of.by == reduction_kind::mean || of.by == reduction_kind::mean_square ||
                       of.by == reduction_kind::variance || of.by == reduction_kind::norm);
}
/// The maximum of bytes that a block leaves for the next pass: 256 such parts fit into local memory.
inline constexpr std::size_t most_part_bytes = 128;
/// Returns: an upper bound of the alignment that a device gives to a type of this size.
[[nodiscard]] constexpr std::size_t most_alignment(std::size_t bytes) noexcept { return bytes & (~bytes + 1); }

/// How the elements of a result are distributed. Each lane joins elements of a tile at equal distances; then lanes are
/// joined in pairs. The numbers of lanes and tiles depend only on the shape, but any thread may run any lane.
struct reduction_lanes {
  std::uint32_t lanes = reduction_block;    ///< lanes of a tile
  std::uint32_t threads = reduction_block;  ///< threads of a tile; each runs one lane or several
  std::uint32_t results = 1;                ///< results of a block
  bool columns = false;                     ///< neighbouring threads have neighbouring results, else neighbouring lanes
  bool serial = false;                      ///< a block is one thread, which runs all lanes of a tile
  /// Returns: the threads of a block.
  [[nodiscard]] constexpr std::size_t block() const noexcept { return std::size_t{threads} * results; }
  /// Whether all elements give one result.
  [[nodiscard]] constexpr bool is_whole() const noexcept { return threads >= reduction_block; }
};
/// Returns: the neutral element of extremes: the least value of a kind or, for `least`, the greatest.
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
/// Returns: the text that joins extremes; NaN counts as the extreme.
[[nodiscard]] constexpr const char* extreme_join(value_kind kind, bool least) noexcept {
  if (kind == value_kind::float32 || kind == value_kind::float64) {
    return least ? "b < a || b != b ? b : a" : "a < b || b != b ? b : a";
  }
  return least ? "b < a ? b : a" : "a < b ? b : a";
}
/// The properties that a kernel's text depends on.
struct reduction_form {
  expression_form values{};  ///< the expression of the elements; without rank and, for parts, without steps
  std::span<const reduction_field> fields{};
  reduction_lanes lanes{};
  std::size_t result_rank = 0;
  std::size_t rank = 0;     ///< number of reduced axes
  bool linear = false;      ///< element `i` is at place `i`
  bool from_parts = false;  ///< reads parts of an earlier pass
  bool to_parts = false;    ///< leaves parts for a later pass
  std::size_t batch = 1;    ///< elements that a lane reads before it joins the first
};
/// Returns: the `batch` of a form, no more than what a lane has to join. `several`: the result of `takes_several`.
/// `bytes`: those of an element. `count`: the elements of a result.
[[nodiscard]] constexpr std::size_t reduction_batch(bool several, std::size_t bytes,
                                                    std::int64_t count = reduction_tile,
                                                    const reduction_lanes& lanes = {}) noexcept {
  std::size_t batch = !several ? 1 : bytes <= 4 ? 16 : bytes <= 8 ? 8 : 4;
  while (batch > 1 && static_cast<std::int64_t>(batch / 2 * lanes.lanes) >= count) batch /= 2;
  return batch;
}
/// Returns: `yoke_x_reduce`, and `yoke_x_reduce1` and so on, which reduce parts in later passes. They share the
/// fields.
YOKE_API std::string reduction_source(const reduction_form& form, std::span<const reduction_form> later = {});
/// Returns: a function that makes the neutral element from a number or the body of a function.
YOKE_API std::string neutral_text(value_type_name type, const std::string& name, const char* neutral);
/// Parts of the source, for kernels with values of their own.
YOKE_API std::string reduction_steps_text(std::size_t inputs, bool wide);
YOKE_API std::string reduction_parts_text(std::span<const reduction_field> fields);
/// Returns: the type of a field's member in `yoke_x_part`.
[[nodiscard]] YOKE_API const char* part_name(const reduction_field& of);
/// Effects: writes the statements that put a value into field `k` of the part `next`.
YOKE_API void next_text(std::string& to, const reduction_field& of, std::size_t k, const named_value& value);
/// Returns: the result of field `k` of the part `total`. Effects: writes the statements that it needs before.
YOKE_API named_value result_text(std::string& to, const reduction_field& of, std::size_t k, const std::string& divisor);
/// Whether loops over elements must stay rolled. NVIDIA's compiler (13.0) merges two unrolled steps into one
/// instruction: `max(max(a, -b), -c)` loses a minus sign.
[[nodiscard]] YOKE_API bool loses_negation(const reduction_form& form) noexcept;
/// The texts of one kernel.
struct reduction_texts {
  std::string name{};
  std::string steps = "yoke_x_steps";  ///< type of the last parameter
  std::string parameters{};            ///< the other parameters: "..., "
  std::string places{};                ///< statements that run once for each result
  std::string load{};                  ///< statements that load element `i` into `next`
};
/// Returns: a kernel. Other kernels with the same parts may precede it.
YOKE_API std::string reduction_kernel_text(const reduction_form& form, const reduction_texts& of);
/// The parameter of a kernel that reads parts, and the statement that loads part `i`.
inline constexpr const char* parts_parameter = "YOKE_GLOBAL const yoke_uint8* p0, ";
[[nodiscard]] constexpr const char* part_load_text(const reduction_lanes& lanes) noexcept {
  return lanes.is_whole() ? "    next = ((YOKE_GLOBAL const yoke_x_part*)p0)[i];\n"
                          : "    next = ((YOKE_GLOBAL const yoke_x_part*)p0)[(yoke_int64)i * steps.results + "
                            "(yoke_int64)result];\n";
}

/// The axes of the results, and those that are reduced for each result. In both the first operand is in C order.
struct reduction_axes {
  expression_axes results;
  expression_axes reduced;
};
/// Effects: finds both kinds of axes. Requires: all operands broadcast to the shape. Throws: as `merge_axes`.
YOKE_API void split_axes(reduction_axes& axes, const std::size_t* extents, std::size_t rank, std::uint32_t reduced,
                         std::span<const byte_layout> operands, const source_location& where);
/// Whether 32-bit integers can count the steps and address every element.
[[nodiscard]] YOKE_API bool is_narrow(const reduction_axes& axes, std::size_t operands) noexcept;
/// Returns: the lanes for a number of elements per result and a size of parts in bytes.
[[nodiscard]] YOKE_API reduction_lanes lanes_for(const reduction_axes& axes, bool whole, std::size_t bytes) noexcept;
/// The same for parts that an earlier pass left, in blocks with at most that number of threads.
[[nodiscard]] YOKE_API reduction_lanes lanes_for_parts(const reduction_axes& axes, bool whole, std::size_t bytes,
                                                       std::uint32_t most_threads) noexcept;

/// The values that the kernel of one input gets. Units: elements.
struct reduction_steps {
  std::int64_t results = 0;
  std::int64_t count = 0;     ///< elements of each result
  std::int64_t tiles = 0;     ///< tiles of each result
  std::int64_t elements = 0;  ///< divisor of a mean
  std::int64_t offsets[1]{};
  std::int64_t result_extents[most_axes]{};
  std::int64_t result_strides[most_axes]{};
  std::int64_t extents[most_axes]{};
  std::int64_t strides[most_axes]{};
};

/// Returns: the bytes that a block leaves for the next pass: a struct of the accumulators, with an index for each
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
    if (each.by == reduction_kind::variance) {
      add(2 * each.accumulator.bytes);
      add(2 * each.accumulator.bytes);
    }
    if (has_index(each.by)) add(8);
  }
  return (size + alignment - 1) / alignment * alignment;
}

}  // namespace yoke::inline v0_1::detail

namespace yoke::inline v0_1 {
// The type's name in kernels.
template <>
inline constexpr const char* device_type_name<detail::reduction_steps> = "yoke_x_steps";
}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/reduction/reduction_source.ipp>
#endif

#endif

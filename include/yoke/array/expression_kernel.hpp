// SPDX-License-Identifier: MIT
// From an expression's operations to the text of its kernel, and from its operands' layouts to the fewest axes.
#ifndef YOKE_ARRAY_EXPRESSION_KERNEL_HPP
#define YOKE_ARRAY_EXPRESSION_KERNEL_HPP

#include <yoke/array/array_copy.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace yoke::inline YOKE_ABI::detail {

/// The types that expressions calculate with and arrays hold.
enum class value_kind : std::uint8_t {
  boolean,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float32,
  float64,
  half,
  bfloat16,
  complex64,   ///< of two floats
  complex128,  ///< of two doubles
  structure,   ///< a registered struct
};
/// Whether values of a kind are complex numbers.
[[nodiscard]] constexpr bool is_complex(value_kind kind) noexcept {
  return kind == value_kind::complex64 || kind == value_kind::complex128;
}

/// `std::complex` of `float` or `double`, and other templates like it.
template <class T>
concept complex_element =
    complex_number<T> && (std::same_as<typename T::value_type, float> || std::same_as<typename T::value_type, double>);
/// A real number, or a bool.
template <class T>
concept real_element =
    (std::is_arithmetic_v<T> && sizeof(T) <= 8) || std::same_as<T, half> || std::same_as<T, bfloat16>;
/// What expressions calculate with.
template <class T>
concept number_element = real_element<T> || complex_element<T>;
/// Whether arrays of a type have expressions.
template <class T>
concept expression_element = number_element<T> || registered_struct<T>;

template <expression_element T>
consteval value_kind kind_of() {
  if constexpr (std::same_as<T, bool>) {
    return value_kind::boolean;
  } else if constexpr (registered_struct<T>) {
    return value_kind::structure;
  } else if constexpr (complex_element<T>) {
    return std::same_as<typename T::value_type, float> ? value_kind::complex64 : value_kind::complex128;
  } else if constexpr (std::is_integral_v<T>) {
    constexpr int log = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return static_cast<value_kind>(1 + 2 * log + (std::is_signed_v<T> ? 0 : 1));
  } else {
    return std::same_as<T, float>    ? value_kind::float32
           : std::same_as<T, double> ? value_kind::float64
           : std::same_as<T, half>   ? value_kind::half
                                     : value_kind::bfloat16;
  }
}

/// Returns: the bytes of a number that expressions calculate with.
[[nodiscard]] constexpr std::size_t value_bytes(value_kind kind) noexcept {
  switch (kind) {
    case value_kind::int8:
    case value_kind::uint8: return 1;
    case value_kind::int16:
    case value_kind::uint16: return 2;
    case value_kind::int64:
    case value_kind::uint64:
    case value_kind::float64:
    case value_kind::complex64: return 8;
    case value_kind::complex128: return 16;
    default: return 4;
  }
}
/// A type as kernels name it.
struct value_type_name {
  constexpr value_type_name() noexcept = default;
  constexpr value_type_name(value_kind of) noexcept
      : kind(of), bytes(value_bytes(of)) {}  // NOLINT: a number's kind is enough
  constexpr value_type_name(const char* its_struct, std::size_t its_bytes) noexcept
      : kind(value_kind::structure), struct_name(its_struct), bytes(its_bytes) {}
  value_kind kind{};
  const char* struct_name = "";  ///< of a structure
  std::size_t bytes = 0;         ///< of a value

  friend constexpr bool operator==(const value_type_name&, const value_type_name&) = default;
};
template <expression_element T>
consteval value_type_name name_of() {
  if constexpr (registered_struct<T>) {
    return {device_struct<T>::name, sizeof(T)};
  } else {
    return kind_of<T>();
  }
}

/// One step of an expression, its operands first.
struct expression_step {
  enum class form : std::uint8_t { input, scalar, operation };
  form what = form::operation;
  value_type_name type{};      ///< of the result
  value_type_name argument{};  ///< what `@0` converts an operand to
  std::uint8_t arity = 0;
  /// In the dialect: `$0` is an operand, `@0` one converted, "`0" whether it is not 0, `#` the letter of complex arguments.
  const char* text = "";
  bool is_body = false;  ///< the text is the body of a function of `a`, `b`, ..., or the expression that it returns
};

/// The threads of a block of an evaluation, and the side of a square that goes through local memory.
inline constexpr std::size_t expression_block = 256;
inline constexpr std::size_t expression_square = 32;
/// The most arrays that an expression reads.
inline constexpr std::size_t most_inputs = 16;
/// An operand's place among the axes; the destination is one too. Units: bytes, then elements.
struct operand_place {
  std::int64_t offset = 0;
  std::int64_t strides[max_array_rank]{};
};
/// The axes of an evaluation, the slowest first.
struct expression_axes {
  std::int64_t count = 1;
  std::size_t rank = 0;
  std::int64_t extents[max_array_rank]{};
  operand_place places[most_inputs + 1];

  /// Whether two operands go the same way.
  [[nodiscard]] bool is_same(std::size_t one, std::size_t other) const noexcept {
    return places[one].offset == places[other].offset &&
           std::equal(places[one].strides, places[one].strides + rank, places[other].strides);
  }
};
/// What the kernel gets of the axes. Units: elements.
template <std::size_t Operands, bool Strided>
struct expression_steps {
  std::int64_t count = 0;
  std::int64_t offsets[Operands]{};
};
template <std::size_t Operands>
struct expression_steps<Operands, true> {
  std::int64_t count = 0;
  std::int64_t offsets[Operands]{};
  std::int64_t extents[max_array_rank]{};
  std::int64_t strides[Operands * max_array_rank]{};
};

/// An operand before its axes are merged.
struct expression_operand {
  array_side side;
  value_kind type{};
};

/// Returns: the fewest axes of an evaluation of that shape: those of extent 1 dropped, ordered by what the first operand
/// does, turned so that it goes forwards, and merged where all operands chain.
/// Throws: `logic_error` for an operand between the places of its elements. Requires: all operands broadcast to the shape.
YOKE_API void merge_axes(expression_axes& axes, const std::size_t* extents, std::size_t rank,
                         std::span<const expression_operand> operands, const source_location& where);
/// Whether each operand is read or written element by element, without gaps.
[[nodiscard]] YOKE_API bool is_linear(const expression_axes& axes, std::size_t operands) noexcept;
/// How many steps and elements 32 bits count; tests lower it.
[[nodiscard]] YOKE_API std::int64_t& narrow_limit() noexcept;
/// Whether 32 bits count the steps and reach every element.
[[nodiscard]] YOKE_API bool is_narrow(const expression_axes& axes, std::size_t operands) noexcept;
/// Throws: `logic_error` unless one shape broadcasts to the other.
YOKE_API void check_broadcast(const std::size_t* from, std::size_t from_rank, const std::size_t* to,
                              std::size_t to_rank, const source_location& where);

/// How the threads of a block share its steps. A vector is read and written in one go, all of a thread's before the first is
/// used; where an operand is fastest along another axis than the destination, squares of steps go through local memory.
struct expression_tiles {
  std::uint32_t width = 1;    ///< the elements of a vector
  std::uint32_t vectors = 1;  ///< of a thread
  std::uint32_t across = 0;   ///< the other axis, counted from 1; 0: none
  std::uint32_t inputs = 0;   ///< a bit for each input that is fastest along it

  /// Returns: the steps of a block.
  [[nodiscard]] constexpr std::int64_t steps() const noexcept {
    return static_cast<std::int64_t>(expression_block) * width * vectors;
  }
};
/// From how many steps on threads take several where the accesses of neighbours become one; tests change it.
struct tiling_rule {
  std::int64_t from = std::int64_t{1} << 20;
  bool everywhere = false;  ///< on every device
};
[[nodiscard]] YOKE_API tiling_rule& tiling() noexcept;
/// Whether threads take several steps. `coalesces` is that of the language.
[[nodiscard]] YOKE_API bool takes_several(std::int64_t steps, bool coalesces) noexcept;
/// Returns: the tiles of an evaluation. `bytes` has those of the destination's and the inputs' elements.
[[nodiscard]] YOKE_API expression_tiles tiles_for(const expression_axes& axes, bool linear,
                                                  std::span<const std::size_t> bytes, const std::uint8_t* slots,
                                                  std::span<const expression_step> steps) noexcept;
/// Returns: the blocks of an evaluation.
[[nodiscard]] YOKE_API std::int64_t blocks_for(const expression_axes& axes, const expression_tiles& tiles) noexcept;

/// What a kernel's text depends on.
struct expression_form {
  std::span<const expression_step> steps{};
  const std::uint8_t* slots = nullptr;  ///< for each input the first one that is the same memory
  std::size_t inputs = 0;
  std::size_t rank = 0;  ///< 0: without gaps
  bool wide = false;
  expression_tiles tiles{};
};
/// Returns: `yoke_x_evaluate`, which writes elements of that type.
YOKE_API std::string evaluation_source(const expression_form& form, value_type_name to);

/// The parts of such a text, for other kernels of expressions.
YOKE_API std::string steps_text(const expression_form& form, std::size_t operands);
YOKE_API std::string inputs_text(const expression_form& form);
/// Whether a text has the word `return`, outside of comments.
[[nodiscard]] YOKE_API bool returns(std::string_view body) noexcept;
/// Returns: a function from the text of its body: statements that return, or an expression that is returned.
YOKE_API std::string function_text(value_type_name type, const std::string& name, const std::string& parameters,
                                   const char* body);
/// Returns: the functions of the steps that have one.
YOKE_API std::string functions_text(const expression_form& form);
/// An operand and the variable that gets its place.
struct placed_operand {
  std::string variable;
  std::size_t operand;
};
/// Effects: writes the statements that add the place of step `index` to variables, by the members of `steps` of these names.
YOKE_API void places_text(std::string& to, std::size_t rank, const char* index, const char* extents,
                          const char* strides, std::span<const placed_operand> variables);
/// Effects: writes the statements that read the inputs at `place`, or at `at0`, `at1`, ... for null.
YOKE_API void loads_text(std::string& to, const expression_form& form, const char* place);
/// A value in a text.
struct named_value {
  std::string name;  ///< a variable, or an expression that needs no brackets
  value_kind kind;
};
/// Effects: writes the statements that calculate the values of expressions from the inputs that were read. Returns: the values.
YOKE_API std::vector<named_value> values_text(std::string& to, const expression_form& form);
/// Returns: a value as one of another kind; whether it is not 0; a number without brackets as one of a kind.
YOKE_API std::string converted_text(value_kind to, const named_value& value);
YOKE_API std::string truth_text(const named_value& value);
YOKE_API std::string number_text(value_kind kind, const char* number);
/// Returns: the statement that stores a value.
YOKE_API std::string store_text(value_type_name type, const named_value& value, const std::string& to,
                                const std::string& place);
[[nodiscard]] YOKE_API const char* kind_name(const value_type_name& type) noexcept;  ///< as memory holds it
[[nodiscard]] YOKE_API const char* value_name(
    const value_type_name& type) noexcept;  ///< as expressions calculate with it

}  // namespace yoke::inline YOKE_ABI::detail

namespace yoke::inline YOKE_ABI {
// Its name in kernels.
template <std::size_t Operands, bool Strided>
inline constexpr const char* device_type_name<detail::expression_steps<Operands, Strided>> = "yoke_x_steps";
}  // namespace yoke::inline YOKE_ABI

#if defined(YOKE_BODIES)
#include <yoke/array/impl/expression_kernel.ipp>
#endif

#endif

// SPDX-License-Identifier: MIT
// Operations of streams on words of memory: signals between streams, running kernels, the host, other devices and
// processes.
#ifndef YOKE_CUDA_DEVICE_MEM_OP_HPP
#define YOKE_CUDA_DEVICE_MEM_OP_HPP

#include <yoke/cuda/graph.hpp>
#include <yoke/cuda/memory/managed_allocation.hpp>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace yoke::inline v0_1::cuda {

/// Reports arguments that do not compile: the first error names a missing member, whose name says what to write.
template <class... Given>
struct mem_op_mismatch {};

/// The condition that ends a stream's wait for a word of memory.
enum class value_test : unsigned {
  at_least =
      0,  ///< `word - value` is not negative as a signed number of the word's width, so it works for numbers that wrap
  equal = 1,    ///< `word == value`
  any_bit = 2,  ///< `(word & value) != 0`
  nor = 3,      ///< `~(word | value) != 0`
};

namespace detail {
template <class Memory>
inline constexpr bool is_managed_memory = false;
template <class T>
inline constexpr bool is_managed_memory<managed_allocation<T>> = true;
template <class T>
inline constexpr bool is_managed_memory<managed_span<T>> = true;
/// The unsigned type of a word: integers of 4 or 8 bytes.
template <class T>
concept word_element =
    std::integral<T> && !std::same_as<std::remove_const_t<T>, bool> && (sizeof(T) == 4 || sizeof(T) == 8);
template <class Memory>
struct word_of_memory {
  using type = std::uint32_t;  // placeholder for other types, which the use reports
};
template <class Memory>
  requires accessible_memory<const Memory> &&
           word_element<typename decltype(yoke::detail::describe(std::declval<const Memory&>()))::element>
struct word_of_memory<Memory> {
  using type = std::remove_const_t<typename decltype(yoke::detail::describe(std::declval<const Memory&>()))::element>;
};
/// Throws: `logic_error` for more operations than a batch takes.
YOKE_API void check_mem_op_count(std::size_t count, const source_location& where);
/// The type of a word's values.
template <class Memory>
using word_value = typename word_of_memory<std::remove_cvref_t<Memory>>::type;
/// A word of memory, before the order of work that uses it is known.
struct memory_word {
  device_span<const std::byte> bytes{};
  const char* refusal = nullptr;
  kept_alive kept{};
};
/// Throws: `logic_error` unless the memory has exactly one element.
YOKE_API void check_word_count(std::size_t count, const source_location& where);
/// Returns: the word; does not compile for unsuitable memory.
template <bool Written, class Memory>
[[nodiscard]] memory_word word_in(Memory&& given, const source_location& where) {
  auto& memory = given;
  if constexpr (!accessible_memory<std::remove_reference_t<Memory>>) {
    (void)mem_op_mismatch<Memory>::pass_device_memory_with_one_integer;
    return {};
  } else {
    using side_type = decltype(yoke::detail::describe(memory));
    using element = typename side_type::element;
    if constexpr (yoke::detail::ends_here<Memory>) {
      (void)mem_op_mismatch<Memory>::the_memory_ends_with_the_statement_pass_a_variable;
      return {};
    } else if constexpr (std::same_as<typename side_type::place, device_place<any_port>>) {
      (void)mem_op_mismatch<Memory>::pass_memory_of_the_cuda_port_not_of_any_port;
      return {};
    } else if constexpr (!std::same_as<typename side_type::place, device_place<port>>) {
      (void)mem_op_mismatch<Memory>::pass_device_memory_with_one_integer;
      return {};
    } else if constexpr (is_managed_memory<std::remove_cvref_t<Memory>>) {
      (void)mem_op_mismatch<Memory>::managed_memory_takes_no_memory_operations;
      return {};
    } else if constexpr (!word_element<element>) {
      (void)mem_op_mismatch<element>::a_word_is_an_integer_of_4_or_8_bytes;
      return {};
    } else if constexpr (Written && std::is_const_v<element>) {
      (void)mem_op_mismatch<Memory>::this_memory_cannot_be_written;
      return {};
    } else {
      const auto side = yoke::detail::describe(memory);
      const bool is_there = side.refusal == nullptr && side.context != typename port::context_handle{};
      if (is_there) check_word_count(yoke::detail::volume(side.layout()), where);
      const std::size_t at = (side.at.first + side.layout().offset) * sizeof(element);
      return {{side.context, side.at.memory, at, sizeof(element), side.maps},
              side.refusal,
              yoke::detail::kept_with(memory)};
    }
  }
}
}  // namespace detail

/// One operation of a stream on a word of memory, for `enqueue_mem_ops`. The word is device memory with one integer of
/// 4 or 8 bytes: a part of an allocation or an array, or `cuda::mapped` page-locked memory, which the host reads and
/// writes by `std::atomic_ref`; not managed or stream-ordered memory.
/// Requires: the memory outlives the work; a graph keeps the memory of arrays alive, a stream keeps none. The driver
/// does not see the order that words impose: work that uses it for memory that is freed or allocated in stream order,
/// or that could be started too early, needs an event as well. Thread safety: a value.
class mem_op {
 public:
  /// A wait until the word passes the test. The stream's later commands see everything that was written before the
  /// word.
  /// Requires: work that does not itself follow the wait writes the word; else the stream waits for ever.
  /// Throws: `logic_error` unless the memory has exactly one element.
  /// Example: `mem_op::wait(flags.subspan(i, 1), cuda::value_test::at_least, 3)`
  template <class Memory>
  [[nodiscard]] static mem_op wait(Memory&& word, value_test test, detail::word_value<Memory> value,
                                   const source_location& where = source_location::current()) {
    constexpr bool wide = sizeof(value) == 8;
    return {detail::word_in<false>(std::forward<Memory>(word), where),
            wide ? abi::mem_op_type::wait_value_64 : abi::mem_op_type::wait_value_32, bits_of(value),
            static_cast<unsigned>(test)};
  }
  /// A write to the word. Whoever sees the new value also sees everything that the stream's earlier commands wrote.
  /// Throws: as above.
  template <class Memory>
  [[nodiscard]] static mem_op write(Memory&& word, detail::word_value<Memory> value,
                                    const source_location& where = source_location::current()) {
    constexpr bool wide = sizeof(value) == 8;
    return {detail::word_in<true>(std::forward<Memory>(word), where),
            wide ? abi::mem_op_type::write_value_64 : abi::mem_op_type::write_value_32, bits_of(value), 0};
  }
  /// The host and all devices see the stream's earlier writes before its later ones. A `write` needs no barrier.
  [[nodiscard]] static mem_op barrier() { return {{}, abi::mem_op_type::barrier, 0, 0}; }
  /// The stream's later commands see writes of other devices into this device's memory, if the device supports it
  /// (`info::can_flush_remote_writes`).
  [[nodiscard]] static mem_op flush_remote_writes() { return {{}, abi::mem_op_type::flush_remote_writes, 0, 0}; }

  // For the functions that enqueue operations.
  [[nodiscard]] const detail::memory_word& word() const noexcept { return word_; }
  [[nodiscard]] bool has_word() const noexcept {
    return type_ != abi::mem_op_type::barrier && type_ != abi::mem_op_type::flush_remote_writes;
  }
  /// The operation in the driver's form.
  [[nodiscard]] abi::mem_op_params native() const noexcept {
    return {type_, 0, word_.bytes.native_handle() + word_.bytes.offset(), value_, flags_, 0, 0};
  }

 private:
  mem_op(detail::memory_word word, abi::mem_op_type type, std::uint64_t value, unsigned flags) noexcept
      : word_(std::move(word)), value_(value), type_(type), flags_(flags) {}
  template <class T>
  [[nodiscard]] static std::uint64_t bits_of(T value) noexcept {
    return static_cast<std::make_unsigned_t<T>>(value);
  }

  detail::memory_word word_;
  std::uint64_t value_ = 0;
  abi::mem_op_type type_;
  unsigned flags_ = 0;
};

/// Enqueues operations, which run in order and by one driver call. An empty list enqueues nothing.
/// Throws: `logic_error` for an empty stream, for more than 255 operations, and, with the operation's number, for a
/// word that is empty, of another context, or in managed or stream-ordered memory; `unsupported_error` for an operation
/// that the device lacks; `error`. Thread safety: safe. Wraps `cuStreamBatchMemOp`.
/// Example: `cuda::enqueue_mem_ops({cuda::mem_op::write(ready, 1U), cuda::mem_op::wait(taken, cuda::value_test::equal,
/// 1U)}, stream);`
YOKE_API void enqueue_mem_ops(std::span<const mem_op> operations, const stream& on,
                              const source_location& where = source_location::current());
inline void enqueue_mem_ops(std::initializer_list<mem_op> operations, const stream& on,
                            const source_location& where = source_location::current()) {
  enqueue_mem_ops(std::span(operations.begin(), operations.size()), on, where);
}
/// Adds the operations as a node of a graph, which runs at each launch. The graph keeps the memory of arrays alive.
/// Returns: the node, which only an update of the executable changes.
/// Throws: `logic_error` as above, and for no operations; `unsupported_error` in the body of a conditional node;
/// `error`. Thread safety: one thread at a time for all recorders of a graph. Wraps `cuGraphAddBatchMemOpNode`.
YOKE_API graph_node enqueue_mem_ops(std::span<const mem_op> operations, graph_recorder& on,
                                    const source_location& where = source_location::current());
inline graph_node enqueue_mem_ops(std::initializer_list<mem_op> operations, graph_recorder& on,
                                  const source_location& where = source_location::current()) {
  return enqueue_mem_ops(std::span(operations.begin(), operations.size()), on, where);
}

namespace detail {
/// A stream, or a recorder of a graph: both take memory operations.
template <class Order>
concept order_of_mem_ops = requires(Order& on) { enqueue_mem_ops(std::span<const mem_op>(), on, source_location{}); };
}  // namespace detail

/// Makes a stream, or the launches of a graph, wait for a word: a single `mem_op::wait`. Throws, thread safety: as
/// `enqueue_mem_ops`.
/// Example: `cuda::wait_value(ready, cuda::value_test::at_least, step, stream);`
template <class Memory, class Order>
auto wait_value(Memory&& word, value_test test, detail::word_value<Memory> value, Order&& on,
                const source_location& where = source_location::current()) {
  if constexpr (detail::order_of_mem_ops<Order>) {
    return enqueue_mem_ops({mem_op::wait(std::forward<Memory>(word), test, value, where)}, on, where);
  } else {
    (void)mem_op_mismatch<Order>::pass_a_stream_of_cuda_or_a_recorder_that_is_not_const;
  }
}
/// Makes a stream, or the launches of a graph, write a word: a single `mem_op::write`. Throws, thread safety: as
/// `enqueue_mem_ops`.
/// Example: `cuda::write_value(ready, step, stream);`
template <class Memory, class Order>
auto write_value(Memory&& word, detail::word_value<Memory> value, Order&& on,
                 const source_location& where = source_location::current()) {
  if constexpr (detail::order_of_mem_ops<Order>) {
    return enqueue_mem_ops({mem_op::write(std::forward<Memory>(word), value, where)}, on, where);
  } else {
    (void)mem_op_mismatch<Order>::pass_a_stream_of_cuda_or_a_recorder_that_is_not_const;
  }
}

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/device/mem_op.ipp>
#endif

#endif

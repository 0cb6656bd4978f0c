// SPDX-License-Identifier: MIT
// Bodies of cuda/device/mem_op.hpp.
#ifndef YOKE_CUDA_DEVICE_MEM_OP_IPP
#define YOKE_CUDA_DEVICE_MEM_OP_IPP

#include <yoke/cuda/device/mem_op.hpp>

namespace yoke::inline v0_1::cuda {

namespace detail {

void check_word_count(std::size_t count, const source_location& where) {
  if (count == 1) [[likely]]
    return;
  yoke::detail::throw_error(errc::size_mismatch, where, "the word of a memory operation has ", count,
                            " elements: pass memory with one, as subspan(i, 1)");
}

void check_mem_op_count(std::size_t count, const source_location& where) {
  if (count < abi::mem_op_limit) [[likely]]
    return;
  yoke::detail::throw_error(errc::out_of_range, where, "these are ", count, " memory operations: a batch has at most ",
                            abi::mem_op_limit - 1);
}

/// Operations in the driver's form. Throws: `logic_error` for too many, and for a word that the stream or graph cannot
/// use.
class native_mem_ops {
 public:
  template <class Order>
  native_mem_ops(std::span<const mem_op> operations, const Order& on, const source_location& where) {
    check_mem_op_count(operations.size(), where);
    for (const mem_op& each : operations) {
      if (each.has_word()) check_word(each.word(), operations.size(), on, where);
      operations_[size_++] = each.native();
    }
  }
  [[nodiscard]] std::span<const abi::mem_op_params> get() const noexcept { return {operations_, size_}; }

 private:
  template <class Order>
  void check_word(const memory_word& word, std::size_t count, const Order& on, const source_location& where) const {
    auto side = yoke::detail::describe(word.bytes);
    side.refusal = word.refusal;
    const bool is_usual = side.refusal == nullptr && side.context == on.context_of().native_handle() &&
                          !side.maps.mapped() && side.maps.notes() == nullptr;
    if (is_usual && side.context != typename port::context_handle{}) [[likely]]
      return;
    const std::string name = count == 1 ? "word" : yoke::detail::text("word of operation ", size_);
    yoke::detail::check_side(on, side, name.c_str(), where);
  }

  abi::mem_op_params operations_[abi::mem_op_limit];  // not initialised
  std::size_t size_ = 0;
};

}  // namespace detail

void enqueue_mem_ops(std::span<const mem_op> operations, const stream& on, const source_location& where) {
  if (!on) yoke::detail::throw_empty_handle(stream::noun, where);
  if (operations.empty()) return;
  on.context_of().port(where).enqueue_mem_ops(on.native_handle(), detail::native_mem_ops(operations, on, where).get(),
                                              where);
}

graph_node enqueue_mem_ops(std::span<const mem_op> operations, graph_recorder& on, const source_location& where) {
  if (operations.empty()) {
    yoke::detail::throw_error(errc::invalid_argument, "a node of memory operations has one at least", where);
  }
  const detail::native_mem_ops native(operations, on, where);
  on.check_for_body("memory operations", where);
  std::vector<yoke::detail::graph_use<port>> kept;
  for (const mem_op& each : operations) kept.push_back(each.word().kept);
  return on.record(
      std::move(kept),
      [&](const auto& state, auto after) {
        return state.port().record_mem_ops(state.in.native_handle(), state.native, after, native.get(), where);
      },
      where);
}

}  // namespace yoke::inline v0_1::cuda

#endif

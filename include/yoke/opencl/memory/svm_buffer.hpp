// SPDX-License-Identifier: MIT
// Shared virtual memory as a buffer, for functions that take only buffers.
#ifndef YOKE_OPENCL_MEMORY_SVM_BUFFER_HPP
#define YOKE_OPENCL_MEMORY_SVM_BUFFER_HPP

#include <yoke/opencl/memory/svm.hpp>

namespace yoke::inline v0_1::opencl {

namespace detail {

/// A memory resource of one buffer, over memory that it keeps alive.
class svm_buffer_source final : public memory_resource<port> {
 public:
  svm_buffer_source(const context& in, yoke::detail::shared<svm_block> over, const buffer_options& options) noexcept
      : context_(in), over_(std::move(over)), options_(options) {}
  [[nodiscard]] const context& context_of() const noexcept override { return context_; }
  [[nodiscard]] abi::memory allocate(std::size_t bytes, const stream&, const source_location& where) override {
    return make_buffer(context_, options_, bytes, svm_address(*over_), true, where);
  }
  void deallocate(abi::memory memory, std::size_t, abi::queue, std::span<const abi::queue>) noexcept override {
    end_buffer(context_, memory);
  }
  [[nodiscard]] bool frees_behind_all_work() const noexcept override { return true; }
  [[nodiscard]] bool serves_arrays() const noexcept override { return false; }

 private:
  context context_;
  yoke::detail::shared<svm_block> over_;
  buffer_options options_;
};

}  // namespace detail

/// A buffer over shared virtual memory, which it keeps alive. `order` is the stream that uses it; name other streams
/// with the memory's `record_use`, also if the memory is bound to no stream. To see through one what was written
/// through the other, map the buffer; on most devices it is visible at once.
/// Throws: `logic_error` when the memory is empty or of another context; `error`. Wraps `clCreateBuffer`.
template <class T, svm_kind Kind>
[[nodiscard]] device_allocation<T> as_buffer(svm_allocation<T, Kind>& memory, const stream& order,
                                             const buffer_options& options = {},
                                             const source_location& where = source_location::current()) {
  detail::check_svm_use(memory.context_of(), order, where);
  if (memory.empty()) return device_allocation<T>(memory.context_of(), 0, where);
  memory.record_use(order, where);
  const auto source =
      yoke::detail::make_shared<detail::svm_buffer_source>(memory.context_of(), memory.block(), options);
  return device_allocation<T>(source, memory.size(), order, where);
}

}  // namespace yoke::inline v0_1::opencl

#endif

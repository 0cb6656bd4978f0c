// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/memory/copy_batch.hpp.
#ifndef YOKE_DRIVER_CUDA_MEMORY_COPY_BATCH_IPP
#define YOKE_DRIVER_CUDA_MEMORY_COPY_BATCH_IPP

#include <yoke/driver/cuda/memory/copy_batch.hpp>

#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/memory/copy_rows.hpp>
#include <yoke/driver/cuda/port.hpp>

#include <string>
#include <tuple>
#include <vector>

namespace yoke::inline v0_1::cuda {

namespace detail {
/// Returns: the message for a refused batch. `failed` is the copy that the driver names, if any.
std::string refused_batch(const abi::functions* table, abi::status status, std::span<const batched_copy* const> copies,
                          std::size_t failed) {
  if (status != abi::error_invalid_value) return "";
  const auto describe = [&](std::size_t index, bool always) -> std::string {
    const batched_copy& each = *copies[index];
    const auto extent = [&](const box_side& side) { return extent_of(side, each.box); };
    const auto has_fault = [&](std::uint64_t address, std::size_t bytes) {
      unsigned type = 0;  // the driver knows device and page-locked memory
      return table->pointer_get_attribute(&type, abi::pointer_attribute::memory_type, address) != abi::success ||
             !fault_of(table, {"", static_cast<std::uintptr_t>(address), bytes, true}).empty();
    };
    if (!always && !has_fault(each.source, extent(each.from)) && !has_fault(each.destination, extent(each.to))) {
      return "";
    }
    const copy_side sides[] = {{"source", static_cast<std::uintptr_t>(each.source), extent(each.from), true},
                               {"destination", static_cast<std::uintptr_t>(each.destination), extent(each.to), true}};
    return text("copy ", index, " of ", copies.size(), " in one call: ", refused_copy(table, status, sides));
  };
  if (failed < copies.size()) return describe(failed, true);
  for (std::size_t index = 0; index < copies.size(); ++index) {
    std::string found = describe(index, false);
    if (!found.empty()) return found;
  }
  return "";
}

/// Effects: calls the newest form of an entry that the driver has. `arguments` precede those that differ between the
/// forms.
template <auto Old, auto New, class... Last, class... Arguments>
void invoke_batch(const abi::functions* table, std::span<const batched_copy* const> copies,
                  const source_location& where, std::tuple<Last...> last, Arguments... arguments) {
  std::size_t failed = ~std::size_t{0};
  const auto explain = [&](abi::status status) { return refused_batch(table, status, copies, failed); };
  std::apply(
      [&](auto... rest) {
        if (table->*New != nullptr) {
          invoke_explained<New>(table, where, explain, arguments..., rest...);
        } else {
          invoke_explained<Old>(table, where, explain, arguments..., &failed, rest...);
        }
      },
      last);
}
}  // namespace detail

bool copy_batch_functions::copy_batch(abi::stream stream, std::span<const batched_copy> copies,
                                      const source_location& where) const {
  const abi::functions& has = *table();
  if (detail::is_default_stream(stream) ||
      (has.memcpy_batch_async_v2 == nullptr && has.memcpy_batch_async == nullptr) ||
      (has.memcpy_3d_batch_async_v2 == nullptr && has.memcpy_3d_batch_async == nullptr)) {
    return false;
  }
  // Ordinary copies take the stream's context. Batches fail if the thread's current context is another, or none.
  const detail::current_context scope(table(), detail::context_of(table(), stream, where), where);
  std::vector<const batched_copy*> rows, boxes;
  std::vector<abi::device_pointer> from, to;
  std::vector<std::size_t> bytes;
  std::vector<abi::batch_copy_3d> requests;
  for (const batched_copy& each : copies) {
    if (each.box.rows == 1 && each.box.slices == 1) {
      rows.push_back(&each);
      from.push_back(each.source);
      to.push_back(each.destination);
      bytes.push_back(each.box.row_bytes);
      continue;
    }
    const auto side = [&](std::uint64_t address, const box_side& of) {
      abi::batch_side made{};
      made.type = abi::batch_side_type::pointer;
      made.pointer.address = address;
      made.pointer.row_length = of.row_pitch;
      made.pointer.layer_height = each.box.slices == 1 ? 0 : of.slice_pitch / of.row_pitch;
      return made;
    };
    boxes.push_back(&each);
    requests.push_back({side(each.source, each.from), side(each.destination, each.to), each.box.row_bytes,
                        each.box.rows, each.box.slices, abi::source_order::in_stream, 0});
  }
  abi::batch_attributes all{};
  all.order = abi::source_order::in_stream;
  std::size_t first = 0;
  if (!rows.empty()) {
    detail::invoke_batch<&abi::functions::memcpy_batch_async, &abi::functions::memcpy_batch_async_v2>(
        table(), rows, where, std::tuple(stream), to.data(), from.data(), bytes.data(), rows.size(), &all, &first,
        std::size_t{1});
  }
  if (!boxes.empty()) {
    detail::invoke_batch<&abi::functions::memcpy_3d_batch_async, &abi::functions::memcpy_3d_batch_async_v2>(
        table(), boxes, where, std::tuple(0ULL, stream), boxes.size(), requests.data());
  }
  return true;
}

}  // namespace yoke::inline v0_1::cuda

#endif

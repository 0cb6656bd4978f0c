// SPDX-License-Identifier: MIT
// Bodies of program/cache/kernel_signatures.hpp.
#ifndef YOKE_PROGRAM_CACHE_KERNEL_SIGNATURES_IPP
#define YOKE_PROGRAM_CACHE_KERNEL_SIGNATURES_IPP

#include <yoke/program/cache/cache_entry.hpp>
#include <yoke/program/cache/kernel_signatures.hpp>

namespace yoke::inline v0_1::detail {

inline constexpr std::uint64_t signatures_version = 1;
inline constexpr std::size_t kernel_minimum = 4 + 4;             // the lengths of an empty name and list
inline constexpr std::size_t parameter_minimum = 1 + 1 + 4 + 4;  // space, const, the lengths of two empty texts

std::vector<std::byte> encode_signatures(const std::vector<typed_kernel>& kernels) {
  std::vector<std::byte> out;
  if (kernels.empty()) return out;
  const auto append_number = [&out](std::uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) out.push_back(static_cast<std::byte>(value >> (8 * i)));
  };
  const auto append_text = [&](const std::string& text) {
    append_number(text.size(), 4);
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    out.insert(out.end(), bytes.begin(), bytes.end());
  };
  append_number(signatures_version, 4);
  append_number(kernels.size(), 4);
  for (const typed_kernel& kernel : kernels) {
    append_text(kernel.name);
    append_number(kernel.parameters.size(), 4);
    for (const parameter_info& each : kernel.parameters) {
      append_number(static_cast<std::uint8_t>(each.space), 1);
      append_number(each.is_const ? 1 : 0, 1);
      append_text(each.type);
      append_text(each.name);
    }
  }
  return out;
}

std::vector<typed_kernel> decode_signatures(std::span<const std::byte> bytes) {
  entry_reader reader{bytes};
  bool good = reader.number(4) == signatures_version;
  const auto take_count = [&](std::size_t smallest) -> std::size_t {
    const std::uint64_t count = reader.number(4);
    good = good && count <= reader.remaining() / smallest;
    return good ? static_cast<std::size_t>(count) : 0;
  };
  const auto take_text = [&] {
    const auto text = reader.take(reader.number(4));
    return std::string(reinterpret_cast<const char*>(text.data()), text.size());
  };
  std::vector<typed_kernel> kernels(take_count(kernel_minimum));
  good = good && !kernels.empty();
  for (typed_kernel& kernel : kernels) {
    kernel.name = take_text();
    kernel.parameters.resize(take_count(parameter_minimum));
    for (parameter_info& each : kernel.parameters) {
      const std::uint64_t space = reader.number(1);
      const std::uint64_t is_const = reader.number(1);
      good = good && space <= static_cast<std::uint8_t>(address_space::unknown) && is_const <= 1;
      each.space = good ? static_cast<address_space>(space) : address_space::unknown;
      each.is_const = is_const == 1;
      each.type = take_text();
      each.name = take_text();
    }
  }
  if (!good || !reader.good() || reader.remaining() != 0) kernels.clear();
  return kernels;
}

}  // namespace yoke::inline v0_1::detail

#endif

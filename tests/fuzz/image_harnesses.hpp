// SPDX-License-Identifier: MIT
// What must hold for any image, PTX, kernel name, and for what is stored of kernels.
#ifndef YOKE_TESTS_FUZZ_IMAGE_HARNESSES_HPP
#define YOKE_TESTS_FUZZ_IMAGE_HARNESSES_HPP

#include <yoke/driver/cuda/binary/binary_check.hpp>
#include <yoke/driver/cuda/binary/binary_facts.hpp>
#include <yoke/driver/cuda/binary/binary_kernels.hpp>
#include <yoke/driver/cuda/binary/loaded_binaries.hpp>
#include <yoke/driver/cuda/binary/mangled_names.hpp>
#include <yoke/driver/cuda/binary/ptx.hpp>
#include <yoke/driver/cuda/port.hpp>
#include <yoke/program/cache/cache_entry.hpp>
#include <yoke/program/cache/kernel_signatures.hpp>

#include <fuzz/dice.hpp>

#include <string>
#include <vector>

namespace yoke_fuzz {

/// Nothing is read beyond an image (AddressSanitizer sees to it), and no name of a kernel is longer than it.
inline const char* images(bytes input) {
  namespace cuda = yoke::cuda;
  for (const std::string_view magic : {std::string_view(),
                                       std::string_view("\x7F"
                                                        "ELF\x02\x01\x01",
                                                        7),
                                       std::string_view("\x50\xED\x55\xBA\x01\x00\x10\x00", 8),
                                       cuda::detail::simulated_magic, std::string_view(".version .target .entry ")}) {
    std::vector<std::byte> image(magic.size() + input.size());  // exactly as large as it is
    std::copy_n(reinterpret_cast<const std::byte*>(magic.data()), magic.size(), image.begin());
    std::copy(input.begin(), input.end(), image.begin() + static_cast<std::ptrdiff_t>(magic.size()));
    const bool whole = cuda::detail::image_problem(image).empty();
    if (whole && image.empty()) return "an empty image is one";
    std::vector<std::string> names;
    (void)cuda::detail::add_image_kernels(image, names);
    for (const cuda::ptx_entry& each : cuda::detail::image_entries(image)) names.push_back(each.name);
    for (const std::string& each : names) {
      if (each.size() > image.size()) return "a kernel's name is longer than its image";
    }
  }
  cuda::detail::image_record record;
  if (cuda::detail::take_facts(record, input) && !input.empty()) {
    const auto again = cuda::detail::facts_of(record);
    if (!std::equal(again.begin(), again.end(), input.begin(), input.end())) return "accepted facts change";
  }
  return nullptr;
}

/// Any text has kernels whose parameters lie one behind the other; those of PTX that is written are read.
inline const char* ptx(bytes input) {
  const auto check = [](std::string_view text) -> const char* {
    for (const auto& entry : yoke::cuda::parse_ptx(text)) {
      std::size_t end = 0;
      for (const auto& each : entry.layout) {
        if (each.bytes == 0) return "a parameter has no bytes";
        if (each.offset < end) return "parameters overlap";
        end = each.offset + each.bytes;
      }
    }
    return nullptr;
  };
  if (const char* problem = check(text_of(input))) return problem;
  dice from{input};
  static constexpr struct {
    const char* type;
    std::size_t bytes, align;
  } kinds[] = {{".u64", 8, 8}, {".f32", 4, 4}, {".b8", 1, 1},
               {".s16", 2, 2}, {".f64", 8, 8}, {".align 4 .b8 p[12]", 12, 4}};
  std::string text = "//\n.version 8.0 .target sm_90\n.visible .entry k(";
  std::vector<std::pair<std::size_t, std::size_t>> want;
  std::size_t end = 0;
  for (std::uint64_t count = from.number(1) % 12; count > 0; --count) {
    const auto& kind = kinds[from.number(1) % std::size(kinds)];
    end = (end + kind.align - 1) / kind.align * kind.align;
    text += std::string(want.empty() ? "" : ",") + " .param " + kind.type + (kind.bytes == 12 ? "" : " k_param");
    want.emplace_back(end, kind.bytes);
    end += kind.bytes;
  }
  const auto entries = yoke::cuda::parse_ptx(text + ") { ret; }");
  if (entries.size() != 1 || entries[0].name != "k" || entries[0].layout.size() != want.size())
    return "PTX is not read";
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (entries[0].layout[i].offset != want[i].first || entries[0].layout[i].bytes != want[i].second) {
      return "PTX is read wrongly";
    }
  }
  return nullptr;
}

/// Any name has a base within it and a list of parameters, none of which is longer than it.
inline const char* kernel_names(bytes input) {
  namespace names = yoke::cuda::detail;
  const std::string any(text_of(input));
  for (const std::string& name : {any, names::demangled("_Z" + any.substr(0, any.find('\0')))}) {
    if (names::base_name(name).size() > name.size()) return "a base name is longer than the name";
    if (names::qualified_name(name).size() > name.size()) return "a qualified name is longer than the name";
    std::vector<yoke::parameter_info> list;
    (void)names::parse_parameters(name, list);
    if (list.size() > name.size()) return "a name has more parameters than letters";
    for (const auto& each : list) {
      if (each.type.size() > name.size()) return "a parameter is longer than its list";
    }
  }
  return nullptr;
}

/// Signatures that are accepted are encoded into the same bytes.
inline const char* stored_signatures(bytes input) {
  const auto kernels = yoke::detail::decode_signatures(input);
  if (!kernels.empty()) {
    const auto again = yoke::detail::encode_signatures(kernels);
    if (!std::equal(again.begin(), again.end(), input.begin(), input.end())) return "accepted signatures change";
  }
  dice from{input};
  std::vector<yoke::typed_kernel> made(1 + from.number(1) % 4);
  for (auto& kernel : made) {
    kernel.name = from.text(20);
    kernel.parameters.resize(from.number(1) % 5);
    for (auto& each : kernel.parameters) {
      each.space = static_cast<yoke::address_space>(from.number(1) % 5);
      each.is_const = from.number(1) % 2 == 0;
      each.type = from.text(20);
      each.name = from.text(20);
    }
  }
  const auto encoded = yoke::detail::encode_signatures(made);
  const auto back = yoke::detail::decode_signatures(encoded);
  if (back.size() != made.size()) return "signatures are not read again";
  return yoke::detail::encode_signatures(back) == encoded ? nullptr : "signatures come back changed";
}

}  // namespace yoke_fuzz

#endif

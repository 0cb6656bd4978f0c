// SPDX-License-Identifier: MIT
// What must hold for any bytes: run by libFuzzer, and by a test over the corpus.
#ifndef YOKE_TESTS_FUZZ_HARNESSES_HPP
#define YOKE_TESTS_FUZZ_HARNESSES_HPP

#include <yoke/core/sha256.hpp>
#include <yoke/language/find_includes.hpp>
#include <yoke/program/cache/cache_entry.hpp>
#include <yoke/program/source/include_scan.hpp>

#include <fuzz/header_harness.hpp>
#include <fuzz/image_harnesses.hpp>
#include <fuzz/text_harnesses.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace yoke_fuzz {

/// An accepted entry is encoded into the same bytes, and is no larger than them.
inline const char* cache_entry_reader(bytes input) {
  const auto check = [](bytes each) -> const char* {
    const auto entry = yoke::detail::decode_entry(each);
    if (!entry) return nullptr;
    if (yoke::detail::encoded_size(*entry) != each.size()) return "an accepted entry has another size";
    const auto again = yoke::detail::encode_entry(*entry);
    return std::equal(again.begin(), again.end(), each.begin(), each.end()) ? nullptr : "an accepted entry changes";
  };
  if (const char* problem = check(input)) return problem;
  // With the right checksum behind it, the input gets to the lengths.
  std::vector<std::byte> sealed(input.begin(), input.end());
  const auto seal = yoke::detail::sha256(input);
  sealed.insert(sealed.end(), seal.begin(), seal.end());
  return check(sealed);
}

/// Any entry comes back as it went, and one to eight flipped bits make it a miss.
inline const char* cache_entry_round_trip(bytes input) {
  dice from{input};
  yoke::cache_entry entry;
  const std::uint64_t flips = 1 + from.number(1) % 8;
  std::vector<std::uint64_t> at;
  for (std::uint64_t i = 0; i < flips; ++i) at.push_back(from.number(4));
  entry.created = from.number(8);
  entry.key.fields.resize(from.number(1) % 8);
  for (auto& each : entry.key.fields) {
    each.field = static_cast<yoke::cache_field>(static_cast<std::uint32_t>(from.number(4)));
    each.digest = yoke::detail::sha256(std::as_bytes(std::span{&each.field, 1}));
  }
  const auto as_bytes = [](const std::string& text) {
    const auto part = std::as_bytes(std::span{text.data(), text.size()});
    return std::vector<std::byte>(part.begin(), part.end());
  };
  entry.compiler = from.text(40);
  entry.log = from.text(255);
  entry.signatures = as_bytes(from.text(255));
  entry.payload = as_bytes(from.text(255));
  auto encoded = yoke::detail::encode_entry(entry);
  const auto back = yoke::detail::decode_entry(encoded);
  if (!back) return "an entry is not read again";
  if (!(*back == entry)) return "an entry comes back changed";
  const auto original = encoded;
  for (const std::uint64_t each : at) {
    const std::uint64_t bit = each % (8 * encoded.size());
    encoded[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
  }
  if (encoded != original && yoke::detail::decode_entry(encoded)) return "flipped bits go unnoticed";
  return nullptr;
}

/// Two lists of fields make the same frames, and the same key, only if they are the same list.
inline const char* cache_key_framing(bytes input) {
  dice from{input};
  using fields = std::vector<std::pair<std::uint32_t, std::string>>;
  fields lists[2];
  for (fields& list : lists) {
    for (std::uint64_t count = from.number(1) % 6; count > 0; --count) {
      const auto tag = static_cast<std::uint32_t>(1 + from.number(1) % 15);  // all but the extra digest
      list.emplace_back(tag, from.text(20));
    }
  }
  yoke::cache_key_builder builders[2];
  for (int i = 0; i < 2; ++i) {
    for (const auto& [tag, text] : lists[i]) builders[i].add(static_cast<yoke::cache_field>(tag), text);
  }
  const bool same = lists[0] == lists[1];
  if ((builders[0].material() == builders[1].material()) != same) return "frames are not those of one list";
  if ((builders[0].finish() == builders[1].finish()) != same) return "keys are not those of one list";
  if ((builders[0].finish().id == builders[1].finish().id) != same) return "ids are not those of one list";
  return nullptr;
}

/// The includes that are found stand in the text, and stay what they are when lines go before or behind it.
inline const char* include_scanner(bytes input) {
  using yoke::detail::find_includes;
  const std::string text(reinterpret_cast<const char*>(input.data()), input.size());
  const auto list = find_includes(text);
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  for (const auto& each : list.directives) {
    if (each.name.empty()) return "an include has no name";
    if (each.name.find_first_of("\r\n") != std::string::npos) return "a name goes over the end of a line";
    if (each.line == 0 || each.line > lines) return "an include stands outside the text";
  }
  if (text.substr(0, 3) == "\xEF\xBB\xBF") return nullptr;  // a mark that counts at the beginning alone
  auto moved = find_includes("\n#include <first.h>\n" + text);
  const bool first = std::any_of(moved.directives.begin(), moved.directives.end(),
                                 [](const auto& each) { return each.name == "first.h" && each.line == 2; });
  if (!first) return "an include before the text is not found";
  moved.directives.erase(moved.directives.begin());
  if (moved.directives.size() != list.directives.size()) return "lines before a text change what it includes";
  for (std::size_t i = 0; i < list.directives.size(); ++i) {
    if (moved.directives[i].name != list.directives[i].name) return "lines before a text change a name";
    if (moved.directives[i].line != list.directives[i].line + 2) return "lines before a text are not counted";
  }
  if (moved.problem.empty() != list.problem.empty()) return "lines before a text change whether it can be followed";
  // Whatever is open at the end, a comment's end and a line's close it, unless it is a raw string.
  if (text.find("R\"") != std::string::npos || !list.problem.empty()) return nullptr;
  const auto behind = find_includes(text + "\n\n*/\n#include <last.h>\n");
  const bool last = std::any_of(behind.directives.begin(), behind.directives.end(),
                                [](const auto& each) { return each.name == "last.h"; });
  return last || !behind.problem.empty() ? nullptr : "an include behind the text is not found";
}

inline constexpr harness harnesses[] = {{"cache_entry_reader", cache_entry_reader},
                                        {"cache_entry_round_trip", cache_entry_round_trip},
                                        {"cache_key_framing", cache_key_framing},
                                        {"include_scanner", include_scanner},
                                        {"option_words", option_words},
                                        {"option_order", option_order},
                                        {"build_log", build_log},
                                        {"versions", versions},
                                        {"architectures", architectures},
                                        {"device_specifications", device_specifications},
                                        {"opencl_c", opencl_c},
                                        {"dialect_words", dialect_words},
                                        {"header_expander", header_expander},
                                        {"images", images},
                                        {"ptx", ptx},
                                        {"kernel_names", kernel_names},
                                        {"stored_signatures", stored_signatures}};

}  // namespace yoke_fuzz

#endif

// SPDX-License-Identifier: MIT
// What the cache's tests share: inputs, entries, folders of their own.
#ifndef YOKE_TESTS_PROGRAM_CACHE_CACHE_RIG_HPP
#define YOKE_TESTS_PROGRAM_CACHE_CACHE_RIG_HPP

#include <yoke/program/cache/cache_entry.hpp>
#include <yoke/program/cache/cache_key.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace yoke_test {

inline std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span{text.data(), text.size()});
  return {bytes.begin(), bytes.end()};
}

inline std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Inputs of a program, each field with something in it.
inline yoke::cache_inputs some_inputs(const std::string& source = "__kernel void f() {}") {
  return {.library = "0.1.0",
          .prelude = "#define YOKE_KERNEL __kernel\n",
          .backend = "cuda",
          .product = "cubin",
          .driver = "580.65.06",
          .target = "sm_90",
          .standard = "c++17",
          .options = {"--use_fast_math", "-lineinfo"},
          .headers = {{"a.h", "int a;"}, {"b.h", "int b;"}},
          .name_expressions = {"&f<int>", "&f<float>"},
          .signatures = {"void(int)", "void(float)"},
          .source_name = "kernel.cu",
          .source = source,
          .extra = bytes_of("digest")};
}

/// What the fake compiler makes of a key: always the same.
inline yoke::cache_entry fake_compile(const yoke::cache_key& key, const std::string& compiler = "fake 1.0") {
  return {.key = key,
          .compiler = compiler,
          .created = 0,
          .log = "log of " + key.name(),
          .signatures = bytes_of("signatures of " + key.name()),
          .payload = bytes_of("payload of " + key.name() + " by " + compiler)};
}

inline yoke::cache_key numbered_key(int number) {
  return yoke::make_cache_key(some_inputs("kernel " + std::to_string(number)));
}

}  // namespace yoke_test

#endif

// SPDX-License-Identifier: MIT
// Cache keys: each thing that a program depends on changes the key, and no two lists of fields make one.
#include <support/catch.hpp>

#include <program/cache/cache_rig.hpp>

#include <yoke/core/error.hpp>

#include <functional>
#include <random>
#include <set>

using namespace yoke_test;
using yoke::cache_field;

TEST_CASE("a key is a function of its inputs", "[cache]") {
  const yoke::cache_key key = yoke::make_cache_key(some_inputs());
  CHECK(key == yoke::make_cache_key(some_inputs()));
  CHECK(key.name().size() == 64);
  CHECK(key.name().find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(key.fields.size() == 8 + 2 + 4 + 2 + 2 + 2 + 1);
  CHECK(key.fields.front().field == cache_field::schema);
}

TEST_CASE("the frames of a key are tag, length and bytes, and its id is their SHA-256", "[cache]") {
  yoke::cache_key_builder builder;
  builder.add(cache_field::backend, "cuda").add(cache_field::option, "");
  CHECK(builder.material() == std::string("\x04\0\0\0\x04\0\0\0\0\0\0\0cuda\x09\0\0\0\0\0\0\0\0\0\0\0", 28));
  // Written down once: whatever changes it makes every stored program a miss, and has to change the schema.
  CHECK(builder.finish().name() == "151670594b009ef085ffc174f13a9b8d4583c3620488d36da3c28e33e7174ec9");
}

TEST_CASE("each field alone changes the key", "[cache]") {
  using change = std::function<void(yoke::cache_inputs&)>;
  const std::vector<std::pair<const char*, change>> changes = {
      {"library", [](auto& in) { in.library = "0.1.1"; }},
      {"prelude", [](auto& in) { in.prelude += " "; }},
      {"backend", [](auto& in) { in.backend = "opencl"; }},
      {"product", [](auto& in) { in.product = "ptx"; }},
      {"driver", [](auto& in) { in.driver = "580.65.07"; }},
      {"sm_90 and sm_90a", [](auto& in) { in.target = "sm_90a"; }},
      {"GPUs of one short name", [](auto& in) { in.target = "sm_90 H200 NVL"; }},
      {"standard", [](auto& in) { in.standard = "c++20"; }},
      {"an option", [](auto& in) { in.options[1] = "-G"; }},
      {"order of options", [](auto& in) { std::swap(in.options[0], in.options[1]); }},
      {"an option more", [](auto& in) { in.options.emplace_back(); }},
      {"an option less", [](auto& in) { in.options.pop_back(); }},
      {"options joined", [](auto& in) { in.options = {in.options[0] + in.options[1]}; }},
      {"a header's content", [](auto& in) { in.headers[0].second = "int A;"; }},
      {"a header's name", [](auto& in) { in.headers[0].first = "c.h"; }},
      {"contents of headers swapped", [](auto& in) { std::swap(in.headers[0].second, in.headers[1].second); }},
      {"a header less", [](auto& in) { in.headers.pop_back(); }},
      {"a name expression", [](auto& in) { in.name_expressions[0] = "&f<long>"; }},
      {"order of name expressions", [](auto& in) { std::swap(in.name_expressions[0], in.name_expressions[1]); }},
      {"a signature", [](auto& in) { in.signatures[0] = "void(long)"; }},
      {"a signature that was a name",
       [](auto& in) {
         in.signatures.insert(in.signatures.begin(), in.name_expressions.back());
         in.name_expressions.pop_back();
       }},
      {"source name", [](auto& in) { in.source_name = "other.cu"; }},
      {"source", [](auto& in) { in.source += "\n"; }},
      {"extra", [](auto& in) { in.extra[0] = std::byte{1}; }},
      {"no extra", [](auto& in) { in.extra.clear(); }},
      {"an extra of one zero", [](auto& in) { in.extra.assign(1, std::byte{}); }},
  };
  std::set<std::string> names{yoke::make_cache_key(some_inputs()).name()};
  for (const auto& [what, apply] : changes) {
    yoke::cache_inputs inputs = some_inputs();
    apply(inputs);
    const yoke::cache_key key = yoke::make_cache_key(inputs);
    INFO(what);
    CHECK(names.insert(key.name()).second);
    CHECK_FALSE(key.fields == yoke::make_cache_key(some_inputs()).fields);  // the second, independent comparison
  }
}

TEST_CASE("a byte moved between neighbouring fields changes the key", "[cache]") {
  const auto two = [](std::string_view first, std::string_view second) {
    return yoke::cache_key_builder{}.add(cache_field::option, first).add(cache_field::option, second);
  };
  CHECK(two("ab", "c").material() != two("a", "bc").material());
  CHECK(two("ab", "c").finish().id != two("a", "bc").finish().id);
  CHECK(two("", "abc").finish().id != two("abc", "").finish().id);
  CHECK(two("abc", "").finish().id != yoke::cache_key_builder{}.add(cache_field::option, "abc").finish().id);

  yoke::cache_inputs inputs = some_inputs();
  const std::string before = yoke::make_cache_key(inputs).name();
  std::string* const neighbours[] = {&inputs.library,          &inputs.prelude,          &inputs.backend,
                                     &inputs.product,          &inputs.driver,           &inputs.target,
                                     &inputs.standard,         &inputs.options[0],       &inputs.options[1],
                                     &inputs.headers[0].first, &inputs.headers[0].second};
  for (std::size_t i = 1; i < std::size(neighbours); ++i) {
    std::string& left = *neighbours[i - 1];
    std::string& right = *neighbours[i];
    const std::string kept_left = left;
    const std::string kept_right = right;
    right.insert(right.begin(), left.back());
    left.pop_back();
    INFO(kept_left << " and " << kept_right);
    CHECK(yoke::make_cache_key(inputs).name() != before);
    left = kept_left;
    right = kept_right;
  }
  CHECK(yoke::make_cache_key(inputs).name() == before);
}

TEST_CASE("the frames of a key can be read back, so that no two lists make the same", "[cache]") {
  std::mt19937_64 random{77};
  for (int round = 0; round < 500; ++round) {
    std::vector<std::pair<std::uint32_t, std::string>> fields(random() % 8);
    yoke::cache_key_builder builder;
    for (auto& [tag, text] : fields) {
      tag = static_cast<std::uint32_t>(1 + random() % 15);
      for (std::uint64_t size = random() % 30; size > 0; --size) text += static_cast<char>(random() % 4);
      builder.add(static_cast<cache_field>(tag), text);
    }
    const auto material = bytes_of(builder.material());
    yoke::detail::entry_reader reader{material};
    for (const auto& [tag, text] : fields) {
      REQUIRE(reader.number(4) == tag);
      REQUIRE(text_of(reader.take(reader.number(8))) == text);
    }
    REQUIRE(reader.good());
    REQUIRE(reader.remaining() == 0);
  }
}

TEST_CASE("an empty extra digest is refused", "[cache]") {
  yoke::cache_key_builder builder;
  CHECK_THROWS_WITH(builder.add(cache_field::extra, ""), ContainsSubstring("at least 1 byte"));
  CHECK(builder.material().empty());
  builder.add(cache_field::extra, std::string_view("\0", 1));
  CHECK(builder.finish().fields.size() == 1);
}

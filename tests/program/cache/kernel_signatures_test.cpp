// SPDX-License-Identifier: MIT
// Stored signatures: what is written is read, anything else is none; and the check takes them where the driver is silent.
#include <support/catch.hpp>
#include <support/faults/damaged_bytes.hpp>

#include <yoke/program/cache/cache_entry.hpp>
#include <yoke/program/cache/kernel_signatures.hpp>
#include <yoke/program/kernel/signature.hpp>
#include <yoke/program/program.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

using yoke::address_space;
using yoke::typed_kernel;
using yoke::detail::decode_signatures;
using yoke::detail::encode_signatures;

namespace {

std::vector<typed_kernel> some_kernels() {
  return {{"nothing", {}},
          {"scale",
           {{address_space::global, false, 0, "float", "data"},
            {address_space::global, true, 0, "float4", ""},
            {address_space::local, false, 0, "int", "scratch"},
            {address_space::constant, true, 0, "uchar", "table"},
            {address_space::value, false, 0, "point", "p"},
            {address_space::unknown, false, 0, "", "x"}}},
          {"last", {{address_space::value, false, 0, "int", "n"}}}};
}

bool same(const std::vector<typed_kernel>& left, const std::vector<typed_kernel>& right) {
  const auto same_parameter = [](const yoke::parameter_info& a, const yoke::parameter_info& b) {
    return a.space == b.space && a.is_const == b.is_const && a.type == b.type && a.name == b.name;
  };
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), [&](const auto& a, const auto& b) {
    return a.name == b.name && std::equal(a.parameters.begin(), a.parameters.end(), b.parameters.begin(),
                                          b.parameters.end(), same_parameter);
  });
}

/// Whether bytes are read as no kernels, or are the very ones that the kernels are written as.
bool holds(std::span<const std::byte> bytes) {
  const auto kernels = decode_signatures(bytes);
  const auto again = encode_signatures(kernels);
  return kernels.empty() || std::equal(again.begin(), again.end(), bytes.begin(), bytes.end());
}

}  // namespace

TEST_CASE("signatures come back as they went", "[program]") {
  const auto kernels = some_kernels();
  CHECK(same(decode_signatures(encode_signatures(kernels)), kernels));
  CHECK(encode_signatures({}).empty());
  CHECK(decode_signatures({}).empty());
}

TEST_CASE("signatures that are damaged are none", "[program]") {
  auto bytes = encode_signatures(some_kernels());
  CHECK(yoke_test::accepted_prefixes(bytes, [](auto some) { return !decode_signatures(some).empty(); }) == 0);
  CHECK(yoke_test::accepted_flips(bytes, [](auto some) { return !holds(some); }) == 0);
  SECTION("a byte behind them") {
    bytes.push_back(std::byte{});
    CHECK(decode_signatures(bytes).empty());
  }
  SECTION("another version") {
    bytes[0] ^= std::byte{3};
    CHECK(decode_signatures(bytes).empty());
  }
  SECTION("more kernels, parameters and letters than there is room for") {
    // The number of kernels, the length of the first one's name, the number of its parameters.
    for (const std::size_t at : {std::size_t{4}, std::size_t{8}, std::size_t{19}}) {
      auto damaged = bytes;
      for (std::size_t i = 0; i < 4; ++i) damaged[at + i] = std::byte{0xff};
      INFO("at " << at);
      CHECK(decode_signatures(damaged).empty());
    }
  }
  SECTION("an address space and a const that there are not") {
    const auto one = encode_signatures({{"f", {{address_space::value, false, 0, "int", "n"}}}});
    constexpr std::size_t space = 4 + 4 + 4 + 1 + 4;
    for (const std::size_t at : {space, space + 1}) {
      auto damaged = one;
      REQUIRE(damaged[at] == std::byte{});
      damaged[at] = std::byte{5};
      CHECK(decode_signatures(damaged).empty());
    }
  }
}

TEST_CASE("no bytes are read as signatures that are not written so", "[program]") {
  std::mt19937_64 random{20240229};
  const auto good = encode_signatures(some_kernels());
  for (int round = 0; round < 5000; ++round) {
    auto bytes = good;
    for (std::uint64_t changes = 1 + random() % 6; changes > 0; --changes) {
      const auto at = static_cast<std::ptrdiff_t>(random() % bytes.size());
      if (random() % 3 == 0) bytes.erase(bytes.begin() + at);
      if (random() % 3 == 0) bytes.insert(bytes.begin() + at, static_cast<std::byte>(random() % 9));
      bytes[static_cast<std::size_t>(at) % bytes.size()] = static_cast<std::byte>(random());
    }
    REQUIRE(holds(bytes));
  }
}

TEST_CASE("a driver's silence is filled in from what was told, its word is not", "[program]") {
  const auto completed = [](std::size_t count, const std::string& name, auto change) {
    yoke::kernel_signature found;
    found.count = count;
    change(found);
    const auto told = some_kernels();
    yoke::detail::complete_signature(found, told, name);
    return found;
  };
  const auto as_it_is = [](yoke::kernel_signature&) {};
  const auto last = completed(1, "last", as_it_is);
  CHECK(last.described);
  CHECK(last.parameters.at(0).type == "int");
  CHECK(completed(0, "nothing", as_it_is).described);
  CHECK_FALSE(completed(2, "last", as_it_is).described);
  CHECK_FALSE(completed(1, "other", as_it_is).described);
  CHECK_FALSE(completed(1, "", as_it_is).described);
  CHECK_FALSE(completed(1, "last", [](auto& found) { found.counted = false; }).described);
  CHECK_FALSE(completed(1, "last", [](auto& found) { found.by_compiler = true; }).described);
  CHECK_FALSE(completed(1, "last", [](auto& found) { found.laid_out = true; }).described);
  const auto word = completed(1, "last", [](yoke::kernel_signature& found) {
    found.described = true;
    found.parameters = {{address_space::value, false, 0, "long", "n"}};
  });
  CHECK(word.parameters.at(0).type == "long");
}

TEST_CASE("what is aligned to more than 16 bytes may lie where the driver's own memory is aligned", "[program]") {
  // A GPU of capability 9.0 puts arguments at byte 0x210 of its memory: 48 behind that is a multiple of 32, 32 is not.
  const auto places = [](std::vector<std::size_t> offsets) {
    yoke::kernel_signature found;
    found.count = offsets.size();
    found.laid_out = found.cxx = true;
    const std::size_t bytes[] = {4, 32, 4};
    for (std::size_t i = 0; i != offsets.size(); ++i) found.layout.push_back({offsets[i], bytes[i]});
    try {
      yoke::detail::compare_signatures("f", yoke::typed<void(int, yoke::double4, int)>("f").parameters, found, {}, {});
      return std::string();
    } catch (const yoke::logic_error& e) {
      CHECK(e.code() == yoke::errc::signature_mismatch);
      return std::string(e.what());
    }
  };
  CHECK(places({0, 32, 64}).empty());
  CHECK(places({0, 16, 48}).empty());
  for (const std::vector<std::size_t>& wrong : {std::vector<std::size_t>{0, 8, 40}, {0, 48, 80}, {0, 64, 96}}) {
    CHECK_THAT(places(wrong), Catch::Matchers::ContainsSubstring("parameter 2 lies at byte"));
  }
  CHECK_THAT(places({0, 16, 64}), Catch::Matchers::ContainsSubstring("parameter 3 lies at byte 64"));
}

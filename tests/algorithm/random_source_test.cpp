// SPDX-License-Identifier: MIT
// yoke_random.h in kernels: known answers, the host's bits, how near Box and Muller's method is followed; what NVRTC makes of it.
#include <algorithm/random_model.hpp>
#include <array/array_rig.hpp>
#include <support/process/without_driver.hpp>
#include <support/sample.hpp>
#include <yoke/cuda/compile/compile_to.hpp>
#include <yoke/cuda/compile/nvrtc.hpp>
#include <yoke/random.hpp>

using namespace yoke_test;
using namespace yoke_test::arrays;
namespace cu = yoke::cuda;

namespace {

constexpr std::uint64_t seed = 0xfedcba9876543210;
constexpr std::size_t threads = 200;

/// Returns: the block that a thread of a kernel draws.
random_model::block drawn(std::uint64_t index, std::uint32_t k) {
  return yoke::philox4x32({static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), k, 16},
                          {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
}

/// Returns: words around every edge of the logarithm and of the quarters of a turn, and others.
template <class Word>
std::vector<Word> edges() {
  std::vector<Word> words;
  constexpr int digits = std::numeric_limits<Word>::digits;
  for (int eighth = 0; eighth < 8; ++eighth) {
    const Word at = static_cast<Word>(static_cast<Word>(eighth) << (digits - 3));
    for (int off = -2; off <= 2; ++off) words.push_back(static_cast<Word>(at + static_cast<Word>(off)));
  }
  for (int bit = 0; bit < digits; ++bit) words.push_back(Word{1} << bit);
  const auto root = static_cast<Word>(std::ldexp(0.70710678118654752440L, digits));
  for (int off = -2; off <= 2; ++off) words.push_back(static_cast<Word>(root + static_cast<Word>(off)));
  for (std::uint64_t n = 0; n < 1500; ++n) words.push_back(random_model::bits<Word>(7, n));
  return words;
}

/// Returns: how many units in the last place a number is off, where the last place is one of a number of that size or of 1e-3.
template <class Real>
double units_off(Real found, long double exact) {
  const auto size = std::max(std::abs(exact), 1e-3L);
  const long double unit = std::ldexp(1.0L, std::ilogb(size) + 1 - std::numeric_limits<Real>::digits);
  return static_cast<double>(std::abs(found - exact) / unit);
}

template <class Word, class Real>
void check_normals(const std::vector<Word>& first, const std::vector<Word>& second, const std::vector<Real>& found) {
  double worst = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const std::pair<Real, Real> model = random_model::normals(first[i], second[i]);
    const bool same = found[2 * i] == model.first && found[2 * i + 1] == model.second;
    if (!same) FAIL("words " << first[i] << " and " << second[i]);
    REQUIRE(std::isfinite(found[2 * i]));
    REQUIRE(std::isfinite(found[2 * i + 1]));
    const auto [across, up] = random_model::exact_normals<Real>(first[i], second[i]);
    worst = std::max({worst, units_off(found[2 * i], across), units_off(found[2 * i + 1], up)});
  }
  INFO("units in the last place: " << worst);
  CHECK(worst < 4);
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("a kernel's yoke_philox4x32 gives the published words", "[algorithm]") {
  any_rig state(device);
  const auto module = yoke::compile(state.context, R"(#include "yoke_random.h"
YOKE_KERNEL answer(YOKE_GLOBAL uint* out, uint4 counter, uint2 key) {
  uint4 block = yoke_philox4x32(counter, key);
  out[0] = block.x; out[1] = block.y; out[2] = block.z; out[3] = block.w;
})",
                                    {.headers = {yoke::random_header()}});
  const auto answer = yoke::get_kernel<void(std::uint32_t*, yoke::uint4, yoke::uint2)>(module, "answer");
  auto out = yoke::zeros<std::uint32_t>({4}, state.stream);
  const std::uint32_t all = ~0U;
  answer(state.stream, {.grid = 1, .block = 1}, out, yoke::uint4{0, 0, 0, 0}, yoke::uint2{0, 0});
  CHECK(out.to_host() == std::vector<std::uint32_t>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  answer(state.stream, {.grid = 1, .block = 1}, out, yoke::uint4{all, all, all, all}, yoke::uint2{all, all});
  CHECK(out.to_host() == std::vector<std::uint32_t>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  answer(state.stream, {.grid = 1, .block = 1}, out, yoke::uint4{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         yoke::uint2{0xa4093822, 0x299f31d0});
  CHECK(out.to_host() == std::vector<std::uint32_t>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

YOKE_ANY_DEVICE_TEST_CASE("a kernel draws by seed, index and number", "[algorithm]") {
  any_rig state(device);
  const auto module = yoke::compile(state.context, R"(#include "yoke_random.h"
YOKE_KERNEL draw(YOKE_GLOBAL uint* whole, YOKE_GLOBAL float* reals, YOKE_GLOBAL double* doubles, yoke_uint64 seed) {
  yoke_uint64 index = (yoke_uint64)get_global_id(0) + 0xfffffff0u;
  YOKE_GLOBAL uint* w = whole + 4 * get_global_id(0);
  w[0] = yoke_random_bits(seed, index, 0u);
  yoke_uint64 wide = yoke_random_bits64(seed, index, 1u);
  w[1] = (uint)wide;
  w[2] = (uint)(wide >> 32);
  w[3] = yoke_random_below(seed, index, 2u, 10u);
  YOKE_GLOBAL float* r = reals + 8 * get_global_id(0);
  r[0] = yoke_random_uniform(seed, index, 3u);
  vstore4(yoke_random_uniform4(seed, index, 4u), 0, r + 1);
  r[5] = yoke_random_normal(seed, index, 5u);
  vstore2(yoke_random_normal2(seed, index, 6u), 0, r + 6);
  YOKE_GLOBAL double* d = doubles + 4 * get_global_id(0);
  d[0] = yoke_random_uniform_double(seed, index, 7u);
  d[1] = yoke_random_normal_double(seed, index, 8u);
  double2 both = yoke_random_normal2_double(seed, index, 9u);
  d[2] = both.x;
  d[3] = both.y;
})",
                                    {.headers = {yoke::random_header()}});
  const auto draw = yoke::get_kernel<void(std::uint32_t*, float*, double*, std::uint64_t)>(module, "draw");
  auto whole_gpu = yoke::zeros<std::uint32_t>({threads, 4}, state.stream);
  auto reals_gpu = yoke::zeros<float>({threads, 8}, state.stream);
  auto doubles_gpu = yoke::zeros<double>({threads, 4}, state.stream);
  draw(state.stream, {.grid = threads / 8, .block = 8}, whole_gpu, reals_gpu, doubles_gpu, seed);
  std::vector<std::uint32_t> whole;
  std::vector<float> reals;
  std::vector<double> doubles;
  using random_model::pair_of;
  const auto unit = [](std::uint32_t word) { return std::ldexp(static_cast<float>(word >> 8), -24); };
  for (std::uint64_t index = 0xfffffff0; index < 0xfffffff0 + threads; ++index) {
    const auto at = [&](std::uint32_t k) { return drawn(index, k); };
    whole.insert(whole.end(), {at(0)[0], at(1)[0], at(1)[1],
                               static_cast<std::uint32_t>(random_model::upper_product(pair_of(at(2), 0), 10))});
    reals.push_back(unit(at(3)[0]));
    for (const std::uint32_t word : at(4)) reals.push_back(unit(word));
    reals.push_back(random_model::normals(at(5)[0], at(5)[1]).first);
    const auto pair = random_model::normals(at(6)[0], at(6)[1]);
    reals.insert(reals.end(), {pair.first, pair.second});
    doubles.push_back(std::ldexp(static_cast<double>(pair_of(at(7), 0) >> 11), -53));
    doubles.push_back(random_model::normals(pair_of(at(8), 0), pair_of(at(8), 1)).first);
    const auto both = random_model::normals(pair_of(at(9), 0), pair_of(at(9), 1));
    doubles.insert(doubles.end(), {both.first, both.second});
  }
  CHECK(whole_gpu.to_host() == whole);
  CHECK(reals_gpu.to_host() == reals);
  CHECK(doubles_gpu.to_host() == doubles);
}

YOKE_ANY_DEVICE_TEST_CASE("normal numbers of all words are finite and as exact as their type", "[algorithm]") {
  any_rig state(device);
  const auto module = yoke::compile(state.context, R"(#include "yoke_random.h"
YOKE_KERNEL singles(YOKE_GLOBAL float* out, YOKE_GLOBAL const uint* first, YOKE_GLOBAL const uint* second) {
  size_t i = get_global_id(0);
  vstore2(yoke_normals_of(first[i], second[i]), i, out);
}
YOKE_KERNEL doubles(YOKE_GLOBAL double* out, YOKE_GLOBAL const yoke_uint64* first, YOKE_GLOBAL const yoke_uint64* second) {
  size_t i = get_global_id(0);
  double2 both = yoke_normals_of_double(first[i], second[i]);
  out[2 * i] = both.x;
  out[2 * i + 1] = both.y;
})",
                                    {.headers = {yoke::random_header()}});
  const auto check = [&]<class Real, class Word>(Real, Word, const char* name) {
    const std::vector<Word> words = edges<Word>();
    std::vector<Word> first;
    std::vector<Word> second;
    for (std::size_t i = 0; i < words.size(); ++i) {
      for (const std::size_t step : {std::size_t{0}, std::size_t{1}, std::size_t{11}, std::size_t{102}}) {
        first.push_back(words[i]);
        second.push_back(words[(i + step) % words.size()]);
      }
    }
    const auto a = yoke::to_device_array(first, state.stream);
    const auto b = yoke::to_device_array(second, state.stream);
    auto out = yoke::zeros<Real>({2 * first.size()}, state.stream);
    const auto run = yoke::get_kernel<void(Real*, const Word*, const Word*)>(module, name);
    run(state.stream, {.grid = static_cast<unsigned>(first.size()), .block = 1}, out, a, b);
    check_normals(first, second, out.to_host());
  };
  check(float{}, std::uint32_t{}, "singles");
  check(double{}, std::uint64_t{}, "doubles");
}

TEST_CASE("NVRTC compiles every kernel of random numbers to operations that round once, without a device",
          "[algorithm]") {
  const auto [goes_on, absent] = in_child_without_driver([] { return std::vector{cu::nvrtc_available()}; });
  if (!absent.empty()) YOKE_SKIP(absent);
  if (!goes_on) return;
  using kind = yoke::detail::value_kind;
  using random = yoke::detail::random_kind;
  const std::pair<random, kind> all[]{
      {random::normal, kind::float32},   {random::normal, kind::half},     {random::normal, kind::bfloat16},
      {random::normal, kind::complex64}, {random::uniform, kind::float32}, {random::uniform, kind::float64},
      {random::uniform, kind::half},     {random::normal, kind::float64},  {random::uniform, kind::bfloat16},
      {random::bits, kind::uint8},       {random::bits, kind::uint16},     {random::bits, kind::uint32},
      {random::bits, kind::uint64},      {random::integers, kind::uint8},  {random::integers, kind::uint64},
      {random::integers, kind::uint16},  {random::integers, kind::uint32}, {random::normal, kind::complex128},
  };
  for (const std::size_t at : sampled(0, std::size(all) - 1)) {
    const std::string source =
        yoke::detail::random_source(all[at].first, all[at].second, at % 2 == 0, at % 3 == 0, at % 5 == 4 ? 4 : 1);
    const cu::compiled_image image = cu::compile_to(cu::image_kind::ptx, source, {.architecture = "sm_90"});
    const std::string_view ptx(reinterpret_cast<const char*>(image.bytes.data()), image.bytes.size());
    INFO(source);
    CHECK(image.log.empty());
    CHECK(ptx.find("yoke_r_fill") != ptx.npos);
    CHECK(ptx.find("approx") == ptx.npos);
    CHECK(ptx.find("ftz") == ptx.npos);
    if (at % 2 == 0) CHECK(ptx.find(".local") == ptx.npos);           // without gaps
    if (at == 4) CHECK(ptx.find("st.global.cs.v4.f32") != ptx.npos);  // of several blocks
  }
}

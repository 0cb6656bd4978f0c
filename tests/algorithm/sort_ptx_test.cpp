// SPDX-License-Identifier: MIT
// What NVRTC makes of the kernels of sorts, selections and lists for a GPU of today: no warnings, and tiles in registers.
#include <support/process/without_driver.hpp>
#include <support/rig.hpp>
#include <yoke/algorithm.hpp>
#include <yoke/cuda/compile/compile_to.hpp>
#include <yoke/cuda/compile/nvrtc.hpp>

using namespace yoke_test;
namespace cu = yoke::cuda;
namespace d = yoke::detail;

namespace {

std::size_t count_in(std::string_view text, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != text.npos; at += word.size()) ++count;
  return count;
}
std::string ptx_of(const std::string& source, const std::vector<yoke::define>& defines = {}) {
  const cu::compiled_image image =
      cu::compile_to(cu::image_kind::ptx, source, {.defines = defines, .architecture = "sm_90"});
  INFO(source);
  CHECK(image.log == "");
  return {reinterpret_cast<const char*>(image.bytes.data()), image.bytes.size()};
}

}  // namespace

TEST_CASE("NVRTC keeps the tiles of sorts in registers, without a device", "[algorithm]") {
  const auto [goes_on, absent] = in_child_without_driver([] { return std::vector{cu::nvrtc_available()}; });
  if (!absent.empty()) YOKE_SKIP(absent);
  if (!goes_on) return;
  for (const d::sort_form& form :
       {d::sort_form{.key = 4, .real = true, .look_back = true}, d::sort_form{.key = 8, .value = 4, .wide = true},
        d::sort_form{.use = d::sort_use::one_tile, .key = 4, .value = 4},
        d::sort_form{.use = d::sort_use::one_tile, .key = 8}}) {
    // An array that is not in registers lies in local memory.
    CHECK(ptx_of(d::sort_source(form)).find(".local") == std::string::npos);
  }
}

TEST_CASE("a sort compiles the kernels that it needs", "[algorithm]") {
  for (const bool serial : {false, true}) {
    const auto has = [&](d::sort_use use, const char* kernel) {
      return d::sort_source({.use = use, .serial = serial}).find(kernel) != std::string::npos;
    };
    for (const d::sort_use use : {d::sort_use::tiles, d::sort_use::one_tile, d::sort_use::rows}) {
      CHECK(has(use, "yoke_s_scatter") == (use == d::sort_use::tiles));
      CHECK(has(use, "yoke_s_small") == (use == d::sort_use::one_tile));
      CHECK(has(use, "yoke_s_rows") == (use == d::sort_use::rows));
    }
  }
}

TEST_CASE("NVRTC compiles selections and lists without warnings, without a device", "[algorithm]") {
  const auto [goes_on, absent] = in_child_without_driver([] { return std::vector{cu::nvrtc_available()}; });
  if (!absent.empty()) YOKE_SKIP(absent);
  if (!goes_on) return;
  constexpr std::uint8_t slots[]{0, 1};
  const d::expression_step steps[]{{.what = d::expression_step::form::input, .type = d::value_kind::float32},
                                   {.what = d::expression_step::form::input, .type = d::value_kind::uint8}};
  for (const bool looks_back : {false, true}) {
    for (const auto kind : {d::selection_kind::kept, d::selection_kind::parted, d::selection_kind::changes}) {
      if (looks_back && kind == d::selection_kind::parted) continue;
      const bool alone = kind == d::selection_kind::changes;
      const d::scan_form form{
          .values = {.steps = std::span(steps, alone ? 1 : 2), .slots = slots, .inputs = alone ? 1U : 2U},
          .accumulator = d::value_kind::uint32,
          .join = "a + b",
          .neutral = "0",
          .linear = true,
          .way = looks_back ? d::scan_way::look_back : d::scan_way::three_passes};
      (void)ptx_of(d::selection_source(form, kind, d::value_kind::float32));
    }
  }
  for (const bool yes : {false, true}) {
    (void)ptx_of(d::take_source({.word = 4, .index = d::value_kind::int32, .puts = yes, .one_row = !yes}));
    (void)ptx_of(d::take_source({.index = d::value_kind::uint64, .puts = !yes, .one_word = yes}));
    (void)ptx_of(d::bound_source(yes ? d::value_kind::half : d::value_kind::uint64, yes));
    const d::expression_step number[]{
        {.what = d::expression_step::form::input, .type = yes ? d::value_kind::uint64 : d::value_kind::int8}};
    const std::string count = ptx_of(d::count_source({.values = {.steps = number, .slots = slots, .inputs = 1},
                                                      .rank = yes ? 2U : 1U,
                                                      .linear = !yes,
                                                      .local = yes,
                                                      .batch = 8}));
    // All elements are under way before the first is counted.
    CHECK(count_in(std::string_view(count).substr(0, count.find(yes ? ".shared.add" : ".global.add")), "ld.global") ==
          8);
  }
  (void)ptx_of(d::reduce_lists_source(d::value_kind::half, d::value_kind::float32, "a + b", "0"));
  (void)ptx_of(d::gather_source(8, 4));
  (void)ptx_of(d::starts_source(d::value_kind::uint64));
  const d::elementwise_parameter parameters[]{{true, true}};
  const std::string_view names[]{"x"};
  const d::list_name lists[]{{"near", 0}};
  (void)ptx_of(d::list_builder_source(parameters, names, lists, {.body = "if (x[i] > 0) append_near(i)"}, {}),
               {{"yoke_x_type0", "float"}, {"yoke_x_type1", "int"}});
}

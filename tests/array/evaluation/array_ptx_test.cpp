// SPDX-License-Identifier: MIT
// What NVRTC makes of the arrays' kernels for a GPU of today: wide accesses, reads that do not wait for each other, no division.
#include <array/array_rig.hpp>
#include <support/process/without_driver.hpp>
#include <yoke/cuda/compile/compile_to.hpp>
#include <yoke/cuda/compile/nvrtc.hpp>

#include <complex>

using namespace yoke_test;
namespace cu = yoke::cuda;
namespace d = yoke::detail;

namespace {

using step = d::expression_step;
using kind = d::value_kind;

std::string ptx_of(const std::string& source) {
  const cu::compiled_image image =
      cu::compile_to(cu::image_kind::ptx, source, {.architecture = "sm_90", .math = {.contract = false}});
  INFO(source);
  CHECK(image.log.empty());
  return {reinterpret_cast<const char*>(image.bytes.data()), image.bytes.size()};
}
std::size_t count_of(std::string_view text, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; at += word.size()) ++count;
  return count;
}
/// Returns: the most instructions of one name with none of another between them.
std::size_t run_of(std::string_view text, std::string_view word, std::string_view other) {
  std::size_t most = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(other, at), text.size());
    most = std::max(most, count_of(text.substr(at, end - at), word));
    at = end + other.size();
  }
  return most;
}
/// Returns: the instructions before the first one of a name.
std::string_view before(std::string_view text, std::string_view word) { return text.substr(0, text.find(word)); }

constexpr std::uint8_t slots[]{0, 1};
step input(kind of) { return {.what = step::form::input, .type = of}; }

}  // namespace

TEST_CASE("NVRTC makes wide accesses of evaluations without gaps, without a device", "[array]") {
  const auto [goes_on, absent] = in_child_without_driver([] { return std::vector{cu::nvrtc_available()}; });
  if (!absent.empty()) YOKE_SKIP(absent);
  if (!goes_on) return;
  const auto check = [&](kind of, std::size_t bytes, const char* text, std::string_view load, std::string_view store) {
    d::expression_axes axes;
    axes.count = 1 << 24;
    axes.rank = 1;
    axes.extents[0] = axes.count;
    axes.places[0].strides[0] = axes.places[1].strides[0] = 1;
    const std::size_t sizes[]{bytes, bytes};
    const step steps[]{input(of), {.type = of, .argument = of, .arity = 1, .text = text}};
    const d::expression_tiles tiles = d::tiles_for(axes, true, sizes, slots, steps);
    CHECK(tiles.width * bytes == 16);
    CHECK(tiles.vectors == 2);
    const step costly[]{input(of), {.type = of, .argument = of, .arity = 1, .text = "sin(@0)"}};
    CHECK(d::tiles_for(axes, true, sizes, slots, costly).vectors == 1);
    CHECK(d::blocks_for(axes, tiles) * 256 * 32 == axes.count * static_cast<std::int64_t>(bytes));
    const std::string ptx =
        ptx_of(d::evaluation_source({.steps = steps, .slots = slots, .inputs = 1, .tiles = tiles}, of));
    CHECK(count_of(ptx, load) == 2);
    CHECK(count_of(ptx, store) == 2);
    CHECK(count_of(before(ptx, store), load) == 2);  // both are under way before the first is written
    CHECK(count_of(ptx, "div.") + count_of(ptx, "rem.") == 0);
  };
  check(kind::float32, 4, "@0 * 2", "ld.global.v4.f32", "st.global.v4.f32");
  check(kind::float64, 8, "@0 * 2", "ld.global.v2.f64", "st.global.v2.f64");
  check(kind::int8, 1, "-@0", "ld.global.v4.u32", "st.global.v4.u32");
}

TEST_CASE("NVRTC reads squares of transposed operands along their rows, without a device", "[array]") {
  const auto [goes_on, absent] = in_child_without_driver([] { return std::vector{cu::nvrtc_available()}; });
  if (!absent.empty()) YOKE_SKIP(absent);
  if (!goes_on) return;
  d::expression_axes axes;
  axes.count = 4096 * 4096;
  axes.rank = 2;
  axes.extents[0] = axes.extents[1] = 4096;
  axes.places[0].strides[0] = axes.places[1].strides[1] = 4096;
  axes.places[0].strides[1] = axes.places[1].strides[0] = 1;
  const std::size_t sizes[]{4, 4};
  const d::expression_tiles tiles = d::tiles_for(axes, false, sizes, slots, {});
  CHECK((tiles.across == 1 && tiles.inputs == 1));
  CHECK(d::blocks_for(axes, tiles) == 128 * 128);
  const step steps[]{input(kind::float32),
                     {.type = kind::float32, .argument = kind::float32, .arity = 1, .text = "-@0"}};
  const std::string ptx = ptx_of(
      d::evaluation_source({.steps = steps, .slots = slots, .inputs = 1, .rank = 2, .tiles = tiles}, kind::float32));
  CHECK(count_of(before(ptx, "st.shared"), "ld.global.f32") == 4);
  CHECK(count_of(ptx, "bar.sync") + count_of(ptx, "barrier.sync") == 1);
  CHECK(count_of(ptx, "st.global.f32") == 4);
}

TEST_CASE("NVRTC reads all elements of a lane before it joins them, without a device", "[array]") {
  const auto [goes_on, absent] = in_child_without_driver([] { return std::vector{cu::nvrtc_available()}; });
  if (!absent.empty()) YOKE_SKIP(absent);
  if (!goes_on) return;
  const step steps[]{input(kind::float32)};
  for (const d::reduction_kind by :
       {d::reduction_kind::sum, d::reduction_kind::first_most, d::reduction_kind::variance}) {
    const d::reduction_field fields[]{{.by = by,
                                       .accumulator = kind::float32,
                                       .to = by == d::reduction_kind::first_most ? kind::int64 : kind::float32}};
    const std::string ptx = ptx_of(d::reduction_source({.values = {.steps = steps, .slots = slots, .inputs = 1},
                                                        .fields = fields,
                                                        .rank = 1,
                                                        .linear = true,
                                                        .to_parts = true,
                                                        .batch = d::reduction_batch(true, 4)}));
    CHECK(count_of(ptx, "ld.global.cs.f32") == 16);
    CHECK(count_of(ptx, ".local") == 0);
    CHECK(count_of(before(ptx, "st.shared"), "ld.global.cs.f32") == 16);
    CHECK(count_of(ptx, "div.u") + count_of(ptx, "div.s") + count_of(ptx, "rem.") == 0);  // a block has one tile
  }
  const std::string scan = ptx_of(d::scan_source({.values = {.steps = steps, .slots = slots, .inputs = 1},
                                                  .accumulator = kind::float32,
                                                  .join = "a + b",
                                                  .neutral = "0",
                                                  .rank = 1,
                                                  .linear = true,
                                                  .way = d::scan_way::look_back}));
  CHECK(run_of(scan, "ld.global.cs.f32", "st.shared") == 20);
  CHECK(count_of(scan, "st.global.f32") == 0);
  CHECK(count_of(scan, "local.") == 0);  // what a thread has read is in registers
  const std::string columns = ptx_of(d::scan_source({.values = {.steps = steps, .slots = slots, .inputs = 1},
                                                     .accumulator = kind::float32,
                                                     .join = "a + b",
                                                     .neutral = "0",
                                                     .result_rank = 1,
                                                     .rank = 1,
                                                     .way = d::scan_way::columns}));
  CHECK(run_of(columns, "ld.global.f32", "st.global.f32") == 32);  // parts; a thread reads 20 elements at once
  CHECK(count_of(columns, "local.") == 0);
}

TEST_CASE("NVRTC leaves the caches alone where a scan reads and writes, whatever the type, without a device",
          "[array]") {
  const auto [goes_on, absent] = in_child_without_driver([] { return std::vector{cu::nvrtc_available()}; });
  if (!absent.empty()) YOKE_SKIP(absent);
  if (!goes_on) return;
  const auto check = [&](d::value_type_name type, const char* join, const char* neutral, std::string_view load,
                         std::string_view store) {
    const step steps[]{{.what = step::form::input, .type = type}};
    const std::string ptx = ptx_of(d::scan_source({.values = {.steps = steps, .slots = slots, .inputs = 1},
                                                   .accumulator = type,
                                                   .join = join,
                                                   .neutral = neutral,
                                                   .rank = 1,
                                                   .linear = true,
                                                   .way = d::scan_way::look_back}));
    CAPTURE(static_cast<int>(type.kind), ptx);
    CHECK(count_of(ptx, load) >= 2);  // of a full tile, and of the last
    CHECK(count_of(ptx, store) >= 1);
  };
  const auto add = [&](auto zero, const char* load, const char* store) {
    check(d::name_of<decltype(zero)>(), "a + b", "0", load, store);
  };
  add(std::int8_t{}, "ld.global.cs.s8", "st.global.cs.s8");
  add(std::uint8_t{}, "ld.global.cs.u8", "st.global.cs.u8");
  add(std::int16_t{}, "ld.global.cs.s16", "st.global.cs.s16");
  add(std::uint16_t{}, "ld.global.cs.u16", "st.global.cs.u16");
  add(std::int32_t{}, "ld.global.cs.s32", "st.global.cs.s32");
  add(std::uint32_t{}, "ld.global.cs.u32", "st.global.cs.u32");
  add(std::int64_t{}, "ld.global.cs.s64", "st.global.cs.s64");
  add(std::uint64_t{}, "ld.global.cs.u64", "st.global.cs.u64");
  add(double{}, "ld.global.cs.f64", "st.global.cs.f64");
  add(bool{}, "ld.global.cs.u8", "st.global.cs.u8");
  add(std::complex<float>{}, "ld.global.cs.v2.f32", "st.global.cs.v2.f32");
  add(std::complex<double>{}, "ld.global.cs.v2.f64", "st.global.cs.v2.f64");
}

TEST_CASE("NVRTC makes a kernel of rows that reads memory once, without a device", "[array]") {
  const auto [goes_on, absent] = in_child_without_driver([] { return std::vector{cu::nvrtc_available()}; });
  if (!absent.empty()) YOKE_SKIP(absent);
  if (!goes_on) return;
  const auto softmax = [](const auto& x) {
    const auto e = exp(x - yoke::pass::max(x, yoke::along(1).keep_dims()));
    return e / yoke::pass::sum(e, yoke::along(1).keep_dims());
  };
  using words = decltype(softmax(std::declval<const yoke::device_array<float, 2>&>()));
  constexpr d::row_task task = d::row_task_of<words, float>;
  static_assert(task.stages.size() == 3);
  constexpr std::uint8_t all_x[]{0, 0, 0, 0};
  constexpr std::uint8_t same[]{0, 0, 2};  // the greatest element is wanted twice
  const d::row_form form{
      .slots = all_x, .same = same, .inputs = 4, .result_rank = 1, .rank = 1, .warps = 16, .items = 16, .staged = 1};
  CHECK(form.block() == 512);
  const std::string ptx = ptx_of(d::row_source(task, form));
  CHECK(count_of(ptx, "ld.global") == 16);
  CHECK(run_of(ptx, "ld.global", "st.shared") == 16);  // all are under way before the first is joined
  CHECK(count_of(ptx, ".local") == 0);
  CHECK(count_of(ptx, "div.u") + count_of(ptx, "rem.") == 0);
  CHECK(count_of(ptx, "bar.sync") + count_of(ptx, "barrier.sync") == 4);
  CHECK(count_of(ptx, "ex2") >= 16);  // a thread has all its elements under way
  // What is not in local memory is read for each reduction, and again for the result.
  d::row_form apart = form;
  apart.staged = 0;
  CHECK(count_of(ptx_of(d::row_source(task, apart)), "ld.global") == 48);
  // Rows that fill all threads need no checks, and each power is calculated once.
  d::row_form flat = form;
  flat.flat = true;
  const std::string plain = ptx_of(d::row_source(task, flat));
  CHECK(run_of(plain, "ld.global", "st.shared") == 16);
  CHECK(count_of(plain, "ex2") == 16);
}

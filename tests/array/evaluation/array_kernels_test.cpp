// SPDX-License-Identifier: MIT
// The arrays' kernels, compiled by NVRTC for each kind of element, with their parameters compared by type.
#include <array/array_rig.hpp>
#include <support/sample.hpp>
#include <yoke/cuda/compile/compile_to.hpp>

#include <complex>

using namespace yoke_test;
namespace cu = yoke::cuda;

namespace {

/// Returns: the bytes of the kernel of a copy that converts, along `rank` axes; 0: without gaps.
template <class To, class From>
std::size_t copy_kernel_bytes(std::size_t rank, bool wide, const yoke::detail::expression_tiles& tiles = {}) {
  namespace d = yoke::detail;
  const std::uint8_t slots[]{0};
  const d::evaluation_text& what = d::copy_text<To, From>;
  const cu::compiled_image image = cu::compile_to(
      cu::image_kind::cubin,
      d::evaluation_source(
          {.steps = what.steps, .slots = slots, .inputs = 1, .rank = rank, .wide = wide, .tiles = tiles}, what.to),
      {.architecture = "sm_90"});
  CHECK(image.log.empty());
  return image.bytes.size();
}

}  // namespace

TEST_CASE("NVRTC compiles the kernels of arrays without a device", "[array]") {
  if (!cu::nvrtc_available()) YOKE_SKIP("no NVRTC: none is installed");
  CHECK(copy_kernel_bytes<std::uint8_t, std::uint8_t>(1, false) > 0);
  CHECK(copy_kernel_bytes<std::uint64_t, std::uint64_t>(9, true) > 0);
  CHECK(copy_kernel_bytes<std::uint16_t, std::uint16_t>(2, false, {.across = 1, .inputs = 1}) > 0);
  CHECK(copy_kernel_bytes<std::uint32_t, std::uint32_t>(9, true, {.across = 3, .inputs = 1}) > 0);
  CHECK(copy_kernel_bytes<float, int>(3, false, {.vectors = 2}) > 0);
  CHECK(copy_kernel_bytes<bool, double>(2, false) > 0);
  CHECK(copy_kernel_bytes<yoke::half, bool>(0, false, {.width = 8}) > 0);
  CHECK(copy_kernel_bytes<yoke::half, double>(2, false) > 0);
  CHECK(copy_kernel_bytes<yoke::bfloat16, yoke::half>(2, false) > 0);
  CHECK(copy_kernel_bytes<std::int64_t, yoke::bfloat16>(2, true) > 0);
  CHECK(copy_kernel_bytes<std::complex<double>, std::complex<float>>(2, false) > 0);
  CHECK(copy_kernel_bytes<std::complex<float>, std::int64_t>(1, false) > 0);
  const auto sequence_bytes = []<class T>(T) {
    return cu::compile_to(cu::image_kind::cubin, yoke::detail::sequence_source(),
                          {.defines = yoke::specialise<T>("T"),
                           .kernels = {yoke::typed<void(T*, T, T, std::int64_t)>("yoke_a_sequence")},
                           .architecture = "sm_90"})
        .bytes.size();
  };
  CHECK(sequence_bytes(std::int8_t{}) > 0);
  CHECK(sequence_bytes(std::uint64_t{}) > 0);
  const auto line_bytes = []<class T>(T) {
    return cu::compile_to(cu::image_kind::cubin, yoke::detail::line_source(),
                          {.defines = yoke::specialise<T>("T"),
                           .kernels = {yoke::typed<void(T*, T, T, std::uint64_t, std::uint64_t, float, float, float,
                                                        std::int64_t, std::int64_t)>("yoke_a_line")},
                           .architecture = "sm_90"})
        .bytes.size();
  };
  CHECK(line_bytes(float{}) > 0);
  CHECK(line_bytes(double{}) > 0);
}

TEST_CASE("NVRTC compiles the kernels of reductions and scans without a device", "[array]") {
  if (!cu::nvrtc_available()) YOKE_SKIP("no NVRTC: none is installed");
  namespace d = yoke::detail;
  using step = d::expression_step;
  using kind = d::value_kind;
  using by = d::reduction_kind;
  const auto bytes_of = [](const std::string& text) {
    const std::string source = d::complex_functions(text) + text;
    const cu::compiled_image image =
        cu::compile_to(cu::image_kind::cubin, source, {.architecture = "sm_90", .math = {.contract = false}});
    INFO(source << image.log);
    CHECK(image.log.empty());
    return image.bytes.size();
  };
  const step half_step[]{{.what = step::form::input, .type = kind::half}};
  const step two_steps[]{{.what = step::form::input, .type = kind::float64},
                         {.what = step::form::input, .type = kind::boolean}};
  const std::uint8_t slots[]{0, 1};
  const d::reduction_field sum{.by = by::sum, .accumulator = kind::float32, .to = kind::float32};
  const d::reduction_field two[]{{.by = by::first_least, .accumulator = kind::float64, .to = kind::int64},
                                 {.by = by::any, .accumulator = kind::int32, .to = kind::boolean}};
  for (const bool linear : {false, true}) {
    CHECK(bytes_of(d::reduction_source({.values = {.steps = half_step, .slots = slots, .inputs = 1, .wide = !linear},
                                        .fields = std::span(&sum, 1),
                                        .result_rank = linear ? 0U : 2U,
                                        .rank = linear ? 1U : 2U,
                                        .linear = linear})) > 0);
  }
  for (const bool to_parts : {false, true}) {
    for (const bool from_parts : {false, true}) {
      CHECK(bytes_of(d::reduction_source({.values = {.steps = two_steps, .slots = slots, .inputs = 2},
                                          .fields = two,
                                          .lanes = {.lanes = 32, .threads = 8, .results = 32, .columns = true},
                                          .result_rank = 1,
                                          .rank = 1,
                                          .from_parts = from_parts,
                                          .to_parts = to_parts})) > 0);
    }
  }
  for (const bool in_segments : {false, true}) {
    CHECK(bytes_of(d::scan_source({.values = {.steps = two_steps, .slots = slots, .inputs = 2},
                                   .accumulator = kind::float64,
                                   .join = "a + b",
                                   .neutral = "0",
                                   .result_rank = 1,
                                   .rank = 2,
                                   .segments = in_segments})) > 0);
    CHECK(bytes_of(d::scan_source({.values = {.steps = two_steps, .slots = slots, .inputs = 2},
                                   .accumulator = kind::float64,
                                   .join = "a + b",
                                   .neutral = "0",
                                   .result_rank = 1,
                                   .rank = 2,
                                   .inclusive = in_segments,
                                   .segments = in_segments,
                                   .way = d::scan_way::columns})) > 0);
  }
  // Scans that look back, of parts of one word and of several; in a sample, one way of each.
  bool sampled_segments = false;
  for (const kind accumulator : {kind::int8, kind::float32, kind::float64, kind::complex64, kind::complex128}) {
    sampled_segments = !sampled_segments;
    for (const bool in_segments : {false, true}) {
      if (!runs_whole() && in_segments != sampled_segments) continue;
      const step steps[]{{.what = step::form::input, .type = accumulator},
                         {.what = step::form::input, .type = kind::boolean}};
      CHECK(bytes_of(d::scan_source({.values = {.steps = std::span(steps, in_segments ? 2 : 1),
                                                .slots = slots,
                                                .inputs = in_segments ? 2U : 1U},
                                     .accumulator = accumulator,
                                     .join = "a + b",
                                     .neutral = "0",
                                     .rank = 1,
                                     .linear = true,
                                     .inclusive = in_segments,
                                     .segments = in_segments,
                                     .way = d::scan_way::look_back})) > 0);
    }
  }
  // Every function of complex numbers, and reductions of them; in a sample, each function of one of the two types.
  std::size_t function = 0;
  for (const kind each : {kind::complex64, kind::complex128}) {
    const step input[]{{.what = step::form::input, .type = each}};
    const d::reduction_field fields[]{{.by = by::product, .accumulator = each, .to = each},
                                      {.by = by::mean, .accumulator = each, .to = each}};
    const step inputs[]{input[0], input[0]};
    const std::uint8_t same[]{0, 0};
    CHECK(bytes_of(d::reduction_source(
              {.values = {.steps = inputs, .slots = same, .inputs = 2}, .fields = fields, .rank = 1, .linear = true})) >
          0);
    for (const char* name : {"exp", "log", "log10", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "conj"}) {
      if (!runs_whole() && ++function % 2 == 0) continue;  // eleven of them
      const std::string call = std::string("yoke_complex_") + name + "_#(@0)";
      const step steps[]{input[0], {.type = each, .argument = each, .arity = 1, .text = call.c_str()}};
      CHECK(bytes_of(d::evaluation_source({.steps = steps, .slots = slots, .inputs = 1}, each)) > 0);
    }
    for (const char* call : {"yoke_complex_pow_#(@0, @1)", "yoke_complex_divided_#(@0, @1)"}) {
      const step steps[]{input[0], input[0], {.type = each, .argument = each, .arity = 2, .text = call}};
      CHECK(bytes_of(d::evaluation_source({.steps = steps, .slots = same, .inputs = 2}, kind::complex128)) > 0);
    }
  }
}

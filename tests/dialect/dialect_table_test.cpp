// SPDX-License-Identifier: MIT
// The conformance table on every device: what each word of the dialect gives there.
#include <dialect/table.hpp>
#include <support/devices/background.hpp>
#include <support/rig.hpp>
#include <support/sample.hpp>

#include <yoke/image.hpp>

#include <algorithm>
#include <array>
#include <set>

using namespace yoke_test;

namespace {

/// Returns: the options that a feature needs: OpenCL has images that a kernel reads and writes from C 2.0 on.
template <class Backend>
std::vector<std::string> options_for(const rig<Backend>& on, const std::string& feature) {
  if constexpr (std::is_same_v<typename Backend::port, yoke::opencl::port>) {
    const bool is_3 = on.device.summary().version.starts_with("OpenCL 3.");
    if (feature == "READ_WRITE_IMAGES" && is_3) return {"-cl-std=CL3.0"};
  }
  return {};
}

/// Returns: the features that the device's compiler has with these options.
template <class Backend>
std::set<std::string> features_of(rig<Backend>& on, const std::vector<std::string>& options) {
  std::string source = "YOKE_KERNEL run(YOKE_GLOBAL int* out) {\n";
  for (std::size_t each = 0; each < dialect::features.size(); ++each) {
    source += "  out[" + std::to_string(each) + "] = YOKE_HAS_" + dialect::features[each] + ";\n";
  }
  std::vector<int> has(dialect::features.size());
  const auto module = yoke::compile(on.context, source + "}\n", {.options = options});
  yoke::get_kernel<void(int*)>(module, "run")(on.stream, {.grid = 1}, yoke::out(has));
  std::set<std::string> found{""};
  for (std::size_t each = 0; each < has.size(); ++each) {
    if (has[each] != 0) found.insert(dialect::features[each]);
  }
  return found;
}

/// Effects: runs a kernel of the table that takes images of one kind. Returns: what it wrote, and the texel that it wrote.
template <class Backend, yoke::image_kind Kind>
std::vector<dialect::word> run_images(rig<Backend>& on, const dialect::kernel& one, const auto&... extent) {
  using port = typename Backend::port;
  using image = yoke::basic_image<float, Kind, port>;
  image from{on.context, extent...};
  image to{on.context, extent...};
  std::vector<float> texels(from.size());
  for (std::size_t i = 0; i < texels.size(); ++i) {
    const std::size_t row = i / 4;
    texels[i] = static_cast<float>(
        i % 4 + (Kind == yoke::image_kind::d1_layered ? 10 * row : 10 * (row % 3) + 100 * (row / 3)));
  }
  yoke::copy(texels, from, on.stream);
  const auto module =
      yoke::compile(on.context, one.source, {.options = options_for(on, one.feature), .name = one.name});
  std::vector<dialect::word> out(one.in_place ? 2 : 7);
  if (one.in_place) {
    yoke::get_kernel<void(yoke::detail::image_parameter<float, Kind, yoke::image_access::read_write>,
                          const dialect::word*, dialect::word*)>(module, "run")(on.stream, {.grid = 1}, from,
                                                                                yoke::in(one.input), yoke::in_out(out));
  } else {
    yoke::get_kernel<void(yoke::detail::image_parameter<float, Kind, yoke::image_access::read>, yoke::sampler,
                          yoke::detail::image_parameter<float, Kind, yoke::image_access::write>, const dialect::word*,
                          dialect::word*)>(module, "run")(on.stream, {.grid = 1}, from,
                                                          yoke::sampler{.filter = yoke::filter_mode::linear}, to,
                                                          yoke::in(one.input), yoke::in_out(out));
  }
  yoke::copy(one.in_place ? from : to, texels, on.stream);
  const std::size_t rows = Kind == yoke::image_kind::d1                                           ? 0
                           : Kind == yoke::image_kind::d2 || Kind == yoke::image_kind::d1_layered ? 1
                                                                                                  : 4;
  out.push_back(static_cast<dialect::word>(texels[4 * rows + 2]));
  return out;
}

/// Effects: runs one kernel of the table. Returns: what it wrote.
template <class Backend>
std::vector<dialect::word> run(rig<Backend>& on, const dialect::kernel& one) {
  switch (one.images) {
    case 1: return run_images<Backend, yoke::image_kind::d1>(on, one, yoke::extent3{4});
    case 2: return run_images<Backend, yoke::image_kind::d2>(on, one, yoke::extent3{4, 3});
    case 3: return run_images<Backend, yoke::image_kind::d3>(on, one, yoke::extent3{4, 3, 3});
    case 4: return run_images<Backend, yoke::image_kind::d1_layered>(on, one, yoke::extent3{4}, 3);
    case 5: return run_images<Backend, yoke::image_kind::d2_layered>(on, one, yoke::extent3{4, 3}, 3);
    default: break;
  }
  std::size_t count = 0;
  for (const auto& column : one.results) count += column.real.size() + column.expected.size();
  std::vector<dialect::word> out(count);
  const auto module = yoke::compile(on.context, one.source, {.name = one.name});
  const yoke::launch_shape shape{.grid = {one.grid[0], one.grid[1], one.grid[2]},
                                 .block = {one.block[0], one.block[1], one.block[2]}};
  if (one.dynamic_local) {
    yoke::get_kernel<void(const dialect::word*, dialect::word*, yoke::local<float>)>(module, "run")(
        on.stream, shape, yoke::in(one.input), yoke::in_out(out), yoke::local<float>(64));
  } else {
    yoke::get_kernel<void(const dialect::word*, dialect::word*)>(module, "run")(on.stream, shape, yoke::in(one.input),
                                                                                yoke::in_out(out));
  }
  return out;
}

/// Effects: runs the kernels that need a feature, "" for those that need none; where they are many, in turns.
template <class Backend>
void run_table(const typename Backend::device& device, const std::string& feature) {
  rig<Backend> on(device);
  if (features_of(on, options_for(on, feature)).count(feature) == 0) YOKE_SKIP("the device lacks " + feature);
  std::size_t count = 0;
  turns turn(device);
  const bool are_few = std::ranges::count(dialect::table(), feature, &dialect::kernel::feature) < 4;
  for (const dialect::kernel& each : dialect::table()) {
    if (each.feature != feature || (!turn() && !are_few)) continue;
    // Oclgrind 21.10 reads behind the scalar in min, max and clamp of a vector and a scalar, and has faults in these.
    constexpr std::array not_there{"int2",
                                   "int4",
                                   "uint2",
                                   "uint4",
                                   "doubles",
                                   "arithmetic_of_halves",
                                   "sub_groups_of_int",
                                   "sub_groups_of_uint",
                                   "sub_groups_of_float"};
    if (is_oclgrind(device) && std::find(not_there.begin(), not_there.end(), each.name) != not_there.end()) continue;
    if (each.name == "longs" && is_nvidia_opencl(device)) continue;  // its mad_sat of the least long and -1 is wrong
    ++count;
    INFO(each.name);
    CHECK_THAT(dialect::differences(each, run(on, each)), Equals(""));
  }
  if (is_oclgrind(device) && count == 0) YOKE_SKIP("the interpreter computes none of them rightly");
  CHECK(count > 0);
}

}  // namespace

YOKE_DEVICE_TEST_CASE("the dialect gives what the host works out", "[program][dialect]") {
  run_table<Backend>(device, "");
}
YOKE_DEVICE_TEST_CASE("the dialect's words of double precision", "[program][dialect]") {
  run_table<Backend>(device, "FP64");
}
YOKE_DEVICE_TEST_CASE("the dialect's arithmetic of half precision", "[program][dialect]") {
  run_table<Backend>(device, "FP16");
}
YOKE_DEVICE_TEST_CASE("the dialect's atomics of 64 bits", "[program][dialect]") {
  run_table<Backend>(device, "INT64_ATOMICS");
}
YOKE_DEVICE_TEST_CASE("the dialect's atomics of double precision", "[program][dialect]") {
  run_table<Backend>(device, "FP64_ATOMICS");
}
YOKE_DEVICE_TEST_CASE("the dialect's words for sub-groups", "[program][dialect]") {
  run_table<Backend>(device, "SUB_GROUPS");
}
YOKE_DEVICE_TEST_CASE("the dialect's images and samplers", "[program][dialect][image]") {
  run_table<Backend>(device, "IMAGES");
}
YOKE_DEVICE_TEST_CASE("the dialect's images that a kernel reads and writes", "[program][dialect][image]") {
  run_table<Backend>(device, "READ_WRITE_IMAGES");
}

TEST_CASE("the conformance table notices what is wrong") {
  dialect::kernel one;
  one.name = "k";
  one.results = {{"whole", "yoke_int32", 0, 0, {7}, {}},
                 {"exact", "float", 0, 0, {}, {1.0L}},
                 {"near", "double", 2, 0, {}, {1.0L}},
                 {"rough", "float", 0, 0.5, {}, {2.0L}},
                 {"none", "float", 1, 0, {}, {static_cast<long double>(std::nanf(""))}}};
  const auto words = [](int whole, float exact, double near, float rough, float none) {
    return std::vector<dialect::word>{dialect::word_of(whole), dialect::word_of(exact), dialect::word_of(near),
                                      dialect::word_of(rough), dialect::word_of(none)};
  };
  const float nan = std::nanf("");
  CHECK_THAT(dialect::differences(one, words(7, 1.0F, 1.0 + 2 * 0x1p-52, 2.5F, nan)), Equals(""));
  CHECK_THAT(dialect::differences(one, words(8, 1.0F, 1.0, 2.0F, nan)), ContainsSubstring("whole"));
  CHECK_THAT(dialect::differences(one, words(7, 1.0F + 0x1p-23F, 1.0, 2.0F, nan)), ContainsSubstring("exact"));
  CHECK_THAT(dialect::differences(one, words(7, 1.0F, 1.0 + 3 * 0x1p-52, 2.0F, nan)), ContainsSubstring("near"));
  CHECK_THAT(dialect::differences(one, words(7, 1.0F, 1.0, 2.75F, nan)), ContainsSubstring("rough"));
  CHECK_THAT(dialect::differences(one, words(7, 1.0F, 1.0, 2.0F, 0.0F)), ContainsSubstring("none"));
  CHECK_THAT(dialect::differences(one, words(7, nan, 1.0, 2.0F, nan)), ContainsSubstring("exact"));
}

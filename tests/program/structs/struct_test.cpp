// SPDX-License-Identifier: MIT
// Structs that the host shares with kernels: described, defined and checked in every language, and passed both ways.
#include <program/compiling.hpp>
#include <yoke/opencl/vector_types.hpp>
#include <yoke/program/cache/program_cache.hpp>
#include <yoke/program/structs/struct.hpp>

#include <complex>

using namespace yoke_test;

namespace sim {

struct cell {
  float weights[2][3];
  std::uint8_t flags[4];
};
enum class kind : std::uint16_t { solid = 7 };
struct particle {
  yoke::float4 position;
  std::complex<float> phase;
  cell inside[2];
  std::int64_t id;
  sim::kind what;
  std::int8_t sign;
  float mass;
  int padding[2];
};
struct halves {
  yoke::half h;
  yoke::bfloat16 b;
  yoke::half more[2];
};
struct one_side {
  int a;
  yoke::uchar8 wide;
};
struct three {
  yoke::opencl::float3 v;
};

}  // namespace sim

YOKE_STRUCT(sim::cell, weights, flags);
YOKE_STRUCT(sim::particle, position, phase, inside, id, what, sign, mass, padding);
YOKE_STRUCT_AS(sim::halves, "sim_halves", h, b, more);
YOKE_STRUCT(sim::one_side, a, wide);
YOKE_STRUCT(sim::three, v);

namespace {

const char* const kernels = R"(
  YOKE_KERNEL read(YOKE_GLOBAL const particle* all, YOKE_GLOBAL float* out, particle by_value) {
    out[0] = all[1].position.z;
    out[1] = all[1].phase.y;
    out[2] = all[1].inside[1].weights[1][2];
    out[3] = (float)all[1].inside[0].flags[3];
    out[4] = (float)all[1].id;
    out[5] = (float)all[1].what;
    out[6] = (float)all[1].sign;
    out[7] = all[1].mass;
    out[8] = (float)all[1].padding[1];
    out[9] = by_value.inside[1].weights[0][1];
    out[10] = by_value.mass;
    out[11] = (float)sizeof(particle);
  }
  YOKE_KERNEL write(YOKE_GLOBAL particle* out, float a) {
    out[1].inside[0].weights[1][0] = a;
    out[1].phase.x = 2 * a;
    out[1].id = -7;
    out[1].padding[0] = 11;
  }
)";

sim::particle filled(float from) {
  sim::particle made{};
  made.position = {from, from + 1, from + 2, from + 3};
  made.phase = {from + 4, from + 5};
  for (sim::cell& each : made.inside) {
    for (auto& row : each.weights) {
      for (float& value : row) value = from += 1;
    }
    for (std::uint8_t& flag : each.flags) flag = static_cast<std::uint8_t>(from += 1);
  }
  made.id = 1234;
  made.what = sim::kind::solid;
  made.sign = -3;
  made.mass = from + 1;
  made.padding[1] = 99;
  return made;
}

}  // namespace

TEST_CASE("a registered struct is described", "[program][struct]") {
  STATIC_REQUIRE(std::string_view(yoke::device_type_name<sim::particle>) == "particle");
  STATIC_REQUIRE(std::string_view(yoke::device_type_name<sim::halves>) == "sim_halves");
  STATIC_REQUIRE(std::string_view(yoke::device_type<sim::cell>::cuda) == "cell");
  const yoke::struct_description what = yoke::describe_struct<sim::particle>();
  CHECK(what.name == "particle");
  CHECK(what.bytes == sizeof(sim::particle));
  CHECK(what.alignment == 16);
  REQUIRE(what.members.size() == 8);
  const yoke::struct_member& inside = what.members[2];
  CHECK(inside.name == "inside");
  CHECK(inside.opencl_c == "cell");
  CHECK(inside.extents == std::vector<std::size_t>{2});
  CHECK(inside.offset == offsetof(sim::particle, inside));
  CHECK(inside.bytes == sizeof(sim::cell[2]));
  CHECK(what.members[1].opencl_c == "float2");
  CHECK(what.members[3].cuda == "long");
  CHECK(what.members[4].cuda == "unsigned short");
  CHECK(what.members[5].opencl_c == "char");
  REQUIRE(what.nested.size() == 1);
  CHECK(what.nested.front() == yoke::describe_struct<sim::cell>());
  CHECK(what.nested.front().members.front().extents == std::vector<std::size_t>{2, 3});
  CHECK_FALSE(what == yoke::describe_struct<sim::cell>());
}

TEST_CASE("a struct's text defines it once, in the words asked for", "[program][struct]") {
  const auto count = [](const std::string& text, std::string_view word) {
    std::size_t found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
  };
  const std::vector both{yoke::describe_struct<sim::particle>(), yoke::describe_struct<sim::cell>()};
  const std::string text = yoke::struct_source(both);
  CHECK(count(text, "typedef struct cell {") == 1);
  CHECK(count(text, "\nstruct cell {") == 1);
  CHECK(text.find("typedef struct cell {") < text.find("typedef struct particle {"));
  CHECK_THAT(text, ContainsSubstring("  uchar flags[4];\n} cell;") &&
                       ContainsSubstring("  unsigned char flags[4];\n};") && ContainsSubstring("float weights[2][3];"));
  CHECK(yoke::struct_source(std::span<const yoke::struct_description>{}).empty());

  const std::string native = yoke::struct_source<sim::halves>();
  CHECK_THAT(native, ContainsSubstring("  half h;\n  ushort b;\n  half more[2];") &&
                         ContainsSubstring("  __half h;\n  __nv_bfloat16 b;\n") &&
                         ContainsSubstring("#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"));
  const std::string dialect = yoke::struct_source<sim::halves>(yoke::struct_words::dialect);
  CHECK(count(dialect, "  yoke_half h;\n  yoke_bfloat16 b;\n  yoke_half more[2];") == 2);
  CHECK(dialect.find("#include") == std::string::npos);
  CHECK_THAT(yoke::struct_source<sim::one_side>(yoke::struct_words::opencl_c), ContainsSubstring("uchar8 wide;"));
  // What a language does not have ends the compilation there alone.
  const std::string three = yoke::struct_source<sim::three>();
  CHECK_THAT(three, ContainsSubstring("  float3 v;") &&
                        ContainsSubstring("#error \"struct three cannot be shared: CUDA C++ has no type for its member "
                                          "v, which is opencl::float3\""));
}

TEST_CASE("structs of one name are one struct, and names are identifiers", "[program][struct]") {
  std::vector both{yoke::describe_struct<sim::cell>(), yoke::describe_struct<sim::cell>()};
  CHECK(yoke::struct_source(both) == yoke::struct_source<sim::cell>());
  both.back().members.back().name = "other";
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { (void)yoke::struct_source(both); }),
             ContainsSubstring("two structs that differ have the name \"cell\""));
  both.back().name = "a::b";
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { (void)yoke::struct_source(both); }),
             ContainsSubstring("struct name \"a::b\" is no identifier"));
}

TEST_CASE("words of a device's language name no member and no struct, and there are three kinds of words",
          "[program][struct]") {
  const auto refused = [](const yoke::struct_description& what, yoke::struct_words words = yoke::struct_words::native) {
    return refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                      [&] { (void)yoke::struct_source(std::span(&what, 1), words); });
  };
  const auto cell = yoke::describe_struct<sim::cell>();
  CHECK_THAT(refused(cell, yoke::struct_words(9)), ContainsSubstring("struct_words"));
  for (const auto words : {yoke::struct_words::native, yoke::struct_words::dialect, yoke::struct_words::opencl_c}) {
    CHECK_FALSE(yoke::struct_source<sim::cell>(words).empty());
  }
  const auto named = [&](const std::string& name) {
    auto changed = cell;
    changed.members[1].name = name;
    return changed;
  };
  for (const auto& [word, language] :
       std::vector<std::pair<std::string, std::string>>{{"kernel", "OpenCL C"},
                                                        {"global", "OpenCL C"},
                                                        {"local", "OpenCL C"},
                                                        {"constant", "OpenCL C"},
                                                        {"float4", "OpenCL C"},
                                                        {"double4_32a", "OpenCL C"},
                                                        {"longlong2", "OpenCL C"},
                                                        {"uchar", "OpenCL C"},
                                                        {"half", "OpenCL C"},
                                                        {"sampler_t", "OpenCL C"},
                                                        {"INT_MAX", "OpenCL C"},
                                                        {"CLK_LOCAL_MEM_FENCE", "OpenCL C"},
                                                        {"template", "C++"},
                                                        {"signed", "C++"},
                                                        {"yoke_half", "the dialect"},
                                                        {"YOKE_KERNEL", "the dialect"},
                                                        {"__local", "every compiler"},
                                                        {"_Bool", "every compiler"}}) {
    CHECK_THAT(refused(named(word)), ContainsSubstring("member \"" + word + "\" of struct \"cell\" is a word of " +
                                                       language + " and can name nothing there"));
  }
  CHECK_THAT(refused(named("a b")), ContainsSubstring("member \"a b\" of struct \"cell\" is no identifier"));
  CHECK_THAT(refused(named("")), ContainsSubstring("member \"\" of struct \"cell\" is no identifier"));
  auto word = cell;
  word.name = "float4";
  CHECK_THAT(refused(word), ContainsSubstring("struct name \"float4\" is a word of OpenCL C"));
  for (const char* const fine : {"kernels", "float5", "float40", "floats", "longlong", "local_", "_local", "Kernel"}) {
    INFO(fine);
    CHECK_FALSE(yoke::struct_source(std::vector{named(fine)}).empty());
  }
}

YOKE_DEVICE_TEST_CASE("names of functions and macros are members in every language", "[program][struct]") {
  rig on(device);
  yoke::struct_description odd{"odd", 0, 4};
  for (const char* const name :
       {"min",   "max", "dot",    "length", "barrier", "get_global_id", "sqrtf",     "printf",     "assert",
        "x",     "s0",  "lo",     "index",  "vload4",  "make_float4",   "threadIdx", "atomic_add", "wait_group_events",
        "isnan", "mad", "select", "any",    "all",     "linux",         "unix",      "b1"}) {
    odd.members.push_back({name, "int", "int", "int", "int", {}, odd.bytes, 4});
    odd.bytes += 4;
  }
  CHECK(result_of(on,
                  "YOKE_KERNEL f(YOKE_GLOBAL int* out) { odd o; o.index = 5; o.min = 2; out[0] = o.index + o.min; }",
                  {.types = {odd}}) == 7);
  auto word = odd;
  word.members.front().name = "kernel";
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                        [&] { (void)yoke::compile(on.context, "", {.types = {word}}); }),
             ContainsSubstring("member \"kernel\" of struct \"odd\" is a word of OpenCL C"));
}

YOKE_DEVICE_TEST_CASE("a struct registered once is one struct on host and device", "[program][struct]") {
  rig on(device);
  const auto module = yoke::compile(on.context, kernels, {.types = {yoke::describe_struct<sim::particle>()}});
  const auto read = yoke::get_kernel<void(const sim::particle*, float*, sim::particle)>(module, "read");
  CHECK(read.checked() == Backend::dialect_check);
  std::vector<sim::particle> all{filled(100), filled(200)};
  std::vector<float> out(12);
  read(on.stream, {.grid = 1}, yoke::in(all), yoke::out(out), filled(300));
  const sim::particle& one = all[1];
  const sim::particle value = filled(300);
  CHECK(out == std::vector<float>{one.position.z, one.phase.imag(), one.inside[1].weights[1][2],
                                  static_cast<float>(one.inside[0].flags[3]), 1234, 7, -3, one.mass, 99,
                                  value.inside[1].weights[0][1], value.mass, sizeof(sim::particle)});
  const auto write = yoke::get_kernel<void(sim::particle*, float)>(module, "write");
  write(on.stream, {.grid = 1}, yoke::in_out(all), 4.5F);
  CHECK(all[1].inside[0].weights[1][0] == 4.5F);
  CHECK(all[1].phase.real() == 9.0F);
  CHECK(all[1].id == -7);
  CHECK(all[1].padding[0] == 11);
  CHECK(all[0].id == 1234);
}

YOKE_DEVICE_TEST_CASE("the text can be pasted, and halves are halves", "[program][struct]") {
  rig on(device);
  const std::string source = yoke::struct_source<sim::halves>(yoke::struct_words::dialect) + R"(
    YOKE_KERNEL sum(YOKE_GLOBAL sim_halves* in, YOKE_GLOBAL float* out) {
      out[0] = yoke_load_half(0, &in[1].h);
      out[1] = yoke_load_half(1, in[1].more);
      out[2] = yoke_bfloat16_to_float(in[1].b);
      yoke_store_half(0.1f, 0, &in[0].h);
      in[0].b = yoke_float_to_bfloat16(0.1f);
    })";
  const auto sum = yoke::get_kernel<void(sim::halves*, float*)>(yoke::compile(on.context, source), "sum");
  std::vector<sim::halves> in(2);
  in[1] = {yoke::half{1.5F}, yoke::bfloat16{-3.0F}, {yoke::half{0}, yoke::half{65504}}};
  std::vector<float> out(3);
  sum(on.stream, {.grid = 1}, yoke::in_out(in), yoke::out(out));
  CHECK(out == std::vector<float>{1.5F, 65504.0F, -3.0F});
  CHECK(in[0].h.bits() == yoke::half{0.1F}.bits());  // the device rounds as the host does
  CHECK(in[0].b.bits() == yoke::bfloat16{0.1F}.bits());
}

YOKE_DEVICE_TEST_CASE("a layout that is another on the device ends the compilation with both numbers",
                      "[program][struct]") {
  rig on(device);
  const char* const source = "YOKE_KERNEL f(YOKE_GLOBAL int* out) { out[0] = 1; }";
  const auto log_of = [&](std::vector<yoke::define> defines, const yoke::struct_description& type) {
    return std::string(failed_build(on, source, {.defines = std::move(defines), .types = {type}}).what());
  };
  yoke::struct_description cell = yoke::describe_struct<sim::cell>();
  CHECK(result_of(on, source, {.types = {cell}}) == 1);
  // A definition doubles the weights: what follows them moves.
  const std::string moved = log_of({{"weights", "weights[2]"}}, cell);
  CHECK_THAT(moved, ContainsSubstring("flags") && ContainsSubstring("cell"));
  // NVIDIA's OpenCL ignores `#line` and calls every source <kernel>.
  CHECK_THAT(moved, ContainsSubstring("yoke/structs of the host") || ContainsSubstring("<kernel>:"));
  // The description of a host that lays it out otherwise.
  cell.members[1].offset = 28;
  const std::string offset = log_of({}, cell);
  CHECK_THAT(offset,
             ContainsSubstring("offset_of_flags_in_cell") && ContainsSubstring("28") && ContainsSubstring("24"));
  cell.members[1].offset = 24;
  cell.bytes = 32;
  const std::string size = log_of({}, cell);
  CHECK_THAT(size, ContainsSubstring("size_of_cell") && ContainsSubstring("32") && ContainsSubstring("28"));
}

YOKE_DEVICE_TEST_CASE("structs stand before the source without moving its lines", "[program][struct]") {
  rig on(device);
  const auto failure = failed_build(on, "YOKE_KERNEL f(YOKE_GLOBAL cell* out) {\n  out->nothing = 1;\n}",
                                    {.name = "mine.cl", .types = {yoke::describe_struct<sim::cell>()}});
  CHECK_THAT(failure.log(), ContainsSubstring("mine.cl") && ContainsSubstring("nothing"));
  CHECK(
      (failure.log().find("mine.cl:2") != std::string::npos || failure.log().find("mine.cl(2)") != std::string::npos));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                        [&] {
                                          auto bad = yoke::describe_struct<sim::cell>();
                                          bad.name = "a b";
                                          (void)yoke::compile(on.context, "", {.types = {bad}});
                                        }),
             ContainsSubstring("\"a b\""));
}

YOKE_DEVICE_TEST_CASE("a cached program is that of its structs", "[program][struct]") {
  rig on(device);
  const yoke::program_cache cache{{.enabled = false}, {}};  // in memory alone
  const char* const source = "YOKE_KERNEL f(YOKE_GLOBAL int* out) { out[0] = (int)sizeof(cell); }";
  const auto size_of = [&](const yoke::struct_description& type) {
    return result_of(on, source, {.cache = &cache, .types = {type}});
  };
  auto cell = yoke::describe_struct<sim::cell>();
  CHECK(size_of(cell) == 28);
  CHECK(size_of(cell) == 28);
  cell.members.pop_back();
  cell.bytes = 24;
  CHECK(size_of(cell) == 24);  // not the program before
  CHECK(cache.counters().compiled == 2);
  CHECK(cache.counters().from_memory == 1);
}

YOKE_DEVICE_TEST_CASE("OpenCL C takes registered structs, also where it is translated", "[program][struct]") {
  rig on(device);
  const char* const source = R"(
    kernel void f(global one_side* all, global int* out) {
      out[0] = all[1].a + all[1].wide.s7 + (int)sizeof(one_side);
    })";
  const auto module =
      yoke::compile(on.context, source,
                    {.language = yoke::source_language::opencl_c, .types = {yoke::describe_struct<sim::one_side>()}});
  std::vector<sim::one_side> all(2);
  all[1].a = 1000;
  all[1].wide.s[7] = 200;
  std::vector<int> out(1);
  yoke::get_kernel<void(sim::one_side*, int*)>(module, "f")(on.stream, {.grid = 1}, yoke::in_out(all), yoke::out(out));
  CHECK(out[0] == 1216);
}

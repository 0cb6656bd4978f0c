// SPDX-License-Identifier: MIT
// Structs of one name that are not one struct: a module that was told of one takes no other, however it came to be.
#include <program/cache/cache_folder.hpp>
#include <program/compiling.hpp>
#include <yoke/driver/binary.hpp>
#include <yoke/opencl/compile/link.hpp>
#include <yoke/program/cache/program_cache.hpp>
#include <yoke/program/structs/device_struct.hpp>
#include <yoke/program/structs/struct.hpp>
#include <yoke/program/structs/struct_record.hpp>

using namespace yoke_test;
using yoke::signature_check;

namespace left {
struct grain {
  float weight;
  int kind;
};
struct box {
  int count;
  grain inside[2];
};
}  // namespace left
namespace right {
struct grain {  // the same to the byte
  float weight;
  int kind;
};
}  // namespace right
namespace larger {
struct grain {
  float weight;
  int kind;
  double more;
};
}  // namespace larger
namespace moved {
struct grain {
  int kind;
  float weight;
};
struct box {
  int count;
  grain inside[2];
};
}  // namespace moved
namespace mixed {
struct pair {
  left::grain one;
  ::moved::grain two;
};
struct alike {
  left::grain one;
  left::grain two;
};
}  // namespace mixed
namespace retyped {
struct grain {
  float weight;
  unsigned kind;
};
}  // namespace retyped
namespace renamed {
struct corn {  // grain by another name
  float weight;
  int kind;
};
struct husk {
  int kind;
  float weight;
};
}  // namespace renamed
namespace unregistered {
struct grain {
  float weight;
  int kind;
  float more;
};
struct same {
  float weight;
  int kind;
};
}  // namespace unregistered

YOKE_STRUCT(left::grain, weight, kind);
YOKE_STRUCT(left::box, count, inside);
YOKE_STRUCT(right::grain, weight, kind);
YOKE_STRUCT(larger::grain, weight, kind, more);
YOKE_STRUCT(moved::grain, kind, weight);
YOKE_STRUCT(mixed::pair, one, two);
YOKE_STRUCT(mixed::alike, one, two);
YOKE_STRUCT(moved::box, count, inside);
YOKE_STRUCT(retyped::grain, weight, kind);
YOKE_STRUCT(renamed::corn, weight, kind);
YOKE_STRUCT(renamed::husk, kind, weight);
template <>
inline constexpr const char* yoke::device_type_name<unregistered::grain> = "grain";
template <>
inline constexpr const char* yoke::device_type_name<unregistered::same> = "grain";

namespace {

const char* const kernels = R"(
  YOKE_KERNEL behind(YOKE_GLOBAL float* out, YOKE_GLOBAL const grain* in) { out[0] = in[1].weight; }
  YOKE_KERNEL value(YOKE_GLOBAL float* out, grain in) { out[0] = in.weight; }
  YOKE_KERNEL table(YOKE_GLOBAL float* out, YOKE_CONSTANT_POINTER grain* in) { out[0] = in[1].weight; }
  YOKE_KERNEL shared(YOKE_GLOBAL float* out, YOKE_LOCAL_ARG(grain, in)) { YOKE_LOCAL_BIND(grain, in) in[0].weight = 1; out[0] = in[0].weight; }
  YOKE_KERNEL boxed(YOKE_GLOBAL float* out, YOKE_GLOBAL box* in) { out[0] = in[0].inside[1].weight; }
)";

std::vector<yoke::struct_description> told() { return {yoke::describe_struct<left::box>()}; }  // with the grain in it

template <class Signature, class Port>
std::string mismatch(const yoke::module<Port>& module, const char* name) {
  return refusal<yoke::logic_error>(yoke::errc::signature_mismatch,
                                    [&] { (void)yoke::get_kernel<Signature>(module, name); });
}

/// Effects: checks that a module which was told of `left`'s structs takes these alone.
template <class Port>
void check_module(const yoke::module<Port>& module, signature_check level) {
  CHECK(yoke::get_kernel<void(float*, const left::grain*)>(module, "behind").checked() == level);
  CHECK(yoke::get_kernel<void(float*, left::grain)>(module, "value").checked() == level);
  CHECK(yoke::get_kernel<void(float*, yoke::constant<left::grain>)>(module, "table").checked() == level);
  CHECK(yoke::get_kernel<void(float*, yoke::local<left::grain>)>(module, "shared").checked() == level);
  CHECK(yoke::get_kernel<void(float*, left::box*)>(module, "boxed").checked() == level);

  const std::string other = "struct grain is left::grain in this module, right::grain in the signature";
  CHECK_THAT((mismatch<void(float*, const right::grain*)>(module, "behind")),
             ContainsSubstring("kernel behind, asked for as void(float*, const grain*): parameter 2: " + other));
  CHECK_THAT((mismatch<void(float*, right::grain)>(module, "value")), ContainsSubstring("parameter 2: " + other));
  CHECK_THAT((mismatch<void(float*, yoke::constant<right::grain>)>(module, "table")), ContainsSubstring(other));
  CHECK_THAT((mismatch<void(float*, yoke::local<right::grain>)>(module, "shared")), ContainsSubstring(other));

  CHECK_THAT((mismatch<void(float*, const larger::grain*)>(module, "behind")),
             ContainsSubstring("parameter 2: struct grain is left::grain in this module, larger::grain in the "
                               "signature; it has 8 bytes in this module, 16 bytes in the signature"));
  CHECK_THAT((mismatch<void(float*, larger::grain)>(module, "value")),
             ContainsSubstring("parameter 2: struct grain is left::grain in this module") &&
                 ContainsSubstring("it has 8 bytes in this module, 16 bytes in the signature"));
  CHECK_THAT((mismatch<void(float*, const moved::grain*)>(module, "behind")),
             ContainsSubstring("calls its member 1 weight in this module, kind in the signature"));
  CHECK_THAT((mismatch<void(float*, const retyped::grain*)>(module, "behind")),
             ContainsSubstring("has its member kind as int of 4 bytes in this module, as uint of 4 bytes in the "));
  CHECK_THAT((mismatch<void(float*, moved::box*)>(module, "boxed")),
             ContainsSubstring("parameter 2: struct box is left::box in this module, moved::box in the signature; it "
                               "has its member inside of which struct grain is left::grain in this module"));
  // A type that only says what kernels call it is compared by size, and proves no more than its name.
  CHECK_THAT((mismatch<void(float*, const unregistered::grain*)>(module, "behind")),
             ContainsSubstring("parameter 2: struct grain has 8 bytes in this module, 12 bytes in the signature"));
  CHECK(yoke::get_kernel<void(float*, const unregistered::same*)>(module, "behind").checked() ==
        signature_check::names);
}

}  // namespace

YOKE_DEVICE_TEST_CASE("a module takes the structs that it was told of, and no others of their names",
                      "[program][struct]") {
  rig on(device);
  const auto module = yoke::compile(on.context, kernels, {.types = told()});
  check_module(module, Backend::dialect_check);
  const auto behind = yoke::get_kernel<void(float*, const left::grain*)>(module, "behind");
  std::vector<left::grain> grains{{1, 2}, {2.5F, 3}};
  std::vector<float> out(1);
  behind(on.stream, {.grid = 1}, yoke::out(out), yoke::in(grains));
  CHECK(out[0] == 2.5F);
}

YOKE_DEVICE_TEST_CASE("a module from a cache knows its structs as the compiled one does", "[program][struct][cache]") {
  rig on(device);
  const scratch_folder scratch;
  const yoke::program_cache first{{.folder = scratch / "cache"}, {}};
  const auto compiled = [&](const yoke::program_cache& cache) {
    return yoke::compile(on.context, kernels, {.cache = &cache, .types = told()});
  };
  check_module(compiled(first), Backend::dialect_check);
  CHECK(first.counters().compiled == 1);
  check_module(compiled(first), Backend::dialect_check);
  CHECK(first.counters().from_memory == 1);
  const yoke::program_cache second{{.folder = scratch / "cache"}, {}};
  check_module(compiled(second), Backend::dialect_check);
  CHECK(second.counters().from_disk == 1);
  // The same bytes told of as another struct are that other one.
  const char* const one = "YOKE_KERNEL f(YOKE_GLOBAL const grain* in, YOKE_GLOBAL int* out) { out[0] = in[0].kind; }";
  const auto of = [&](const yoke::struct_description& type) {
    return yoke::compile(on.context, one, {.cache = &second, .types = {type}});
  };
  using wants_left = void(const left::grain*, int*);
  using wants_right = void(const right::grain*, int*);
  const auto first_module = of(yoke::describe_struct<left::grain>());
  const auto second_module = of(yoke::describe_struct<right::grain>());
  CHECK(yoke::get_kernel<wants_left>(first_module, "f").checked() == Backend::dialect_check);
  CHECK(yoke::get_kernel<wants_right>(second_module, "f").checked() == Backend::dialect_check);
  CHECK_THAT((mismatch<wants_left>(second_module, "f")),
             ContainsSubstring("struct grain is right::grain in this module, left::grain in the signature"));
}

YOKE_DEVICE_TEST_CASE("an exported binary knows the structs of its module", "[program][struct]") {
  rig on(device);
  const auto module = yoke::compile(on.context, kernels, {.types = told()});
  const auto once = yoke::load(on.context, module.export_binary());
  check_module(once, Backend::dialect_check);
  check_module(yoke::load(on.context, once.export_binary()), Backend::dialect_check);
  const std::vector<std::byte> plain =
      yoke::compile(on.context, "YOKE_KERNEL f(YOKE_GLOBAL int* out) { out[0] = 1; }").export_binary();
  CHECK(yoke::detail::structs_of_binary(plain, {}).empty());
  CHECK(yoke::detail::structs_of_binary(once.export_binary(), {}) == told());
}

YOKE_DEVICE_TEST_CASE("a struct that has another name in the kernel is compared by its size and its members",
                      "[program][struct]") {
  rig on(device);
  const auto untold = yoke::compile(on.context, R"(
    typedef struct Grain { float weight; int kind; } Grain;
    YOKE_KERNEL behind(YOKE_GLOBAL float* out, YOKE_GLOBAL const Grain* in) { out[0] = in[1].weight; }
    YOKE_KERNEL value(YOKE_GLOBAL float* out, Grain in) { out[0] = in.weight; }
  )");
  std::vector<left::grain> grains{{1, 2}, {2.5F, 3}};
  std::vector<float> out(1);
  yoke::get_kernel<void(float*, const left::grain*)>(untold, "behind")(on.stream, {.grid = 1}, yoke::out(out),
                                                                       yoke::in(grains));
  CHECK(out[0] == 2.5F);
  const auto value = yoke::get_kernel<void(float*, left::grain)>(untold, "value");
  value(on.stream, {.grid = 1}, yoke::out(out), grains[0]);
  CHECK(out[0] == 1);
  if constexpr (Backend::dialect_check == signature_check::types) {
    CHECK(value.checked() == signature_check::sizes);
    CHECK_THAT((mismatch<void(float*, larger::grain)>(untold, "value")),
               ContainsSubstring("parameter 2 has 8 bytes, grain has 16"));
  }
  // Where the module knows the kernel's struct, the members are compared, too.
  const auto module = yoke::compile(on.context, kernels, {.types = told()});
  yoke::get_kernel<void(float*, const renamed::corn*)>(module, "behind")(
      on.stream, {.grid = 1}, yoke::out(out), yoke::in(std::vector<renamed::corn>{{1, 2}, {3.5F, 3}}));
  CHECK(out[0] == 3.5F);
  CHECK_THAT((mismatch<void(float*, const renamed::husk*)>(module, "behind")),
             ContainsSubstring("struct grain calls its member 1 weight in this module, kind in the signature"));
  CHECK_THAT((mismatch<void(float*, renamed::husk)>(module, "value")),
             ContainsSubstring("struct grain calls its member 1 weight in this module, kind in the signature"));
}

YOKE_DEVICE_TEST_CASE("of a struct that a module was not told of its name and its size are compared",
                      "[program][struct]") {
  rig on(device);
  const auto module = yoke::compile(on.context, R"(
    typedef struct grain { float weight; int kind; } grain;
    YOKE_KERNEL behind(YOKE_GLOBAL const grain* in) {}
    YOKE_KERNEL value(YOKE_GLOBAL float* out, grain in) { out[0] = in.weight; }
  )");
  const signature_check level = signature_check::names;
  CHECK(yoke::get_kernel<void(float*, left::grain)>(module, "value").checked() == level);
  CHECK(yoke::get_kernel<void(const left::grain*)>(module, "behind").checked() == level);
  if constexpr (Backend::dialect_check == signature_check::types) {  // CUDA knows the layout of arguments
    CHECK_THAT((mismatch<void(float*, larger::grain)>(module, "value")),
               ContainsSubstring("parameter 2 has 8 bytes, grain has 16"));
  }
}

YOKE_OPENCL_TEST_CASE("a driver that knows the size of a struct by value is asked for it", "[program][struct]") {
  rig on(device);
  const char* const source = R"(
    typedef struct grain { float weight; int kind; } grain;
    kernel void value(global float* out, grain in) { out[0] = in.weight; }
  )";
  const auto module = yoke::compile(on.context, source);
  const auto told_one = yoke::compile(on.context, "kernel void value(global float* out, grain in) {}",
                                      {.types = {yoke::describe_struct<larger::grain>()}});
  on.driver.replace<&abi::functions::set_kernel_arg>([](abi::kernel, abi::uint, std::size_t bytes, const void*) {
    return abi::status{bytes == sizeof(larger::grain) ? -51 : 0};
  });
  CHECK((module.get_kernel<void(float*, left::grain)>("value")).checked() == signature_check::names);
  CHECK_THAT((mismatch<void(float*, larger::grain)>(module, "value")),
             ContainsSubstring("kernel value, asked for as void(float*, grain): the driver does not take arguments"));
  // Of one that was told all is known.
  CHECK(told_one.get_kernel<void(float*, larger::grain)>("value").checked() == signature_check::names);
}

TEST_CASE("structs come back from a binary as they went, and damaged ones are none", "[program][struct]") {
  const std::vector<std::byte> packed = yoke::detail::pack_binary({{"device", bytes_of("code"), bytes_of("facts")}});
  CHECK(yoke::detail::structs_of_binary(packed, {}).empty());
  CHECK(yoke::detail::binary_with_structs(packed, {}) == packed);
  const auto other = bytes_of("bytes of another kind");
  CHECK(yoke::detail::binary_with_structs(other, told()) == other);
  CHECK(yoke::detail::structs_of_binary(other, {}).empty());

  const std::vector<std::byte> binary = yoke::detail::binary_with_structs(packed, told());
  CHECK(yoke::detail::structs_of_binary(binary, {}) == told());
  const auto unpacked = yoke::detail::unpack_binary(binary, {});
  REQUIRE(unpacked.size() == 1);
  CHECK(text_of(unpacked[0].payload) == "code");
  CHECK(text_of(unpacked[0].facts) == "facts");

  const auto refused = [](std::vector<std::byte> bytes) {
    return refusal<yoke::logic_error>(yoke::errc::incompatible_binary,
                                      [&] { (void)yoke::detail::structs_of_binary(bytes, {}); });
  };
  auto flipped = binary;
  flipped[binary.size() - 40] ^= std::byte{1};
  CHECK_THAT(refused(flipped), ContainsSubstring("checksum"));
  // Every length in it that is too large, under a right checksum.
  const auto extra = std::span(binary).subspan(packed.size() - 32, binary.size() - packed.size());
  std::size_t wrong = 0;
  for (std::size_t at = 0; at < extra.size(); ++at) {
    std::vector<std::byte> damaged(extra.begin(), extra.end());
    damaged[at] ^= std::byte{0x80};
    try {
      const auto read = yoke::detail::structs_of_binary(yoke::detail::pack_extra(packed, damaged), {});
      if (read == told()) ++wrong;
    } catch (const yoke::logic_error& e) {
      if (e.code() != yoke::errc::incompatible_binary) ++wrong;
    }
  }
  CHECK(wrong == 0);
  const std::vector<std::byte> cut(extra.begin(), extra.end() - 1);
  CHECK_THAT(refused(yoke::detail::pack_extra(packed, cut)),
             ContainsSubstring("what it says of its structs is damaged"));
  // Structs within structs without an end.
  yoke::struct_description deep{"deep", 4, 4};
  for (int i = 0; i < 100; ++i) deep = {"deep", 4, 4, {}, {deep}};
  CHECK_THAT(refused(yoke::detail::binary_with_structs(packed, std::vector{deep})),
             ContainsSubstring("what it says of its structs is damaged"));
}

TEST_CASE("two structs of one name in one list are told apart by all that they are", "[program][struct]") {
  const auto refused = [](const yoke::struct_description& a, const yoke::struct_description& b) {
    return refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] {
      (void)yoke::struct_source(std::vector{a, b});
    });
  };
  const auto grain = yoke::describe_struct<left::grain>();
  CHECK(grain.host == "left::grain");
  CHECK_THAT(refused(grain, yoke::describe_struct<right::grain>()),
             ContainsSubstring("two structs that differ have the name \"grain\": struct grain is left::grain in one, "
                               "right::grain in the other"));
  auto changed = grain;
  changed.alignment = 8;
  CHECK_THAT(refused(grain, changed), ContainsSubstring("struct grain is aligned to 4 bytes in one, to 8 in"));
  changed = grain;
  changed.members[1].offset = 6;
  CHECK_THAT(refused(grain, changed),
             ContainsSubstring("struct grain has its member kind at byte 4 in one, at byte 6 in the other"));
  changed = grain;
  changed.members[1].extents = {2};
  CHECK_THAT(refused(grain, changed), ContainsSubstring("as int of 4 bytes in one, as int[2] of 4 bytes in"));
  changed = grain;
  changed.members.pop_back();
  CHECK_THAT(refused(grain, changed), ContainsSubstring("struct grain has 2 members in one, 1 in the other"));
}

TEST_CASE("two structs of one name side by side in a third are refused, not taken for one", "[program][struct]") {
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { (void)yoke::struct_source<mixed::pair>(); }),
      ContainsSubstring("two structs that differ have the name \"grain\": struct grain is left::grain in one, "
                        "moved::grain in the other"));
  CHECK(yoke::describe_struct<mixed::alike>().nested.size() == 1);
  CHECK_FALSE(yoke::struct_source<mixed::alike>().empty());
}

YOKE_OPENCL_TEST_CASE("what OpenCL links of parts knows the structs of all of them", "[program][struct]") {
  namespace ocl = yoke::opencl;
  const ocl::context context{device};
  const yoke::compile_options with{.name = "grains.cl", .types = {yoke::describe_struct<left::grain>()}};
  const std::string source = "kernel void weigh(global grain* g) { g[0].kind = 1; }";
  const std::string other = "int nothing(int a); int nothing(int a) { return a; }";
  const auto check = [](const ocl::module& module) {
    CHECK(module.get_kernel<void(left::grain*)>("weigh").checked() == signature_check::names);
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::signature_mismatch,
                                          [&] { (void)module.get_kernel<void(larger::grain*)>("weigh"); }),
               ContainsSubstring("struct grain is left::grain in this module, larger::grain in the signature"));
  };
  const ocl::compiled_program part = ocl::compile_part(context, source, {}, with);
  const ocl::compiled_program rest = ocl::compile_part(context, other);
  check(ocl::link(context, {part, rest}));
  check(ocl::link(context, {ocl::link_library(context, {part}), rest}));
  check(yoke::load(context, ocl::link(context, {part, rest}).export_binary()));
  const std::vector<ocl::named_source> sources{{"grains.cl", source}, {"other.cl", other}};
  yoke::compile_options all = with;
  all.name = "";
  check(ocl::compile_all(context, sources, {}, all));
  const scratch_folder scratch;
  const yoke::program_cache cache = yoke::program_cache({.folder = scratch / "cache"}, {});
  all.cache = &cache;
  check(ocl::compile_all(context, sources, {}, all));
  check(ocl::compile_all(context, sources, {}, all));
  CHECK(cache.counters().from_memory == 1);
  // Two parts that mean different structs by one name: nothing is known of it.
  const ocl::compiled_program unlike =
      ocl::compile_part(context, "kernel void other(global grain* g) { g[0].kind = 1; }", {},
                        {.types = {yoke::describe_struct<larger::grain>()}});
  const ocl::module both = ocl::link(context, {part, unlike});
  CHECK_NOTHROW(both.get_kernel<void(left::grain*)>("weigh"));
  CHECK_NOTHROW(both.get_kernel<void(larger::grain*)>("other"));
}

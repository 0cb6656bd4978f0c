// SPDX-License-Identifier: MIT
// Structs in native CUDA C++: those of `.types`, those of `.kernels` which the device's compiler compares, and others.
#include <cuda/cuda_rig.hpp>
#include <program/cache/cache_folder.hpp>
#include <yoke/cuda/compile/link.hpp>
#include <yoke/program/structs/struct.hpp>

using namespace yoke_test;
using yoke::signature_check;
using yoke::typed;

namespace first {
struct drop {
  float size;
  int kind;
};
struct wave {
  int n;
  drop drops[2];
};
}  // namespace first
namespace second {
struct drop {
  float size;
  int kind;
  int more;
};
}  // namespace second
namespace third {
struct drop {
  int kind;
  float size;
};
struct scoped {
  float a;
  int b;
};
struct by_name {
  float size;
  int kind;
};
struct by_name_only {
  float size;
  int kind;
  float more;
};
}  // namespace third

YOKE_STRUCT(first::drop, size, kind);
YOKE_STRUCT(first::wave, n, drops);
YOKE_STRUCT(second::drop, size, kind, more);
YOKE_STRUCT(third::drop, kind, size);
YOKE_STRUCT_AS(third::scoped, "third::scoped", a, b);
template <>
inline constexpr const char* yoke::device_type_name<third::by_name> = "drop";
template <>
inline constexpr const char* yoke::device_type_name<third::by_name_only> = "drop";

namespace {

constexpr const char* kernels = R"(
__global__ void behind(drop* a, const wave* b) { a[0].kind = b[0].n; }
__global__ void value(drop a, wave b) {}
)";
constexpr const char* definitions = R"(
struct drop { float size; int kind; };
struct wave { int n; drop drops[2]; };
namespace third { struct scoped { float a; int b; }; __global__ void in_space(scoped* a) {} }
)";
const std::string source = std::string(definitions) + kernels;

template <class Signature>
std::string mismatch(const cu::module& module, const char* name) {
  return cuda_refusal<yoke::logic_error>(yoke::errc::signature_mismatch,
                                         [&] { (void)module.get_kernel<Signature>(name); });
}
std::string refused(const cu::context& context, const cu::compile_options& options, const std::string& text = source) {
  return cuda_refusal<yoke::logic_error>(yoke::errc::signature_mismatch,
                                         [&] { (void)cu::compile(context, text, options); });
}

using behind = void(first::drop*, const first::wave*);
using value = void(first::drop, first::wave);

void check_types(const cu::module& module) {
  CHECK(module.get_kernel<behind>("behind").checked() == signature_check::types);
  CHECK(module.get_kernel<value>("value").checked() == signature_check::types);
  CHECK_THAT((mismatch<void(second::drop*, const first::wave*)>(module, "behind")),
             ContainsSubstring("parameter 1: struct drop is first::drop in this module, second::drop in the signature; "
                               "it has 8 bytes in this module, 12 bytes in the signature"));
  CHECK_THAT((mismatch<void(third::drop, first::wave)>(module, "value")),
             ContainsSubstring("parameter 1: struct drop is first::drop in this module, third::drop in the signature"));
  CHECK_THAT((mismatch<void(third::by_name_only*, const first::wave*)>(module, "behind")),
             ContainsSubstring("parameter 1: struct drop has 8 bytes in this module, 12 bytes in the signature"));
  // The compiler has compared its name, and its size is that of the struct which it was told of.
  CHECK(module.get_kernel<void(third::by_name*, const first::wave*)>("behind").checked() == signature_check::names);
}

}  // namespace

YOKE_CUDA_TEST_CASE("structs of .types are compared with those of a native source's kernels", "[cuda][types]") {
  cuda_rig on(device, 12000);
  const auto types = std::vector{yoke::describe_struct<first::wave>()};
  check_types(
      cu::compile(on.context, kernels, {.kernels = {typed<behind>("behind"), typed<value>("value")}, .types = types}));
  const auto names_only = cu::compile(on.context, kernels, {.types = types});
  CHECK(names_only.get_kernel<behind>("behind").checked() == signature_check::types);
  CHECK_THAT((mismatch<void(third::drop*, const first::wave*)>(names_only, "behind")),
             ContainsSubstring("struct drop is first::drop in this module, third::drop in the signature"));
}

YOKE_CUDA_TEST_CASE("the device's compiler compares the structs of .kernels", "[cuda][types]") {
  cuda_rig on(device, 12000);
  const cu::compile_options options{.kernels = {typed<behind>("behind"), typed<value>("value")}};
  const auto compiled = cu::compile(on.context, source, options);
  check_types(compiled);
  check_types(yoke::load(on.context, compiled.export_binary()));
  const std::string size = refused(on.context, {.kernels = {typed<void(second::drop*, const first::wave*)>("behind")}});
  CHECK_THAT(size, ContainsSubstring("a struct of .kernels is laid out otherwise in kernel.cu than on the host") &&
                       ContainsSubstring("parameter 1 of kernel behind") && ContainsSubstring("drop") &&
                       ContainsSubstring("12") && ContainsSubstring("8"));
  const std::string offset = refused(on.context, {.kernels = {typed<void(third::drop, first::wave)>("value")}});
  CHECK_THAT(offset, ContainsSubstring("drop::size, parameter 1 of kernel value, is at byte 4 on the host") &&
                         ContainsSubstring("0"));
  CHECK_THAT(refused(on.context, {.kernels = {typed<void(third::by_name_only*, const first::wave*)>("behind")}}),
             ContainsSubstring("drop, parameter 1 of kernel behind, has 12 bytes on the host"));
  // What says its name alone has no members to compare.
  using sized = void(third::by_name*, const first::wave*);
  const auto module = cu::compile(on.context, source, {.kernels = {typed<sized>("behind")}});
  CHECK(module.get_kernel<sized>("behind").checked() == signature_check::names);
  // A kernel of other types is told as such, whether or not the source has the structs.
  CHECK_THAT(refused(on.context, {.kernels = {typed<void(first::drop*, int)>("behind")}}),
             ContainsSubstring("kernel behind is void(drop*, const wave*), asked for as void(drop*, int)"));
}

YOKE_CUDA_TEST_CASE("a struct of .kernels that is another than that of .types is refused", "[cuda][types]") {
  cuda_rig on(device);
  CHECK_THAT(
      refused(on.context,
              {.kernels = {typed<void(second::drop*, const first::wave*)>("behind")},
               .types = {yoke::describe_struct<first::wave>()}},
              kernels),
      ContainsSubstring("parameter 1 of kernel behind: struct drop is first::drop in .types, second::drop in the "
                        "signature; it has 8 bytes in .types, 12 bytes in the signature"));
  CHECK_THAT(
      refused(on.context, {.kernels = {typed<behind>("behind"), typed<void(third::drop, first::wave)>("value")}}),
      ContainsSubstring("parameter 1 of kernel value: struct drop is first::drop in another of .kernels"));
}

YOKE_CUDA_TEST_CASE("a namespace of the device's is a part of the name", "[cuda][types]") {
  cuda_rig on(device, 12000);
  using in_space = void(third::scoped*);
  const auto module = cu::compile(on.context, source, {.kernels = {typed<in_space>("third::in_space")}});
  CHECK(module.get_kernel<in_space>("third::in_space").checked() == signature_check::types);
  const auto plain = cu::compile(on.context, source);
  CHECK(plain.get_kernel<in_space>("third::in_space").checked() == signature_check::names);
  // Another name proves nothing; it is not refused.
  CHECK(plain.get_kernel<void(first::drop*)>("third::in_space").checked() == signature_check::sizes);
}

YOKE_CUDA_TEST_CASE("a cache keeps what .kernels have proven of structs", "[cuda][types][cache]") {
  cuda_rig on(device, 12000);
  const scratch_folder scratch;
  const yoke::program_cache cache{{.folder = scratch / "cache"}, {}};
  const cu::compile_options options{.kernels = {typed<behind>("behind"), typed<value>("value")}, .cache = &cache};
  check_types(cu::compile(on.context, source, options));
  check_types(cu::compile(on.context, source, options));
  const yoke::program_cache again{{.folder = scratch / "cache"}, {}};
  check_types(cu::compile(on.context, source, {.kernels = options.kernels, .cache = &again}));
  CHECK(cache.counters().from_memory == 1);
  CHECK(again.counters().from_disk == 1);
  // The same words with another layout behind them are no hit.
  CHECK_THAT(refused(on.context, {.kernels = {typed<void(second::drop*, const first::wave*)>("behind"),
                                              typed<void(second::drop, first::wave)>("value")},
                                  .cache = &again}),
             ContainsSubstring("laid out otherwise"));
}

YOKE_CUDA_TEST_CASE("a linked module knows the structs of its sources", "[cuda][types]") {
  cuda_rig on(device, 12000);
  const auto linked = cu::linker{}
                          .add_source(source, {.name = "one.cu", .kernels = {typed<behind>("behind")}})
                          .add_source("extern \"C\" __global__ void other(drop* a) { a[0].kind = 1; }",
                                      {.name = "two.cu", .types = {yoke::describe_struct<first::drop>()}})
                          .link(on.context);
  CHECK(linked.get_kernel<behind>("behind").checked() == signature_check::types);
  CHECK_THAT((mismatch<void(second::drop*, const first::wave*)>(linked, "behind")),
             ContainsSubstring("struct drop is first::drop in this module"));
  // Of a name that two sources have for two structs nothing is known.
  const auto two = cu::linker{}
                       .add_source("extern \"C\" __global__ void f(drop* a) { a[0].kind = 1; }",
                                   {.name = "one.cu", .types = {yoke::describe_struct<first::drop>()}})
                       .add_source("extern \"C\" __global__ void g(drop* a) { a[0].kind = 1; }",
                                   {.name = "two.cu", .types = {yoke::describe_struct<second::drop>()}})
                       .link(on.context);
  (void)two.get_kernel<void(first::drop*)>("f");
  (void)two.get_kernel<void(second::drop*)>("g");
}

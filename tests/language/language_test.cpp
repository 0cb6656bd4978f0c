// SPDX-License-Identifier: MIT
// Generic code follows the language that a port gives, also one that it has never heard of.
#include <support/catch.hpp>
#include <support/devices/languages.hpp>
#include <support/drivers/archetype_port.hpp>
#include <support/process/temporary_folder.hpp>
#include <support/rig.hpp>

#include <yoke/driver/any/port.hpp>
#include <yoke/driver/binary.hpp>
#include <yoke/yoke.hpp>

#include <complex>

using namespace yoke_test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

const char* ending_of(std::span<const std::byte>) { return ".glyph"; }

constexpr yoke::kernel_language invented{
    .name = "Glyph",
    .backend = "Slate",
    .source_name = "kernel.glyph",
    .prelude = "#define YOKE_BACKEND_SLATE 1\n",
    .types = yoke::type_names::opencl_c,
    .cxx = true,
    .valued_options = "-lang",
    .math = {.fast = "-quick -loose",
             .flush_denormals = {"-flush", "-keep"},
             .contract = {"-fuse"},
             .no_contract_line = "#pragma slate no fuse\n",
             .contracting_options = "-quick"},
    .binary_ending = &ending_of,
};

/// A backend of that language, which notes what its compiler gets.
class slate_port : public archetype_port {
 public:
  using archetype_port::archetype_port;
  slate_port(const archetype_port& port) : archetype_port(port) {}  // NOLINT

  const yoke::kernel_language& language() const noexcept { return invented; }
  module_handle compile(context_handle context, std::span<const device_handle> devices,
                        const yoke::compile_request& request, const yoke::source_location& where) const {
    asked() = request;
    return archetype_port::compile(context, devices, request, where);
  }
  std::vector<std::byte> export_binary(module_handle, const yoke::source_location&) const {
    const std::byte payload[] = {std::byte{7}};
    return yoke::detail::pack_binary({{"a slate", payload}});
  }
  static yoke::compile_request& asked() {
    static yoke::compile_request one;
    return one;
  }
};
static_assert(yoke::driver_port<slate_port>);

struct slate_rig {
  archetype_driver driver;
  yoke::context<slate_port> context{yoke::device<slate_port>{slate_port{archetype_port{driver}}, 0}};

  const yoke::compile_request& compile(const std::string& source, const yoke::compile_options& options = {}) const {
    (void)yoke::compile(context, source, options);
    return slate_port::asked();
  }
};

}  // namespace

TEST_CASE("a source has its port's language: name, prelude, words for arithmetic, lines", "[driver][language]") {
  const slate_rig on;
  const yoke::compile_request plain = on.compile("f yoke_\n", {.portable = false});
  CHECK(plain.lines.name == "kernel.glyph");
  CHECK_THAT(plain.text, StartsWith(std::string(invented.prelude)));
  CHECK(on.compile("f", {.math = {.fast = true, .flush_denormals = false}}).options ==
        std::vector<std::string>{"-quick", "-loose", "-keep"});
  CHECK(on.compile("f", {.math = {.contract = true}}).options == std::vector<std::string>{"-fuse"});
  CHECK(on.compile("f", {.math = {.exact_division = true, .finite_only = true}}).options.empty());
  CHECK_THAT(on.compile("f", {.math = {.contract = false}}).text, ContainsSubstring("#pragma slate no fuse\n"));
  CHECK_THAT(on.compile("f", {.options = {"-quick"}, .math = {.contract = false}}).text,
             !ContainsSubstring("#pragma slate"));
  CHECK(yoke::detail::normal_options({"-lang", "9", "-I", "a", "-std", "c"}, invented) ==
        std::vector<std::string>{"-lang=9", "-Ia", "-std", "c"});
  CHECK(yoke::detail::default_options(invented, {}).empty());
}

TEST_CASE("OpenCL C is untouched in a language that does not translate it, and raises no hint", "[driver][language]") {
  const slate_rig on;
  const yoke::compile_request request =
      on.compile("__kernel void f() {}\n", {.language = yoke::source_language::opencl_c});
  CHECK(request.text == "#line 1 \"kernel.glyph\"\n__kernel void f() {}\n");
  CHECK(on.compile("__kernel void f() {}\n").hint.empty());
}

TEST_CASE("a refusal names the port's language, and files have its endings", "[driver][language]") {
  const slate_rig on;
  const yoke::type_spelling cuda_only{"", "__nv_fp8", ""};
  yoke::define define("T", "x");
  define.type = &cuda_only;
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { (void)on.compile("T", {.defines = {define}}); }),
      ContainsSubstring("define \"T\" is of a type that Glyph does not have"));
  const temporary_folder folder;
  (void)on.compile("f", {.keep = folder.path().string()});
  std::vector<std::string> names;
  for (const auto& each : std::filesystem::recursive_directory_iterator(folder.path())) {
    if (each.is_regular_file()) names.push_back(each.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  CHECK(names == std::vector<std::string>{"binary.glyph", "compiled.glyph", "log.txt", "options.txt", "source.glyph"});
}

TEST_CASE("any_port gives the language of its backend", "[driver][language]") {
  const yoke::cuda::abi::functions cuda{};
  const yoke::opencl::abi::functions opencl{};
  CHECK(&yoke::any_port(yoke::cuda::port(&cuda)).language() == &yoke::cuda::detail::language());
  CHECK(&yoke::any_port(yoke::opencl::port(&opencl)).language() == &yoke::opencl::detail::language());
  CHECK(std::string(yoke::cuda::detail::language().source_name) == "kernel.cu");
  CHECK(std::string(yoke::opencl::detail::language().source_name) == "kernel.cl");
}

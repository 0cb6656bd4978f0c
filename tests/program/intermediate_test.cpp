// SPDX-License-Identifier: MIT
// Intermediate code takes no members of the options that are for sources: each is refused by its name.
#include <cuda/cuda_rig.hpp>
#include <program/compiling.hpp>
#include <yoke/program/structs/struct.hpp>

using namespace yoke_test;

namespace dust {
struct mote {
  int a;
};
}  // namespace dust

YOKE_STRUCT(dust::mote, a);

YOKE_DEVICE_TEST_CASE("intermediate code refuses the options of sources by their names", "[program]") {
  rig on(device);
  const std::vector<std::byte> code(64, std::byte{1});
  const auto refused = [&](const yoke::compile_options& options, const std::string& member) {
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                          [&] { (void)yoke::load_intermediate(on.context, code, options); }),
               ContainsSubstring("compile_options::" + member + " is for sources"));
  };
  refused({.include_folders = {"/"}}, "include_folders");
  refused({.defines = {"A"}}, "defines");
  refused({.language = yoke::source_language::portable}, "language");
  refused({.header_digest = {std::byte{1}}}, "header_digest");
  refused({.keep = "/tmp"}, "keep");
  refused({.headers = {{"a.h", "#define A 1"}}}, "headers");
  refused({.types = {yoke::describe_struct<dust::mote>()}}, "types");
}

YOKE_CUDA_TEST_CASE("PTX takes no compiler's options, and has a name in messages", "[cuda]") {
  const cu::context context{device};
  const std::string ptx = ".version 7.0\n.target sm_50\n.address_size 64\n.visible .entry f() { ret; }\n";
  const auto code = std::as_bytes(std::span(ptx.data(), ptx.size()));
  const auto refused = [&](const yoke::compile_options& options) {
    return cuda_refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                           [&] { (void)yoke::load_intermediate(context, code, options); });
  };
  CHECK_THAT(refused({.options = {"-lineinfo"}}), ContainsSubstring("option \"-lineinfo\" is for sources"));
  CHECK_THAT(refused({.math = {.fast = true}}), ContainsSubstring("option \"--use_fast_math\" is for sources"));
  CHECK_THAT(refused({.standard = "c++17"}), ContainsSubstring("standard \"c++17\" is for sources"));
  const std::string other = "no such code";
  CHECK_THAT(cuda_refusal<yoke::logic_error>(yoke::errc::incompatible_binary,
                                             [&] {
                                               (void)yoke::load_intermediate(
                                                   context, std::as_bytes(std::span(other.data(), other.size())),
                                                   {.name = "mine.ptx"});
                                             }),
             ContainsSubstring("intermediate code \"mine.ptx\" of 12 bytes is not PTX"));
}

// SPDX-License-Identifier: MIT
// Images: what is refused without being run, and what a load gives.
#include <cuda_simulator/simulator.hpp>
#include <engine/binary/image_format.hpp>

#include <memory>

using namespace yoke_test;

TEST_CASE("bytes that are no image of the engine are refused") {
  const auto compiled = compile_text("extern \"C\" __global__ void k() {}");
  REQUIRE(compiled.status == simulator::compile_status::success);
  std::string changed = compiled.image;
  changed[changed.size() / 2] = static_cast<char>(changed[changed.size() / 2] ^ 1);
  std::string other_version = compiled.image;
  other_version[16] = static_cast<char>(other_version[16] + 1);
  const std::pair<const char*, std::string> cases[] = {
      {"nothing", ""},
      {"PTX", ".version 8.0\n.target sm_90\n.address_size 64\n"},
      {"ELF", std::string("\x7f"
                          "ELF") +
                  std::string(200, '\0')},
      {"the shared object alone", compiled.image.substr(compiled.image.find("\x7f"
                                                                            "ELF"))},
      {"cut", compiled.image.substr(0, compiled.image.size() - 1)},
      {"longer", compiled.image + "x"},
      {"the header alone", compiled.image.substr(0, 48)},
      {"changed", changed},
      {"another version", other_version},
  };
  for (const auto& [name, bytes] : cases) {
    INFO(name);
    std::string error;
    CHECK(simulator::image::load(bytes, simulator::engine_services, error) == nullptr);
    CHECK_THAT(error, ContainsSubstring("not an image of the CUDA simulator"));
  }
}

TEST_CASE("an image says how long it is") {
  const auto compiled = compile_text("extern \"C\" __global__ void k() {}");
  CHECK(simulator::image_size(compiled.image.data()) == compiled.image.size());
  CHECK_FALSE(simulator::image_size(".version 8.0").has_value());
  CHECK_FALSE(simulator::image_size("").has_value());
}

TEST_CASE("an object with our header that cannot be loaded is an error, not a crash") {
  std::string error;
  CHECK(simulator::image::load(simulator::pack_image({.object = "\x7f"
                                                                "ELF nonsense"},
                                                     {.number = 90}),
                               simulator::engine_services, error) == nullptr);
  CHECK_FALSE(error.empty());
}

TEST_CASE("many images can be loaded, one after another and together") {
  const auto compiled =
      compile_text("__device__ int n; extern \"C\" __global__ void k() { __shared__ int s; s = ++n; }");
  std::vector<std::unique_ptr<simulator::image>> together;
  for (int round = 0; round < 40; ++round) {
    std::string error;
    auto loaded = simulator::image::load(compiled.image, simulator::engine_services, error);
    REQUIRE(loaded != nullptr);
    const simulator::kernel& kernel = *loaded->find_kernel("k");
    const auto result = simulator::launch(simulator_pool(), kernel, shape_of(1, 1), std::string_view());
    CHECK_THAT(result.text, Equals(""));
    CHECK(*static_cast<int*>(loaded->global("n")->address) == 1);
    if (round % 2 == 0) together.push_back(std::move(loaded));
  }
  CHECK(together.size() == 20);
}

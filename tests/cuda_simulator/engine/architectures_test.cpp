// SPDX-License-Identifier: MIT
// The architectures that a version of CUDA knows, and the devices that take images for them.
#include <cuda_simulator/simulator.hpp>
#include <engine/binary/architectures.hpp>

using namespace yoke_test;
using simulator::parse_architecture;
using simulator::supported_architectures;

TEST_CASE("each version of CUDA knows its architectures") {
  using list = std::vector<int>;
  CHECK(supported_architectures(12000) == list{50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90});
  CHECK(supported_architectures(12040) == supported_architectures(12000));
  CHECK(supported_architectures(12080) == list{50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 101, 120});
  CHECK(supported_architectures(12090) ==
        list{50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 101, 103, 120, 121});
  CHECK(supported_architectures(13000) == list{75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121});
}

TEST_CASE("names of architectures have a kind, a number and a letter") {
  CHECK(parse_architecture("compute_90", 13000).number == 90);
  CHECK(parse_architecture("compute_90", 13000).is_virtual);
  CHECK_FALSE(parse_architecture("sm_103", 13000).is_virtual);
  CHECK(parse_architecture("sm_90a", 12000).is_specific);
  CHECK(parse_architecture("compute_100f", 12090).is_of_family);
  for (const char* const unknown :
       {"", "sm_", "compute_", "90", "sm_9", "sm_90f", "sm_90b", "sm_900", "sm_80a", "sm_089", "sm_70", "lto_90"}) {
    INFO(unknown);
    CHECK(parse_architecture(unknown, 13000).number == 0);
  }
  CHECK(parse_architecture("sm_70", 12090).number == 70);
  CHECK(parse_architecture("sm_100", 12040).number == 0);
  CHECK(parse_architecture("sm_100f", 12080).number == 0);
}

TEST_CASE("code is for devices of its major version, a virtual architecture for all that are newer") {
  const auto loads = [](const char* name, int device) { return loads_on(parse_architecture(name, 13000), device); };
  CHECK((loads("sm_80", 80) && loads("sm_80", 86) && !loads("sm_86", 80) && !loads("sm_80", 90)));
  CHECK((loads("compute_80", 80) && loads("compute_80", 120) && !loads("compute_90", 89)));
  CHECK((loads("sm_90a", 90) && loads("compute_90a", 90) && !loads("compute_90a", 100)));
  CHECK((loads("compute_100f", 103) && !loads("compute_100f", 110)));
}

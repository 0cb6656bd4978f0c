// SPDX-License-Identifier: MIT
// The version macros agree with each other.
#include <support/catch.hpp>

#include <yoke/core/config.hpp>

#include <string>

static_assert(YOKE_VERSION == YOKE_VERSION_MAJOR * 10000 + YOKE_VERSION_MINOR * 100 + YOKE_VERSION_PATCH);
static_assert(YOKE_VERSION_MINOR < 100 && YOKE_VERSION_PATCH < 100);

TEST_CASE("the version is the same as a number and as text", "[core]") {
  const std::string text = std::to_string(YOKE_VERSION_MAJOR) + "." + std::to_string(YOKE_VERSION_MINOR) + "." +
                           std::to_string(YOKE_VERSION_PATCH);
  CHECK(text + YOKE_VERSION_STATUS == YOKE_VERSION_STRING);
}

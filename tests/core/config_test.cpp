// SPDX-License-Identifier: MIT
// The version macros agree with each other, and the names of symbols with them.
#include <support/catch.hpp>

#include <yoke/core/config.hpp>
#include <yoke/core/error.hpp>

#include <string>
#include <typeinfo>

static_assert(YOKE_VERSION == YOKE_VERSION_MAJOR * 10000 + YOKE_VERSION_MINOR * 100 + YOKE_VERSION_PATCH);
static_assert(YOKE_VERSION_MINOR < 100 && YOKE_VERSION_PATCH < 100);

TEST_CASE("the version is the same as a number and as text", "[core]") {
  const std::string text = std::to_string(YOKE_VERSION_MAJOR) + "." + std::to_string(YOKE_VERSION_MINOR) + "." +
                           std::to_string(YOKE_VERSION_PATCH);
  CHECK(text + YOKE_VERSION_STATUS == YOKE_VERSION_STRING);
}

TEST_CASE("symbols carry the version, so that files compiled with another one do not link", "[core]") {
  const std::string version = "v" + std::to_string(YOKE_VERSION_MAJOR) + "_" + std::to_string(YOKE_VERSION_MINOR);
  CHECK(typeid(yoke::error).name() == "N4yoke" + std::to_string(version.size()) + version + "5errorE");
}

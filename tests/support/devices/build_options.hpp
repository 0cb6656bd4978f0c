// SPDX-License-Identifier: MIT
// What OpenCL's compiler is given.
#ifndef YOKE_TESTS_SUPPORT_BUILD_OPTIONS_HPP
#define YOKE_TESTS_SUPPORT_BUILD_OPTIONS_HPP

#include <support/drivers/opencl_interposer.hpp>

#include <string>
#include <vector>

namespace yoke_test {

/// Effects: writes down the options of every build from now on. The compiler gets them, or `instead` of them.
/// Requires: `driver` and `options` outlive the builds.
inline void record_options(opencl_interposer& driver, std::vector<std::string>& options,
                           const char* instead = nullptr) {
  namespace abi = yoke::opencl::abi;
  driver.replace<&abi::functions::build_program>(
      [&driver, &options, instead](abi::program program, abi::uint count, const abi::device* devices, const char* given,
                                   abi::program_callback call, void* data) {
        options.emplace_back(given);
        return driver.real().build_program(program, count, devices, instead == nullptr ? given : instead, call, data);
      });
}

}  // namespace yoke_test

#endif

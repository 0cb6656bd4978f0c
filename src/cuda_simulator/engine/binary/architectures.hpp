// SPDX-License-Identifier: MIT
// The architectures that NVRTC knows, by CUDA version.
#ifndef YOKE_SIMULATOR_ENGINE_BINARY_ARCHITECTURES_HPP
#define YOKE_SIMULATOR_ENGINE_BINARY_ARCHITECTURES_HPP

#include <string_view>
#include <vector>

namespace yoke::simulator {

/// Returns: the result of nvrtcGetSupportedArchs in that version.
std::vector<int> supported_architectures(int cuda_version);

/// The architecture that an image was compiled for.
struct architecture {
  int number = 0;             ///< 90 for compute_90 and sm_90a
  bool is_virtual = true;     ///< compute_90; sm_90 is not
  bool is_specific = false;   ///< compute_90a, for that one alone
  bool is_of_family = false;  ///< compute_100f, for those of its major version
};

/// Returns: the architecture of "sm_90a"; its number is 0 if that version does not know it.
architecture parse_architecture(std::string_view text, int cuda_version);

/// Returns: whether a device of that compute capability can load the image: it has to be at least as new, and, for a
/// real architecture, of the same major version.
bool loads_on(const architecture& image, int compute_capability);

}  // namespace yoke::simulator

#endif

// SPDX-License-Identifier: MIT
// The host compiler's messages in the shape of NVRTC's.
#ifndef YOKE_SIMULATOR_ENGINE_DIAGNOSTICS_HPP
#define YOKE_SIMULATOR_ENGINE_DIAGNOSTICS_HPP

#include <string>
#include <string_view>

namespace yoke::simulator {

/// Returns: `messages` with "file:line:column: error:" as "file(line): error:", with `folder` taken out of the paths.
std::string nvrtc_messages(std::string_view messages, const std::string& folder);

}  // namespace yoke::simulator

#endif

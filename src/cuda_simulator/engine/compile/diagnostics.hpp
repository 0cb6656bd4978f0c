// SPDX-License-Identifier: MIT
// The host compiler's messages in the shape of NVRTC's.
#ifndef YOKE_SIMULATOR_ENGINE_COMPILE_DIAGNOSTICS_HPP
#define YOKE_SIMULATOR_ENGINE_COMPILE_DIAGNOSTICS_HPP

#include <string>
#include <string_view>

namespace yoke::simulator {

/// Returns: `messages` with "file:line:column: error:" as "file(line): error:", and files of `folder` under the names
/// that the program knows them by.
std::string nvrtc_messages(std::string_view messages, const std::string& folder);

/// Returns: a linker's `messages` as errors that name the undefined symbols and their users; other messages unchanged.
std::string link_messages(std::string_view messages, const std::string& file_name);

/// Returns: a loader's `reason` as an error that names the undefined symbol; "" for other reasons.
std::string load_message(std::string_view reason, const std::string& file_name);

}  // namespace yoke::simulator

#endif

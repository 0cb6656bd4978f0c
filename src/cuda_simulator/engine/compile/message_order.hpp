// SPDX-License-Identifier: MIT
// Sorts messages: those of the user's source come before those of the simulator's own text.
#ifndef YOKE_SIMULATOR_ENGINE_COMPILE_MESSAGE_ORDER_HPP
#define YOKE_SIMULATOR_ENGINE_COMPILE_MESSAGE_ORDER_HPP

#include <string>
#include <string_view>

namespace yoke::simulator {

/// What the simulator's own parts and headers are called in messages.
inline constexpr std::string_view own_folder = "yoke/simulator/";

/// Returns: the messages of nvrtc_messages(), each headed by its error or warning and followed by how it came about. An
/// error in the simulator's own text that the user's source asked for is said of the user's line first; what has no
/// such line comes last.
std::string user_messages_first(std::string_view messages);

}  // namespace yoke::simulator

#endif

// SPDX-License-Identifier: MIT
// Sorts messages: those of the user's source come before those of the simulator's own text.
#ifndef YOKE_SIMULATOR_ENGINE_COMPILE_MESSAGE_ORDER_HPP
#define YOKE_SIMULATOR_ENGINE_COMPILE_MESSAGE_ORDER_HPP

#include <string>
#include <string_view>

namespace yoke::simulator {

/// The folder name of the simulator's own parts and headers in messages.
inline constexpr std::string_view own_folder = "yoke/simulator/";

/// Returns: the messages of nvrtc_messages(), each error or warning first and its explanation after it. An error in the
/// simulator's own text is reported at the user's line that led there; if there is none, it comes last.
std::string user_messages_first(std::string_view messages);

}  // namespace yoke::simulator

#endif

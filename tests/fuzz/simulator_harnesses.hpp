// SPDX-License-Identifier: MIT
// What must hold for any options and architectures that the simulator's NVRTC is given.
#ifndef YOKE_TESTS_FUZZ_SIMULATOR_HARNESSES_HPP
#define YOKE_TESTS_FUZZ_SIMULATOR_HARNESSES_HPP

#include <fuzz/dice.hpp>

#include <engine/binary/architectures.hpp>
#include <engine/compile/options.hpp>

#include <string>
#include <vector>

namespace yoke_fuzz {

/// Options are accepted or refused in NVRTC's words; what reaches the host compiler is what the tables hold.
inline const char* simulator_options(bytes input) {
  namespace simulator = yoke::simulator;
  dice from{input};
  static constexpr int versions[] = {12000, 12040, 12080, 12090, 13000};
  const int version = versions[from.number(1) % std::size(versions)];
  std::vector<std::string> options;
  while (!from.empty() && options.size() < 12) options.push_back(from.text(40));
  const auto parsed = simulator::parse_options(options, version);
  if (!parsed.error.empty() && parsed.error.rfind("nvrtc: error: ", 0) != 0) return "a refusal is not in NVRTC's words";
  for (const auto* list : {&parsed.preprocessor, &parsed.compiler}) {
    for (const std::string& each : *list) {
      if (each.size() < 2 || each[0] != '-') return "the host compiler gets what is no option";
      const bool is_folder = each[1] == 'I';
      if (!is_folder && each.find_first_not_of("-+=_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") !=
                            std::string::npos) {
        return "the host compiler gets an option of the user's own";
      }
    }
  }
  for (const std::string& each : options) {
    const auto found = simulator::parse_architecture(each, version);
    if (found.number == 0) continue;
    const std::string suffix = found.is_specific ? "a" : found.is_of_family ? "f" : "";
    const std::string again = (found.is_virtual ? "compute_" : "sm_") + std::to_string(found.number) + suffix;
    if (each != again) return "an architecture is taken for another";
    if (!simulator::loads_on(found, found.number)) return "an image does not load on its own architecture";
  }
  return nullptr;
}

inline constexpr harness simulator_harnesses[] = {{"simulator_options", simulator_options}};

}  // namespace yoke_fuzz

#endif

// SPDX-License-Identifier: MIT
// Bodies of execution/select.hpp: lists, matches and ranks devices.
#ifndef YOKE_EXECUTION_SELECT_IPP
#define YOKE_EXECUTION_SELECT_IPP

#include <yoke/core/environment.hpp>
#include <yoke/execution/select.hpp>

#include <algorithm>
#include <charconv>

namespace yoke::inline v0_1 {

namespace detail {

inline char lower(char letter) noexcept {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}
bool contains_ignoring_case(std::string_view text, std::string_view part) noexcept {
  return std::search(text.begin(), text.end(), part.begin(), part.end(),
                     [](char a, char b) { return lower(a) == lower(b); }) != text.end();
}
inline bool is_ignoring_case(std::string_view text, std::string_view word) noexcept {
  return text.size() == word.size() && contains_ignoring_case(text, word);
}
inline bool names_backend(std::string_view word) noexcept {
  return all_backends::find([&](auto backend) { return is_ignoring_case(word, backend.name); }) < all_backends::size;
}
inline std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.push_back(trimmed(text.substr(0, end)));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}
inline bool as_index(std::string_view text, std::size_t& value) noexcept {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

std::uint64_t device_rank(const device_summary& facts, std::string_view backend) noexcept {
  const std::uint64_t speed = std::uint64_t{facts.compute_units} * std::max(facts.clock_mhz, 1u);
  constexpr std::uint64_t kinds = static_cast<std::uint64_t>(device_kind::other) + 1;
  const std::uint64_t group =
      kinds * (all_backends::size - backend_place(backend)) + kinds - 1 - static_cast<std::uint64_t>(facts.kind);
  return (group << 56) + std::min(speed, (std::uint64_t{1} << 56) - 1);
}

std::string describe_candidates(const std::vector<device_summary>& candidates, const std::vector<std::string>& backends,
                                std::string_view absent) {
  if (candidates.empty()) return "there is no device";
  std::string out = "there are:";
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    std::size_t ordinal = 0;
    for (std::size_t k = 0; k < i; ++k) ordinal += backends[k] == backends[i] ? 1u : 0u;
    out += text("\n  ", backends[i], ":", ordinal, "  ", candidates[i].name, " (", candidates[i].platform, ")");
  }
  if (!absent.empty()) out += text("\n", absent);
  return out;
}

/// Returns: the PCI bus id in one spelling; tools differ in case and in leading zeros of the domain.
std::string canonical_bus_id(std::string_view id) {
  std::string out;
  if (std::count(id.begin(), id.end(), ':') == 1) out += ':';  // the domain may be left out
  while (out.empty() && !id.empty() && id.front() == '0') id.remove_prefix(1);
  for (const char letter : id) out += lower(letter);
  return out;
}
/// Returns: the device with the PCI bus id of an entry, as in "cuda:0000:01:00.0".
std::vector<std::size_t> match_bus_id(const std::vector<device_summary>& candidates,
                                      const std::vector<std::string>& backends, std::string_view entry) {
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (candidates[i].pci_bus_id.empty()) continue;
    const std::string id = canonical_bus_id(candidates[i].pci_bus_id);
    const std::string_view backend = backends[i];
    const bool named = entry.size() > backend.size() && entry[backend.size()] == ':' &&
                       is_ignoring_case(entry.substr(0, backend.size()), backend);
    if (canonical_bus_id(entry) == id || (named && canonical_bus_id(entry.substr(backend.size() + 1)) == id)) {
      return {i};
    }
  }
  return {};
}

/// Returns: the devices that one entry of a specification names.
std::vector<std::size_t> match_entry(const std::vector<device_summary>& candidates,
                                     const std::vector<std::string>& backends, std::string_view entry) {
  std::vector<std::size_t> left = match_bus_id(candidates, backends, entry);
  if (!left.empty()) return left;
  left.resize(candidates.size());
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = i;
  const auto parts = split(entry, ':');
  bool counted = false;
  for (std::size_t p = 0; p < parts.size() && !entry.empty(); ++p) {
    const std::string_view part = parts[p];
    std::size_t index = 0;
    if (p == 0 &&
        all_backends::find([&](auto backend) { return is_ignoring_case(part, backend.name); }) < all_backends::size) {
      std::erase_if(left, [&](std::size_t i) { return !is_ignoring_case(part, backends[i]); });
    } else if (as_index(part, index) && p + 1 == parts.size()) {
      left = index < left.size() ? std::vector<std::size_t>{left[index]} : std::vector<std::size_t>{};
      counted = true;
    } else if (as_index(part, index)) {  // an index before the last part counts platforms
      std::vector<std::string> platforms;
      for (const std::size_t i : left) {
        if (std::find(platforms.begin(), platforms.end(), candidates[i].platform) == platforms.end()) {
          platforms.push_back(candidates[i].platform);
        }
      }
      if (index >= platforms.size()) return {};
      std::erase_if(left, [&](std::size_t i) { return candidates[i].platform != platforms[index]; });
    } else if (part.empty()) {
      return {};
    } else if (is_ignoring_case(part, "gpu") || is_ignoring_case(part, "cpu") ||
               is_ignoring_case(part, "accelerator")) {
      const device_kind kind = is_ignoring_case(part, "gpu")   ? device_kind::gpu
                               : is_ignoring_case(part, "cpu") ? device_kind::cpu
                                                               : device_kind::accelerator;
      std::erase_if(left, [&](std::size_t i) { return candidates[i].kind != kind; });
    } else {
      std::erase_if(left, [&](std::size_t i) {
        const device_summary& facts = candidates[i];
        return !contains_ignoring_case(facts.name, part) && !contains_ignoring_case(facts.platform, part) &&
               !contains_ignoring_case(facts.vendor, part) && !contains_ignoring_case(facts.version, part) &&
               !contains_ignoring_case(facts.uuid, part);
      });
    }
  }
  if (!counted) {
    std::sort(left.begin(), left.end(), [&](std::size_t a, std::size_t b) {
      const auto first = device_rank(candidates[a], backends[a]), second = device_rank(candidates[b], backends[b]);
      return first > second || (!(second > first) && a < b);
    });
  }
  return left;
}

std::vector<std::size_t> match_devices(const std::vector<device_summary>& candidates,
                                       const std::vector<std::string>& backends, std::string_view specification,
                                       const source_location& where, std::string_view absent) {
  std::vector<std::size_t> chosen;
  const std::string_view whole = trimmed(specification);
  if (whole == "?")
    throw_error(errc::no_device, where, "device \"?\": ", describe_candidates(candidates, backends, absent));
  if (whole.empty()) return match_entry(candidates, backends, {});  // everything, best first
  const auto entries = split(whole, ',');
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string_view entry = entries[i];
    if (entry.empty()) {
      throw_error(errc::no_device, where, "entry ", i + 1, " of the ", entries.size(), " in the device list \"",
                  shortened(whole), "\" is empty; ", describe_candidates(candidates, backends, absent));
    }
    const auto matches = match_entry(candidates, backends, entry);
    if (matches.empty()) {
      throw_error(errc::no_device, where, "no device fits \"", entry, "\"; ",
                  describe_candidates(candidates, backends, absent));
    }
    for (const std::size_t index : matches) {
      if (std::find(chosen.begin(), chosen.end(), index) == chosen.end()) chosen.push_back(index);
    }
  }
  return chosen;
}

struct everything {
  std::vector<device<any_port>> devices;
  std::vector<device_summary> summaries;
  std::vector<std::string> backends;
  std::string reasons;
};
everything find_everything(const source_location& where) {
  everything all;
  for (const any_port& port : available_ports(all.reasons)) {
    for (const auto native : port.devices(where)) {
      all.devices.push_back(device<any_port>::borrow(port, native));
      all.summaries.push_back(port.summary(native, where));
      all.backends.emplace_back(port.backend_name());
    }
  }
  return all;
}

/// Throws: `unsupported_error` when `YOKE_CUDA_DRIVER` names a driver that cannot be used, unless every entry of the
/// specification asks for OpenCL.
void check_named_driver(const everything& all, std::string_view specification, const source_location& where) {
  const std::string& driver = process_environment().cuda_driver;
  if (driver.empty()) return;
  if (std::find(all.backends.begin(), all.backends.end(), "cuda") != all.backends.end()) return;
  const auto entries = split(specification, ',');
  const auto is_answered = [](std::string_view entry) {
    return entry == "?" || is_ignoring_case(entry.substr(0, entry.find(':')), "opencl");
  };
  if (std::all_of(entries.begin(), entries.end(), is_answered)) return;
  throw_error(errc::driver_unavailable, where, all.reasons, "\nYOKE_CUDA_DRIVER is \"", driver,
              "\", so that no other backend is taken in its place: unset it, or ask for \"opencl\"");
}

}  // namespace detail

std::vector<device<any_port>> devices(const source_location& where) {
  auto all = detail::find_everything(where);
  detail::check_named_driver(all, {}, where);
  return std::move(all.devices);
}

std::vector<device<any_port>> select_devices(std::string_view specification, const source_location& where) {
  const auto all = detail::find_everything(where);
  detail::check_named_driver(all, specification, where);
  if (all.devices.empty()) detail::throw_error(errc::no_device, where, "no device found; ", all.reasons);
  std::vector<device<any_port>> result;
  for (const std::size_t index :
       detail::match_devices(all.summaries, all.backends, specification, where, all.reasons)) {
    result.push_back(all.devices[index]);
  }
  return result;
}

device_choice choose_device(std::string_view specification, const source_location& where) {
  const auto all = detail::find_everything(where);
  const std::string& variable = process_environment().device;
  const std::string_view asked = specification.empty() ? std::string_view{variable} : specification;
  detail::check_named_driver(all, asked, where);
  if (all.devices.empty()) detail::throw_error(errc::no_device, where, "no device found; ", all.reasons);
  if (!asked.empty()) {
    std::size_t index = 0;
    try {
      index = detail::match_devices(all.summaries, all.backends, asked, where, all.reasons).front();
    } catch (const unsupported_error& refused) {
      if (!specification.empty()) throw;
      throw unsupported_error(refused.code(), "", std::string("YOKE_DEVICE: ") + refused.what(), {});
    }
    return {all.devices[index],
            std::string(specification.empty() ? "YOKE_DEVICE=" : "asked for as ") + std::string(asked)};
  }
  std::size_t best = 0;
  for (std::size_t i = 1; i < all.devices.size(); ++i) {
    if (detail::device_rank(all.summaries[i], all.backends[i]) >
        detail::device_rank(all.summaries[best], all.backends[best])) {
      best = i;
    }
  }
  return {all.devices[best],
          all.devices.size() == 1
              ? "the only device"
              : detail::text("the best of ", all.devices.size(),
                             " devices: CUDA before OpenCL GPU, accelerator, CPU; then compute units times clock")};
}

std::string list_devices() {
  const auto all = detail::find_everything(source_location::current());
  std::string out = detail::describe_candidates(all.summaries, all.backends, all.reasons);
  if (all.devices.empty() && !all.reasons.empty()) out += "\n" + all.reasons;
  return out;
}

}  // namespace yoke::inline v0_1

#endif

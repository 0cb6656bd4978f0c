// SPDX-License-Identifier: MIT
// Writes results to files that are renamed when they are complete, and reads only those of which every byte is right.
#include "engine/compile/kept_results.hpp"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "engine/system/temporary_folder.hpp"

namespace yoke::simulator {

namespace {

using parts = kept_results::parts;

constexpr std::string_view magic = "yoke simulator 1";

std::uint64_t digest_of(std::string_view bytes) {  // FNV-1a, as for images: against accidents
  std::uint64_t digest = 14695981039346656037u;
  for (const char each : bytes) digest = (digest ^ static_cast<unsigned char>(each)) * 1099511628211u;
  return digest;
}

void put(std::string& into, std::uint64_t number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  into.append(bytes, sizeof bytes);
}

std::string joined(const parts& all) {
  std::string text;
  for (const std::string& each : all) {
    put(text, each.size());
    text += each;
  }
  return text;
}

std::optional<parts> split(std::string_view text) {
  parts all;
  while (!text.empty()) {
    std::uint64_t size = 0;
    if (text.size() < sizeof size) return std::nullopt;
    std::memcpy(&size, text.data(), sizeof size);
    text.remove_prefix(sizeof size);
    if (size > text.size()) return std::nullopt;
    all.emplace_back(text.substr(0, static_cast<std::size_t>(size)));
    text.remove_prefix(static_cast<std::size_t>(size));
  }
  return all;
}

/// Effects: makes the folder if it is missing. Returns: whether it is this user's alone to write to.
bool is_own_folder(const std::string& path) {
  ::mkdir(path.c_str(), 0700);
  struct ::stat found {};
  return path.front() == '/' && ::lstat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode) &&
         found.st_uid == ::geteuid() && (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace

std::string identity_of_file(const std::string& path) {
  struct ::stat found {};
  if (::stat(path.c_str(), &found) != 0) return {};
  return joined({path, std::to_string(found.st_size), std::to_string(found.st_mtim.tv_sec),
                 std::to_string(found.st_mtim.tv_nsec)});
}

bool depends_on_itself_alone(std::string text, const std::function<bool(const std::string&)>& known) {
  for (std::size_t at = 0; (at = text.find("\\\n", at)) != text.npos;) text.erase(at, 2);  // lines that go on
  for (const char* const changing : {"__DATE__", "__TIME__", "__TIMESTAMP__", "incbin"}) {
    if (text.find(changing) != text.npos) return false;
  }
  const auto skip = [&](std::size_t at, std::string_view what) { return text.find_first_not_of(what, at); };
  /// Whether the quoted name that begins at `at` is known.
  const auto is_known = [&](std::size_t at) {
    if (at == text.npos || (text[at] != '"' && text[at] != '<')) return false;
    const std::size_t end = text.find(text[at] == '"' ? '"' : '>', at + 1);
    if (end == text.npos) return false;
    const std::string path = text.substr(at + 1, end - at - 1);
    return !path.empty() && path.front() != '/' && path.find("..") == path.npos && known(path);
  };
  /// Whether the macro at `at` is defined here, and only as known names.
  const auto is_known_macro = [&](std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
    const std::size_t behind = skip(end, " \t");
    if (at == end || (behind != text.npos && text[behind] != '\n')) return false;
    const std::string macro = text.substr(at, end - at);
    bool defined = false;
    for (at = text.find(macro); at != text.npos; at = text.find(macro, at + 1)) {
      const std::size_t word = text.find_last_not_of(" \t", at - (at != 0 ? 1 : 0));
      if (word == text.npos || word < 5 || text.compare(word - 5, 6, "define") != 0) continue;
      if (!is_known(skip(at + macro.size(), " \t"))) return false;
      defined = true;
    }
    return defined;
  };
  constexpr std::string_view word = "include";
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    std::size_t name = at + word.size();
    if (text.compare(name, 5, "_next") == 0) name += 5;
    name = skip(name, " \t(");
    if (name == text.npos || is_known(name)) continue;
    if (text[name] == '"' || text[name] == '<') return false;
    // Only `#include MACRO` and `__has_include(MACRO)` count.
    const std::size_t line = text.rfind('\n', at) + 1;  // npos + 1 is 0
    const std::string_view before = std::string_view(text).substr(line, at - line);
    const bool asks = before.find('#') != before.npos || before.find("%:") != before.npos;
    if (asks && !is_known_macro(name)) return false;
  }
  return true;
}

const kept_results& kept_results::of_process() {
  static const kept_results& one = *new kept_results;  // never destroyed: calls come until the process has ended
  return one;
}

kept_results::kept_results() {
  const char* const asked = ::secure_getenv("YOKE_SIMULATOR_CACHE");
  if (asked == nullptr || *asked == '\0') return;
  if (!is_own_folder(asked)) {
    std::fprintf(stderr,
                 "yoke CUDA simulator: YOKE_SIMULATOR_CACHE is \"%s\", expected is the absolute path of a folder that "
                 "only this user may write to; nothing is kept\n",
                 asked);
    return;
  }
  // Another build of the simulator adds other text to a source and compiles it differently.
  ::Dl_info own{};
  if (::dladdr(reinterpret_cast<const void*>(&digest_of), &own) == 0 || own.dli_fname == nullptr) return;
  std::error_code ignored;
  identity_ = identity_of_file(std::filesystem::canonical(own.dli_fname, ignored).string());
  if (!identity_.empty()) folder_ = asked;
}

std::string kept_results::file_of(std::string_view key) const {
  char name[24];
  std::snprintf(name, sizeof name, "/%016llx", static_cast<unsigned long long>(digest_of(key)));
  return folder_ + name;
}

std::optional<parts> kept_results::find(const parts& key) const {
  if (!active()) return std::nullopt;
  const std::string whole = joined({identity_, joined(key)});
  const std::string bytes = read_file(file_of(whole));
  const std::string_view all = bytes;
  std::uint64_t digest = 0;
  if (all.size() < magic.size() + sizeof digest || all.substr(0, magic.size()) != magic) return std::nullopt;
  std::memcpy(&digest, all.data() + magic.size(), sizeof digest);
  const std::string_view body = all.substr(magic.size() + sizeof digest);
  if (digest_of(body) != digest) return std::nullopt;
  auto found = split(body);
  if (!found || found->size() != 2 || (*found)[0] != whole) return std::nullopt;
  return split((*found)[1]);
}

void kept_results::keep(const parts& key, const parts& result) const {
  if (!active()) return;
  const std::string whole = joined({identity_, joined(key)});
  const std::string body = joined({whole, joined(result)});
  std::string bytes(magic);
  put(bytes, digest_of(body));
  bytes += body;
  std::string aside = folder_ + "/.new-XXXXXX";
  const int file = ::mkstemp(aside.data());
  if (file < 0) return;
  std::size_t written = 0;
  while (written < bytes.size()) {
    const auto more = ::write(file, bytes.data() + written, bytes.size() - written);
    if (more <= 0) break;
    written += static_cast<std::size_t>(more);
  }
  const bool complete = ::close(file) == 0 && written == bytes.size();
  if (!complete || ::rename(aside.c_str(), file_of(whole).c_str()) != 0) ::unlink(aside.c_str());
}

}  // namespace yoke::simulator

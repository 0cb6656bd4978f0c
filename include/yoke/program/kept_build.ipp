// SPDX-License-Identifier: MIT
// Bodies of program/kept_build.hpp.
#ifndef YOKE_PROGRAM_KEPT_BUILD_IPP
#define YOKE_PROGRAM_KEPT_BUILD_IPP

#include <yoke/core/error.hpp>
#include <yoke/core/native_path.hpp>
#include <yoke/core/sha256.hpp>
#include <yoke/core/system.hpp>
#include <yoke/core/text.hpp>
#include <yoke/driver/binary.hpp>
#include <yoke/driver/compile_request.hpp>
#include <yoke/program/kept_build.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

namespace yoke::inline v0_1::detail {

std::string write_problem(const std::string& path, std::string_view content) {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(open_to_write_bytes(path), &std::fclose);
  if (file == nullptr) return std::strerror(errno);
  const bool fine = std::fwrite(content.data(), 1, content.size(), file.get()) == content.size();
  const int code = errno;
  if (std::fclose(file.release()) != 0) return std::strerror(errno);
  return fine ? "" : std::strerror(code);
}

/// Returns: a file name from the last part of a source's name; other characters become "_".
std::string file_name_of(const std::string& source_name) {
  std::string name = source_name.substr(folder_of_path(source_name).size());
  for (char& letter : name) {
    const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= '0' && letter <= '9') || letter == '.' || letter == '_' || letter == '-';
    if (!plain) letter = '_';
  }
  constexpr std::size_t longest = 100;
  if (name.size() > longest) name.erase(0, name.size() - longest);
  return name.empty() || name.front() == '.' ? "source" + name : name;
}

/// Returns: ".cl" of "kernel.cl"; "" without an ending.
std::string ending_of(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? "" : name.substr(dot);
}

/// Returns: the requested options, one per line.
std::string option_lines(const compile_request& request) {
  std::string lines = request.standard.empty() ? "" : "standard " + request.standard + "\n";
  for (const std::string& each : request.options) lines += each + "\n";
  for (const std::string& each : request.include_folders) lines += "-I " + each + "\n";
  return lines;
}

/// Throws: `logic_error` that names a folder for kept files and why it cannot be used.
[[noreturn]] void refuse_folder(const std::string& path, const std::string& why, const source_location& where) {
  throw_error(errc::invalid_argument, where, "the folder \"", path, "\" to keep a compilation in ", why);
}

void kept_build::open(const std::string& keep, const std::string& name, std::string_view content,
                      const source_location& where) {
  if (const std::size_t zero = keep.find('\0'); zero != std::string::npos)
    refuse_folder(keep.substr(0, zero), "has a zero character in its name", where);
  std::error_code failure;
  std::filesystem::create_directories(native_path(keep), failure);
  if (failure) refuse_folder(keep, "cannot be made: " + failure_text(failure), where);
  std::string path = path_in(keep, name) + "-";
  const auto digest = sha256(std::as_bytes(std::span(content.data(), content.size())));
  for (std::size_t i = 0; i < 8; ++i) path += hex_digits(std::to_integer<unsigned>(digest[i]), 2);
  std::string folder = path;
  for (int number = 2; !std::filesystem::create_directory(native_path(folder), failure); ++number) {
    if (failure && failure != std::errc::file_exists) {
      refuse_folder(keep, "cannot be written to: " + failure_text(failure), where);
    }
    folder = path + "-" + std::to_string(number);
  }
  folder_ = std::move(folder);
}

kept_build::kept_build(const folder_option& keep, compile_request& request, const source_location& where) {
  if (keep.empty()) return;
  const std::string options = option_lines(request);
  const std::string name = file_name_of(request.lines.name);
  open(keep.path(), name, options + '\0' + request.text, where);
  ending_ = ending_of(name);
  const std::pair<std::string, std::string_view> files[] = {
      {"source" + ending_, request.source}, {"compiled" + ending_, request.text}, {"options.txt", options}};
  for (const auto& [file, content] : files) {
    const std::string problem = write_problem(folder_ + "/" + file, content);
    if (!problem.empty()) refuse_folder(folder_, "cannot be written to: " + file + ": " + problem, where);
  }
  request.kept = folder_;
  request.used_options = &used_options_;
}

kept_build::kept_build(const folder_option& keep, const std::string& name, std::string_view content,
                       const source_location& where) {
  if (!keep.empty()) open(keep.path(), name, content, where);
}

void kept_build::write(const std::string& name, std::string_view content, const source_location& where) const {
  if (folder_.empty()) return;
  const std::string path = folder_ + "/" + name;
  const std::string problem = write_problem(path, content);
  if (problem.empty()) return;
  throw runtime_error(make_error_code(errc::invalid_argument), "",
                      "the file \"" + path + "\" of a compilation to keep cannot be written: " + problem, where);
}

void kept_build::write_options(const source_location& where) const {
  if (!used_options_.empty()) write("options.txt", used_options_ + "\n", where);
}

void kept_build::fail(const error& failure) const noexcept {
  try {
    write_options(failure.where());
    const auto* const refused = dynamic_cast<const compile_error*>(&failure);
    const bool has_log = refused != nullptr && !refused->log().empty();
    write("log.txt", has_log ? std::string_view(refused->log()) : std::string_view(failure.what()), failure.where());
  } catch (...) {  // report only the compiler's failure
  }
}
void kept_build::log(std::string_view content, const source_location& where) const {
  write_options(where);
  write("log.txt", content, where);
}
void kept_build::binary(std::span<const std::byte> bytes, std::string_view ending, const source_location& where) const {
  write("binary" + std::string(ending), {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, where);
}
void kept_build::exported(std::span<const std::byte> bytes, const kernel_language& language,
                          const source_location& where) const {
  if (folder_.empty()) return;
  const auto entries = unpack_binary(bytes, where);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string ending = language.binary_ending == nullptr ? ".bin" : language.binary_ending(entries[i].payload);
    binary(entries[i].payload, (entries.size() == 1 ? "" : "-" + std::to_string(i)) + ending, where);
  }
}

}  // namespace yoke::inline v0_1::detail

#endif

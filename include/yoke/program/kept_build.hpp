// SPDX-License-Identifier: MIT
// The files that a compilation leaves in the folder of `compile_options::keep`.
#ifndef YOKE_PROGRAM_KEPT_BUILD_HPP
#define YOKE_PROGRAM_KEPT_BUILD_HPP

#include <yoke/driver/compile_request.hpp>
#include <yoke/program/compile_options.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace yoke::inline YOKE_ABI {

namespace detail {

/// Returns: why a file could not be written; "" on success. Throws: `std::bad_alloc`.
YOKE_API std::string write_problem(const std::string& path, std::string_view content);

/// What `folder_option` opens a folder with.
struct kept_request {
  const std::string& keep;  // the folder that it goes into
  const source_location& where;
  compile_request* compilation = nullptr;  // null: an empty folder, by the two below
  std::string name{};
  std::string_view content{};
};

/// The folder of one compilation: "kernel.cl-0123456789abcdef", by the source's name and a digest of the compiler's
/// input; the next one of the same input has "-2" behind it, and so on.
class kept_folder {
 public:
  kept_folder(const kept_folder&) = delete;
  kept_folder& operator=(const kept_folder&) = delete;
  virtual ~kept_folder() = default;

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::string text_path() const { return path_ + "/compiled" + ending_; }

  virtual void fail(const error& failure) const noexcept = 0;
  virtual void log(std::string_view text, const source_location& where) const = 0;
  virtual void binary(std::span<const std::byte> bytes, std::string_view ending,
                      const source_location& where) const = 0;
  virtual void exported(std::span<const std::byte> bytes, const kernel_language& language,
                        const source_location& where) const = 0;
  virtual void write(const std::string& name, std::string_view text, const source_location& where) const = 0;

 protected:
  kept_folder() = default;

  std::string path_;
  std::string ending_;  // ".cl" of "kernel.cl"
};

/// The kept folder of a compilation, or none. A program that names no folder has only the latter.
class kept_build {
 public:
  /// Effects: makes the folder in `keep`, writes the source, the compiler's input and the options there, and notes it in
  /// the request. Does nothing for an empty `keep`. Throws: `logic_error` (`errc::invalid_argument`) that names a folder
  /// that cannot be made or written; `std::bad_alloc`.
  kept_build(const folder_option& keep, compile_request& request, const source_location& where) {
    if (!keep.empty()) folder_ = keep.opener()({keep.path(), where, &request});
  }
  /// Effects: makes an empty folder in `keep`, by a name and a digest of `content`. Throws: as above.
  kept_build(const folder_option& keep, const std::string& name, std::string_view content,
             const source_location& where) {
    if (!keep.empty()) folder_ = keep.opener()({keep.path(), where, nullptr, name, content});
  }

  [[nodiscard]] explicit operator bool() const noexcept { return folder_ != nullptr; }
  /// Returns: its path; "" if there is none.
  [[nodiscard]] std::string folder() const { return folder_ != nullptr ? folder_->path() : std::string(); }
  /// Requires: a folder. Returns: the path of the file with the compiler's input.
  [[nodiscard]] std::string text_path() const { return folder_->text_path(); }

  /// Effects: writes the log of a failed compilation. Throws: nothing, because that failure is thrown already.
  void fail(const error& failure) const noexcept {
    if (folder_ != nullptr) folder_->fail(failure);
  }
  /// Effects: writes the log. Throws: `runtime_error` that names a file that cannot be written.
  void log(std::string_view text, const source_location& where) const {
    if (folder_ != nullptr) folder_->log(text, where);
  }
  /// Effects: writes a compiler's bytes as "binary.cubin", "binary.ptx", or with the ending given. Throws: as `log`.
  void binary(std::span<const std::byte> bytes, std::string_view ending, const source_location& where) const {
    if (folder_ != nullptr) folder_->binary(bytes, ending, where);
  }
  /// Effects: writes each device's bytes of an exported binary, by names that end as the language has it. Throws: as `log`.
  void exported(std::span<const std::byte> bytes, const kernel_language& language, const source_location& where) const {
    if (folder_ != nullptr) folder_->exported(bytes, language, where);
  }
  /// Effects: writes one file. Throws: as `log`.
  void write(const std::string& name, std::string_view text, const source_location& where) const {
    if (folder_ != nullptr) folder_->write(name, text, where);
  }

 private:
  owner<const kept_folder> folder_;
};

/// Returns: the module of `make`, with its log and binary in the folder of the compilation.
template <class Make>
[[gnu::cold]] auto make_kept(const kept_build& kept, Make make, const source_location& where) {
  if (!kept) return make();
  auto result = [&] {
    try {
      return make();
    } catch (const error& failure) {
      kept.fail(failure);
      throw;
    }
  }();
  const auto& in = result.context_of(where);
  std::string log;
  for (const auto& device : in.devices(where)) log += result.build_log(device, where);
  kept.log(log, where);
  try {
    kept.exported(result.export_binary(where), in.port(where).language(), where);
  } catch (const unsupported_error& none) {  // this driver gives none
    kept.write("binary.txt", none.what(), where);
  }
  result.state(where)->kept = kept.folder();
  return result;
}

}  // namespace detail
}  // namespace yoke::inline YOKE_ABI

#if defined(YOKE_BODIES)
#include <yoke/program/impl/kept_build.ipp>
#endif

#endif

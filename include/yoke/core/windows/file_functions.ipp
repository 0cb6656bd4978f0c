// SPDX-License-Identifier: MIT
// Bodies of core/file_functions.hpp for Windows; NtCreateFile replaces POSIX's openat.
// It alone opens a file relative to an open folder, so that nobody can swap the folder for another one meanwhile.
#ifndef YOKE_CORE_WINDOWS_FILE_FUNCTIONS_IPP
#define YOKE_CORE_WINDOWS_FILE_FUNCTIONS_IPP

#include <yoke/core/file.hpp>

#include <yoke/core/windows/api.ipp>
#include <yoke/core/windows/security.ipp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <memory>
#include <random>
#include <string>

#include <aclapi.h>
#include <winternl.h>

namespace yoke::inline v0_1::detail {

// Windows promises that handles fit into 32 bits, so they serve as the table's file descriptors.
[[gnu::cold]] inline HANDLE handle_of(int file) noexcept {
  return reinterpret_cast<HANDLE>(static_cast<std::intptr_t>(file));
}
[[gnu::cold]] inline int descriptor_of(HANDLE handle) noexcept {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(handle));
}

/// Returns: the negated `errno` for an error of Windows.
[[gnu::cold]] inline int negated_errno(DWORD code) noexcept {
  switch (code) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME:
    case ERROR_DELETE_PENDING: return -ENOENT;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_WRITE_PROTECT: return -EACCES;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS: return -EEXIST;
    case ERROR_DIRECTORY: return -ENOTDIR;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL: return -ENOSPC;
    case ERROR_TOO_MANY_OPEN_FILES: return -EMFILE;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY: return -ENOMEM;
    case ERROR_FILENAME_EXCED_RANGE: return -ENAMETOOLONG;
    default: return -EIO;
  }
}
[[gnu::cold]] inline int negated_errno() noexcept { return negated_errno(::GetLastError()); }

/// The calls that only ntdll.dll exports.
struct native_calls {
  using create_file = NTSTATUS(NTAPI*)(HANDLE*, ACCESS_MASK, OBJECT_ATTRIBUTES*, IO_STATUS_BLOCK*, LARGE_INTEGER*,
                                       ULONG, ULONG, ULONG, ULONG, void*, ULONG);
  using set_information = NTSTATUS(NTAPI*)(HANDLE, IO_STATUS_BLOCK*, void*, ULONG, int);
  using status_to_error = ULONG(NTAPI*)(NTSTATUS);

  template <class Function>
  static Function named(const char* name) noexcept {
    return reinterpret_cast<Function>(
        reinterpret_cast<void*>(::GetProcAddress(::GetModuleHandleW(L"ntdll.dll"), name)));
  }
  create_file create = named<create_file>("NtCreateFile");
  set_information set = named<set_information>("NtSetInformationFile");
  status_to_error error_of = named<status_to_error>("RtlNtStatusToDosError");

  static const native_calls& loaded() noexcept {
    static const native_calls once;
    return once;
  }
};

/// Effects: writes owner and mode. Rights that the access control list grants to others become the bits of group and
/// others.
[[gnu::cold]] inline int security_facts(HANDLE file, file_facts& facts) {
  PSID owner = nullptr;
  PACL list = nullptr;
  PSECURITY_DESCRIPTOR described = nullptr;
  const DWORD code = ::GetSecurityInfo(file, SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION,
                                       &owner, nullptr, &list, nullptr, &described);
  if (code != ERROR_SUCCESS) return negated_errno(code);
  const std::unique_ptr<void, decltype(&::LocalFree)> held(described, &::LocalFree);
  facts.owner = account_number(owner);
  facts.mode = 0700;
  if (list == nullptr) facts.mode = 0777;  // no list grants all to everybody
  for (DWORD i = 0; list != nullptr && i < list->AceCount; ++i) {
    void* entry = nullptr;
    if (::GetAce(list, i, &entry) == 0) return negated_errno();
    const auto* const header = static_cast<const ACE_HEADER*>(entry);
    if (header->AceType == ACCESS_DENIED_ACE_TYPE || (header->AceFlags & INHERIT_ONLY_ACE) != 0) continue;
    if (header->AceType != ACCESS_ALLOWED_ACE_TYPE) {  // may have conditions: counts as a grant to all
      facts.mode = 0777;
      break;
    }
    auto* const allowed = static_cast<ACCESS_ALLOWED_ACE*>(entry);
    const std::uint32_t who = account_number(static_cast<PSID>(&allowed->SidStart));
    if (who == windows_user || who == windows_system) continue;
    constexpr DWORD writes = FILE_WRITE_DATA | FILE_APPEND_DATA | FILE_WRITE_EA | FILE_DELETE_CHILD |
                             FILE_WRITE_ATTRIBUTES | DELETE | WRITE_DAC | WRITE_OWNER | GENERIC_WRITE | GENERIC_ALL;
    constexpr DWORD reads = FILE_READ_DATA | GENERIC_READ | GENERIC_ALL;
    if ((allowed->Mask & writes) != 0) facts.mode |= 022U;
    if ((allowed->Mask & reads) != 0) facts.mode |= 044U;
  }
  return 0;
}

/// Effects: opens or makes a file by its name in a folder, or by its path. Returns: its descriptor, or the negated
/// error.
[[gnu::cold]] inline int native_open(int folder, const char* name, ACCESS_MASK access, ULONG disposition, ULONG options,
                                     PSECURITY_DESCRIPTOR security) {
  const native_calls& calls = native_calls::loaded();
  if (calls.create == nullptr || calls.error_of == nullptr) return -ENOSYS;
  std::wstring path;
  try {
    if (!to_wide_text(name, path)) return -EINVAL;
    path = std::filesystem::path(path).make_preferred().wstring();
    if (folder == current_folder) path = L"\\??\\" + std::filesystem::absolute(path).wstring();
  } catch (const std::bad_alloc&) {
    return -ENOMEM;
  } catch (const std::exception&) {  // the system rejects the path
    return -EINVAL;
  }
  if (path.size() > 32000) return -ENAMETOOLONG;
  UNICODE_STRING shown{};
  shown.Buffer = path.data();
  shown.Length = shown.MaximumLength = static_cast<USHORT>(path.size() * sizeof(wchar_t));
  OBJECT_ATTRIBUTES attributes{};
  attributes.Length = sizeof attributes;
  attributes.RootDirectory = folder == current_folder ? nullptr : handle_of(folder);
  attributes.ObjectName = &shown;
  attributes.Attributes = OBJ_CASE_INSENSITIVE;
  attributes.SecurityDescriptor = security;
  HANDLE opened = nullptr;
  IO_STATUS_BLOCK outcome{};
  const NTSTATUS status = calls.create(&opened, access | SYNCHRONIZE, &attributes, &outcome, nullptr,
                                       FILE_ATTRIBUTE_NORMAL, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                       disposition, options | FILE_SYNCHRONOUS_IO_NONALERT, nullptr, 0);
  if (status >= 0) return descriptor_of(opened);
  constexpr auto not_a_folder = static_cast<NTSTATUS>(0xC0000103);
  constexpr auto is_a_folder = static_cast<NTSTATUS>(0xC00000BA);
  if (status == not_a_folder) return -ENOTDIR;
  if (status == is_a_folder) return -EISDIR;
  return negated_errno(calls.error_of(status));
}

[[gnu::cold]] inline int system_open(int folder, const char* name, int flags, unsigned) {
  constexpr ULONG keep_links = FILE_OPEN_REPARSE_POINT;
  if ((flags & open_new) != 0) {
    const private_security security;
    return native_open(folder, name, FILE_GENERIC_WRITE | READ_CONTROL, FILE_CREATE,
                       FILE_NON_DIRECTORY_FILE | keep_links, security.get());
  }
  const bool is_folder = (flags & open_folder) != 0;
  const bool links = (flags & open_no_link) == 0;
  const ACCESS_MASK access = is_folder ? FILE_LIST_DIRECTORY | FILE_TRAVERSE | FILE_READ_ATTRIBUTES | READ_CONTROL
                                       : FILE_GENERIC_READ | READ_CONTROL;
  const ULONG options = (is_folder ? FILE_DIRECTORY_FILE : 0UL) | (links ? 0UL : keep_links);
  const int file = native_open(folder, name, access, FILE_OPEN, options, nullptr);
  if (file < 0 || links) return file;
  FILE_ATTRIBUTE_TAG_INFO kind{};
  const bool known = ::GetFileInformationByHandleEx(handle_of(file), FileAttributeTagInfo, &kind, sizeof kind) != 0;
  if (known && (kind.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0) return file;
  ::CloseHandle(handle_of(file));
  return -ELOOP;
}

[[gnu::cold]] inline int system_make_folder(int folder, const char* name, unsigned) {
  const private_security security;
  const int made = native_open(folder, name, FILE_LIST_DIRECTORY, FILE_CREATE, FILE_DIRECTORY_FILE, security.get());
  if (made < 0) return made;
  ::CloseHandle(handle_of(made));
  return 0;
}

/// Windows counts steps of 100 ns since 1601.
inline constexpr std::int64_t steps_in_second = 10'000'000;
inline constexpr std::int64_t seconds_before_1970 = 11'644'473'600;

[[gnu::cold]] inline int system_facts(int file, file_facts& facts) {
  const HANDLE handle = handle_of(file);
  BY_HANDLE_FILE_INFORMATION found{};
  if (::GetFileInformationByHandle(handle, &found) == 0) return negated_errno();
  facts.folder = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  facts.regular = !facts.folder && (found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0 &&
                  ::GetFileType(handle) == FILE_TYPE_DISK;
  facts.links = found.nNumberOfLinks;
  facts.bytes = std::uint64_t{found.nFileSizeHigh} << 32 | found.nFileSizeLow;
  const std::uint64_t steps =
      std::uint64_t{found.ftLastWriteTime.dwHighDateTime} << 32 | found.ftLastWriteTime.dwLowDateTime;
  facts.modified = static_cast<std::int64_t>(steps) / steps_in_second - seconds_before_1970;
  return security_facts(handle, facts);
}

[[gnu::cold]] inline int system_list(int folder, std::vector<std::string>& names) {
  // Opened once more, for a reading position of its own.
  const int again = native_open(folder, "", FILE_LIST_DIRECTORY, FILE_OPEN, FILE_DIRECTORY_FILE, nullptr);
  if (again < 0) return again;
  const std::unique_ptr<void, decltype(&::CloseHandle)> held(handle_of(again), &::CloseHandle);
  constexpr std::size_t bytes = 1 << 16;
  const auto buffer = std::make_unique<std::byte[]>(bytes);
  for (;;) {
    if (::GetFileInformationByHandleEx(held.get(), FileIdBothDirectoryInfo, buffer.get(), bytes) == 0) {
      const DWORD code = ::GetLastError();
      return code == ERROR_NO_MORE_FILES || code == ERROR_FILE_NOT_FOUND ? 0 : negated_errno(code);
    }
    for (std::size_t at = 0;;) {
      const auto* const each = reinterpret_cast<const FILE_ID_BOTH_DIR_INFO*>(buffer.get() + at);
      const std::wstring_view name(each->FileName, each->FileNameLength / sizeof(wchar_t));
      if (name != L"." && name != L"..") names.push_back(utf8_text(name));
      if (each->NextEntryOffset == 0) break;
      at += each->NextEntryOffset;
    }
  }
}

[[gnu::cold]] inline int system_touch(int file, std::int64_t seconds) {
  // The descriptor may be open for reading only.
  const HANDLE writable =
      ::ReOpenFile(handle_of(file), FILE_WRITE_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, 0);
  const auto steps = static_cast<std::uint64_t>((seconds + seconds_before_1970) * steps_in_second);
  const FILETIME time{static_cast<DWORD>(steps & 0xffffffffU), static_cast<DWORD>(steps >> 32)};
  const HANDLE handle = writable == INVALID_HANDLE_VALUE ? handle_of(file) : writable;
  const int code = ::SetFileTime(handle, nullptr, nullptr, &time) != 0 ? 0 : negated_errno();
  if (writable != INVALID_HANDLE_VALUE) ::CloseHandle(writable);
  return code;
}

/// Effects: renames a file within its folder and replaces a file that has the new name.
[[gnu::cold]] inline int system_rename(int folder, const char* from, const char* to) {
  const native_calls& calls = native_calls::loaded();
  if (calls.set == nullptr) return -ENOSYS;
  const int file = native_open(folder, from, DELETE, FILE_OPEN, FILE_OPEN_REPARSE_POINT, nullptr);
  if (file < 0) return file;
  struct rename_request {
    ULONG flags;
    HANDLE folder;
    ULONG bytes;
    wchar_t name[256];
  } request{};
  const std::size_t length = std::strlen(to);
  int code = -ENAMETOOLONG;
  if (length < std::size(request.name)) {
    std::copy(to, to + length, request.name);  // names of the cache are ASCII
    request.folder = handle_of(folder);
    request.bytes = static_cast<ULONG>(length * sizeof(wchar_t));
    IO_STATUS_BLOCK outcome{};
    constexpr int rename = 10;      // FileRenameInformation
    constexpr int rename_ex = 65;   // FileRenameInformationEx, since Windows 10 1607: also over a file that is open
    constexpr ULONG over_open = 3;  // FILE_RENAME_REPLACE_IF_EXISTS | FILE_RENAME_POSIX_SEMANTICS
    request.flags = over_open;
    NTSTATUS status = calls.set(handle_of(file), &outcome, &request, sizeof request, rename_ex);
    if (status < 0) {
      request.flags = 1;
      status = calls.set(handle_of(file), &outcome, &request, sizeof request, rename);
    }
    code = status >= 0 ? 0 : negated_errno(calls.error_of(status));
  }
  ::CloseHandle(handle_of(file));
  return code;
}

[[gnu::cold]] inline int system_remove(int folder, const char* name) {
  constexpr ULONG options = FILE_NON_DIRECTORY_FILE | FILE_OPEN_REPARSE_POINT | FILE_DELETE_ON_CLOSE;
  const int file = native_open(folder, name, DELETE, FILE_OPEN, options, nullptr);
  if (file < 0) return file;
  ::CloseHandle(handle_of(file));
  return 0;
}

[[gnu::cold]] inline std::int64_t moved(BOOL done, DWORD bytes) noexcept {
  if (done != 0) return bytes;
  const DWORD code = ::GetLastError();
  return code == ERROR_HANDLE_EOF || code == ERROR_BROKEN_PIPE ? 0 : std::int64_t{negated_errno(code)};
}
[[gnu::cold]] inline DWORD at_most_1_gib(std::size_t bytes) noexcept {
  return static_cast<DWORD>((std::min)(bytes, std::size_t{1} << 30));
}

const file_functions& system_files() noexcept {
  static constexpr file_functions functions{
      .open = system_open,
      .make_folder = system_make_folder,
      .facts = system_facts,
      .read = [](int file, void* data, std::size_t bytes) -> std::int64_t {
        DWORD got = 0;
        const BOOL done = ::ReadFile(handle_of(file), data, at_most_1_gib(bytes), &got, nullptr);
        return moved(done, got);
      },
      .write = [](int file, const void* data, std::size_t bytes) -> std::int64_t {
        DWORD put = 0;
        const BOOL done = ::WriteFile(handle_of(file), data, at_most_1_gib(bytes), &put, nullptr);
        return moved(done, put);
      },
      .synchronize = [](int file) -> int { return ::FlushFileBuffers(handle_of(file)) != 0 ? 0 : negated_errno(); },
      .close = [](int file) -> int { return ::CloseHandle(handle_of(file)) != 0 ? 0 : negated_errno(); },
      .rename = system_rename,
      .remove = system_remove,
      .list = system_list,
      .touch = system_touch,
      .now = []() -> std::int64_t { return std::time(nullptr); },
      .random = []() -> std::uint64_t {
        std::random_device source;
        return std::uint64_t{source()} << 32 | source();
      },
      .user = []() -> std::uint32_t { return windows_user; },
  };
  return functions;
}

}  // namespace yoke::inline v0_1::detail

#endif

// SPDX-License-Identifier: MIT
// Who may write to a file or folder, on POSIX and on Windows.
#ifndef YOKE_TESTS_SUPPORT_RIGHTS_HPP
#define YOKE_TESTS_SUPPORT_RIGHTS_HPP

#include <support/catch.hpp>

#include <filesystem>
#include <string>

#if defined(_WIN32)
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#include <windows.h>

#include <sddl.h>
#endif

namespace yoke_test {

/// Who may do what, as a text for each system: mode bits, and an access control list of Windows.
struct rights {
  std::filesystem::perms mode;
  const wchar_t* list;
};
inline constexpr rights writable_by_all{std::filesystem::perms::all, L"D:P(A;;FA;;;WD)"};
inline constexpr rights readable_by_all{
    std::filesystem::perms::owner_all | std::filesystem::perms::group_read | std::filesystem::perms::others_read,
    L"D:P(A;;FR;;;WD)(A;;FA;;;OW)(A;;FA;;;SY)(A;;FA;;;BA)"};

inline void grant(const rights& wanted, const std::string& path) {
#if defined(_WIN32)
  PSECURITY_DESCRIPTOR described = nullptr;
  REQUIRE(::ConvertStringSecurityDescriptorToSecurityDescriptorW(wanted.list, SDDL_REVISION_1, &described, nullptr) !=
          0);
  CHECK(::SetFileSecurityW(std::filesystem::path(path).c_str(), DACL_SECURITY_INFORMATION, described) != 0);
  ::LocalFree(described);
#else
  std::filesystem::permissions(path, wanted.mode);
#endif
}

}  // namespace yoke_test

#endif

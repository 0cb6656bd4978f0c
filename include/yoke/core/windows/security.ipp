// SPDX-License-Identifier: MIT
// Numbers for the accounts of Windows, and the access rights of new files and folders.
#ifndef YOKE_CORE_WINDOWS_SECURITY_IPP
#define YOKE_CORE_WINDOWS_SECURITY_IPP

#include <yoke/core/config.hpp>
#include <yoke/core/windows/api.ipp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include <sddl.h>

namespace yoke::inline v0_1::detail {

/// A security identifier with its memory.
class account {
 public:
  [[gnu::cold]] static account of_token(TOKEN_INFORMATION_CLASS which) {
    account found;
    HANDLE token = nullptr;
    if (::OpenProcessToken(::GetCurrentProcess(), TOKEN_QUERY, &token) == 0) return found;
    DWORD bytes = 0;
    ::GetTokenInformation(token, which, nullptr, 0, &bytes);
    found.memory_ = std::make_unique<std::byte[]>(bytes + 1);
    const bool known = ::GetTokenInformation(token, which, found.memory_.get(), bytes, &bytes) != 0;
    ::CloseHandle(token);
    // Both classes begin with the pointer to the identifier.
    if (known) std::memcpy(&found.sid_, found.memory_.get(), sizeof found.sid_);
    return found;
  }
  [[nodiscard]] PSID sid() const noexcept { return sid_; }
  [[nodiscard]] bool is(PSID other) const noexcept { return sid_ != nullptr && ::EqualSid(sid_, other) != 0; }

 private:
  std::unique_ptr<std::byte[]> memory_;
  PSID sid_ = nullptr;
};

/// This process's user, and the owner of its new files, which for an elevated process is the administrators' group.
struct own_accounts {
  account user = account::of_token(TokenUser);
  account owner = account::of_token(TokenOwner);
  static const own_accounts& here() {
    static const own_accounts* const once = new own_accounts;
    return *once;
  }
};

inline constexpr std::uint32_t windows_user = 1000;
inline constexpr std::uint32_t windows_system = 0;

/// Whether the account is the system, its administrators, its installer, or the placeholder for a future file's owner.
[[gnu::cold]] inline bool is_system_account(PSID sid) noexcept {
  if (::IsWellKnownSid(sid, WinLocalSystemSid) != 0 || ::IsWellKnownSid(sid, WinBuiltinAdministratorsSid) != 0 ||
      ::IsWellKnownSid(sid, WinCreatorOwnerSid) != 0) {
    return true;
  }
  const SID_IDENTIFIER_AUTHORITY* const authority = ::GetSidIdentifierAuthority(sid);
  return *::GetSidSubAuthorityCount(sid) != 0 && authority->Value[5] == 5 &&
         *::GetSidSubAuthority(sid, 0) == SECURITY_SERVICE_ID_BASE_RID;  // NT SERVICE\TrustedInstaller
}
/// Returns: a number for an account: 1000 for this process's, 0 for the system's, else another one.
[[gnu::cold]] inline std::uint32_t account_number(PSID sid) {
  const own_accounts& own = own_accounts::here();
  if (own.user.is(sid) || own.owner.is(sid)) return windows_user;
  if (is_system_account(sid)) return windows_system;
  const UCHAR parts = *::GetSidSubAuthorityCount(sid);
  const std::uint32_t last = parts == 0 ? 0 : *::GetSidSubAuthority(sid, parts - 1U);
  return last == windows_user || last == windows_system ? last + 1 : last;
}

/// The security descriptor of a new file or folder: this process's user owns it, even if the process is elevated; that
/// user and the system have all rights, others none.
class private_security {
 public:
  private_security() {
    const own_accounts& own = own_accounts::here();
    wchar_t* user = nullptr;
    if (own.user.sid() == nullptr || ::ConvertSidToStringSidW(own.user.sid(), &user) == 0) return;
    const std::unique_ptr<void, decltype(&::LocalFree)> held(user, &::LocalFree);
    const std::wstring text =
        std::wstring(L"O:") + user + L"D:P(A;OICI;FA;;;" + user + L")(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)";
    ::ConvertStringSecurityDescriptorToSecurityDescriptorW(text.c_str(), SDDL_REVISION_1, &described_, nullptr);
  }
  private_security(const private_security&) = delete;
  private_security& operator=(const private_security&) = delete;
  ~private_security() { ::LocalFree(described_); }
  [[nodiscard]] PSECURITY_DESCRIPTOR get() const noexcept { return described_; }

 private:
  PSECURITY_DESCRIPTOR described_ = nullptr;
};

}  // namespace yoke::inline v0_1::detail

#endif

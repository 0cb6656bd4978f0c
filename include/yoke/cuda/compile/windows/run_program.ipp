// SPDX-License-Identifier: MIT
// Runs a program without a shell on Windows and collects its output.
#ifndef YOKE_CUDA_COMPILE_WINDOWS_RUN_PROGRAM_IPP
#define YOKE_CUDA_COMPILE_WINDOWS_RUN_PROGRAM_IPP

#include <yoke/core/text.hpp>
#include <yoke/core/windows/api.ipp>
#include <yoke/cuda/compile/run_program.hpp>

#include <algorithm>
#include <cstddef>
#include <cwchar>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace yoke::inline v0_1::cuda::detail {

/// The variables that name the folder of temporary files.
inline constexpr const char* folder_variables[] = {"TEMP", "TMP"};

/// Whether "NAME=value" sets the variable `name`, in capitals: Windows ignores case.
[[gnu::cold]] inline bool is_variable(std::string_view each, std::string_view name) noexcept {
  if (each.size() <= name.size() || each[name.size()] != '=') return false;
  return std::equal(name.begin(), name.end(), each.begin(), [](char wanted, char letter) {
    return wanted == (letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter);
  });
}

std::vector<std::string> process_variables() {
  std::vector<std::string> variables;
  wchar_t* const all = ::GetEnvironmentStringsW();
  for (const wchar_t* each = all; each != nullptr && *each != L'\0'; each += std::wcslen(each) + 1) {
    variables.push_back(yoke::detail::utf8_text(each));
  }
  ::FreeEnvironmentStringsW(all);
  return variables;
}

/// A handle for a scope.
class scoped_handle {
 public:
  scoped_handle() noexcept = default;
  explicit scoped_handle(HANDLE handle) noexcept : handle_(handle) {}
  scoped_handle(const scoped_handle&) = delete;
  scoped_handle& operator=(const scoped_handle&) = delete;
  ~scoped_handle() { close(); }
  void close() noexcept {
    if (handle_ != nullptr && handle_ != INVALID_HANDLE_VALUE) ::CloseHandle(handle_);
    handle_ = nullptr;
  }
  [[nodiscard]] HANDLE get() const noexcept { return handle_; }
  [[nodiscard]] HANDLE* place() noexcept { return &handle_; }

 private:
  HANDLE handle_ = nullptr;
};

/// Handles made with this are inherited by children.
[[gnu::cold]] inline SECURITY_ATTRIBUTES inheritable() noexcept {
  SECURITY_ATTRIBUTES attributes{};
  attributes.nLength = sizeof attributes;
  attributes.bInheritHandle = 1;
  return attributes;
}

/// A pipe whose write end a child inherits.
struct output_pipe {
  [[gnu::cold]] output_pipe() {
    SECURITY_ATTRIBUTES inherited = inheritable();
    made = ::CreatePipe(read_end.place(), write_end.place(), &inherited, 0) != 0 &&
           ::SetHandleInformation(read_end.get(), HANDLE_FLAG_INHERIT, 0) != 0;
  }
  /// Effects: reads until the last writer has closed its end. Returns: false if memory ran out.
  [[gnu::cold]] bool read_all(std::string& into) const noexcept {
    char buffer[4096];
    DWORD got = 0;
    bool whole = true;
    while (::ReadFile(read_end.get(), buffer, sizeof buffer, &got, nullptr) != 0 && got != 0) {
      try {
        into.append(buffer, got);
      } catch (const std::bad_alloc&) {  // the child must not block on a full pipe
        whole = false;
      }
    }
    return whole;
  }
  scoped_handle read_end{};
  scoped_handle write_end{};
  bool made = false;
};

/// Limits the handles that a child inherits to these: other threads may make inheritable handles meanwhile.
class inherited_handles {
 public:
  [[gnu::cold]] inherited_handles(HANDLE input, HANDLE output, HANDLE errors) : handles_{input, output, errors} {
    SIZE_T bytes = 0;
    ::InitializeProcThreadAttributeList(nullptr, 1, 0, &bytes);
    memory_ = std::make_unique<std::byte[]>(bytes);
    if (::InitializeProcThreadAttributeList(list(), 1, 0, &bytes) == 0) return;
    made_ = true;
    complete_ = ::UpdateProcThreadAttribute(list(), 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles_, sizeof handles_,
                                            nullptr, nullptr) != 0;
  }
  inherited_handles(const inherited_handles&) = delete;
  inherited_handles& operator=(const inherited_handles&) = delete;
  ~inherited_handles() {
    if (made_) ::DeleteProcThreadAttributeList(list());
  }
  [[nodiscard]] LPPROC_THREAD_ATTRIBUTE_LIST list() const noexcept {
    return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.get());
  }
  [[nodiscard]] bool complete() const noexcept { return complete_; }

 private:
  HANDLE handles_[3];
  std::unique_ptr<std::byte[]> memory_;
  bool made_ = false;
  bool complete_ = false;
};

/// Returns: a word quoted as Microsoft's C runtime parses command lines.
[[gnu::cold]] inline std::wstring quoted_word(const std::wstring& wide) {
  if (!wide.empty() && wide.find_first_of(L" \t\n\v\"") == std::wstring::npos) return wide;
  std::wstring quoted = L"\"";
  for (std::size_t i = 0;; ++i) {
    std::size_t slashes = 0;
    for (; i < wide.size() && wide[i] == L'\\'; ++i) ++slashes;
    if (i == wide.size()) {
      quoted.append(slashes * 2, L'\\');
      break;
    }
    if (wide[i] == L'"') slashes = slashes * 2 + 1;
    quoted.append(slashes, L'\\');
    quoted += wide[i];
  }
  return quoted + L"\"";
}

program_result run_program(std::vector<std::string> words, std::vector<std::string> environment) {
  program_result result;
  const auto refused = [&](const std::string& why) {
    result.failure = "cannot be run: " + why;
    return result;
  };
  const auto failed = [&](DWORD code) { return refused(yoke::detail::windows_error_text(code)); };
  std::wstring line;
  std::wstring program;
  for (const std::string& each : words) {
    std::wstring wide;
    if (!yoke::detail::to_wide_text(each, wide)) return refused("a word of its command is no UTF-8");
    line += (line.empty() ? L"" : L" ") + quoted_word(wide);
    if (&each != &words.front()) continue;
    program = std::move(wide);
    std::replace(program.begin(), program.end(), L'/', L'\\');
  }
  // The system requires them sorted, without regard to case.
  std::vector<std::wstring> variables(environment.size());
  for (std::size_t i = 0; i < environment.size(); ++i) {
    if (!yoke::detail::to_wide_text(environment[i], variables[i])) return refused("a variable is no UTF-8");
  }
  std::sort(variables.begin(), variables.end(), [](const std::wstring& left, const std::wstring& right) {
    return ::CompareStringOrdinal(left.c_str(), -1, right.c_str(), -1, 1) == CSTR_LESS_THAN;
  });
  std::wstring block;
  for (const std::wstring& each : variables) block += each + L'\0';
  block += L'\0';

  output_pipe output;
  output_pipe errors;
  SECURITY_ATTRIBUTES inherited = inheritable();
  const scoped_handle nothing(
      ::CreateFileW(L"NUL", GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited, OPEN_EXISTING, 0, nullptr));
  if (!output.made || !errors.made || nothing.get() == INVALID_HANDLE_VALUE) return failed(::GetLastError());
  const inherited_handles handles(nothing.get(), output.write_end.get(), errors.write_end.get());
  if (!handles.complete()) return failed(::GetLastError());
  STARTUPINFOEXW start{};
  start.StartupInfo.cb = sizeof start;
  start.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  start.StartupInfo.hStdInput = nothing.get();
  start.StartupInfo.hStdOutput = output.write_end.get();
  start.StartupInfo.hStdError = errors.write_end.get();
  start.lpAttributeList = handles.list();
  // Starts before the child, so that its output always has a reader.
  bool whole = true;
  std::thread reader;
  try {
    reader = std::thread([&] { whole = errors.read_all(result.standard_error); });
  } catch (const std::system_error&) {
    return refused("no thread can be started that reads what it writes");
  }
  PROCESS_INFORMATION child{};
  constexpr DWORD flags = CREATE_UNICODE_ENVIRONMENT | CREATE_NO_WINDOW | EXTENDED_STARTUPINFO_PRESENT;
  const bool started = ::CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, 1, flags, block.data(), nullptr,
                                        &start.StartupInfo, &child) != 0;
  const DWORD code = started ? ERROR_SUCCESS : ::GetLastError();
  const scoped_handle thread(child.hThread);
  const scoped_handle process(child.hProcess);
  output.write_end.close();
  errors.write_end.close();
  const bool all_output = output.read_all(result.standard_output);
  reader.join();
  if (!started) return failed(code);
  DWORD status = 0;
  ::WaitForSingleObject(process.get(), INFINITE);
  if (!whole || !all_output) throw std::bad_alloc();
  if (::GetExitCodeProcess(process.get(), &status) == 0) {
    result.failure = "ended with a status that is not known: " + yoke::detail::windows_error_text(::GetLastError());
  } else if (status != 0) {
    result.failure = yoke::detail::text("ended with status ", std::uint64_t{status});
  }
  return result;
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif

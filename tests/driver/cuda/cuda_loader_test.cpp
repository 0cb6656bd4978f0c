// SPDX-License-Identifier: MIT
// How CUDA's driver and NVRTC are found, and every reason there is for not finding them, against libraries of our own.
#include <support/catch.hpp>
#include <support/drivers/cuda_entries.hpp>
#include <support/process/child.hpp>
#include <support/process/in_child.hpp>
#include <support/process/temporary_folder.hpp>

#include <yoke/driver/cuda/compiler/nvrtc.hpp>
#include <yoke/driver/cuda/error.hpp>
#include <yoke/driver/opencl/loader.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <unistd.h>

using namespace yoke_test;
namespace cu = yoke::cuda;
namespace fs = std::filesystem;

namespace {

using variables = std::vector<std::pair<std::string, std::string>>;

constexpr const char* fake_driver = YOKE_TEST_FAKE_CUDA_DRIVER;  // and NVRTC
constexpr const char* old_driver = YOKE_TEST_FAKE_CUDA_OLD_DRIVER;
constexpr const char* nvrtc_alone = YOKE_TEST_FAKE_NVRTC;
constexpr const char* broken_nvrtc = YOKE_TEST_FAKE_BROKEN_NVRTC;  // lacks nvrtcGetProgramLog

/// A folder for libraries.
class scratch : temporary_folder {
 public:
  /// Effects: puts a library there under another name.
  std::string put(const std::string& library, const std::string& name) const {
    const fs::path target = temporary_folder::path() / name;
    fs::create_directories(target.parent_path());
    fs::copy_file(library, target);
    return fs::canonical(target).string();
  }
  std::string operator/(const std::string& name) const { return (temporary_folder::path() / name).string(); }
  std::string path() const { return temporary_folder::path().string(); }
};

/// Returns: the simulator's file name with the library's major and minor version.
std::string versioned_simulator() {
  std::string name = "libyoke_cuda_simulator.so." YOKE_VERSION_STRING;
  name.erase(name.rfind('.'));
  return name;
}

std::string this_test() { return Catch::getResultCapture().getCurrentTestName(); }

/// Effects: in the child prints what the library says; in the parent runs that child.
/// Returns: what it said, or nothing in the child.
std::string said(variables with, bool of_nvrtc = false) {
  with.emplace_back("YOKE_TEST_OF_NVRTC", of_nvrtc ? "1" : "");
  const child_result child = run_child(this_test(), std::move(with));
  INFO(child.output);
  CHECK(child.status == 0);
  const std::size_t begin = child.output.find("SAID<");
  const std::size_t end = child.output.rfind(">SAID");
  REQUIRE(begin != std::string::npos);
  REQUIRE(end != std::string::npos);
  return child.output.substr(begin + 5, end - begin - 5);
}

/// What a child does: asks, and holds the answer against the other ways to ask.
void say() {
  const char* const of_nvrtc = std::getenv("YOKE_TEST_OF_NVRTC");
  std::string text;
  if (of_nvrtc != nullptr && *of_nvrtc != '\0') {
    if (const char* first = std::getenv("YOKE_TEST_DRIVER_FIRST")) CHECK(cu::available().available == (*first == '1'));
    const yoke::availability now = cu::nvrtc_available();
    CHECK(now.reason.empty() == now.available);
    text = now.reason;
    if (now) {
      const cu::detail::loaded_nvrtc* const nvrtc = &cu::detail::default_nvrtc({});
      std::string ignored;
      CHECK(cu::detail::find_nvrtc(ignored) == nvrtc);
      text = "NVRTC " + cu::detail::version_text(nvrtc->version) + " in " + nvrtc->name;
      CHECK(nvrtc->table.get_program_log != nullptr);
    } else {
      CHECK_THROWS_AS(cu::detail::default_nvrtc({}), yoke::unsupported_error);
      CHECK_THROWS_WITH(cu::detail::default_nvrtc({}), StartsWith(now.reason));
    }
  } else {
    const yoke::availability now = cu::available();
    CHECK(now.reason.empty() == now.available);
    CHECK(cu::available().reason == now.reason);  // asked again
    text = now ? "available" : now.reason;
    std::string reason;
    if (const cu::abi::functions* table = cu::detail::find_functions(reason)) {
      CHECK(cu::detail::default_functions({}) == table);
    } else {
      CHECK(reason == now.reason);
      CHECK_THROWS_AS(cu::detail::default_functions({}), yoke::unsupported_error);
      CHECK_THROWS_WITH(cu::detail::default_functions({}), StartsWith(now.reason));
    }
  }
  std::printf("SAID<%s>SAID\n", text.c_str());
}

/// Where no NVRTC of this machine is found by the dynamic loader, unless it is in the system's own folders.
variables nowhere(const scratch& home) {
  return {{"LD_LIBRARY_PATH", "/nonexistent"},
          {"CUDA_HOME", home.path()},
          {"CUDA_PATH", ""},
          {"CONDA_PREFIX", ""},
          {"VIRTUAL_ENV", ""},
          {"YOKE_CUDA_DRIVER", ""}};
}

variables operator+(variables left, const variables& right) {
  for (const auto& each : right) {
    std::erase_if(left, [&](const auto& old) { return old.first == each.first; });
    left.push_back(each);
  }
  return left;
}

}  // namespace

TEST_CASE("CUDA is available, or says what was looked for", "[driver][cuda]") {
  const yoke::availability now = cu::available();
  CHECK(now.reason.empty() == now.available);
  if (!now) CHECK_THAT(now.reason, ContainsSubstring("CUDA"));
}

TEST_CASE("a loaded CUDA driver has every entry of its version", "[driver][cuda]") {
  if (const yoke::availability now = cu::available(); !now) YOKE_SKIP("no device: " + now.reason);
  const cu::detail::loaded_driver& driver = *cu::detail::driver_if_loaded();
#define YOKE_TEST_ENTRY(own, symbol, abi_version, ...)                                                                 \
  INFO(symbol);                                                                                                        \
  CHECK((driver.table.own != nullptr) == (driver.version >= (abi_version)));
  YOKE_CUDA_FUNCTIONS(YOKE_TEST_ENTRY)
#undef YOKE_TEST_ENTRY
  int version = 0;
  CHECK(driver.table.driver_get_version(&version) == cu::abi::success);
  CHECK(version == driver.version);
  // The library's names of codes are the driver's.
  for (const int code : {0, 1, 2, 100, 201, 400, 500, 600, 700, 719, 801, 999}) {
    const char* name = nullptr;
    CHECK(driver.table.get_error_name(code, &name) == cu::abi::success);
    CHECK(std::string(name) == cu::error_name(code));
  }
}

TEST_CASE("a loaded NVRTC compiles", "[driver][cuda]") {
  std::string reason;
  const cu::detail::loaded_nvrtc* nvrtc = cu::detail::find_nvrtc(reason);
  if (nvrtc == nullptr) YOKE_SKIP(reason);
  const cu::abi::nvrtc_functions& call = nvrtc->table;
  int count = 0;
  CHECK(call.get_num_supported_archs(&count) == cu::abi::nvrtc_success);
  CHECK(count > 0);
  cu::abi::nvrtc_program program = nullptr;
  REQUIRE(call.create_program(&program, "template <class T> __global__ void twice(T* p) { *p *= 2; }", "twice.cu", 0,
                              nullptr, nullptr) == cu::abi::nvrtc_success);
  CHECK(call.add_name_expression(program, "twice<float>") == cu::abi::nvrtc_success);
  const char* options[] = {"-std=c++17"};
  CHECK(call.compile_program(program, 1, options) == cu::abi::nvrtc_success);
  const char* name = nullptr;
  CHECK(call.get_lowered_name(program, "twice<float>", &name) == cu::abi::nvrtc_success);
  CHECK(name != nullptr);
  CHECK(call.destroy_program(&program) == cu::abi::nvrtc_success);
  CHECK(call.get_error_string(cu::abi::nvrtc_error_compilation) == std::string(cu::nvrtc_error_name(6)));
}

TEST_CASE("a driver of CUDA 12.0 with one device is available", "[driver][cuda][fake]") {
  if (is_child(this_test())) return say();
  CHECK(said({{"YOKE_CUDA_DRIVER", fake_driver}}) == "available");
  CHECK(said({{"YOKE_CUDA_DRIVER", fake_driver}, {"FAKE_CUDA_VERSION", "13000"}}) == "available");
  CHECK(said({{"YOKE_CUDA_DRIVER", fake_driver}, {"FAKE_CUDA_VERSION", "14020"}}) == "available");
}

TEST_CASE("a driver with the older cuGetProcAddress alone is available", "[driver][cuda][fake]") {
  if (is_child(this_test())) return say();
  CHECK(said({{"YOKE_CUDA_DRIVER", old_driver}}) == "available");
  CHECK(said({{"YOKE_CUDA_DRIVER", old_driver}, {"FAKE_CUDA_MISSING", "cuMemAlloc"}}) ==
        std::string("the CUDA driver ") + old_driver +
            " (CUDA 12.0) lacks cuMemAlloc of ABI version 3020: no such symbol");
}

TEST_CASE("a driver that is not there is named with the reason", "[driver][cuda][fake]") {
  if (is_child(this_test())) return say();
  const std::string text = said({{"YOKE_CUDA_DRIVER", "/nonexistent/libcuda.so.1"}});
  CHECK_THAT(text, StartsWith("no CUDA driver: YOKE_CUDA_DRIVER names /nonexistent/libcuda.so.1 ("));
  CHECK_THAT(text, ContainsSubstring("cannot open shared object file"));
}

TEST_CASE("without a choice libcuda.so.1 is looked for", "[driver][cuda][fake]") {
  if (is_child(this_test())) return say();
  const scratch folder;
  folder.put(fake_driver, "libcuda.so.1");
  CHECK(said({{"YOKE_CUDA_DRIVER", ""}, {"LD_LIBRARY_PATH", folder.path()}, {"FAKE_CUDA_VERSION", "12090"}}) ==
        "available");
  const std::string old =
      said({{"YOKE_CUDA_DRIVER", ""}, {"LD_LIBRARY_PATH", folder.path()}, {"FAKE_CUDA_VERSION", "11080"}});
  CHECK(old == "the CUDA driver libcuda.so.1 is too old: it serves CUDA 11.8, needed is CUDA 12.0 or newer");
}

TEST_CASE("a machine without libcuda.so.1 says so", "[driver][cuda][fake]") {
  if (is_child(this_test())) return say();
  const scratch folder;
  // A file that is no library hides the machine's own driver.
  std::fclose(std::fopen((folder / "libcuda.so.1").c_str(), "w"));
  const std::string text = said({{"YOKE_CUDA_DRIVER", ""}, {"LD_LIBRARY_PATH", folder.path()}});
  CHECK_THAT(text, StartsWith("no CUDA driver: looked for libcuda.so.1 ("));
  CHECK_THAT(text, ContainsSubstring("file too short"));
}

TEST_CASE("a library that is no driver is refused by what it lacks", "[driver][cuda][fake]") {
  if (is_child(this_test())) return say();
  CHECK(said({{"YOKE_CUDA_DRIVER", nvrtc_alone}}) ==
        std::string(nvrtc_alone) + " is no CUDA driver: it has no cuDriverGetVersion");
}

TEST_CASE("a driver that is too old is refused with both versions", "[driver][cuda][fake]") {
  if (is_child(this_test())) return say();
  CHECK(said({{"YOKE_CUDA_DRIVER", fake_driver}, {"FAKE_CUDA_VERSION", "11080"}}) ==
        std::string("the CUDA driver ") + fake_driver +
            " is too old: it serves CUDA 11.8, needed is CUDA 12.0 or newer");
}

TEST_CASE("a toolkit's stub is recognised", "[driver][cuda][fake]") {
  if (is_child(this_test())) return say();
  CHECK(said({{"YOKE_CUDA_DRIVER", fake_driver}, {"FAKE_CUDA_VERSION_STATUS", "34"}}) ==
        std::string("the CUDA driver ") + fake_driver +
            " cannot be used: cuDriverGetVersion gives CUDA_ERROR_STUB_LIBRARY (34), the library loaded is the "
            "toolkit's stub, not a driver");
}

TEST_CASE("a driver that lacks a required symbol is refused with the symbol", "[driver][cuda][fake]") {
  if (is_child(this_test())) return say();
  CHECK(said({{"YOKE_CUDA_DRIVER", fake_driver},
              {"FAKE_CUDA_VERSION", "12020"},
              {"FAKE_CUDA_MISSING", "cuLibraryLoadData"}}) ==
        std::string("the CUDA driver ") + fake_driver +
            " (CUDA 12.2) lacks cuLibraryLoadData of ABI version 12000: no such symbol");
}

TEST_CASE("a symbol newer than CUDA 12.0 may be missing", "[driver][cuda][fake]") {
  const std::string name = this_test();
  if (!is_child(name)) {
    for (const auto& [version, expected] : {std::pair{"12000", "none"}, {"12030", "some"}, {"13000", "all"}}) {
      const child_result child =
          run_child(name, {{"YOKE_CUDA_DRIVER", fake_driver}, {"FAKE_CUDA_VERSION", version}, {"EXPECTED", expected}});
      INFO(child.output);
      CHECK(child.status == 0);
    }
    return;
  }
  const cu::abi::functions* table = cu::detail::default_functions({});
  const std::string expected = std::getenv("EXPECTED");
  CHECK((table->kernel_get_name != nullptr) == (expected != "none"));
  CHECK((table->kernel_get_param_info != nullptr) == (expected == "all"));
  CHECK((table->kernel_get_library != nullptr) == (expected == "all"));
  CHECK_FALSE(table->notes->guards_memory.load());  // it is not the simulator
  const int version = cu::detail::driver_if_loaded()->version;
#define YOKE_TEST_REQUIRED(name, symbol, abi_version, ...)                                                             \
  CHECK((table->name != nullptr) == (version >= (abi_version)));
  YOKE_CUDA_FUNCTIONS(YOKE_TEST_REQUIRED)
#undef YOKE_TEST_REQUIRED
}

TEST_CASE("a driver without devices says why there may be none", "[driver][cuda][fake]") {
  if (is_child(this_test())) return say();
  const variables none{{"YOKE_CUDA_DRIVER", fake_driver}, {"FAKE_CUDA_INIT", "100"}};
  const std::string plain = std::string("the CUDA driver ") + fake_driver +
                            " cannot be used: cuInit gives CUDA_ERROR_NO_DEVICE (100), there is no CUDA device";
  CHECK(said(none + variables{{"CUDA_VISIBLE_DEVICES", ""}}) ==
        plain + "; CUDA_VISIBLE_DEVICES is \"\" and hides every device");
  CHECK(said(none + variables{{"CUDA_VISIBLE_DEVICES", "7"}}) ==
        plain + "; CUDA_VISIBLE_DEVICES is \"7\" and may hide devices");
  CHECK_THAT(said({{"YOKE_CUDA_DRIVER", fake_driver}, {"FAKE_CUDA_DEVICES", "0"}, {"CUDA_VISIBLE_DEVICES", "7"}}),
             Equals(std::string("the CUDA driver ") + fake_driver +
                    " lists no device; CUDA_VISIBLE_DEVICES is \"7\" and may hide devices"));
  CHECK_THAT(said({{"YOKE_CUDA_DRIVER", fake_driver}, {"FAKE_CUDA_COUNT_STATUS", "999"}}),
             EndsWith("cuDeviceGetCount gives CUDA_ERROR_UNKNOWN (999), an unknown error inside the driver"));
}

TEST_CASE("a driver that cannot be initialised says why", "[driver][cuda][fake]") {
  if (is_child(this_test())) return say();
  const auto with = [](const char* code) {
    return said({{"YOKE_CUDA_DRIVER", fake_driver}, {"FAKE_CUDA_INIT", code}});
  };
  const std::string start = std::string("the CUDA driver ") + fake_driver + " cannot be used: cuInit gives ";
  CHECK(with("800") == start + "CUDA_ERROR_NOT_PERMITTED (800), the operation is not permitted");
  CHECK(with("803") == start +
                           "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803), the display driver and the CUDA driver "
                           "library have different versions");
  CHECK(with("304") == start + "CUDA_ERROR_OPERATING_SYSTEM (304), a call of the operating system failed");
  CHECK(with("4242") == start + "CUDA_ERROR_? (4242), ");
}

TEST_CASE("the machine's own driver without devices makes the loader look at the device files",
          "[driver][cuda][fake]") {
  if (is_child(this_test())) return say();
  const scratch folder;
  folder.put(fake_driver, "libcuda.so.1");
  const std::string text = said({{"YOKE_CUDA_DRIVER", ""},
                                 {"LD_LIBRARY_PATH", folder.path()},
                                 {"FAKE_CUDA_INIT", "100"},
                                 {"CUDA_VISIBLE_DEVICES", "0"}});
  CHECK_THAT(text, StartsWith("the CUDA driver libcuda.so.1 cannot be used: cuInit gives CUDA_ERROR_NO_DEVICE (100)"));
  if (!fs::exists("/dev/nvidiactl") && !fs::exists("/dev/dxg")) {
    CHECK_THAT(text, EndsWith("; there is no /dev/nvidiactl: the kernel driver is not loaded, or a container was "
                              "started without GPUs"));
  }
}

TEST_CASE("the error for a missing driver carries the driver's own code", "[driver][cuda][fake]") {
  if (!in_child({{"YOKE_CUDA_DRIVER", fake_driver}, {"FAKE_CUDA_INIT", "100"}, {"CUDA_VISIBLE_DEVICES", ""}})) return;
  try {
    (void)cu::detail::default_functions(yoke::source_location::current());
    FAIL("a table without a device");
  } catch (const yoke::unsupported_error& e) {
    CHECK(e.code() == std::error_code(100, cu::error_category()));
    CHECK(e.code() == yoke::errc::no_device);
    CHECK(e.call() == std::string("cuInit"));
    CHECK_THAT(e.where().file_name(), EndsWith("cuda_loader_test.cpp"));
  }
}

TEST_CASE("many threads that load the driver at once get one table", "[driver][cuda][fake]") {
  if (!in_child({{"YOKE_CUDA_DRIVER", fake_driver}})) return;
  std::vector<const cu::abi::functions*> tables(8);
  std::vector<const cu::detail::loaded_nvrtc*> compilers(8);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    threads.emplace_back([&, i] {
      std::string reason;
      tables[i] = cu::detail::find_functions(reason);
      compilers[i] = cu::detail::find_nvrtc(reason);
    });
  }
  for (std::thread& each : threads) each.join();
  for (std::size_t i = 0; i < tables.size(); ++i) {
    CHECK(tables[i] == tables[0]);
    CHECK(compilers[i] == compilers[0]);
  }
  CHECK(tables[0] != nullptr);
  REQUIRE(compilers[0] != nullptr);
  CHECK(compilers[0]->table.get_ltoir == nullptr);  // optional, and not there
}

TEST_CASE("the simulator is found by its versioned name, then by its plain one", "[driver][cuda][fake]") {
  if (is_child(this_test())) return say();
  const scratch folder;
  const std::string versioned = versioned_simulator();
  const variables simulator{
      {"YOKE_CUDA_DRIVER", "simulator"}, {"LD_LIBRARY_PATH", folder.path()}, {"FAKE_CUDA_VERSION", "11000"}};
  folder.put(fake_driver, "libyoke_cuda_simulator.so");
  CHECK_THAT(said(simulator), StartsWith("the CUDA driver libyoke_cuda_simulator.so is too old"));
  folder.put(fake_driver, versioned);
  CHECK_THAT(said(simulator), StartsWith("the CUDA driver " + versioned + " is too old"));
  CHECK(said(simulator + variables{{"FAKE_CUDA_VERSION", "13000"}}) == "available");
}

TEST_CASE("a simulator that is not there is named with the places", "[driver][cuda][fake]") {
  if (is_child(this_test())) return say();
  const scratch folder;
  // Files that are no libraries hide one that is installed.
  const std::string versioned = versioned_simulator();
  for (const std::string& name : {versioned, std::string("libyoke_cuda_simulator.so")}) {
    std::fclose(std::fopen((folder / name).c_str(), "w"));
  }
  const std::string text = said({{"YOKE_CUDA_DRIVER", "simulator"}, {"LD_LIBRARY_PATH", folder.path()}});
  if (text == "available") return;  // it stands beside the program
  CHECK_THAT(text, StartsWith("no CUDA simulator: YOKE_CUDA_DRIVER is \"simulator\", looked for " + versioned +
                              " and libyoke_cuda_simulator.so by the dynamic loader and in "));
  CHECK_THAT(text, ContainsSubstring("file too short"));
}

TEST_CASE("a named library that brings an NVRTC is asked for no other", "[driver][cuda][fake]") {
  if (is_child(this_test())) return say();
  CHECK(said({{"YOKE_CUDA_DRIVER", fake_driver}, {"FAKE_NVRTC_VERSION", "12060"}}, true) ==
        std::string("NVRTC 12.6 in ") + fake_driver);
  CHECK(said({{"YOKE_CUDA_DRIVER", fake_driver}, {"FAKE_NVRTC_VERSION", "11020"}}, true) ==
        std::string("no NVRTC: ") + fake_driver + " brings one, but it is NVRTC 11.2, needed is 12.0 or newer");
  CHECK_THAT(said({{"YOKE_CUDA_DRIVER", "/nonexistent/x.so"}}, true),
             StartsWith("no NVRTC: no CUDA driver: YOKE_CUDA_DRIVER names /nonexistent/x.so ("));
}

TEST_CASE("a simulator without NVRTC gets no other", "[driver][cuda][fake]") {
  if (is_child(this_test())) return say();
  const scratch folder;
  const std::string versioned = versioned_simulator();
  folder.put(old_driver, versioned);
  CHECK(said({{"YOKE_CUDA_DRIVER", "simulator"}, {"LD_LIBRARY_PATH", folder.path()}}, true) ==
        "no NVRTC: the simulator " + versioned + " lacks nvrtcVersion");
}

TEST_CASE("the newest NVRTC of a toolkit's folder is taken", "[driver][cuda][fake]") {
  if (is_child(this_test())) return say();
  const scratch home;
  // Numbers that no machine has, so that an installed NVRTC does not win.
  home.put(nvrtc_alone, "lib64/libnvrtc.so.97.2.1");
  const std::string newest = home.put(nvrtc_alone, "lib64/libnvrtc.so.98.10.3");
  home.put(nvrtc_alone, "lib/libnvrtc.so.98.9.77");
  home.put(nvrtc_alone, "lib64/libnvrtc-builtins.so.99.0");
  home.put(nvrtc_alone, "lib64/libnvrtc.alt.so.99");
  fs::create_symlink("libnvrtc.so.98.10.3", home / "lib64/libnvrtc.so.98");
  CHECK(said(nowhere(home) + variables{{"FAKE_NVRTC_VERSION", "98100"}}, true) == "NVRTC 98.10 in " + newest);
}

TEST_CASE("an NVRTC that cannot be used gives way to the next", "[driver][cuda][fake]") {
  if (is_child(this_test())) return say();
  const scratch home;
  home.put(broken_nvrtc, "lib64/libnvrtc.so.99.1");
  std::fclose(std::fopen((home / "lib64/libnvrtc.so.99.0").c_str(), "w"));
  const std::string good = home.put(nvrtc_alone, "targets/x86_64-linux/lib/libnvrtc.so.98");
  CHECK(said(nowhere(home), true) == "NVRTC 12.0 in " + good);
}

TEST_CASE("an NVRTC newer than the driver comes last", "[driver][cuda][fake]") {
  if (is_child(this_test())) return say();
  const scratch home;
  const scratch driver;
  driver.put(old_driver, "libcuda.so.1");
  const std::string newer = home.put(nvrtc_alone, "lib64/libnvrtc.so.99.0");
  const std::string fits = home.put(nvrtc_alone, "lib64/libnvrtc.so.98.0");
  const variables with = nowhere(home) + variables{{"LD_LIBRARY_PATH", driver.path()}};
  CHECK(said(with, true) == "NVRTC 12.0 in " + newer);  // no driver was loaded
  const variables loaded = with + variables{{"YOKE_TEST_DRIVER_FIRST", "1"}, {"FAKE_CUDA_VERSION", "98000"}};
  CHECK(said(loaded, true) == "NVRTC 12.0 in " + fits);
}

TEST_CASE("the dynamic loader's NVRTC of a major version comes before the folders'", "[driver][cuda][fake]") {
  if (is_child(this_test())) return say();
  const scratch home;
  const scratch path;
  home.put(nvrtc_alone, "lib64/libnvrtc.so.99.7");
  path.put(nvrtc_alone, "libnvrtc.so.99");
  CHECK(said(nowhere(home) + variables{{"LD_LIBRARY_PATH", path.path()}}, true) == "NVRTC 12.0 in libnvrtc.so.99");
}

TEST_CASE("pip's and conda's folders are looked into", "[driver][cuda][fake]") {
  if (is_child(this_test())) return say();
  const scratch home;
  const std::string pip = home.put(nvrtc_alone, "lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.98");
  const std::string newer_pip = home.put(nvrtc_alone, "lib/python3.11/site-packages/nvidia/cu13/lib/libnvrtc.so.99");
  const std::string conda = home.put(nvrtc_alone, "lib/libnvrtc.so.97.1");
  const variables base = nowhere(home) + variables{{"CUDA_HOME", ""}};
  CHECK(said(base + variables{{"VIRTUAL_ENV", home.path()}}, true) == "NVRTC 12.0 in " + newer_pip);
  fs::remove(newer_pip);
  CHECK(said(base + variables{{"VIRTUAL_ENV", home.path()}}, true) == "NVRTC 12.0 in " + pip);
  CHECK(said(base + variables{{"CONDA_PREFIX", home.path()}}, true) == "NVRTC 12.0 in " + conda);
}

TEST_CASE("what stands in the current folder is not loaded", "[driver][cuda][fake]") {
  const std::string name = this_test();
  if (is_child(name)) {
    const std::string here = std::getenv("YOKE_TEST_HERE");
    REQUIRE(::chdir(here.c_str()) == 0);
    (void)cu::available();
    (void)cu::nvrtc_available();
    (void)yoke::opencl::available();
    std::ifstream maps("/proc/self/maps");
    const std::string mapped{std::istreambuf_iterator<char>(maps), {}};
    CHECK_THAT(mapped, ContainsSubstring("/libc.so"));
    CHECK_THAT(mapped, !ContainsSubstring(here));
    return;
  }
  const scratch here;
  for (const char* file : {"libcuda.so.1", "libOpenCL.so.1", "libnvrtc.so.12", "libnvrtc.so.13", "lib/libnvrtc.so.99",
                           "lib64/libnvrtc.so.99", "libyoke_cuda_simulator.so"}) {
    here.put(fake_driver, file);
  }
  for (const char* driver : {"", "simulator"}) {
    for (const char* root : {"", ".", "./", "lib/.."}) {
      const child_result child = run_child(name, {{"YOKE_TEST_HERE", fs::canonical(here.path()).string()},
                                                  {"YOKE_CUDA_DRIVER", driver},
                                                  {"CUDA_HOME", root},
                                                  {"CUDA_PATH", root},
                                                  {"CONDA_PREFIX", root},
                                                  {"VIRTUAL_ENV", root},
                                                  {"LD_LIBRARY_PATH", "/nonexistent"}});
      INFO("CUDA_HOME=" << root << ": " << child.output);
      CHECK(child.status == 0);
    }
  }
}

TEST_CASE("without NVRTC everything that was looked for is named", "[driver][cuda][fake]") {
  const std::string name = this_test();
  if (is_child(name)) return say();
  const scratch home;
  const scratch hiding;
  // Unusable ones of every version hide the machine's own from the dynamic loader; those in its folders stay.
  for (const char* file : {"libnvrtc.so.12", "libnvrtc.so.13"}) hiding.put(broken_nvrtc, file);
  const std::string broken = home.put(broken_nvrtc, "lib64/libnvrtc.so.99.1");
  const std::string ancient = home.put(nvrtc_alone, "lib64/libnvrtc.so.11.2");
  const std::string text = said(nowhere(home) + variables{{"LD_LIBRARY_PATH", hiding.path()}}, true);
  if (text.starts_with("NVRTC ")) return;  // this machine has one
  CHECK_THAT(text, StartsWith("no NVRTC: looked for libnvrtc.so.99, libnvrtc.so.13, libnvrtc.so.12 by the dynamic "
                              "loader, and for libnvrtc.so.* in " +
                              home.path() + "/lib64, " + home.path() + "/lib, "));
  CHECK_THAT(text, ContainsSubstring("/usr/local/cuda*/lib64"));
  CHECK_THAT(text, ContainsSubstring("; " + broken + ": it lacks nvrtcGetProgramLog"));
  CHECK_THAT(text, ContainsSubstring("; libnvrtc.so.12: it lacks nvrtcGetProgramLog"));
  CHECK_THAT(text, EndsWith("; " + ancient + ": it is too old"));
}

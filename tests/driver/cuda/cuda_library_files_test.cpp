// SPDX-License-Identifier: MIT
// How CUDA's libraries are found, with all that they need, against files of our own.
#include <support/catch.hpp>
#include <support/process/temporary_folder.hpp>

#include <yoke/core/system.hpp>
#include <yoke/driver/cuda/libraries/context_library.hpp>
#include <yoke/driver/cuda/libraries/library_files.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>

using namespace yoke_test;
namespace cu = yoke::cuda::detail;
namespace fs = std::filesystem;

namespace {

constexpr cu::library_sibling siblings[]{{"yokelt", "libyokelt.so.", 1, 99},
                                         {"yokesparse", "libyokesparse.so.", 1, 11}};
constexpr cu::library_kind kind{"yokemath", "yokemath", "libyokemath.so.", 1, siblings};

struct scratch : temporary_folder {
  std::string put(const std::string& name, const char* file = YOKE_TEST_FAKE_NVRTC) const {
    const fs::path target = temporary_folder::path() / name;
    fs::create_directories(target.parent_path());
    fs::copy_file(file, target);
    return fs::canonical(target).string();
  }
  std::string operator/(const std::string& name) const {
    return (fs::canonical(temporary_folder::path()) / name).string();
  }
};
bool take(void*, std::string&, void*) { return true; }
/// Refuses a library of which it saw `*to` others before.
bool refuse(void*, std::string& why, void* to) {
  if ((*static_cast<int*>(to))-- <= 0) return true;
  why = "it lacks everything";
  return false;
}
bool is_open(const std::string& path) {
  void* const open = yoke::detail::open_library_again(path);
  if (open != nullptr) yoke::detail::close_library(open);
  return open != nullptr;
}
struct variable {
  variable(const char* name, const std::string& value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    ::setenv(name, value.c_str(), 1);
  }
  ~variable() {
    if (before_.empty()) {
      ::unsetenv(name_);
    } else {
      ::setenv(name_, before_.c_str(), 1);
    }
  }
  variable(const variable&) = delete;
  variable& operator=(const variable&) = delete;

 private:
  const char* name_;
  std::string before_;
};

}  // namespace

TEST_CASE("a library of CUDA comes from the newest toolkit, and what it needs from its folder", "[driver][cuda]") {
  const scratch home;
  const std::string older = home.put("old/libyokemath.so.11");
  const std::string newer = home.put("new/libyokemath.so.12");
  const std::string sibling = home.put("new/libyokelt.so.12");
  const std::string same_version = home.put("new/libyokesparse.so.11");
  const std::string wrong = home.put("old/libyokelt.so.12");
  const int majors[]{13, 12};
  std::string reason;
  const cu::library_places places{.first = {}, .others = {home / "old", home / "new"}};
  const cu::opened_library found = cu::open_library_of(kind, majors, places, &take, nullptr, reason);
  REQUIRE(found.library != nullptr);
  CHECK(found.path == newer);
  CHECK(reason.empty());
  CHECK(is_open(sibling));
  CHECK(is_open(same_version));
  CHECK_FALSE(is_open(wrong));
  CHECK_FALSE(is_open(older));
}

TEST_CASE("folders before the dynamic loader come first, and a refused library is named", "[driver][cuda]") {
  const scratch home;
  const std::string first = home.put("first/libyokemath.so.11");
  const std::string other = home.put("pip/nvidia/yokemath/lib/libyokemath.so.11");
  const int majors[]{12};
  std::string reason;
  const cu::library_places places{.first = {home / "none", home / "first"}, .others = {home / "pip/nvidia/*/lib"}};
  int refused = 1;
  const cu::opened_library found = cu::open_library_of(kind, majors, places, &refuse, &refused, reason);
  REQUIRE(found.library != nullptr);
  CHECK(found.path == other);
  refused = 9;
  const cu::opened_library none = cu::open_library_of(kind, majors, places, &refuse, &refused, reason);
  CHECK(none.library == nullptr);
  CHECK_THAT(reason, StartsWith("no yokemath: looked for libyokemath.so.11 by the dynamic loader, and in "));
  CHECK_THAT(reason, ContainsSubstring(first + ": it lacks everything"));
  CHECK_THAT(reason, ContainsSubstring(other + ": it lacks everything"));
  CHECK(refused == 7);  // each of both files once
}

TEST_CASE("what a library of a package needs comes from the packages beside it", "[driver][cuda]") {
  const scratch home;
  const std::string file = home.put("nvidia/yokemath/lib/libyokemath.so.13");
  const std::string sibling = home.put("nvidia/yokelt/lib/libyokelt.so.13");
  const int majors[]{14};
  std::string reason;
  const cu::library_places places{.first = {}, .others = {home / "nvidia/*/lib"}, .by_loader = false};
  CHECK(cu::open_library_of(kind, majors, places, &take, nullptr, reason).path == file);
  CHECK(is_open(sibling));
}

TEST_CASE("a library of an older toolkit's name is tried once, with what either toolkit has for it", "[driver][cuda]") {
  const scratch home;
  static constexpr cu::library_sibling linkers[]{{"yokelink", "libyokelink.so.", 0, 99}};
  constexpr cu::library_kind capped{"yokesame", "yokesame", "libyokesame.so.", 0, linkers, 12};
  const std::string file = home.put("here/libyokesame.so.12");
  const std::string sibling = home.put("here/libyokelink.so.12");
  const int majors[]{13, 12};
  std::string reason;
  const cu::library_places places{.first = {home / "here"}, .others = {}, .by_loader = false};
  int refused = 9;
  CHECK(cu::open_library_of(capped, majors, places, &refuse, &refused, reason).library == nullptr);
  CHECK(refused == 8);
  CHECK_THAT(reason, StartsWith("no yokesame: looked for libyokesame.so.12 in "));
  CHECK(is_open(sibling));
  CHECK(cu::open_library_of(capped, majors, places, &take, nullptr, reason).path == file);
}

TEST_CASE("a library that is no library is named, and one that is missing is found later", "[driver][cuda]") {
  const scratch home;
  const int majors[]{14};
  const cu::library_places places{.first = {home / "here"}, .others = {}, .by_loader = false};
  std::string reason;
  CHECK(cu::open_library_of(kind, majors, places, &take, nullptr, reason).library == nullptr);
  CHECK(reason == "no yokemath: looked for libyokemath.so.13 in " + (home / "here"));
  fs::create_directories(home / "here");
  std::fclose(std::fopen((home / "here/libyokemath.so.13").c_str(), "w"));
  CHECK(cu::open_library_of(kind, majors, places, &take, nullptr, reason).library == nullptr);
  CHECK_THAT(reason, ContainsSubstring("here/libyokemath.so.13: "));
  fs::remove(home / "here/libyokemath.so.13");
  const std::string there = home.put("here/libyokemath.so.13");
  CHECK(cu::open_library_of(kind, majors, places, &take, nullptr, reason).path == there);
}

TEST_CASE("the places of a library are those of the environment and of its own package", "[driver][cuda]") {
  const variable path("LD_LIBRARY_PATH", "relative:/one:/two");
  const variable home("CUDA_HOME", "/toolkit");
  const variable python("VIRTUAL_ENV", "/venv");
  const cu::library_places places = cu::places_of(cu::cufft_kind);
  CHECK(places.by_loader);
  CHECK(places.first == std::vector<std::string>{"/one", "/two"});
  const auto has = [&](const std::string& folder) {
    return std::find(places.others.begin(), places.others.end(), folder) != places.others.end();
  };
  CHECK(has("/toolkit/lib64"));
  CHECK(has("/venv/lib/python3*/site-packages/nvidia/cufft/lib"));
  CHECK(has("/venv/lib/python3*/site-packages/nvidia/cu*/lib"));
  CHECK_FALSE(has("/venv/lib/python3*/site-packages/nvidia/cuda_nvrtc/lib"));
}

TEST_CASE("the names of CUDA's libraries follow their own major versions", "[driver][cuda]") {
  CHECK(cu::library_file_name(cu::cublas_kind, 13) == "libcublas.so.13");
  CHECK(cu::library_file_name(cu::cublas_kind, 12) == "libcublas.so.12");
  CHECK(cu::library_file_name(cu::cufft_kind, 13) == "libcufft.so.12");
  CHECK(cu::library_file_name(cu::cufft_kind, 12) == "libcufft.so.11");
  CHECK(cu::library_file_name(cu::cusolver_kind, 13) == "libcusolver.so.12");
  CHECK(cu::library_file_name(cu::cusparse_kind, 13) == "libcusparse.so.12");
  CHECK(cu::library_file_name(cu::cusparse_kind, 12) == "libcusparse.so.12");
}

TEST_CASE("an older library that lacks an entry is named, and one behind it is used", "[driver][cuda]") {
  const scratch home;
  const std::string nothing = home.put("nothing/libcublas.so.12");
  const std::string older = home.put("older/libcublas.so.12", YOKE_TEST_FAKE_MATH);
  const int majors[]{12};
  std::string reason;
  cu::loaded_library<yoke::cuda::abi::cublas_functions> blas;
  const cu::library_places places{.first = {home / "nothing", home / "older"}, .others = {}, .by_loader = false};
  const auto open = [&](const cu::library_kind& of, auto usable, void* to) {
    return cu::open_library_of(of, majors, places, usable, to, reason).path;
  };
  CHECK(open(cu::cublas_kind, &cu::use_library<cu::cublas_facts>, &blas).empty());
  CHECK_THAT(reason, ContainsSubstring("; " + nothing + ": it lacks cublasCreate_v2"));
  CHECK_THAT(reason, ContainsSubstring("; " + older + ": it lacks cublasGemmEx_64"));
  // The name of cuSPARSE's file does not tell its toolkit, but its version does.
  (void)home.put("nothing/libcusparse.so.12");
  const std::string sparse_file = home.put("older/libcusparse.so.12", YOKE_TEST_FAKE_MATH);
  cu::loaded_library<yoke::cuda::abi::cusparse_functions> sparse;
  sparse.driver_version = 12090;
  CHECK(open(cu::cusparse_kind, &cu::use_library<cu::cusparse_facts>, &sparse).empty());
  CHECK_THAT(reason, ContainsSubstring(sparse_file + ": version 12.6 is of CUDA 13, and the driver is of CUDA 12.9"));
  sparse.driver_version = 13000;
  CHECK(open(cu::cusparse_kind, &cu::use_library<cu::cusparse_facts>, &sparse) == sparse_file);
  CHECK(cu::name_of_library(cu::cusparse_kind, sparse.table) == "cuSPARSE 12.6.3");
}

// SPDX-License-Identifier: MIT
// The grammar that names devices, over made-up machines, and the order of choice.
#include <support/catch.hpp>
#include <support/devices/devices.hpp>
#include <support/process/child.hpp>

#include <yoke/execution/context.hpp>

#include <cstdlib>

#if !defined(_WIN32)
#include <sys/wait.h>
#include <unistd.h>
#endif

using namespace yoke_test;
using yoke::device_kind;

namespace {

struct machine {
  std::vector<yoke::device_summary> candidates;
  std::vector<std::string> backends;

  machine& with(const char* backend, const char* platform, const char* name, device_kind kind, std::uint32_t units,
                std::uint32_t clock) {
    yoke::device_summary facts;
    facts.name = name;
    facts.platform = platform;
    facts.vendor = std::string(platform) + " vendor";
    facts.version = "OpenCL 3.0";
    facts.kind = kind;
    facts.compute_units = units;
    facts.clock_mhz = clock;
    candidates.push_back(facts);
    backends.emplace_back(backend);
    return *this;
  }
  [[nodiscard]] std::vector<std::size_t> match(const std::string& specification) const {
    return yoke::detail::match_devices(candidates, backends, specification, yoke::source_location::current());
  }
  [[nodiscard]] std::string refusal(const std::string& specification) const {
    try {
      (void)match(specification);
    } catch (const yoke::unsupported_error& e) {
      CHECK(e.code() == yoke::errc::no_device);
      return e.what();
    }
    return "nothing was refused";
  }
};

using indices = std::vector<std::size_t>;

machine workstation() {
  machine all;
  all.with("opencl", "Portable Computing Language", "pthread-AMD EPYC", device_kind::cpu, 64, 2000)  // 0
      .with("opencl", "NVIDIA CUDA", "NVIDIA H200", device_kind::gpu, 132, 1980)                     // 1
      .with("opencl", "NVIDIA CUDA", "NVIDIA T4", device_kind::gpu, 40, 1590)                        // 2
      .with("opencl", "Intel(R) OpenCL", "Intel FPGA", device_kind::accelerator, 500, 300)           // 3
      .with("cuda", "NVIDIA CUDA", "NVIDIA T4", device_kind::gpu, 40, 1590)                          // 4
      .with("cuda", "NVIDIA CUDA", "NVIDIA H200", device_kind::gpu, 132, 1980);                      // 5
  return all;
}

}  // namespace

TEST_CASE("an index counts the devices of what stands before it", "[execution]") {
  const machine m = workstation();
  CHECK(m.match("0") == indices{0});
  CHECK(m.match("5") == indices{5});
  CHECK(m.match("cuda:0") == indices{4});
  CHECK(m.match("cuda:1") == indices{5});
  CHECK(m.match("opencl:0") == indices{0});
  CHECK(m.match("opencl:nvidia:1") == indices{2});
  CHECK(m.match("t4:1") == indices{4});
  CHECK(m.match(" opencl : 1 ") == indices{1});
}

TEST_CASE("an index before the last part counts platforms", "[execution]") {
  const machine m = workstation();
  CHECK(m.match("opencl:0:0") == indices{0});
  CHECK(m.match("opencl:1:0") == indices{1});
  CHECK(m.match("opencl:1:1") == indices{2});
  CHECK(m.match("opencl:2:0") == indices{3});
  CHECK(m.match("opencl:1:t4") == indices{2});
  CHECK_THAT(m.refusal("opencl:3:0"), ContainsSubstring("no device fits \"opencl:3:0\""));
  CHECK_THAT(m.refusal("opencl:0:1"), ContainsSubstring("no device fits"));
}

TEST_CASE("text is found in any case in name, platform, vendor and version", "[execution]") {
  const machine m = workstation();
  CHECK(m.match("EPYC") == indices{0});
  CHECK(m.match("portable computing") == indices{0});
  CHECK(m.match("intel(r) opencl vendor") == indices{3});
  CHECK(m.match("opencl:PTHREAD:epyc") == indices{0});
  CHECK(m.match("H200").size() == 2);
  CHECK(m.match("opencl 3.0").size() == 6);
}

TEST_CASE("a backend's name in any case is the backend", "[execution]") {
  const machine m = workstation();
  CHECK(m.match("CUDA:0") == indices{4});
  CHECK(m.match("OpenCL:0") == indices{0});
  CHECK(m.match("opencl:nvidia cuda:0") == indices{1});  // as text it is a platform's
}

TEST_CASE("a PCI bus id in any case names its device", "[execution]") {
  machine m = workstation();
  m.candidates[4].pci_bus_id = "0000:AF:00.0";
  m.candidates[5].pci_bus_id = "0000:3b:00.0";
  for (const char* each :
       {"0000:AF:00.0", "0000:af:00.0", "AF:00.0", "af:00.0", "cuda:0000:aF:00.0", "00000000:af:00.0"}) {
    CAPTURE(each);
    CHECK(m.match(each) == indices{4});
  }
  for (const char* each : {"0000:3b:00.0", "0000:3B:00.0", "3B:00.0", "CUDA:3B:00.0"}) {
    CAPTURE(each);
    CHECK(m.match(each) == indices{5});
  }
}

TEST_CASE("without an index an entry names every match, the best first", "[execution]") {
  const machine m = workstation();
  CHECK(m.match("cuda") == indices{5, 4});
  CHECK(m.match("opencl") == indices{1, 2, 3, 0});  // GPUs by speed, accelerator, CPU
  CHECK(m.match("") == indices{5, 4, 1, 2, 3, 0});
  CHECK(m.match("   ") == m.match(""));
}

TEST_CASE("a list keeps its order and names each device once", "[execution]") {
  const machine m = workstation();
  CHECK(m.match("opencl:0,cuda:0") == indices{0, 4});
  CHECK(m.match("cuda:0, opencl:0 ,cuda:0") == indices{4, 0});
  CHECK(m.match("t4,nvidia") == indices{4, 2, 5, 1});
}

TEST_CASE("a specification that names nothing lists what there is", "[execution]") {
  const machine m = workstation();
  for (const char* wrong :
       {"radeon", "cuda:2", "opencl:4", "6", "cuda:intel", "opencl:", ":0", "opencl::0", "99999999999999999999"}) {
    INFO(wrong);
    const std::string text = m.refusal(wrong);
    CHECK_THAT(text, ContainsSubstring("no device fits \""));
    CHECK_THAT(text, ContainsSubstring("\n  opencl:1  NVIDIA H200 (NVIDIA CUDA)"));
    CHECK_THAT(text, ContainsSubstring("\n  cuda:0  NVIDIA T4 (NVIDIA CUDA)"));
  }
  CHECK_THAT(m.refusal("0,radeon"), ContainsSubstring("no device fits \"radeon\""));
}

TEST_CASE("an empty entry of a list is refused by its place", "[execution]") {
  const machine m = workstation();
  const auto refused = [&](const char* list, const std::string& says) {
    INFO(list);
    CHECK_THAT(m.refusal(list), ContainsSubstring(says) && ContainsSubstring("; there are:\n  opencl:0"));
  };
  refused("0,,1", "entry 2 of the 3 in the device list \"0,,1\" is empty");
  refused("0, ,1", "entry 2 of the 3 in the device list \"0, ,1\" is empty");
  refused("0,", "entry 2 of the 2 in the device list \"0,\" is empty");
  refused(",0", "entry 1 of the 2 in the device list \",0\" is empty");
  refused(",", "entry 1 of the 2 in the device list \",\" is empty");
}

TEST_CASE("a question mark lists what there is", "[execution]") {
  CHECK_THAT(workstation().refusal("?"), StartsWith("device \"?\": there are:\n  opencl:0  pthread-AMD EPYC"));
  CHECK_THAT(workstation().refusal(" ? "), ContainsSubstring("cuda:1  NVIDIA H200"));
  CHECK_THAT(machine{}.refusal("?"), ContainsSubstring("there is no device"));
  CHECK_THAT(machine{}.refusal("0"), ContainsSubstring("there is no device"));
  CHECK(machine{}.match("").empty());
}

TEST_CASE("every listed name finds its device again", "[execution]") {
  const machine m = workstation();
  const char* names[] = {"opencl:0", "opencl:1", "opencl:2", "opencl:3", "cuda:0", "cuda:1"};
  for (std::size_t i = 0; i < 6; ++i) CHECK(m.match(names[i]) == indices{i});
}

TEST_CASE("rank: backend, then class, then units times clock", "[execution]") {
  const auto rank = [](const char* backend, device_kind kind, std::uint32_t units, std::uint32_t clock) {
    yoke::device_summary facts;
    facts.kind = kind;
    facts.compute_units = units;
    facts.clock_mhz = clock;
    return yoke::detail::device_rank(facts, backend);
  };
  CHECK(rank("cuda", device_kind::gpu, 1, 1) > rank("opencl", device_kind::gpu, 4000000000u, 4000000000u));
  CHECK(rank("opencl", device_kind::gpu, 1, 1) > rank("opencl", device_kind::accelerator, 500, 3000));
  CHECK(rank("opencl", device_kind::accelerator, 1, 1) > rank("opencl", device_kind::cpu, 500, 3000));
  CHECK(rank("opencl", device_kind::cpu, 1, 1) > rank("opencl", device_kind::other, 500, 3000));
  CHECK(rank("opencl", device_kind::gpu, 10, 1000) > rank("opencl", device_kind::gpu, 9, 1100));
  CHECK(rank("opencl", device_kind::gpu, 8, 0) > rank("opencl", device_kind::gpu, 4, 0));  // no clock is told
}

YOKE_DEVICE_TEST_CASE("selection over the real devices", "[execution]") {
  const std::string name = Backend::name;
  const auto all = port{}.devices({});
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto found = yoke::detail::select_from(port{}, name + ":" + std::to_string(i), {});
    REQUIRE(found.size() == 1);
    CHECK(found.front().native_handle() == all[i]);
  }
  CHECK_FALSE(yoke::select_devices(device.name()).empty());
  CHECK_THROWS_AS(yoke::select_devices("no such device"), yoke::unsupported_error);
  const yoke::device_choice choice = yoke::choose_device(name);
  CHECK_THAT(choice.reason, ContainsSubstring("asked for as " + name));
  CHECK_THAT(yoke::list_devices(), ContainsSubstring(device.name()));
  CHECK(yoke::devices().size() >= all.size());
}

TEST_CASE("YOKE_DEVICE chooses, and an argument goes before it", "[execution]") {
  const std::string name = "YOKE_DEVICE chooses, and an argument goes before it";
  if (test_devices<opencl_backend>().devices.empty()) YOKE_SKIP("no device: " + test_devices<opencl_backend>().reason);
  if (!is_child(name)) {
    const child_result child = run_child(name, {{"YOKE_DEVICE", "opencl:0"}});
    INFO(child.output);
    CHECK(child.status == 0);
    return;
  }
  const yoke::device_choice choice = yoke::choose_device();
  CHECK(choice.reason == "YOKE_DEVICE=opencl:0");
  CHECK(yoke::choose_device("opencl").reason == "asked for as opencl");
  const yoke::context<> context;
  CHECK(context.only_device() == choice.chosen);
}

TEST_CASE("a backend that is not there says why when it is asked for", "[execution]") {
  const std::string name = "a backend that is not there says why when it is asked for";
  if (test_devices<opencl_backend>().devices.empty()) YOKE_SKIP("no device: " + test_devices<opencl_backend>().reason);
  if (!is_child(name)) {
    const child_result child = run_child(name, {{"YOKE_CUDA_DRIVER", "/nowhere/libcuda.so.1"}});
    INFO(child.output);
    CHECK(child.status == 0);
    return;
  }
  const auto why = ContainsSubstring("/nowhere/libcuda.so.1");
  CHECK_THROWS_WITH(yoke::choose_device("cuda:0"), why);
  CHECK_THROWS_WITH(yoke::select_devices("cuda"), why);
  CHECK_THAT(yoke::list_devices(), why);
}

// A simulator without a device stands for one that is not there, which no build has that made one.
TEST_CASE("a simulator that was asked for and cannot be used is an error, not another backend", "[execution]") {
  const std::string name = "a simulator that was asked for and cannot be used is an error, not another backend";
  if (!is_child(name)) {
    const child_result child = run_child(name, {{"YOKE_CUDA_DRIVER", "simulator"}, {"YOKE_SIMULATOR_DEVICES", "0"}});
    INFO(child.output);
    CHECK(child.status == 0);
    return;
  }
  (void)yoke::cuda::available();  // once opened by its path, a library is found by its name
  const std::string reason = yoke::cuda::available().reason;
  CHECK_THAT(reason, ContainsSubstring("libyoke_cuda_simulator.so"));  // what was opened, or looked for and where
  const auto why =
      ContainsSubstring("CUDA: " + reason + "\nYOKE_CUDA_DRIVER is \"simulator\", so that no other backend");
  CHECK_THROWS_AS(yoke::context<>(), yoke::unsupported_error);
  CHECK_THROWS_WITH(yoke::context<>(), why);
  CHECK_THROWS_WITH(yoke::choose_device(), why);
  CHECK_THROWS_WITH(yoke::choose_device("cpu"), why);
  CHECK_THROWS_WITH(yoke::select_devices("opencl,gpu"), why);
  CHECK_THROWS_WITH(yoke::devices(), why);
  CHECK_THAT(yoke::list_devices(), ContainsSubstring(reason));
  CHECK_THROWS_WITH(yoke::select_devices("?"), ContainsSubstring("device \"?\"") || ContainsSubstring("no device"));
  if (!yoke::opencl::available()) return;
  CHECK_FALSE(yoke::select_devices("OpenCL:0").empty());
  CHECK(yoke::choose_device("opencl").reason == "asked for as opencl");
}

TEST_CASE("a CUDA driver that was named and cannot be used is an error, not another backend", "[execution]") {
  const std::string name = "a CUDA driver that was named and cannot be used is an error, not another backend";
  if (!is_child(name)) {
    for (const char* driver : {"/nowhere/libcuda.so.1", "Simulator"}) {
      const child_result child = run_child(name, {{"YOKE_CUDA_DRIVER", driver}});
      INFO(child.output);
      CHECK(child.status == 0);
    }
    return;
  }
  const std::string driver = std::getenv("YOKE_CUDA_DRIVER");
  const auto named = ContainsSubstring("YOKE_CUDA_DRIVER names " + driver + " (");
  const auto alone = ContainsSubstring("YOKE_CUDA_DRIVER is \"" + driver + "\", so that no other backend");
  CHECK_THROWS_WITH(yoke::context<>(), named && alone);
  CHECK_THROWS_WITH(yoke::choose_device(), named && alone);
  CHECK_THROWS_WITH(yoke::devices(), named && alone);
  CHECK_THROWS_WITH(yoke::select_devices("gpu"), named && alone);
  // The place is the caller's.
  CHECK_THROWS_WITH(yoke::cuda::device{0}, ContainsSubstring("select_test.cpp:"));
  if (yoke::opencl::available()) CHECK(yoke::choose_device("opencl").reason == "asked for as opencl");
}

#if !defined(_WIN32)
// A forked process has no CUDA: it does not go on with OpenCL.
YOKE_CUDA_TEST_CASE("a fork of a program whose CUDA driver was named is an error, not another backend", "[execution]") {
  const char* const driver = std::getenv("YOKE_CUDA_DRIVER");
  if (driver == nullptr || *driver == '\0') YOKE_SKIP("no YOKE_CUDA_DRIVER");
  const yoke::cuda::context context{device};
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    int status = 1;
    try {
      (void)yoke::choose_device();
    } catch (const yoke::unsupported_error& e) {
      status = std::string_view(e.what()).find("forked after CUDA was initialised") == std::string_view::npos ? 2 : 0;
    } catch (const yoke::error& e) {  // some OpenCL drivers do not survive a fork either
      status = std::string_view(e.code().category().name()).find("opencl") == std::string_view::npos ? 3 : 0;
    } catch (...) {
      status = 3;
    }
    ::_exit(status);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}
#endif

TEST_CASE("a YOKE_DEVICE that names nothing is an error, not another device", "[execution]") {
  const std::string name = "a YOKE_DEVICE that names nothing is an error, not another device";
  if (test_devices<opencl_backend>().devices.empty()) YOKE_SKIP("no device: " + test_devices<opencl_backend>().reason);
  if (!is_child(name)) {
    const child_result child = run_child(name, {{"YOKE_DEVICE", "radeon"}});
    INFO(child.output);
    CHECK(child.status == 0);
    return;
  }
  CHECK_THROWS_WITH(yoke::context<>(), ContainsSubstring("no device fits \"radeon\"; there are:\n"));
}

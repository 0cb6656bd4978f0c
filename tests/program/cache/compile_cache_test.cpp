// SPDX-License-Identifier: MIT
// `compile` through a cache on real backends: a hit is what was compiled, and nothing compiles for it.
#include <program/cache/cache_folder.hpp>
#include <program/compiling.hpp>
#include <support/devices/background.hpp>
#include <support/process/child.hpp>
#include <support/sample.hpp>
#include <yoke/program/cache/cache_entry.hpp>
#include <yoke/program/cache/kernel_signatures.hpp>

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>

using namespace yoke_test;

namespace {

const std::string source = R"(
#if ANSWER == 0
#warning "no answer"
#endif
YOKE_KERNEL f(YOKE_GLOBAL int* out) { out[0] = ANSWER; }
YOKE_KERNEL g(YOKE_GLOBAL const float* in, YOKE_GLOBAL float* out, int n, YOKE_LOCAL_ARG(float, scratch)) {
  out[0] = in[n];
}
)";

yoke::program_cache cache_in(const std::string& folder) { return yoke::program_cache{{.folder = folder}, {}}; }

/// Effects: compiles through a cache in the folder, and leaves the program there.
template <class Backend>
void store(const rig<Backend>& on, const scratch_folder& scratch, yoke::compile_options options) {
  const auto cache = cache_in(scratch / "cache");
  options.cache = &cache;
  (void)yoke::compile(on.context, source, options);
}

/// Returns: the int that the kernel `f` of a module writes.
template <class Port>
int answer_of(const yoke::stream<Port>& stream, const yoke::module<Port>& module) {
  std::vector<int> result(1, -1);
  yoke::get_kernel<void(int*)>(module, "f")(stream, {.grid = 1}, yoke::in_out(result));
  return result[0];
}

/// Returns: what `get_kernel` says of a signature that is not the kernel's.
template <class Signature, class Port>
std::string mismatch(const yoke::module<Port>& module, const std::string& name) {
  return refusal<yoke::logic_error>(yoke::errc::signature_mismatch,
                                    [&] { (void)yoke::get_kernel<Signature>(module, name); });
}

/// How many calls of a log made a program from source, and from a binary. CUDA's log has loads alone.
template <class Backend>
std::pair<std::size_t, std::size_t> builds(const rig<Backend>& on, std::size_t mark) {
  if constexpr (std::is_same_v<Backend, opencl_backend>) {
    return {on.driver.count("create_program_with_source", mark), on.driver.count(Backend::calls::load, mark)};
  } else {
    return {0, on.driver.count(Backend::calls::load, mark)};
  }
}

}  // namespace

YOKE_DEVICE_TEST_CASE("a program from the disk is the one that was compiled", "[cache]") {
  rig on(device);
  const scratch_folder scratch;
  // A driver may remember programs of earlier runs, without their warnings.
  const auto never_seen = [] {
    static std::random_device random;
    return yoke::compile_options{.defines = {{"ANSWER", 0}, {"NEVER_SEEN", std::to_string(random())}}};
  };
  const yoke::compile_options base = never_seen();
  using local_signature = void(const float*, float*, int, yoke::local<float>);
  yoke::compile_options options = base;
  const auto plain = yoke::compile(on.context, source, never_seen());
  const auto first_cache = cache_in(scratch / "cache");
  options.cache = &first_cache;
  const auto first = yoke::compile(on.context, source, options);
  CHECK(first_cache.counters().compiled == 1);
  INFO(first_cache.last_not_kept());
  CHECK(first_cache.last_not_kept().empty());
  CHECK(first_cache.disk().counters().stores == 1);
  CHECK(first.build_log() == plain.build_log());  // a warning, where the compiler tells of any

  const auto next_cache = cache_in(scratch / "cache");
  options.cache = &next_cache;
  std::size_t mark = on.driver.mark();
  const auto from_disk = yoke::compile(on.context, source, options);
  CHECK(builds(on, mark) == std::pair<std::size_t, std::size_t>{0, 1});
  CHECK(next_cache.counters().from_disk == 1);
  CHECK(next_cache.counters().compiled == 0);
  mark = on.driver.mark();
  const auto from_memory = yoke::compile(on.context, source, options);
  CHECK(builds(on, mark) == std::pair<std::size_t, std::size_t>{0, 1});
  CHECK(next_cache.counters().from_memory == 1);
  CHECK(next_cache.counters().compiled == 0);

  for (const auto& hit : {from_disk, from_memory}) {
    CHECK(hit.native_handle() != first.native_handle());
    CHECK(hit.kernel_names() == plain.kernel_names());
    CHECK(hit.build_log() == first.build_log());
    CHECK(hit.build_log(on.context.only_device()) == first.build_log());
    if (!is_oclgrind(device)) CHECK(hit.export_binary() == first.export_binary());  // it writes the bytes anew
    CHECK(yoke::get_kernel<void(int*)>(hit, "f").checked() == yoke::get_kernel<void(int*)>(plain, "f").checked());
    CHECK(yoke::get_kernel<local_signature>(hit, "g").checked() ==
          yoke::get_kernel<local_signature>(plain, "g").checked());
    CHECK(mismatch<void(int*, int)>(hit, "f") == mismatch<void(int*, int)>(plain, "f"));
    CHECK(mismatch<void(short)>(hit, "f") == mismatch<void(short)>(plain, "f"));
    CHECK(answer_of(on.stream, hit) == 0);
  }
}

using g_signature = void(const float*, float*, int, yoke::local<float>);

YOKE_OPENCL_TEST_CASE("a hit is checked by names where the driver tells nothing of loaded programs", "[cache]") {
  rig on(device);
  const scratch_folder scratch;
  yoke::compile_options options{.defines = {{"ANSWER", 1}}};
  const auto first_cache = cache_in(scratch / "cache");
  options.cache = &first_cache;
  std::size_t mark = on.driver.mark();
  const auto compiled = yoke::compile(on.context, source, options);
  CHECK(first_cache.disk().counters().stores == 1);
  CHECK(on.driver.count("create_kernel", mark) == 2);
  CHECK(on.live().size() == 1);  // the program: no kernel that was asked is left
  if (yoke::get_kernel<g_signature>(compiled, "g").checked() != yoke::signature_check::names) {
    YOKE_SKIP("this driver does not describe parameters");
  }
  const std::string truth = mismatch<void(float*)>(compiled, "f");
  CHECK_THAT(truth, ContainsSubstring("parameter 1 (out) is int*, not float*"));

  // Intel's CPU runtime does this by itself; elsewhere its answer is played.
  on.driver.replace<&abi::functions::get_kernel_arg_info>(
      [](abi::kernel, abi::uint, abi::uint, std::size_t, void*, std::size_t*) { return abi::status{-19}; });
  const auto silent = yoke::load(on.context, compiled.export_binary());
  CHECK(yoke::get_kernel<g_signature>(silent, "g").checked() == yoke::signature_check::sizes);

  const auto next_cache = cache_in(scratch / "cache");
  options.cache = &next_cache;
  mark = on.driver.mark();
  const auto from_disk = yoke::compile(on.context, source, options);
  const auto from_memory = yoke::compile(on.context, source, options);
  CHECK(next_cache.counters().from_disk == 1);
  CHECK(next_cache.counters().from_memory == 1);
  for (const char* call : {"create_kernel", "get_kernel_info", "get_kernel_arg_info", "set_kernel_arg"}) {
    INFO(call);
    CHECK(on.driver.count(call, mark) == 0);
  }
  for (const auto& hit : {from_disk, from_memory}) {
    CHECK(yoke::get_kernel<void(int*)>(hit, "f").checked() == yoke::signature_check::names);
    CHECK(yoke::get_kernel<g_signature>(hit, "g").checked() == yoke::signature_check::names);
    CHECK(on.driver.count("set_kernel_arg", mark) == 0);
    CHECK(mismatch<void(float*)>(hit, "f") == truth);
    CHECK_THAT((mismatch<void(float*, float*, int, yoke::local<float>)>(hit, "g")),
               ContainsSubstring("parameter 1 (in) is const float*, not float*"));
    CHECK_THAT((mismatch<void(const float*, float*, unsigned, yoke::local<float>)>(hit, "g")),
               ContainsSubstring("parameter 3 (n) is int, not uint"));
    CHECK_THAT((mismatch<void(const float*)>(hit, "g")), ContainsSubstring("it has 4 parameters, not 1"));
    // A native kernel may be any of the program's, whatever it is called here.
    const auto g = yoke::get_kernel<g_signature>(hit, "g");
    CHECK(ocl::kernel<g_signature>::borrow(hit, g.native_handle(), "f").checked() == yoke::signature_check::sizes);
    mark = on.driver.mark();
  }
  CHECK(answer_of(on.stream, from_disk) == 1);

  const yoke::any_port roof{on.device.port()};
  for (const auto native : roof.devices(yoke::source_location::current())) {
    const any_device each = any_device::borrow(roof, native);
    if (each.name() != device.name()) continue;
    const auto hit = yoke::compile(yoke::context<yoke::any_port>{each}, source, options);
    CHECK(mismatch<void(float*)>(hit, "f") == truth);
  }
  CHECK(next_cache.counters().compiled == 0);
  CHECK(next_cache.counters().from_memory >= 2);
}

YOKE_OPENCL_TEST_CASE("a kernel that cannot be asked is kept without its signature", "[cache]") {
  rig on(device);
  const scratch_folder scratch;
  yoke::compile_options options{.defines = {{"ANSWER", 2}}};
  if (yoke::get_kernel<g_signature>(yoke::compile(on.context, source, options), "g").checked() !=
      yoke::signature_check::names) {
    YOKE_SKIP("this driver does not describe parameters");
  }
  const auto silent = [](abi::kernel, abi::uint, abi::uint, std::size_t, void*, std::size_t*) {
    return abi::status{-19};
  };
  const auto signatures_of_entry = [&] {
    const auto items = cache_in(scratch / "cache").disk().list();
    REQUIRE(items.size() == 1);
    const std::string file = file_of(scratch / "cache", items[0].name);
    const auto entry = yoke::detail::decode_entry(yoke_test::bytes_of(contents(file)));
    REQUIRE(entry.has_value());
    return yoke::detail::decode_signatures(entry->signatures);
  };
  std::ptrdiff_t left = 0;
  SECTION("because it cannot be made") {
    on.driver.fail_function("create_kernel", 1, fault_mode::once, -5);
    left = 1;
  }
  SECTION("because the driver fails") {
    on.driver.fail_function("get_kernel_arg_info", 1, fault_mode::once, -5);
    left = 1;
  }
  SECTION("because the driver never tells") { on.driver.replace<&abi::functions::get_kernel_arg_info>(silent); }
  // PoCL's binary is compared with the names before: two calls.
  int names_told = is_pocl(device) ? 2 : 0;
  SECTION("because the kernels have no names") {
    on.driver.replace<&abi::functions::get_program_info>(
        [&](abi::program of, abi::uint what, std::size_t bytes, void* out, std::size_t* size) {
          if (what == abi::program_kernel_names && names_told-- <= 0) return abi::status{-30};
          return on.driver.real().get_program_info(of, what, bytes, out, size);
        });
  }
  {
    const auto cache = cache_in(scratch / "cache");
    options.cache = &cache;
    const auto compiled = yoke::compile(on.context, source, options);
    on.driver.disarm();
    CHECK(cache.counters().compiled == 1);
    CHECK(cache.counters().not_kept == 0);
    CHECK(answer_of(on.stream, compiled) == 2);
  }
  CHECK(std::ssize(signatures_of_entry()) == left);
  CHECK(on.live().empty());
  CHECK(on.driver.bad_releases().empty());

  on.driver.replace<&abi::functions::get_kernel_arg_info>(silent);
  const auto cache = cache_in(scratch / "cache");
  options.cache = &cache;
  const auto hit = yoke::compile(on.context, source, options);
  CHECK(cache.counters().from_disk == 1);
  const auto checks = {yoke::get_kernel<void(int*)>(hit, "f").checked(),
                       yoke::get_kernel<g_signature>(hit, "g").checked()};
  CHECK(std::ranges::count(checks, yoke::signature_check::names) == left);
  CHECK(std::ranges::count(checks, yoke::signature_check::sizes) == 2 - left);
}

YOKE_OPENCL_TEST_CASE("stored signatures that are no signatures leave the check to the driver", "[cache]") {
  rig on(device);
  const scratch_folder scratch;
  yoke::compile_options options{.defines = {{"ANSWER", 3}}};
  store(on, scratch, options);
  const auto cache = cache_in(scratch / "cache");
  options.cache = &cache;
  const auto items = cache.disk().list();
  REQUIRE(items.size() == 1);
  const std::string file = file_of(scratch / "cache", items[0].name);
  auto entry = yoke::detail::decode_entry(yoke_test::bytes_of(contents(file)));
  REQUIRE(entry.has_value());
  entry->signatures = yoke_test::bytes_of("no signatures");
  REQUIRE(cache.disk().store(*entry));
  const auto hit = yoke::compile(on.context, source, options);
  CHECK(cache.counters().from_disk == 1);
  const auto loaded = yoke::load(on.context, hit.export_binary());
  CHECK(yoke::get_kernel<g_signature>(hit, "g").checked() == yoke::get_kernel<g_signature>(loaded, "g").checked());
  CHECK(answer_of(on.stream, hit) == 3);
}

YOKE_OPENCL_TEST_CASE("whichever driver call fails while a program is stored, it is there and nothing is left",
                      "[cache][faults]") {
  const auto compile = [](auto& on, const yoke::program_cache* cache) {
    return yoke::compile(on.context, source, {.defines = {{"ANSWER", 17}}, .cache = cache});
  };
  yoke::environment variables;
  variables.cache = "off";
  const yoke::program_cache off{{}, variables};
  std::size_t before = 0;
  std::size_t calls = 0;
  {
    rig on(device);
    (void)compile(on, &off);
    std::size_t mark = on.driver.mark();
    const auto plain = compile(on, &off);
    before = on.driver.count_all(mark);
    mark = on.driver.mark();
    const yoke::program_cache cache{{.enabled = false}, {}};
    const auto stored = compile(on, &cache);
    calls = on.driver.count_all(mark);
  }
  REQUIRE(calls > before + 8);  // each kernel is made, counted, asked and released
  for (const std::size_t at : sampled(before + 1, calls)) {
    INFO("call " << at << " of " << calls);
    rig on(device);
    const yoke::program_cache cache{{.enabled = false}, {}};
    const cleanup_recorder recorder;
    on.driver.fail_call(at, fault_mode::once, opencl_interposer::fault_codes[1].value);
    const auto compiled = compile(on, &cache);
    on.driver.disarm();
    CHECK(answer_of(on.stream, compiled) == 17);
    CHECK(answer_of(on.stream, compile(on, &cache)) == 17);
    CHECK(on.driver.bad_releases().empty());
    CHECK(on.live().size() == 1);
  }
}

YOKE_DEVICE_TEST_CASE("an edited header, and one that comes before it, are compiled", "[cache]") {
  rig on(device);
  const scratch_folder scratch;
  for (const char* each : {"one", "two"}) std::filesystem::create_directories(scratch / each);
  write_file(scratch / "two/answer.h", "#include \"deep.h\"\n#define ANSWER DEEP\n");
  write_file(scratch / "two/deep.h", "#define DEEP 1\n");
  int compiled = 0;
  const auto answer = [&] {
    const auto cache = cache_in(scratch / "cache");
    const int result = result_of(on, "#include <answer.h>\n" + source,
                                 {.include_folders = {scratch / "one", scratch / "two"}, .cache = &cache});
    CHECK(cache.last_not_kept().empty());
    compiled = static_cast<int>(cache.counters().compiled);
    return result;
  };
  CHECK(answer() == 1);
  CHECK(compiled == 1);
  CHECK(answer() == 1);
  CHECK(compiled == 0);
  write_file(scratch / "two/deep.h", "#define DEEP 2\n");
  CHECK(answer() == 2);
  CHECK(compiled == 1);
  write_file(scratch / "one/answer.h", "#define ANSWER 3\n");
  CHECK(answer() == 3);
  CHECK(compiled == 1);
  CHECK(answer() == 3);
  CHECK(compiled == 0);
}

YOKE_DEVICE_TEST_CASE("a stored program that the driver refuses is compiled once more", "[cache]") {
  rig on(device);
  const scratch_folder scratch;
  yoke::compile_options options{.defines = {{"ANSWER", 42}}};
  store(on, scratch, options);
  const auto before = cache_in(scratch / "cache").disk().list();
  REQUIRE(before.size() == 1);

  const auto cache = cache_in(scratch / "cache");
  options.cache = &cache;
  SECTION("by its driver") {
    on.driver.fail_function(Backend::calls::load, 1, fault_mode::once,
                            std::string_view(Backend::name) == "cuda" ? 200 : -42);  // invalid image; invalid binary
  }
  SECTION("because it is not what this library wrote") {
    const std::string file = file_of(scratch / "cache", before[0].name);
    auto entry = yoke::detail::decode_entry(yoke_test::bytes_of(contents(file)));
    REQUIRE(entry.has_value());
    entry->payload[entry->payload.size() / 2] ^= std::byte{1};
    REQUIRE(cache.disk().store(*entry));
  }
  const auto module = yoke::compile(on.context, source, options);
  on.driver.disarm();
  CHECK(answer_of(on.stream, module) == 42);
  CHECK(cache.counters().refused == 1);
  CHECK(cache.counters().compiled == 1);
  CHECK(cache.counters().from_disk == 0);
  CHECK(on.driver.bad_releases().empty());

  const auto next = cache_in(scratch / "cache");
  options.cache = &next;
  CHECK(answer_of(on.stream, yoke::compile(on.context, source, options)) == 42);
  CHECK(next.counters().from_disk == 1);
}

YOKE_DEVICE_TEST_CASE("a program that includes by a macro is kept only with a digest", "[cache]") {
  rig on(device);
  const scratch_folder scratch;
  write_file(scratch / "answer.h", "#define ANSWER 5\n");
  const auto cache = cache_in(scratch / "cache");
  yoke::compile_options options{.include_folders = {scratch / ""}, .cache = &cache};
  options.include_folders[0].pop_back();
  const std::string by_macro = "#define HEADER \"answer.h\"\n#include HEADER\n" + source;
  CHECK(result_of(on, by_macro, options) == 5);
  CHECK(result_of(on, by_macro, options) == 5);
  CHECK(cache.counters().compiled == 2);
  CHECK(cache.counters().not_kept == 2);
  CHECK_THAT(cache.last_not_kept(), ContainsSubstring("line 2 includes by a macro"));
  CHECK(cache.disk().list().empty());
  options.header_digest = yoke_test::bytes_of("5");
  CHECK(result_of(on, by_macro, options) == 5);
  CHECK(result_of(on, by_macro, options) == 5);
  CHECK(cache.counters().compiled == 3);
  CHECK(cache.counters().from_memory == 1);
}

YOKE_DEVICE_TEST_CASE("a program that does not compile is not kept", "[cache]") {
  rig on(device);
  const scratch_folder scratch;
  const auto cache = cache_in(scratch / "cache");
  for (int round = 0; round < 2; ++round) {
    const auto e = failed_build(on, "YOKE_KERNEL f() { undeclared_thing; }", {.name = "broken.cl", .cache = &cache});
    CHECK_THAT(e.log(), ContainsSubstring("undeclared_thing"));
  }
  CHECK(cache.counters().compiled == 2);
  CHECK(cache.size() == 0);
  CHECK(files_below(scratch / "cache").empty());
  CHECK(on.live().empty());
}

YOKE_DEVICE_TEST_CASE("threads that compile one program compile it once", "[cache]") {
  if (is_oclgrind(device)) YOKE_SKIP("the driver aborts when threads launch at once");
  rig on(device);
  const scratch_folder scratch;
  const auto cache = cache_in(scratch / "cache");
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&] {
      const backend::stream stream{on.context};
      const auto module = yoke::compile(on.context, source, {.defines = {{"ANSWER", 7}}, .cache = &cache});
      right += answer_of(stream, module) == 7 ? 1 : 0;
    });
  }
  for (std::thread& each : threads) each.join();
  CHECK(right == 6);
  CHECK(cache.counters().compiled == 1);
  CHECK(cache.counters().from_memory == 5);
}

YOKE_DEVICE_TEST_CASE("a folder that is not trusted keeps no program from being compiled", "[cache]") {
  rig on(device);
  const scratch_folder scratch;
  std::filesystem::create_directories(scratch / "open");
  REQUIRE(::chmod((scratch / "open").c_str(), 0777) == 0);
  std::filesystem::create_symlink(scratch / "open", scratch / "link");
  for (const char* folder : {"open", "link"}) {
    const auto cache = cache_in(scratch / folder);
    CHECK(cache.disk().state() == yoke::cache_state::refused);
    CHECK(result_of(on, source, {.defines = {{"ANSWER", 9}}, .cache = &cache}) == 9);
    CHECK(files_below(scratch / "open").empty());
  }
}

YOKE_DEVICE_TEST_CASE(
    "whichever driver call fails, a cached compile gives the right program or the error, and leaks nothing",
    "[cache][faults]") {
  const scratch_folder scratch;
  std::size_t calls = 0;
  {
    rig on(device);
    yoke::compile_options options{.defines = {{"ANSWER", 13}}};
    const auto cache = cache_in(scratch / "cache");
    options.cache = &cache;
    (void)yoke::compile(on.context, source, options);
    cache.clear_memory();
    const std::size_t mark = on.driver.mark();
    (void)yoke::compile(on.context, source, options);
    REQUIRE(cache.counters().from_disk == 1);
    calls = on.driver.count_all(mark);
  }
  REQUIRE(calls >= 3);
  for (const std::size_t at : sampled(1, calls)) {
    INFO("call " << at << " of " << calls);
    rig on(device);
    const auto cache = cache_in(scratch / "cache");
    on.driver.fail_call(at, fault_mode::once, interposer::fault_codes[1].value);
    try {
      const auto module = yoke::compile(on.context, source, {.defines = {{"ANSWER", 13}}, .cache = &cache});
      on.driver.disarm();
      CHECK(answer_of(on.stream, module) == 13);
    } catch (const yoke::error&) {
      on.driver.disarm();
    }
    CHECK(on.live().empty());
    CHECK(on.driver.bad_releases().empty());
    CHECK(result_of(on, source, {.defines = {{"ANSWER", 13}}, .cache = &cache}) == 13);
  }
}

YOKE_DEVICE_TEST_CASE("the roof over all backends finds what a backend stored", "[cache]") {
  const scratch_folder scratch;
  const backend::context context{device};
  yoke::compile_options options{.defines = {{"ANSWER", 11}}};
  const auto cache = cache_in(scratch / "cache");
  options.cache = &cache;
  (void)yoke::compile(context, source, options);
  for (const any_device& each : test_devices<any_backend>().devices) {
    if (each.backend_name() != std::string_view(Backend::name) || each.name() != device.name()) continue;
    const yoke::context<yoke::any_port> any{each};
    const yoke::stream<yoke::any_port> stream{any};
    const auto next = cache_in(scratch / "cache");
    options.cache = &next;
    CHECK(answer_of(stream, yoke::compile(any, source, options)) == 11);
    CHECK(next.counters().from_disk == 1);
    return;
  }
  FAIL("the device is not among all");
}

YOKE_DEVICE_TEST_CASE("processes compile the same programs, and each gets the right ones", "[cache][processes]") {
  const std::string name = current_test_name();
  constexpr int programs = 3;
  if (is_child(name)) {
    rig on(device);
    std::mt19937 random{static_cast<unsigned>(std::stoi(std::getenv("YOKE_TEST_NUMBER")))};
    for (int round = 0; round < 6; ++round) {
      const int which = static_cast<int>(random() % programs);
      const auto cache = cache_in(std::getenv("YOKE_TEST_CACHE"));
      CHECK(result_of(on, source, {.defines = {{"ANSWER", 100 + which}}, .cache = &cache}) == 100 + which);
      CHECK(cache.disk().counters().damaged == 0);
      CHECK(cache.disk().counters().failures == 0);
      CHECK(cache.counters().refused == 0);
    }
    return;
  }
  const scratch_folder scratch;
  std::vector<child_result> results(runs_whole() ? 16 : 4);  // each loads a compiler
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < results.size(); ++i) {
    threads.emplace_back([&, i] {
      // PoCL's own cache is not for several processes at once: without yoke too it ends one that builds from it.
      const std::string number = std::to_string(i);
      results[i] = run_child(name, {{"YOKE_TEST_CACHE", scratch / "cache"},
                                    {"YOKE_TEST_NUMBER", number},
                                    {"POCL_CACHE_DIR", scratch / "pocl" + number}});
    });
  }
  for (std::thread& each : threads) each.join();
  for (const child_result& each : results) {
    INFO(each.output);
    CHECK(each.status == 0);
  }
  CHECK(files_below(scratch / "cache", ".tmp-").empty());
  const auto items = cache_in(scratch / "cache").disk().list();
  CHECK(items.size() == programs);
  for (const auto& each : items) CHECK(each.condition == yoke::cache_condition::good);
}

// SPDX-License-Identifier: MIT
// What is linked, loaded from intermediate code or compiled by nvcc through a cache: made once, then loaded and no more.
#include <cuda/cuda_rig.hpp>
#include <program/cache/cache_folder.hpp>
#include <program/linked_sources.hpp>
#include <support/devices/background.hpp>
#include <support/process/child.hpp>
#include <support/rig.hpp>

#include <yoke/cuda/compile/nvcc.hpp>
#include <yoke/driver/cuda/compiler/nvrtc.hpp>
#include <yoke/link.hpp>

#include <array>
#include <atomic>
#include <cstring>
#include <thread>

#include <fcntl.h>

using namespace yoke_test;
using yoke::errc;

namespace {

yoke::program_cache cache_in(const std::string& folder) { return yoke::program_cache{{.folder = folder}, {}}; }

const std::vector<int> plain{103, 106, 109};
const std::vector<int> plus_one{104, 107, 110};

// OpenCL

const std::vector<ocl::named_source> cl_sources{{"caller.cl", opencl_caller}, {"helper.cl", opencl_helper}};

// CUDA

cu::linker cuda_list(const std::string& factor = "") {
  cu::linker list;
  list.add_source(cuda_caller, {.name = "caller.cu", .kernels = {yoke::typed<void(int*)>("call")}})
      .add_source(cuda_helper, {.defines = {{"FACTOR", factor}}, .name_expressions = {"fill<int>"}});
  return list;
}

}  // namespace

YOKE_OPENCL_TEST_CASE("sources compiled apart are linked once, and loaded from the cache then", "[cache][program]") {
  rig on(device);
  const scratch_folder scratch;
  const auto headers = linked_headers();
  const auto cache = cache_in(scratch / "cache");
  const auto link = [&](const yoke::program_cache* with, const std::vector<ocl::embedded_header>& some,
                        const char* factor = "") {
    return ocl::compile_all(on.context, cl_sources, some, {.defines = {{"FACTOR", factor}}, .cache = with});
  };
  const auto uncached = link(nullptr, headers);
  CHECK(called(on.context, uncached) == plain);
  const auto first = link(&cache, headers);
  INFO(cache.last_not_kept());
  REQUIRE(cache.disk().counters().stores == 1);
  CHECK(called(on.context, first) == plain);

  const auto next = cache_in(scratch / "cache");
  const std::size_t mark = on.driver.mark();
  const auto from_disk = link(&next, headers);
  const auto from_memory = link(&next, headers);
  for (const char* call : {"create_program_with_source", "compile_program", "link_program"}) {
    INFO(call);
    CHECK(on.driver.count(call, mark) == 0);
  }
  CHECK(next.counters().from_disk == 1);
  CHECK(next.counters().from_memory == 1);
  CHECK(next.counters().compiled == 0);
  for (const auto& hit : {from_disk, from_memory}) {
    CHECK(hit.build_log() == first.build_log());
    if (!is_oclgrind(device)) CHECK(hit.export_binary() == first.export_binary());  // it writes the bytes anew
    CHECK(hit.kernel_names() == uncached.kernel_names());
    CHECK(hit.get_kernel<void(int*)>("call").checked() == first.get_kernel<void(int*)>("call").checked());
    CHECK(called(on.context, hit) == plain);
  }

  // A header's text, a define, a source and an option of the linker make another program each.
  CHECK(called(on.context, link(&next, linked_headers("101"))) == plus_one);
  CHECK(called(on.context, link(&next, headers, "+ 1")) == plus_one);
  auto others = cl_sources;
  others[1].text += "\n";
  (void)ocl::compile_all(on.context, others, headers, {.defines = {{"FACTOR", ""}}, .cache = &next});
  std::swap(others[0], others[1]);
  (void)ocl::compile_all(on.context, others, headers, {.defines = {{"FACTOR", ""}}, .cache = &next});
  CHECK(next.counters().compiled == 4);
  CHECK(next.disk().list().size() == 5);
}

YOKE_OPENCL_TEST_CASE("a header in a folder counts for what is linked, and a failed link is not kept",
                      "[cache][program]") {
  rig on(device);
  const scratch_folder scratch;
  const auto cache = cache_in(scratch / "cache");
  fs::create_directories(scratch / "folder");
  write_file(scratch / "folder/helper.h", "#define STEP 100\nint helper(int a);\n");
  const auto link = [&] {
    return called(
        on.context,
        ocl::compile_all(on.context, cl_sources, {},
                         {.include_folders = {scratch / "folder"}, .defines = {{"FACTOR", ""}}, .cache = &cache}));
  };
  CHECK(link() == plain);
  CHECK(link() == plain);
  CHECK(cache.counters().compiled == 1);
  write_file(scratch / "folder/helper.h", "#define STEP 101\nint helper(int a);\n");
  CHECK(link() == plus_one);
  CHECK(cache.counters().compiled == 2);
  CHECK(cache.last_not_kept().empty());

  const std::vector<ocl::named_source> broken{{"fine.cl", "int f(int a); int f(int a) { return a; }"},
                                              {"broken.cl", "\nkernel void g() { nothing_there(); }"}};
  for (int round = 0; round < 2; ++round) {
    try {
      (void)ocl::compile_all(on.context, broken, {}, {.cache = &cache});
      FAIL("linked");
    } catch (const yoke::compile_error& e) {
      CHECK_THAT(e.what(), ContainsSubstring("broken.cl"));
      // NVIDIA's linker (580.159) says nothing.
      if (!e.log().empty()) CHECK_THAT(e.what(), ContainsSubstring("nothing_there"));
    }
  }
  CHECK(cache.counters().compiled == 4);
  CHECK(cache.disk().list().size() == 2);
  const auto refused = [&](auto&& act) { return refusal<yoke::logic_error>(errc::invalid_argument, act); };
  CHECK_THAT(refused([&] { (void)ocl::compile_all(on.context, cl_sources, {}, {.name = "all.cl"}); }),
             ContainsSubstring(".name is of one source"));
  CHECK_THAT(refused([&] { (void)ocl::compile_all(on.context, std::vector<ocl::named_source>{}); }),
             ContainsSubstring("nothing to link"));
  CHECK_THAT(refused([&] { (void)ocl::compile_all(on.context, cl_sources, {}, {.keep = "/tmp"}); }),
             ContainsSubstring("kept in no folder"));
  CHECK_THAT(refused([&] { (void)ocl::compile_part(on.context, "", {}, {.cache = &cache}); }),
             ContainsSubstring("compile_all takes one"));
}

YOKE_OPENCL_TEST_CASE("whichever driver call fails, a linked program is right or an error, and nothing is left",
                      "[cache][faults]") {
  const auto link = [](auto& on, const yoke::program_cache& cache) {
    return ocl::compile_all(
        on.context, std::vector<ocl::named_source>{{"call.cl", "kernel void call(global int* a) { a[0] = 7; }"}}, {},
        {.cache = &cache});
  };
  const auto calls_of = [&](const yoke::program_cache& cache) {
    rig on(device);
    const std::size_t mark = on.driver.mark();
    (void)link(on, cache);
    return on.driver.count_all(mark);
  };
  const scratch_folder scratch;
  const std::size_t of_miss = calls_of(cache_in(scratch / "cache"));
  const std::size_t of_hit = calls_of(cache_in(scratch / "cache"));
  REQUIRE(of_hit >= 3);
  REQUIRE(of_miss > of_hit + 4);
  for (const bool hit : {false, true}) {
    // Each compilation takes a second on PoCL: of a miss some calls have to do.
    for (std::size_t at = 1; at <= (hit ? of_hit : of_miss); at += hit ? 1 : default_fault_step()) {
      INFO((hit ? "hit, call " : "miss, call ") << at);
      rig on(device);
      const yoke::program_cache cache = hit ? cache_in(scratch / "cache") : yoke::program_cache{{.enabled = false}, {}};
      const cleanup_recorder recorder;
      on.driver.fail_call(at, fault_mode::once, opencl_interposer::fault_codes[1].value);
      try {
        const auto module = link(on, cache);
        on.driver.disarm();
        CHECK(called(on.context, module)[0] == 7);
      } catch (const yoke::error&) {
        on.driver.disarm();
      }
      CHECK(on.live().empty());
      CHECK(on.driver.bad_releases().empty());
    }
  }
}

YOKE_OPENCL_TEST_CASE("SPIR-V that was compiled is loaded as the device's own code", "[cache][program]") {
  rig on(device);
  // Few devices here take SPIR-V: its way through the driver is played, by a source.
  on.driver.replace<&abi::functions::get_device_info>(
      [&](abi::device which, abi::uint what, std::size_t size, void* value, std::size_t* needed) {
        constexpr abi::uint il_version = 0x105B;
        constexpr const char version[] = "SPIR-V_1.2";
        if (what != il_version) return on.driver.real().get_device_info(which, what, size, value, needed);
        if (needed != nullptr) *needed = sizeof version;
        if (value != nullptr) std::memcpy(value, version, std::min(size, sizeof version));
        return abi::status{0};
      });
  int made = 0;
  on.driver.replace<&abi::functions::create_program_with_il>(
      [&](abi::context context, const void* bytes, std::size_t, abi::status* status) {
        ++made;
        const bool other = static_cast<const unsigned char*>(bytes)[16] != 0;
        const char* text = other ? "kernel void call(global int* a) { a[get_global_id(0)] += 1; }"
                                 : "kernel void call(global int* a) { a[get_global_id(0)] *= 2; }";
        return on.driver.real().create_program_with_source(context, 1, &text, nullptr, status);
      });
  std::vector<std::byte> code(20);
  constexpr unsigned char magic[] = {0x03, 0x02, 0x23, 0x07};
  for (std::size_t i = 0; i < 4; ++i) code[i] = static_cast<std::byte>(magic[i]);
  const scratch_folder scratch;
  const auto cache = cache_in(scratch / "cache");
  const auto first = yoke::load_intermediate(on.context, code, {.cache = &cache});
  CHECK(made == 1);
  CHECK(called(on.context, first) == std::vector<int>{2, 4, 6});
  const auto next = cache_in(scratch / "cache");
  for (int round = 0; round < 2; ++round) {
    const auto hit = yoke::load_intermediate(on.context, code, {.cache = &next});
    CHECK(called(on.context, hit) == std::vector<int>{2, 4, 6});
    if (!is_oclgrind(device)) CHECK(hit.export_binary() == first.export_binary());
    CHECK(hit.get_kernel<void(int*)>("call").checked() == first.get_kernel<void(int*)>("call").checked());
  }
  CHECK(made == 1);
  CHECK(next.counters().from_disk == 1);
  CHECK(next.counters().from_memory == 1);
  code[16] = std::byte{1};
  CHECK(called(on.context, yoke::load_intermediate(on.context, code, {.cache = &next})) == std::vector<int>{2, 3, 4});
  CHECK(made == 2);
  (void)yoke::load_intermediate(on.context, code, {.options = {"-w"}, .cache = &next});
  CHECK(made == 3);
}

YOKE_CUDA_TEST_CASE("sources are compiled and linked once, and loaded from the cache then", "[cuda][cache]") {
  cuda_rig on(device);
  const scratch_folder scratch;
  const auto cache = cache_in(scratch / "cache");
  const auto uncached = cuda_list().link(on.context);
  const auto first = cuda_list().link(on.context, {.cache = &cache});
  INFO(cache.last_not_kept());
  REQUIRE(cache.disk().counters().stores == 1);
  CHECK(called(on.context, first) == plain);
  CHECK(first.build_log() == uncached.build_log());

  const auto next = cache_in(scratch / "cache");
  const std::size_t mark = on.driver.mark();
  const auto from_disk = cuda_list().link(on.context, {.cache = &next});
  const auto from_memory = cuda_list().link(on.context, {.cache = &next});
  CHECK(on.driver.count("link_create", mark) == 0);
  CHECK(next.counters().from_disk == 1);
  CHECK(next.counters().from_memory == 1);
  for (const auto& hit : {from_disk, from_memory}) {
    CHECK(hit.export_binary() == first.export_binary());
    CHECK(hit.build_log() == first.build_log());
    CHECK(hit.get_kernel<void(int*)>("call").checked() == uncached.get_kernel<void(int*)>("call").checked());
    CHECK(hit.get_kernel<void(int*, int)>("fill<int>").checked() ==
          uncached.get_kernel<void(int*, int)>("fill<int>").checked());
    CHECK(called(on.context, hit) == plain);
  }

  CHECK(called(on.context, cuda_list("+ 1").link(on.context, {.cache = &next})) == plus_one);
  CHECK(next.counters().compiled == 1);
  std::vector<cu::link_options> others{{.jit = {.max_registers = 40}},
                                       {.jit = {.max_registers = 48}},
                                       {.jit = {.line_info = true}},
                                       {.jit = {.log_bytes = 1000}}};
  if (cu::nvjitlink_available()) others.push_back({.link_time_optimization = true});
  for (int round = 0; round < 2; ++round) {
    for (cu::link_options each : others) {
      each.cache = &next;
      CHECK(called(on.context, cuda_list().link(on.context, each)) == plain);
    }
  }
  CHECK(next.counters().compiled == 1 + others.size());
}

YOKE_CUDA_TEST_CASE("a hit of a linked program opens neither NVRTC nor nvJitLink", "[cuda][cache][processes]") {
  const std::string name = current_test_name();
  if (is_child(name)) {
    const cu::context context{device};
    const auto cache = cache_in(std::getenv("YOKE_TEST_CACHE"));
    const auto module = cuda_list().link(context, {.cache = &cache});
    CHECK(cache.counters().from_disk == 1);
    const bool optimized = std::getenv("YOKE_TEST_OPTIMIZED") == std::string("yes");
    if (optimized) {
      (void)cuda_list().link(context, {.link_time_optimization = true, .cache = &cache});
      CHECK(cache.counters().from_disk == 2);
    }
    CHECK(cache.counters().compiled == 0);
    CHECK(cu::detail::nvrtc_if_loaded() == nullptr);
    if (!is_simulated(device)) {
      CHECK_THAT(contents("/proc/self/maps"), !ContainsSubstring("libnvrtc") && !ContainsSubstring("libnvJitLink"));
    }
    CHECK(called(context, module) == plain);
    return;
  }
  const scratch_folder scratch;
  const cu::context context{device};
  const auto cache = cache_in(scratch / "cache");
  (void)cuda_list().link(context, {.cache = &cache});
  REQUIRE(cache.disk().counters().stores == 1);
  const bool optimized = static_cast<bool>(cu::nvjitlink_available());
  if (optimized) (void)cuda_list().link(context, {.link_time_optimization = true, .cache = &cache});
  const child_result child =
      run_child(name, {{"YOKE_TEST_CACHE", scratch / "cache"}, {"YOKE_TEST_OPTIMIZED", optimized ? "yes" : "no"}});
  INFO(child.output);
  CHECK(child.status == 0);
}

YOKE_CUDA_TEST_CASE("images, files and headers that are linked count, and what fails is not kept", "[cuda][cache]") {
  cuda_rig on(device);
  const scratch_folder scratch;
  const auto cache = cache_in(scratch / "cache");
  const auto part = [&](const char* factor) {
    return cu::compile_to(cu::image_kind::ptx, cuda_helper,
                          {.options = {"-rdc=true"}, .defines = {{"FACTOR", factor}}});
  };
  fs::create_directories(scratch / "folder");
  write_file(scratch / "folder/head.h", "#define MORE 0\n");
  const auto text = [](const cu::compiled_image& image) { return yoke_test::text_of(image.bytes); };
  const auto same = part("");  // the simulator's images differ each time
  const auto other = part("+ 1");
  const auto linked = [&](bool by_file, const cu::compiled_image& image) {
    cu::linker list;
    list.add_source("#include <head.h>\n" + std::string(cuda_caller), {.include_folders = {scratch / "folder"}});
    write_file(scratch / "helper.ptx", text(image));
    by_file ? list.add_file(scratch / "helper.ptx") : list.add(image, "helper");
    return called(on.context, list.link(on.context, {.cache = &cache}));
  };
  std::uint64_t compiled = 0;
  for (const bool by_file : {false, true}) {
    INFO("by file " << by_file);
    CHECK(linked(by_file, same) == plain);
    CHECK(linked(by_file, same) == plain);
    CHECK(cache.counters().compiled == (compiled += 1));
    CHECK(linked(by_file, other) == plus_one);
    CHECK(cache.counters().compiled == (compiled += 1));
  }
  write_file(scratch / "folder/head.h", "#define MORE 1\n");
  CHECK(linked(false, same) == plain);
  CHECK(cache.counters().compiled == (compiled += 1));
  CHECK(cache.last_not_kept().empty());

  cu::linker missing;
  missing.add_source(cuda_caller);
  for (int round = 0; round < 2; ++round) {
    CHECK_THROWS_AS(missing.link(on.context, {.cache = &cache}), yoke::compile_error);
    CHECK(cache.counters().compiled == (compiled += 1));
  }
  CHECK(cache.disk().list().size() == 5);

  // A source whose headers cannot be followed keeps the whole out, unless its own digest vouches for them.
  write_file(scratch / "folder/head.h", "#define NAME \"none.h\"\n");
  const auto link_unseen = [&](const std::string& digest) {
    cu::linker list;
    list.add_source("#define HEADER <head.h>\n#include HEADER\n" + std::string(cuda_caller),
                    {.include_folders = {scratch / "folder"}, .header_digest = yoke_test::bytes_of(digest)});
    list.add(same, "helper");
    CHECK(called(on.context, list.link(on.context, {.cache = &cache})) == plain);
  };
  link_unseen("");
  CHECK_THAT(cache.last_not_kept(), ContainsSubstring("includes by a macro"));
  CHECK(cache.counters().not_kept == 1);
  link_unseen("1");
  link_unseen("1");
  link_unseen("2");
  CHECK(cache.counters().compiled == compiled + 3);
}

YOKE_CUDA_TEST_CASE("several sources go through the cache by one call; what cannot is refused", "[cuda][cache]") {
  cuda_rig on(device);
  const std::vector<cu::named_source> sources{{"caller.cu", cuda_caller}, {"helper.cu", cuda_helper}};
  const yoke::program_cache cache{{.enabled = false}, {}};
  const yoke::program_cache other{{.enabled = false}, {}};
  for (int round = 0; round < 2; ++round) {
    CHECK(called(on.context, cu::compile_all(on.context, sources, {.defines = {{"FACTOR", "+ 1"}}, .cache = &cache})) ==
          plus_one);
    CHECK(called(on.context, cu::compile_all(on.context, sources, {.defines = {{"FACTOR", "+ 1"}}},
                                             {.cache = &other})) == plus_one);
  }
  CHECK(cache.counters().compiled == 1);
  CHECK(cache.counters().from_memory == 1);
  CHECK(other.counters().compiled == 1);

  std::atomic<int> right{0};
  const yoke::program_cache shared{{.enabled = false}, {}};
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back(
        [&] { right += called(on.context, cuda_list().link(on.context, {.cache = &shared})) == plain ? 1 : 0; });
  }
  for (std::thread& each : threads) each.join();
  CHECK(right == 6);
  CHECK(shared.counters().compiled == 1);

  const auto refused = [&](auto&& act) { return cuda_refusal<yoke::logic_error>(errc::invalid_argument, act); };
  const scratch_folder scratch;
  CHECK_THAT(refused([&] { (void)cu::compile_all(on.context, sources, {.cache = &cache, .keep = scratch / "kept"}); }),
             ContainsSubstring("source \"caller.cu\" has a folder to keep its compilation in"));
  CHECK_THAT(refused([&] { (void)cuda_list().link_image(on.context, {.cache = &cache}); }),
             ContainsSubstring("a cache keeps modules of a device"));
  CHECK_THAT(refused([&] { (void)cuda_list().link_image("sm_90", {.cache = &cache}); }),
             ContainsSubstring("a cache keeps modules of a device"));
  CHECK_THAT(refused([&] { (void)cu::linker().link(on.context, {.cache = &cache}); }),
             ContainsSubstring("nothing to link"));
}

namespace {

/// A linker that makes an image of its own of PTX, which the simulator does not compile.
struct played_linker {
  std::vector<std::byte> image{};
  std::size_t handed = 0;
  int made = 0;
};
played_linker& the_played_linker() {
  static played_linker one;
  return one;
}

/// Returns: the driver's entries; where it is the simulator, with that linker.
cuda_abi::functions with_linker_for_ptx(const cuda_device& device) {
  cuda_abi::functions table = *device.port().table();
  if (!is_simulated(device)) return table;
  table.link_add_data = [](cuda_abi::link_state, cuda_abi::jit_input, void*, std::size_t bytes, const char*,
                           cuda_abi::uint, cuda_abi::jit_option*, void**) -> cuda_abi::status {
    the_played_linker().handed = bytes;
    return 0;
  };
  table.link_complete = [](cuda_abi::link_state, void** image, std::size_t* bytes) -> cuda_abi::status {
    ++the_played_linker().made;
    *image = the_played_linker().image.data();
    *bytes = the_played_linker().image.size();
    return the_played_linker().image.empty() ? 218 : 0;
  };
  return table;
}

}  // namespace

YOKE_CUDA_TEST_CASE("PTX that the driver has compiled is loaded as machine code", "[cuda][cache]") {
  const cuda_abi::functions table = with_linker_for_ptx(device);
  const cuda_device played_device = through_table(&table, device);
  cuda_rig on(played_device);
  const scratch_folder scratch;
  const auto source_of = [](const std::string& by) {
    return "extern \"C\" __global__ void call(int* a) { a[blockIdx.x] *= " + by + "; }";
  };
  played_linker& played = the_played_linker();
  played = {};
  const auto ptx_of = [&](const std::string& by) {
    if (!is_simulated(device)) return cu::compile_to(cu::image_kind::ptx, source_of(by)).bytes;
    return yoke_test::bytes_of(
        ".version 7.0\n.target sm_52\n.address_size 64\n.visible .entry call(.param .u64 a) { ret; }\n// " + by + "\n");
  };
  const auto image_of = [&](const std::string& by) {
    if (is_simulated(device)) played.image = raw_image(cu::compile(on.context, source_of(by)));
  };
  const auto ptx = ptx_of("2");
  image_of("2");
  const auto cache = cache_in(scratch / "cache");
  const auto first = yoke::load_intermediate(on.context, ptx, {.cache = &cache});
  INFO(cache.last_not_kept());
  REQUIRE(cache.disk().counters().stores == 1);
  CHECK(called(on.context, first) == std::vector<int>{2, 4, 6});
  if (is_simulated(device)) {
    CHECK(played.handed == ptx.size() + 1);  // text, with the zero that ends it
  } else {
    CHECK_THAT(yoke_test::text_of(first.export_binary()), ContainsSubstring("\x7F"
                                                                            "ELF"));
    CHECK(yoke::load_intermediate(on.context, ptx).get_kernel<void(int*)>("call").checked() ==
          first.get_kernel<void(int*)>("call").checked());
  }
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::signature_mismatch,
                                             [&] { (void)first.get_kernel<void(int*, int)>("call"); }),
             ContainsSubstring("1 parameter"));
  const auto next = cache_in(scratch / "cache");
  const std::size_t mark = on.driver.mark();
  for (int round = 0; round < 2; ++round) {
    const auto hit = yoke::load_intermediate(on.context, ptx, {.cache = &next});
    CHECK(called(on.context, hit) == std::vector<int>{2, 4, 6});
    CHECK(hit.export_binary() == first.export_binary());
    CHECK(hit.build_log() == first.build_log());
    CHECK(hit.get_kernel<void(int*)>("call").checked() == first.get_kernel<void(int*)>("call").checked());
  }
  CHECK(on.driver.count("link_create", mark) == 0);
  CHECK(next.counters().from_disk == 1);
  CHECK(next.counters().from_memory == 1);
  image_of("3");
  CHECK(called(on.context, yoke::load_intermediate(on.context, ptx_of("3"), {.cache = &next})) ==
        std::vector<int>{3, 6, 9});
  CHECK(next.counters().compiled == 1);
  CHECK(on.driver.count("link_create", mark) == 1);
  for (int round = 0; round < 2; ++round) {
    CHECK_THROWS_AS(yoke::load_intermediate(on.context, yoke_test::bytes_of("no PTX"), {.cache = &next}),
                    yoke::logic_error);
  }
  CHECK(next.counters().compiled == 3);
  if (is_simulated(device)) {
    played.image.clear();
    for (int round = 0; round < 2; ++round) {
      CHECK_THROWS_AS(yoke::load_intermediate(on.context, ptx_of("4"), {.cache = &next}), yoke::compile_error);
    }
    CHECK(played.made == 4);  // each time
  }
  CHECK(next.disk().list().size() == 2);
}

namespace {

/// A program in nvcc's place within a toolkit of its own: it counts its runs and gives one image.
struct counting_nvcc {
  explicit counting_nvcc(const cu::context& context) : context_(context) {
    fs::create_directories(folder / "toolkit/bin");
    fs::create_directories(folder / "toolkit/include/cccl");
    fs::create_directories(folder / "inc");
    say("*= 2", "");
  }
  /// Effects: makes nvcc's image one of that kernel; behind it stands what is to happen first.
  void say(const std::string& what, const std::string& first) const {
    const auto image =
        raw_image(cu::compile(context_, "extern \"C\" __global__ void call(int* a) { a[blockIdx.x] " + what + "; }"));
    write_file(folder / "image", yoke_test::text_of(image));
    write_file(path(), "#!/bin/sh\n" + first + "echo run >> " + (folder / "runs") +
                           R"(
while [ $# -gt 0 ]; do if [ "$1" = -o ]; then output=$2; fi; shift; done
cp )" + (folder / "image") +
                           " \"$output\"; echo some warning >&2\n");
    ::chmod(path().c_str(), 0700);
  }
  [[nodiscard]] std::string path() const { return folder / "toolkit/bin/nvcc"; }
  [[nodiscard]] std::size_t runs() const { return contents(folder / "runs").size() / 4; }
  scratch_folder folder;

 private:
  cu::context context_;
};

}  // namespace

YOKE_CUDA_TEST_CASE("what nvcc has compiled comes from the cache, and nvcc is not run", "[cuda][cache]") {
  if (!is_simulated(device)) YOKE_SKIP("the program in nvcc's place gives images of the simulator's");
  cuda_rig on(device);
  const counting_nvcc made(on.context);
  const scratch_folder scratch;
  const std::string source = "#include <cstdio>\n#include <cuda_fp16.h>\n#include \"mine.h\"\n";
  write_file(made.folder / "inc/mine.h", "int mine;\n");
  write_file(made.folder / "toolkit/include/cuda_fp16.h", "#include \"cuda_fp16.hpp\"\n#include <nothing/there.h>\n");
  write_file(made.folder / "toolkit/include/cuda_fp16.hpp", "int half;\n");
  const cu::compile_options base{.include_folders = {made.folder / "inc"}};
  yoke::program_cache last{{.enabled = false}, {}};
  const auto compile = [&](cu::compile_options options, const cu::nvcc& compiler, const std::string& text) {
    last = cache_in(scratch / "cache");
    options.cache = &last;
    return compiler.compile(on.context, text, options);
  };
  /// How often nvcc ran for a compilation.
  const auto runs = [&](const cu::compile_options& options, const std::string& text) {
    const std::size_t before = made.runs();
    (void)compile(options, {.path = made.path()}, text);
    return made.runs() - before;
  };
  const cu::nvcc compiler{.path = made.path()};
  const auto first = compile(base, compiler, source);
  INFO(last.last_not_kept());
  REQUIRE(last.disk().counters().stores == 1);
  CHECK(made.runs() == 1);
  CHECK_THAT(last.disk().list().at(0).compiler, StartsWith("nvcc ") && !ContainsSubstring("/"));
  const auto hit = compile(base, compiler, source);
  CHECK(made.runs() == 1);
  CHECK(last.counters().from_disk == 1);
  CHECK(hit.build_log() == first.build_log());
  CHECK_THAT(hit.build_log(), StartsWith("some warning\n"));
  CHECK(hit.export_binary() == first.export_binary());
  CHECK(hit.get_kernel<void(int*)>("call").checked() == first.get_kernel<void(int*)>("call").checked());
  CHECK(called(on.context, hit) == std::vector<int>{2, 4, 6});
  const auto from_memory = compiler.compile(on.context, source, [&] {
    cu::compile_options options = base;
    options.cache = &last;
    return options;
  }());
  CHECK(last.counters().from_memory == 1);
  CHECK(called(on.context, from_memory) == std::vector<int>{2, 4, 6});
  CHECK(made.runs() == 1);

  SECTION("every input of it makes another program") {
    const auto other = [&](const auto& change) {
      cu::compile_options options = base;
      change(options);
      CHECK(runs(options, source) == 1);
      CHECK(runs(options, source) == 0);
    };
    other([](auto& options) { options.options = {"-O1"}; });
    other([](auto& options) { options.defines = {{"N", 1}}; });
    other([](auto& options) { options.standard = "c++20"; });
    other([](auto& options) { options.architecture = "sm_80"; });
    other([](auto& options) { options.jit.max_registers = 40; });
    other([](auto& options) { options.name = "mine.cu"; });
    other([](auto& options) { options.options = {"-gencode", "arch=compute_90,code=sm_90"}; });
    CHECK(runs(base, source + "\n") == 1);
    CHECK(runs(base, source) == 0);
    const std::size_t before = made.runs();
    (void)compile(base, {.path = made.path(), .options = {"-O2"}}, source);
    CHECK(made.runs() == before + 1);
    ::setenv("NVCC_APPEND_FLAGS", "-DFROM_OUTSIDE", 1);
    CHECK(runs(base, source) == 1);
    CHECK(runs(base, source) == 0);
    ::unsetenv("NVCC_APPEND_FLAGS");
    CHECK(runs(base, source) == 0);
  }
  SECTION("headers too: the caller's, and the toolkit's") {
    for (const char* each : {"inc/mine.h", "toolkit/include/cuda_fp16.hpp"}) {
      INFO(each);
      write_file(made.folder / each, "int changed;\n");
      CHECK(runs(base, source) == 1);
      CHECK(runs(base, source) == 0);
    }
    write_file(made.folder / "inc/cuda_fp16.hpp", "int before;\n");
    CHECK(runs(base, source) == 1);
    CHECK(runs(base, source) == 0);
    // A header of the host's, which nobody tells of.
    for (int round = 0; round < 2; ++round) CHECK(runs(base, "#include <unistd.h>\n") == 1);
    CHECK_THAT(last.last_not_kept(), ContainsSubstring("<unistd.h> in line 1"));
    cu::compile_options vouched = base;
    vouched.header_digest = yoke_test::bytes_of("1");
    CHECK(runs(vouched, "#include <unistd.h>\n") == 1);
    CHECK(runs(vouched, "#include <unistd.h>\n") == 0);
    for (const char* option : {"-include=x.h", "-Xcompiler=-O2,-include,x.h", "-isystem=a"}) {
      cu::compile_options unseen = base;
      unseen.options = {option};
      CHECK(runs(unseen, source) == 1);
      CHECK_THAT(last.last_not_kept(), ContainsSubstring("may name a file"));
    }
    ::setenv("CPATH", "/somewhere", 1);
    CHECK(runs(base, source) == 1);
    ::unsetenv("CPATH");
    CHECK(last.last_not_kept() == "CPATH names folders of the host compiler's");
  }
  SECTION("another nvcc, another host compiler, another toolkit") {
    CHECK(called(on.context, first) == std::vector<int>{2, 4, 6});
    made.say("*= 3", "");
    ::utimensat(AT_FDCWD, made.path().c_str(), std::array<::timespec, 2>{{{1, 0}, {1, 0}}}.data(), 0);
    CHECK(called(on.context, compile(base, compiler, source)) == std::vector<int>{3, 6, 9});
    CHECK(last.counters().compiled == 1);
    write_file(made.folder / "toolkit/version.json", R"({"cuda_nvcc" : {"name" : "nvcc", "version" : "13.0.48"}})");
    CHECK(runs(base, source) == 1);
    bool named = false;
    for (const auto& each : last.disk().list()) named = named || each.compiler.starts_with("nvcc 13.0.48 ");
    CHECK(named);
    write_file(made.folder / "toolkit/bin/nvcc.profile", "INCLUDES += -I/elsewhere\n");
    CHECK(runs(base, source) == 1);
    write_file(made.folder / "host", "#!/bin/sh\n");
    cu::compile_options with_host = base;
    with_host.options = {"-ccbin", made.folder / "host"};
    CHECK(runs(with_host, source) == 1);
    CHECK(runs(with_host, source) == 0);
    write_file(made.folder / "host", "#!/bin/sh\n# a newer one\n");
    CHECK(runs(with_host, source) == 1);
    CHECK(runs(with_host, source) == 0);
  }
  SECTION("without an nvcc what one has compiled is found") {
    // Its toolkit's headers are gone with it: only what needs none of them.
    const std::string own = "#include \"mine.h\"\n";
    CHECK(runs(base, own) == 1);
    fs::remove(made.path());
    CHECK(called(on.context, compile(base, compiler, own)) == std::vector<int>{2, 4, 6});
    CHECK(last.counters().from_disk == 1);
    CHECK_THROWS_AS(compile(base, compiler, source + "\n"), yoke::compile_error);
  }
  SECTION("a failure is not kept") {
    made.say("*= 2", "echo run >> " + (made.folder / "runs") + "; echo no such thing >&2; exit 3\n");
    for (int round = 0; round < 2; ++round) {
      const std::size_t before = made.runs();
      try {
        (void)compile(base, compiler, "// broken\n");
        FAIL("compiled");
      } catch (const yoke::compile_error& e) {
        CHECK_THAT(e.what(), ContainsSubstring("no such thing") && ContainsSubstring("ended with status 3"));
      }
      CHECK(made.runs() == before + 1);
    }
    CHECK(last.disk().list().size() == 1);
  }
  SECTION("what is kept in a folder is there of a hit too") {
    cu::compile_options options = base;
    options.keep = scratch / "kept";
    const auto compiled = compile(options, compiler, source + "// kept\n");
    CHECK(contents(compiled.kept_folder() + "/binary.cubin").empty() == false);
    CHECK_THAT(contents(compiled.kept_folder() + "/options.txt"), ContainsSubstring("nvcc --cubin"));
    const auto loaded = compile(options, compiler, source + "// kept\n");
    CHECK(last.counters().from_disk == 1);
    CHECK(loaded.kept_folder() != compiled.kept_folder());
    CHECK(contents(loaded.kept_folder() + "/source.cu") == source + "// kept\n");
    CHECK(contents(loaded.kept_folder() + "/log.txt") == contents(compiled.kept_folder() + "/log.txt"));
  }
}

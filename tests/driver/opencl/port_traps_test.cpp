// SPDX-License-Identifier: MIT
// Where drivers crash, hang or corrupt instead of refusing (PoCL 3.1 above all), the library refuses before them.
#include <support/devices/background.hpp>
#include <support/devices/build_options.hpp>
#include <support/devices/devices.hpp>
#include <support/drivers/raw_opencl.hpp>

#include <yoke/opencl/opencl.hpp>

#include <memory>

using namespace yoke_test;
namespace ocl = yoke::opencl;

namespace {

constexpr const char* source = R"(
__kernel void twice(__global int* a) { a[get_global_id(0)] *= 2; }
__kernel void scratch(__global int* a, __local int* b) { b[0] = a[0]; a[0] = b[0]; }
__kernel void both(__global int* a, __global const int* b) { a[get_global_id(0)] += b[get_global_id(0)]; }
)";

struct fixture {
  opencl_interposer driver{raw_opencl()};
  ocl::context context;
  ocl::stream stream;
  ocl::module module;
  explicit fixture(const opencl_device& device)
      : context(through(driver, device)), stream(context), module(yoke::compile(context, source)) {}
};

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

YOKE_OPENCL_TEST_CASE("a source is always built with a language standard", "[driver][opencl][trap]") {
  // PoCL 3.1 builds OpenCL C 3.0 when none is given, although its devices say 1.2.
  opencl_interposer driver(raw_opencl());
  std::vector<std::string> options;
  record_options(driver, options);
  const ocl::context context{through(driver, device)};
  (void)yoke::compile(context, source);
  (void)yoke::compile(context, source, {.standard = "CL1.1"});
  (void)yoke::compile(context, source, {.options = {"-cl-std=CL1.2", "-cl-mad-enable"}});
  REQUIRE(options.size() == 3);
  CHECK_THAT(options[0], ContainsSubstring("-cl-std=CL1.2"));
  CHECK_THAT(options[1], ContainsSubstring("-cl-std=CL1.1"));
  CHECK_THAT(options[2], ContainsSubstring("-cl-mad-enable"));
  for (const std::string& each : options) {
    CHECK(occurrences(each, "-cl-std=") == 1);
    CHECK(occurrences(each, "-cl-kernel-arg-info") == 1);
  }
}

YOKE_OPENCL_TEST_CASE("a binary is built with argument info asked for again", "[driver][opencl][trap]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  const auto binary = yoke::compile(context, source).export_binary();
  std::vector<std::string> options;
  record_options(driver, options);
  (void)yoke::load(context, binary);
  REQUIRE(options.size() == 1);
  CHECK_THAT(options[0], ContainsSubstring("-cl-kernel-arg-info"));
}

YOKE_OPENCL_TEST_CASE("queues of the device are never asked for", "[driver][opencl][trap]") {
  // PoCL 3.1 ends the process on one.
  opencl_interposer driver(raw_opencl());
  abi::ulong seen = 0;
  driver.replace<&abi::functions::create_queue>(
      [&](abi::context in, abi::device on, abi::ulong flags, abi::status* status) {
        seen |= flags;
        return driver.real().create_queue(in, on, flags, status);
      });
  const ocl::context context{through(driver, device)};
  const ocl::stream plain{context}, timed{context, {.timing = true, .non_blocking = true}};
  const ocl::pagelocked_array<int> host{context, 4};
  if ((ocl::get(device, ocl::info::queue_on_host_properties) & abi::queue_out_of_order) != 0) {
    const ocl::out_of_order_stream loose{context, {.timing = true}};
  }
  CHECK((seen & ~(abi::queue_out_of_order | abi::queue_profiling)) == 0);
  CHECK((seen & abi::queue_profiling) != 0);
}

YOKE_OPENCL_TEST_CASE("too much local memory is refused before the launch", "[driver][opencl][trap]") {
  // PoCL 3.1 aborts in a worker thread.
  fixture f(device);
  const auto scratch = f.module.get_kernel<void(int*, yoke::local<int>)>("scratch");
  ocl::device_allocation<int> memory{f.context, 4};
  const std::size_t limit = device.limits().local_memory_bytes;
  const std::size_t mark = f.driver.mark();
  const auto refused = [&](auto launch) {
    try {
      launch();
      FAIL_CHECK("more local memory than the device has was accepted");
    } catch (const yoke::launch_error& e) {
      CHECK(e.code() == yoke::errc::launch_failed);
      CHECK_THAT(e.what(), ContainsSubstring("local memory of "));
      CHECK_THAT(e.what(), ContainsSubstring("exceeds this device's " + std::to_string(limit)));
    }
  };
  const yoke::local<int> too_much(limit / sizeof(int) + 1);
  refused([&] { scratch(f.stream, {.grid = 1, .block = 1}, memory, too_much); });
  refused([&] { (void)scratch.enqueue(f.stream, {.grid = 1, .block = 1}, memory, too_much); });
  CHECK(f.driver.count("enqueue_kernel", mark) == 0);
  CHECK(f.driver.count("set_kernel_arg", mark) == 0);
  scratch(f.stream, {.grid = 1, .block = 1}, memory, yoke::local<int>(0));  // drivers refuse no bytes
  f.stream.synchronize();
}

YOKE_OPENCL_TEST_CASE("memory of another context is refused before it is an argument", "[driver][opencl][trap]") {
  // PoCL 3.1 accepts it and corrupts its heap.
  fixture f(device);
  const ocl::context elsewhere{through(f.driver, device)};
  const ocl::stream foreign_stream{elsewhere};
  const auto both = f.module.get_kernel<void(int*, const int*)>("both");
  ocl::device_allocation<int> own{f.context, 4}, foreign{elsewhere, 4};
  std::vector<int> host(4);
  const std::size_t mark = f.driver.mark();
  const auto refused = [&](auto action, const std::string& words) {
    try {
      action();
      FAIL_CHECK("objects of two contexts were used together: " << words);
    } catch (const yoke::logic_error& e) {
      CHECK(e.code() == yoke::errc::wrong_context);
      CHECK_THAT(e.what(), ContainsSubstring(words));
    }
  };
  const yoke::launch_shape shape{.grid = 1, .block = 4};
  refused([&] { both(f.stream, shape, foreign, own); }, "argument 1 is of another context");
  refused([&] { both(f.stream, shape, own, foreign.span()); }, "argument 2 is of another context");
  refused([&] { both(foreign_stream, shape, foreign, foreign); }, "the kernel is of another context");
  refused([&] { yoke::copy(host, foreign, f.stream); }, "the destination is of another context");
  refused([&] { yoke::copy(foreign, own, f.stream); }, "the source is of another context");
  refused([&] { yoke::fill(foreign, 1, f.stream); }, "of another context");
  CHECK(f.driver.count("set_kernel_arg", mark) == 0);
  CHECK(f.driver.count_all(mark) == 0);
}

YOKE_OPENCL_TEST_CASE("a grid or block of nothing is refused, launch_over(0) launches nothing",
                      "[driver][opencl][trap]") {
  // PoCL 3.1 accepts a global size of 0.
  fixture f(device);
  const auto twice = f.module.get_kernel<void(int*)>("twice");
  ocl::device_allocation<int> memory{f.context, 4};
  const std::size_t mark = f.driver.mark();
  CHECK_THROWS_AS(twice(f.stream, {.grid = 0, .block = 4}, memory), yoke::launch_error);
  CHECK_THROWS_AS(twice(f.stream, {.grid = {1, 0}, .block = 4}, memory), yoke::launch_error);
  CHECK_THROWS_AS(twice(f.stream, {.grid = 1, .block = {4, 1, 0}}, memory), yoke::launch_error);
  twice(f.stream, yoke::launch_over(0), memory);
  CHECK(f.driver.count_all(mark) == 0);
}

YOKE_OPENCL_TEST_CASE("memory may end right behind its launch, and a kernel keeps none of it",
                      "[driver][opencl][trap]") {
  // PoCL 3.1 aborts on a kernel whose argument was released: arguments are set anew for each launch.
  fixture f(device);
  const auto twice = f.module.get_kernel<void(int*)>("twice");
  for (int i = 0; i < 30; ++i) {
    ocl::device_allocation<int> memory{f.context, 4};
    yoke::fill(memory, i, f.stream);
    twice(f.stream, {.grid = 1, .block = 4}, memory);
  }
  twice(f.stream, {.grid = 1, .block = 4}, std::make_unique<ocl::device_allocation<int>>(f.context, 4)->span());
  f.stream.synchronize();
  CHECK(f.driver.count("set_kernel_arg") >= 31);
}

YOKE_OPENCL_TEST_CASE("intermediate code is refused where the device lists none", "[driver][opencl][trap]") {
  // PoCL 3.1 has clCreateProgramWithIL and answers CL_INVALID_VALUE for a sound module.
  opencl_interposer driver(raw_opencl());
  std::string version;
  driver.replace<&abi::functions::get_device_info>(
      [&](abi::device of, abi::uint what, std::size_t bytes, void* out, std::size_t* size) {
        if (what != ocl::info::il_version.code) return driver.real().get_device_info(of, what, bytes, out, size);
        if (size != nullptr) *size = version.size() + 1;
        if (out != nullptr) std::copy_n(version.c_str(), std::min(bytes, version.size() + 1), static_cast<char*>(out));
        return abi::status{0};
      });
  std::size_t given = 0;
  driver.replace<&abi::functions::create_program_with_il>(
      [&](abi::context, const void*, std::size_t length, abi::status* status) {
        given = length;
        *status = -44;
        return abi::program{nullptr};
      });
  const ocl::context context{through(driver, device)};
  std::vector<std::byte> module(40);
  const std::byte magic[] = {std::byte{0x03}, std::byte{0x02}, std::byte{0x23}, std::byte{0x07}};
  std::copy(std::begin(magic), std::end(magic), module.begin());

  try {
    (void)yoke::load_intermediate(context, module);
    FAIL("intermediate code was accepted");
  } catch (const yoke::unsupported_error& e) {
    CHECK(e.code() == yoke::errc::unsupported);
    CHECK_THAT(e.what(), ContainsSubstring("takes no intermediate language"));
  }
  CHECK(driver.count("create_program_with_il") == 0);

  version = "SPIR-V_1.2";
  for (const std::ptrdiff_t length : {0, 4, 16, 19, 39}) {  // too short, or no whole words
    const std::vector<std::byte> part(module.begin(), module.begin() + length);
    try {
      (void)yoke::load_intermediate(context, part);
      FAIL_CHECK(length << " bytes were accepted");
    } catch (const yoke::logic_error& e) {
      CHECK(e.code() == yoke::errc::incompatible_binary);
    }
  }
  const std::vector<std::byte> text(64, std::byte{'x'});
  CHECK_THROWS_WITH(yoke::load_intermediate(context, text), ContainsSubstring("64 bytes is not a SPIR-V module"));
  CHECK(driver.count("create_program_with_il") == 0);

  CHECK_THROWS_AS(yoke::load_intermediate(context, module), yoke::logic_error);  // the driver's own answer now
  CHECK(given == 40);
  std::reverse(module.begin(), module.begin() + 4);  // the other byte order
  CHECK_THROWS_AS(yoke::load_intermediate(context, module), yoke::logic_error);
  CHECK(driver.count("create_program_with_il") == 2);
}

YOKE_OPENCL_TEST_CASE("a span that starts inside its memory is no argument, and says what would be",
                      "[driver][opencl][trap]") {
  fixture f(device);
  const auto twice = f.module.get_kernel<void(int*)>("twice");
  ocl::device_allocation<int> memory{f.context, 1024};
  const std::size_t mark = f.driver.mark();
  try {
    twice(f.stream, {.grid = 1, .block = 4}, memory.subspan(1, 4));
    FAIL("a span with an offset was launched");
  } catch (const yoke::logic_error& e) {
    CHECK(e.code() == yoke::errc::misaligned);
    CHECK_THAT(e.what(), ContainsSubstring("starts at byte 4"));
    CHECK_THAT(e.what(), ContainsSubstring("multiple of " + std::to_string(device.limits().base_alignment_bytes)));
  }
  CHECK(f.driver.count("enqueue_kernel", mark) == 0);
  twice(f.stream, {.grid = 1, .block = 4}, memory.subspan(0, 4));
  f.stream.synchronize();
}

YOKE_OPENCL_TEST_CASE("more blocks than the driver counts are refused before the launch", "[driver][opencl][trap]") {
  // PoCL 3.1 ends the process, or runs as many as 32 bits of the number say.
  if (!is_pocl(device)) {
    YOKE_SKIP("the protection is PoCL's");
  }
  fixture f(device);
  const auto twice = f.module.get_kernel<void(int*)>("twice");
  ocl::device_allocation<int> memory{f.context, 4};
  const std::size_t mark = f.driver.mark();
  constexpr std::size_t many = std::size_t{1} << 32;
  for (const yoke::extent3 grid : {yoke::extent3{many}, yoke::extent3{many + 16}, yoke::extent3{1 << 16, 1 << 16},
                                   yoke::extent3{1 << 12, 1 << 12, 1 << 8}}) {
    CHECK_THROWS_AS(twice(f.stream, {.grid = grid, .block = 1}, memory), yoke::launch_error);
    CHECK_THROWS_WITH(twice(f.stream, {.grid = grid, .block = 1}, memory),
                      ContainsSubstring(" blocks, which exceeds the 4294967295 that PoCL counts"));
  }
  CHECK(f.driver.count("enqueue_kernel", mark) == 0);
}

YOKE_OPENCL_TEST_CASE("a blocking command tells when its own event has failed", "[driver][opencl][trap]") {
  // PoCL 3.1 calls a blocking command a success although one before it failed, with a user event: only its event knows.
  fixture f(device);
  ocl::user_event(f.context).complete();
  ocl::device_allocation<int> memory{f.context, 64};
  yoke::fill(memory, 7, f.stream);
  std::vector<int> host(64, -1);
  const yoke::box_layout box{.width = 3, .height = 4, .row_pitch = 7};
  const auto tells = [&](const char* call, auto command) {
    INFO(call);
    const std::size_t mark = f.driver.mark();
    f.driver.fail_function("wait_for_events", 1, fault_mode::once, abi::event_wait_failed);
    CHECK_THROWS_AS(command(), yoke::runtime_error);
    CHECK(f.driver.count(call, mark) == 1);
    CHECK(f.driver.count("wait_for_events", mark) == 1);
  };
  tells("enqueue_read_buffer", [&] { yoke::copy(memory, host, f.stream); });
  tells("enqueue_read_buffer_rect",
        [&] { yoke::copy(yoke::strided(memory, box), yoke::strided(host, box), f.stream); });
  tells("enqueue_write_buffer", [&] { yoke::copy(host, memory, f.stream); });
  tells("enqueue_map_buffer", [&] { (void)ocl::map(memory, f.stream, ocl::map_read); });
  yoke::copy(memory, host, f.stream);  // nothing is mapped any more
  if (!yoke::opencl::port{}.svm(device.native_handle(), {}).coarse) return;
  ocl::svm_allocation<int, ocl::svm::coarse> shared{f.context, 64};
  yoke::fill(shared, 7, f.stream);
  tells("enqueue_svm_copy", [&] { yoke::copy(shared, host, f.stream); });
  tells("enqueue_svm_map", [&] { (void)shared.map(f.stream, ocl::map_read); });
  yoke::copy(shared, host, f.stream);
  CHECK(host == std::vector<int>(64, 7));
}

YOKE_OPENCL_TEST_CASE("a binary that PoCL was still putting together is asked for again", "[driver][opencl][trap]") {
  if (!is_pocl(device)) {
    YOKE_SKIP("the protection is PoCL's");
  }
  fixture on(device);
  const auto binary = on.module.export_binary();
  std::size_t bytes_of_it = 0;
  REQUIRE(on.driver.real().get_program_info(on.module.native_handle(), abi::program_binary_sizes, sizeof bytes_of_it,
                                            &bytes_of_it, nullptr) == 0);
  int asked = 0;
  int cut = 1;  // how many answers end too early
  bool nameless = false;
  bool torn = false;
  on.driver.replace<&abi::functions::get_program_info>(
      [&](abi::program program, abi::uint what, std::size_t size, void* value, std::size_t* needed) {
        const abi::status status = on.driver.real().get_program_info(program, what, size, value, needed);
        if (what == abi::program_binaries && ++asked <= cut)
          static_cast<unsigned char**>(value)[0][40] ^= static_cast<unsigned char>(asked);
        if (what == abi::program_binaries && nameless) {  // the same each time, and of no use
          unsigned char* const bytes = static_cast<unsigned char**>(value)[0];
          std::fill(bytes + 16, bytes + bytes_of_it, static_cast<unsigned char>(0));
        }
        if (what == abi::program_binaries && torn) {  // its program was empty when PoCL read it
          const std::string_view name = "/program.bc";
          unsigned char* const bytes = static_cast<unsigned char**>(value)[0];
          std::fill_n(std::search(bytes, bytes + 256, name.begin(), name.end()) + name.size(), 4,
                      static_cast<unsigned char>(0));
        }
        return status;
      });
  CHECK(on.module.export_binary() == binary);
  CHECK(asked == 3);
  asked = 0;
  cut = 100;
  CHECK_THROWS_AS(on.module.export_binary(), yoke::unsupported_error);
  cut = 0;
  nameless = true;
  CHECK_THROWS_AS(on.module.export_binary(), yoke::unsupported_error);
  nameless = false;
  torn = true;
  CHECK_THROWS_AS(on.module.export_binary(), yoke::unsupported_error);
  torn = false;
  CHECK(on.module.export_binary() == binary);
}

// SPDX-License-Identifier: MIT
// Damaged, foreign and made-up binaries are refused before the driver sees a byte of them.
#include <support/devices/background.hpp>
#include <support/devices/devices.hpp>
#include <support/drivers/raw_opencl.hpp>

#include <yoke/core/sha256.hpp>
#include <yoke/opencl/names.hpp>

#include <cstring>

using namespace yoke_test;
namespace ocl = yoke::opencl;

namespace {

using bytes = std::vector<std::byte>;

constexpr const char* source = "__kernel void twice(__global int* a) { a[get_global_id(0)] *= 2; }";

struct fixture {
  opencl_interposer driver{raw_opencl()};
  ocl::context context;
  bytes binary;
  explicit fixture(const opencl_device& device)
      : context(through(driver, device)), binary(yoke::compile(context, source).export_binary()) {}

  /// Whether loading is refused as a binary that does not fit, without a call that hands it to the driver.
  [[nodiscard]] bool refused(const bytes& given, const std::string& words = "") {
    const std::size_t mark = driver.mark();
    try {
      (void)yoke::load(context, given);
      return false;
    } catch (const yoke::logic_error& e) {
      return e.code() == yoke::errc::incompatible_binary && driver.count("create_program_with_binary", mark) == 0 &&
             driver.count("build_program", mark) == 0 && std::strstr(e.what(), words.c_str()) != nullptr;
    }
  }
};

/// Effects: makes the checksum fit again, as somebody would who meddles with the bytes on purpose.
void sign(bytes& binary) {
  const auto digest = yoke::detail::sha256(std::span{binary}.first(binary.size() - 32));
  std::copy(digest.begin(), digest.end(), binary.end() - 32);
}

}  // namespace

YOKE_OPENCL_TEST_CASE("an exported binary loads and runs", "[driver][opencl]") {
  fixture f(device);
  const ocl::module loaded = yoke::load(f.context, f.binary);
  CHECK(loaded.kernel_names() == std::vector<std::string>{"twice"});
  const auto twice = loaded.get_kernel<void(int*)>("twice");
  const ocl::stream stream{f.context};
  std::vector<int> host{1, 2, 3, 4};
  twice(stream, {.grid = 1, .block = 4}, yoke::in_out(host));
  CHECK(host == std::vector{2, 4, 6, 8});
  CHECK(loaded.export_binary().size() > 44);
}

YOKE_OPENCL_TEST_CASE("a truncated binary never reaches the driver", "[driver][opencl]") {
  fixture f(device);
  const std::size_t size = f.binary.size();
  const std::size_t step = std::max<std::size_t>(1, size / 150);
  std::vector<std::size_t> lengths{size - 1, size - 31, size - 32, size - 33};
  for (std::size_t length = 0; length < std::min<std::size_t>(size, 100); ++length) lengths.push_back(length);
  for (std::size_t length = 100; length < size; length += step) lengths.push_back(length);
  for (const std::size_t length : lengths) {
    if (!f.refused(bytes(f.binary.begin(), f.binary.begin() + static_cast<std::ptrdiff_t>(length)))) {
      FAIL_CHECK("the first " << length << " of " << size << " bytes were not refused");
    }
  }
  bytes longer = f.binary;
  longer.push_back(std::byte{0});
  CHECK(f.refused(longer));
}

YOKE_OPENCL_TEST_CASE("a binary with one wrong bit never reaches the driver", "[driver][opencl]") {
  fixture f(device);
  const std::size_t step = std::max<std::size_t>(1, f.binary.size() / 200);
  for (std::size_t at = 0; at < f.binary.size(); at += at < 64 ? 1 : step) {
    const std::byte before = f.binary[at];
    f.binary[at] ^= std::byte{1} << static_cast<int>(at % 8);
    if (!f.refused(f.binary)) FAIL_CHECK("a flipped bit in byte " << at << " was not refused");
    f.binary[at] = before;
  }
  CHECK_NOTHROW(yoke::load(f.context, f.binary));
}

YOKE_OPENCL_TEST_CASE("a binary of another kind is refused in words", "[driver][opencl]") {
  fixture f(device);
  CHECK(f.refused({}, "binary of 0 bytes: too short"));
  CHECK(f.refused(bytes(4096, std::byte{0x5A}), "not one that export_binary() wrote"));
  const char elf[64] =
      "\x7f"
      "ELF";
  const auto raw = std::as_bytes(std::span{elf});
  CHECK(f.refused(bytes(raw.begin(), raw.end()), "not one that export_binary() wrote"));
  bytes damaged = f.binary;
  damaged[damaged.size() / 2] ^= std::byte{1};
  CHECK(f.refused(damaged, "its checksum does not fit"));
}

YOKE_OPENCL_TEST_CASE("a binary of another device or driver is refused with both names", "[driver][opencl]") {
  fixture f(device);
  // The identity is text behind magic, count and length: this one says another device made it.
  bytes foreign = f.binary;
  foreign[16] = std::byte{'#'};
  sign(foreign);
  CHECK(f.refused(foreign, "the binary was made for \"#"));
  CHECK(f.refused(foreign, device.name().c_str()));
}

YOKE_OPENCL_TEST_CASE("a signed container with impossible lengths is refused", "[driver][opencl]") {
  fixture f(device);
  const auto put = [&](std::size_t at, std::uint32_t value) {
    bytes changed = f.binary;
    for (std::size_t i = 0; i < 4; ++i) changed[at + i] = static_cast<std::byte>(value >> (8 * i));
    sign(changed);
    return changed;
  };
  CHECK(f.refused(put(8, 0), "its entries are damaged"));            // no entry
  CHECK(f.refused(put(8, 0xffffffff), "its entries are damaged"));   // more entries than bytes
  CHECK(f.refused(put(12, 0xffffffff), "its entries are damaged"));  // a name past the end
  CHECK(f.refused(put(12, 0), "its entries are damaged"));
  bytes empty(f.binary.begin(), f.binary.begin() + 8);
  empty.insert(empty.end(), 44, std::byte{0});
  sign(empty);
  CHECK(f.refused(empty, "its entries are damaged"));
}

YOKE_OPENCL_TEST_CASE("a binary with a file that PoCL had not written yet is refused before PoCL ends the process",
                      "[driver][opencl][trap]") {
  if (!is_pocl(device)) {
    YOKE_SKIP("the protection is PoCL's");
  }
  fixture f(device);
  const std::string_view all{reinterpret_cast<const char*>(f.binary.data()), f.binary.size()};
  const std::size_t program = all.find("/program.bc");
  REQUIRE(program != std::string_view::npos);
  std::memset(f.binary.data() + program + 11, 0, 4);  // the length of what is in it
  sign(f.binary);
  CHECK(f.refused(f.binary, "it contains files of PoCL that are cut short"));
}

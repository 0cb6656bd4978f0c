// SPDX-License-Identifier: MIT
// PoCL puts a program's binary together from files that other processes may be writing: no torn one is kept or loaded.
#include <support/devices/background.hpp>
#include <support/devices/devices.hpp>

#include <yoke/driver/opencl/program/pocl_binary.hpp>
#include <yoke/opencl/names.hpp>

#include <cstring>
#include <string>

using namespace yoke_test;
namespace ocl = yoke::opencl;
using ocl::detail::is_whole_file;
using ocl::detail::is_whole_pocl_binary;

namespace {

using bytes = std::vector<std::byte>;

bytes operator+(bytes left, const bytes& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

bytes text(const std::string& letters) {
  const auto view = std::as_bytes(std::span{letters});
  return {view.begin(), view.end()};
}

template <class Integer>
bytes number(Integer value) {
  bytes out;
  yoke::detail::put(out, value);
  return out;
}

bytes file(const std::string& name, const bytes& content) {
  return number(static_cast<std::uint32_t>(name.size())) + text(name) +
         number(static_cast<std::uint32_t>(content.size())) + content;
}

bytes kernel(const std::string& name, const bytes& files) {
  const bytes told = number(std::uint32_t{0}) + number(static_cast<std::uint32_t>(name.size())) + text(name);
  return number(std::uint64_t{16 + told.size() + files.size()}) + number(std::uint64_t{files.size()}) + told + files;
}

/// A block of LLVM's bitcode with some words.
bytes block(std::uint32_t number_of_it, std::uint32_t words) {
  return number(0x1401U | number_of_it << 2) + number(words) + bytes(4 * words);
}

/// A file of it as PoCL has it for "program.bc": who wrote it, the module, its names.
bytes bitcode() { return number(0xdec04342U) + block(13, 1) + block(8, 3) + block(23, 2); }

/// A file of ELF whose table of sections is at its end.
bytes elf(std::uint64_t table = 96) {
  return text("\177ELF\2") + bytes(35) + number(table) + bytes(10) + number(std::uint16_t{64}) +
         number(std::uint16_t{1}) + bytes(96 + 64 - 62);
}

bytes head(std::uint32_t version, std::uint32_t kernels) {
  return text(std::string("poclbin\0", 8)) + bytes(8) + number(version) + number(kernels) +
         bytes(version < 10 ? 61 : 69);
}

bytes whole(std::uint32_t version, const bytes& program, const bytes& variables, const bytes& machine_code) {
  return head(version, 2) + file("/program.bc", program) + variables +
         kernel("alpha", file("/alpha/0-0-0/alpha.so", machine_code) + file("/alpha/8-1-1/alpha.so", elf())) +
         kernel("beta", file("/beta/0-0-0/beta.so", elf()));
}

bytes first_of(const bytes& all, std::size_t count) {
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

TEST_CASE("whether a file was written to its end is told by what it says of itself", "[driver][opencl]") {
  CHECK(is_whole_file("/program.bc", bitcode()));
  CHECK(is_whole_file("/a/0-0-0/a.so", elf()));
  CHECK(is_whole_file("/a/0-0-0/a.txt", text("x")));
  for (const char* name : {"/program.bc", "/a.so", "/a.txt"}) CHECK_FALSE(is_whole_file(name, {}));
  for (std::size_t count = 0; count < bitcode().size(); ++count) {
    if (is_whole_file("/program.bc", first_of(bitcode(), count))) FAIL_CHECK("the first " << count << " of bitcode");
  }
  for (std::size_t count = 0; count < elf().size(); ++count) {
    if (is_whole_file("/a.so", first_of(elf(), count))) FAIL_CHECK("the first " << count << " of ELF");
  }
  // As long as it will be, and not written yet; from some place on, or whole.
  for (std::size_t count = 0; count < 40; ++count) {
    CHECK_FALSE(is_whole_file("/program.bc", first_of(bitcode(), count) + bytes(bitcode().size() - count)));
    if (count != 0 && count < 5) continue;  // not the head of one that is known
    CHECK_FALSE(is_whole_file("/a.so", first_of(elf(), count) + bytes(elf().size() - count)));
  }
  const bytes start = number(0xdec04342U);
  CHECK_FALSE(is_whole_file("/program.bc", start + block(13, 1) + block(23, 2)));  // no module
  CHECK_FALSE(is_whole_file("/program.bc", start + block(8, 3) + block(25, 2)));   // no names behind it
  CHECK_FALSE(is_whole_file("/program.bc", elf()));
  CHECK_FALSE(is_whole_file("/a.so", elf(97)));
  CHECK_FALSE(is_whole_file("/a.so", elf(~std::uint64_t{0} - 63)));  // whose end is one of few bytes
  CHECK_FALSE(is_whole_file("/a.so", elf(0)));
  // What is not looked at.
  CHECK(is_whole_file("/program.bc", number(0x0b17c0deU) + bytes(16)));
  CHECK(is_whole_file("/a.so", text("\177ELF\1") + bytes(90, std::byte{0xff})));  // of 32 bits: it has other places
  CHECK_FALSE(is_whole_file("/a.so", text("\177ELF\1") + bytes(40)));
  CHECK(is_whole_file("/a.so", text("of another system")));
}

TEST_CASE("a binary of PoCL is whole when all of its files are", "[driver][opencl]") {
  const bytes variables = file("/pocl.gvar.init/0-0-0/pocl.gvar.init.so", elf());
  const bytes with_length = number(std::uint64_t{variables.size()}) + variables;
  for (const std::uint32_t version : {6U, 9U, 11U}) {
    INFO("version " << version);
    CHECK(is_whole_pocl_binary(whole(version, bitcode(), {}, elf())));
    CHECK(is_whole_pocl_binary(whole(version, bitcode(), with_length, elf())));
    CHECK_FALSE(is_whole_pocl_binary(whole(version, {}, {}, elf())));
    CHECK_FALSE(is_whole_pocl_binary(head(version, 1) + kernel("alpha", file("/alpha/0-0-0/alpha.so", elf()))));
    const bytes late = file("/alpha/a.txt", text(std::string(300, 'x'))) + file("/program.bc", bitcode());
    CHECK_FALSE(is_whole_pocl_binary(head(version, 1) + kernel("alpha", late)));  // not where the program has to be
    CHECK_FALSE(is_whole_pocl_binary(whole(version, first_of(bitcode(), 28), {}, elf())));
    CHECK_FALSE(is_whole_pocl_binary(whole(version, bitcode(), {}, {})));
    CHECK_FALSE(is_whole_pocl_binary(whole(version, bitcode(), {}, first_of(elf(), 90))));
    const bytes empty = file("/pocl.gvar.init/0-0-0/pocl.gvar.init.so", {});
    CHECK_FALSE(is_whole_pocl_binary(whole(version, bitcode(), number(std::uint64_t{empty.size()}) + empty, elf())));
    CHECK_FALSE(
        is_whole_pocl_binary(head(version, 1) + file("/program.bc", bitcode()) + kernel("nameless", file("", elf()))));
    const bytes all = whole(version, bitcode(), with_length, elf());
    CHECK_FALSE(is_whole_pocl_binary(all + bytes(1)));
    const std::size_t program = head(version, 2).size();
    for (std::size_t count = program + 15; count < all.size(); ++count) {  // from behind the first file's name on
      if (is_whole_pocl_binary(first_of(all, count))) FAIL_CHECK("the first " << count << " of " << all.size());
    }
  }
}

TEST_CASE("lengths that no bytes back make no binary of PoCL whole, and read nothing past its end",
          "[driver][opencl]") {
  const bytes sound = whole(9, bitcode(), {}, elf());
  const std::size_t program = head(9, 2).size();
  const std::size_t first = program + file("/program.bc", bitcode()).size();
  const auto with = [&](std::size_t at, std::uint64_t value, std::size_t wide) {
    bytes changed = sound;
    for (std::size_t i = 0; i < wide; ++i) changed[at + i] = static_cast<std::byte>(value >> (8 * i));
    return changed;
  };
  CHECK_FALSE(is_whole_pocl_binary(with(20, 3, 4)));                         // a kernel more than there are
  CHECK_FALSE(is_whole_pocl_binary(with(20, 1, 4)));                         // and one less
  CHECK_FALSE(is_whole_pocl_binary(with(program + 4 + 11, ~0U, 4)));         // content past the end
  CHECK_FALSE(is_whole_pocl_binary(with(first, 15, 8)));                     // a kernel without room for its lengths
  CHECK_FALSE(is_whole_pocl_binary(with(first, ~std::uint64_t{0}, 8)));      // and one past the end
  CHECK_FALSE(is_whole_pocl_binary(with(first + 8, ~std::uint64_t{0}, 8)));  // files longer than the kernel
  CHECK_FALSE(is_whole_pocl_binary(with(first + 16 + 13, 0xffffffff, 4)));   // a name past the end
}

TEST_CASE("what is not known to be a binary of PoCL is left to its driver", "[driver][opencl]") {
  CHECK(is_whole_pocl_binary({}));
  CHECK(is_whole_pocl_binary(text("poclbin")));
  CHECK(is_whole_pocl_binary(elf()));
  CHECK(is_whole_pocl_binary(whole(5, {}, {}, {})));
  CHECK(is_whole_pocl_binary(whole(12, {}, {}, {})));
  CHECK(is_whole_pocl_binary(head(9, 1) + file("/program.spv", {})));
}

YOKE_OPENCL_TEST_CASE("a kernel of whose name PoCL makes no file is refused before PoCL ends the process",
                      "[driver][opencl][trap]") {
  if (!is_pocl(device)) {
    YOKE_SKIP("the protection is PoCL's");
  }
  const ocl::context context{device};
  const ocl::stream stream{context};
  const auto named = [&](const std::string& name) {
    return yoke::compile(context, "__kernel void " + name + "(__global int* a) { a[0] = 7; }");
  };
  const std::string longest(252, 'k');
  const auto module = named(longest);
  CHECK(yoke::load(context, module.export_binary()).kernel_names() == std::vector{longest});
  std::vector<int> host{0};
  module.get_kernel<void(int*)>(longest)(stream, {.grid = 1}, yoke::in_out(host));
  CHECK(host == std::vector{7});

  const auto longer = named(longest + "k");
  const auto refused = [](auto&& act) {
    try {
      act();
      FAIL_CHECK("not refused");
    } catch (const yoke::unsupported_error& e) {
      CHECK(std::strstr(e.what(), "a kernel's name of 253 letters exceeds the 252") != nullptr);
    }
  };
  refused([&] { (void)longer.get_kernel<void(int*)>(longest + "k"); });
  refused([&] { (void)longer.export_binary(); });
}

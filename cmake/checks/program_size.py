# SPDX-License-Identifier: MIT
# Catches a change by which users' programs get larger: with one launch, compared with a raw program, stripped and without the
# sections that nothing uses; and one by which a program has code of what it does not name.
"""usage: program_size.py SOURCE_DIR --compiler=CXX [--library=ARCHIVE [--only-library]] [--nm=NM] [--update]
A program with all bodies; with --library also one with the static library, and the README's program with it, linked without any
flag: whole, and as small as a user gets it. costs.py compares the sizes with those in costs.json; --update writes them there."""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import costs

RAW = """
#include <cstdio>
#include <dlfcn.h>
int main() {
  void* library = dlopen("LIBRARY", RTLD_NOW);
  auto* call = library == nullptr ? nullptr : reinterpret_cast<int (*)()>(dlsym(library, "CALL"));
  std::printf("%p\\n", reinterpret_cast<void*>(call));
}
"""
YOKE = """
#include <cstdio>
#include <vector>
#include <yoke/BACKEND/BACKEND.hpp>
#include <yoke/program/program.hpp>
NAMES
int main() {
  try {
    const yoke::BACKEND::context context{yoke::BACKEND::device{0}};
    const yoke::BACKEND::stream stream{context};
    const auto module = yoke::compile(context, "YOKE_KERNEL one(YOKE_GLOBAL float* a, int n) { a[0] = n; }" OPTIONS);
    const auto one = yoke::get_kernel<void(float*, int)>(module, "one");
    yoke::BACKEND::device_allocation<float> memory{context, 1};
    std::vector<float> host(1);
    one(stream, yoke::launch_over(1), memory, 7);
    yoke::copy(memory, host, stream);
    std::printf("%g\\n", static_cast<double>(host[0]));
    BODY
  } catch (const yoke::error& failure) {
    std::puts(failure.what());
    return 1;
  }
}
"""

# What a program names, and the functions that come along with it. The program that names all of them has each, or the list
# is out of date; the one that names nothing has none.
INCLUDES = "#include <yoke/image.hpp>"
IMAGES = """
    yoke::cuda::image<float, 2> picture{context, {4, 4}};
    const auto two = yoke::get_kernel<void(yoke::read_image<float, 2>, yoke::sampler)>(module, "two");
    two(stream, {.grid = 1}, picture, yoke::sampler{});
    yoke::fill(yoke::region(picture, {1, 1}, {2, 2}), 1.0f, stream);
    const yoke::cuda::array<float> plane{context, {.width = 4, .surface = true}};
    const yoke::cuda::texture texture(plane);
    const yoke::cuda::surface surface(plane);
"""
NAMED = {
    "an image": ["checked_shape", "region_box", "sampler_parameter_info", "check_sampler", "throw_wrong_object", "create_image",
                 "describe_image", "fill_image", "check_image_limits", "create_array", "create_texture",
                 "release_texture", "release_surface"],
}


def built(compiler, folder, name, text, flags):
    """Returns: the bytes of the program without its symbols, and the path of the one that has them."""
    source = pathlib.Path(folder, name + ".cpp")
    source.write_text(text, encoding="utf-8")
    parts = pathlib.Path(folder, name + ".o")
    program = pathlib.Path(folder, name)
    stripped = pathlib.Path(folder, name + "_stripped")
    options = ["-std=c++20", "-O2", "-DNDEBUG", "-ffunction-sections", "-fdata-sections"]
    libraries = [flag for flag in flags if not str(flag).startswith("-")]
    flags = [flag for flag in flags if str(flag).startswith("-")]
    subprocess.run([compiler, *options, *flags, "-c", source, "-o", parts], check=True)
    link = [compiler, *options, "-Wl,--gc-sections", parts, *libraries, "-ldl", "-pthread"]
    subprocess.run([*link, "-o", program], check=True)
    subprocess.run([*link, "-s", "-o", stripped], check=True)
    return stripped.stat().st_size, program


def plain_program(compiler, folder, source_dir, library):
    """Returns: the bytes of the README's program, stripped, with the library and no flag for its size."""
    readme = (source_dir / "README.md").read_text(encoding="utf-8")
    source = pathlib.Path(folder, "readme.cpp")
    source.write_text(re.search(r"```cpp\n(.*?)```", readme, re.DOTALL).group(1), encoding="utf-8")
    program = pathlib.Path(folder, "readme")
    subprocess.run([compiler, "-std=c++20", "-O2", f"-I{source_dir / 'include'}", source, library, "-s", "-ldl", "-pthread",
                    "-o", program], check=True)
    return program.stat().st_size


def functions_in(nm, program):
    """Returns: the names of the program's functions, each with the class it is of as well as alone."""
    output = subprocess.run([nm, "-C", program], check=True, capture_output=True, text=True).stdout
    names = set()
    for line in output.splitlines():
        found = re.search(r"((?:\w+::)?(\w+))(?:\[abi:\w+\])?\(", line)
        if found:
            names.update(found.groups())
    return names


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("source_dir", type=pathlib.Path)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--library", type=pathlib.Path)
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--only-library", action="store_true")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    failed, sizes = False, {}
    with tempfile.TemporaryDirectory() as folder:
        raw, _ = built(options.compiler, folder, "raw", RAW, [])
        ways = [] if options.only_library else [("all bodies in its file", ["-DYOKE_IMPLEMENTATION"])]
        if options.library is not None:
            ways.append(("the static library", [options.library]))
            whole = plain_program(options.compiler, folder, options.source_dir, options.library)
            sizes["the README's program, the static library, no flags"] = (whole + 1023) // 1024
        for way, more in ways:
            flags = [f"-I{options.source_dir / 'include'}", *more]
            plain = YOKE.replace("NAMES", "").replace("OPTIONS", "").replace("BODY", "")
            naming = (YOKE.replace("NAMES", INCLUDES).replace("OPTIONS", "").replace("BODY", IMAGES)
                      .replace("BACKEND", "cuda"))
            _, program = built(options.compiler, folder, "naming", naming, flags)
            there = functions_in(options.nm, program)
            for what, functions in NAMED.items():
                for function in sorted(set(functions) - there):
                    print(f"{function}: not in a program with {way} that names {what}: this list is out of date")
                    failed = True
            for backend in ("cuda", "opencl"):
                size, program = built(options.compiler, folder, backend, plain.replace("BACKEND", backend), flags)
                sizes[f"{backend}, {way}, more than the raw program"] = (size - raw + 1023) // 1024
                there = functions_in(options.nm, program)
                for what, functions in NAMED.items():
                    for function in sorted(set(functions) & there):
                        print(f"{backend}, {way}: the program names no {what.split(' ', 1)[-1]}, but has {function}")
                        failed = True
    compared = costs.settle(options.update, "KiB of a program", options.compiler, sizes,
                            "`nm --size-sort` of the program before and after shows which functions are new.")
    return 1 if failed else costs.status([compared])


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
# Holds how much larger a program with one launch is than the raw one: stripped, without the sections that nothing uses;
# from the headers alone, and with the static library where it is given.
"""usage: program_size.py SOURCE_DIR --compiler=CXX [--library=ARCHIVE] [--limit=KIB] [--library-limit=KIB]"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

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
int main() {
  try {
    const yoke::BACKEND::context context{yoke::BACKEND::device{0}};
    const yoke::BACKEND::stream stream{context};
    const auto module = yoke::compile(context, "YOKE_KERNEL one(YOKE_GLOBAL float* a, int n) { a[0] = n; }");
    const auto one = yoke::get_kernel<void(float*, int)>(module, "one");
    yoke::BACKEND::device_allocation<float> memory{context, 1};
    std::vector<float> host(1);
    one(stream, yoke::launch_over(1), memory, 7);
    yoke::copy(memory, host, stream);
    std::printf("%g\\n", static_cast<double>(host[0]));
  } catch (const yoke::error& failure) {
    std::puts(failure.what());
    return 1;
  }
}
"""


def stripped_size(compiler, folder, name, text, flags):
    """Returns: the bytes of the program without its symbols."""
    source = pathlib.Path(folder, name + ".cpp")
    source.write_text(text, encoding="utf-8")
    program = pathlib.Path(folder, name)
    subprocess.run([compiler, "-std=c++20", "-O2", "-DNDEBUG", "-ffunction-sections", "-fdata-sections",
                    "-Wl,--gc-sections", "-s", source, *flags, "-o", program, "-ldl", "-pthread"], check=True)
    return program.stat().st_size


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("source_dir", type=pathlib.Path)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--library", type=pathlib.Path)
    parser.add_argument("--limit", type=int, default=307)  # docs/roadmap.md says what is over 300
    parser.add_argument("--library-limit", type=int, default=315)  # and of this
    options = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        raw = stripped_size(options.compiler, folder, "raw", RAW, [])
        ways = [("the headers alone", ["-DYOKE_HEADER_ONLY"], options.limit)]
        if options.library is not None:
            ways.append(("the static library", [options.library], options.library_limit))
        for way, more, limit in ways:
            for backend in ("cuda", "opencl"):
                flags = [f"-I{options.source_dir / 'include'}", *more]
                size = stripped_size(options.compiler, folder, backend, YOKE.replace("BACKEND", backend), flags)
                added = (size - raw + 1023) // 1024
                print(f"{backend}, {way}: {added} KiB more than the {raw // 1024} KiB of a raw program; "
                      f"{limit} are allowed")
                failed = failed or added > limit
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

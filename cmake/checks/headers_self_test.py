# SPDX-License-Identifier: MIT
# Catches a headers.py that sees a fault no more: a small tree with one fault of each kind, and one with none.
"""usage: headers_self_test.py --compiler=CXX"""
import argparse
import sys

import self_test

GOOD = {
    "yoke/yoke.hpp": "#pragma once\n#include <yoke/array/storage/s.hpp>\n#include <yoke/core/one.hpp>\n#include <yoke/memory/m.hpp>\n",
    "yoke/array/storage/s.hpp": "#pragma once\n#include <yoke/array/geometry/g.hpp>\n",
    "yoke/array/geometry/g.hpp": "#pragma once\n",
    "yoke/memory/m.hpp": "#pragma once\n#include <yoke/core/c.hpp>\n#include <string>\ninline std::string m();\n"
                         "inline std::string m() { return {}; }\n",
    "yoke/core/c.hpp": "#pragma once\n#define YOKE_FINE 1\n",
    "yoke/opencl/interop.hpp": "#pragma once\n#include <CL/cl.h>\n",
    "yoke/core/one.hpp": "#pragma once\nvoid one();\n#if defined(YOKE_IMPLEMENTATION)\n#include <yoke/core/one.ipp>\n#endif\n",
    "yoke/core/one.ipp": "#include <yoke/core/one.hpp>\nvoid one() {}\n",
    "simulator/prelude/include/yoke_simulator/words.h": "#include <nowhere.h>\n",
    "simulator/machine/base/call.hpp": "#include <mutex>\n#include <yoke/core/c.hpp>\n",
    "simulator/machine/base/call.cpp": '#include "machine/base/call.hpp"\n',
    "simulator/machine/memory/memory.hpp": '#include "machine/base/call.hpp"\n',
    "simulator/driver/memory/copy_entries.cpp": '#include "machine/memory/memory.hpp"\n#include "prelude/include/yoke_simulator/words.h"\n',
    "simulator/driver/graph/graph.hpp": "\n",
}
# check, the file that is changed, its text, what the report must say
FAULTS = [
    ("graph", "yoke/core/c.hpp", "#include <yoke/memory/m.hpp>\n", "is not below it"),
    ("graph", "yoke/core/c.hpp", "#include <CL/cl.h>\n", "somebody else's"),
    ("graph", "yoke/core/c.hpp", "#include <fmt/core.h>\n", "somebody else's"),
    ("graph", "yoke/core/c.hpp", "#include <dlfcn.h>\n", "belongs in an .ipp"),
    ("graph", "yoke/core/c.hpp", "#include <cxxabi.h>\n", "a name of the global namespace"),
    ("graph", "yoke/core/c.hpp", '#include "d.hpp"\n', "should be <d.hpp>"),
    ("graph", "yoke/core/c.hpp", "#include <yoke/core/d.hpp>\n", "does not exist"),
    ("graph", "yoke/core/c.hpp", "#if defined(YOKE_OTHER)\n#include <yoke/core/one.ipp>\n#endif\n",
     "outside of #if defined(YOKE_IMPLEMENTATION)"),
    ("graph", "yoke/yoke.hpp", "#include <yoke/opencl/interop.hpp>\n", "is opt-in"),
    ("graph", "yoke/attic/a.hpp", "\n", "no floor is known"),
    ("graph", "yoke/kernels/k.ipp", "#include <yoke/core/c.hpp>\n", "stands in a text for device compilers"),
    ("graph", "yoke/kernels/k.ipp", "#include <yoke/core/c.hpp>\n", "stands in a text for device compilers"),
    ("graph", "yoke/memory/m.hpp", "#include <yoke/memory/m.hpp>\n", "circle"),
    ("graph", "yoke/core/c.hpp", "namespace yoke::inline v0_1 {}\nnamespace yoke::inline v0_2 {}\n", "of several versions: v0_1, v0_2"),
    ("graph", "yoke/array/geometry/g.hpp", "#pragma once\n#include <yoke/array/storage/s.hpp>\n", "is in a room above its own"),
    ("graph", "yoke/core/one.ipp", "struct module {};\nmodule one() { return {}; }\n", "reads as a directive of modules"),
    ("bodies", "yoke/core/two.ipp", "void two() {}\n", "there is no two.hpp beside it"),
    ("bodies", "yoke/core/one.hpp", "#pragma once\nvoid one();\n", "does not include its body"),
    ("bodies", "yoke/memory/m.hpp", "#include <yoke/core/one.ipp>\n", "is another header's body"),
    ("simulator", "simulator/machine/base/call.hpp", '#include "machine/memory/memory.hpp"\n', "is not below it"),
    ("simulator", "simulator/machine/base/call.cpp", '#include "machine/memory/memory.hpp"\n', "is not below it"),
    ("simulator", "simulator/driver/memory/copy_entries.cpp", '#include "driver/graph/graph.hpp"\n', "is not below it"),
    ("simulator", "simulator/machine/base/call.cpp", '#include "call.hpp"\n', "should be the path of a file from simulator"),
    ("simulator", "simulator/machine/base/call.cpp", "#include <machine/base/call.hpp>\n", 'should be "machine/base/call.hpp"'),
    ("simulator", "simulator/driver/memory/copy_entries.cpp", '#include "machine/base/call.cpp"\n', "is compiled by itself"),
    ("simulator", "simulator/machine/attic/a.hpp", "\n", "no floor is known for the folder machine/attic"),
    ("simulator", "simulator/machine/base/call.hpp", '#include "machine/base/call.hpp"\n', "circle"),
    ("umbrella", "yoke/memory/n.hpp", "#pragma once\n", "is not reached"),
    ("alone", "yoke/memory/m.hpp", "#pragma once\nstd::string m();\n", "does not stand alone"),
    # What is included too late, or perhaps not at all, is not there for what stands before.
    ("alone", "yoke/memory/n.hpp", "#pragma once\ninline int n = YOKE_FINE;\n#include <yoke/yoke.hpp>\n",
     "does not stand alone"),
    ("alone", "yoke/memory/n.hpp",
     "#pragma once\n#if defined(YOKE_NEVER)\n#include <yoke/yoke.hpp>\n#endif\ninline int n = YOKE_FINE;\n",
     "does not stand alone"),
    ("alone", "yoke/core/c.hpp", "struct twice {};\n", "does not stand alone"),
    ("alone", "yoke/core/c.hpp", "#pragma once\ninline int f(int min) { return min; }\ninline int small;\n", "break under"),
    ("alone", "yoke/core/c.hpp", "#pragma once\nint defined_twice() { return 1; }\n", "do not link"),
    ("alone", "yoke/opencl/interop.hpp", "#include <CL/cl.h>\n#if !defined(CL_VERSION_1_2)\n#error\n#endif\n",
     "does not stand -DCL_TARGET_OPENCL_VERSION=110 as in"),
    ("alone", "yoke/core/c.hpp", "#pragma once\n#ifdef YOKE_IMPLEMENTATION\ninline int f(long a) { return a; }\n#endif\n",
     "yoke/yoke.hpp does not stand alone -DYOKE_IMPLEMENTATION"),
    ("macros", "yoke/core/c.hpp", "#pragma once\n#define LEFT_BEHIND 1\n", "LEFT_BEHIND is left behind"),
]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--compiler", required=True)
    compiler = parser.parse_args().compiler

    def arguments(check):
        return lambda root: [check, f"{root}/simulator" if check == "simulator" else root, f"--compiler={compiler}"]

    return self_test.run("headers.py", GOOD, [(arguments(check), "0 problems") for check in
                                              ("alone", "bodies", "graph", "macros", "simulator", "umbrella")],
                         [(arguments(check), *fault) for check, *fault in FAULTS])


if __name__ == "__main__":
    sys.exit(main())

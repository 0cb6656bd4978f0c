// SPDX-License-Identifier: MIT
// A consumer's own library, so that its export has a target that links yoke.
#include <yoke/opencl.hpp>

int answer();

int answer() { return YOKE_VERSION; }

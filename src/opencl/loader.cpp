// SPDX-License-Identifier: MIT
// The library's part for finding OpenCL's driver.
#include <yoke/driver/opencl/loader.ipp>

// SPDX-License-Identifier: MIT
// Compiles the bodies of the OpenCL port.
#include <yoke/driver/opencl/impl/error.ipp>
#include <yoke/driver/opencl/impl/execution.ipp>
#include <yoke/driver/opencl/impl/loader.ipp>
#include <yoke/driver/opencl/impl/memory.ipp>
#include <yoke/driver/opencl/impl/program.ipp>
#include <yoke/driver/opencl/impl/svm.ipp>
#include <yoke/opencl/impl/device.ipp>

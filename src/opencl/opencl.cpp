// SPDX-License-Identifier: MIT
// Compiles the bodies of the OpenCL port and of what only OpenCL has.
#include <yoke/driver/opencl/impl/build.ipp>
#include <yoke/driver/opencl/impl/context.ipp>
#include <yoke/driver/opencl/impl/device.ipp>
#include <yoke/driver/opencl/impl/error.ipp>
#include <yoke/driver/opencl/impl/event.ipp>
#include <yoke/driver/opencl/impl/kernel.ipp>
#include <yoke/driver/opencl/impl/language.ipp>
#include <yoke/driver/opencl/impl/launch.ipp>
#include <yoke/driver/opencl/impl/link.ipp>
#include <yoke/driver/opencl/impl/loader.ipp>
#include <yoke/driver/opencl/impl/memory.ipp>
#include <yoke/driver/opencl/impl/port.ipp>
#include <yoke/driver/opencl/impl/stream.ipp>
#include <yoke/driver/opencl/impl/svm.ipp>
#include <yoke/opencl/impl/compiler.ipp>
#include <yoke/opencl/impl/device.ipp>
#include <yoke/opencl/impl/link.ipp>
#include <yoke/opencl/impl/map.ipp>
#include <yoke/opencl/impl/names.ipp>
#include <yoke/opencl/impl/svm.ipp>
#include <yoke/opencl/impl/user_event.ipp>

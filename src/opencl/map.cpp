// SPDX-License-Identifier: MIT
// The library's part for mapped and shared virtual memory.
#include <yoke/driver/opencl/memory/svm.ipp>

#include <yoke/opencl/memory/map.ipp>
#include <yoke/opencl/memory/svm.ipp>
#include <yoke/opencl/memory/svm_span.ipp>

// SPDX-License-Identifier: MIT
// The library's part for mapped and shared virtual memory.
#include <yoke/driver/opencl/impl/svm.ipp>

#include <yoke/opencl/impl/map.ipp>
#include <yoke/opencl/impl/svm.ipp>
#include <yoke/opencl/impl/svm_span.ipp>

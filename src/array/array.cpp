// SPDX-License-Identifier: MIT
// The compiled part of the arrays' floor.
#include <yoke/array/evaluation/array_kernels.ipp>
#include <yoke/array/evaluation/array_programs.ipp>
#include <yoke/array/evaluation/complex_functions.ipp>
#include <yoke/array/evaluation/evaluation.ipp>
#include <yoke/array/evaluation/expression_axes.ipp>
#include <yoke/array/evaluation/expression_kernel.ipp>
#include <yoke/array/evaluation/expression_tiles.ipp>
#include <yoke/array/evaluation/given_element.ipp>
#include <yoke/array/evaluation/kernel_macros.ipp>
#include <yoke/array/geometry/geometry_error.ipp>
#include <yoke/array/geometry/merged_copy.ipp>
#include <yoke/array/kernel/elementwise_kernel.ipp>
#include <yoke/array/kernel/given_kernel.ipp>
#include <yoke/array/reduction/reduction_kernel.ipp>
#include <yoke/array/reduction/reduction_run.ipp>
#include <yoke/array/reduction/reduction_source.ipp>
#include <yoke/array/reduction/scan_kernel.ipp>
#include <yoke/array/reduction/scan_source.ipp>
#include <yoke/array/storage/array_copy.ipp>
#include <yoke/array/storage/array_pool.ipp>
#include <yoke/array/storage/device_view.ipp>
#include <yoke/array/storage/dlpack.ipp>
#include <yoke/array/storage/print.ipp>
#include <yoke/array/storage/sequence.ipp>

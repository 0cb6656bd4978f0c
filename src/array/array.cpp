// SPDX-License-Identifier: MIT
// The compiled part of the arrays' floor.
#include <yoke/array/impl/array_copy.ipp>
#include <yoke/array/impl/array_kernels.ipp>
#include <yoke/array/impl/array_pool.ipp>
#include <yoke/array/impl/array_programs.ipp>
#include <yoke/array/impl/complex_functions.ipp>
#include <yoke/array/impl/device_view.ipp>
#include <yoke/array/impl/dlpack.ipp>
#include <yoke/array/impl/elementwise_kernel.ipp>
#include <yoke/array/impl/evaluation.ipp>
#include <yoke/array/impl/expression_axes.ipp>
#include <yoke/array/impl/expression_kernel.ipp>
#include <yoke/array/impl/expression_tiles.ipp>
#include <yoke/array/impl/geometry_error.ipp>
#include <yoke/array/impl/given_element.ipp>
#include <yoke/array/impl/given_kernel.ipp>
#include <yoke/array/impl/merged_copy.ipp>
#include <yoke/array/impl/print.ipp>
#include <yoke/array/impl/reduction_kernel.ipp>
#include <yoke/array/impl/reduction_run.ipp>
#include <yoke/array/impl/reduction_source.ipp>
#include <yoke/array/impl/scan_source.ipp>
#include <yoke/array/impl/sequence.ipp>

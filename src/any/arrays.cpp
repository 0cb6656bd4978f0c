// SPDX-License-Identifier: MIT
// The library's part for expressions, reductions, scans, copies, random numbers, sorting and selecting of arrays by the port that is chosen at run time.
#include <yoke/algorithm/random_kernel.ipp>
#include <yoke/algorithm/select.ipp>
#include <yoke/algorithm/sort.ipp>
#include <yoke/array/expression/expression.ipp>
#include <yoke/array/reduction/reduction.ipp>
#include <yoke/array/reduction/scan.ipp>

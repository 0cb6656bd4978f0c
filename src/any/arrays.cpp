// SPDX-License-Identifier: MIT
// The library's part for expressions, reductions, scans, copies, random numbers, sorting and selecting of arrays by the port that is chosen at run time.
#include <yoke/algorithm/impl/random.ipp>
#include <yoke/algorithm/impl/select.ipp>
#include <yoke/algorithm/impl/sort.ipp>
#include <yoke/array/impl/expression.ipp>
#include <yoke/array/impl/reduction.ipp>
#include <yoke/array/impl/scan.ipp>

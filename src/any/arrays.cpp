// SPDX-License-Identifier: MIT
// The library's part for expressions and copies of arrays by the port that is chosen at run time.
#include <yoke/array/impl/expression.ipp>

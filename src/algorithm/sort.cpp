// SPDX-License-Identifier: MIT
// The compiled part of sorting.
#include <yoke/algorithm/impl/sort_run.ipp>
#include <yoke/algorithm/impl/sort_source.ipp>

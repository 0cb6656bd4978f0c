// SPDX-License-Identifier: MIT
// The compiled part of sorting, selecting, lists and indices.
#include <yoke/algorithm/index_source.ipp>
#include <yoke/algorithm/list_source.ipp>
#include <yoke/algorithm/selection_source.ipp>
#include <yoke/algorithm/sort_run.ipp>
#include <yoke/algorithm/sort_source.ipp>

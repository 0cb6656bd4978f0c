// SPDX-License-Identifier: MIT
// The compiled part of sorting, selecting, lists and indices.
#include <yoke/algorithm/impl/index_source.ipp>
#include <yoke/algorithm/impl/list_source.ipp>
#include <yoke/algorithm/impl/selection_source.ipp>
#include <yoke/algorithm/impl/sort_run.ipp>
#include <yoke/algorithm/impl/sort_source.ipp>

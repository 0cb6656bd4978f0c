// SPDX-License-Identifier: MIT
// The library's part for what only CUDA's streams have.
#include <yoke/driver/cuda/impl/stream_facts.ipp>

#include <yoke/cuda/impl/stream.ipp>

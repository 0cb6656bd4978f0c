// SPDX-License-Identifier: MIT
// The umbrella for sharing arrays with other libraries: DLPack's tensors, the fields of the CUDA array interface.
#ifndef YOKE_DLPACK_HPP
#define YOKE_DLPACK_HPP

#include <yoke/array/storage/dlpack.hpp>

#endif

// SPDX-License-Identifier: MIT
// The umbrella: everything that is written once for every backend, and both backends' names.
#ifndef YOKE_YOKE_HPP
#define YOKE_YOKE_HPP

#include <yoke/core/core.hpp>
#include <yoke/cuda.hpp>
#include <yoke/driver/driver.hpp>
#include <yoke/execution/execution.hpp>
#include <yoke/memory/memory.hpp>
#include <yoke/opencl.hpp>
#include <yoke/program/program.hpp>
#include <yoke/testing/test_devices.hpp>

#if defined(YOKE_IMPLEMENTATION)
// The bodies of the other umbrellas, too: one implementation serves files that include any of them.
#include <yoke/algorithm.hpp>
#include <yoke/array.hpp>
#include <yoke/cache.hpp>
#include <yoke/cuda/mem_op.hpp>
#include <yoke/cuda/tensor_map.hpp>
#include <yoke/distributed.hpp>
#include <yoke/dlpack.hpp>
#include <yoke/fft.hpp>
#include <yoke/graph.hpp>
#include <yoke/image.hpp>
#include <yoke/linalg.hpp>
#include <yoke/link.hpp>
#include <yoke/local.hpp>
#include <yoke/nccl.hpp>
#include <yoke/prepare.hpp>
#include <yoke/random.hpp>
#include <yoke/sparse.hpp>
#include <yoke/struct.hpp>
#include <yoke/trace.hpp>
#endif

#endif

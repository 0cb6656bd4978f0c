// SPDX-License-Identifier: MIT
// All bodies of the library as one unit.
#define YOKE_IMPLEMENTATION
#include <yoke/graph.hpp>
#include <yoke/mem_op.hpp>
#include <yoke/tensor_map.hpp>
#include <yoke/trace.hpp>
#include <yoke/yoke.hpp>

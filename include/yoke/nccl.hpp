// SPDX-License-Identifier: MIT
// NCCL, opened at run time: communicators of GPUs, and all GPUs of a process as a clique.
#ifndef YOKE_NCCL_HPP
#define YOKE_NCCL_HPP

#include <yoke/distributed.hpp>
#include <yoke/nccl/clique.hpp>
#include <yoke/nccl/clique_halo.hpp>
#include <yoke/nccl/communicator.hpp>
#include <yoke/nccl/registered.hpp>
#include <yoke/nccl/scaled_sum.hpp>

#endif

// SPDX-License-Identifier: MIT
// The library's part for other devices, other processes and profilers.
#include <yoke/driver/cuda/memory/ipc.ipp>
#include <yoke/driver/cuda/memory/peer.ipp>

#include <yoke/cuda/device/peer.ipp>
#include <yoke/cuda/device/profile_scope.ipp>
#include <yoke/cuda/memory/ipc.ipp>

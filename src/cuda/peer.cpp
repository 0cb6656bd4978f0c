// SPDX-License-Identifier: MIT
// The library's part for other devices, other processes and profilers.
#include <yoke/driver/cuda/impl/ipc.ipp>
#include <yoke/driver/cuda/impl/peer.ipp>

#include <yoke/cuda/impl/ipc.ipp>
#include <yoke/cuda/impl/peer.ipp>
#include <yoke/cuda/impl/profile_scope.ipp>

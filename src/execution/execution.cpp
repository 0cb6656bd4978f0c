// SPDX-License-Identifier: MIT
// Compiles the bodies of floor 2.
#include <yoke/execution/impl/callback_thread.ipp>
#include <yoke/execution/impl/host_call.ipp>
#include <yoke/execution/impl/select.ipp>
#include <yoke/execution/impl/with_device.ipp>

// SPDX-License-Identifier: MIT
// The library's part for calls of the host in a stream.
#include <yoke/execution/host_call.ipp>

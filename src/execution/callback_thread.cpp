// SPDX-License-Identifier: MIT
// The library's part for the thread of callbacks.
#include <yoke/execution/impl/callback_thread.ipp>

// SPDX-License-Identifier: MIT
// The library's part for the thread of callbacks.
#include <yoke/execution/callback_thread.ipp>

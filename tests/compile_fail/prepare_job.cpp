// SPDX-License-Identifier: MIT
// A job of prepare is called with a stream.
// expect 1: a job of prepare is called with a stream
#include <yoke/prepare.hpp>

void ahead(const yoke::context<>& context) {
#if YOKE_BAD == 1
  yoke::prepare(context, [] {}).wait();
#else
  yoke::prepare(context, [](const yoke::stream<>& s) { s.synchronize(); }).wait();
#endif
}

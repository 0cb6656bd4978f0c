// SPDX-License-Identifier: MIT
// What the other file of the program does.
#ifndef YOKE_TESTS_CONSUMERS_SEVERAL_FILES_REST_HPP
#define YOKE_TESTS_CONSUMERS_SEVERAL_FILES_REST_HPP

#include <yoke/yoke.hpp>

/// Returns: whether what the umbrellas beside <yoke/yoke.hpp> offer works in the context: a cache, a struct, a linker, times.
bool use_the_rest(const yoke::context<>& context);

#endif

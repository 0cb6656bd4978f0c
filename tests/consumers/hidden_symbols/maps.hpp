// SPDX-License-Identifier: MIT
// What the library does for the program: it maps memory of it.
#ifndef YOKE_TESTS_CONSUMERS_HIDDEN_SYMBOLS_MAPS_HPP
#define YOKE_TESTS_CONSUMERS_HIDDEN_SYMBOLS_MAPS_HPP

#include <functional>
#include <yoke/yoke.hpp>

/// Effects: maps the memory, and calls a function meanwhile.
__attribute__((visibility("default"))) void while_mapped(const void* memory, const void* stream,
                                                         const std::function<void()>& act);

#endif

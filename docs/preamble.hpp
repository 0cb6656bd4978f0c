// SPDX-License-Identifier: MIT
// What the code fragments of the documentation may use without saying so; they are compiled after it.
#ifndef YOKE_DOCS_PREAMBLE_HPP
#define YOKE_DOCS_PREAMBLE_HPP

#include <yoke/cache.hpp>
#include <yoke/image.hpp>
#include <yoke/link.hpp>
#include <yoke/yoke.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#endif

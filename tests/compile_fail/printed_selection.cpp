// SPDX-License-Identifier: MIT
// How many elements a selection has is on the device: it is printed by its view.
// expect: a selection is printed by its view, which waits for how many there are: fmt::print
#include <yoke/algorithm.hpp>
#include <yoke/array.hpp>
#include <yoke/fmt.hpp>
#include <yoke/yoke.hpp>

extern const yoke::selection<float>& chosen;

void show() {
#ifdef YOKE_BAD
  fmt::print("{}", chosen);
#else
  fmt::print("{}", chosen.view());
#endif
}

int main() {}

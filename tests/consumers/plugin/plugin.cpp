// SPDX-License-Identifier: MIT
// The README's program as a plugin's function.
#define main readme_program
#include "../main.cpp"
#undef main

extern "C" int run_plugin();
extern "C" int run_plugin() { return readme_program(); }

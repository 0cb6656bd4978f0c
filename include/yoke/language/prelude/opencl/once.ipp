// SPDX-License-Identifier: MIT
// Accesses to memory that is used once, in OpenCL C, which has no word for that.
R"yoke(//part once
//words yoke_load_once yoke_store_once
#define yoke_load_once(at, p) ((p)[at])
#define yoke_store_once(value, at, p) ((void)((p)[at] = (value)))
)yoke"

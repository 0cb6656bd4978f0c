// SPDX-License-Identifier: MIT
// Accesses to memory that is used once, in CUDA C++: they leave the caches to the rest.
R"yoke(//part once
//words yoke_load_once yoke_store_once
#define yoke_load_once(at, p) __ldcs((p) + (at))
#define yoke_store_once(value, at, p) __stcs((p) + (at), value)
)yoke"

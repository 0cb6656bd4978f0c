// SPDX-License-Identifier: MIT
// Half precision in OpenCL C: loads and stores everywhere, arithmetic where the device has it.
R"yoke(//part halves
//needs odd
//words yoke_half yoke_load_half yoke_store_half yoke_half_to_float yoke_float_to_half
#define yoke_half half
#define yoke_load_half(at, p) vload_half(at, p)
#define yoke_store_half(value, at, p) vstore_half_rte(yoke_d_to_odd(value), at, p)
#if YOKE_HAS_FP16
#define yoke_half_to_float(a) convert_float(a)
#define yoke_float_to_half(a) convert_half_rte(a)
#endif
)yoke"

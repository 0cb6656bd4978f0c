// SPDX-License-Identifier: MIT
// The exported entry points, declared from the library's own lists: an undefined one fails to link.
#ifndef YOKE_SIMULATOR_DRIVER_ENTRIES_HPP
#define YOKE_SIMULATOR_DRIVER_ENTRIES_HPP

#include <yoke/driver/cuda/abi/functions.hpp>
#include <yoke/driver/cuda/compiler/functions.hpp>

#include <type_traits>

#include "machine/base/abi.hpp"

namespace yoke::simulator {

// Each function has the library's own name here and the driver's name in the object file; there the second form of a
// name ends in "_v2", as in drivers.
#define YOKE_FORM_mem_prefetch_async_v2 , "_v2"
#define YOKE_FORM_mem_advise_v2 , "_v2"
#define YOKE_FORM_memcpy_batch_async_v2 , "_v2"
#define YOKE_FORM_memcpy_3d_batch_async_v2 , "_v2"
#define YOKE_FORM_graph_add_node , "_v2"
#define YOKE_FORM_stream_batch_mem_op , "_v2"
#define YOKE_SECOND(first, second, ...) second
#define YOKE_SUFFIX(...) YOKE_SECOND(__VA_ARGS__, "", )
#define YOKE_SIMULATOR_ENTRY(table, name, symbol)                                                                      \
  extern __attribute__((visibility("default"))) std::remove_pointer_t<decltype(abi::table::name)> name __asm__(symbol);

namespace entries {
#define YOKE_DECLARE(name, symbol, version, ...)                                                                       \
  YOKE_SIMULATOR_ENTRY(functions, name, symbol YOKE_SUFFIX(YOKE_FORM_##name))
YOKE_CUDA_FUNCTIONS(YOKE_DECLARE)
#undef YOKE_DECLARE
extern __attribute__((visibility("default"))) abi::get_proc_address get_proc_address __asm__("cuGetProcAddress_v2");
extern __attribute__((visibility("default"))) abi::get_proc_address_v1 get_proc_address_v1 __asm__("cuGetProcAddress");
/// Identifies the simulator to programs; its value is the version's text.
extern "C" __attribute__((visibility("default"))) const char cuYokeSimulatorVersion[];
/// Adds a host function to what a stream captures. `end(data)` is called, under the driver's lock, once no graph,
/// executable or launch has it any more: for the simulated NCCL, whose real counterpart gives graphs user objects.
extern "C" __attribute__((visibility("default"))) abi::status cuYokeCaptureHostFunction(abi::stream handle,
                                                                                        abi::host_function function,
                                                                                        void* data,
                                                                                        abi::host_function end);
}  // namespace entries

namespace nvrtc_entries {
#define YOKE_DECLARE(name, symbol, need, ...) YOKE_SIMULATOR_ENTRY(nvrtc_functions, name, symbol)
YOKE_NVRTC_FUNCTIONS(YOKE_DECLARE)
#undef YOKE_DECLARE
}  // namespace nvrtc_entries

namespace nvjitlink_entries {
#define YOKE_DECLARE(name, symbol, ...) YOKE_SIMULATOR_ENTRY(nvjitlink_functions, name, symbol)
YOKE_NVJITLINK_FUNCTIONS(YOKE_DECLARE)
#undef YOKE_DECLARE
}  // namespace nvjitlink_entries

#undef YOKE_SIMULATOR_ENTRY
#undef YOKE_SUFFIX
#undef YOKE_SECOND
#undef YOKE_FORM_stream_batch_mem_op
#undef YOKE_FORM_graph_add_node
#undef YOKE_FORM_memcpy_3d_batch_async_v2
#undef YOKE_FORM_memcpy_batch_async_v2
#undef YOKE_FORM_mem_advise_v2
#undef YOKE_FORM_mem_prefetch_async_v2

}  // namespace yoke::simulator

#endif

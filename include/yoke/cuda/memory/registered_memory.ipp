// SPDX-License-Identifier: MIT
// Bodies of cuda/memory/registered_memory.hpp.
#ifndef YOKE_CUDA_MEMORY_REGISTERED_MEMORY_IPP
#define YOKE_CUDA_MEMORY_REGISTERED_MEMORY_IPP

#include <yoke/cuda/memory/registered_memory.hpp>

namespace yoke::inline v0_1::cuda::detail {

registration::registration(const context& in, void* address, std::size_t bytes, const registration_options& options,
                           const source_location& where)
    : context_(in.state(where)), address_(address) {
  context_.port.register_host(context_.native, address, bytes, options, where);
}
registration::registration(const context& in, void* address, std::size_t bytes, native_ownership ownership,
                           const source_location& where)
    : context_(in.state(where)), address_(address), owned_(ownership != native_ownership::borrowed) {
  context_.port.check_pagelocked(address, bytes, where);
}
registration::~registration() {
  if (owned_ && !context_.left_us()) context_.report(context_.port.unregister_host(context_.native, address_));
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif

// SPDX-License-Identifier: MIT
// Entries about what belongs to communicators: made operators, registered memory, NCCL's own allocations.
#include <cstdint>
#include <cstring>

#include "driver.hpp"
#include "entries.hpp"
#include "group.hpp"
#include "known.hpp"

namespace yoke::nccl_simulator {

abi::status entries::create_scaled_sum(abi::operation* made, void* scale, abi::data_type type, abi::scalar_place place,
                                       abi::communicator handle) {
  return entry([&] {
    communicator* const of = living(handle);
    if (of == nullptr || made == nullptr || scale == nullptr) {
      return refuse(abi::invalid_argument, "ncclRedOpCreatePreMulSum: an argument is null");
    }
    if (const abi::status code = injected(of, 0, "ncclRedOpCreatePreMulSum")) return code;
    if (const abi::status code = ready(*of)) return code;
    scaled_sum fresh;
    fresh.type = type;
    if (place == abi::scalar_place::device) {
      fresh.at = scale;
    } else {
      std::memcpy(fresh.value, scale, type_bytes(type));
    }
    int number = abi::first_made_operation;
    while (of->operators.contains(number)) ++number;
    of->operators.emplace(number, fresh);
    *made = static_cast<abi::operation>(number);
    return static_cast<abi::status>(abi::success);
  });
}
abi::status entries::destroy_operation(abi::operation made, abi::communicator handle) {
  return entry([&] {
    communicator* const of = living(handle);
    if (of == nullptr || of->operators.erase(static_cast<int>(made)) == 0) {
      return refuse(abi::invalid_argument, "ncclRedOpDestroy: the operator is not valid");
    }
    return injected(of, 0, "ncclRedOpDestroy");
  });
}

abi::status entries::register_memory(abi::communicator handle, void* at, std::size_t bytes, void** made) {
  return entry([&] {
    communicator* const of = living(handle);
    if (of == nullptr || at == nullptr || made == nullptr || bytes == 0) {
      return refuse(abi::invalid_argument, "ncclCommRegister: an argument is not valid");
    }
    if (const abi::status code = injected(of, 0, "ncclCommRegister")) return code;
    of->registered[at] = bytes;
    *made = at;
    return static_cast<abi::status>(abi::success);
  });
}
abi::status entries::deregister_memory(abi::communicator handle, void* made) {
  return entry([&] {
    communicator* const of = living(handle);
    if (of == nullptr || of->registered.erase(made) == 0) {
      return refuse(abi::invalid_argument, "ncclCommDeregister: the registration is not valid");
    }
    return injected(of, 0, "ncclCommDeregister");
  });
}
abi::status entries::register_window(abi::communicator handle, void* at, std::size_t bytes, abi::window* made, int) {
  constexpr std::uintptr_t alignment = 4096;
  if (reinterpret_cast<std::uintptr_t>(at) % alignment != 0) {
    return refuse(abi::invalid_argument, "ncclCommWindowRegister: the memory is not aligned to 4096 bytes");
  }
  return register_memory(handle, at, bytes, reinterpret_cast<void**>(made));
}
abi::status entries::deregister_window(abi::communicator handle, abi::window made) {
  return deregister_memory(handle, made);
}
abi::status entries::allocate(void** made, std::size_t bytes) {
  if (made == nullptr) return refuse(abi::invalid_argument, "ncclMemAlloc: no place for the address");
  if (const abi::status code = injected(nullptr, -1, "ncclMemAlloc")) return code;
  unsigned long long at = 0;
  if (cuMemAlloc(&at, bytes) != 0) return refuse(abi::unhandled_cuda_error, "Cuda failure 'out of memory'");
  *made = reinterpret_cast<void*>(at);
  return abi::success;
}
abi::status entries::free(void* at) {
  if (at == nullptr) return abi::success;
  if (cuMemFree(reinterpret_cast<unsigned long long>(at)) != 0) {
    return refuse(abi::unhandled_cuda_error, "Cuda failure 'invalid argument'");
  }
  return injected(nullptr, -1, "ncclMemFree");
}

}  // namespace yoke::nccl_simulator

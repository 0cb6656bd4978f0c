// SPDX-License-Identifier: MIT
// Whether MPI reads and writes device memory itself, and why not.
#ifndef YOKE_MPI_TRANSPORT_HPP
#define YOKE_MPI_TRANSPORT_HPP

#include <yoke/distributed/message_range.hpp>
#include <yoke/driver/any/port.hpp>
#include <yoke/driver/cuda/abi/functions.hpp>
#include <yoke/mpi/operation.hpp>

#include <string>
#include <string_view>

namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR {

/// How memory reaches MPI, and why.
struct transport_choice {
  transport chosen = transport::staged;  ///< `direct` or `staged`
  std::string reason{};                  ///< "the memory is stream-ordered, which MPI libraries do not take"
};

namespace detail {

/// Returns: why the MPI that the program is linked to takes no memory of CUDA; null if it says that it does.
[[nodiscard]] inline const char* linked_library_refuses() noexcept {
#if defined(OPEN_MPI)
#if defined(MPIX_CUDA_AWARE_SUPPORT) && MPIX_CUDA_AWARE_SUPPORT
  return MPIX_Query_cuda_support() == 1 ? nullptr
                                        : "this Open MPI says at run time that it does not take memory of CUDA";
#else
  return "this Open MPI was built without support for CUDA";
#endif
#elif defined(MPICH_NUMVERSION) && MPICH_NUMVERSION >= 40000000
  int takes = 0;
  return MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &takes) == MPI_SUCCESS && takes != 0
             ? nullptr
             : "this MPICH says that it does not take memory of CUDA";
#else
  return "this MPI does not tell whether it takes memory of CUDA";
#endif
}

/// Returns: the entries of CUDA's driver behind a port; null for another backend.
template <class Port>
[[nodiscard]] const cuda::abi::functions* cuda_entries(const Port& port) noexcept {
  if (std::string_view(port.backend_name()) != "cuda") return nullptr;
  if constexpr (requires { port.driver(); }) {
    return static_cast<const cuda::abi::functions*>(port.driver());
  } else if constexpr (requires {
                         { port.table() } -> std::convertible_to<const cuda::abi::functions*>;
                       }) {
    return port.table();
  } else {
    return nullptr;
  }
}

/// Returns: the device address of a range of CUDA, as a pointer that MPI takes; null for another backend.
template <class Port>
[[nodiscard]] std::byte* device_address(const Port& port, const yoke::detail::message_range<Port>& range) noexcept {
  if (cuda_entries(port) == nullptr || range.packing || range.host != nullptr) return nullptr;
  return reinterpret_cast<std::byte*>(
             static_cast<std::uintptr_t>(yoke::detail::native_value(range.memory))) +  // NOLINT
         range.first;
}

/// Returns: how a range reaches MPI in operations that move elements. Throws: `unsupported_error` for memory that cannot
/// go as the communicator's options say.
template <class Port>
[[nodiscard]] transport_choice choose_transport(const communicator_state& in, const Port& port,
                                                const yoke::detail::message_range<Port>& range,
                                                const source_location& where) {
  if (range.packing) return {transport::staged, "the elements have gaps, or lie in memory that only copies know"};
  if (range.host != nullptr) return {transport::direct, "the memory is the host's"};
  if (in.options.transport == transport::staged) return {transport::staged, "the communicator's options say so"};
  const cuda::abi::functions* const entries = cuda_entries(port);
  if (entries == nullptr && in.options.transport == transport::direct) {
    yoke::detail::throw_error(errc::unsupported,
                              "transport::direct, by the options or YOKE_MPI_TRANSPORT: no MPI takes memory of OpenCL. "
                              "It is staged, or automatic",
                              where);
  }
  if (entries == nullptr) return {transport::staged, "no MPI takes memory of OpenCL"};
  if (in.options.transport == transport::direct) return {transport::direct, "the communicator's options say so"};
  if (const char* const why = in.library_refuses()) return {transport::staged, why};
  if (in.has_other_engine) return {transport::staged, "NCCL uses the device through a communicator made of this one"};
  // Libraries fail on memory of pools, in the order of streams, or mapped by the program.
  unsigned is_legacy = 0;
  const auto address = static_cast<cuda::abi::device_pointer>(yoke::detail::native_value(range.memory));
  if (entries->pointer_get_attribute == nullptr ||
      entries->pointer_get_attribute(&is_legacy, cuda::abi::pointer_attribute::is_legacy_cuda_ipc_capable, address) !=
          cuda::abi::success ||
      is_legacy == 0) {
    return {transport::staged, "the memory is of a pool or stream-ordered: processes cannot share it by its address"};
  }
  return {transport::direct, "the library takes memory of CUDA, and this memory can be shared"};
}

}  // namespace detail
}  // namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR

#endif

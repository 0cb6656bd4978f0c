// SPDX-License-Identifier: MIT
// The communicators of the process, the words of failures, and the calls that settings make fail.
#ifndef YOKE_NCCL_SIMULATOR_KNOWN_HPP
#define YOKE_NCCL_SIMULATOR_KNOWN_HPP

#include <memory>
#include <string>
#include <vector>

#include "communicator.hpp"

namespace yoke::nccl_simulator {

/// The words for `ncclGetLastError` of this thread.
std::string& last_error_of_thread();
/// Effects: keeps the words for `ncclGetLastError`. Returns: the code.
abi::status refuse(abi::status code, const std::string& why);
/// Effects: keeps a communicator until the process ends. Returns: its handle.
abi::communicator make_known(std::unique_ptr<communicator> made);
/// Returns: a communicator that can be used, also while it is being made; null otherwise.
communicator* living(abi::communicator handle);
/// Effects: a communicator is destroyed or aborted. NCCL frees those of one process together, with the last of them.
/// Returns: what is to be freed now: all of them, or nothing; one that was not made whole is alone.
std::vector<communicator*> leave(communicator& of);
/// Returns: the code with which `YOKE_NCCL_SIMULATOR_FAIL` lets a call of a rank fail; else success.
abi::status injected(const communicator* of, int rank, const char* call);
/// Returns: success for a communicator that a call may use; else why not, as NCCL says it.
abi::status ready(const communicator& of);

}  // namespace yoke::nccl_simulator

#endif

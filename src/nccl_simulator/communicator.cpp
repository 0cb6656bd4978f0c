// SPDX-License-Identifier: MIT
// Shared memory of simulated communicators, and how their ranks wait.
#include "communicator.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <thread>

namespace yoke::nccl_simulator {

const char* name_of(verb which) noexcept {
  constexpr const char* names[] = {"nothing",       "ncclAllReduce",     "ncclReduce", "ncclBroadcast",
                                   "ncclAllGather", "ncclReduceScatter", "ncclSend",   "ncclRecv"};
  return names[static_cast<std::size_t>(which)];
}

std::string text_of(const call_facts& call) {
  if (call.which == verb::none) return "nothing";
  constexpr const char* types[] = {"char", "uchar", "int",    "uint",     "long",        "ulong",
                                   "half", "float", "double", "bfloat16", "float8 e4m3", "float8 e5m2"};
  constexpr const char* operations[] = {"sum", "product", "max", "min", "average"};
  std::string text = std::string(name_of(call.which)) + " of " + std::to_string(call.count) + " " +
                     types[static_cast<std::size_t>(call.type)];
  const bool reduces =
      call.which == verb::all_reduce || call.which == verb::reduce || call.which == verb::reduce_scatter;
  if (reduces) text += call.operation < 5 ? std::string(", ") + operations[call.operation] : ", scaled sum";
  if (call.which == verb::reduce || call.which == verb::broadcast) text += ", root " + std::to_string(call.root);
  if (call.which == verb::send) text += " to rank " + std::to_string(call.root);
  if (call.which == verb::receive) text += " from rank " + std::to_string(call.root);
  return text;
}

void rank_slot::post(const call_facts& call) noexcept {
  verb_now = static_cast<std::uint32_t>(call.which);
  type_now = call.type;
  operation_now = call.operation;
  root_now = call.root;
  count_now = call.count;
}
call_facts rank_slot::posted() const noexcept {
  return {static_cast<verb>(verb_now.load()), type_now, operation_now, root_now, count_now};
}

namespace {
struct door {
  std::atomic<std::uint32_t> size;
};
constexpr std::size_t door_bytes = 64;
constexpr char id_word[] = "yokenccl";
}  // namespace

segment::segment(std::string path, void* at, std::size_t bytes, int size) noexcept
    : path_(std::move(path)),
      at_(at),
      bytes_(bytes),
      size_(size),
      slots_(reinterpret_cast<rank_slot*>(static_cast<std::byte*>(at) + door_bytes)),
      channels_(reinterpret_cast<channel*>(slots_ + size)) {}

std::shared_ptr<segment> segment::open(const abi::unique_id& id, int size, std::string& why) {
  if (std::memcmp(id.bytes, id_word, sizeof id_word - 1) != 0 || id.bytes[sizeof id.bytes - 1] != '\0') {
    why = "the unique id is damaged";
    return nullptr;
  }
  const std::string path = std::string("/dev/shm/") + id.bytes;
  const std::size_t ranks = static_cast<std::size_t>(size);
  const std::size_t bytes = door_bytes + ranks * sizeof(rank_slot) + ranks * ranks * sizeof(channel);
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0 || ::ftruncate(file, static_cast<off_t>(bytes)) != 0) {
    why = path + ": " + std::strerror(errno);
    if (file >= 0) ::close(file);
    return nullptr;
  }
  void* const at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (at == MAP_FAILED) {
    why = path + ": " + std::strerror(errno);
    return nullptr;
  }
  // A fresh file holds zeros, which are the first values of all members.
  std::uint32_t others = 0;
  if (!static_cast<door*>(at)->size.compare_exchange_strong(others, static_cast<std::uint32_t>(size)) &&
      others != static_cast<std::uint32_t>(size)) {
    why = "another rank says that there are " + std::to_string(others) + " ranks, this one " + std::to_string(size);
    ::munmap(at, bytes);
    return nullptr;
  }
  return std::shared_ptr<segment>(new segment(path, at, bytes, size));
}
segment::~segment() { ::munmap(at_, bytes_); }
void segment::close_door() noexcept { ::unlink(path_.c_str()); }

namespace {

/// Effects: says what each rank of a communicator does.
void report_standstill(communicator& of, const call_facts& during) {
  std::string text = "a standstill of " + std::to_string(the_settings().patience.count() / 1000) + " s: rank " +
                     std::to_string(of.rank) + " waits in " + text_of(during);
  for (int rank = 0; rank < of.size; ++rank) {
    if (rank == of.rank) continue;
    const rank_slot& slot = of.shared->slot(rank);
    text += "; rank " + std::to_string(rank) + " ";
    if (slot.ended != 0) {
      text += "has ended its communicator";
    } else if (slot.arrived == 0) {
      text += "has not come";
    } else {
      text += "is in " + text_of(slot.posted());
    }
  }
  say(text);
}

}  // namespace

void patience::pause() {
  if (of_.now != stage::alive || of_.async_error != abi::success) throw wait_ended();
  if (++turns_ < 256) {
    std::this_thread::yield();
    return;
  }
  std::this_thread::sleep_for(std::chrono::microseconds(turns_ < 4096 ? 20 : 200));
  if (std::chrono::steady_clock::now() - begun_ < the_settings().patience) return;
  report_standstill(of_, during_);
  abi::status fine = abi::success;
  of_.async_error.compare_exchange_strong(fine, abi::remote_error);
  throw wait_ended();
}

}  // namespace yoke::nccl_simulator

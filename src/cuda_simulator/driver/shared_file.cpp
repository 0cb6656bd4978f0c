// SPDX-License-Identifier: MIT
// Makes, recognises and maps files without a name.
#include "shared_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace yoke::simulator {

namespace {

constexpr const char* word_of(shared_kind kind) { return kind == shared_kind::memory ? "memory" : "pool"; }

/// Returns: the device that the file's name tells of; nothing if it is no file of that kind.
std::optional<int> device_in_name(int descriptor, shared_kind kind) noexcept {
  char link[40];
  char name[128] = {};
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  if (::readlink(link, name, sizeof name - 1) <= 0) return std::nullopt;
  char expected[64];
  std::snprintf(expected, sizeof expected, "/memfd:yoke-cuda-%s-", word_of(kind));
  if (std::strncmp(name, expected, std::strlen(expected)) != 0) return std::nullopt;
  return std::atoi(name + std::strlen(expected));
}

}  // namespace

shared_file::~shared_file() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

shared_file shared_file::make(shared_kind kind, int device, std::size_t bytes) noexcept {
  char name[64];
  std::snprintf(name, sizeof name, "yoke-cuda-%s-%d", word_of(kind), device);
  shared_file made(::memfd_create(name, MFD_CLOEXEC));
  if (made && !made.grow_to(bytes)) return {};
  return made;
}

shared_file shared_file::from(int descriptor, shared_kind kind) noexcept {
  if (!device_in_name(descriptor, kind)) return {};
  return shared_file(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
}

shared_facts shared_file::facts() const noexcept {
  shared_facts facts;
  struct ::stat told {};
  if (::fstat(descriptor_, &told) != 0) return facts;
  facts.bytes = static_cast<std::size_t>(told.st_size);
  facts.identity = static_cast<std::uint64_t>(told.st_ino);
  for (const shared_kind each : {shared_kind::memory, shared_kind::pool}) {
    if (const auto device = device_in_name(descriptor_, each)) facts.device = *device;
  }
  return facts;
}

// Not closed at exec: drivers promise nothing about that.
int shared_file::another_descriptor() const noexcept { return ::fcntl(descriptor_, F_DUPFD, 0); }

bool shared_file::grow_to(std::size_t bytes) const noexcept {
  return ::ftruncate(descriptor_, static_cast<::off_t>(bytes)) == 0;
}

std::uintptr_t shared_file::map(std::uintptr_t at, std::size_t offset, std::size_t bytes,
                                bool is_accessible) const noexcept {
  void* const made = ::mmap(reinterpret_cast<void*>(at), bytes, is_accessible ? PROT_READ | PROT_WRITE : PROT_NONE,
                            MAP_SHARED | (at == 0 ? 0 : MAP_FIXED), descriptor_, static_cast<::off_t>(offset));
  return made == MAP_FAILED ? 0 : reinterpret_cast<std::uintptr_t>(made);
}

void shared_file::forget(std::size_t offset, std::size_t bytes) const noexcept {
  ::fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<::off_t>(offset),
              static_cast<::off_t>(bytes));
}

}  // namespace yoke::simulator

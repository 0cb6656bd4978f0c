// SPDX-License-Identifier: MIT
// Makes, recognises and maps files without a name.
#include "machine/base/shared_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace yoke::simulator {

namespace {

constexpr const char* words[] = {"memory", "pool", "plain", "event"};  // indexed by shared_kind
const char* word_of(shared_kind kind) { return words[static_cast<int>(kind)]; }

struct descriptor_link {
  explicit descriptor_link(const file_place& place) noexcept {
    std::snprintf(path, sizeof path, "/proc/%d/fd/%d", static_cast<int>(place.process),
                  static_cast<int>(place.descriptor));
  }
  char path[48];
};

/// Returns: the device in the file's name; nothing if it is not a file of that kind.
std::optional<int> device_in_name(const char* link, shared_kind kind) noexcept {
  char name[128] = {};
  if (::readlink(link, name, sizeof name - 1) <= 0) return std::nullopt;
  char expected[64];
  std::snprintf(expected, sizeof expected, "/memfd:yoke-cuda-%s-", word_of(kind));
  if (std::strncmp(name, expected, std::strlen(expected)) != 0) return std::nullopt;
  return std::atoi(name + std::strlen(expected));
}

std::optional<int> device_in_name(int descriptor, shared_kind kind) noexcept {
  return device_in_name(descriptor_link({::getpid(), descriptor}).path, kind);
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

// The name is checked before anything is opened: opening a pipe would block, a device might do more.
shared_file shared_file::at(const file_place& place, shared_kind kind) noexcept {
  const descriptor_link link(place);
  if (!device_in_name(link.path, kind)) return {};
  shared_file opened(::open(link.path, O_RDWR | O_CLOEXEC));
  if (!opened || !device_in_name(opened.descriptor_, kind) || opened.facts().identity != place.identity) return {};
  return opened;
}

shared_facts shared_file::facts() const noexcept {
  shared_facts facts;
  struct ::stat told {};
  if (::fstat(descriptor_, &told) != 0) return facts;
  facts.bytes = static_cast<std::size_t>(told.st_size);
  facts.identity = static_cast<std::uint64_t>(told.st_ino);
  for (const shared_kind each : {shared_kind::memory, shared_kind::pool, shared_kind::plain, shared_kind::event}) {
    if (const auto device = device_in_name(descriptor_, each)) facts.device = *device;
  }
  return facts;
}

file_place shared_file::place() const noexcept { return {::getpid(), descriptor_, facts().identity}; }

// Not closed at exec: drivers promise nothing about that.
int shared_file::another_descriptor() const noexcept { return ::fcntl(descriptor_, F_DUPFD, 0); }

bool shared_file::grow_to(std::size_t bytes) const noexcept {
  return ::ftruncate(descriptor_, static_cast<::off_t>(bytes)) == 0;
}

bool shared_file::write(const void* from, std::size_t bytes) const noexcept {
  for (std::size_t done = 0; done < bytes;) {
    const ::ssize_t wrote =
        ::pwrite(descriptor_, static_cast<const char*>(from) + done, bytes - done, static_cast<::off_t>(done));
    if (wrote <= 0) return false;
    done += static_cast<std::size_t>(wrote);
  }
  return true;
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

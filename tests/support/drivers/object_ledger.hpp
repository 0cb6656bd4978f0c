// SPDX-License-Identifier: MIT
// The ledger of driver objects: what was created and retained, and whether it was released as often.
#ifndef YOKE_TESTS_SUPPORT_OBJECT_LEDGER_HPP
#define YOKE_TESTS_SUPPORT_OBJECT_LEDGER_HPP

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace yoke_test {

enum class object_kind {
  device,
  context,
  queue,
  memory,
  program,
  kernel,
  event,
  mapping,
  svm,
  svm_mapping,
  sampler,
  texture,
  surface,
  pool,
  physical,
  address_range,
  device_mapping,
  graph,
  executable
};

/// Counts the references that the program under test owns. Thread safety: safe.
class object_ledger {
 public:
  enum class standing { alive, dead, unknown };

  /// One more reference, from a creating or retaining call.
  void gained(object_kind kind, const void* object, const char* symbol);

  /// One reference fewer.
  /// Returns: how the object stood before; anything but `alive` is recorded as a bad release and changes nothing else.
  standing lost(object_kind kind, const void* object, const char* symbol);

  /// The release refused: the reference is still there.
  void kept(object_kind kind, const void* object);

  /// A mapping could not be closed; nobody can be asked to try for ever, so it no longer counts as live.
  void gave_up(object_kind kind, const void* object);

  [[nodiscard]] bool knows(object_kind kind, const void* object) const;
  /// Returns: one line an object, "memory (created by clCreateBuffer)", and "x2" for two references.
  [[nodiscard]] std::vector<std::string> live() const;
  /// Returns: one line a mistake, "clReleaseMemObject of a dead memory (created by clCreateBuffer)".
  [[nodiscard]] std::vector<std::string> bad_releases() const;

 private:
  struct account {
    const char* creator = "";
    long references = 0;
    long given_up = 0;
  };

  mutable std::mutex mutex_;
  std::map<std::pair<object_kind, const void*>, account> accounts_;
  std::vector<std::string> bad_releases_;
};

}  // namespace yoke_test

#endif

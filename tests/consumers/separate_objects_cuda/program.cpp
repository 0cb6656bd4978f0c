// SPDX-License-Identifier: MIT
// What one of two shared objects notes of CUDA's handles the other knows. The other is a shared library of the program, or a
// plugin.
#include "side.hpp"

#include "../run_with_side.hpp"

#include <cstdio>
#include <exception>
#include <string>

namespace {

const cu::abi::functions* real = nullptr;
cu::abi::ulong another = 0;  // how far contexts are from those that were there

int failures = 0;
int freed = 0;
int streams_destroyed = 0;
int guards_popped = 0;

// The driver, with a count of what may fail: each shared object may have a cleanup handler of its own.
cu::abi::status counted(cu::abi::status status) {
  failures += status == 0 ? 0 : 1;
  return status;
}
cu::abi::functions counting_table() {
  cu::abi::functions table = *real;
  table.mem_free_async = [](cu::abi::device_pointer memory, cu::abi::stream stream) {
    ++freed;
    return counted(real->mem_free_async(memory, stream));
  };
  table.stream_destroy = [](cu::abi::stream stream) {
    ++streams_destroyed;
    return counted(real->stream_destroy(stream));
  };
  table.event_destroy = [](cu::abi::event event) { return counted(real->event_destroy(event)); };
  table.context_pop = [](cu::abi::context* popped) {
    ++guards_popped;
    return counted(real->context_pop(popped));
  };
  table.context_get_id = [](cu::abi::context context, cu::abi::ulong* id) {
    const cu::abi::status status = real->context_get_id(context, id);
    *id += another;
    return status;
  };
  table.context_get_device = [](cu::abi::device* device) {
    const cu::abi::status status = real->context_get_device(device);
    *device += static_cast<int>(another);
    return status;
  };
  table.primary_context_get_state = [](cu::abi::device device, unsigned* flags, int* active) {
    const cu::abi::status status = real->primary_context_get_state(device - static_cast<int>(another), flags, active);
    if (another != 0) *active = 0;
    return status;
  };
  return table;
}

/// A stream-ordered allocation, and an event, keep their stream, whoever made them and whoever ends what.
void check_streams(named_action* side, const cu::device& device) {
  const auto here = [](const std::string& what, handles& with) {
    if (what == "allocate") with.memory = cu::device_allocation<int>(with.context, 16, with.stream);
    if (what == "record") with.point = with.stream.record();
    if (what == "end the stream") with.stream.reset();
    if (what == "free") with.memory.reset();
  };
  for (int i = 0; i < 8; ++i) {
    handles with(device);
    const auto do_it = [&](int bit, const char* what) {
      if ((i >> bit & 1) != 0) {
        side(what, with);
      } else {
        here(what, with);
      }
    };
    const std::string how = "way " + std::to_string(i) + ": ";
    failures = freed = streams_destroyed = 0;
    do_it(0, "allocate");
    do_it(1, "record");
    do_it(2, "end the stream");
    check(how + "streams destroyed under an allocation", streams_destroyed, 0);
    do_it(1, "free");
    with.point.reset();
    check(how + "freed", freed, 1);
    check(how + "streams destroyed", streams_destroyed, 1);
    check(how + "failed", failures, 0);
  }
}

/// A guard ends in another shared object on the thread that made it.
void check_guards(named_action* side, const cu::device& device) {
  handles with(device);
  const auto depth = [&] {
    cu::abi::context now = nullptr;
    real->context_get_current(&now);
    return now == nullptr ? 0 : 1;
  };
  with.guard = with.context.activate();
  check("current with a guard", depth(), 1);
  side("end the guard", with);
  check("current after a guard that ended there", depth(), 0);
  side("guard", with);
  check("current with a guard made there", depth(), 1);
  with.guard.reset();
  check("current after a guard that was made there", depth(), 0);
}

/// A context that is gone leaves nothing in either for the next at its address.
void check_contexts(named_action* side, const cu::device& device) {
  handles with(device);
  with.table = device.port().table();
  with.native = with.context.native_handle();
  const auto both = [&](const char* when) {
    side("device of a context", with);
    const int here = device.port().context_devices(with.native, {}).front().native();
    check(std::string("devices told ") + when, with.device, here);
    return here;
  };
  const int before = both("before");
  another = 1;
  check("another context's device", both("of another context"), before + 1);
  another = 0;
  check("the device again", both("again"), before);
}

/// What was compiled here is known there.
void check_modules(named_action* side, const cu::device& device) {
  handles with(device);
  with.module = cu::compile(with.context, "extern \"C\" __global__ void one(int* a) { a[0] = 1; }");
  side("export", with);
  check("bytes of a module", static_cast<long>(with.binary.size()),
        static_cast<long>(with.module.export_binary().size()));
}

/// Codes of the other's category are told by name.
void check_codes(named_action* side, const cu::device& device) {
  handles with(device);
  with.table = real;
  cu::abi::context popped = nullptr;
  check("made", real->context_create(&with.native, 0, device.native_handle()), 0);
  check("popped", real->context_pop(&popped), 0);
  check("destroyed", real->context_destroy(with.native), 0);
  int ended = 0;
  try {
    side("fail", with);
  } catch (const yoke::context_lost_error& e) {
    ended = e.code() == yoke::errc::context_ended ? 1 : 0;
  }
  check("an ended context's error", ended, 1);
  check("a code about input", cu::detail::is_about_input(with.code, false) ? 1 : 0, 1);
  check("the same code", with.code == std::error_code(218, cu::error_category()).default_error_condition() ? 1 : 0, 1);
}

void run(named_action* side) {
  const cu::port driver;
  real = driver.table();
  const cu::abi::functions table = counting_table();
  const cu::device device = cu::device::borrow(cu::port{&table}, cu::device(driver, 0).native_handle());
  int wrong = 0;
  for (auto* const each : {&check_streams, &check_guards, &check_contexts, &check_modules, &check_codes}) {
    try {
      each(side, device);
    } catch (const std::exception& e) {
      std::printf("%s\n", e.what());
      ++wrong;
    }
    another = 0;
  }
  check("wrong", wrong, 0);
}

}  // namespace

int main() { return run_with_side(run); }

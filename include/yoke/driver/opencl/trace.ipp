// SPDX-License-Identifier: MIT
// Bodies of driver/opencl/trace.hpp: a thunk for each entry point, and an event for each command of a device.
#ifndef YOKE_DRIVER_OPENCL_TRACE_IPP
#define YOKE_DRIVER_OPENCL_TRACE_IPP

#include <yoke/core/text.hpp>
#include <yoke/driver/opencl/error.hpp>
#include <yoke/driver/opencl/loader.hpp>
#include <yoke/driver/opencl/trace.hpp>
#include <yoke/driver/trace/trace_log.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <string_view>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace yoke::inline v0_1::opencl::detail {

using yoke::detail::trace_facts;
using yoke::detail::trace_log;
using yoke::detail::traced_call;
using yoke::detail::traced_work;

// The driver's own entry points, while the table has the thunks.
inline constinit abi::functions traced_functions{};

/// The events of commands, which carry the times on the device. A device's clock has its own zero; a command is queued
/// during its call, which relates that zero to the host's clock.
class work_times {
 public:
  static work_times& instance() {
    static auto* const only = new work_times;  // never destroyed: other code may call the driver while the program ends
    return *only;
  }

  /// Effects: takes ownership of a command's event.
  void add(trace_log& log, abi::queue queue, abi::event event, traced_work work) {
    const std::lock_guard lock(mutex_);
    if (work.trace != log.trace()) {  // the trace has ended meanwhile
      (void)traced_functions.release_event(event);
      return;
    }
    work.device = device_of(log, queue);
    pending_.push_back({event, work});
    constexpr std::size_t batch = 256;
    if (pending_.size() % batch == 0) (void)read(log);
  }

  /// Effects: waits for all commands, at most until the deadline, and writes their times to the log.
  void finish(trace_log& log, std::chrono::steady_clock::time_point deadline) {
    const std::lock_guard lock(mutex_);
    while (!read(log) && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    for (const entry& each : pending_) (void)traced_functions.release_event(each.event);
    log.add_untimed(pending_.size());
    for (traced_work& each : done_) {
      each.begin = (std::max)(each.begin + ahead_[each.device], each.call_begin);
      each.end = (std::max)(each.end + ahead_[each.device], each.begin);
      log.add(each);
    }
    pending_.clear();
    done_.clear();
    ahead_.clear();
    // Queues and kernels may end, and their handles be used again, before the next trace.
    devices_.clear();
    names_.clear();
  }

  void made(abi::queue queue) {
    const std::lock_guard lock(mutex_);
    devices_.erase(queue);
  }
  void name(trace_log& log, abi::kernel kernel, const char* name) {
    const std::lock_guard lock(mutex_);
    if (kernel != nullptr && name != nullptr) names_[kernel] = log.keep(name);
  }
  [[nodiscard]] const char* name_of(trace_log& log, abi::kernel kernel) {
    const std::lock_guard lock(mutex_);
    const auto known = names_.find(kernel);
    if (known != names_.end()) return known->second;
    char name[1024] = "";
    const abi::status status =
        traced_functions.get_kernel_info(kernel, abi::kernel_function_name, sizeof name, name, nullptr);
    return status == 0 ? names_[kernel] = log.keep(name) : nullptr;
  }
  void forget(abi::kernel kernel) {
    const std::lock_guard lock(mutex_);
    names_.erase(kernel);
  }

 private:
  struct entry {
    abi::event event;
    traced_work work;
  };

  abi::device device_of(trace_log& log, abi::queue queue) {
    const auto known = devices_.find(queue);
    if (known != devices_.end()) return known->second;
    abi::device device = nullptr;
    (void)traced_functions.get_queue_info(queue, abi::queue_device, sizeof device, static_cast<void*>(&device),
                                          nullptr);
    char name[256] = "";
    if (device != nullptr) (void)traced_functions.get_device_info(device, abi::device_name, sizeof name, name, nullptr);
    log.name_device(device, yoke::detail::text(name, " (opencl)"));
    return devices_[queue] = device;
  }

  /// Effects: reads the times of completed commands. Returns: whether none is left.
  bool read(trace_log& log) {
    std::erase_if(pending_, [&](entry& each) {
      abi::status status = 0;
      const abi::status asked =
          traced_functions.get_event_info(each.event, abi::event_execution_status, sizeof status, &status, nullptr);
      if (asked == 0 && status > abi::event_complete) return false;
      abi::ulong queued = 0, begin = 0, end = 0;
      const auto time = [&](abi::uint which, abi::ulong& into) {
        return traced_functions.get_event_profiling_info(each.event, which, sizeof into, &into, nullptr) == 0 &&
               into != 0;
      };
      if (asked == 0 && status == abi::event_complete && time(abi::profiling_queued, queued) &&
          time(abi::profiling_start, begin) && time(abi::profiling_end, end)) {
        const std::int64_t ahead = each.work.call_begin - static_cast<std::int64_t>(queued);
        const auto [known, is_new] = ahead_.emplace(each.work.device, ahead);
        if (!is_new) known->second = (std::max)(known->second, ahead);
        each.work.begin = static_cast<std::int64_t>(begin);
        each.work.end = static_cast<std::int64_t>(end);
        done_.push_back(each.work);
      } else {
        log.add_untimed(1);
      }
      (void)traced_functions.release_event(each.event);
      return true;
    });
    return pending_.empty();
  }

  std::mutex mutex_;
  std::vector<entry> pending_;
  std::vector<traced_work> done_;              // in device time
  std::map<const void*, std::int64_t> ahead_;  // offset from each device's clock to the host's
  std::map<abi::queue, abi::device> devices_;
  std::map<abi::kernel, const char*> names_;
};

/// The index of the argument that holds a call's byte count; 0 for none.
constexpr std::size_t traced_size_of(std::string_view name) noexcept {
  if (name == "enqueue_read_buffer" || name == "enqueue_write_buffer" || name == "enqueue_svm_copy" ||
      name == "enqueue_svm_fill" || name == "enqueue_svm_map") {
    return 4;
  }
  if (name == "enqueue_copy_buffer" || name == "enqueue_fill_buffer" || name == "enqueue_map_buffer") return 5;
  return name == "create_buffer" || name == "svm_alloc" ? 2 : 0;
}
/// Whether the trace shows a command's device time. Markers have none on some drivers.
constexpr bool is_traced_work(std::string_view name) noexcept {
  return name.starts_with("enqueue_") && name != "enqueue_marker" && name != "enqueue_barrier";
}

struct traced_entry {
  std::string_view name;
  const char* symbol;
};
#define YOKE_TRACED(name, symbol, version, ...) {#name, symbol},
inline constexpr traced_entry traced_entries[] = {YOKE_OPENCL_FUNCTIONS(YOKE_TRACED)};
#undef YOKE_TRACED

template <std::size_t Index, class Function>
struct traced;
template <std::size_t Index, class Result, class... Args>
struct traced<Index, Result(Args...)> {
  static constexpr std::string_view name = traced_entries[Index].name;

  template <abi::pointer_to<Result(Args...)> abi::functions::*Member>
  static Result call(Args... args) {
    trace_log* const log = trace_log::if_open();
    if (log == nullptr) return (traced_functions.*Member)(args...);
    std::tuple<Args...> packed{args...};
    traced_call made{.name = traced_entries[Index].symbol};
    const std::uint64_t trace = log->trace();
    abi::event own = nullptr;
    abi::event* event = nullptr;
    if constexpr (is_traced_work(name)) {
      abi::event*& given = std::get<abi::event*>(packed);
      if (log->times_work()) {
        event = given == nullptr ? &own : given;
        given = event;
      }
    } else if constexpr (name == "create_queue") {
      if (log->times_work()) std::get<2>(packed) |= abi::queue_profiling;
    }
    try {
      tell(*log, packed, made.facts);
    } catch (...) {  // out of memory: the trace loses the entry, the program goes on
    }
    made.begin = trace_log::now();
    if constexpr (std::is_void_v<Result>) {
      std::apply(traced_functions.*Member, packed);
      made.end = trace_log::now();
      (void)log->add(made, trace);
    } else {
      const Result result = std::apply(traced_functions.*Member, packed);
      made.end = trace_log::now();
      const abi::status status = status_of(result, packed);
      if (status != 0) made.failure = error_name(status);
      const std::size_t number = log->add(made, trace);
      try {
        remember(*log, packed, result);
        if constexpr (is_traced_work(name)) {
          if (event != nullptr && status == 0 && number != trace_log::none) {
            if (event != &own && traced_functions.retain_event(*event) != 0) return result;
            work_times::instance().add(
                *log, std::get<0>(packed), *event,
                {.name = made.name, .trace = trace, .call = number, .call_begin = made.begin, .facts = made.facts});
          } else if (own != nullptr) {
            (void)traced_functions.release_event(own);
          }
        }
      } catch (...) {
      }
      return result;
    }
  }

 private:
  /// Returns: the status code of the call.
  template <class Value>
  static abi::status status_of(const Value& result, const std::tuple<Args...>& args) {
    if constexpr (std::is_same_v<Value, abi::status>) {
      return result;
    } else if constexpr (sizeof...(Args) != 0) {
      const auto& last = std::get<sizeof...(Args) - 1>(args);
      if constexpr (std::is_same_v<std::decay_t<decltype(last)>, abi::status*>) return last == nullptr ? 0 : *last;
      return 0;
    } else {
      return 0;
    }
  }

  static void tell(trace_log& log, const std::tuple<Args...>& args, trace_facts& facts) {
    if constexpr (name.starts_with("enqueue_") || name == "finish" || name == "flush") {
      facts.stream = std::get<0>(args);
    }
    if constexpr (traced_size_of(name) != 0) {
      facts.bytes = std::get<traced_size_of(name)>(args);
    } else if constexpr (name.ends_with("_buffer_rect")) {
      const std::size_t* const region = std::get<5>(args);
      facts.bytes = region[0] * region[1] * region[2];
    } else if constexpr (name == "enqueue_kernel") {
      facts.kernel = work_times::instance().name_of(log, std::get<1>(args));
      const std::size_t* const threads = std::get<4>(args);
      const std::size_t* const block = std::get<5>(args);
      for (std::size_t i = 0; i < 3; ++i) {
        facts.threads[i] = i < std::get<2>(args) ? threads[i] : 1;
        facts.block[i] = block == nullptr ? 0 : i < std::get<2>(args) ? block[i] : 1;
      }
    } else if constexpr (name == "release_kernel") {
      // The handle may name another kernel after this release; if this kernel lives on, its name is queried again.
      work_times::instance().forget(std::get<0>(args));
    }
  }

  template <class Value>
  static void remember(trace_log& log, const std::tuple<Args...>& args, const Value& result) {
    if constexpr (name == "create_kernel") {
      work_times::instance().name(log, result, std::get<1>(args));
    } else if constexpr (name == "create_queue") {
      work_times::instance().made(result);
    }
  }
};

/// Effects: replaces the driver's entry points by the thunks.
void trace_table(abi::functions& table) noexcept {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (traced_functions.get_platform_ids == nullptr) traced_functions = table;
#define YOKE_TRACED(name, symbol, version, ...) index_##name,
  enum index_of : std::size_t { YOKE_OPENCL_FUNCTIONS(YOKE_TRACED) };
#undef YOKE_TRACED
#define YOKE_TRACED(name, symbol, version, ...)                                                                        \
  if (table.name != nullptr)                                                                                           \
    table.name =                                                                                                       \
        &traced<index_##name, std::remove_pointer_t<decltype(table.name)>>::template call<&abi::functions::name>;
  YOKE_OPENCL_FUNCTIONS(YOKE_TRACED)
#undef YOKE_TRACED
}

bool trace_driver() noexcept { return set_table_filter(&trace_table); }

void end_trace(std::chrono::steady_clock::time_point deadline) noexcept {
  try {
    work_times::instance().finish(trace_log::instance(), deadline);
  } catch (...) {
  }
}

}  // namespace yoke::inline v0_1::opencl::detail

#endif

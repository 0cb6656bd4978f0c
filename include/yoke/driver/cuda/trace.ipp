// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/trace.hpp: a thunk for each entry point, and events around the work of devices.
#ifndef YOKE_DRIVER_CUDA_TRACE_IPP
#define YOKE_DRIVER_CUDA_TRACE_IPP

#include <yoke/driver/cuda/trace.hpp>

#include <yoke/core/demangle.hpp>
#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/error.hpp>
#include <yoke/driver/cuda/facet.hpp>
#include <yoke/driver/cuda/loader.hpp>
#include <yoke/driver/trace/trace_log.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <tuple>
#include <type_traits>
#include <vector>

namespace yoke::inline v0_1::cuda::detail {

using yoke::detail::trace_facts;
using yoke::detail::trace_log;
using yoke::detail::traced_call;
using yoke::detail::traced_work;

// The driver's own entry points, while the table has the thunks.
inline constinit abi::functions traced_functions{};

/// Returns: "scale<float>" for the mangled name of `void scale<float>(float*)`; other names unchanged.
std::string traced_kernel_name(const char* name) {
  std::string words = yoke::detail::demangled(name);
  if (!words.ends_with(')')) return words;
  std::size_t open = words.size();
  for (int depth = 0; open > 0;) {
    --open;
    depth += words[open] == ')' ? 1 : words[open] == '(' ? -1 : 0;
    if (depth == 0) break;
  }
  words.resize(open);
  return words.starts_with("void ") ? words.substr(5) : words;
}

/// Makes a context current for a scope.
class trace_context {
 public:
  explicit trace_context(abi::context context) noexcept
      : is_current_(traced_functions.context_push(context) == abi::success) {}
  trace_context(const trace_context&) = delete;
  trace_context& operator=(const trace_context&) = delete;
  ~trace_context() {
    abi::context none = nullptr;
    if (is_current_) (void)traced_functions.context_pop(&none);
  }
  [[nodiscard]] explicit operator bool() const noexcept { return is_current_; }

 private:
  bool is_current_;
};

/// Events around commands, which measure when the device ran them. All times of a context count from its base event.
class work_timer {
 public:
  using time_point = std::chrono::steady_clock::time_point;
  struct span {
    abi::context context = nullptr;
    abi::event before = nullptr;
    abi::event after = nullptr;
  };

  static work_timer& instance() {
    static auto* const only = new work_timer;  // never destroyed: other code may call the driver while the program ends
    return *only;
  }

  void begin_capture() noexcept { ++captures_; }
  void end_capture() noexcept { --captures_; }

  /// Effects: records an event before a command. Returns: nothing for a command that becomes part of a graph, or if the
  /// time cannot be measured.
  std::optional<span> begin(trace_log& log, abi::stream stream) {
    const bool is_default = is_default_stream(stream);
    bool captures = captures_ != 0;
    if (captures && !is_default) {
      auto state = abi::capture_status::none;
      if (traced_functions.stream_is_capturing(stream, &state) != abi::success || state != abi::capture_status::none) {
        return std::nullopt;
      }
    }
    span made;
    const abi::status status = is_default ? traced_functions.context_get_current(&made.context)
                                          : traced_functions.stream_get_context(stream, &made.context);
    if (status == abi::success && made.context != nullptr && take(log, made, !captures)) {
      if (traced_functions.event_record(made.before, stream) == abi::success) return made;
      give_back(made);
    }
    log.add_untimed(1);
    return std::nullopt;
  }

  /// Effects: records an event after the command; `work` holds the number of its call.
  void end(trace_log& log, const span& made, abi::stream stream, const traced_work& work) {
    if (traced_functions.event_record(made.after, stream) != abi::success) {
      log.add_untimed(1);
      return give_back(made);
    }
    const std::lock_guard lock(mutex_);
    const auto known = timelines_.find(made.context);
    if (known == timelines_.end()) return destroy(made);  // the trace has ended meanwhile
    known->second.pending.push_back({made, work});
    constexpr std::size_t batch = 256;
    if (captures_ == 0 && known->second.pending.size() % batch == 0) read(log, known->second, made.context, {});
  }
  void give_back(const span& made) {
    const std::lock_guard lock(mutex_);
    const auto known = timelines_.find(made.context);
    if (known == timelines_.end()) return destroy(made);
    known->second.idle.push_back(made.before);
    known->second.idle.push_back(made.after);
  }

  /// Effects: waits for all contexts, at most until the deadline, writes their times to the log and destroys their
  /// events.
  void finish(trace_log& log, time_point deadline) {
    const std::lock_guard lock(mutex_);
    for (auto& [context, in] : timelines_) finish(log, in, context, deadline);
    timelines_.clear();
  }
  /// Effects: as `finish`, for a context, or the contexts of a device, about to end.
  void finish_context(trace_log& log, abi::context context, abi::device device) {
    const std::lock_guard lock(mutex_);
    for (auto at = timelines_.begin(); at != timelines_.end();) {
      if (at->first != context && at->second.device != device) {
        ++at;
        continue;
      }
      finish(log, at->second, at->first, std::chrono::steady_clock::now() + std::chrono::seconds(2));
      at = timelines_.erase(at);
    }
  }

  [[nodiscard]] const char* name_of(trace_log& log, abi::function function) {
    const std::lock_guard lock(mutex_);
    const auto known = names_.find(function);
    if (known != names_.end()) return known->second;
    const char* name = nullptr;
    if (traced_functions.function_get_name == nullptr ||
        traced_functions.function_get_name(&name, function) != abi::success || name == nullptr) {
      return nullptr;
    }
    return names_[function] = log.keep(traced_kernel_name(name));
  }
  void name(trace_log& log, const void* function, const char* name) {
    const std::lock_guard lock(mutex_);
    if (name != nullptr) names_[function] = log.keep(traced_kernel_name(name));
  }
  void name_like(const void* function, const void* kernel) {
    const std::lock_guard lock(mutex_);
    const auto known = names_.find(kernel);
    if (known != names_.end()) names_[function] = known->second;
  }

 private:
  struct entry {
    span events;
    traced_work work;
  };
  struct timeline {
    abi::device device = -1;
    abi::event base = nullptr;
    double base_time = 0;  // on the host's clock, in nanoseconds
    std::vector<abi::event> idle{};
    std::deque<entry> pending{};
  };

  static void destroy(const span& made) noexcept {
    (void)traced_functions.event_destroy(made.before);
    (void)traced_functions.event_destroy(made.after);
  }

  /// Effects: takes two events. Returns: false if it cannot.
  bool take(trace_log& log, span& made, bool may_begin) {
    const std::lock_guard lock(mutex_);
    const auto known = timelines_.find(made.context);
    if (known == timelines_.end() && !may_begin) return false;
    const trace_context current(made.context);
    if (!current) return false;
    timeline* const in = known != timelines_.end() ? &known->second : begin_timeline(log, made.context);
    if (in == nullptr) return false;
    const auto next = [&](abi::event& event) {
      if (in->idle.empty()) return traced_functions.event_create(&event, abi::event_default) == abi::success;
      event = in->idle.back();
      in->idle.pop_back();
      return true;
    };
    if (!next(made.before)) return false;
    if (next(made.after)) return true;
    in->idle.push_back(made.before);
    return false;
  }

  /// Returns: the timeline of the current context; null on failure. Its base event is recorded in a separate stream,
  /// because the program's streams may wait for long.
  timeline* begin_timeline(trace_log& log, abi::context context) {
    timeline made;
    abi::stream stream = nullptr;
    if (traced_functions.stream_create(&stream, abi::stream_non_blocking, 0) != abi::success) return nullptr;
    bool is_made = traced_functions.event_create(&made.base, abi::event_default) == abi::success;
    if (is_made && (traced_functions.event_record(made.base, stream) != abi::success ||
                    traced_functions.event_synchronize(made.base) != abi::success)) {
      (void)traced_functions.event_destroy(made.base);
      is_made = false;
    }
    made.base_time = static_cast<double>(trace_log::now());
    (void)traced_functions.stream_destroy(stream);
    if (!is_made) return nullptr;
    if (traced_functions.context_get_device(&made.device) == abi::success) {
      char name[256] = "";
      (void)traced_functions.device_get_name(name, sizeof name, made.device);
      log.name_device(context, yoke::detail::text(name, " (cuda:", made.device, ")"));
    }
    return &timelines_.emplace(context, std::move(made)).first->second;
  }

  static void finish(trace_log& log, timeline& in, abi::context context, time_point deadline) {
    const trace_context current(context);
    if (!current) return log.add_untimed(in.pending.size());
    read(log, in, context, deadline);
    log.add_untimed(in.pending.size());
    for (const entry& each : in.pending) destroy(each.events);
    for (const abi::event each : in.idle) (void)traced_functions.event_destroy(each);
    (void)traced_functions.event_destroy(in.base);
  }

  /// Effects: writes the times of completed work, in the order of the calls; waits for it, at most until the deadline.
  static void read(trace_log& log, timeline& in, abi::context context, time_point deadline) {
    const trace_context current(context);
    while (!in.pending.empty()) {
      entry& each = in.pending.front();
      const abi::status status = traced_functions.event_query(each.events.after);
      if (status == abi::error_not_ready) {
        if (std::chrono::steady_clock::now() >= deadline) return;
        std::this_thread::sleep_for(std::chrono::microseconds(50));
        continue;
      }
      float begin = 0, end = 0;  // milliseconds, exact to a microsecond for 16 seconds: then the base must move on
      if (status == abi::success &&
          traced_functions.event_elapsed_time(&begin, in.base, each.events.before) == abi::success &&
          traced_functions.event_elapsed_time(&end, in.base, each.events.after) == abi::success) {
        constexpr double nanoseconds = 1e6;
        const double began = in.base_time + static_cast<double>(begin) * nanoseconds;
        const double ended = in.base_time + static_cast<double>(end) * nanoseconds;
        each.work.device = context;
        // An idle stream completes the first event before the command is enqueued.
        each.work.begin = (std::max)(static_cast<std::int64_t>(began), each.work.call_begin);
        each.work.end = (std::max)(static_cast<std::int64_t>(ended), each.work.begin);
        log.add(each.work);
        if (end > 1000) {
          std::swap(in.base, each.events.after);
          in.base_time = ended;
        }
      } else {
        log.add_untimed(1);
      }
      in.idle.push_back(each.events.before);
      in.idle.push_back(each.events.after);
      in.pending.pop_front();
    }
  }

  std::atomic<int> captures_{0};
  std::mutex mutex_;
  std::map<abi::context, timeline> timelines_;
  std::map<const void*, const char*> names_;  // of functions and kernels
};

/// Returns: the bytes that a copy, a fill or an allocation is about; 0 for other calls.
template <class... Args>
std::uint64_t traced_bytes(std::string_view name, const std::tuple<Args...>& args) {
  if (!name.starts_with("mem")) return 0;
  std::array<std::uint64_t, 3> sizes{};
  std::size_t count = 0;
  std::uint64_t bytes = 0;
  const auto look = [&](const auto& each) {
    using type = std::decay_t<decltype(each)>;
    if constexpr (std::is_same_v<type, std::size_t>) {
      if (count < sizes.size()) sizes[count++] = each;
    } else if constexpr (std::is_same_v<type, const abi::copy_2d*>) {
      bytes = each->width_bytes * each->height;
    } else if constexpr (std::is_same_v<type, const abi::copy_3d*>) {
      bytes = each->width_bytes * each->height * each->depth;
    }
  };
  std::apply([&](const auto&... each) { (look(each), ...); }, args);
  if (bytes != 0) return bytes;
  const std::uint64_t width = name.find("d16") != name.npos ? 2 : name.find("d32") != name.npos ? 4 : 1;
  if (name.starts_with("memset_2d")) return sizes[1] * sizes[2] * width;
  if (name.starts_with("memset")) return sizes[0] * width;
  if (name == "mem_alloc_pitch") return sizes[0] * sizes[1];
  if (name.find("batch") != name.npos || name.find("address") != name.npos) return 0;
  return sizes[0];
}

template <class... Args>
abi::stream traced_stream(const std::tuple<Args...>& args) {
  abi::stream stream = nullptr;
  const auto look = [&](const auto& each) {
    using type = std::decay_t<decltype(each)>;
    if constexpr (std::is_same_v<type, abi::stream>) stream = each;
    if constexpr (std::is_same_v<type, const abi::launch_config*>) stream = each->on;
  };
  std::apply([&](const auto&... each) { (look(each), ...); }, args);
  return stream;
}

/// Whether the trace shows the device time of a call's work.
constexpr bool is_traced_work(std::string_view name) noexcept {
  return name.starts_with("launch_kernel") || name == "launch_cooperative_kernel" || name == "graph_launch" ||
         ((name.starts_with("memcpy") || name.starts_with("memset") || name.starts_with("mem_prefetch")) &&
          name.find("_async") != name.npos);
}

struct traced_entry {
  std::string_view name;
  const char* symbol;
};
#define YOKE_TRACED(name, symbol, version, ...) {#name, symbol},
inline constexpr traced_entry traced_entries[] = {YOKE_CUDA_FUNCTIONS(YOKE_TRACED)};
#undef YOKE_TRACED

template <std::size_t Index, class Function>
struct traced;
template <std::size_t Index, class... Args>
struct traced<Index, abi::status(Args...)> {
  static constexpr std::string_view name = traced_entries[Index].name;

  template <abi::pointer_to<abi::status(Args...)> abi::functions::*Member>
  static abi::status call(Args... args) {
    const std::tuple<Args...> packed{args...};
    prepare(packed);
    trace_log* const log = trace_log::if_open();
    if (log == nullptr) {
      const abi::status status = (traced_functions.*Member)(args...);
      remember(packed, status);
      return status;
    }
    const std::uint64_t trace = log->trace();
    traced_call made{.name = traced_entries[Index].symbol};
    std::optional<work_timer::span> span;
    try {
      tell(*log, packed, made.facts);
      if constexpr (is_traced_work(name)) {
        if (log->times_work()) span = work_timer::instance().begin(*log, traced_stream(packed));
      }
    } catch (...) {  // out of memory: the trace loses the entry, the program goes on
    }
    made.begin = trace_log::now();
    const abi::status status = (traced_functions.*Member)(args...);
    made.end = trace_log::now();
    if (status != abi::success && status != abi::error_not_ready) made.failure = error_name(status);
    const std::size_t number = log->add(made, trace);
    remember(packed, status);
    if constexpr (is_traced_work(name)) {
      try {
        if (span && status == abi::success && number != trace_log::none) {
          work_timer::instance().end(
              *log, *span, traced_stream(packed),
              {.name = made.name, .trace = trace, .call = number, .call_begin = made.begin, .facts = made.facts});
        } else if (span) {
          work_timer::instance().give_back(*span);
        }
      } catch (...) {
      }
    }
    return status;
  }

 private:
  /// Effects: fills in the facts about a call.
  static void tell(trace_log& log, const std::tuple<Args...>& args, trace_facts& facts) {
    facts.stream = traced_stream(args);
    facts.bytes = traced_bytes(name, args);
    const auto shape = [&](const auto& grid_x, const auto& grid_y, const auto& grid_z, const auto& x, const auto& y,
                           const auto& z) {
      facts.block = {x, y, z};
      facts.threads = {std::uint64_t{grid_x} * x, std::uint64_t{grid_y} * y, std::uint64_t{grid_z} * z};
    };
    if constexpr (name == "launch_kernel" || name == "launch_cooperative_kernel") {
      facts.kernel = work_timer::instance().name_of(log, std::get<0>(args));
      shape(std::get<1>(args), std::get<2>(args), std::get<3>(args), std::get<4>(args), std::get<5>(args),
            std::get<6>(args));
    } else if constexpr (name == "launch_kernel_ex") {
      facts.kernel = work_timer::instance().name_of(log, std::get<1>(args));
      const abi::launch_config& with = *std::get<0>(args);
      shape(with.grid_x, with.grid_y, with.grid_z, with.block_x, with.block_y, with.block_z);
    }
  }

  // Ends of contexts, captures and kernel names are followed between traces, too.
  static void prepare(const std::tuple<Args...>& args) noexcept {
    try {
      if constexpr (name == "context_destroy") {
        work_timer::instance().finish_context(trace_log::instance(), std::get<0>(args), none);
      } else if constexpr (name == "primary_context_release" || name == "primary_context_reset") {
        work_timer::instance().finish_context(trace_log::instance(), nullptr, std::get<0>(args));
      } else if constexpr (name == "stream_begin_capture") {
        work_timer::instance().begin_capture();
      }
    } catch (...) {
    }
  }
  static void remember(const std::tuple<Args...>& args, abi::status status) noexcept {
    try {
      if constexpr (name == "stream_end_capture") {
        work_timer::instance().end_capture();
      } else if constexpr (name == "stream_begin_capture") {
        if (status != abi::success) work_timer::instance().end_capture();
      } else if constexpr (name == "library_get_kernel" || name == "module_get_function") {
        if (status == abi::success) {
          work_timer::instance().name(trace_log::instance(), *std::get<0>(args), std::get<2>(args));
        }
      } else if constexpr (name == "kernel_get_function") {
        if (status == abi::success) work_timer::instance().name_like(*std::get<0>(args), std::get<1>(args));
      }
    } catch (...) {
    }
  }

  static constexpr abi::device none = -2;
};

/// Effects: replaces the driver's entry points by the thunks.
void trace_table(abi::functions& table) noexcept {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (traced_functions.init == nullptr) traced_functions = table;
#define YOKE_TRACED(name, symbol, version, ...) index_##name,
  enum index_of : std::size_t { YOKE_CUDA_FUNCTIONS(YOKE_TRACED) };
#undef YOKE_TRACED
#define YOKE_TRACED(name, symbol, version, ...)                                                                        \
  if (table.name != nullptr)                                                                                           \
    table.name =                                                                                                       \
        &traced<index_##name, std::remove_pointer_t<decltype(table.name)>>::template call<&abi::functions::name>;
  YOKE_CUDA_FUNCTIONS(YOKE_TRACED)
#undef YOKE_TRACED
}

bool trace_driver() noexcept { return set_table_filter(&trace_table); }

void end_trace(std::chrono::steady_clock::time_point deadline) noexcept {
  try {
    work_timer::instance().finish(trace_log::instance(), deadline);
  } catch (...) {
  }
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif

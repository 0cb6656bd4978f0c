// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/trace.hpp: a thunk for each entry point, and events around the work of devices.
#ifndef YOKE_DRIVER_CUDA_IMPL_TRACE_IPP
#define YOKE_DRIVER_CUDA_IMPL_TRACE_IPP

#include <yoke/core/impl/demangle.ipp>
#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/error.hpp>
#include <yoke/driver/cuda/facet.hpp>
#include <yoke/driver/cuda/loader.hpp>
#include <yoke/driver/cuda/trace.hpp>
#include <yoke/driver/trace/trace_log.hpp>

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

namespace yoke::inline YOKE_ABI::cuda::detail {

using yoke::detail::trace_facts;
using yoke::detail::trace_log;
using yoke::detail::traced_call;
using yoke::detail::traced_work;

// The driver's own entry points, while the table has the thunks.
inline constinit abi::functions traced_functions{};

/// Returns: "scale<float>" for the mangled name of `void scale<float>(float*)`; what is no mangled name unchanged.
YOKE_COLD std::string traced_kernel_name(const char* name) {
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

/// Makes a context current.
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

/// Events around commands, which tell when the device ran them. All times of a context count from its base event.
class work_timer {
 public:
  struct span {
    abi::context context = nullptr;
    abi::event before = nullptr;
    abi::event after = nullptr;
  };

  static work_timer& instance() {
    static auto* const only = new work_timer;  // never destroyed: calls may pass while the program ends
    return *only;
  }

  // While a stream is captured, an event in it, or in one that follows it, would become a part of the graph.
  void begin_capture() noexcept { ++captures_; }
  void end_capture() noexcept {
    if (--captures_ < 0) captures_ = 0;  // it began before the trace
  }

  /// Effects: has the device note the time before a command. Returns: nothing where it cannot be measured.
  std::optional<span> begin(trace_log& log, abi::stream stream) {
    if (!log.times_work() || captures_ != 0) return std::nullopt;
    span made;
    const bool is_default = is_default_stream(stream);
    const abi::status status = is_default ? traced_functions.context_get_current(&made.context)
                                          : traced_functions.stream_get_context(stream, &made.context);
    if (status != abi::success || made.context == nullptr) return std::nullopt;
    {
      const std::lock_guard lock(mutex_);
      timeline* const in = timeline_of(log, made.context, stream);
      if (in == nullptr || !take(*in, made.context, made.before)) return std::nullopt;
      if (!take(*in, made.context, made.after)) {
        in->idle.push_back(made.before);
        return std::nullopt;
      }
    }
    if (traced_functions.event_record(made.before, stream) == abi::success) return made;
    give_back(made);
    return std::nullopt;
  }

  /// Effects: the same behind the command, which has the number of its call.
  void end(trace_log& log, const span& made, abi::stream stream, const traced_work& work) {
    if (traced_functions.event_record(made.after, stream) != abi::success) return give_back(made);
    const std::lock_guard lock(mutex_);
    const auto known = timelines_.find(made.context);
    if (known == timelines_.end()) return log.add_untimed(1);
    timeline& in = known->second;
    in.pending.push_back({made.before, made.after, work});
    constexpr std::size_t batch = 256;
    if (in.pending.size() % batch == 0) read(log, in, made.context, false);
  }
  void give_back(const span& made) {
    const std::lock_guard lock(mutex_);
    const auto known = timelines_.find(made.context);
    if (known == timelines_.end()) return;
    known->second.idle.push_back(made.before);
    known->second.idle.push_back(made.after);
  }

  /// Effects: reads what is to be read of all contexts, or of one that is about to end, and destroys its events.
  void finish(trace_log& log, abi::context only = nullptr) {
    const std::lock_guard lock(mutex_);
    if (only == nullptr) captures_ = 0;
    for (auto at = timelines_.begin(); at != timelines_.end();) {
      auto& [context, in] = *at;
      if (only != nullptr && only != context) {
        ++at;
        continue;
      }
      if (const trace_context current(context); current) {
        read(log, in, context, true);
        if (in.base != nullptr) in.idle.push_back(in.base);
        for (const entry& each : in.pending) {
          in.idle.push_back(each.before);
          in.idle.push_back(each.after);
        }
        for (const abi::event each : in.idle) (void)traced_functions.event_destroy(each);
      }
      log.add_untimed(in.pending.size());
      at = timelines_.erase(at);
    }
  }
  void finish_device(trace_log& log, abi::device device) {
    std::vector<abi::context> ends;
    {
      const std::lock_guard lock(mutex_);
      for (const auto& [context, in] : timelines_) {
        if (in.device == device) ends.push_back(context);
      }
    }
    for (const abi::context each : ends) finish(log, each);
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
    abi::event before;
    abi::event after;
    traced_work work;
  };
  struct timeline {
    abi::device device = -1;
    abi::event base = nullptr;
    double base_time = 0;  // on the host's clock, in nanoseconds
    std::vector<abi::event> idle{};
    std::deque<entry> pending{};
  };

  /// Returns: the context's, with its base event; null where that cannot be.
  timeline* timeline_of(trace_log& log, abi::context context, abi::stream stream) {
    const auto known = timelines_.find(context);
    if (known != timelines_.end()) return &known->second;
    const trace_context current(context);
    timeline made;
    if (!current || traced_functions.event_create(&made.base, abi::event_default) != abi::success) return nullptr;
    if (traced_functions.event_record(made.base, stream) != abi::success ||
        traced_functions.event_synchronize(made.base) != abi::success) {
      (void)traced_functions.event_destroy(made.base);
      return nullptr;
    }
    made.base_time = static_cast<double>(trace_log::now());
    if (traced_functions.context_get_device(&made.device) == abi::success) {
      char name[256] = "";
      (void)traced_functions.device_get_name(name, sizeof name, made.device);
      log.name_device(context, yoke::detail::text(name, " (cuda:", made.device, ")"));
    }
    return &timelines_.emplace(context, std::move(made)).first->second;
  }

  static bool take(timeline& in, abi::context context, abi::event& event) {
    if (!in.idle.empty()) {
      event = in.idle.back();
      in.idle.pop_back();
      return true;
    }
    const trace_context current(context);
    return current && traced_functions.event_create(&event, abi::event_default) == abi::success;
  }

  /// Effects: writes the times of the work that is done, in the order of the calls; waits for it up to two seconds.
  static void read(trace_log& log, timeline& in, abi::context context, bool wait) {
    const trace_context current(context);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(wait ? 2 : 0);
    while (!in.pending.empty()) {
      entry& each = in.pending.front();
      const abi::status status = traced_functions.event_query(each.after);
      if (status == abi::error_not_ready) {
        if (std::chrono::steady_clock::now() >= deadline) return;
        std::this_thread::sleep_for(std::chrono::microseconds(50));
        continue;
      }
      float begin = 0, end = 0;  // milliseconds: they stay exact to a microsecond for 16 seconds, so the base moves on
      if (status == abi::success && traced_functions.event_elapsed_time(&begin, in.base, each.before) == abi::success &&
          traced_functions.event_elapsed_time(&end, in.base, each.after) == abi::success) {
        constexpr double nanoseconds = 1e6;
        const double began = in.base_time + static_cast<double>(begin) * nanoseconds;
        const double ended = in.base_time + static_cast<double>(end) * nanoseconds;
        each.work.device = context;
        each.work.begin = static_cast<std::int64_t>(began);
        each.work.end = static_cast<std::int64_t>(ended);
        log.add(each.work);
        if (end > 1000) {
          std::swap(in.base, each.after);
          in.base_time = ended;
        }
      } else {
        log.add_untimed(1);
      }
      in.idle.push_back(each.before);
      in.idle.push_back(each.after);
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

/// Whether a call gives a stream work for the device that is worth a time.
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
    trace_log* const log = trace_log::if_open();
    if (log == nullptr) return (traced_functions.*Member)(args...);
    const std::tuple<Args...> packed{args...};
    traced_call made{.name = traced_entries[Index].symbol};
    std::optional<work_timer::span> span;
    try {
      before(*log, packed, made.facts);
      if constexpr (is_traced_work(name)) span = work_timer::instance().begin(*log, traced_stream(packed));
    } catch (...) {  // no memory: the program comes first
    }
    made.begin = trace_log::now();
    const abi::status status = (traced_functions.*Member)(args...);
    made.end = trace_log::now();
    if (status != abi::success) made.failure = error_name(status);
    const std::size_t number = log->add(made);
    try {
      after(*log, packed, status);
      if constexpr (is_traced_work(name)) {
        if (!span) {
        } else if (status == abi::success && number != trace_log::none) {
          work_timer::instance().end(*log, *span, traced_stream(packed),
                                     {.name = made.name, .call = number, .facts = made.facts});
        } else {
          work_timer::instance().give_back(*span);
        }
      }
    } catch (...) {
    }
    return status;
  }

 private:
  static void before(trace_log& log, const std::tuple<Args...>& args, trace_facts& facts) {
    work_timer& timer = work_timer::instance();
    facts.stream = traced_stream(args);
    facts.bytes = traced_bytes(name, args);
    const auto shape = [&](const auto& grid_x, const auto& grid_y, const auto& grid_z, const auto& x, const auto& y,
                           const auto& z) {
      facts.block = {x, y, z};
      facts.threads = {std::uint64_t{grid_x} * x, std::uint64_t{grid_y} * y, std::uint64_t{grid_z} * z};
    };
    if constexpr (name == "launch_kernel" || name == "launch_cooperative_kernel") {
      facts.kernel = timer.name_of(log, std::get<0>(args));
      shape(std::get<1>(args), std::get<2>(args), std::get<3>(args), std::get<4>(args), std::get<5>(args),
            std::get<6>(args));
    } else if constexpr (name == "launch_kernel_ex") {
      facts.kernel = timer.name_of(log, std::get<1>(args));
      const abi::launch_config& with = *std::get<0>(args);
      shape(with.grid_x, with.grid_y, with.grid_z, with.block_x, with.block_y, with.block_z);
    } else if constexpr (name == "context_destroy") {
      timer.finish(log, std::get<0>(args));
    } else if constexpr (name == "primary_context_release" || name == "primary_context_reset") {
      timer.finish_device(log, std::get<0>(args));
    } else if constexpr (name == "stream_begin_capture") {
      timer.begin_capture();
    }
  }

  static void after(trace_log& log, const std::tuple<Args...>& args, abi::status status) {
    work_timer& timer = work_timer::instance();
    if constexpr (name == "stream_end_capture") {
      timer.end_capture();
    } else if constexpr (name == "stream_begin_capture") {
      if (status != abi::success) timer.end_capture();
    } else if constexpr (name == "library_get_kernel" || name == "module_get_function") {
      if (status == abi::success) timer.name(log, *std::get<0>(args), std::get<2>(args));
    } else if constexpr (name == "kernel_get_function") {
      if (status == abi::success) timer.name_like(*std::get<0>(args), std::get<1>(args));
    }
  }
};

/// Effects: puts the thunks in the place of the entries that the driver has.
YOKE_COLD void trace_table(abi::functions& table) noexcept {
  static constinit std::mutex mutex;
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

YOKE_COLD bool trace_driver() noexcept { return set_table_filter(&trace_table); }

YOKE_COLD void end_trace() noexcept {
  try {
    work_timer::instance().finish(trace_log::instance());
  } catch (...) {
  }
}

}  // namespace yoke::inline YOKE_ABI::cuda::detail

#endif

// SPDX-License-Identifier: MIT
// Bodies of execution/trace.hpp: write the log to a file and sum it up.
#ifndef YOKE_EXECUTION_TRACE_IPP
#define YOKE_EXECUTION_TRACE_IPP

#include <yoke/core/cleanup.hpp>
#include <yoke/core/environment.hpp>
#include <yoke/core/error.hpp>
#include <yoke/core/system.hpp>
#include <yoke/core/text.hpp>
#include <yoke/driver/backends.hpp>
#include <yoke/driver/trace/trace_log.hpp>
#include <yoke/execution/trace.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <utility>

namespace yoke::inline v0_1 {

namespace detail {

[[noreturn]] void throw_trace_file(const std::string& path, int code, const source_location& where) {
  throw runtime_error(make_error_code(errc::invalid_argument), "",
                      "the trace's file \"" + path + "\" cannot be written: " + std::strerror(code), where);
}

/// Writes events in Chrome's trace format: a list of JSON objects.
class trace_writer {
 public:
  trace_writer(std::FILE* file, std::int64_t origin) noexcept : file_(file), origin_(origin) {}

  void begin() { put("{\"displayTimeUnit\":\"ns\",\"traceEvents\":["); }
  /// Effects: ends the list and appends the counts of the calls and times that it lacks.
  void end(std::uint64_t left_out, std::uint64_t untimed) {
    put(text("\n],\"otherData\":{\"calls left out\":", left_out, ",\"work without times\":", untimed, "}}\n"));
  }

  void name(const char* what, std::size_t process, std::size_t row, std::string_view name) {
    next(text("{\"ph\":\"M\",\"name\":\"", what, "\",\"pid\":", process, ",\"tid\":", row,
              ",\"args\":{\"name\":", quoted(name), "}}"));
  }
  /// Effects: writes a slice, the bar of one call or command, into a row.
  void slice(std::string_view name, std::size_t process, std::size_t row, std::int64_t begin, std::int64_t end,
             const std::string& more) {
    next(text("{\"ph\":\"X\",\"name\":", quoted(name), ",\"pid\":", process, ",\"tid\":", row, ",\"ts\":", time(begin),
              ",\"dur\":", microseconds(std::max<std::int64_t>(end - begin, 0)), ",\"args\":{", more, "}}"));
  }
  /// Effects: writes one end of the arrow from a call to its work.
  void arrow(const char* which, std::size_t number, std::size_t process, std::size_t row, std::int64_t at) {
    next(text("{\"ph\":\"", which, "\",\"bp\":\"e\",\"cat\":\"work\",\"name\":\"work\",\"id\":", number,
              ",\"pid\":", process, ",\"tid\":", row, ",\"ts\":", time(at), "}"));
  }

  /// Returns: a JSON string, with "\ufffd" for each byte that is not UTF-8.
  static std::string quoted(std::string_view words) {
    std::string out = "\"";
    while (!words.empty()) {
      const std::size_t bytes = utf8_size(words);
      const auto letter = static_cast<unsigned char>(words.front());
      if (letter == '"' || letter == '\\') out += '\\';
      if (bytes == 0) {
        out += "\\ufffd";
      } else if (letter < 0x20) {
        out += "\\u" + hex_digits(letter, 4);
      } else {
        out += words.substr(0, bytes);
      }
      words.remove_prefix((std::max)(bytes, std::size_t{1}));
    }
    return out + '"';
  }

 private:
  /// Returns: the size of the first UTF-8 character in bytes; 0 if it is malformed.
  static std::size_t utf8_size(std::string_view words) noexcept {
    const auto byte = [&](std::size_t i) {
      return i < words.size() ? static_cast<unsigned>(static_cast<unsigned char>(words[i])) : 0U;
    };
    const unsigned lead = byte(0);
    if (lead < 0x80) return 1;
    const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    unsigned value = lead & (0xFFU >> (size + 1));
    for (std::size_t i = 1; i < size; ++i) {
      if ((byte(i) & 0xC0U) != 0x80) return 0;
      value = value << 6U | (byte(i) & 0x3FU);
    }
    constexpr unsigned least[] = {0x80, 0x800, 0x10000};
    const bool is_surrogate = value >= 0xD800 && value < 0xE000;
    return lead < 0xC2 || lead > 0xF4 || value < least[size - 2] || value > 0x10FFFF || is_surrogate ? 0 : size;
  }
  [[nodiscard]] std::string time(std::int64_t at) const {
    return microseconds(std::max<std::int64_t>(at - origin_, 0));
  }
  static std::string microseconds(std::int64_t nanoseconds) {
    const std::string part = std::to_string(nanoseconds % 1000);
    return std::to_string(nanoseconds / 1000) + "." + std::string(3 - part.size(), '0') + part;
  }
  void next(const std::string& event) {
    put(is_first_ ? "\n" : ",\n");
    is_first_ = false;
    put(event);
  }
  void put(const std::string& words) const { (void)std::fwrite(words.data(), 1, words.size(), file_); }

  std::FILE* file_;
  std::int64_t origin_;
  bool is_first_ = true;
};

std::string trace_arguments(const trace_facts& facts, const char* failure) {
  std::string out;
  const auto add = [&](const std::string& words) { out += (out.empty() ? "" : ",") + words; };
  const auto list = [](const std::array<std::uint64_t, 3>& of) {
    return text("[", of[0], ",", of[1], ",", of[2], "]");
  };
  if (facts.kernel != nullptr) add("\"kernel\":" + trace_writer::quoted(facts.kernel));
  if (facts.threads[0] != 0) add("\"threads\":" + list(facts.threads));
  if (facts.block[0] != 0) add("\"block\":" + list(facts.block));
  if (facts.bytes != 0) add(text("\"bytes\":", facts.bytes));
  if (failure != nullptr) add("\"failure\":" + trace_writer::quoted(failure));
  return out;
}

/// Returns: "3.36 us".
std::string trace_time(std::chrono::nanoseconds time) {
  constexpr std::pair<double, const char*> units[] = {{1e9, " s"}, {1e6, " ms"}, {1e3, " us"}};
  const auto count = static_cast<double>(time.count());
  for (const auto& [size, name] : units) {
    if (count < size) continue;
    char digits[32];
    const double of_it = count / size;
    (void)std::snprintf(digits, sizeof digits, "%.*f", of_it < 10 ? 2 : of_it < 100 ? 1 : 0, of_it);
    return std::string(digits) + name;
  }
  return text(time.count(), " ns");
}

}  // namespace detail

trace::trace(const trace_options& options, const source_location& where)
    : path_(options.path.empty() ? process_environment().trace : options.path) {
  if (path_.empty()) return;
  detail::trace_log& log = detail::trace_log::instance();
  if (detail::trace_log::if_open() != nullptr) {
    detail::throw_error(errc::invalid_argument, "a trace lives already: one at a time", where);
  }
  const char* used = nullptr;
  detail::all_backends::for_each([&](auto backend) {
    if (!backend.trace_driver()) used = backend.driver;
  });
  if (used != nullptr) {
    detail::throw_error(errc::invalid_argument, where, "a trace begins before the first use of a driver, but ", used,
                        " is in use already: make the trace first in main");
  }
  if (const std::size_t zero = path_.find('\0'); zero != std::string::npos) {
    detail::throw_trace_file(path_.substr(0, zero), EINVAL, where);
  }
  file_ = detail::open_to_write_bytes(path_);
  if (file_ == nullptr) detail::throw_trace_file(path_, errno, where);
  begin_ = detail::trace_log::now();
  process_ = detail::process_number();
  is_open_ = log.open(options.calls, options.times_work);
  if (is_open_) return;
  (void)std::fclose(file_);
  detail::throw_error(errc::invalid_argument, "a trace lives already: one at a time", where);
}

trace::~trace() {
  try {
    finish();
  } catch (...) {
    detail::report_cleanup_exception("yoke::trace");
  }
}

void trace::finish(const source_location& where) {
  if (!std::exchange(is_open_, false)) return;
  detail::trace_log::instance().close();
  if (detail::process_number() != process_) return;  // the file belongs to the parent process
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  detail::all_backends::for_each([&](auto backend) { backend.end_trace(deadline); });
  detail::trace_content taken = detail::trace_log::instance().take();
  std::stable_sort(taken.work.begin(), taken.work.end(),
                   [](const auto& a, const auto& b) { return a.begin < b.begin; });
  content_ = std::make_shared<const detail::trace_content>(std::move(taken));
  std::FILE* const file = file_;
  try {
    write();
  } catch (...) {
    (void)std::fclose(file);
    throw;
  }
  const bool failed = std::ferror(file) != 0;
  const int code = errno;
  if (std::fclose(file) != 0) detail::throw_trace_file(path_, errno, where);
  if (failed) detail::throw_trace_file(path_, code, where);
}

std::shared_ptr<const detail::trace_content> trace::content() const {
  if (content_ != nullptr) return content_;
  return std::make_shared<const detail::trace_content>(is_open_ ? detail::trace_log::instance().copy()
                                                                : detail::trace_content{});
}

void trace::write() {
  const detail::trace_content& all = *content_;
  detail::trace_writer out(file_, begin_);
  out.begin();
  constexpr std::size_t host = 1;
  out.name("process_name", host, 0, "host");
  std::set<std::uint32_t> threads;
  for (const detail::traced_call& each : all.calls) threads.insert(each.thread);
  for (const std::uint32_t each : threads) out.name("thread_name", host, each, detail::text("thread ", each));
  for (const detail::traced_call& each : all.calls) {
    const std::string more = each.file == nullptr
                                 ? detail::trace_arguments(each.facts, each.failure)
                                 : "\"at\":" + detail::trace_writer::quoted(detail::text(each.file, ":", each.line));
    out.slice(each.name, host, each.thread, each.begin, each.end, more);
  }

  // Each device becomes a process, each stream a row.
  std::map<const void*, std::size_t> processes;
  std::map<std::pair<const void*, const void*>, std::pair<std::size_t, std::int64_t>> rows;  // number, latest end
  for (const detail::traced_work& each : all.work) {
    const auto [process, is_new_device] = processes.emplace(each.device, host + 1 + processes.size());
    const auto named = all.devices.find(each.device);
    if (is_new_device) {
      out.name("process_name", process->second, 0, named == all.devices.end() ? std::string() : named->second);
    }
    const auto [row, is_new_row] =
        rows.emplace(std::pair(each.device, each.facts.stream), std::pair(rows.size() + 1, each.begin));
    auto& [number, latest] = row->second;
    if (is_new_row) out.name("thread_name", process->second, number, detail::text("stream ", number));
    // Clocks are exact to a microsecond: an overlap of at most that within a stream is an error of measurement.
    constexpr std::int64_t exact = 1000;
    const std::int64_t begin = each.begin < latest && latest - each.begin <= exact ? latest : each.begin;
    const std::int64_t end = (std::max)(begin, each.end);
    latest = (std::max)(latest, end);
    out.slice(each.facts.kernel == nullptr ? each.name : each.facts.kernel, process->second, number, begin, end,
              detail::trace_arguments(each.facts, nullptr));
    const detail::traced_call& call = all.calls[each.call];
    out.arrow("s", each.call, host, call.thread, call.begin);
    out.arrow("f", each.call, process->second, number, begin);
  }
  out.end(all.left_out, all.untimed);
}

std::vector<trace_total> trace::totals() const {
  const auto of = content();
  const detail::trace_content& all = *of;
  std::map<std::pair<trace_total::kind, std::string>, trace_total> sums;
  const auto add = [&](trace_total::kind kind, const char* name, std::int64_t begin, std::int64_t end,
                       const detail::trace_facts& facts, bool failed) {
    trace_total& sum = sums[{kind, name}];
    const std::chrono::nanoseconds took(std::max<std::int64_t>(end - begin, 0));
    if (sum.count == 0) {
      sum.of = kind;
      sum.name = name;
      sum.least = took;
    }
    ++sum.count;
    sum.failures += failed ? 1 : 0;
    sum.bytes += facts.bytes;
    sum.sum += took;
    sum.least = (std::min)(sum.least, took);
    sum.most = (std::max)(sum.most, took);
  };
  for (const detail::traced_call& each : all.calls) {
    add(each.file == nullptr ? trace_total::kind::call : trace_total::kind::scope, each.name, each.begin, each.end,
        each.facts, each.failure != nullptr);
  }
  for (const detail::traced_work& each : all.work) {
    add(trace_total::kind::work, each.facts.kernel == nullptr ? each.name : each.facts.kernel, each.begin, each.end,
        each.facts, false);
  }
  std::vector<trace_total> result;
  for (auto& [key, sum] : sums) result.push_back(std::move(sum));
  std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.sum > b.sum; });
  return result;
}

std::string trace::table() const {
  const std::vector<trace_total> all = totals();
  std::size_t width = 0;
  for (const trace_total& each : all) width = (std::max)(width, each.name.size());
  std::string out;
  const auto right = [](const std::string& words) {
    return std::string(12 - std::min<std::size_t>(words.size(), 11), ' ') + words;
  };
  constexpr std::pair<trace_total::kind, const char*> parts[] = {{trace_total::kind::scope, "scopes"},
                                                                 {trace_total::kind::call, "calls of the drivers"},
                                                                 {trace_total::kind::work, "work of the devices"}};
  for (const auto& [kind, title] : parts) {
    bool is_first = true;
    for (const trace_total& each : all) {
      if (each.of != kind) continue;
      const std::string head = title;
      const std::size_t room = (std::max)(width, std::string_view("calls of the drivers").size());
      if (is_first) {
        out += head + std::string(room - head.size(), ' ') + right("count") + right("sum") + right("mean") +
               right("least") + right("most") + "\n";
      }
      is_first = false;
      const auto mean = each.sum / static_cast<std::int64_t>(each.count);
      out += each.name + std::string(room - each.name.size(), ' ') + right(std::to_string(each.count)) +
             right(detail::trace_time(each.sum)) + right(detail::trace_time(mean)) +
             right(detail::trace_time(each.least)) + right(detail::trace_time(each.most)) + "\n";
    }
  }
  if (const std::uint64_t count = left_out(); count != 0) out += detail::text("calls left out: ", count, "\n");
  if (const std::uint64_t count = untimed(); count != 0) out += detail::text("work without times: ", count, "\n");
  return out;
}

std::uint64_t trace::left_out() const { return content()->left_out; }
std::uint64_t trace::untimed() const { return content()->untimed; }

trace_scope::trace_scope(std::string_view name, const source_location& where) {
  detail::trace_log* const log = detail::trace_log::if_open();
  if (log == nullptr) return;
  trace_ = log->trace();
  name_ = log->keep(name);
  file_ = where.file_name();
  line_ = where.line();
  begin_ = detail::trace_log::now();
}
trace_scope::~trace_scope() {
  detail::trace_log* const log = name_ == nullptr ? nullptr : detail::trace_log::if_open();
  if (log == nullptr) return;
  (void)log->add({.name = name_, .begin = begin_, .end = detail::trace_log::now(), .file = file_, .line = line_},
                 trace_);
}

}  // namespace yoke::inline v0_1

#endif

// SPDX-License-Identifier: MIT
// Bodies of program/cache/program_cache.hpp and program/cache/program_builder.hpp: load or compile a requested program.
#ifndef YOKE_PROGRAM_CACHE_PROGRAM_CACHE_IPP
#define YOKE_PROGRAM_CACHE_PROGRAM_CACHE_IPP

#include <yoke/core/error.hpp>
#include <yoke/core/system.hpp>
#include <yoke/driver/compile_request.hpp>
#include <yoke/language/find_includes.hpp>
#include <yoke/program/cache/cache_entry.hpp>
#include <yoke/program/cache/kernel_signatures.hpp>
#include <yoke/program/cache/memory_cache.hpp>
#include <yoke/program/cache/program_builder.hpp>
#include <yoke/program/cache/program_cache.hpp>
#include <yoke/program/compile_options.hpp>
#include <yoke/program/source/include_scan.hpp>

#include <atomic>
#include <cstdio>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <mutex>

namespace yoke::inline v0_1 {

namespace detail {

/// Reads the files that a program depends on besides its request; can read them again to detect changes.
class program_sources {
 public:
  explicit program_sources(const cached_program& program) : program_(program) {
    for (const cached_part& each : program.parts) sources_.push_back(each.source == nullptr ? source{} : read(each));
  }

  std::string problem{};  ///< an input that neither the library sees nor the caller's digest covers

  /// Effects: reads headers and files. Returns: the program's key, which includes them.
  cache_key key() {
    if (program_.steps.empty()) return make_cache_key(with_headers(0));
    cache_inputs all;
    all.backend = program_.target.backend;
    all.product = program_.target.product + " of " + program_.steps;
    all.driver = program_.target.driver;
    all.target = program_.target.devices;
    all.options = program_.words;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const cached_part& part = program_.parts[i];
      if (part.source != nullptr) {
        all.source += "source " + make_cache_key(with_headers(i)).name() + "\n";
        continue;
      }
      const std::string_view bytes(reinterpret_cast<const char*>(part.bytes.data()), part.bytes.size());
      all.source += "input " + text(all.headers.size(), "\n");
      all.headers.emplace_back(part.kind + " " + part.name, part.bytes.empty() ? content_of(part.name) : bytes);
    }
    return make_cache_key(all);
  }

 private:
  struct source {
    cache_inputs inputs{};
    std::string problem{};
    bool is_prelude_read = false;  ///< whether to look for includes in the prelude, too
  };

  source read(const cached_part& part) const {
    source made;
    made.inputs = program_.inputs == nullptr ? inputs_of(*part.source, program_.target)
                                             : program_.inputs(*part.source, program_.target);
    made.inputs.extra = *part.header_digest;
    const kernel_language& language = part.source->language;
    const bool needs_header =
        !language.own_include.empty() && made.inputs.prelude.find(language.own_include) != std::string::npos;
    for (const define& each : *part.defines) {
      const include_list found = find_includes(each.value);
      if (found.directives.empty() && found.problem.empty()) continue;
      made.problem = "define \"" + each.name + "\" may ask for a header";
    }
    if (!part.problem.empty()) made.problem = part.problem;
    made.is_prelude_read = needs_header && program_.target.closed;
    if (needs_header && !program_.target.closed) {
      made.problem = text("structs with half-precision members need a header of ", language.backend, "'s");
    }
    return made;
  }

  /// Returns: the inputs of one source, with the headers that it includes.
  const cache_inputs& with_headers(std::size_t number) {
    source& of = sources_[number];
    const cached_part& part = program_.parts[number];
    include_rules rules{.closed = program_.target.closed,
                        .standard_headers = program_.standard_headers,
                        .own_folders = program_.own_folders};
    if (part.headers != nullptr) rules.texts = *part.headers;
    if (of.is_prelude_read) rules.before = of.inputs.prelude;
    const std::vector<std::string>& options = part.options == nullptr ? part.source->options : *part.options;
    include_scan scan =
        scan_includes(of.inputs.source, of.inputs.source_name, part.source->include_folders, options, rules);
    of.inputs.headers = std::move(scan.headers);
    if (problem.empty() && of.inputs.extra.empty()) problem = of.problem.empty() ? std::move(scan.problem) : of.problem;
    return of.inputs;
  }

  std::string content_of(const std::string& path) {
    std::string content;
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(open_to_read_bytes(path), &std::fclose);
    char piece[1 << 14];
    std::size_t got = 0;
    while (file != nullptr && (got = std::fread(piece, 1, sizeof piece, file.get())) != 0) content.append(piece, got);
    if ((file == nullptr || std::ferror(file.get()) != 0) && problem.empty()) problem = path + " cannot be read";
    return content;
  }

  const cached_program& program_;
  std::vector<source> sources_;  // one for each part
};

/// The programs in memory, in the order of their last use. Thread safety: none.
class use_order {
 public:
  struct program {
    cache_digest id;
    std::uint64_t bytes;
  };

  explicit use_order(std::uint64_t most) noexcept : most_(most) {}

  /// Effects: notes the use of a program of so many bytes. Returns: the programs that leave for it. Throws:
  /// `std::bad_alloc`; then the program is not noted.
  std::list<program> use(const cache_digest& id, std::uint64_t bytes) {
    const auto found = places_.find(id);
    if (found != places_.end()) {
      order_.splice(order_.begin(), order_, found->second);
      bytes_ -= order_.front().bytes;
      order_.front().bytes = bytes;
    } else {
      std::list<program> added{{id, bytes}};
      places_.emplace(id, added.begin());
      order_.splice(order_.begin(), added);
    }
    bytes_ += bytes;
    std::list<program> leaving;
    while (bytes_ > most_ && !order_.empty()) {
      bytes_ -= order_.back().bytes;
      places_.erase(order_.back().id);
      leaving.splice(leaving.begin(), order_, std::prev(order_.end()));
    }
    return leaving;
  }
  void clear() noexcept {
    places_.clear();
    order_.clear();
    bytes_ = 0;
  }

 private:
  std::uint64_t most_;
  std::uint64_t bytes_ = 0;
  std::list<program> order_;  // the one used last comes first
  std::map<cache_digest, std::list<program>::iterator> places_;
};

}  // namespace detail

class program_cache::keeper {
 public:
  keeper(const disk_cache_options& options, const environment& variables, const detail::file_functions& files)
      : disk(options, variables, files), off(variables.cache == "off"), used_(options.max_memory_bytes) {}

  void build(detail::program_sources& sources, detail::program_builder& builder) {
    if (off) return compile_only(builder, "YOKE_CACHE is off");
    const cache_key key = sources.key();
    if (!sources.problem.empty()) return compile_only(builder, sources.problem);
    bool made = false;
    const auto kept = memory.find_or_make(key, [&] {
      made = true;
      return make(key, sources, builder);
    });
    if (kept->payload.empty()) {  // could not be kept: each waiting thread compiles
      (void)memory.erase(key);
      if (!made) compile_only(builder, last_not_kept());
      return;
    }
    note_use(key, kept->payload.size());
    if (made) return;
    if (loads(builder, *kept)) {
      ++from_memory;
      return;
    }
    (void)memory.erase(key);
    compile_again(*kept, builder);
  }

  [[nodiscard]] program_cache_counters counters() const noexcept {
    return {.from_memory = from_memory,
            .from_disk = from_disk,
            .compiled = compiled,
            .not_kept = not_kept,
            .refused = refused};
  }
  [[nodiscard]] std::string last_not_kept() const {
    const std::lock_guard lock(mutex_);
    return last_not_kept_;
  }
  void clear_memory() {
    {
      const std::lock_guard lock(mutex_);
      used_.clear();
    }
    memory.clear();
  }

  const disk_cache disk;
  memory_cache<cache_entry> memory;

 private:
  /// Returns: whether the driver accepts the kept program. Throws: errors that compiling would not avoid.
  static bool loads(detail::program_builder& builder, const cache_entry& entry) {
    try {
      builder.load(detail::split_logs(entry.log, builder.device_count), detail::decode_signatures(entry.signatures),
                   entry.payload);
      return true;
    } catch (const memory_error&) {
      throw;
    } catch (const context_lost_error&) {
      throw;
    } catch (const error&) {
      return false;
    }
  }

  /// Effects: lets programs leave the memory that were used least recently. Without a folder none leaves, because they
  /// would have to be compiled again.
  void note_use(const cache_key& key, std::size_t bytes) {
    if (disk.state() != cache_state::on) return;
    std::list<detail::use_order::program> leaving;
    try {
      const std::lock_guard lock(mutex_);
      leaving = used_.use(key.id, bytes);
    } catch (const std::bad_alloc&) {
      (void)memory.erase(key);
    }
    for (const auto& each : leaving) (void)memory.erase({.id = each.id});
  }
  void note(std::string why) {
    ++not_kept;
    const std::lock_guard lock(mutex_);
    last_not_kept_ = std::move(why);
  }
  void compile(detail::program_builder& builder) {
    ++compiled;
    builder.compile();
  }
  void compile_only(detail::program_builder& builder, std::string why) {
    note(std::move(why));
    compile(builder);
  }
  void compile_again(const cache_entry& entry, detail::program_builder& builder) {
    ++refused;
    (void)disk.remove(entry.key, entry.compiler);
    compile(builder);
  }

  /// Returns: the folder's program of the compiler that would compile it. Effects: writes that compiler's name.
  std::optional<cache_entry> find(const cache_key& key, std::string& compiler, detail::program_builder& builder) {
    compiler = builder.compiler(false);
    if (!compiler.empty()) {
      if (auto found = disk.find(key, compiler)) return found;
    }
    // Only opening the compiler tells for sure which it is, and whether there is one.
    const std::string opened = builder.compiler(true);
    if (opened == compiler && !opened.empty()) return std::nullopt;
    compiler = opened;
    return disk.find(key, compiler);
  }

  /// Effects: makes the builder's module. Returns: the entry to keep; without a payload if it cannot be kept.
  cache_entry make(const cache_key& key, detail::program_sources& sources, detail::program_builder& builder) {
    std::string compiler;
    if (auto found = disk.state() == cache_state::off ? std::nullopt : find(key, compiler, builder)) {
      if (loads(builder, *found)) {
        ++from_disk;
        return *std::move(found);
      }
      compile_again(*found, builder);
    } else {
      compile(builder);
    }
    cache_entry entry;
    try {
      // If a header has changed meanwhile, it is unknown which version was compiled.
      if (!(sources.key() == key)) return no_entry("a header has changed while the program was compiled");
      if (compiler.empty()) compiler = builder.compiler(true);
      detail::built_program built = builder.keep();
      entry.key = key;
      entry.compiler = std::move(compiler);
      entry.log = detail::joined_logs(built.logs);
      entry.signatures = detail::encode_signatures(built.kernels);
      entry.payload = std::move(built.payload);
    } catch (const std::bad_alloc&) {  // the module is made; only keeping it failed
      return no_entry("no memory");
    } catch (const error& e) {
      return no_entry(e.what());
    }
    if (entry.payload.empty()) return no_entry("the driver gives no bytes of it");
    (void)disk.store(entry);
    return entry;
  }
  cache_entry no_entry(const char* why) {
    note(why);
    return {};
  }

  const bool off;
  std::atomic<std::uint64_t> from_memory{0}, from_disk{0}, compiled{0}, not_kept{0}, refused{0};
  mutable std::mutex mutex_;  // guards the rest
  detail::use_order used_;
  std::string last_not_kept_;
};

program_cache::program_cache(const disk_cache_options& options, const environment& variables,
                             const detail::file_functions& files)
    : keeper_(std::make_shared<keeper>(options, variables, files)) {}
const disk_cache& program_cache::disk() const noexcept { return keeper_->disk; }
program_cache_counters program_cache::counters() const noexcept { return keeper_->counters(); }
std::string program_cache::last_not_kept() const { return keeper_->last_not_kept(); }
std::size_t program_cache::size() const { return keeper_->memory.size(); }
void program_cache::clear_memory() const { keeper_->clear_memory(); }

namespace detail {

cache_inputs inputs_of(const compile_request& request, const build_target& target) {
  cache_inputs inputs;
  if (request.rewritten) {
    std::size_t head = 0;
    for (std::size_t line = 0; line < request.lines.before; ++line) head = request.text.find('\n', head) + 1;
    inputs.prelude = request.text.substr(0, head);
    inputs.source = request.text.substr(head);
  } else {  // the text ends with the source, plus a line end if that lacks one
    inputs.prelude = request.text.substr(0, request.text.rfind(request.source));
    inputs.source = request.source;
  }
  inputs.backend = target.backend;
  inputs.product = target.product;
  inputs.driver = target.driver;
  inputs.target = target.devices;
  inputs.standard = request.standard;
  inputs.options = request.options;
  for (const std::string& each : request.include_folders) inputs.options.push_back("-I " + each);
  if (request.portable) inputs.options.emplace_back("the dialect");
  inputs.source_name = request.lines.name;
  return inputs;
}

// A single log is stored unchanged; several logs each follow their length and a colon.
std::string joined_logs(const std::vector<std::string>& logs) {
  if (logs.size() == 1) return logs.front();
  std::string all;
  for (const std::string& each : logs) all += text(each.size(), ":", each);
  return all;
}
std::vector<std::string> split_logs(std::string_view all, std::size_t count) {
  if (count == 1) return {std::string(all)};
  std::vector<std::string> logs;
  while (!all.empty()) {
    std::size_t size = 0;
    std::size_t i = 0;
    for (; i < all.size() && i < 10 && all[i] >= '0' && all[i] <= '9'; ++i) {
      size = size * 10 + static_cast<std::size_t>(all[i] - '0');
    }
    if (i == 0 || i >= all.size() || all[i] != ':' || size > all.size() - i - 1) return {};
    logs.emplace_back(all.substr(i + 1, size));
    all.remove_prefix(i + 1 + size);
  }
  return logs.size() == count ? logs : std::vector<std::string>{};
}

}  // namespace detail

void detail::build_through(const program_cache& cache, const cached_program& program, program_builder& builder) {
  program_sources sources(program);
  cache.keeper_->build(sources, builder);
}

}  // namespace yoke::inline v0_1

#endif

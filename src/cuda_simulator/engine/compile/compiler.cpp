// SPDX-License-Identifier: MIT
// Preprocesses a source, appends the registration of its kernels, compiles, names dynamic shared memory, and links.
#include "engine/compile/compiler.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <system_error>

#include "engine/binary/elf_symbols.hpp"
#include "engine/binary/image.hpp"
#include "engine/binary/image_format.hpp"
#include "engine/binary/image_limits.hpp"
#include "engine/binary/image_texts.hpp"
#include "engine/binary/readable_names.hpp"
#include "engine/compile/diagnostics.hpp"
#include "engine/compile/host_compiler.hpp"
#include "engine/compile/kept_results.hpp"
#include "engine/compile/linker.hpp"
#include "engine/compile/message_order.hpp"
#include "engine/compile/options.hpp"
#include "engine/compile/prelude_choice.hpp"
#include "engine/compile/prelude_text.hpp"
#include "engine/compile/red_zones.hpp"
#include "engine/compile/registration.hpp"
#include "engine/launch/services.hpp"
#include "engine/system/process.hpp"
#include "engine/system/sanitizers.hpp"
#include "engine/system/temporary_folder.hpp"

namespace yoke::simulator {

namespace {

namespace fs = std::filesystem;

constexpr const char* assertion_text =
    "# 1 \"yoke/simulator/assertion\" 3\n"
    "#ifdef NDEBUG\n"
    "#define assert(...) ((void)0)\n"
    "#else\n"
    "#define assert(...) ((__VA_ARGS__) ? (void)0 : ::yoke_simulator::assertion_failed(#__VA_ARGS__, __FILE__, "
    "__LINE__, __func__))\n"
    "#endif\n";

// `__shared__ alignas(16) char buffer[64]`, as CUDA's guide writes it, has alignas where C++ allows an attribute only.
std::string with_shared_alignments(std::string text) {
  constexpr std::string_view mark = "__yoke_shared__))", word = "alignas", attribute = "__attribute__((__aligned__";
  for (std::size_t at = text.find(mark); at != text.npos; at = text.find(mark, at + 1)) {
    std::size_t start = text.find_first_not_of(" \n", at + mark.size());
    while (start != text.npos && text[start] == '#') start = text.find_first_not_of(" \n", text.find('\n', start));
    if (start == text.npos || text.compare(start, word.size(), word) != 0) continue;
    std::size_t end = text.find('(', start);
    int depth = 0;
    for (; end < text.size() && (text[end] != ')' || --depth > 0); ++end) depth += text[end] == '(' ? 1 : 0;
    if (end >= text.size()) return text;
    text.insert(end, "))");
    text.replace(start, word.size(), attribute);
  }
  return text;
}

/// One call of compile(), step by step; each step returns whether to continue.
class compilation {
 public:
  explicit compilation(const compile_request& request) : request_(request) {}

  compile_result run() {
    if (!read_options() || !find_compiler() || take_kept()) return std::move(result_);
    run_steps();
    if (lacks_prelude()) {
      whole_prelude_ = true;
      result_ = {};
      run_steps();
    }
    if (!key_.empty() && is_lasting()) keep();
    return std::move(result_);
  }

 private:
  bool fail(compile_status status, const std::string& log) {
    result_.status = status;
    result_.log += log;
    return false;
  }

  void run_steps() {
    if (write_sources() && preprocess() && build() && link()) pack();
  }

  /// Returns: whether the compiler missed a name of a prelude part that the text did not seem to need: the text pastes
  /// the name together, or a user's file contains it.
  bool lacks_prelude() const {
    return result_.status != compile_status::success &&
           std::any_of(left_out_.begin(), left_out_.end(),
                       [&](std::string_view part) { return needs_prelude_part(part, result_.log); });
  }

  bool read_options() {
    options_ = parse_options(request_.options, request_.cuda_version);
    if (!options_.error.empty()) return fail(compile_status::invalid_option, options_.error + "\n");
    target_ = options_.target;
    if (target_.number == 0) target_.number = request_.compute_capability;
    return true;
  }

  bool find_compiler() {
    compiler_ = host_compiler::find();
    if (compiler_.path.empty()) return fail(compile_status::no_compiler, compiler_.reason + "\n");
    return true;
  }

  /// Effects: takes the kept result of an equal earlier compilation, if there is one. `key_` is empty if the result
  /// depends on more than the request and the compiler: on files of the user, on the time.
  bool take_kept() {
    const kept_results& results = kept_results::of_process();
    if (!results.active() || ::getenv("CPATH") != nullptr || ::getenv("CPLUS_INCLUDE_PATH") != nullptr) return false;
    // Headers given with the request and headers that the simulator serves are found before those in the user's
    // folders.
    const bool has_folders = std::any_of(options_.preprocessor.begin(), options_.preprocessor.end(),
                                         [](const std::string& each) { return each.rfind("-I", 0) == 0; });
    const auto is_known = [&](const std::string& name) {
      const auto is_it = [&](const auto& each) { return each.first == name; };
      const auto is_served = [&](const prelude_file& each) { return each.name == name; };
      return !has_folders || std::any_of(request_.headers.begin(), request_.headers.end(), is_it) ||
             std::any_of(served_headers, served_headers + served_header_count, is_served);
    };
    std::string all = options_.directives + request_.source + "\n";
    for (const auto& each : request_.headers) all += each.second + "\n";
    if (!depends_on_itself_alone(all, is_known)) return false;
    key_ = {"compile",          identity_of_file(compiler_.path),       compiler_.optimisation, request_.source,
            request_.file_name, std::to_string(request_.options.size())};
    append(key_, request_.options);
    append(key_, request_.name_expressions);
    for (const auto& [name, text] : request_.headers) append(key_, {"header", name, text});
    // Only the part of the version that the source can see belongs to the key; its limits are checked below.
    const bool shown = mentions("__CUDACC_VER") || options_.directives.find("__CUDACC_VER") != std::string::npos ||
                       prelude_asks_version();
    append(key_,
           {"for", std::to_string(request_.compute_capability), shown ? std::to_string(request_.cuda_version) : ""});
    const auto found = results.find(key_);
    constexpr std::size_t fixed = 5;
    if (!found || found->size() < fixed || (found->size() - fixed) % 2 != 0) return false;
    if (std::stoull((*found)[4]) > parameter_limit(target_.number, request_.cuda_version)) return false;
    result_.image = (*found)[0];
    result_.status = result_.image.empty() ? compile_status::compile_error : compile_status::success;
    result_.ptx = (*found)[1];
    result_.lto = (*found)[2];
    result_.log = (*found)[3];
    for (std::size_t each = fixed; each < found->size(); each += 2) {
      result_.lowered_names.emplace_back((*found)[each], (*found)[each + 1]);
    }
    return true;
  }

  /// Returns: whether the result is repeatable: a success, or errors of the source. An error of the compiler itself may
  /// come from a full disk.
  bool is_lasting() const {
    if (result_.status == compile_status::success) return !result_.image.empty();
    return !beyond_limits_ && result_.status == compile_status::compile_error &&
           result_.log.find("fatal error") == std::string::npos &&
           result_.log.find("internal compiler error") == std::string::npos &&
           result_.log.find("memory exhausted") == std::string::npos;
  }

  void keep() const {
    kept_results::parts all = {result_.image, result_.ptx, result_.lto, result_.log, std::to_string(parameter_bytes_)};
    for (const auto& [expression, name] : result_.lowered_names) append(all, {expression, name});
    kept_results::of_process().keep(key_, all);
  }

  static bool prelude_asks_version() {
    const auto asks = [](const prelude_file& each) { return each.text.find("__CUDACC_VER") != each.text.npos; };
    return std::any_of(prelude_parts, prelude_parts + prelude_part_count, asks) ||
           std::any_of(served_headers, served_headers + served_header_count, asks);
  }

  bool write_sources() {
    for (std::size_t each = 0; each < served_header_count; ++each) {
      folder_.write(fs::path("include") / served_headers[each].name, served_headers[each].text);
    }
    for (const auto& [name, text] : request_.headers) {
      const fs::path path(name);
      bool outside = path.is_absolute() || path.empty();
      for (const fs::path& part : path) outside = outside || part == "..";
      if (outside) return fail(compile_status::compile_error, "error: header name '" + name + "' leaves its folder\n");
      folder_.write(fs::path("headers") / path, text);
    }
    std::string said = options_.directives + request_.source;
    for (const auto& each : request_.headers) said += each.second + "\n";
    append_named_headers(said);
    left_out_.clear();
    // Flag 3 makes a part a system header, about which the compiler does not warn.
    std::string text;
    for (std::size_t each = 0; each < prelude_part_count; ++each) {
      const prelude_file& part = prelude_parts[each];
      if (!whole_prelude_ && !needs_prelude_part(part.name, said)) {
        left_out_.push_back(part.name);
        continue;
      }
      text += "# 1 \"yoke/simulator/" + std::string(part.name) + "\" 3\n";
      text += part.text;
    }
    // The user's macros come after the prelude's text, and after the served headers that are asked for: names like N
    // and T are everywhere in both.
    text += "# 1 \"yoke/simulator/headers\" 3\n";
    for (std::size_t each = 0; each < served_header_count; ++each) {
      const std::string name(served_headers[each].name);
      if (mentions(name)) text += "#include <" + name + ">\n";
    }
    text += "# 1 \"yoke/simulator/macros\" 3\n" + host_macros_undefined();
    text += "# 1 \"command line\"\n" + options_.directives + assertion_text;
    text += "# 1 " + string_literal(request_.file_name) + "\n" + request_.source;
    folder_.write("source.cu", text);
    return true;
  }

  /// Returns: text that undefines the macros by which the host compiler identifies itself and the system; NVRTC has
  /// none of them. The compiler is queried once for each set of flags.
  std::string host_macros_undefined() const {
    // Never freed: something may still compile while the process ends.
    static auto& one_at_a_time = *new std::mutex;
    static auto& answers = *new std::map<std::vector<std::string>, std::string>;
    std::vector<std::string> asked = {identity_of_file(compiler_.path)};
    append(asked, common_flags());
    const std::lock_guard<std::mutex> lock(one_at_a_time);
    std::string& text = answers[asked];
    if (text.empty()) text = ask_host_macros();
    return text;
  }

  std::string ask_host_macros() const {
    constexpr std::string_view kept[] = {"__cplusplus", "__LP64__", "__STDC__", "__STDC_HOSTED__"};
    constexpr std::string_view families[] = {"__cpp_", "__STDCPP_"};
    std::vector<std::string> words = {compiler_.path, "-E", "-dM", "-x", "c++"};
    append(words, common_flags());
    words.emplace_back("/dev/null");
    const std::string defined = run_process(words, folder_.path()).messages;
    std::string text;
    for (std::string_view rest = defined; !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      constexpr std::string_view directive = "#define ";
      if (line.substr(0, directive.size()) != directive) continue;
      const std::string_view name =
          line.substr(directive.size(), line.find_first_of(" (", directive.size()) - directive.size());
      const bool stays = std::find(std::begin(kept), std::end(kept), name) != std::end(kept) ||
                         std::any_of(std::begin(families), std::end(families),
                                     [&](std::string_view each) { return name.substr(0, each.size()) == each; });
      if (!stays) text.append("#undef ").append(name).append(1, '\n');
    }
    return text;
  }

  bool mentions(const std::string& word) const {
    bool found = request_.source.find(word) != std::string::npos;
    for (const auto& each : request_.headers) found = found || each.second.find(word) != std::string::npos;
    return found;
  }

  bool preprocess() {
    std::vector<std::string> words = {compiler_.path,        "-E", "-x", "c++", "-nostdinc", "-I" + file("headers"),
                                      "-I" + file("include")};
    const std::string architecture = std::to_string(target_.number * 10);
    for (const std::string& define :
         {"__CUDA_ARCH__=" + architecture, "__CUDA_ARCH_LIST__=" + architecture, std::string("__CUDACC__=1"),
          std::string("__CUDACC_RTC__=1"), "__CUDACC_VER_MAJOR__=" + std::to_string(request_.cuda_version / 1000),
          "__CUDACC_VER_MINOR__=" + std::to_string(request_.cuda_version % 1000 / 10),
          std::string("__CUDACC_VER_BUILD__=0"), std::string("__YOKE_SIMULATOR__=1")}) {
      words.push_back("-D" + define);
    }
    if (mentions("source_location")) words.emplace_back("-DYOKE_SIMULATOR_NO_COLUMN");
    append(words, options_.preprocessor);
    append(words, common_flags());
    append(words, {file("source.cu"), "-o", file("source.ii")});
    return step(words);
  }

  bool build() {
    const std::string text = with_shared_alignments(read_file(file("source.ii")));
    folder_.write("source.ii", text);
    const registration kernels = register_kernels(text, request_.name_expressions);
    if (!kernels.errors.empty()) return refuse(kernels.errors);
    folder_.write("registered.ii", text + kernels.text);
    std::vector<std::string> words = {compiler_.path, with_address_sanitizer ? "-S" : "-c", "-x", "c++-cpp-output",
                                      compiler_.optimisation};
    append(words, common_flags());
    append(words, compiler_.code_flags);
    append(words, options_.compiler);
    append(words, {file("registered.ii"), "-o", file(with_address_sanitizer ? "kernel.s" : "kernel.o")});
    const process_result ran = run_process(words, folder_.path());
    if (!ran.succeeded()) return fail(words, blame(ran));
    result_.log += messages_of(ran);
    if (!with_address_sanitizer) return true;
    folder_.write("kernel.s", with_red_zones(read_file(file("kernel.s"))));
    return step({compiler_.path, "-c", file("kernel.s"), "-o", file("kernel.o")});
  }

  /// Reports declarations that are refused, if the source has no other errors.
  bool refuse(const std::string& errors) {
    std::vector<std::string> words;
    const process_result alone = check_source(words);
    if (!alone.succeeded()) return fail(words, alone);
    return fail(compile_status::compile_error, nvrtc_messages(errors, folder_.path().string()));
  }

  /// Returns: the compiler's messages about the source alone, without the registration after it; if there are none, the
  /// messages about both.
  process_result blame(process_result both) const {
    std::vector<std::string> words;
    process_result alone = check_source(words);
    return alone.succeeded() || alone.messages.empty() ? both : alone;
  }

  process_result check_source(std::vector<std::string>& words) const {
    words = {compiler_.path, "-fsyntax-only", "-x", "c++-cpp-output"};
    append(words, common_flags());
    append(words, compiler_.code_flags);
    append(words, options_.compiler);
    words.push_back(file("source.ii"));
    return run_process(words, folder_.path());
  }

  bool link() {
    if (options_.relocatable) {
      // Names that other sources define are known only when they are linked: until then placeholders stand in for them.
      const std::vector<std::string> missing = undefined_names(read_file(file("kernel.o")));
      if (!missing.empty()) folder_.write("stand_in.s", stand_in_text(missing));
    }
    std::vector<std::string> words;
    process_result ran = link_shared_object(compiler_, folder_, words);
    if (!ran.succeeded()) ran.messages = link_messages(ran.messages, request_.file_name);
    const bool made = ran.succeeded() && fs::exists(file("image.so")) && fs::file_size(file("image.so")) > 0;
    return made || fail(words, ran);
  }

  void pack() {
    const std::string shared = read_file(file("image.so"));
    result_.image = pack_image({shared, {}, {}}, target_);
    result_.status = compile_status::success;
    std::string error;
    const std::unique_ptr<image> loaded = image::load(result_.image, engine_services, error);
    if (loaded == nullptr) {
      // AddressSanitizer's images cannot be linked without undefined symbols: loading them finds what is missing.
      const std::string undefined = load_message(error, request_.file_name);
      if (!undefined.empty()) {
        fail(compile_status::compile_error, undefined);
      } else {
        fail(compile_status::internal_error, error + "\n");
      }
      return;
    }
    for (const kernel& each : loaded->kernels()) {
      parameter_bytes_ = std::max<std::size_t>(parameter_bytes_, each.record->argument_bytes);
    }
    const std::string excess = exceeded_limits(*loaded, request_.file_name, request_.cuda_version);
    beyond_limits_ = !excess.empty();
    const std::string errors = unregistered_kernels(*loaded) + excess;
    if (!errors.empty()) {
      result_.image.clear();
      fail(compile_status::compile_error, errors);
      return;
    }
    // As on a GPU, the linker takes PTX always and machine code only if it was compiled as relocatable, which then
    // cannot be loaded.
    const std::string relocatable = read_file(file("kernel.o"));
    const std::string texts = kernel_list_text(*loaded);
    const std::string_view own = options_.relocatable ? std::string_view() : std::string_view(shared);
    const std::string_view linkable = options_.relocatable ? std::string_view(relocatable) : std::string_view();
    result_.image = pack_image({own, linkable, texts}, target_);
    target_.is_virtual = true;
    result_.ptx = pack_image({own, relocatable, texts + ptx_text(*loaded)}, target_);
    if (options_.link_time) result_.lto = pack_image({{}, relocatable, texts}, target_);
    const std::vector<std::string> names = loaded->expression_names();
    for (std::size_t each = 0; each < names.size(); ++each) {
      result_.lowered_names.emplace_back(request_.name_expressions[each], names[each]);
    }
  }

  /// Returns: errors about kernels that the source instantiates only by using them, as `&f<int>` does: the scan cannot
  /// find those. Clang does not mark them.
  std::string unregistered_kernels(const image& loaded) const {
    std::string errors;
    for (const elf_symbol& each : elf_symbols(read_file(file("kernel.o")))) {
      if (!each.is_internal || !each.defined || each.kind != symbol_kind::function) continue;
      // "f.cold", and the initialisers of thread-local variables, which are functions without optimisation, as with -G.
      const bool is_part = each.name.find('.') != each.name.npos || each.name.compare(0, 4, "_ZTW") == 0;
      if (is_part || loaded.find_kernel(each.name) != nullptr) continue;
      errors += request_.file_name + ": error: the kernel '" + readable_name(each.name) +
                "' is not understood by the simulator: it needs an explicit instantiation or a name expression\n";
    }
    return errors;
  }

  // The standard is asked for in every step, because it changes what the preprocessor does too.
  std::vector<std::string> common_flags() const {
    std::vector<std::string> flags = {"-std=c++17", compiler_.plain_messages, "-fno-exceptions", "-fno-rtti"};
    for (const std::string& each : options_.compiler) {
      if (each.rfind("-std=", 0) == 0) flags.push_back(each);
    }
    return flags;
  }

  bool step(const std::vector<std::string>& words) {
    const process_result ran = run_process(words, folder_.path());
    if (!ran.succeeded()) return fail(words, ran);
    result_.log += messages_of(ran);
    return true;
  }

  std::string messages_of(const process_result& ran) const {
    return user_messages_first(nvrtc_messages(ran.messages, folder_.path().string()));
  }

  /// Reports a failed step as the source's fault if the compiler says so, else as the compiler's own.
  bool fail(const std::vector<std::string>& words, const process_result& ran) {
    const std::string messages = messages_of(ran);
    if (ran.started && messages.find("error: ") != messages.npos) return fail(compile_status::compile_error, messages);
    std::string command;
    for (const std::string& each : words) command += " " + each;
    const std::string silence = ran.started ? " and named no error" : "";
    return fail(compile_status::no_compiler,
                messages + "error: the host compiler " + ran.outcome() + silence + ":" + command + "\n");
  }

  std::string file(const char* name) const { return (folder_.path() / name).string(); }
  static void append(std::vector<std::string>& words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
  }

  const compile_request& request_;
  compile_result result_;
  parsed_options options_;
  host_compiler compiler_;
  architecture target_;
  kept_results::parts key_;
  std::size_t parameter_bytes_ = 0;  ///< of the kernel that takes the most
  bool beyond_limits_ = false;       ///< which another version may not have
  bool whole_prelude_ = false;
  std::vector<std::string_view> left_out_;  ///< parts of the prelude
  temporary_folder folder_;
};

}  // namespace

compile_result compile(const compile_request& request) {
  try {
    return compilation(request).run();
  } catch (const std::system_error& failed) {
    compile_result result;
    result.log = "error: the CUDA simulator cannot compile: " + std::string(failed.what()) + "\n";
    return result;
  }
}

}  // namespace yoke::simulator

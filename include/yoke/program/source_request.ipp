// SPDX-License-Identifier: MIT
// Bodies of program/source_request.hpp.
#ifndef YOKE_PROGRAM_SOURCE_REQUEST_IPP
#define YOKE_PROGRAM_SOURCE_REQUEST_IPP

#include <yoke/core/system.hpp>
#include <yoke/driver/compile_request.hpp>
#include <yoke/language/dialect.hpp>
#include <yoke/language/dialect_check.hpp>
#include <yoke/program/default_options.hpp>
#include <yoke/program/opencl_c_request.hpp>
#include <yoke/program/source/definitions.hpp>
#include <yoke/program/source/embedded_header.hpp>
#include <yoke/program/source_request.hpp>

#include <algorithm>

namespace yoke::inline v0_1::detail {

/// Throws: `logic_error` for an option with an unclosed quote, which would swallow the following options.
void check_quotes(const std::string& option, const source_location& where) {
  char open = '\0';
  for (std::size_t i = 0; i < option.size(); ++i) {
    const char letter = option[i];
    if (letter == '\\') {
      ++i;
    } else if (open != '\0') {
      if (letter == open) open = '\0';
    } else if (letter == '"' || letter == '\'') {
      open = letter;
    }
  }
  if (open != '\0') {
    throw_error(errc::invalid_argument, where, "option \"", option, "\" has a ", std::string_view(&open, 1),
                " that is not closed");
  }
}

/// Returns: the single options: "-DA -DB" is split in two, as on a command line, at a blank before a dash outside of
/// quotes.
std::vector<std::string> single_options(const std::vector<std::string>& given) {
  std::vector<std::string> single;
  for (const std::string& each : given) {
    std::size_t begin = 0;
    char open = '\0';
    for (std::size_t i = 0; i < each.size(); ++i) {
      const char letter = each[i];
      if (letter == '\\') {
        ++i;
      } else if (letter == '"' || letter == '\'') {
        open = open == '\0' ? letter : open == letter ? '\0' : open;
      } else if (open == '\0' && (letter == ' ' || letter == '\t') && each.compare(i + 1, 1, "-") == 0 &&
                 (each.compare(i + 2, 1, "-") == 0 || is_identifier(std::string_view(each).substr(i + 2, 1)))) {
        const std::size_t end = each.find_last_not_of(" \t", i) + 1;
        if (end > begin) single.push_back(each.substr(begin, end - begin));
        begin = i + 1;
      }
    }
    single.push_back(each.substr(begin));
  }
  return single;
}

inline constexpr std::string_view line_ends{"\n\r\0", 3};

void refuse_line_ends(std::string_view what, const std::string& value, const source_location& where) {
  if (value.find_first_of(line_ends) == std::string::npos) return;
  throw_error(errc::invalid_argument, where, what, " \"", value, "\" has a line end or zero character");
}

void check_option(std::string_view what, const std::string& option, const source_location& where) {
  if (option.find_first_not_of(" \t") == std::string::npos) {
    throw_error(errc::invalid_argument, where, what, " \"", option, "\" is blank, an option has at least 1 letter");
  }
  refuse_line_ends(what, option, where);
}

/// Throws: `compile_error` that names the lines of words that the dialect lacks. `own` are other texts whose words the
/// source may use.
void check_dialect(std::string_view text, bool opencl, std::vector<std::string_view> own,
                   const compile_request& request, const source_location& where) {
  const std::string log = foreign_words({text, request.lines.name, opencl, std::move(own)});
  if (log.empty()) return;
  throw compile_error(make_error_code(errc::build_failed), "",
                      request.lines.name + " has words that the dialect does not have (.portable = false compiles it " +
                          "as it is):\n" + log,
                      {log, "", request.source, ""}, where);
}

/// Effects: removes defaults that switch on a rule which `math` switches off, if the compiler has no option to switch
/// it off.
void drop_contrary(std::vector<std::string>& defaults, const math_options& math, const math_spelling& spelling) {
  const auto drop = [&](const std::optional<bool>& wanted, const math_spelling::choice& of) {
    if (wanted == false && of.off.empty() && !of.on.empty()) std::erase(defaults, of.on);
  };
  drop(math.flush_denormals, spelling.flush_denormals);
  drop(math.contract, spelling.contract);
  drop(math.exact_division, spelling.exact_division);
}

void check_intermediate_options(const compile_options& options, const source_location& where) {
  const auto refuse = [&](bool is_set, const char* member) {
    if (!is_set) return;
    throw_error(errc::invalid_argument, where, "compile_options::", member,
                " is for sources, intermediate code has no use for it");
  };
  refuse(!options.include_folders.empty(), "include_folders");
  refuse(!options.defines.empty(), "defines");
  refuse(options.language != source_language::automatic, "language");
  refuse(!options.header_digest.empty(), "header_digest");
  refuse(!options.keep.empty(), "keep");
  refuse(!options.types.empty(), "types");
  refuse(!options.headers.empty(), "headers");
}

/// Returns: a definition's value in a language's spelling. Throws: `logic_error` for a type that the language lacks.
std::string value_in(const define& of, type_names names, const char* language, const source_location& where) {
  if (of.type == nullptr) return of.value;
  std::string_view name = names == type_names::dialect ? of.type->dialect
                          : names == type_names::cuda  ? of.type->cuda
                                                       : of.type->opencl_c;
  if (name.empty() || !name_on_other_side(name).empty()) {
    const bool by_cuda = names == type_names::opencl_c;
    throw_error(errc::invalid_argument, where, "define \"", of.name, "\" is of a type that ", language,
                " does not have: ", by_cuda || *of.type->opencl_c == '\0' ? of.type->cuda : of.type->opencl_c);
  }
  return std::string(name);
}

compile_request make_request(const kernel_language& of, std::string_view source, const compile_options& options,
                             const source_location& where, std::vector<std::string> defaults) {
  // Remove a byte order mark: it is valid only at the start of a file, and other text goes before the source.
  if (source.substr(0, 3) == "\xEF\xBB\xBF") source.remove_prefix(3);
  compile_request request;
  request.source = source;
  request.language = of;
  if (!options.standard.empty()) drop_options(defaults, {"std"});
  drop_contrary(defaults, options.math, of.math);
  const std::vector<std::string> own = single_options(options.options);
  request.options = joined_options(joined_options(defaults, math_words(options.math, of.math)), own);
  std::string& name = request.lines.name;
  name = options.name.empty() ? of.source_name : with_slashes(options.name);
  if (name.find_first_of("\"\\") != std::string::npos || name.find_first_of(line_ends) != std::string::npos) {
    throw_error(errc::invalid_argument, where, "source name \"", name, "\" has a quote, backslash or line end");
  }
  if (source.find('\0') != std::string_view::npos) {
    throw_error(errc::invalid_argument, where, "source has a zero character at byte ", source.find('\0'));
  }

  using enum source_language;
  const source_language language = options.language;
  check_enumerator("compile_options::language", language, {automatic, portable, native, opencl_c}, where);
  const bool translated = language == opencl_c && of.translates_opencl_c;
  const std::span<const embedded_header> headers = options.headers;
  std::vector<std::string> folders;
  for (const std::string& each : options.include_folders) folders.push_back(with_slashes(each));
  const auto cannot_be_passed = [&](const std::string& folder) {
    return of.options_are_one_text && folder.find_first_of(" \t\"'\\") != std::string::npos;
  };
  // The driver would split a folder's name at blanks: insert headers of such folders, as embedded ones.
  const bool inserts_files = std::any_of(folders.begin(), folders.end(), cannot_be_passed);
  std::string rewritten;
  if (!headers.empty() || inserts_files) {
    check_headers(headers, where);
    const auto inserted = inserts_files ? std::span<const std::string>(folders) : std::span<const std::string>();
    if (!translated) source = rewritten = expand_headers({source, name, headers, inserted, !of.cxx});
  }
  const source_words said = language == automatic ? words_of(source, name, !of.cxx) : source_words{};
  const bool in_dialect = language == portable || said.dialect;
  if (of.translates_opencl_c && !said.opencl_c.empty()) {
    request.hint = text(said.opencl_c, ", a word of OpenCL C: ", of.backend,
                        " takes OpenCL C with .language = yoke::source_language::opencl_c");
  }
  if (!of.cxx && !said.cuda.empty()) {
    request.hint = text(said.cuda, ", a word of CUDA C++: ", of.backend, " takes ", of.name,
                        ", and every backend takes yoke's dialect, with YOKE_KERNEL and get_global_id(0)");
  }
  const struct_words words = language == opencl_c ? struct_words::opencl_c
                             : in_dialect         ? struct_words::dialect
                                                  : struct_words::native;
  std::string types;
  if (!options.types.empty()) types = struct_source(options.types, words, where);
  std::vector<std::string> values;  // of the defines; translated OpenCL C keeps its own type names
  for (const define& each : options.defines) {
    values.push_back(in_dialect             ? value_in(each, type_names::dialect, "the dialect", where)
                     : language == opencl_c ? value_in(each, type_names::opencl_c, "OpenCL C", where)
                                            : value_in(each, of.types, of.name, where));
  }
  if (in_dialect) {
    std::vector<std::string_view> texts{source, types};
    for (const define& each : options.defines) texts.push_back(each.name);
    texts.insert(texts.end(), values.begin(), values.end());
    for (const std::string& each : request.options) texts.push_back(each);
    if (options.portable) {
      std::string defined;
      for (const define& each : options.defines) defined += "#define " + each.name + "\n";
      for (const std::string& each : request.options) {
        if (each.starts_with("-D")) defined += "#define " + each.substr(2, each.find('=') - 2) + "\n";
      }
      check_dialect(source, !of.cxx, {types, defined}, request, where);
    }
    request.text += dialect_for(of.prelude, texts);
    request.plain = options.portable && folders.empty() && source.find("#include") == std::string_view::npos &&
                    request.text.find("\"yoke/images\"") == std::string::npos;
  }
  for (const std::string& folder : folders) {
    if (!cannot_be_passed(folder)) request.include_folders.push_back(folder);
  }
  if (translated) {
    read_opencl_c({headers, request, rewritten, where});
    source = rewritten;
  }
  request.text += definition_lines(request);
  // Put defines into the text, because option parsers differ in their treatment of quotes and spaces.
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string& defined = options.defines[i].name;
    const std::string& value = values[i];
    const auto refuse_define = [&](const char* why) {
      throw_error(errc::invalid_argument, where, "define \"", defined, "\" ", why);
    };
    if (!is_macro(defined)) refuse_define("is not a name");
    if (value.find('\0') != std::string::npos) refuse_define("has a zero character in its value");
    if (value.find_first_of(line_ends) != std::string::npos) refuse_define("has a line end in its value");
    if (continues_line(value)) refuse_define("ends in a backslash, which would swallow the next line");
    if (value.find("/*") != std::string::npos) refuse_define("opens a comment, which would swallow the source");
    request.text += "#define " + defined + " " + value + "\n";
  }
  // The call's own options override `math.contract`.
  const bool contracts = std::any_of(own.begin(), own.end(), [&](const std::string& each) {
    return is_among(std::string_view(each), of.math.contracting_options);
  });
  if (!contracts && options.math.contract == false) request.text += of.math.no_contract_line;
  if (!types.empty()) request.text += "#line 1 \"yoke/structs of the host\"\n" + types;
  request.text += "#line 1 \"" + name + "\"\n";
  request.lines.before = static_cast<std::size_t>(std::count(request.text.begin(), request.text.end(), '\n'));
  request.rewritten = translated || !headers.empty() || inserts_files;
  // For translated OpenCL C, the compiler itself follows `#line`.
  if (request.rewritten && !translated) request.lines.marks = line_marks(source);
  request.text += source;
  if (request.text.back() != '\n') request.text += '\n';

  if (options.standard.find_first_of(" \t\"'") != std::string::npos ||
      options.standard.find_first_of(line_ends) != std::string::npos) {
    throw_error(errc::invalid_argument, where, "standard \"", options.standard, "\" has a space, quote or line end");
  }
  for (const std::string& option : request.options) {
    check_option("option", option, where);
    check_quotes(option, where);
  }
  for (const std::string& folder : options.include_folders) {
    refuse_line_ends("include folder", folder, where);
    if (folder.empty()) throw_error(errc::invalid_argument, "include folder \"\" is empty", where);
  }
  request.portable = in_dialect || translated;
  request.standard = options.standard;
  return request;
}

}  // namespace yoke::inline v0_1::detail

#endif

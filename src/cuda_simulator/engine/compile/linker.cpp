// SPDX-License-Identifier: MIT
// Joins the objects in images, and links the result as a compilation does.
#include "engine/compile/linker.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <system_error>

#include "engine/binary/elf_symbols.hpp"
#include "engine/binary/image.hpp"
#include "engine/binary/image_format.hpp"
#include "engine/binary/image_limits.hpp"
#include "engine/binary/image_texts.hpp"
#include "engine/compile/diagnostics.hpp"
#include "engine/compile/kept_results.hpp"
#include "engine/compile/shared_symbols.hpp"
#include "engine/launch/services.hpp"

namespace yoke::simulator {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view archive_magic = "!<arch>\n";

/// An object that is linked, and its name.
struct link_member {
  std::string name;
  std::string object;
  std::vector<linkage_symbol> symbols;
  bool is_optional = false;  ///< of an archive: taken where it is needed
};

bool is_in_c_library(const std::string& name) {
  for (const char* const library : {"libc.so.6", "libm.so.6"}) {
    void* const handle = ::dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) continue;
    const bool found = ::dlsym(handle, name.c_str()) != nullptr;
    ::dlclose(handle);
    if (found) return true;
  }
  return false;
}

// Names reserved for compilers and sanitizers; sources must not use them.
bool is_reserved(std::string_view name) { return name.substr(0, 2) == "__" || name == "_GLOBAL_OFFSET_TABLE_"; }

/// Returns: the members of an archive, each an image; nothing if it is damaged.
std::optional<std::vector<link_piece>> members_of(const link_piece& archive) {
  constexpr std::size_t head_bytes = 60, size_at = 48, size_bytes = 10;
  std::vector<link_piece> members;
  const std::string_view all = archive.bytes;
  for (std::size_t at = archive_magic.size(); at < all.size();) {
    if (all.size() - at < head_bytes || all.substr(at + head_bytes - 2, 2) != "`\n") return std::nullopt;
    const std::string size(all.substr(at + size_at, size_bytes));
    if (size.empty() || size[0] < '0' || size[0] > '9') return std::nullopt;
    const std::size_t bytes = std::strtoull(size.c_str(), nullptr, 10);
    const std::string_view head = all.substr(at, 16);
    at += head_bytes;
    if (bytes > all.size() - at) return std::nullopt;
    const std::string name(head.substr(0, head.find_last_not_of(" /") + 1));
    if (!name.empty()) members.push_back({archive.name + "(" + name + ")", std::string(all.substr(at, bytes))});
    at += bytes + bytes % 2;
  }
  return members;
}

/// One call of link_images().
class link_job {
 public:
  link_job(int compute_capability, int cuda_version) : capability_(compute_capability), cuda_version_(cuda_version) {}

  link_result run(const std::vector<link_piece>& pieces) {
    for (const link_piece& each : pieces) {
      if (!add(each, false)) return std::move(result_);
    }
    choose();
    if (names_fit()) make();
    return std::move(result_);
  }

 private:
  bool fail(const std::string& log) {
    result_.image.clear();
    result_.log += log;
    return false;
  }

  bool add(const link_piece& piece, bool is_optional) {
    if (std::string_view(piece.bytes).substr(0, archive_magic.size()) == archive_magic && !is_optional) {
      const auto members = members_of(piece);
      if (!members) return fail("error   : Archive '" + piece.name + "' is damaged\n");
      return std::all_of(members->begin(), members->end(), [&](const link_piece& each) { return add(each, true); });
    }
    const auto unpacked = unpack_image(piece.bytes);
    if (!unpacked) return fail("error   : Input '" + piece.name + "' is no code of the CUDA simulator\n");
    if (unpacked->relocatable.empty()) {
      return fail("error   : Input '" + piece.name +
                  "' cannot be linked: it was compiled without relocatable device code\n");
    }
    if (!loads_on(unpacked->target, capability_)) {
      return fail("error   : Input '" + piece.name + "' is for another architecture\n");
    }
    std::string object(unpacked->relocatable);
    std::vector<linkage_symbol> symbols = linkage_symbols(object);
    members_.push_back({piece.name, std::move(object), std::move(symbols), is_optional});
    return true;
  }

  /// Effects: drops the members of archives that define nothing needed.
  void choose() {
    std::set<std::string> wanted, defined;
    const auto take = [&](const link_member& one) {
      for (const linkage_symbol& each : one.symbols) (each.defined ? defined : wanted).insert(each.name);
    };
    for (const link_member& each : members_) {
      if (!each.is_optional) take(each);
    }
    for (bool again = true; again;) {
      again = false;
      for (link_member& each : members_) {
        const bool needed =
            each.is_optional && std::any_of(each.symbols.begin(), each.symbols.end(), [&](const linkage_symbol& one) {
              return one.defined && !one.weak && wanted.count(one.name) != 0 && defined.count(one.name) == 0;
            });
        if (!needed) continue;
        each.is_optional = false;
        take(each);
        again = true;
      }
    }
    members_.erase(
        std::remove_if(members_.begin(), members_.end(), [](const link_member& each) { return each.is_optional; }),
        members_.end());
  }

  bool names_fit() {
    std::map<std::string, std::string> first;
    std::string log;
    for (const link_member& each : members_) {
      for (const linkage_symbol& one : each.symbols) {
        if (!one.defined) continue;
        const auto [found, is_new] = first.emplace(one.name, one.weak ? std::string() : each.name);
        if (is_new || one.weak) continue;
        if (!found->second.empty()) {
          log += "error   : Multiple definition of '" + one.name + "' in '" + each.name + "', first defined in '" +
                 found->second + "'\n";
        }
        found->second = each.name;
      }
    }
    for (const link_member& each : members_) {
      for (const std::string& name : undefined_names(each.object)) {
        if (first.count(name) == 0) log += "error   : Undefined reference to '" + name + "' in '" + each.name + "'\n";
      }
    }
    return log.empty() || fail(log);
  }

  void make() {
    const host_compiler compiler = host_compiler::find();
    if (compiler.path.empty()) {
      fail("error   : " + compiler.reason + "\n");
      return;
    }
    std::vector<std::string> words = {compiler.path, "-r", "-nostdlib"};
    for (std::size_t each = 0; each < members_.size(); ++each) {
      words.push_back(folder_.write("piece" + std::to_string(each) + ".o", members_[each].object).string());
    }
    words.insert(words.end(), {"-o", (folder_.path() / "kernel.o").string()});
    process_result ran = run_process(words, folder_.path());
    if (ran.succeeded()) ran = link_shared_object(compiler, folder_, words);
    const std::string shared = ran.succeeded() ? read_file(folder_.path() / "image.so") : std::string();
    if (shared.empty()) {
      fail(link_messages(ran.messages, "error   ") + "error   : the host compiler " + ran.outcome() + "\n");
      return;
    }
    const architecture target{capability_, false, false, false};
    std::string error;
    const std::unique_ptr<image> loaded = image::load(pack_image({shared, {}, {}}, target), engine_services, error);
    if (loaded == nullptr) {
      fail("error   : " + error + "\n");
      return;
    }
    const std::string excess = exceeded_limits(*loaded, "error   ", cuda_version_);
    if (!excess.empty()) {
      fail(excess);
      return;
    }
    const std::string texts = kernel_list_text(*loaded);
    result_.image = pack_image({shared, {}, texts}, target);
    result_.ptx = pack_image({shared, {}, texts + ptx_text(*loaded)}, target);
  }

  int capability_;
  int cuda_version_;
  std::vector<link_member> members_;
  temporary_folder folder_;
  link_result result_;
};

}  // namespace

link_result link_images(const std::vector<link_piece>& pieces, int compute_capability, int cuda_version) {
  try {
    const kept_results& results = kept_results::of_process();
    kept_results::parts key;
    if (results.active()) {
      key = {"link", identity_of_file(host_compiler::find().path), std::to_string(compute_capability),
             std::to_string(parameter_limit(compute_capability, cuda_version))};
      for (const link_piece& each : pieces) key.insert(key.end(), {each.name, each.bytes});
      const auto found = results.find(key);
      if (found && found->size() == 3) return {(*found)[0], (*found)[1], (*found)[2]};
    }
    link_result made = link_job(compute_capability, cuda_version).run(pieces);
    if (!made.image.empty()) results.keep(key, {made.image, made.ptx, made.log});
    return made;
  } catch (const std::system_error& failed) {
    return {{}, {}, "error   : the CUDA simulator cannot link: " + std::string(failed.what()) + "\n"};
  }
}

bool can_be_linked(std::string_view bytes) {
  if (bytes.substr(0, archive_magic.size()) == archive_magic) return true;
  const auto unpacked = unpack_image(bytes);
  return unpacked && !unpacked->relocatable.empty();
}

process_result link_shared_object(const host_compiler& compiler, const temporary_folder& folder,
                                  std::vector<std::string>& words) {
  const std::string object = read_file(folder.path() / "kernel.o");
  words = {compiler.path, "-shared", (folder.path() / "kernel.o").string()};
  words.push_back(folder.write("uses.s", shared_use_text(object)).string());
  const std::string dynamic = dynamic_shared_text(object);
  if (!dynamic.empty()) words.push_back(folder.write("shared.s", dynamic).string());
  if (fs::exists(folder.path() / "stand_in.s")) words.push_back((folder.path() / "stand_in.s").string());
  words.insert(words.end(), compiler.link_flags.begin(), compiler.link_flags.end());
  words.insert(words.end(), {"-o", (folder.path() / "image.so").string()});
  return run_process(words, folder.path());
}

std::vector<std::string> undefined_names(std::string_view object) {
  std::vector<std::string> names;
  for (const linkage_symbol& each : linkage_symbols(object)) {
    if (each.defined || each.weak || each.thread_local_ || is_reserved(each.name) || is_in_c_library(each.name))
      continue;
    names.push_back(each.name);
  }
  return names;
}

std::string stand_in_text(const std::vector<std::string>& names) {
  std::string text = "\t.data\n\t.balign 16\n";
  for (const std::string& each : names) text += "\t.globl \"" + each + "\"\n\"" + each + "\":\n\t.zero 16\n";
  return text + "\t.section .note.GNU-stack,\"\",%progbits\n";
}

}  // namespace yoke::simulator

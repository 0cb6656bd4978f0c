// SPDX-License-Identifier: MIT
// NVRTC's entries: programs, compiled by the engine.
#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <string>

#include "driver/entries.hpp"
#include "engine/binary/architectures.hpp"
#include "engine/compile/compiler.hpp"
#include "machine/base/call.hpp"
#include "machine/base/handles.hpp"
#include "machine/base/ledger.hpp"
#include "machine/base/settings.hpp"
#include "machine/base/state.hpp"

namespace yoke::simulator {

namespace {

struct program {
  compile_request request{};
  compile_result result{};
  bool compiled = false;  ///< a compilation was tried, with any result
};

/// NVRTC works without cuInit, so it has a lock of its own; nothing compiles under it.
struct nvrtc_state {
  std::mutex mutex{};
  handle_table<program, abi::nvrtc_program, handle_kind::program> programs{};
};
nvrtc_state& nvrtc() {
  static nvrtc_state& all = *new nvrtc_state;
  return all;
}

std::shared_ptr<program> program_of(abi::nvrtc_program handle) {
  const std::lock_guard lock(nvrtc().mutex);
  std::shared_ptr<program> found = nvrtc().programs.find(handle);
  require(found != nullptr, abi::nvrtc_error_invalid_program);
  return found;
}

/// Effects: runs the body. Returns: success, or the code of its refusal.
template <class Body>
abi::nvrtc_status nvrtc_entry(Body&& body) noexcept {
  try {
    body();
    return abi::nvrtc_success;
  } catch (const refusal& refused) {
    return refused.code;
  } catch (const std::bad_alloc&) {
    return abi::nvrtc_error_out_of_memory;
  } catch (...) {
    return abi::nvrtc_error_internal_error;
  }
}

abi::nvrtc_status code_of(compile_status status) {
  switch (status) {
    case compile_status::success: return abi::nvrtc_success;
    case compile_status::invalid_option: return abi::nvrtc_error_invalid_option;
    case compile_status::compile_error: return abi::nvrtc_error_compilation;
    case compile_status::no_compiler: return abi::nvrtc_error_builtin_operation_failure;
    case compile_status::internal_error: break;
  }
  return abi::nvrtc_error_internal_error;
}

void require_input(bool holds) { require(holds, abi::nvrtc_error_invalid_input); }

}  // namespace

namespace nvrtc_entries {

const char* get_error_string(abi::nvrtc_status code) {
  switch (code) {
#define YOKE_NAME(own, constant, value, condition, thrown, text)                                                       \
  case value: return constant;
    YOKE_NVRTC_STATUS_CODES(YOKE_NAME)
#undef YOKE_NAME
    default: return "NVRTC_ERROR unknown";
  }
}

abi::nvrtc_status version(int* major, int* minor) {
  return nvrtc_entry([&] {
    require_input(major != nullptr && minor != nullptr);
    *major = the_settings().driver_version / 1000;
    *minor = the_settings().driver_version % 1000 / 10;
  });
}

abi::nvrtc_status get_num_supported_archs(int* count) {
  return nvrtc_entry([&] {
    require_input(count != nullptr);
    *count = static_cast<int>(supported_architectures(the_settings().driver_version).size());
  });
}

abi::nvrtc_status get_supported_archs(int* archs) {
  return nvrtc_entry([&] {
    require_input(archs != nullptr);
    const std::vector<int> known = supported_architectures(the_settings().driver_version);
    std::copy(known.begin(), known.end(), archs);
  });
}

abi::nvrtc_status create_program(abi::nvrtc_program* result, const char* source, const char* name, int header_count,
                                 const char* const* headers, const char* const* include_names) {
  return nvrtc_entry([&] {
    require_input(result != nullptr && source != nullptr && header_count >= 0);
    require_input(header_count == 0 || (headers != nullptr && include_names != nullptr));
    auto made = std::make_shared<program>();
    made->request.source = source;
    if (name != nullptr && *name != '\0') made->request.file_name = name;
    made->request.compute_capability = the_settings().compute_capability;
    made->request.cuda_version = the_settings().driver_version;
    for (int each = 0; each < header_count; ++each) {
      require_input(headers[each] != nullptr && include_names[each] != nullptr);
      made->request.headers.emplace_back(include_names[each], headers[each]);
    }
    {
      const std::lock_guard lock(nvrtc().mutex);
      *result = nvrtc().programs.add(std::move(made));
    }
    const driver_lock lock(driver_mutex());
    state<ledger>().add(object_kind::program, *result);
  });
}

abi::nvrtc_status destroy_program(abi::nvrtc_program* handle) {
  return nvrtc_entry([&] {
    require(handle != nullptr, abi::nvrtc_error_invalid_program);
    program_of(*handle);
    {
      const std::lock_guard lock(nvrtc().mutex);
      nvrtc().programs.remove(*handle);
    }
    const driver_lock lock(driver_mutex());
    state<ledger>().remove(object_kind::program, *handle);
    *handle = nullptr;
  });
}

abi::nvrtc_status add_name_expression(abi::nvrtc_program handle, const char* expression) {
  return nvrtc_entry([&] {
    const auto what = program_of(handle);
    require_input(expression != nullptr);
    require(!what->compiled, abi::nvrtc_error_no_name_expressions_after_compilation);
    what->request.name_expressions.emplace_back(expression);
  });
}

abi::nvrtc_status compile_program(abi::nvrtc_program handle, int count, const char* const* options) {
  return nvrtc_entry([&] {
    const auto what = program_of(handle);
    require_input(count >= 0 && (count == 0 || options != nullptr));
    what->request.options.clear();
    for (int each = 0; each < count; ++each) {
      require_input(options[each] != nullptr);
      what->request.options.emplace_back(options[each]);
    }
    what->result = compile(what->request);
    what->compiled = true;
    require(what->result.status == compile_status::success, code_of(what->result.status));
  });
}

abi::nvrtc_status get_lowered_name(abi::nvrtc_program handle, const char* expression, const char** result) {
  return nvrtc_entry([&] {
    const auto what = program_of(handle);
    require_input(expression != nullptr && result != nullptr);
    const bool done = what->compiled && what->result.status == compile_status::success;
    require(done, abi::nvrtc_error_no_lowered_names_before_compilation);
    for (const auto& [given, lowered] : what->result.lowered_names) {
      if (given != expression) continue;
      *result = lowered.c_str();
      return;
    }
    refuse(abi::nvrtc_error_name_expression_not_valid);
  });
}

namespace {

/// Returns: the result of a program's compilation. Throws: refusal.
const compile_result& result_of(const program& what) {
  const bool done = what.compiled && what.result.status == compile_status::success;
  require(done, abi::nvrtc_error_invalid_program);
  return what.result;
}

abi::nvrtc_status give_size(abi::nvrtc_program handle, std::string compile_result::*form, std::size_t* bytes) {
  return nvrtc_entry([&] {
    const auto what = program_of(handle);
    require_input(bytes != nullptr);
    *bytes = (result_of(*what).*form).size();
  });
}

abi::nvrtc_status give_bytes(abi::nvrtc_program handle, std::string compile_result::*form, char* to) {
  return nvrtc_entry([&] {
    const auto what = program_of(handle);
    require_input(to != nullptr);
    const std::string& bytes = result_of(*what).*form;
    std::memcpy(to, bytes.data(), bytes.size());
  });
}

}  // namespace

// The simulator has one kind of image, which serves as PTX and as cubin; as PTX it also describes parameters.
abi::nvrtc_status get_ptx_size(abi::nvrtc_program handle, std::size_t* bytes) {
  return give_size(handle, &compile_result::ptx, bytes);
}
abi::nvrtc_status get_ptx(abi::nvrtc_program handle, char* to) { return give_bytes(handle, &compile_result::ptx, to); }
abi::nvrtc_status get_cubin_size(abi::nvrtc_program handle, std::size_t* bytes) {
  return give_size(handle, &compile_result::image, bytes);
}
abi::nvrtc_status get_cubin(abi::nvrtc_program handle, char* to) {
  return give_bytes(handle, &compile_result::image, to);
}

abi::nvrtc_status get_ltoir_size(abi::nvrtc_program handle, std::size_t* bytes) {
  return give_size(handle, &compile_result::lto, bytes);
}
abi::nvrtc_status get_ltoir(abi::nvrtc_program handle, char* to) {
  return nvrtc_entry([&] {
    const auto what = program_of(handle);
    // Fails as for a program compiled without -dlto.
    require(!result_of(*what).lto.empty(), abi::nvrtc_error_invalid_program);
    require_input(to != nullptr);
    std::memcpy(to, what->result.lto.data(), what->result.lto.size());
  });
}

abi::nvrtc_status get_program_log_size(abi::nvrtc_program handle, std::size_t* bytes) {
  return nvrtc_entry([&] {
    const auto what = program_of(handle);
    require_input(bytes != nullptr);
    *bytes = what->result.log.size() + 1;  // with the terminating zero
  });
}

abi::nvrtc_status get_program_log(abi::nvrtc_program handle, char* log) {
  return nvrtc_entry([&] {
    const auto what = program_of(handle);
    require_input(log != nullptr);
    std::memcpy(log, what->result.log.c_str(), what->result.log.size() + 1);
  });
}

}  // namespace nvrtc_entries

}  // namespace yoke::simulator

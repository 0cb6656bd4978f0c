// SPDX-License-Identifier: MIT
// Named ranges reach a tool, in order; without NVTX's header they are nothing.
#include <support/catch.hpp>

#include <yoke/cuda/device/nvtx.hpp>

#include <string>
#include <type_traits>
#include <vector>

namespace cu = yoke::cuda;

static_assert(!std::is_copy_constructible_v<cu::profile_range>);
static_assert(std::is_nothrow_constructible_v<cu::profile_range, const char*>);

namespace {
std::vector<std::string> seen;
}  // namespace

#if defined(NVTX_VERSION)
namespace {

nvtxRangeId_t NVTX_API start(const char* name) {
  seen.emplace_back(name);
  return seen.size();
}
void NVTX_API end(nvtxRangeId_t id) { seen.push_back("end of " + std::to_string(id)); }

/// The tool: takes the place of the two functions.
int NVTX_API attach(NvtxGetExportTableFunc_t get) {
  const auto* const tables = static_cast<const NvtxExportTableCallbacks*>(get(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable functions = nullptr;
  unsigned count = 0;
  if (tables == nullptr || tables->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &functions, &count) == 0) return 0;
  if (count <= NVTX_CBID_CORE_RangeEnd) return 0;
  *functions[NVTX_CBID_CORE_RangeStartA] = reinterpret_cast<NvtxFunctionPointer>(&start);
  *functions[NVTX_CBID_CORE_RangeEnd] = reinterpret_cast<NvtxFunctionPointer>(&end);
  return 1;
}

}  // namespace

TEST_CASE("a profiler sees ranges from their start to their end", "[cuda]") {
  InitializeInjectionNvtx2_fnptr = &attach;  // before the first range of the program
  {
    const cu::profile_range outer{"outer"};
    { const cu::profile_range inner{"inner"}; }
  }
  CHECK(seen == std::vector<std::string>{"outer", "inner", "end of 2", "end of 1"});
  CHECK(cu::profile_range::recorded);
}
#else
TEST_CASE("without NVTX's header a range is nothing", "[cuda]") {
  CHECK(std::is_empty_v<cu::profile_range>);
  CHECK_FALSE(cu::profile_range::recorded);
  const cu::profile_range range{"nothing"};
  CHECK(seen.empty());
}
#endif

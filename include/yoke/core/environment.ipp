// SPDX-License-Identifier: MIT
// Body of core/environment.hpp.
#ifndef YOKE_CORE_ENVIRONMENT_IPP
#define YOKE_CORE_ENVIRONMENT_IPP

#include <yoke/core/environment.hpp>
#include <yoke/core/system.hpp>

namespace yoke::inline v0_1 {

const environment& process_environment() {
  // Never freed, so that other destructors may read it while the program ends.
  static const environment* const once = [] {
    auto* values = new environment;
    if (const char* text = detail::trusted_variable("YOKE_DEVICE")) values->device = text;
    if (const char* text = detail::trusted_variable("YOKE_CUDA_DRIVER")) values->cuda_driver = text;
    if (const char* text = detail::trusted_variable("YOKE_CACHE")) values->cache = text;
    if (const char* text = detail::trusted_variable("YOKE_CACHE_DIR")) values->cache_folder = text;
    if (const char* text = detail::trusted_variable("XDG_CACHE_HOME")) values->xdg_cache_home = text;
    if (const char* text = detail::trusted_variable("HOME")) values->home = text;
#if defined(_WIN32)
    if (const char* text = detail::trusted_variable("LOCALAPPDATA")) values->local_app_data = text;
#endif
    if (const char* text = detail::trusted_variable("YOKE_ARRAY_POOL")) values->array_pool = text;
    if (const char* text = detail::trusted_variable("YOKE_TRACE")) values->trace = text;
    if (const char* text = detail::trusted_variable("YOKE_OPENCL_OPTIONS")) values->opencl_options = text;
    if (const char* text = detail::trusted_variable("YOKE_CUDA_OPTIONS")) values->cuda_options = text;
    if (const char* text = detail::trusted_variable("YOKE_NCCL_LIBRARY")) values->nccl_library = text;
    if (const char* text = detail::trusted_variable("YOKE_DEBUG")) values->debug = text;
    if (const char* text = detail::trusted_variable("YOKE_LIBRARIES")) values->libraries = text;
    return values;
  }();
  return *once;
}

}  // namespace yoke::inline v0_1

#endif

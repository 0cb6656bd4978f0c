// SPDX-License-Identifier: MIT
// Compiles, loads and launches in a test's few words.
#ifndef YOKE_TESTS_CUDA_SIMULATOR_SIMULATOR_HPP
#define YOKE_TESTS_CUDA_SIMULATOR_SIMULATOR_HPP

#include <engine/binary/image.hpp>
#include <engine/compile/compiler.hpp>
#include <engine/launch/launch.hpp>
#include <engine/launch/services.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <support/catch.hpp>
#include <utility>
#include <vector>

namespace yoke_test {

namespace simulator = yoke::simulator;

inline simulator::worker_pool& simulator_pool() {
  static simulator::worker_pool pool{4};  // more than this machine may have, so that blocks do run side by side
  return pool;
}

inline simulator::compile_result compile_text(const std::string& source, std::vector<std::string> options = {},
                                              std::vector<std::string> names = {}) {
  simulator::compile_request request;
  request.source = source;
  request.file_name = "test.cu";
  request.options = std::move(options);
  request.name_expressions = std::move(names);
  return simulator::compile(request);
}

/// A source, compiled and loaded; what fails there throws, with the log.
class loaded_source {
 public:
  explicit loaded_source(const std::string& source, std::vector<std::string> options = {},
                         std::vector<std::string> names = {})
      : compiled(compile_text(source, std::move(options), std::move(names))) {
    if (compiled.status != simulator::compile_status::success) throw std::runtime_error(compiled.log);
    std::string error;
    loaded = simulator::image::load(compiled.image, simulator::engine_services, error);
    if (loaded == nullptr) throw std::runtime_error(error);
  }

  const simulator::kernel& kernel(const std::string& name) const {
    const simulator::kernel* const found = loaded->find_kernel(name);
    if (found == nullptr) throw std::runtime_error("no kernel " + name);
    return *found;
  }

  template <class... A>
  simulator::launch_result run(const std::string& name, const simulator::launch_shape& shape, A... arguments) const {
    const void* const pointers[] = {static_cast<const void*>(&arguments)..., nullptr};
    return simulator::launch(simulator_pool(), kernel(name), shape, pointers);
  }

  simulator::compile_result compiled;
  std::unique_ptr<simulator::image> loaded;
};

inline simulator::launch_shape shape_of(unsigned grid, unsigned block, std::size_t dynamic_shared_bytes = 0) {
  simulator::launch_shape shape;
  shape.grid = {grid, 1, 1};
  shape.block = {block, 1, 1};
  shape.dynamic_shared_bytes = dynamic_shared_bytes;
  return shape;
}

}  // namespace yoke_test

#endif

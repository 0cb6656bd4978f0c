// SPDX-License-Identifier: MIT
// Entries that launch kernels.
#include <memory>

#include "driver/entries.hpp"
#include "machine/base/call.hpp"
#include "machine/graph/capture.hpp"
#include "machine/launch/launch_queue.hpp"
#include "machine/launch/launch_shape.hpp"
#include "machine/memory/memory.hpp"
#include "machine/stream/context.hpp"
#include "machine/stream/stream.hpp"
#include "machine/work/submission.hpp"

namespace yoke::simulator::entries {

namespace {

void enqueue(abi::function handle, abi::stream on, const launch_wish& wish, void** parameters, void** extra) {
  stream& to = recording_stream_of(on);
  auto one = std::make_shared<queued_launch>(make_launch(handle, &to.owner, wish, parameters, extra));
  if (to.capturing != nullptr) return capture_launch(to, std::move(one));
  const std::vector<memory_block*> used = arm(*one);
  const ticket at = submit(to, [one] { run(*one); });
  note_uses(*one, used, at);
  require(to.owner.error == abi::success, to.owner.error);
}

}  // namespace

abi::status launch_kernel(abi::function handle, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                          unsigned block_y, unsigned block_z, unsigned shared, abi::stream on, void** parameters,
                          void** extra) {
  return entry([&] {
    const launch_wish wish{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, {1, 1, 1}, shared, false};
    enqueue(handle, on, wish, parameters, extra);
  });
}

abi::status launch_kernel_ex(const abi::launch_config* config, abi::function handle, void** parameters, void** extra) {
  return entry([&] {
    require(config != nullptr);
    enqueue(handle, config->on, wish_of(*config), parameters, extra);
  });
}

abi::status launch_cooperative_kernel(abi::function handle, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                      unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                      abi::stream on, void** parameters) {
  return entry([&] {
    const launch_wish wish{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, {1, 1, 1}, shared, true};
    enqueue(handle, on, wish, parameters, nullptr);
  });
}

}  // namespace yoke::simulator::entries

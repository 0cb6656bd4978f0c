// SPDX-License-Identifier: MIT
// Entries that fill.
#include "driver/entries.hpp"
#include "machine/base/call.hpp"
#include "machine/graph/capture.hpp"
#include "machine/stream/context.hpp"
#include "machine/work/copy.hpp"

namespace yoke::simulator::entries {

namespace {

abi::status fill_now(const fill_plan& plan) {
  return entry(
      [&](driver_lock& lock) { fill_or_capture(lock, *current_context().legacy, plan, copy_return::like_the_driver); });
}

abi::status fill_on(abi::stream on, const fill_plan& plan) {
  return stream_entry(
      on, [&](driver_lock& lock) { fill_or_capture(lock, recording_stream_of(on), plan, copy_return::at_once); });
}

}  // namespace

abi::status memset_d8(abi::device_pointer to, unsigned char value, std::size_t count) {
  return fill_now({to, 0, value, 1, count, 1});
}
abi::status memset_d8_async(abi::device_pointer to, unsigned char value, std::size_t count, abi::stream on) {
  return fill_on(on, {to, 0, value, 1, count, 1});
}
abi::status memset_d16(abi::device_pointer to, unsigned short value, std::size_t count) {
  return fill_now({to, 0, value, 2, count, 1});
}
abi::status memset_d16_async(abi::device_pointer to, unsigned short value, std::size_t count, abi::stream on) {
  return fill_on(on, {to, 0, value, 2, count, 1});
}
abi::status memset_d32(abi::device_pointer to, unsigned value, std::size_t count) {
  return fill_now({to, 0, value, 4, count, 1});
}
abi::status memset_d32_async(abi::device_pointer to, unsigned value, std::size_t count, abi::stream on) {
  return fill_on(on, {to, 0, value, 4, count, 1});
}
abi::status memset_2d_d8(abi::device_pointer to, std::size_t pitch, unsigned char value, std::size_t width,
                         std::size_t height) {
  return fill_now({to, pitch, value, 1, width, height});
}
abi::status memset_2d_d8_async(abi::device_pointer to, std::size_t pitch, unsigned char value, std::size_t width,
                               std::size_t height, abi::stream on) {
  return fill_on(on, {to, pitch, value, 1, width, height});
}
abi::status memset_2d_d16(abi::device_pointer to, std::size_t pitch, unsigned short value, std::size_t width,
                          std::size_t height) {
  return fill_now({to, pitch, value, 2, width, height});
}
abi::status memset_2d_d16_async(abi::device_pointer to, std::size_t pitch, unsigned short value, std::size_t width,
                                std::size_t height, abi::stream on) {
  return fill_on(on, {to, pitch, value, 2, width, height});
}
abi::status memset_2d_d32(abi::device_pointer to, std::size_t pitch, unsigned value, std::size_t width,
                          std::size_t height) {
  return fill_now({to, pitch, value, 4, width, height});
}
abi::status memset_2d_d32_async(abi::device_pointer to, std::size_t pitch, unsigned value, std::size_t width,
                                std::size_t height, abi::stream on) {
  return fill_on(on, {to, pitch, value, 4, width, height});
}

}  // namespace yoke::simulator::entries

// SPDX-License-Identifier: MIT
// Runs generated functions of arrays on a device, as its input asks, and writes what they made. tests/array_fuzz/run.py drives it.
#include <array_fuzz/program.hpp>

#include <cstdio>
#include <exception>
#include <string>

namespace yoke_fuzz {

namespace {

/// Returns: false at the end of the input. Throws: where the input ends within something.
bool read_bytes(void* to, std::size_t size) {
  const std::size_t read = std::fread(to, 1, size, stdin);
  if (read == 0 && size != 0) return false;
  if (read != size) throw std::runtime_error("the input ends within a call");
  return true;
}
template <class T>
T read_number() {
  T value{};
  if (!read_bytes(&value, sizeof value)) throw std::runtime_error("the input ends within a call");
  return value;
}
std::vector<std::uint8_t> read_block() {
  std::vector<std::uint8_t> block(static_cast<std::size_t>(read_number<std::uint64_t>()));
  if (!read_bytes(block.data(), block.size())) throw std::runtime_error("the input ends within a call");
  return block;
}
void write_bytes(const void* from, std::size_t size) {
  if (std::fwrite(from, 1, size, stdout) != size) throw std::runtime_error("nobody reads the output");
}
void write_number(std::uint64_t value) { write_bytes(&value, sizeof value); }
void write_block(const void* from, std::size_t size) {
  write_number(size);
  write_bytes(from, size);
}
void write_block(const bytes& from) {
  const auto host = from.to_host();
  write_block(host.data(), host.size());
}

parameter read_parameter() {
  parameter made;
  made.memory = static_cast<std::size_t>(read_number<std::uint64_t>());
  made.offset_bytes = static_cast<std::size_t>(read_number<std::uint64_t>());
  const auto rank = read_number<std::uint64_t>();
  for (std::uint64_t axis = 0; axis < rank; ++axis) {
    made.extents.push_back(static_cast<std::size_t>(read_number<std::uint64_t>()));
  }
  for (std::uint64_t axis = 0; axis < rank; ++axis) {
    made.strides.push_back(static_cast<std::ptrdiff_t>(read_number<std::int64_t>()));
  }
  return made;
}

/// Effects: runs one call of the input. Returns: false at its end.
bool run_call(const std::vector<yoke::stream<>>& streams) {
  std::uint64_t number = 0;
  if (!read_bytes(&number, sizeof number)) return false;
  call of;
  const auto memories = read_number<std::uint64_t>();
  for (std::uint64_t k = 0; k < memories; ++k) {
    const auto& stream = streams.at(static_cast<std::size_t>(read_number<std::uint64_t>()));
    of.memories.push_back(yoke::to_device_array(read_block(), stream));
  }
  const auto parameters = read_number<std::uint64_t>();
  for (std::uint64_t k = 0; k < parameters; ++k) of.parameters.push_back(read_parameter());
  const auto numbers = read_number<std::uint64_t>();
  for (std::uint64_t k = 0; k < numbers; ++k) of.numbers.push_back(read_block());

  // 0: done; 1: refused by the library; 2: any other exception.
  std::uint64_t status = 0;
  std::string message;
  try {
    functions().at(static_cast<std::size_t>(number))(of);
  } catch (const yoke::logic_error& e) {
    status = 1;
    message = e.what();
  } catch (const std::exception& e) {
    status = 2;
    message = e.what();
  }
  write_number(status);
  write_block(message.data(), message.size());
  for (const bytes& each : of.memories) write_block(each);
  write_number(of.results.size());
  for (const result& each : of.results) {
    write_number(each.extents.size());
    for (const std::size_t extent : each.extents) write_number(extent);
    write_number(each.is_f_order ? 1 : 0);
    const auto host = each.on_device ? each.on_device->to_host() : each.on_host;
    write_block(host.data(), host.size());
  }
  std::fflush(stdout);
  return true;
}

}  // namespace

}  // namespace yoke_fuzz

int main(int argc, char** argv) {
  try {
    std::vector<yoke::device<>> devices;
    try {
      devices = yoke::select_devices(argc > 1 ? argv[1] : "");
    } catch (const yoke::unsupported_error& e) {
      std::fprintf(stderr, "%s\n", e.what());
    }
    // Whether there is such a device.
    std::fputc(devices.empty() ? 'n' : 'y', stdout);
    std::fflush(stdout);
    if (devices.empty()) return 0;
    const yoke::context context{devices.front()};
    std::vector<yoke::stream<>> streams;
    for (int k = 0; k < 3; ++k) streams.emplace_back(context);
    while (yoke_fuzz::run_call(streams)) {
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}

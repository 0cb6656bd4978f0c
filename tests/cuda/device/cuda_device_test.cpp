// SPDX-License-Identifier: MIT
// CUDA devices by PCI bus id and UUID, in code and in specifications.
#include <support/devices/devices.hpp>

#include <algorithm>
#include <cctype>

using namespace yoke_test;
namespace cu = yoke::cuda;

namespace {

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

}  // namespace

YOKE_CUDA_TEST_CASE("a device is found by its PCI bus id", "[cuda]") {
  const std::string id = cu::pci_bus_id_of(device);
  CHECK(std::count(id.begin(), id.end(), ':') == 2);
  CHECK(id.find('.') != std::string::npos);
  CHECK(cu::device_of_pci_bus_id(id) == device);
  CHECK(cu::device_of_pci_bus_id(device.port(), id) == device);
  CHECK(device.summary().pci_bus_id == id);
  CHECK_THROWS_AS(cu::device_of_pci_bus_id("0000:fe:1f.0"), yoke::unsupported_error);
  CHECK_THROWS_WITH(cu::device_of_pci_bus_id(id + std::string("\0x", 2)),
                    ContainsSubstring("PCI bus id \"" + id + "\" goes on behind a zero character"));
  CHECK_THROWS_WITH(cu::device_of_pci_bus_id("nonsense"), ContainsSubstring("\"nonsense\""));
  CHECK_THROWS_WITH(
      cu::device_of_pci_bus_id(std::string(5000, 'x')),
      ContainsSubstring('"' + std::string(80, 'x') + "...\"") && !ContainsSubstring(std::string(81, 'x')));
  CHECK_THROWS_WITH(cu::device_uuid(std::string(5000, 'x')), !ContainsSubstring(std::string(81, 'x')));
}

YOKE_CUDA_TEST_CASE("a device is found by its UUID", "[cuda]") {
  const cu::device_uuid uuid = cu::uuid_of(device);
  CHECK(uuid.text().size() == 40);
  CHECK(cu::device_of_uuid(uuid) == device);
  CHECK(cu::device_of_uuid(device.port(), cu::device_uuid(uuid.text())) == device);
  CHECK(device.summary().uuid == uuid.text());
  CHECK(cu::device_uuid(upper(uuid.text().substr(4))) == uuid);
  cu::abi::uuid other = uuid.bytes();
  other.bytes[7] = static_cast<char>(other.bytes[7] ^ 1);
  CHECK_FALSE(cu::device_uuid(other) == uuid);
  CHECK_THROWS_AS(cu::device_of_uuid(cu::device_uuid(other)), yoke::unsupported_error);
  CHECK_THROWS_WITH(cu::device_of_uuid(cu::device_uuid(other)), ContainsSubstring(uuid.text()));
}

TEST_CASE("text that is no UUID is refused", "[cuda]") {
  CHECK(cu::device_uuid("GPU-00010203-0405-0607-0809-0a0b0c0d0eff").text() ==
        "GPU-00010203-0405-0607-0809-0a0b0c0d0eff");
  for (const char* text : {"", "GPU-", "00010203-0405-0607-0809-0a0b0c0d0e", "00010203-0405-0607-0809-0a0b0c0d0e0f1",
                           "00010203-0405-0607-0809-0a0b0c0d0e0g"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(cu::device_uuid(text), yoke::logic_error);
  }
}

YOKE_CUDA_TEST_CASE("a specification names a device by PCI bus id or UUID", "[cuda]") {
  const std::string id = cu::pci_bus_id_of(device);
  const std::string uuid = cu::uuid_of(device).text();
  for (const std::string& each : {id, upper(id), "cuda:" + id, "CUDA:" + id, "0000" + id, id.substr(id.find(':') + 1),
                                  uuid, upper(uuid), uuid.substr(0, 30), "cuda:" + uuid}) {
    CAPTURE(each);
    const auto found = cu::select_devices(each);
    REQUIRE_FALSE(found.empty());
    if (each.size() < 40 && each.starts_with("GPU")) continue;  // a prefix may fit several
    CHECK(found.size() == 1);
    CHECK(found.front() == device);
  }
  CHECK_THROWS_AS(cu::select_devices("0000:fe:1f.0"), yoke::unsupported_error);
  CHECK_THROWS_AS(cu::select_devices("opencl:" + id), yoke::unsupported_error);
  CHECK(yoke::choose_device(id).chosen.summary().uuid == uuid);
}

// SPDX-License-Identifier: MIT
// Packs and checks images.
#include "engine/binary/image_format.hpp"

#include <cstdint>
#include <cstring>

#include "engine/system/sanitizers.hpp"
#include "prelude/services.hpp"

namespace yoke::simulator {

namespace {

// The first byte is in neither ELF, PTX, fatbin nor LTO-IR.
constexpr char magic[16] = {'\x93', 'Y', 'O', 'K', 'E', ' ', 's', 'i', 'm', 'u', 'l', 'a', 't', 'i', 'o', 'n'};

#if defined(YOKE_SIMULATOR_ASAN)
constexpr std::uint32_t build = 1;
#elif defined(YOKE_SIMULATOR_TSAN)
constexpr std::uint32_t build = 2;
#else
constexpr std::uint32_t build = 0;
#endif

constexpr std::uint32_t is_virtual = 1, is_specific = 2, is_of_family = 4;

struct header {
  char magic[16];
  std::uint32_t version;
  std::uint32_t build;
  std::uint64_t object_bytes;
  std::uint64_t digest;
  std::int32_t compute_capability;
  std::uint32_t target;  // the bits above
  std::uint64_t relocatable_offset;
  std::uint64_t relocatable_bytes;
};

// FNV-1a: it guards against accidents, not against forgery, as does every other loader of native code.
std::uint64_t digest_of(header head, std::string_view object) {
  head.digest = 0;
  char bytes[sizeof head];
  std::memcpy(bytes, &head, sizeof head);
  std::uint64_t digest = 14695981039346656037u;
  for (const std::string_view part : {std::string_view(bytes, sizeof head), object}) {
    for (const char each : part) digest = (digest ^ static_cast<unsigned char>(each)) * 1099511628211u;
  }
  return digest;
}

}  // namespace

std::string pack_image(const image_parts& parts, const architecture& target) {
  std::string object(parts.object);
  object.append(parts.relocatable).append(parts.texts);
  header head{};
  std::memcpy(head.magic, magic, sizeof magic);
  head.version = yoke_simulator::interface_version;
  head.build = build;
  head.object_bytes = object.size();
  head.compute_capability = target.number;
  head.target = (target.is_virtual ? is_virtual : 0) | (target.is_specific ? is_specific : 0) |
                (target.is_of_family ? is_of_family : 0);
  head.relocatable_offset = parts.object.size();
  head.relocatable_bytes = parts.relocatable.size();
  head.digest = digest_of(head, object);
  std::string image(sizeof head, '\0');
  std::memcpy(image.data(), &head, sizeof head);
  image += object;
  return image;
}

std::optional<std::size_t> image_size(const void* bytes, std::size_t limit) {
  const char* const text = static_cast<const char*>(bytes);
  for (std::size_t each = 0; each < sizeof magic; ++each) {
    if (each >= limit || text[each] != magic[each]) return std::nullopt;
  }
  if (limit < sizeof(header)) return std::nullopt;
  header head;
  std::memcpy(&head, bytes, sizeof head);
  if (head.object_bytes > limit - sizeof head) return std::nullopt;
  return sizeof head + head.object_bytes;
}

std::optional<unpacked_image> unpack_image(std::string_view image) {
  const auto size = image_size(image.data(), image.size());
  if (!size || *size != image.size()) return std::nullopt;
  header head;
  std::memcpy(&head, image.data(), sizeof head);
  const std::string_view object = image.substr(sizeof head);
  if (head.version != yoke_simulator::interface_version || head.build != build ||
      head.digest != digest_of(head, object)) {
    return std::nullopt;
  }
  const std::uint64_t begin = head.relocatable_offset, bytes = head.relocatable_bytes;
  if (begin > object.size() || bytes > object.size() - begin) return std::nullopt;
  const std::string_view relocatable = object.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(bytes));
  return unpacked_image{bytes != 0 && begin == 0 ? std::string_view() : object, relocatable,
                        architecture{head.compute_capability, (head.target & is_virtual) != 0,
                                     (head.target & is_specific) != 0, (head.target & is_of_family) != 0}};
}

}  // namespace yoke::simulator

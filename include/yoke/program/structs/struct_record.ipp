// SPDX-License-Identifier: MIT
// Bodies of program/structs/struct_record.hpp.
#ifndef YOKE_PROGRAM_STRUCTS_STRUCT_RECORD_IPP
#define YOKE_PROGRAM_STRUCTS_STRUCT_RECORD_IPP

#include <yoke/driver/binary.hpp>
#include <yoke/program/structs/device_struct.hpp>
#include <yoke/program/structs/struct_record.hpp>

namespace yoke::inline v0_1::detail {

/// Writes structs field by field: numbers as 8 bytes, texts after their length.
class struct_writer {
 public:
  [[gnu::cold]] void add(std::span<const struct_description> structs, unsigned) {
    add(structs.size());
    for (const struct_description& each : structs) visit(*this, each, 0);
  }
  [[gnu::cold]] void add(const std::string& text) {
    add(text.size());
    put_bytes(bytes, text.data(), text.size());
  }
  void add(std::size_t number) { put(bytes, std::uint64_t{number}); }
  template <class Element>
  [[gnu::cold]] void add(const std::vector<Element>& list) {
    add(list.size());
    for (const Element& each : list) visit(*this, each, 0);
  }
  // Visits the fields in their order, for the writer and the reader.
  template <class Visitor, class Of>
  [[gnu::cold]] static void visit(Visitor& with, Of& of, unsigned depth) {
    if constexpr (requires { of.members; }) {
      with.add(of.name), with.add(of.bytes), with.add(of.alignment), with.add(of.host), with.add(of.members);
      with.add(of.nested, depth + 1);
    } else if constexpr (requires { of.offset; }) {
      with.add(of.name), with.add(of.opencl_c), with.add(of.cuda), with.add(of.dialect), with.add(of.host);
      with.add(of.extents), with.add(of.offset), with.add(of.bytes);
    } else {
      with.add(of);
    }
  }
  std::vector<std::byte> bytes;
};

/// Reads the fields; malformed bytes set `fits` to false.
class struct_reader {
 public:
  explicit struct_reader(std::span<const std::byte> bytes) noexcept : left_(bytes) {}
  [[gnu::cold]] void add(std::vector<struct_description>& structs, unsigned depth) {
    constexpr unsigned deepest = 64;  // structs do not nest deeper: the bytes are damaged
    fits = fits && depth < deepest;
    read_list(structs, depth);
  }
  [[gnu::cold]] void add(std::string& text) {
    std::size_t size = 0;
    std::span<const std::byte> part;
    add(size);
    fits = fits && left_.take(size, part);
    if (fits) text.assign(reinterpret_cast<const char*>(part.data()), part.size());
  }
  void add(std::size_t& number) {
    std::uint64_t value = 0;
    fits = fits && left_.get(value);
    if (fits) number = static_cast<std::size_t>(value);
  }
  template <class Element>
  [[gnu::cold]] void add(std::vector<Element>& list) {
    read_list(list, 0);
  }
  [[nodiscard]] bool finished() const noexcept { return fits && left_.empty(); }

 private:
  template <class Element>
  [[gnu::cold]] void read_list(std::vector<Element>& list, unsigned depth) {
    std::size_t count = 0;
    add(count);
    for (std::size_t i = 0; i < count && fits; ++i) {  // each takes a byte or more: a wrong count ends
      list.resize(list.size() + 1);
      struct_writer::visit(*this, list.back(), depth);
    }
  }
  bool fits = true;
  bounded_reader left_;
};

std::vector<std::byte> binary_with_structs(std::vector<std::byte> binary, std::span<const struct_description> structs) {
  if (structs.empty() || !is_packed(binary)) return binary;
  struct_writer writer;
  writer.add(structs, 0);
  return pack_extra(binary, writer.bytes);
}

std::vector<struct_description> structs_of_binary(std::span<const std::byte> binary, const source_location& where) {
  std::vector<struct_description> structs;
  if (!is_packed(binary)) return structs;
  std::span<const std::byte> extra;
  (void)unpack_binary(binary, where, &extra);
  if (extra.empty()) return structs;
  struct_reader reader(extra);
  reader.add(structs, 0);
  if (!reader.finished()) {
    throw_error(errc::incompatible_binary, where, "binary of ", binary.size(),
                " bytes: what it says of its structs is damaged");
  }
  return structs;
}

}  // namespace yoke::inline v0_1::detail

#endif

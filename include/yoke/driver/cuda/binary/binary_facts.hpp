// SPDX-License-Identifier: MIT
// The compilers' facts about an image, stored with it as bytes: compared kernels, name expressions, layouts.
#ifndef YOKE_DRIVER_CUDA_BINARY_BINARY_FACTS_HPP
#define YOKE_DRIVER_CUDA_BINARY_BINARY_FACTS_HPP

#include <yoke/driver/binary.hpp>
#include <yoke/driver/cuda/binary/loaded_binaries.hpp>
#include <yoke/driver/cuda/compiler/requests.hpp>

namespace yoke::inline v0_1::cuda::detail {

template <class Visitor, class Of>
[[gnu::cold]] void visit_fields(Visitor& visit, Of& of);

/// Writes fields one after another.
class fact_writer {
 public:
  [[gnu::cold]] void operator()(const std::string& text) {
    (*this)(text.size());
    yoke::detail::put_bytes(bytes, text.data(), text.size());
  }
  void operator()(std::size_t number) { yoke::detail::put(bytes, std::uint64_t{number}); }
  void operator()(bool flag) { yoke::detail::put(bytes, static_cast<std::uint8_t>(flag)); }
  void operator()(address_space space) { yoke::detail::put(bytes, static_cast<std::uint8_t>(space)); }
  void operator()(scalar_kind kind) { yoke::detail::put(bytes, static_cast<std::uint8_t>(kind)); }
  template <class Element>
  [[gnu::cold]] void operator()(const std::vector<Element>& list) {
    (*this)(list.size());
    for (const Element& each : list) visit_fields(*this, each);
  }
  std::vector<std::byte> bytes;
};

/// Reads the fields. A field that does not fit stays as it was, and sets `fits` to false.
class fact_reader {
 public:
  explicit fact_reader(std::span<const std::byte> bytes) noexcept : left_(bytes) {}
  [[gnu::cold]] void operator()(std::string& text) {
    std::size_t size = 0;
    std::span<const std::byte> part;
    (*this)(size);
    fits = fits && left_.take(size, part);
    if (fits) text.assign(reinterpret_cast<const char*>(part.data()), part.size());
  }
  void operator()(std::size_t& number) {
    std::uint64_t value = 0;
    fits = fits && left_.get(value);
    if (fits) number = static_cast<std::size_t>(value);
  }
  void operator()(bool& flag) { flag = below(2) != 0; }
  void operator()(address_space& space) { space = static_cast<address_space>(below(5)); }
  void operator()(scalar_kind& kind) { kind = static_cast<scalar_kind>(below(3)); }
  template <class Element>
  [[gnu::cold]] void operator()(std::vector<Element>& list) {
    std::size_t count = 0;
    (*this)(count);
    for (std::size_t i = 0; i < count && fits; ++i) {
      list.resize(list.size() + 1);
      visit_fields(*this, list.back());
    }
  }
  [[nodiscard]] bool finished() const noexcept { return fits && left_.empty(); }
  bool fits = true;

 private:
  std::uint8_t below(std::uint8_t end) {
    std::uint8_t value = 0;
    fits = fits && left_.get(value) && value < end;
    return fits ? value : std::uint8_t{0};
  }
  yoke::detail::bounded_reader left_;
};

// Visits the fields in their order, for reading and writing: those fields of a record that the driver does not return.
template <class Visitor, class Of>
[[gnu::cold]] void visit_fields(Visitor& visit, Of& of) {
  using type = std::remove_const_t<Of>;
  if constexpr (std::same_as<type, parameter_info>) {
    visit(of.space), visit(of.is_const), visit(of.bytes), visit(of.type), visit(of.name), visit(of.alignment);
    visit(of.scalar), visit(of.spelling);
  } else if constexpr (std::same_as<type, parameter_layout>) {
    visit(of.offset), visit(of.bytes), visit(of.scalar);
  } else if constexpr (std::same_as<type, ptx_entry>) {
    visit(of.name), visit(of.layout);
  } else if constexpr (std::same_as<type, known_name>) {
    visit(of.name), visit(of.type), visit(of.parameters), visit(of.lowered);
  } else {
    visit(of.names), visit(of.entries);
  }
}

[[gnu::cold]] inline std::vector<std::byte> facts_of(const image_record& record) {
  fact_writer writer;
  visit_fields(writer, record);
  return std::move(writer.bytes);
}
/// Returns: whether the bytes are facts. Effects: if so, stores them in the record.
[[gnu::cold]] inline bool take_facts(image_record& record, std::span<const std::byte> bytes) {
  if (bytes.empty()) return true;
  fact_reader reader(bytes);
  visit_fields(reader, record);
  return reader.finished();
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif

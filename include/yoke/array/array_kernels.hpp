// SPDX-License-Identifier: MIT
// The kernels of arrays, in the dialect: copies between any layouts, conversions, sequences. A context keeps them.
#ifndef YOKE_ARRAY_ARRAY_KERNELS_HPP
#define YOKE_ARRAY_ARRAY_KERNELS_HPP

#include <yoke/array/array_programs.hpp>
#include <yoke/array/merged_copy.hpp>
#include <yoke/core/half.hpp>
#include <yoke/memory/device_span.hpp>
#include <yoke/program/compile.hpp>
#include <yoke/program/module.hpp>
#include <yoke/program/specialise.hpp>

namespace yoke::inline YOKE_ABI {

// Its name in kernels.
template <>
inline constexpr const char* device_type_name<detail::copy_axes> = "yoke_a_axes";

namespace detail {

/// Returns: the source of `yoke_a_copy`, which is compiled for elements `TO` and `FROM`, with `RANK` axes and an integer
/// `INDEX` that counts the steps.
YOKE_API std::string_view copy_source() noexcept;
/// Returns: the source of `yoke_a_sequence`, of elements `T`.
YOKE_API std::string_view sequence_source() noexcept;

/// The kernels of one signature and one purpose.
template <class Tag, class Signature, class Port>
struct kernel_set {
  once_map<kernel<Signature, Port>> kernels;
};

/// Returns: the kernel for a key, which `compile()` returns the first time. A context keeps its kernels, which do not keep
/// the context.
template <class Tag, class Signature, class Port, class Compile>
const kernel<Signature, Port>& kernel_of(context_state<Port>& in, std::uint64_t key, Compile&& compile) {
  return in.attached.template get<kernel_set<Tag, Signature, Port>>().kernels.find_or_make(
      key, [&] { return compile(context<Port>::unowned(in)); });
}

/// Returns: the threads for a number of steps; if there are many, a thread takes several.
inline constexpr std::int64_t most_threads = std::int64_t{1} << 24;
inline launch_shape threads_for(std::int64_t steps) {
  return launch_over(steps < most_threads ? steps : most_threads, 256);
}

/// Whether elements of a type are converted to others.
template <class T>
inline constexpr bool is_converted =
    std::is_arithmetic_v<T> || std::same_as<T, half> || std::same_as<T, bfloat16> || complex_number<T>;

/// The type by which kernels know an element: an integer of its width, or the element itself.
template <class T>
consteval auto kernel_word() {
  if constexpr (std::is_integral_v<T> && !std::same_as<T, bool>) {
    using sized =
        std::conditional_t<sizeof(T) == 1, std::int8_t,
                           std::conditional_t<sizeof(T) == 2, std::int16_t,
                                              std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>>;
    return std::type_identity<std::conditional_t<std::is_signed_v<T>, sized, std::make_unsigned_t<sized>>>{};
  } else if constexpr (std::same_as<T, bool>) {
    return std::type_identity<std::uint8_t>{};
  } else {
    return std::type_identity<T>{};
  }
}
template <class T>
using kernel_word_of = typename decltype(kernel_word<T>())::type;

/// Returns: the definitions that make `copy_source` the kernel of these elements. `wide`: more steps than 31 bits count.
template <class To, class From>
[[gnu::cold]] std::vector<define> copy_definitions(std::size_t rank, bool wide, bool to_bool) {
  std::vector<define> defines = specialise<To, From>("TO", "FROM");
  defines.emplace_back("RANK", rank);
  if (wide) defines.emplace_back("WIDE");
  if (to_bool) defines.emplace_back("TO_BOOL");
  if (std::same_as<To, half>) defines.emplace_back("TO_HALF");
  if (std::same_as<From, half>) defines.emplace_back("FROM_HALF");
  if (std::same_as<To, bfloat16>) defines.emplace_back("TO_BFLOAT16");
  if (std::same_as<From, bfloat16>) defines.emplace_back("FROM_BFLOAT16");
  if constexpr (complex_number<To>) {
    const bool single = sizeof(To) == 8;
    defines.emplace_back("TO_PART", single ? "float" : "double");
    defines.emplace_back("TO_COMPLEX", single ? "make_float2" : "make_double2");
    if (complex_number<From>) defines.emplace_back("FROM_COMPLEX");
  }
  return defines;
}

template <class To, class From>
struct copies;

/// Effects: enqueues the copy of elements, converted if types differ.
/// Requires: strides and offsets in elements.
template <class To, class From, class Port>
void launch_copy(const stream<Port>& stream, typename Port::memory_handle to, typename Port::memory_handle from,
                 const merged_copy& copy, bool to_bool, const source_location& where) {
  context_state<Port>& in = stream.context_of().state(where);
  const bool wide = copy.axes.count >= (std::int64_t{1} << 31);
  const std::size_t rank = copy.rank == 0 ? 1 : copy.rank;
  const std::uint64_t key = rank | (wide ? 64U : 0U) | (to_bool ? 128U : 0U);
  const auto& run =
      kernel_of<copies<To, From>, void(To*, const From*, copy_axes)>(in, key, [&](const context<Port>& context) {
        std::vector<define> defines = copy_definitions<To, From>(rank, wide, to_bool);
        const auto module =
            compile_for_arrays(context, copy_source(), {.defines = std::move(defines), .name = "yoke copy"}, where);
        return get_kernel<void(To*, const From*, copy_axes)>(module, "yoke_a_copy", where);
      });
  merged_copy given = copy;
  if (copy.rank == 0) given.axes.extents[0] = 1;
  const auto native = stream.context_of().native_handle();
  run({stream, where}, threads_for(copy.axes.count), device_span<To, Port>(native, to, 0, 1),
      device_span<const From, Port>(native, from, 0, 1), given.axes);
}

/// Effects: enqueues a copy of elements of any type between any two layouts of device memory.
template <class Port>
void launch_word_copy(const stream<Port>& stream, typename Port::memory_handle to, typename Port::memory_handle from,
                      merged_copy copy, const source_location& where) {
  use_words(copy);
  const auto run = [&]<class Word>(Word) { launch_copy<Word, Word>(stream, to, from, copy, false, where); };
  switch (copy.unit) {
    case 1: return run(std::uint8_t{});
    case 2: return run(std::uint16_t{});
    case 4: return run(std::uint32_t{});
    default: return run(std::uint64_t{});
  }
}

}  // namespace detail

}  // namespace yoke::inline YOKE_ABI

#if defined(YOKE_BODIES)
#include <yoke/array/impl/array_kernels.ipp>
#endif

#endif

// SPDX-License-Identifier: MIT
// The arguments of typed launches: which types each parameter accepts, and how they are passed.
#ifndef YOKE_PROGRAM_KERNEL_ARGUMENT_HPP
#define YOKE_PROGRAM_KERNEL_ARGUMENT_HPP

#include <yoke/core/type_name.hpp>
#include <yoke/driver/image_types.hpp>
#include <yoke/program/kernel/argument_mismatch.hpp>

#include <utility>

namespace yoke::inline v0_1 {

/// Whether a type may be a by-value parameter, passed by its bytes. Specialise it to allow a type that is not trivially
/// copyable.
template <class T>
inline constexpr bool is_kernel_parameter = std::is_trivially_copyable_v<T>;
template <>
inline constexpr bool is_kernel_parameter<sampler> = false;  // <yoke/image.hpp> has its own arguments for it

namespace detail {

/// An integer type of a parameter. A `char` parameter is an 8-bit integer in kernels; a `char` argument of a launch is
/// a character and fits only `char`.
template <class T>
concept integer_parameter = integer<T> || std::same_as<T, char>;
/// The integer type with the range of an integer parameter.
template <class T>
using range_of = std::conditional_t<std::same_as<T, char>,
                                    std::conditional_t<std::is_signed_v<char>, signed char, unsigned char>, T>;

/// Whether a value of type `Given` may become a parameter of type `Expected`.
template <class Given, class Expected>
consteval bool converts_to_parameter() {
  if constexpr (std::same_as<Given, Expected>) {
    return true;
  } else if constexpr (integer<Given> && integer_parameter<Expected>) {
    return true;  // range-checked
  } else if constexpr (std::floating_point<Given> && std::floating_point<Expected>) {
    return requires(Given given) { Expected{given}; };  // braces reject narrowing
  } else if constexpr (integer<Given> && std::floating_point<Expected>) {
    return true;  // checked to be exact
  } else {
    return false;
  }
}

template <class Expected, class Given>
Expected convert_to_parameter(const Given& value, std::size_t where_in_list, const source_location& where) {
  if constexpr (std::same_as<Given, Expected>) {
    return value;
  } else if constexpr (std::integral<Expected>) {
    if (!std::in_range<range_of<Expected>>(value)) [[unlikely]] {
      throw_error(errc::out_of_range,
                  text("argument ", where_in_list, " is ", value, ", outside ", least_of<Expected>, " .. ",
                       greatest_of<Expected>, " of ", device_type_name<Expected>),
                  where);
    }
    return static_cast<Expected>(value);
  } else if constexpr (std::floating_point<Given>) {
    return value;
  } else {
    const auto converted = static_cast<Expected>(value);
    // Check the bound first: converting back a value beyond the integer's range would be undefined.
    constexpr auto limit = static_cast<Expected>(greatest_of<Given> / 2 + 1) * 2;  // NOLINT: the greatest value is odd
    if (!(converted < limit) || static_cast<Given>(converted) != value) [[unlikely]] {
      throw_error(errc::out_of_range,
                  text("argument ", where_in_list, " is ", value, ", which ", device_type_name<Expected>,
                       " cannot hold exactly"),
                  where);
    }
    return converted;
  }
}

/// The stream of a launch, with the facts that arguments need.
template <class Port>
struct launch_target {
  const Port* port = nullptr;
  typename Port::context_handle context{};
  typename Port::stream_handle stream{};
  const device_limits* limits = nullptr;
  context_state<Port>* state = nullptr;
  const source_location& where;              // the caller's; outlives the launch
  other_streams<Port>* operation = nullptr;  // null if the launch is recorded in a graph
};

template <class T>
inline constexpr bool is_constant = false;
template <class T>
inline constexpr bool is_constant<constant<T>> = true;

/// A host range that an argument writes.
struct written_range {
  const void* begin = nullptr;
  std::size_t bytes = 0;
};

/// Throws: `logic_error` when two of the ranges overlap.
YOKE_API void check_written_ranges(std::span<const written_range> ranges, const source_location& where);

/// Whether the arguments that a parameter accepts depend on the kernel's other parameters. Such an argument has a
/// function `template <class... All> void check_neighbours(where) const`, where `All` are all parameters.
template <class P>
inline constexpr bool has_neighbours = false;
/// Throws: as the argument's own function.
template <class P, class... All, class Argument>
void check_neighbours([[maybe_unused]] const Argument& argument, [[maybe_unused]] const source_location& where) {
  if constexpr (has_neighbours<P>) argument.template check_neighbours<All...>(where);
}

/// A by-value argument.
template <std::size_t Index, class P, class Port, bool Async>
class argument {
 public:
  template <class Given>
  argument(const Given& value, const source_location& where = source_location::current())  // NOLINT: reads like a call
      : value_(checked(value, where)) {}
  argument(const argument&) = delete;
  argument& operator=(const argument&) = delete;

  kernel_argument prepare(const launch_target<Port>&) const noexcept {
    return {argument_kind::value, &value_, sizeof(P)};
  }
  void finish(const launch_target<Port>&) const noexcept {}
  void check_unused(const launch_target<Port>&) const noexcept {}
  [[nodiscard]] static constexpr written_range written() noexcept { return {}; }

  // For direct launches: see `given_pointer`.
  static constexpr argument_form form{sizeof(P),
                                      std::has_unique_object_representations_v<P> || std::is_floating_point_v<P>};
  [[nodiscard]] static constexpr bool is_usual(const context_state<Port>&, typename Port::stream_handle) noexcept {
    return true;
  }
  [[nodiscard]] static constexpr bool is_unmapped() noexcept { return true; }
  [[nodiscard]] const void* place() const noexcept { return &value_; }
  [[nodiscard]] const argument& facts() const noexcept { return *this; }

 private:
  template <class Given>
  static P checked(const Given& value, const source_location& where) {
    if constexpr (std::is_reference_v<P>) {
      (void)kernel_parameter_is_not_allowed<Index + 1, P>::take_it_by_value;
    } else if constexpr (!is_kernel_parameter<P>) {
      (void)kernel_parameter_is_not_allowed<Index + 1, P>::make_it_trivially_copyable_or_specialise_is_kernel_parameter;
    } else if constexpr (!converts_to_parameter<Given, P>()) {
      refuse_value_argument<Index + 1, P, Given>();
      return P{};
    } else {
      return convert_to_parameter<P>(value, Index + 1, where);
    }
  }
  P value_;
};

/// How a pointer argument differs from usual memory. A set of bits.
enum pointer_trait : unsigned char {
  without_context = 1,  // `nullptr`, or a host range
  is_mapped = 2,
  has_offset = 4,
  is_by_address = 8,
  is_read = 16,     // a host range that is copied to the device
  is_written = 32,  // a host range that is copied from the device
  is_refused = 64,  // its description has a `refusal`
  has_uses = 128,   // it orders the streams that use it
};

/// The facts of a pointer argument.
template <class T, class Port>
struct pointer_facts {
  typename Port::memory_handle memory{};
  typename Port::context_handle context{};
  unsigned char traits = 0;
  std::size_t offset = 0;         // in bytes, within `memory`
  const void* address = nullptr;  // for memory passed by address; for refused memory, the reason
  std::remove_const_t<T>* data = nullptr;
  std::size_t size = 0;        // elements of the host range at `data`
  use_notes* notes = nullptr;  // set for memory that keeps its streams
  uses_of_memory<Port> uses{};

  [[nodiscard]] const void* place() const noexcept { return &memory; }
};

/// Memory whose `memory_access` gives a launch the address of its handle.
template <class Memory, class Port>
concept launched_as_it_is = requires(const Memory& memory) {
  { memory_access<Memory>::launched(memory) } -> std::same_as<launched_memory<Port>>;
};

/// A pointer argument as the caller gave it; it does not own anything. A launch inlines it: usual memory costs only the
/// address of its handle and a comparison of contexts.
template <class T, std::size_t Index, class Port, bool Async>
class given_pointer {
 public:
  using element = std::remove_const_t<T>;
  static constexpr argument_form form{sizeof(typename Port::memory_handle), false};

  template <class Given>
  [[gnu::always_inline]] given_pointer(Given&& value)  // NOLINT: launches read like calls
      : given_(&value), describe_(&facts_of<std::remove_reference_t<Given>>) {
    using plain = std::remove_cvref_t<Given>;
    // `facts_of` handles all other arguments and rejects wrong ones.
    if constexpr (launched_as_it_is<plain, Port>) usual_ = memory_access<plain>::launched(value);
  }
  given_pointer(const given_pointer&) = delete;
  given_pointer& operator=(const given_pointer&) = delete;

  /// Whether it is memory of this context that only needs the check `is_unmapped`, and no order with other streams.
  [[nodiscard, gnu::always_inline]] bool is_usual(const context_state<Port>& in,
                                                  typename Port::stream_handle stream) const noexcept {
    if (!usual_.uses.is_usual(stream)) [[unlikely]]
      return false;
    if (usual_.in != nullptr) return usual_.in->shared() == &in;
    return usual_.place != nullptr && usual_.native_context == in.native;
  }
  [[nodiscard, gnu::always_inline]] bool is_unmapped() const noexcept {
    return usual_.maps == nullptr || usual_.maps->views.load(yoke::detail::order::relaxed) == 0;
  }
  /// The address of the driver's handle.
  [[nodiscard]] const void* place() const noexcept { return usual_.place; }
  [[nodiscard]] pointer_facts<T, Port> facts() const noexcept { return describe_(given_); }

 private:
  template <class Given>
  [[gnu::cold]] static pointer_facts<T, Port> facts_of(const void* at) noexcept {
    using plain = std::remove_const_t<Given>;
    Given& value = *static_cast<Given*>(const_cast<void*>(at));
    pointer_facts<T, Port> facts;
    if constexpr (std::same_as<plain, std::nullptr_t>) {
      facts.traits = without_context;
    } else if constexpr (is_host_argument<plain>) {
      using host_element = typename plain::element;
      constexpr auto direction = plain::direction;
      if constexpr (Async || !std::same_as<std::remove_const_t<host_element>, element> ||
                    (std::is_const_v<T> && direction != transfer_direction::in)) {
        refuse_pointer_argument<Index + 1, T, Async, plain>();
      } else {
        facts.data = const_cast<element*>(value.data);  // written only for `out` and `in_out`
        facts.size = value.size;
        // A range of freed memory is refused like other empty memory.
        facts.traits = static_cast<unsigned char>((value.gone ? 0 : without_context) |
                                                  (direction != transfer_direction::out ? is_read : 0) |
                                                  (direction != transfer_direction::in ? is_written : 0));
      }
    } else if constexpr (!is_pointer_argument<Given>) {
      refuse_pointer_argument<Index + 1, T, Async, Given>();
    } else {
      const auto side = detail::describe(value);
      using side_type = std::remove_const_t<decltype(side)>;
      using memory_element = typename side_type::element;
      if constexpr (!std::same_as<std::remove_const_t<memory_element>, element> ||
                    (std::is_const_v<memory_element> && !std::is_const_v<T>)) {
        refuse_pointer_argument<Index + 1, T, Async, Given>();
      } else if constexpr (!std::same_as<typename side_type::port, Port>) {
        using wrong =
            kernel_argument_mismatch<Index + 1, given_memory_of<typename side_type::port>, expected_memory_of<Port>>;
        (void)wrong::pass_memory_of_the_kernels_backend;
      } else {
        const memory_argument<Port> passed = side_type::place::argument(side.at);
        facts.context = side.context;
        facts.memory = passed.memory;
        facts.offset = passed.offset_bytes;
        facts.address = passed.address;
        facts.traits = passed.by_address ? is_by_address : passed.offset_bytes != 0 ? has_offset : 0;
        if constexpr (requires { side_type::place::notes_uses; }) facts.notes = side.maps.notes();
        facts.uses = side.uses;
        if (side.uses.uses != nullptr) facts.traits |= has_uses;
        if (side.maps.mapped()) [[unlikely]]
          facts.traits |= is_mapped;
        if (side.refusal != nullptr) [[unlikely]] {
          facts.traits = is_refused;
          facts.address = side.refusal;
        }
      }
    }
    return facts;
  }

  const void* given_;
  pointer_facts<T, Port> (*describe_)(const void*) noexcept;
  launched_memory<Port> usual_;
};

/// A pointer argument: device memory, an address, a null pointer, or a host range with its transfers.
template <class T, std::size_t Index, class Port, bool Async>
class pointer_argument {
 public:
  using element = std::remove_const_t<T>;

  pointer_argument(const pointer_facts<T, Port>& facts)  // NOLINT: launches convert their arguments
      : memory_(facts.memory), context_(facts.context), traits_(facts.traits) {
    if ((traits_ & (is_read | is_written)) != 0) {
      host_.data = facts.data;
      host_.size = facts.size;
      host_.temporary = typename Port::memory_handle{};
    } else if ((traits_ & (is_by_address | is_refused)) != 0) {
      shared_ = {facts.address, facts.notes};
    } else {
      placed_ = {facts.offset, facts.uses.uses, facts.uses.is_bound, nullptr};
    }
  }
  template <class Given>
    requires(!std::same_as<std::remove_cvref_t<Given>, pointer_facts<T, Port>>)
  pointer_argument(Given&& value)  // NOLINT: launches read like calls
      : pointer_argument(given_pointer<T, Index, Port, Async>(value).facts()) {}
  pointer_argument(const pointer_argument&) = delete;
  pointer_argument& operator=(const pointer_argument&) = delete;
  ~pointer_argument() {
    if ((traits_ & (is_read | is_written | has_offset)) != 0) [[unlikely]]
      end_unusual();
  }

  kernel_argument prepare(const launch_target<Port>& target) {
    if (traits_ != 0 || !(context_ == target.context)) [[unlikely]]
      return prepare_unusual(target);
    return {argument_kind::memory, &memory_, sizeof memory_};
  }
  void finish(const launch_target<Port>& target) {
    if (!std::is_const_v<T> && (traits_ & is_written) != 0) [[unlikely]]
      read_back(target);
  }
  /// Throws: as a launch; for launches with an empty shape.
  void check_unused(const launch_target<Port>& target) const {
    if ((traits_ & without_context) == 0) check(target);
  }
  /// The host range that the launch writes; null without one.
  [[nodiscard]] written_range written() const noexcept {
    if constexpr (!std::is_const_v<T>) {
      if ((traits_ & is_written) != 0) [[unlikely]]
        return written_host();
    }
    return {};
  }

 private:
  // Keeps rare cases out of the launch's code, and avoids a false warning of GCC about uninitialised reads.
  [[gnu::noinline]] kernel_argument prepare_unusual(const launch_target<Port>& target) {
    if ((traits_ & without_context) == 0) check(target);
    if ((traits_ & has_uses) != 0 && target.operation != nullptr) {
      target.operation->use({placed_.uses, placed_.is_bound}, nullptr,
                            std::is_const_v<T> ? memory_use::reads : memory_use::writes, target.where);
    }
    if ((traits_ & (is_read | is_written)) != 0 && host_.size != 0) {
      // The stream argument may be destroyed before this one, so keep copies for the release.
      host_.port = target.port;
      host_.stream = target.stream;
      context_ = target.context;
      const std::size_t bytes = host_.size * sizeof(element);
      host_.temporary = allocate_in(*target.state, [&] {
        return port_traits<Port>::allocate_ordered(*target.port, target.context, target.stream, bytes, target.where);
      });
      if ((traits_ & is_read) != 0) {
        target.port->write(target.stream, host_.temporary, 0, host_.data, bytes,
                           completion<typename Port::event_handle>::blocking(), target.where);
      }
      memory_ = host_.temporary;
    }
    if ((traits_ & is_by_address) != 0) {
      if (shared_.notes != nullptr) note_use(target);
      return {argument_kind::address, shared_.address, sizeof(void*)};
    }
    if ((traits_ & has_offset) != 0) {
      // A graph launches later, so its memory must outlive this argument.
      const bool for_launch = !(target.stream == typename Port::stream_handle{});
      memory_ = target.port->with_offset(memory_, placed_.offset, for_launch, target.where);
      placed_.port = target.port;
    }
    return {argument_kind::memory, &memory_, sizeof memory_};
  }
  void check(const launch_target<Port>& target) const {
    if (!(context_ == target.context)) {
      throw_error(context_ == typename Port::context_handle{} ? errc::empty_handle : errc::wrong_context,
                  text("argument ", Index + 1,
                       context_ == typename Port::context_handle{} ? " is empty (moved from, released or never set)"
                                                                   : " is of another context than the stream"),
                  target.where);
    }
    if ((traits_ & is_refused) != 0) {
      throw_error(errc::invalid_argument, text("argument ", Index + 1, " ", static_cast<const char*>(shared_.address)),
                  target.where);
    }
    if ((traits_ & is_mapped) != 0) {
      throw_error(errc::mapped, text("argument ", Index + 1, " is mapped for the host: let the mapped view end first"),
                  target.where);
    }
  }
  [[gnu::noinline]] void read_back(const launch_target<Port>& target) {
    if (host_.size == 0) return;
    target.port->read(target.stream, host_.temporary, 0, host_.data, host_.size * sizeof(element),
                      completion<typename Port::event_handle>::blocking(), target.where);
  }
  [[gnu::noinline]] written_range written_host() const noexcept { return {host_.data, host_.size * sizeof(element)}; }
  [[gnu::noinline]] void end_unusual() noexcept {
    if ((traits_ & has_offset) != 0) {
      if (placed_.port != nullptr) report_release(*placed_.port, placed_.port->release_offset(memory_));
      return;
    }
    if (host_.temporary == typename Port::memory_handle{}) return;
    report_release(*host_.port, host_.port->release_memory_ordered(context_, host_.temporary, host_.stream, {}));
  }

  void note_use(const launch_target<Port>& target) const {
    if constexpr (std::is_pointer_v<typename Port::stream_handle>) {
      if (target.stream != nullptr)
        shared_.notes->note(target.stream, target.where);  // null for a graph, which keeps the memory itself
    }
  }

  struct placed_memory {
    std::size_t offset;
    memory_uses<Port>* uses;
    bool is_bound;
    const Port* port;  // that made the handle of the memory at the offset; else null
  };
  struct shared_memory {
    const void* address;
    use_notes* notes;
  };
  struct host_range {
    element* data;
    std::size_t size;
    typename Port::memory_handle temporary;
    const Port* port;
    typename Port::stream_handle stream;
  };

  typename Port::memory_handle memory_{};
  typename Port::context_handle context_{};
  unsigned char traits_ = 0;
  union {
    placed_memory placed_;  // for memory behind a handle
    shared_memory shared_;  // for memory passed by address; for refused memory, the reason
    host_range host_;       // for host ranges
  };
};

template <std::size_t Index, class T, class Port, bool Async>
class argument<Index, T*, Port, Async> : public pointer_argument<T, Index, Port, Async> {
 public:
  using pointer_argument<T, Index, Port, Async>::pointer_argument;
};
template <std::size_t Index, class T, class Port, bool Async>
class argument<Index, constant<T>, Port, Async> : public pointer_argument<const T, Index, Port, Async> {
 public:
  using pointer_argument<const T, Index, Port, Async>::pointer_argument;
};

/// The type that a launch takes for a parameter: `given_pointer` for a pointer, else `argument`.
template <std::size_t Index, class P, class Port>
struct launch_argument_of {
  using type = argument<Index, P, Port, false>;
};
template <std::size_t Index, class T, class Port>
struct launch_argument_of<Index, T*, Port> {
  using type = given_pointer<T, Index, Port, false>;
};
template <std::size_t Index, class T, class Port>
struct launch_argument_of<Index, constant<T>, Port> {
  using type = given_pointer<const T, Index, Port, false>;
};
template <std::size_t Index, class P, class Port>
using launch_argument = typename launch_argument_of<Index, P, Port>::type;

/// A dynamic local memory argument.
template <std::size_t Index, class T, class Port, bool Async>
class argument<Index, local<T>, Port, Async> {
 public:
  template <class Given>
  argument(const Given& value) {  // NOLINT: launches read like calls
    if constexpr (!std::same_as<Given, local<T>>) {
      refuse_local_argument<Index + 1, T, Given>();
    } else {
      bytes_ = value.size() * sizeof(T);
    }
  }
  argument(const argument&) = delete;
  argument& operator=(const argument&) = delete;
  kernel_argument prepare(const launch_target<Port>&) const noexcept {
    // Drivers refuse a local argument of 0 bytes, so pass one element, which the kernel does not touch.
    return {argument_kind::local, nullptr, bytes_ == 0 ? sizeof(T) : bytes_};
  }
  void finish(const launch_target<Port>&) const noexcept {}
  void check_unused(const launch_target<Port>&) const noexcept {}
  [[nodiscard]] static constexpr written_range written() noexcept { return {}; }
  [[nodiscard]] const argument& facts() const noexcept { return *this; }

 private:
  std::size_t bytes_ = 0;
};

}  // namespace detail

}  // namespace yoke::inline v0_1

#endif

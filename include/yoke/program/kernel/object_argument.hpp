// SPDX-License-Identifier: MIT
// The base of arguments that are opaque objects of a context: images, samplers, pipes.
#ifndef YOKE_PROGRAM_KERNEL_OBJECT_ARGUMENT_HPP
#define YOKE_PROGRAM_KERNEL_OBJECT_ARGUMENT_HPP

#include <yoke/program/kernel/argument.hpp>

namespace yoke::inline v0_1::detail {

/// Why a launch refuses an object.
enum class object_fault : unsigned char {
  empty,       // moved from, released or never set
  elsewhere,   // of another context than the stream
  read_only,   // the kernel writes it, but its memory was made without write access
  write_only,  // the kernel reads it, but its memory was made without read access
};
/// Throws: `logic_error` that names the argument. `noun` is "an image", for example.
[[noreturn, gnu::cold]] YOKE_API void throw_wrong_object(const char* noun, std::size_t position, object_fault why,
                                                         const source_location& where);

/// The base of such arguments. `Derived` has `static constexpr const char* noun` and a constructor from the launch's
/// argument.
template <class Derived, std::size_t Index, class Port>
class object_argument {
 public:
  /// For OpenCL; CUDA's image arguments have a form of their own.
  static constexpr argument_form form{sizeof(void*), false};

  object_argument(const object_argument&) = delete;
  object_argument& operator=(const object_argument&) = delete;

  kernel_argument prepare(const launch_target<Port>& target) const {
    check_unused(target);
    return {by_value_ ? argument_kind::value : argument_kind::memory, place_, bytes_};
  }
  void finish(const launch_target<Port>&) const noexcept {}
  void check_unused(const launch_target<Port>& target) const {
    if (in_ == nullptr || !(in_->native == target.context)) [[unlikely]]
      throw_wrong_object(Derived::noun, Index + 1, in_ == nullptr ? fault_ : object_fault::elsewhere, target.where);
  }
  [[nodiscard]] static constexpr written_range written() noexcept { return {}; }
  [[nodiscard]] bool is_usual(const context_state<Port>& in, typename Port::stream_handle) const noexcept {
    return in_ == &in;
  }
  [[nodiscard]] static constexpr bool is_unmapped() noexcept { return true; }
  [[nodiscard]] const void* place() const noexcept { return place_; }
  [[nodiscard]] const Derived& facts() const noexcept { return static_cast<const Derived&>(*this); }

 protected:
  object_argument() noexcept = default;
  /// Effects: sets the object. `place` is the address of its handle, or of a value of `bytes` bytes.
  void take(const context_state<Port>* in, const void* place, std::size_t bytes, bool by_value = false) noexcept {
    in_ = in;
    place_ = place;
    bytes_ = bytes;
    by_value_ = by_value;
  }
  void refuse(object_fault why) noexcept {
    in_ = nullptr;
    fault_ = why;
  }
  /// Effects: sets the address of a handle that is looked up at the launch.
  void set_place(const void* found) const noexcept { place_ = found; }

 private:
  const context_state<Port>* in_ = nullptr;
  mutable const void* place_ = nullptr;
  std::size_t bytes_ = 0;
  bool by_value_ = false;
  object_fault fault_ = object_fault::empty;
};

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/kernel/object_argument.ipp>
#endif

#endif

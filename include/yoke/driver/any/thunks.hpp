// SPDX-License-Identifier: MIT
// The functions that fill the tables of `any_port`: each converts its handles and calls the backend.
#ifndef YOKE_DRIVER_ANY_THUNKS_HPP
#define YOKE_DRIVER_ANY_THUNKS_HPP

#include <yoke/driver/any/handles.hpp>
#include <yoke/driver/backends.hpp>
#include <yoke/driver/operations.hpp>

#include <array>
#include <concepts>
#include <cstring>
#include <iterator>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace yoke::inline v0_1::detail {

template <class Native, class Noun>
Native native(any_handle<Noun> handle) noexcept {
  Native result{};
  std::memcpy(static_cast<void*>(&result), &handle.value, sizeof result);
  return result;
}
template <class Port>
Port port_of(const void* driver) noexcept {
  return Port(static_cast<const typename Port::table_type*>(driver));
}

/// Converts an argument of `any_port` for the backend. Most arguments pass through unchanged.
template <class Port, class Argument>
class passed {
 public:
  explicit passed(Argument argument) noexcept : argument_(argument) {}
  [[nodiscard]] Argument get() const noexcept { return argument_; }

 private:
  Argument argument_;
};

template <class Port, class Noun>
class passed<Port, any_handle<Noun>> {
 public:
  explicit passed(any_handle<Noun> handle) noexcept : native_(native<native_type>(handle)) {}
  [[nodiscard]] auto get() const noexcept { return native_; }

 private:
  using native_type = typename Noun::template in<Port>;
  native_type native_;
};

template <class Port, class Noun>
class passed<Port, const any_handle<Noun>&> : public passed<Port, any_handle<Noun>> {
  using passed<Port, any_handle<Noun>>::passed;
};

/// A handle that the backend may replace: written back after the call.
template <class Port, class Noun>
class passed<Port, any_handle<Noun>&> {
 public:
  explicit passed(any_handle<Noun>& place) noexcept : place_(place), native_(native<native_type>(place)) {}
  passed(const passed&) = delete;
  passed& operator=(const passed&) = delete;
  ~passed() { place_ = wrapped<any_handle<Noun>>(native_); }
  [[nodiscard]] auto& get() noexcept { return native_; }

 private:
  using native_type = typename Noun::template in<Port>;
  any_handle<Noun>& place_;
  native_type native_;
};

/// A list of handles. Short lists need no heap.
template <class Port, class Noun>
class passed<Port, std::span<const any_handle<Noun>>> {
 public:
  explicit passed(std::span<const any_handle<Noun>> list) : size_(list.size()) {
    native_type* to = here_;
    if (size_ > std::size(here_)) {
      heap_.reset(new native_type[size_]);
      to = heap_.get();
    }
    for (std::size_t i = 0; i < size_; ++i) to[i] = native<native_type>(list[i]);
  }
  [[nodiscard]] auto get() const noexcept { return std::span<const native_type>(heap_ ? heap_.get() : here_, size_); }

 private:
  using native_type = typename Noun::template in<Port>;
  native_type here_[8] = {};
  std::unique_ptr<native_type[]> heap_;
  std::size_t size_;
};

/// The event of a command. It is handed on only if the command made one.
template <class Port, class Noun>
class passed<Port, completion<any_handle<Noun>>> {
 public:
  explicit passed(completion<any_handle<Noun>> done) noexcept : done_(done) {}
  passed(const passed&) = delete;
  passed& operator=(const passed&) = delete;
  ~passed() {
    if (done_.wanted() && event_ != native_type{}) done_.give(wrapped<any_handle<Noun>>(event_));
  }
  [[nodiscard]] auto get() noexcept { return done_.with(event_); }

 private:
  using native_type = typename Noun::template in<Port>;
  completion<any_handle<Noun>> done_;
  native_type event_{};
};

/// A launch. Memory among its arguments already has the backend's representation.
template <class Port>
class passed<Port, const any_handles::call_type&> {
 public:
  explicit passed(const any_handles::call_type& call)
      : after_(call.after),
        shape_(call.shape),
        done_(call.done),
        call_{native<typename Port::kernel_handle>(call.kernel),
              native<typename Port::stream_handle>(call.stream),
              call.limits,
              shape_,
              call.arguments,
              after_.get(),
              call.done == nullptr ? nullptr : &event_,
              call.timed} {}
  passed(const passed&) = delete;
  passed& operator=(const passed&) = delete;
  ~passed() {
    if (done_ != nullptr && event_ != typename Port::event_handle{}) {
      *done_ = wrapped<any_handles::event_handle>(event_);
    }
  }
  [[nodiscard]] const launch_call<Port>& get() const noexcept { return call_; }

 private:
  passed<Port, std::span<const any_handles::event_handle>> after_;
  shape_for<Port> shape_;
  any_handles::event_handle* done_;
  typename Port::event_handle event_{};
  launch_call<Port> call_;
};

/// Converts a backend's result for `any_port`.
template <class Any, class Returned>
Any returned(Returned&& result) {
  if constexpr (requires { result.begin(); } && !std::same_as<Any, std::remove_cvref_t<Returned>>) {
    Any list;
    list.reserve(result.size());
    for (const auto& each : result) list.push_back(wrapped<typename Any::value_type>(each));
    return list;
  } else if constexpr (requires(Any any) { any.value = nullptr; }) {
    return wrapped<Any>(result);
  } else {
    return std::forward<Returned>(result);
  }
}

/// The table entry that calls `Call` with a backend's port and converted arguments. Its type determines every
/// conversion.
template <class Port, class Call, class Entry>
struct thunk;
template <class Port, class Call, class Result, class... Parameters, bool Nothrow>
struct thunk<Port, Call, Result (*)(const void*, Parameters...) noexcept(Nothrow)> {
  static Result run(const void* driver, Parameters... given) noexcept(Nothrow) {
    if constexpr (std::is_void_v<Result>) {
      Call{}(port_of<Port>(driver), passed<Port, Parameters>(given).get()...);
    } else {
      return returned<Result>(Call{}(port_of<Port>(driver), passed<Port, Parameters>(given).get()...));
    }
  }
};
template <class Port, class Entry, class Call>
constexpr void enter(Entry& entry, Call) noexcept {
  entry = &thunk<Port, Call, Entry>::run;
}

/// Returns: a list of what `make` returns for each backend.
template <class Make>
consteval auto of_each_backend(Make make) noexcept {
  return [&]<class... Backends>(backend_list<Backends...>) { return std::array{make(Backends{})...}; }(all_backends{});
}

}  // namespace yoke::inline v0_1::detail

// Enters a listed operation in `table` for `Port`: the backend's own function, or the default of `port_traits`.
#define YOKE_ENTER(result, name, ...)                                                                                  \
  enter<Port>(table.name, [](const Port& port, auto&&... given) -> decltype(auto) { return port.name(given...); });
#define YOKE_ENTER_OR_DEFAULT(result, name, ...)                                                                       \
  enter<Port>(table.name, [](const Port& port, auto&&... given) -> decltype(auto) {                                    \
    return port_traits<Port>::name(port, given...);                                                                    \
  });

#endif

// SPDX-License-Identifier: MIT
// What the fake libraries share: notes of calls, streams of handles, numbers on the device.
#ifndef YOKE_TESTS_SUPPORT_DRIVERS_FAKE_MATH_PARTS_HPP
#define YOKE_TESTS_SUPPORT_DRIVERS_FAKE_MATH_PARTS_HPP

#include <support/drivers/fake_math_libraries.hpp>

#include <yoke/core/half.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/loader.hpp>

#include <complex>
#include <cstring>
#include <map>
#include <vector>

namespace yoke_test::fake_parts {

namespace cu = yoke::cuda;
namespace abi = yoke::cuda::abi;

using number = std::complex<double>;

inline const abi::functions& driver() { return *cu::detail::default_functions({}); }

/// Effects: notes a call. Returns: the code that it returns.
inline int note(const char* entry) {
  fake_math_state& state = fake_math();
  const std::lock_guard lock(state.mutex);
  state.calls.emplace_back(entry);
  const auto found = state.answers.find(entry);
  return found == state.answers.end() ? 0 : found->second;
}
/// Notes that a handle is in a call.
struct in_use {
  explicit in_use(void* handle) : handle_(handle) {
    fake_math_state& state = fake_math();
    const std::lock_guard lock(state.mutex);
    if (!state.busy.insert(handle).second) ++state.overlaps;
  }
  ~in_use() {
    fake_math_state& state = fake_math();
    const std::lock_guard lock(state.mutex);
    state.busy.erase(handle_);
  }
  in_use(const in_use&) = delete;
  in_use& operator=(const in_use&) = delete;
  void* handle_;
};

inline std::map<void*, abi::stream>& streams() {
  static std::map<void*, abi::stream> all;
  return all;
}
inline void set_stream_of(void* of, abi::stream stream) {
  const std::lock_guard lock(fake_math().mutex);
  streams()[of] = stream;
}
inline abi::stream stream_of(void* of) {
  const std::lock_guard lock(fake_math().mutex);
  return streams().at(of);
}

inline std::size_t bytes_of(abi::data_type type) {
  switch (type) {
    case abi::data_type::real_half:
    case abi::data_type::real_bfloat16: return 2;
    case abi::data_type::real_float: return 4;
    case abi::data_type::complex_double: return 16;
    default: return 8;
  }
}
template <class T>
T loaded(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}
inline number load(const std::byte* at, abi::data_type type) {
  switch (type) {
    case abi::data_type::real_half: return static_cast<double>(static_cast<float>(loaded<yoke::half>(at)));
    case abi::data_type::real_bfloat16: return static_cast<double>(static_cast<float>(loaded<yoke::bfloat16>(at)));
    case abi::data_type::real_float: return static_cast<double>(loaded<float>(at));
    case abi::data_type::real_double: return loaded<double>(at);
    case abi::data_type::complex_float: return number(loaded<std::complex<float>>(at));
    case abi::data_type::complex_double: break;
  }
  return loaded<number>(at);
}
inline void store(std::byte* at, abi::data_type type, number value) {
  const auto put = [&](auto made) { std::memcpy(at, &made, sizeof made); };
  switch (type) {
    case abi::data_type::real_half: return put(yoke::half(static_cast<float>(value.real())));
    case abi::data_type::real_bfloat16: return put(yoke::bfloat16(static_cast<float>(value.real())));
    case abi::data_type::real_float: return put(static_cast<float>(value.real()));
    case abi::data_type::real_double: return put(value.real());
    case abi::data_type::complex_float: return put(std::complex<float>(value));
    case abi::data_type::complex_double: break;
  }
  put(value);
}

/// Whether this thread runs what a graph does, where the driver must not be called.
inline bool& in_a_graph() {
  thread_local bool is_so = false;
  return is_so;
}
/// Effects: does the work of a call in the order of a stream: now, or at each launch of the graph that captures it.
/// Returns: the code; `failed` if the driver fails.
template <class Work>
int do_in(abi::stream stream, int failed, const Work& work) {
  abi::capture_status status = abi::capture_status::none;
  if (driver().stream_is_capturing(stream, &status) != abi::success) return failed;
  if (status == abi::capture_status::none) {
    if (driver().stream_synchronize(stream) != abi::success) return failed;
    work();
    return 0;
  }
  fake_math_state& state = fake_math();
  const std::lock_guard lock(state.mutex);
  if (state.failing_captures-- > 0) return failed;
  state.captured.push_back(std::make_unique<std::function<void()>>(work));
  const auto run = [](void* what) {
    in_a_graph() = true;
    (*static_cast<std::function<void()>*>(what))();
    in_a_graph() = false;
  };
  return driver().launch_host_function(stream, run, state.captured.back().get()) == abi::success ? 0 : failed;
}

/// A piece of device memory on the host: elements are read from the device where they are used.
struct piece {
  abi::device_pointer first;
  abi::data_type type;
  [[nodiscard]] number get(std::int64_t at) const {
    std::byte bytes[16];
    const std::size_t size = bytes_of(type);
    const abi::device_pointer from = first + static_cast<abi::device_pointer>(at) * size;
    if (in_a_graph()) return load(reinterpret_cast<const std::byte*>(from), type);
    (void)driver().memcpy_dtoh(bytes, from, size);
    return load(bytes, type);
  }
  void set(std::int64_t at, number value) const {
    std::byte bytes[16];
    const std::size_t size = bytes_of(type);
    const abi::device_pointer to = first + static_cast<abi::device_pointer>(at) * size;
    if (in_a_graph()) return store(reinterpret_cast<std::byte*>(to), type, value);
    store(bytes, type, value);
    (void)driver().memcpy_htod(to, bytes, size);
  }
};
inline abi::device_pointer address(const void* pointer) { return reinterpret_cast<abi::device_pointer>(pointer); }

/// Effects: makes a handle that must be ended. Returns: the code of the call.
template <class Handle>
int make_handle(const char* entry, Handle* to) {
  if (const int code = note(entry); code != 0) return code;
  int* const made = new int(0);
  *to = reinterpret_cast<Handle>(made);
  const std::lock_guard lock(fake_math().mutex);
  fake_math().handles.insert(made);
  return 0;
}
template <class Handle>
int end_handle(const char* entry, Handle handle) {
  (void)note(entry);
  auto* const ended = reinterpret_cast<int*>(handle);
  const std::lock_guard lock(fake_math().mutex);
  streams().erase(ended);
  if (fake_math().handles.erase(ended) != 0) delete ended;
  return 0;
}

using numbers = std::vector<number>;  // a matrix by columns
inline numbers read_matrix(const void* from, abi::data_type type, std::int64_t rows, std::int64_t columns,
                           std::int64_t leading) {
  numbers made;
  for (std::int64_t j = 0; j < columns; ++j) {
    for (std::int64_t i = 0; i < rows; ++i) made.push_back(piece{address(from), type}.get(i + j * leading));
  }
  return made;
}
inline void write_matrix(void* to, abi::data_type type, std::int64_t rows, std::int64_t columns, std::int64_t leading,
                         const numbers& from) {
  for (std::int64_t j = 0; j < columns; ++j) {
    for (std::int64_t i = 0; i < rows; ++i) {
      piece{address(to), type}.set(i + j * leading, from[static_cast<std::size_t>(i + j * rows)]);
    }
  }
}

// The tables.
extern const abi::cusolver_functions fake_cusolver;
extern const abi::cusparse_functions fake_cusparse;

}  // namespace yoke_test::fake_parts

#endif

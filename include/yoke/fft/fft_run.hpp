// SPDX-License-Identifier: MIT
// Runs Fourier transforms by own kernels, which the context stores with the tables that they read.
#ifndef YOKE_FFT_FFT_RUN_HPP
#define YOKE_FFT_FFT_RUN_HPP

#include <yoke/algorithm/index_kernel.hpp>
#include <yoke/array/reduction/reduction_run.hpp>
#include <yoke/fft/fft_transform.hpp>

#include <mutex>
#include <unordered_map>
#include <vector>

namespace yoke::inline v0_1::detail {

/// A context stores the kernels and plans under these addresses.
inline constexpr char fft_kernels_kept = 0;
inline constexpr char fft_plans_kept = 0;

/// A table in device memory, which all streams read.
template <class Port>
struct fft_table {
  explicit fft_table(device_allocation<std::byte, Port> its_memory) : memory(std::move(its_memory)) {}
  device_allocation<std::byte, Port> memory;
  atomic<bool> is_captured{false};  ///< a graph that keeps nothing reads it
};
/// The tables that a context keeps. One that no call is about to read goes when memory is trimmed: its memory waits for
/// the kernels that read it. Thread safety: safe.
template <class Port>
class fft_tables final : public idle_cache {
  using table = shared<fft_table<Port>>;

 public:
  explicit fft_tables(context_state<Port>& in) : entry_(in.attached.template get<idle_caches>(), *this) {}
  /// Returns: the table of a key, made by `make()` if there is none. Throws: as `make`, `std::bad_alloc`.
  template <class Make>
  [[nodiscard]] table find_or_make(std::uint64_t key, const Make& make) {
    if (table found = find(key)) return found;
    const std::lock_guard one_at_a_time(making_);
    if (table found = find(key)) return found;
    table made = make();
    const std::lock_guard lock(mutex_);
    all_.emplace(key, made);
    return made;
  }
  void drop_idle() noexcept override {
    const std::lock_guard lock(mutex_);
    std::erase_if(all_, [](const auto& each) {
      return each.second.use_count() == 1 && !each.second->is_captured.load(order::relaxed);
    });
  }

 private:
  [[nodiscard]] table find(std::uint64_t key) {
    const std::lock_guard lock(mutex_);
    const auto found = all_.find(key);
    return found == all_.end() ? table() : found->second;
  }
  std::mutex making_, mutex_;
  std::unordered_map<std::uint64_t, table> all_{};
  idle_entry entry_;
};
/// What a table holds: roots of unity, or the sequence for a length of a great prime factor.
enum class fft_table_kind : std::uint64_t { turns, chirp };
/// Returns: the table that `make` calculates on the host, from the context if it has one. A graph keeps it. Effects:
/// copies a new one to the device and waits for that, in a stream of its own.
template <class Order, class Make>
[[nodiscard]] shared<fft_table<port_of_order<Order>>> fft_table_of(const Order& order, fft_table_kind kind,
                                                                   std::uint64_t length, bool in_double,
                                                                   const Make& make, const source_location& where) {
  using Port = port_of_order<Order>;
  context_state<Port>& state = order.context_of().state(where);
  auto& kept = state.attached.template get<fft_tables<Port>>([&] { return fft_tables<Port>(state); });
  const std::uint64_t key = length << 2U | static_cast<std::uint64_t>(kind) << 1U | (in_double ? 1U : 0U);
  shared<fft_table<Port>> found = kept.find_or_make(key, [&] {
    const auto upload = [&]<class T>(std::vector<T> numbers) {
      make(numbers);
      const context<Port> in = context<Port>::unowned(state);
      const stream<Port> own(in, order.device_of(where), {}, where);
      const std::span<const std::byte> bytes = std::as_bytes(std::span(numbers));
      auto made = detail::make_shared<fft_table<Port>>(device_allocation<std::byte, Port>(in, bytes.size(), where));
      copy(bytes, made->memory, own, where);
      return made;
    };
    return in_double ? upload(std::vector<double>()) : upload(std::vector<float>());
  });
  if constexpr (is_a_stream<Order>) {
    const bool captures = port_traits<Port>::capture_of(state.port, order.native_handle()) != 0;
    if (captures) [[unlikely]]
      found->is_captured.store(true, order::relaxed);
  } else {
    order.keep(kept_alive(found));
  }
  return found;
}

/// The memory of one side of a transform; the transform says where its elements lie.
template <class Port>
struct fft_memory {
  typename Port::memory_handle memory{};
};

/// Returns: the limits of the order's device, and the shape of the kernels that it runs.
template <class Order>
[[nodiscard]] fft_device fft_device_of(const Order& order, const source_location& where) {
  const auto ask = [&] {
    const device_limits limits = order.device_of(where).limits(where);
    return fft_device{fft_shape::automatic, limits.local_memory_bytes, limits.max_block,
                      order.device_of(where).summary(where).compute_units};
  };
  fft_device on = order.context_of().state(where).attached.template get<fft_device>(ask);
  const fft_shape wanted = wanted_fft_shape();
  const bool in_lanes = is_processor(order, where);
  on.shape = wanted == fft_shape::lanes && !in_lanes ? fft_shape::pass
             : wanted != fft_shape::automatic        ? wanted
             : in_lanes                              ? fft_shape::lanes
             : on.local_bytes < (16U << 10U)         ? fft_shape::pass
                                                     : fft_shape::group;
  return on;
}
/// Returns: the threads of a kernel.
[[nodiscard]] inline launch_shape threads_for_fft(const fft_pass& pass, const fft_steps& steps) {
  if (pass.form.shape == fft_shape::pass) return threads_for(steps.count);
  if (pass.form.shape == fft_shape::lanes) return launch_over(fft_blocks_of(pass, steps), 1);
  const std::int64_t blocks = (steps.count - 1) / pass.form.columns + 1;
  return launch_over(blocks * pass.form.threads, pass.form.threads);
}

/// Effects: enqueues transforms of all rows along an axis. The own kernels take every layout, and never write the
/// input. A transform of shared memory that `overlaps` gets correct results. Requires: both memories belong to the
/// order.
/// Throws: `error`.
template <class Order>
void run_fft(const Order& order, const fft_transform& what, const fft_memory<port_of_order<Order>>& to,
             const fft_memory<port_of_order<Order>>& from, const source_location& where) {
  using Port = port_of_order<Order>;
  if (what.rows == 0 || what.kept == 0) return;
  const context<Port>& in = order.context_of();
  const bool in_place = to.memory == from.memory && is_in_place(what);
  const fft_device on = fft_device_of(order, where);
  const std::vector<fft_pass>& passes =
      in.state(where)
          .attached.template get_at<once_map<std::vector<fft_pass>>>(&fft_plans_kept)
          .find_or_make(fft_plan_key(what, on, in_place), [&] { return fft_passes(what, on, in_place); });
  const std::int64_t points = passes.front().points;
  const auto table = [&](fft_table_kind kind, std::int64_t length, const auto& make) {
    return fft_table_of(order, kind, static_cast<std::uint64_t>(length), what.in_double, make, where);
  };
  // Held until all kernels are launched.
  const auto turns_held = table(fft_table_kind::turns, points, [&](auto& to_fill) { fft_turns(to_fill, points); });
  const auto chirp_held =
      points == what.length
          ? turns_held
          : table(fft_table_kind::chirp, what.length, [&](auto& to_fill) { fft_chirp(to_fill, what.length, points); });
  const typename Port::memory_handle turns = turns_held->memory.native_handle();
  const typename Port::memory_handle chirp = chirp_held->memory.native_handle();
  auto& kept = in.state(where).attached.template get_at<once_map<text_kernel<Port>>>(&fft_kernels_kept);
  const auto kernel_of = [&](const fft_form& form) -> const text_kernel<Port>& {
    return kept.find_or_make(form.key(), [&] {
      // Compiles the kernels of all passes in one program, because most of the time is the same for one as for all.
      std::vector<fft_form> forms{form};
      for (const fft_pass& each : passes) {
        const bool is_new = std::none_of(forms.begin(), forms.end(),
                                         [&](const fft_form& other) { return other.key() == each.form.key(); });
        if (is_new && !kept.has(each.form.key())) forms.push_back(each.form);
      }
      compile_options options{.name = "yoke transform", .math = exact_sums};
      options.portable =
          std::none_of(forms.begin(), forms.end(), [](const fft_form& each) { return each.shape == fft_shape::lanes; });
      const module<Port> all = compile_task(in, fft_source(forms), options, nullptr, where);
      for (std::size_t k = 1; k < forms.size(); ++k) {
        (void)kept.find_or_make(forms[k].key(),
                                [&] { return text_kernel<Port>(all, text("yoke_f_pass", k).c_str(), where); });
      }
      return text_kernel<Port>(all, "yoke_f_pass0", where);
    });
  };
  const std::size_t pair = what.in_double ? 2 * sizeof(double) : 2 * sizeof(float);
  const std::size_t bytes = static_cast<std::size_t>(what.rows * points) * pair;
  temporary_memory<Order> between[2];
  if (passes.size() > 1) between[0] = temporary_memory<Order>(order, bytes, where);
  if (passes.size() > 2) between[1] = temporary_memory<Order>(order, bytes, where);
  typename Port::memory_handle source = from.memory;
  const auto scale_in_float = static_cast<float>(what.scale);
  const kernel_argument scale = what.in_double
                                    ? kernel_argument{argument_kind::value, &what.scale, sizeof what.scale}
                                    : kernel_argument{argument_kind::value, &scale_in_float, sizeof scale_in_float};
  for (std::size_t k = 0; k < passes.size(); ++k) {
    const fft_pass& pass = passes[k];
    const typename Port::memory_handle destination =
        k + 1 == passes.size() ? to.memory : between[k % 2].get().native_handle();
    const fft_steps steps = fft_steps_of(what, pass);
    const kernel_argument arguments[]{handle_argument(destination),
                                      handle_argument(source),
                                      handle_argument(turns),
                                      handle_argument(chirp),
                                      {argument_kind::value, &steps, sizeof steps},
                                      scale};
    kernel_of(pass.form).launch(order, threads_for_fft(pass, steps), arguments, where);
    source = destination;
  }
}

extern template YOKE_API void run_fft(const stream<any_port>&, const fft_transform&, const fft_memory<any_port>&,
                                      const fft_memory<any_port>&, const source_location&);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/fft/fft_run.ipp>
#endif

#endif

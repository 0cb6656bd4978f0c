// SPDX-License-Identifier: MIT
// Commands as graphs record them: each makes one call, and holds the OpenCL objects that it names.
#ifndef YOKE_DRIVER_OPENCL_GRAPH_RECORDED_COMMANDS_HPP
#define YOKE_DRIVER_OPENCL_GRAPH_RECORDED_COMMANDS_HPP

#include <yoke/core/shared.hpp>
#include <yoke/driver/opencl/invoke.hpp>
#include <yoke/driver/opencl/port.hpp>
#include <yoke/driver/opencl/program/made_kernel.hpp>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace yoke::inline v0_1::opencl {

namespace detail {

/// A recorded command. Immutable, so that graphs and executables share it.
class recorded_command {
 public:
  recorded_command() = default;
  recorded_command(const recorded_command&) = delete;
  recorded_command& operator=(const recorded_command&) = delete;
  virtual ~recorded_command() = default;
  /// Effects: enqueues the command. Throws: `error`.
  virtual void run(const port& with, abi::queue stream, const source_location& where) const = 0;
  /// Returns: this kernel's command with other arguments; null for other commands.
  [[nodiscard]] virtual yoke::detail::shared<const recorded_command> with_arguments(const port&, const launch_shape&,
                                                                                    const device_limits&,
                                                                                    std::span<const kernel_argument>,
                                                                                    const source_location&) const {
    return nullptr;
  }
};
using shared_command = yoke::detail::shared<const recorded_command>;

/// The buffers that a command retains. Null handles are left out.
class held_memory {
 public:
  explicit held_memory(const port& with) : port_(with) {}
  held_memory(held_memory&& other) noexcept : port_(other.port_), held_(std::exchange(other.held_, {})) {}
  held_memory& operator=(held_memory&&) = delete;
  ~held_memory() {
    for (const abi::memory each : held_) report(port_.release_memory(nullptr, each));
  }
  void add(abi::memory memory, const source_location& where) {
    if (memory == nullptr) return;
    held_.reserve(held_.size() + 1);
    port_.retain_memory(memory, where);
    held_.push_back(memory);
  }

 private:
  port port_;
  std::vector<abi::memory> held_;
};

/// A copy or a fill: `Run` makes the call.
template <class Run>
class memory_command final : public recorded_command {
 public:
  memory_command(held_memory held, Run run) : held_(std::move(held)), run_(std::move(run)) {}
  void run(const port& with, abi::queue stream, const source_location& where) const override {
    run_(with, stream, where);
  }

 private:
  held_memory held_;
  Run run_;
};

template <class Run>
shared_command make_command(const port& with, std::initializer_list<abi::memory> memory, Run run,
                            const source_location& where) {
  held_memory held(with);
  for (const abi::memory each : memory) held.add(each, where);
  return yoke::detail::make_shared<const memory_command<Run>>(std::move(held), std::move(run));
}

/// A launch through a private clone whose arguments are set once.
class kernel_command final : public recorded_command {
 public:
  kernel_command(const port& with, kernel_clones& from, const launch_shape& shape, const device_limits& limits,
                 std::span<const kernel_argument> arguments, const source_location& where)
      : shape_(shape),
        limits_(limits),
        can_clone_(from.can_clone),
        reached_(from.reached),
        static_local_bytes_(from.static_local_bytes),
        clone_{with.table(), with.new_clone(&from, where)},
        held_(with) {
    with.set_recorded(clone_.kernel, {&from, nullptr, &limits_, shape_, arguments}, where);
    for (const kernel_argument& each : arguments) {
      if (each.kind == argument_kind::memory) held_.add(*static_cast<const abi::memory*>(each.data), where);
    }
  }
  void run(const port& with, abi::queue stream, const source_location& where) const override {
    with.launch_recorded(clone_.kernel, {nullptr, stream, &limits_, shape_}, where);
  }
  [[nodiscard]] shared_command with_arguments(const port& with, const launch_shape& shape, const device_limits& limits,
                                              std::span<const kernel_argument> arguments,
                                              const source_location& where) const override {
    kernel_clones from;
    from.original = clone_.kernel;
    from.can_clone = can_clone_;
    from.reached = reached_;
    from.static_local_bytes = static_local_bytes_;
    return yoke::detail::make_shared<const kernel_command>(with, from, shape, limits, arguments, where);
  }

 private:
  const launch_shape shape_;
  const device_limits limits_;
  const bool can_clone_;
  const std::vector<const void*> reached_;
  const std::size_t static_local_bytes_;
  const made_kernel clone_;
  held_memory held_;
};

/// A command of the caller's own.
class call_command final : public recorded_command {
 public:
  call_command(held_memory held, yoke::detail::shared<const recorded_call> call)
      : held_(std::move(held)), call_(std::move(call)) {}
  void run(const port&, abi::queue stream, const source_location& where) const override { call_->run(stream, where); }

 private:
  held_memory held_;
  yoke::detail::shared<const recorded_call> call_;
};

/// The commands of another graph.
class graph_command final : public recorded_command {
 public:
  explicit graph_command(std::vector<shared_command> commands) : commands_(std::move(commands)) {}
  void run(const port& with, abi::queue stream, const source_location& where) const override {
    for (const shared_command& each : commands_) {
      if (each) each->run(with, stream, where);
    }
  }

 private:
  std::vector<shared_command> commands_;
};

}  // namespace detail

/// A node of a graph. A join has no command: commands run in the order of recording.
struct recorded_node {
  std::size_t index = 0;
  detail::shared_command command{};
};
struct recorded_graph {
  std::vector<yoke::detail::owner<recorded_node>> nodes{};
};

namespace detail {

/// Bodies that the host runs or skips by a value in memory, which it reads at each launch.
class condition_command final : public recorded_command {
 public:
  condition_command(condition_kind kind, std::size_t bodies, held_memory held, abi::memory value, std::size_t offset)
      : kind_(kind), bodies_(bodies), held_(std::move(held)), value_(value), offset_(offset) {}
  [[nodiscard]] std::span<recorded_graph> bodies() noexcept { return bodies_; }
  void run(const port& with, abi::queue stream, const source_location& where) const override {
    std::uint32_t value = read(with, stream, where);
    switch (kind_) {
      case condition_kind::if_not_zero: value = value == 0 ? 1 : 0; break;
      case condition_kind::while_not_zero:
        for (; value != 0; value = read(with, stream, where)) run_body(0, with, stream, where);
        return;
      case condition_kind::by_number: break;
    }
    if (value < bodies_.size()) run_body(value, with, stream, where);
  }

 private:
  [[nodiscard]] std::uint32_t read(const port& with, abi::queue stream, const source_location& where) const {
    std::uint32_t value = 0;
    with.read(stream, value_, offset_, &value, sizeof value, completion<abi::event>::blocking(), where);
    return value;
  }
  void run_body(std::size_t number, const port& with, abi::queue stream, const source_location& where) const {
    for (const auto& each : bodies_[number].nodes) {
      if (each->command) each->command->run(with, stream, where);
    }
  }

  const condition_kind kind_;
  std::vector<recorded_graph> bodies_;
  held_memory held_;
  const abi::memory value_;
  const std::size_t offset_;
};

}  // namespace detail

/// The commands of a graph, by node index, and the stream of the latest launch.
struct recorded_executable {
  struct place {
    detail::shared_command command{};
    bool enabled = true;
  };
  std::vector<place> places{};
  abi::queue last = nullptr;
};

}  // namespace yoke::inline v0_1::opencl

#endif

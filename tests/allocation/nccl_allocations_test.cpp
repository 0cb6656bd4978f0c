// SPDX-License-Identifier: MIT
// Each allocation of a communicator of NCCL and of its verbs fails in turn, also while an error passes: every communicator
// of NCCL is ended once, and no memory is left.
#include <nccl/nccl_interposer.hpp>
#include <nccl/several_gpus.hpp>
#include <support/faults/allocation_faults.hpp>
#include <support/soon.hpp>

#include <optional>

using namespace yoke_test;

namespace {

struct memory_of_rank {
  explicit memory_of_rank(const cu::context& in) : stream(in), x(in, 6), y(in, 6) {
    yoke::fill(x, 1, stream);
    stream.synchronize();
  }
  cu::stream stream;
  cu::device_allocation<int> x, y;
};

void use(const nccl::communicator<cu::port>& comm, memory_of_rank& with) {
  comm.all_reduce(with.x, yoke::summed, with.stream);
  comm.all_gather(with.x, with.y, with.stream);
  yoke::exchange list{comm};
  list.send(with.x, 0);
  list.receive(with.y, 0);
  comm.run(list, with.stream);
  comm.run_async(list, with.stream).wait();
  const nccl::scaled_sum by{comm, 2};
  comm.all_reduce(with.x, by, with.stream);
  const nccl::registered known{comm, with.y};
  comm.wait(with.stream);
  comm.barrier(with.stream);
}

enum class story { closed, dropped, checked, failed };

void act(const cu::context& in, memory_of_rank& with, story what) {
  const nccl::communicator<cu::port> comm{
      nccl::get_unique_id(), 1, 0, in, {.deadline = 20s, .check = what == story::checked}};
  use(comm, with);
  if (what == story::closed) comm.close();
  if (what != story::failed) return;
  {
    const allocation_pause pause;
    nccl_calls::of_process().fail_from_now("ncclAllReduce", 3);
  }
  comm.all_reduce(with.x, yoke::summed, with.stream);
}

int count_of(const std::map<std::string, int>& calls, const char* symbol) {
  const auto found = calls.find(symbol);
  return found == calls.end() ? 0 : found->second;
}

}  // namespace

YOKE_CUDA_TEST_CASE("allocations of NCCL's communicators fail in turn, and nothing is lost", "[allocation][nccl]") {
  if (!is_simulated(device) || !in_child({{"YOKE_SIMULATOR_DEVICES", "1"}})) return;
  REQUIRE(interpose_nccl());
  const cuda_rig on(device);
  nccl_calls& log = nccl_calls::of_process();
  memory_of_rank with(on.context);
  for (const story what : {story::closed, story::dropped, story::checked, story::failed}) {
    std::size_t struck = 0;
    for (const fault_mode mode : {fault_mode::once, fault_mode::for_ever}) {
      bool is_over = false;
      for (std::size_t number = 0; !is_over; number += number == 0 ? 1 : default_fault_step() / 3 + 1) {
        INFO("story " << static_cast<int>(what) << ", allocation " << number
                      << ", for ever: " << (mode == fault_mode::for_ever));
        cleanup_recorder recorder;
        log.reset();
        std::string outcome_text = "fine";
        allocation_faults::arm(number, mode);  // 0: none, once, so that what the process keeps is there
        try {
          act(on.context, with, what);
        } catch (const std::bad_alloc&) {
          outcome_text = "bad_alloc";
        } catch (const yoke::error&) {
          outcome_text = "error";
        }
        const std::size_t injected = allocation_faults::injected();
        allocation_faults::disarm();
        struck += injected;
        INFO(outcome_text);
        is_over = number != 0 && injected == 0;
        if (injected == 0) CHECK(outcome_text == (what == story::failed ? "error" : "fine"));
        const std::map<std::string, int> calls = log.counts();
        const int made = count_of(calls, "ncclCommInitRankConfig");
        const int ended = count_of(calls, "ncclCommDestroy") + count_of(calls, "ncclCommAbort");
        CHECK(made == ended);
        CHECK(count_of(calls, "ncclRedOpCreatePreMulSum") >= count_of(calls, "ncclRedOpDestroy"));
        CHECK(counted_entry<&nccl::abi::functions::group_end, int (*)()>::real() == 5);
        // Threads of the library let go of theirs a moment later.
        if (number != 0) CHECK(soon([] { return allocation_faults::live_blocks() == 0; }));
      }
    }
    CHECK(struck > 20);
  }
}

// SPDX-License-Identifier: MIT
// Which NCCL is opened: the machine's, an older one, a named file, none; and what older versions lack.
#include <nccl/several_gpus.hpp>

#include <yoke/core/system.hpp>

using namespace yoke_test;

namespace {

/// Effects: runs the test in a child with one variable. Returns: whether this is that child.
bool in_child_with(const std::string& variable, const std::string& value) { return in_child({{variable, value}}); }

}  // namespace

TEST_CASE("the machine's own NCCL is opened without a GPU", "[nccl][library]") {
  if (!in_child({{"YOKE_CUDA_DRIVER", ""}, {"YOKE_NCCL_LIBRARY", ""}})) return;
  const yoke::availability found = nccl::available();
  if (!found.available) {
    CHECK_THAT(found.reason, ContainsSubstring("no NCCL: looked for libnccl.so.2 by the dynamic loader") &&
                                 ContainsSubstring("YOKE_NCCL_LIBRARY may name one"));
    return;
  }
  const nccl::library_info library = nccl::library();
  CHECK(library.version >= 21800);
  CHECK_FALSE(library.is_simulator);
  CHECK_THAT(library.path, ContainsSubstring("/libnccl.so"));
  CHECK(nccl::detail::default_library({}).table.split != nullptr);
}

TEST_CASE("a file that is no NCCL is refused with its reason", "[nccl][library]") {
  if (!in_child_with("YOKE_NCCL_LIBRARY", "libm.so.6")) return;
  const yoke::availability found = nccl::available();
  CHECK_FALSE(found.available);
  CHECK_THAT(found.reason, ContainsSubstring("libm.so.6: it has no ncclGetVersion"));
  CHECK_THAT(refusal<yoke::unsupported_error>(yoke::errc::driver_unavailable, [] { (void)nccl::get_unique_id(); }),
             ContainsSubstring("it has no ncclGetVersion"));
}

TEST_CASE("a missing file is named", "[nccl][library]") {
  if (!in_child_with("YOKE_NCCL_LIBRARY", "/nowhere/libnccl.so.2")) return;
  const yoke::availability found = nccl::available();
  CHECK_FALSE(found.available);
  CHECK_THAT(found.reason, ContainsSubstring("YOKE_NCCL_LIBRARY names /nowhere/libnccl.so.2"));
}

YOKE_CUDA_TEST_CASE("an NCCL that is too old is refused", "[nccl][library]") {
  if (!is_simulated(device)) return;
  if (!in_child_with("YOKE_NCCL_SIMULATOR_VERSION", "21706")) return;
  const yoke::availability found = nccl::available();
  CHECK_FALSE(found.available);
  CHECK_THAT(found.reason, ContainsSubstring("it is NCCL 2.17.6, needed is 2.18.0 or newer"));
}

YOKE_CUDA_TEST_CASE("NCCL 2.18 gathers by messages, and says what it lacks", "[nccl][library]") {
  if (!is_simulated(device)) return;
  with_gpus(device,
            [](const several_gpus& gpus) {
              CHECK(nccl::library().version == 21803);
              CHECK(nccl::library().is_simulator);
              CHECK(nccl::detail::default_library({}).table.gather == nullptr);
              const nccl::clique all{gpus.contexts};
              const auto mine = gpus.allocate<int>(3, [](int rank, std::size_t) { return rank; });
              auto whole = gpus.allocate<int>(3 * gpus.size(), [](int, std::size_t) { return -1; });
              auto back = gpus.allocate<int>(3, [](int, std::size_t) { return -1; });
              all.gather(mine, whole[2], 2, gpus.streams);
              CHECK(gpus.read(whole[2], 2) == std::vector<int>{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3});
              all.scatter(whole[2], back, 2, gpus.streams);
              for (std::size_t rank = 0; rank < gpus.size(); ++rank) {
                CHECK(gpus.read(back[rank], rank) == gpus.read(mine[rank], rank));
                yoke::copy(std::vector<int>(12, static_cast<int>(rank)), whole[rank], gpus.streams[rank]);
              }
              auto into = gpus.allocate<int>(3 * gpus.size(), [](int, std::size_t) { return -1; });
              all.all_to_all(whole, into, gpus.streams);
              CHECK(gpus.read(into[3], 3) == std::vector<int>{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3});
              const nccl::communicator<cu::port> alone{nccl::get_unique_id(), 1, 0, gpus.contexts[0]};
              CHECK_THAT(
                  refusal<yoke::unsupported_error>(yoke::errc::unsupported,
                                                   [&] {
                                                     (void)nccl::registered{alone, into[0]};
                                                   }),
                  ContainsSubstring("this NCCL is 2.18.3 (") && ContainsSubstring("registered memory needs 2.19.0"));
            },
            {{"YOKE_NCCL_SIMULATOR_VERSION", "21803"}});
}

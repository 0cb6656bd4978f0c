// SPDX-License-Identifier: MIT
// All GPUs of a process as one communicator: the verbs' results, in place and apart, and what is refused.
#include <nccl/several_gpus.hpp>

using namespace yoke_test;

namespace {

const auto own_number = [](int rank, std::size_t i) { return (rank + 1) * 10 + static_cast<int>(i % 7); };

template <class T>
void check_operators(const several_gpus& gpus, const nccl::clique<cu::port>& all, std::size_t count) {
  INFO(count << " elements of " << sizeof(T) << " bytes");
  const auto small = [](int rank, std::size_t i) { return rank + 1 + static_cast<int>(i % 2); };
  const int n = gpus.count();
  const auto check = [&](const auto& by, const auto& expected) {
    // NCCL reads whole words, which compute-sanitizer reports where memory ends before.
    auto memory = gpus.allocate<T>(count + 8, small);
    std::vector<cu::device_span<T>> x;
    for (auto& each : memory) x.push_back(each.subspan(0, count));
    all.all_reduce(x, by, gpus.streams);
    all.wait(gpus.streams);
    for (std::size_t rank = 0; rank < gpus.size(); ++rank) {
      std::vector<T> wanted;
      for (std::size_t i = 0; i < count; ++i) wanted.push_back(static_cast<T>(expected(static_cast<int>(i % 2))));
      CHECK(gpus.read(x[rank], rank) == wanted);
    }
  };
  check(yoke::summed, [&](int odd) { return n * (n + 1) / 2 + n * odd; });
  check(yoke::largest, [&](int odd) { return n + odd; });
  check(yoke::smallest, [&](int odd) { return 1 + odd; });
  check(yoke::multiplied, [&](int odd) {
    int product = 1;
    for (int rank = 0; rank < n; ++rank) product *= rank + 1 + odd;
    return product;
  });
}

}  // namespace

YOKE_CUDA_TEST_CASE("a clique reduces every type of NCCL by every operator, in place", "[nccl][clique]") {
  with_gpus(device, [](const several_gpus& gpus) {
    const nccl::clique all{gpus.contexts};
    CHECK(all.size() == gpus.count());
    check_operators<std::int8_t>(gpus, all, 7);
    check_operators<std::uint8_t>(gpus, all, 1);
    check_operators<std::int32_t>(gpus, all, 1024);
    check_operators<std::uint32_t>(gpus, all, 3);
    check_operators<std::int64_t>(gpus, all, 5);
    check_operators<unsigned long long>(gpus, all, 5);
    check_operators<yoke::half>(gpus, all, 9);
    check_operators<yoke::bfloat16>(gpus, all, 9);
    check_operators<float>(gpus, all, (1U << 17U) + 1);
    check_operators<double>(gpus, all, 0);
    auto x = gpus.allocate<float>(4, [](int rank, std::size_t) { return rank; });
    all.all_reduce(x, yoke::averaged, gpus.streams);
    all.wait(gpus.streams);
    CHECK(gpus.read(x[1], 1) == std::vector<float>(4, static_cast<float>(gpus.count() - 1) / 2));
  });
}

YOKE_CUDA_TEST_CASE("each verb of a clique gives what the ranks' ranges say", "[nccl][clique]") {
  with_gpus(device, [](const several_gpus& gpus) {
    const nccl::clique all{gpus.contexts};
    const std::size_t n = gpus.size();
    const auto nothing = [](int, std::size_t) { return -1; };
    constexpr std::size_t count = 100;
    const auto mine = gpus.allocate<int>(count, own_number);
    const auto numbers = [&](std::size_t rank) { return gpus.read(mine[rank], rank); };
    std::vector<int> joined;
    for (std::size_t rank = 0; rank < n; ++rank) {
      const auto part = numbers(rank);
      joined.insert(joined.end(), part.begin(), part.end());
    }
    std::vector<int> sums(count);
    for (std::size_t i = 0; i < count * n; ++i) sums[i % count] += joined[i];

    auto into = gpus.allocate<int>(count, nothing);
    all.all_reduce(mine, into, yoke::summed, gpus.streams);
    for (std::size_t rank = 0; rank < n; ++rank) CHECK(gpus.read(into[rank], rank) == sums);

    auto gathered = gpus.allocate<int>(count * n, nothing);
    all.all_gather(mine, gathered, gpus.streams);
    for (std::size_t rank = 0; rank < n; ++rank) CHECK(gpus.read(gathered[rank], rank) == joined);

    all.reduce_scatter(gathered, into, yoke::summed, gpus.streams);
    for (std::size_t rank = 0; rank < n; ++rank) {
      std::vector<int> wanted = numbers(rank);
      for (int& each : wanted) each *= gpus.count();
      CHECK(gpus.read(into[rank], rank) == wanted);
    }

    const int root = gpus.count() - 1;
    const auto last = static_cast<std::size_t>(root);
    auto whole = gpus.allocate<int>(count * n, nothing);
    all.gather(mine, whole[last], root, gpus.streams);
    CHECK(gpus.read(whole[last], last) == joined);
    CHECK(gpus.read(whole[0], 0) == std::vector<int>(count * n, -1));
    auto parts = gpus.allocate<int>(count, nothing);
    all.scatter(whole[last], parts, root, gpus.streams);
    for (std::size_t rank = 0; rank < n; ++rank) CHECK(gpus.read(parts[rank], rank) == numbers(rank));

    all.reduce(mine, into[last], yoke::largest, root, gpus.streams);
    CHECK(gpus.read(into[last], last) == numbers(last));
    all.broadcast(parts, root, gpus.streams);
    for (std::size_t rank = 0; rank < n; ++rank) CHECK(gpus.read(parts[rank], rank) == numbers(last));

    all.all_to_all(gathered, whole, gpus.streams);
    for (std::size_t rank = 0; rank < n; ++rank) {
      std::vector<int> wanted;
      for (std::size_t from = 0; from < n; ++from) {
        const auto part = numbers(rank);
        wanted.insert(wanted.end(), part.begin(), part.end());
      }
      CHECK(gpus.read(whole[rank], rank) == wanted);
    }

    // A ring: each rank sends to the next one and receives from the one before.
    std::vector<yoke::exchange<cu::port>> lists(n);
    for (std::size_t rank = 0; rank < n; ++rank) {
      lists[rank].send(mine[rank], static_cast<int>((rank + 1) % n));
      lists[rank].receive(into[rank], static_cast<int>((rank + n - 1) % n));
    }
    all.run(lists, gpus.streams);
    for (std::size_t rank = 0; rank < n; ++rank) CHECK(gpus.read(into[rank], rank) == numbers((rank + n - 1) % n));

    // In place: each rank's own part of the whole.
    std::vector<cu::device_span<int>> own;
    for (std::size_t rank = 0; rank < n; ++rank) {
      yoke::fill(gathered[rank], -5, gpus.streams[rank]);
      own.push_back(gathered[rank].span().subspan(rank * count, count));
      yoke::enqueue_copy(mine[rank], own.back(), gpus.streams[rank]);
    }
    all.all_gather(own, gathered, gpus.streams);
    for (std::size_t rank = 0; rank < n; ++rank) CHECK(gpus.read(gathered[rank], rank) == joined);
    all.barrier(gpus.streams);
    all.close();
    CHECK_FALSE(all.is_ready());
    CHECK_THAT(refusal<yoke::communication_error>(yoke::errc::communicator_ended,
                                                  [&] { all.broadcast(parts, 0, gpus.streams); }),
               ContainsSubstring("has been closed"));
  });
}

YOKE_CUDA_TEST_CASE("a clique refuses what NCCL would wait for or crash on", "[nccl][clique]") {
  with_gpus(device, [](const several_gpus& gpus) {
    const nccl::clique all{gpus.contexts};
    const auto ones = [](int, std::size_t) { return 1; };
    auto x = gpus.allocate<int>(8, ones);
    const auto refused = [&](yoke::errc code, const auto& act) { return refusal<yoke::error>(code, act); };
    std::vector<cu::device_span<int>> uneven;
    for (auto& each : x) uneven.push_back(each.span().subspan(0, uneven.empty() ? 8 : 4));
    CHECK_THAT(refused(yoke::errc::mismatched_ranks, [&] { all.all_reduce(uneven, yoke::summed, gpus.streams); }),
               ContainsSubstring("rank 0 has 8 numbers, that of rank 1 4"));
    const std::span<const cu::stream> some(gpus.streams.data(), gpus.size() - 1);
    CHECK_THAT(refused(yoke::errc::size_mismatch, [&] { all.all_reduce(x, yoke::summed, some); }),
               ContainsSubstring(" ranks, and the call "));
    auto y = gpus.allocate<int>(9, ones);
    CHECK_THAT(refused(yoke::errc::size_mismatch, [&] { all.all_reduce(x, y, yoke::summed, gpus.streams); }),
               ContainsSubstring("the source has 8 elements, the destination 9"));
    CHECK_THAT(refused(yoke::errc::size_mismatch, [&] { all.all_gather(x, y, gpus.streams); }),
               ContainsSubstring("ranks needs"));
    std::vector<cu::device_span<int>> first, second;
    for (auto& each : x) {
      first.push_back(each.span().subspan(0, 4));
      second.push_back(each.span().subspan(2, 4));
    }
    CHECK_THAT(
        refused(yoke::errc::invalid_argument, [&] { all.all_reduce(first, second, yoke::summed, gpus.streams); }),
        ContainsSubstring("overlap"));
    CHECK_THAT(refused(yoke::errc::out_of_range, [&] { all.broadcast(x, gpus.count(), gpus.streams); }),
               ContainsSubstring("the root is rank"));
    CHECK_THAT(refused(yoke::errc::out_of_range, [&] { all.broadcast(x, -1, gpus.streams); }),
               ContainsSubstring("the root is rank -1"));
    std::vector<cu::context> twice{gpus.contexts[0], gpus.contexts[0]};
    CHECK_THAT(refused(yoke::errc::invalid_argument, [&] { (void)nccl::clique{twice}; }),
               ContainsSubstring("ranks 0 and 1 both use CUDA device"));
    std::vector<cu::context> made{cu::create_context(gpus.contexts[0].only_device())};
    CHECK_THAT(refused(yoke::errc::wrong_context, [&] { (void)nccl::clique{made}; }),
               ContainsSubstring("primary context"));
    CHECK_THAT(refused(yoke::errc::invalid_argument, [&] { (void)nccl::clique{std::vector<cu::context>{}}; }),
               ContainsSubstring("at least one context"));
    const nccl::clique<cu::port> none;
    CHECK_THAT(
        refused(
            yoke::errc::empty_handle,
            [&] { all.all_reduce(std::vector<cu::device_allocation<int>>(gpus.size()), yoke::summed, gpus.streams); }),
        ContainsSubstring("is empty"));
    CHECK_THAT(refused(yoke::errc::empty_handle, [&] { (void)none.size(); }), ContainsSubstring("clique is empty"));
    // It still works.
    all.all_reduce(x, yoke::summed, gpus.streams);
    all.wait(gpus.streams);
    CHECK(gpus.read(x[1], 1) == std::vector<int>(8, gpus.count()));
  });
}

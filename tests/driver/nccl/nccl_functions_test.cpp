// SPDX-License-Identifier: MIT
// NCCL's entry points, structures, enumerators and codes: as in the vendor's header, where there is one.
#if __has_include(<nccl.h>) && __has_include(<cuda_runtime.h>)
#define YOKE_TEST_HAS_NCCL_HEADER
#include <nccl.h>
#endif

#include <support/catch.hpp>
#include <support/drivers/abi_equal.hpp>

#include <yoke/driver/nccl/error.hpp>
#include <yoke/driver/nccl/functions.hpp>
#include <yoke/driver/nccl/loader.hpp>

#include <cstddef>
#include <set>
#include <string>
#include <type_traits>

namespace abi = yoke::nccl::abi;

#if defined(YOKE_TEST_HAS_NCCL_HEADER) && NCCL_VERSION_CODE >= 21800
template <>
inline constexpr bool yoke_test::same_layout<abi::unique_id, ::ncclUniqueId> =
    sizeof(abi::unique_id) == sizeof(::ncclUniqueId) && alignof(abi::unique_id) == alignof(::ncclUniqueId);
template <>
inline constexpr bool yoke_test::same_layout<abi::config, ::ncclConfig_t> =
    offsetof(abi::config, size) == offsetof(::ncclConfig_t, size) &&
    offsetof(abi::config, magic) == offsetof(::ncclConfig_t, magic) &&
    offsetof(abi::config, version) == offsetof(::ncclConfig_t, version) &&
    offsetof(abi::config, blocking) == offsetof(::ncclConfig_t, blocking) &&
    offsetof(abi::config, cluster_size) == offsetof(::ncclConfig_t, cgaClusterSize) &&
    offsetof(abi::config, least_blocks) == offsetof(::ncclConfig_t, minCTAs) &&
    offsetof(abi::config, most_blocks) == offsetof(::ncclConfig_t, maxCTAs) &&
    offsetof(abi::config, network) == offsetof(::ncclConfig_t, netName) &&
    offsetof(abi::config, split_share) == offsetof(::ncclConfig_t, splitShare);
#if NCCL_VERSION_CODE >= 22800
static_assert(offsetof(abi::config, traffic_class) == offsetof(::ncclConfig_t, trafficClass));
static_assert(offsetof(abi::config, name) == offsetof(::ncclConfig_t, commName));
static_assert(offsetof(abi::config, collnet) == offsetof(::ncclConfig_t, collnetEnable));
static_assert(offsetof(abi::config, block_policy) == offsetof(::ncclConfig_t, CTAPolicy));
static_assert(offsetof(abi::config, shrink_share) == offsetof(::ncclConfig_t, shrinkShare));
static_assert(offsetof(abi::config, multicast_blocks) == offsetof(::ncclConfig_t, nvlsCTAs));
static_assert(offsetof(abi::config, network_channels) == offsetof(::ncclConfig_t, nChannelsPerNetPeer));
static_assert(offsetof(abi::config, nvlink_centric) == offsetof(::ncclConfig_t, nvlinkCentricSched));
#endif

#define YOKE_TEST_SAME(own, vendor)                                                                                    \
  static_assert(yoke_test::abi_equal<decltype(abi::functions::own), decltype(&::vendor)>);
YOKE_TEST_SAME(get_version, ncclGetVersion)
YOKE_TEST_SAME(get_unique_id, ncclGetUniqueId)
YOKE_TEST_SAME(get_error_string, ncclGetErrorString)
YOKE_TEST_SAME(get_last_error, ncclGetLastError)
YOKE_TEST_SAME(init_rank, ncclCommInitRankConfig)
YOKE_TEST_SAME(finalize, ncclCommFinalize)
YOKE_TEST_SAME(destroy, ncclCommDestroy)
YOKE_TEST_SAME(abort, ncclCommAbort)
YOKE_TEST_SAME(get_async_error, ncclCommGetAsyncError)
YOKE_TEST_SAME(split, ncclCommSplit)
YOKE_TEST_SAME(group_start, ncclGroupStart)
YOKE_TEST_SAME(group_end, ncclGroupEnd)
YOKE_TEST_SAME(all_reduce, ncclAllReduce)
YOKE_TEST_SAME(reduce, ncclReduce)
YOKE_TEST_SAME(broadcast, ncclBroadcast)
YOKE_TEST_SAME(all_gather, ncclAllGather)
YOKE_TEST_SAME(reduce_scatter, ncclReduceScatter)
YOKE_TEST_SAME(send, ncclSend)
YOKE_TEST_SAME(receive, ncclRecv)
YOKE_TEST_SAME(create_scaled_sum, ncclRedOpCreatePreMulSum)
YOKE_TEST_SAME(destroy_operation, ncclRedOpDestroy)
#if NCCL_VERSION_CODE >= 22807
YOKE_TEST_SAME(register_memory, ncclCommRegister)
YOKE_TEST_SAME(deregister_memory, ncclCommDeregister)
YOKE_TEST_SAME(allocate, ncclMemAlloc)
YOKE_TEST_SAME(free, ncclMemFree)
YOKE_TEST_SAME(register_window, ncclCommWindowRegister)
YOKE_TEST_SAME(deregister_window, ncclCommWindowDeregister)
YOKE_TEST_SAME(all_to_all, ncclAlltoAll)
YOKE_TEST_SAME(gather, ncclGather)
YOKE_TEST_SAME(scatter, ncclScatter)
YOKE_TEST_SAME(revoke, ncclCommRevoke)
#endif
#undef YOKE_TEST_SAME

template <class Own, class Vendor>
constexpr bool is(Own own, Vendor vendor) {
  return static_cast<int>(own) == static_cast<int>(vendor);
}
static_assert(is(abi::data_type::int8, ncclInt8) && is(abi::data_type::uint8, ncclUint8));
static_assert(is(abi::data_type::int32, ncclInt32) && is(abi::data_type::uint32, ncclUint32));
static_assert(is(abi::data_type::int64, ncclInt64) && is(abi::data_type::uint64, ncclUint64));
static_assert(is(abi::data_type::float16, ncclFloat16) && is(abi::data_type::float32, ncclFloat32));
static_assert(is(abi::data_type::float64, ncclFloat64) && is(abi::data_type::bfloat16, ncclBfloat16));
static_assert(is(abi::operation::sum, ncclSum) && is(abi::operation::product, ncclProd));
static_assert(is(abi::operation::max, ncclMax) && is(abi::operation::min, ncclMin));
static_assert(is(abi::operation::average, ncclAvg) && abi::first_made_operation == ncclNumOps);
static_assert(is(abi::scalar_place::device, ncclScalarDevice) && is(abi::scalar_place::host, ncclScalarHostImmediate));
static_assert(is(abi::success, ncclSuccess) && is(abi::unhandled_cuda_error, ncclUnhandledCudaError));
static_assert(is(abi::system_error, ncclSystemError) && is(abi::internal_error, ncclInternalError));
static_assert(is(abi::invalid_argument, ncclInvalidArgument) && is(abi::invalid_usage, ncclInvalidUsage));
static_assert(is(abi::remote_error, ncclRemoteError) && is(abi::in_progress, ncclInProgress));
static_assert(abi::config_undefined == NCCL_CONFIG_UNDEF_INT);
#endif

TEST_CASE("NCCL's configuration has the offsets of all its versions", "[nccl][abi]") {
  // By version: the size, and the offset of the first member that it added.
  CHECK(offsetof(abi::config, blocking) == 16);          // 2.14, 24 bytes
  CHECK(offsetof(abi::config, cluster_size) == 20);      // 2.17, 40
  CHECK(offsetof(abi::config, split_share) == 40);       // 2.18, 48
  CHECK(offsetof(abi::config, traffic_class) == 44);     // 2.26, 48
  CHECK(offsetof(abi::config, name) == 48);              // 2.27, 72
  CHECK(offsetof(abi::config, network_channels) == 72);  // 2.28, 80
  CHECK(offsetof(abi::config, graph_usage) == 80);       // 2.29, 88
  CHECK(offsetof(abi::config, most_peers) == 88);        // 2.30, 96
  CHECK(sizeof(abi::config) == 96);
  CHECK(sizeof(abi::unique_id) == 128);
}

TEST_CASE("each of NCCL's codes has a name, a meaning and an exception", "[nccl][errors]") {
  std::set<std::string> names;
  const auto check = [&]<class Error>(int code, std::type_identity<Error>) {
    try {
      yoke::nccl::detail::throw_failure(code, "ncclAllReduce", "", yoke::source_location::current());
    } catch (const Error& e) {
      CHECK(e.code().value() == code);
      CHECK(std::string(e.code().category().name()) == "nccl");
      CHECK(std::string(e.call()) == "ncclAllReduce");
      names.insert(e.code().message());
    }
  };
  const std::type_identity<yoke::communication_error> communication;
  const std::type_identity<yoke::logic_error> logic;
  for (const int code : {1, 2, 3, 6, 7, 8, 99}) check(code, communication);
  for (const int code : {4, 5}) check(code, logic);
  CHECK(names.size() == 9);
  CHECK(names.count("ncclRemoteError") == 1);
  const std::error_code remote(6, yoke::nccl::error_category());
  CHECK(remote == yoke::errc::rank_lost);
  CHECK(std::error_code(4, yoke::nccl::error_category()) == yoke::errc::invalid_argument);
}

// SPDX-License-Identifier: MIT
// Arrays by DLPack, there and back, and the fields of the CUDA array interface.
#include <array/array_rig.hpp>
#include <yoke/dlpack.hpp>

#include <complex>

using namespace yoke_test;
using namespace yoke_test::arrays;
namespace dl = yoke::dlpack;

YOKE_DEVICE_TEST_CASE("a view goes out by DLPack and comes back as the same elements", "[array]") {
  rig state(device);
  auto a = yoke::to_device_array(counting(24), {4, 6}, state.stream);
  auto part = a.share()(yoke::slice(1, yoke::none), yoke::slice(0, yoke::none, 2));
  dl::owner out = yoke::to_dlpack(part);
  CHECK(out->version.major == 1);
  CHECK(out->flags == 0);
  const dl::tensor& tensor = out->dl_tensor;
  CHECK(tensor.ndim == 2);
  CHECK((tensor.shape[0] == 3 && tensor.shape[1] == 3));
  CHECK((tensor.strides[0] == 6 && tensor.strides[1] == 2));
  CHECK(tensor.byte_offset == 24);
  CHECK((tensor.dtype == dl::data_type{dl::type_code::signed_integer, 32, 1}));
  const bool cuda = std::string_view(device.backend_name()) == "cuda";
  CHECK(tensor.device.type == (cuda ? dl::device_type::cuda : dl::device_type::opencl));

  // The tensor keeps the memory alive, and so does the view that takes it.
  const auto expected = part.to_host();
  part = part(yoke::whole);
  a.reset();
  auto back = yoke::from_dlpack<int, 2>(out.release(), state.stream);
  CHECK(back.to_host() == expected);
  back.fill(7);
  CHECK(yoke::sum(back).get() == 63);
}

YOKE_DEVICE_TEST_CASE("views backwards, of one element and of nothing go by DLPack", "[array]") {
  rig state(device);
  const auto a = yoke::to_device_array(counting(5), state.stream);
  const auto backwards = a.share()(yoke::reversed);
  dl::owner out = yoke::to_dlpack(backwards);
  CHECK(out->dl_tensor.strides[0] == -1);
  CHECK(out->dl_tensor.byte_offset == 16);
  CHECK(out->flags == dl::read_only);
  dl::managed_tensor* const given = out.release();
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                        [&] { (void)yoke::from_dlpack<int, 1>(given, state.stream); }),
             Catch::Matchers::ContainsSubstring("read only"));
  CHECK((yoke::from_dlpack<const int, 1>(given, state.stream).to_host() == backwards.to_host()));
  dl::owner one = yoke::to_dlpack(a.share()(2));
  CHECK(one->dl_tensor.ndim == 0);
  CHECK((yoke::from_dlpack<const int, 0>(one.release(), state.stream).value() == 3));
  auto none = yoke::zeros<float>({0, 3}, state.stream);
  dl::owner nothing = yoke::to_dlpack(none);
  CHECK(nothing->dl_tensor.data == nullptr);
  CHECK((yoke::from_dlpack<float, 2>(nothing.release(), state.stream).size() == 0));
}

namespace {
struct record {
  double time;
  float value, weight;
  int kind, rest;
};
struct odd {
  std::int16_t a, b, c;
};
}  // namespace

YOKE_DEVICE_TEST_CASE("what DLPack cannot express is refused", "[array]") {
  rig state(device);
  auto records = yoke::to_device_array(std::vector<record>(4), state.stream);
  const auto values = records.share().template member<&record::value>();
  dl::owner out = yoke::to_dlpack(values);  // 24 bytes are 6 elements
  CHECK(out->dl_tensor.strides[0] == 6);
  CHECK(out->dl_tensor.byte_offset == 8);
  auto odds = yoke::to_device_array(std::vector<odd>(8), state.stream);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                        [&] {
                                          const yoke::device_view<record, 1, port> of_span(records.span(), {4},
                                                                                           state.stream);
                                          (void)yoke::to_dlpack(of_span.template member<&record::time>());
                                        }),
             Catch::Matchers::ContainsSubstring("keeps nothing alive"));
  const yoke::array_layout<1> uneven(yoke::shape{3}, {6}, 0, 4);
  const auto wide = odds.share().template with<int>(uneven);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { (void)yoke::to_dlpack(wide); }),
             Catch::Matchers::ContainsSubstring("strides of (6,) bytes are no multiples of elements of 4 bytes"));

  const auto refused = [&]<class T, std::size_t Rank>(std::type_identity<T>, yoke::shape<Rank>, const char* why) {
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                          [&] { (void)yoke::from_dlpack<T, Rank>(out.get(), state.stream); }),
               Catch::Matchers::ContainsSubstring(why));
  };
  refused(std::type_identity<int>{}, yoke::shape<1>{}, "has elements of float32, the view of int32");
  refused(std::type_identity<float>{}, yoke::shape<2>{}, "has 1 axes, the view 2");
  out->dl_tensor.device = {dl::device_type::cpu, 5};
  refused(std::type_identity<float>{}, yoke::shape<1>{}, "is on a device of type 1 (cpu) with number 5, the stream on");
  out->version.major = 2;
  refused(std::type_identity<float>{}, yoke::shape<1>{}, "has version 2.0");
}

YOKE_ANY_DEVICE_TEST_CASE("complex numbers and every other type go by DLPack and come back", "[array]") {
  any_rig state(device);
  const auto there_and_back = [&]<class T>(std::vector<T> values, dl::data_type type) {
    auto a = yoke::to_device_array(values, state.stream);
    dl::owner out = yoke::to_dlpack(a);
    CHECK((out->dl_tensor.dtype == type));
    const auto view = yoke::from_dlpack<T, 1>(std::move(out), state.stream);
    CHECK(out.get() == nullptr);
    CHECK(std::memcmp(view.to_host().data(), values.data(), values.size() * sizeof(T)) == 0);
  };
  using code = dl::type_code;
  there_and_back(std::vector<std::complex<float>>{{1, 2}, {3, -4}}, {code::complex, 64, 1});
  there_and_back(std::vector<std::complex<double>>{{1, 2}, {3, -4}}, {code::complex, 128, 1});
  there_and_back(std::vector<double>{1, 2}, {code::real, 64, 1});
  there_and_back(std::vector{yoke::half(1.5F)}, {code::real, 16, 1});
  there_and_back(std::vector{yoke::bfloat16(1.5F)}, {code::bfloat, 16, 1});
  there_and_back(std::vector<std::uint8_t>{255}, {code::unsigned_integer, 8, 1});
  there_and_back(std::vector<std::int64_t>{-1}, {code::signed_integer, 64, 1});
}

YOKE_ANY_DEVICE_TEST_CASE("DLPack's tensors whose fields contradict each other are refused, and stay the caller's",
                          "[array]") {
  any_rig state(device);
  auto a = yoke::zeros<float>({4, 6}, state.stream);
  dl::owner out = yoke::to_dlpack(a);
  dl::managed_tensor* const given = out.get();
  dl::tensor& tensor = out->dl_tensor;
  const auto refused = [&](const char* why, const auto& spoil) {
    const dl::tensor before = tensor;
    std::int64_t extents[]{4, 6};
    std::int64_t strides[]{6, 1};
    tensor.shape = extents;
    tensor.strides = strides;
    spoil();
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                          [&] { (void)yoke::from_dlpack<float, 2>(std::move(out), state.stream); }),
               Catch::Matchers::ContainsSubstring(why));
    REQUIRE(out.get() == given);
    tensor = before;
  };
  constexpr std::int64_t huge = std::int64_t{1} << 62;
  refused("2 axes and no shape", [&] { tensor.shape = nullptr; });
  refused("has an extent of -3 along axis 1: the least is 0", [&] { tensor.shape[1] = -3; });
  refused("exceed the address space", [&] { tensor.shape[0] = huge; });
  refused("exceed the address space", [&] { tensor.strides[1] = huge; });
  refused("exceed the address space", [&] { tensor.strides[1] = -huge; });
  refused("exceed the address space", [&] { tensor.strides = nullptr, tensor.shape[0] = huge; });
  refused("exceed the address space", [&] { tensor.byte_offset = ~std::uint64_t{3}; });
  refused("its data is null", [&] { tensor.data = nullptr; });
  refused("at a byte_offset of 2, is not aligned to its 4 bytes", [&] { tensor.byte_offset = 2; });
  refused("has elements of float32 in vectors of 4", [&] { tensor.dtype.lanes = 4; });
  refused("has elements of type 9 with bits: 32", [&] { tensor.dtype.code = static_cast<dl::type_code>(9); });
  refused("has elements of bool, the view of float32", [&] { tensor.dtype = {dl::type_code::boolean, 8, 1}; });
  refused("is on a device of type 13", [&] {
    tensor.device = {dl::device_type::cuda_managed, tensor.device.type == dl::device_type::cuda ? 99 : 0};
  });
  // Strides of extents of 1, and of no elements, may be anything.
  std::int64_t one[]{1, 6};
  std::int64_t odd[]{huge, 1};
  const dl::tensor before = tensor;
  tensor.shape = one;
  tensor.strides = odd;
  const auto row = yoke::from_dlpack<float, 2>(given, state.stream);
  (void)out.release();
  CHECK((row.shape() == yoke::shape{1, 6}));
  CHECK(row.to_host() == std::vector<float>(6));
  tensor = before;
}

YOKE_OPENCL_TEST_CASE("a tensor of another context, or beyond its memory, is refused", "[array][opencl]") {
  rig state(device);
  const auto other = opencl_backend::another_context(device);
  const yoke::opencl::stream elsewhere(other);
  auto a = yoke::zeros<float>({6}, elsewhere);
  dl::owner out = yoke::to_dlpack(a);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::wrong_context,
                                        [&] { (void)yoke::from_dlpack<float, 1>(std::move(out), state.stream); }),
             Catch::Matchers::ContainsSubstring("of another context"));
  out->dl_tensor.byte_offset = 4000;
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch,
                                        [&] { (void)yoke::from_dlpack<float, 1>(std::move(out), elsewhere); }),
             Catch::Matchers::ContainsSubstring("cannot hold 4024 elements"));
}

YOKE_CUDA_TEST_CASE("managed memory comes by DLPack; a tensor of another device is refused", "[array][cuda]") {
  rig state(device);
  auto a = yoke::to_device_array(counting(6), state.stream);
  dl::owner out = yoke::to_dlpack(a);
  const std::int32_t own = out->dl_tensor.device.id;
  out->dl_tensor.device.id = own + 7;
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                        [&] { (void)yoke::from_dlpack<int, 1>(std::move(out), state.stream); }),
             Catch::Matchers::ContainsSubstring("with number " + std::to_string(own + 7) + ", the stream on"));
  out->dl_tensor.device = {dl::device_type::cuda_managed, own};
  CHECK((yoke::from_dlpack<int, 1>(std::move(out), state.stream).to_host() == counting(6)));
}

YOKE_OPENCL_TEST_CASE("the CUDA array interface is for CUDA's memory", "[array][opencl]") {
  const rig state(device);
  const auto a = yoke::zeros<float>({3}, state.stream);
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { (void)yoke::to_cuda_array_interface(a.view()); }),
      Catch::Matchers::ContainsSubstring("the CUDA array interface is for CUDA's memory"));
}

YOKE_CUDA_TEST_CASE("the fields of the CUDA array interface", "[array][cuda]") {
  rig state(device);
  auto a = yoke::to_device_array(counting(24), {4, 6}, state.stream);
  const auto fields = yoke::to_cuda_array_interface(a(yoke::slice(1, 3), yoke::reversed));
  CHECK(fields.shape == std::vector<std::size_t>{2, 6});
  CHECK(fields.strides == std::vector<std::ptrdiff_t>{24, -4});
  CHECK(fields.typestr == "<i4");
  CHECK(fields.data == static_cast<std::uint64_t>(a.native_handle()) + 24 + 20);
  CHECK_FALSE(fields.read_only);
  CHECK(fields.stream != 0);
  CHECK(fields.version == 3);
  auto flags = yoke::zeros<bool>({3}, state.stream);
  CHECK(yoke::to_cuda_array_interface(flags).typestr == "|b1");
  auto bytes = yoke::zeros<std::uint8_t>({3}, state.stream);
  CHECK(yoke::to_cuda_array_interface(bytes).typestr == "|u1");
  const auto complex = yoke::zeros<std::complex<float>>({3}, state.stream);
  CHECK(yoke::to_cuda_array_interface(complex).typestr == "<c8");
  CHECK(yoke::to_cuda_array_interface(complex).read_only);
}

YOKE_DEVICE_TEST_CASE("a temporary array goes out by DLPack to be written", "[array]") {
  rig state(device);
  dl::owner out = yoke::to_dlpack(yoke::to_device_array(counting(6), {2, 3}, state.stream));
  CHECK(out->flags == 0);
  auto back = yoke::from_dlpack<int, 2>(std::move(out), state.stream);
  back.fill(3);
  CHECK(yoke::sum(back).get() == 18);
  const auto fixed = yoke::to_device_array(counting(6), state.stream);
  CHECK(yoke::to_dlpack(fixed)->flags == dl::read_only);
}

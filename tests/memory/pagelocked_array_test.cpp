// SPDX-License-Identifier: MIT
// Page-locked host memory: a contiguous range that is mapped for its whole life.
#include <support/rig.hpp>

#include <ranges>
#include <span>

using namespace yoke_test;

static_assert(!std::is_copy_constructible_v<ocl::pagelocked_array<int>>);
static_assert(std::is_nothrow_move_constructible_v<ocl::pagelocked_array<int>>);
static_assert(std::ranges::contiguous_range<ocl::pagelocked_array<int>>);
static_assert(std::ranges::contiguous_range<const ocl::pagelocked_array<int>>);
static_assert(std::is_same_v<decltype(*std::declval<const ocl::pagelocked_array<int>&>().begin()), const int&>);

YOKE_DEVICE_TEST_CASE("a page-locked array is a range of its elements", "[memory]") {
  rig on(device);
  backend::pagelocked_array<int> array{on.context, 100};
  CHECK(array.size() == 100);
  CHECK(std::ranges::size(array) == 100);
  CHECK_FALSE(array.empty());
  CHECK(static_cast<bool>(array));
  CHECK(array.native_handle() != nullptr);
  CHECK(array.context_of() == on.context);
  std::iota(array.begin(), array.end(), 0);
  const auto& readable = array;
  CHECK(readable[99] == 99);
  CHECK(readable.span().back() == 99);
  array.span()[5] = -1;
  CHECK(readable.data()[5] == -1);

  backend::device_allocation<int> memory{on.context, 100};
  yoke::copy(array, memory, on.stream);
  std::ranges::fill(array, 0);
  yoke::copy(memory, array, on.stream);
  CHECK(array[5] == -1);
  CHECK(array[99] == 99);
  auto same = yoke::to_device(array, on.stream);
  CHECK(download(same, on.stream)[98] == 98);
}

YOKE_DEVICE_TEST_CASE("a page-locked array begins with zeros where they are asked for", "[memory]") {
  rig on(device);
  const backend::pagelocked_array<double> zeros{on.context, 1000, yoke::zeroed};
  CHECK(zeros.size() == 1000);
  CHECK(std::ranges::count(zeros, 0.0) == 1000);
  const backend::pagelocked_array<double> nothing{on.context, 0, yoke::zeroed};
  CHECK(nothing.empty());
}

YOKE_DEVICE_TEST_CASE("a page-locked array of nothing costs nothing", "[memory]") {
  rig on(device);
  const std::size_t mark = on.driver.mark();
  backend::pagelocked_array<int> nothing{on.context, 0};
  CHECK(nothing.empty());
  CHECK(nothing.data() == nullptr);
  CHECK(nothing.begin() == nothing.end());
  backend::device_allocation<int> none{on.context, 0};
  yoke::copy(nothing, none, on.stream);
  yoke::transfer transfer = yoke::copy_async(none, nothing, on.stream);
  CHECK(transfer.is_done());
  transfer.wait();
  CHECK(on.driver.count_all(mark) == 0);
}

YOKE_DEVICE_TEST_CASE("a page-locked array is freed once", "[memory]") {
  rig on(device);
  {
    backend::pagelocked_array<int> a{on.context, 8};
    CHECK(on.live().size() == Backend::pagelocked_objects);
    a[3] = 3;
    const int* const data = a.data();
    backend::pagelocked_array<int> b = std::move(a);
    CHECK(a.empty());
    CHECK(a.data() == nullptr);
    CHECK_FALSE(static_cast<bool>(a));
    CHECK(b.data() == data);
    backend::pagelocked_array<int> c{on.context, 2};
    c = std::move(b);
    CHECK(c.size() == 8);
    CHECK(c[3] == 3);
    CHECK(on.live().size() == Backend::pagelocked_objects);
    backend::pagelocked_array<int> d;
    swap(c, d);
    CHECK(d[3] == 3);
    CHECK(c.empty());
    d.reset();
    CHECK(d.empty());
    CHECK(on.live().empty());
    a = backend::pagelocked_array<int>{on.context, 1};
    CHECK(a.size() == 1);
  }
  CHECK(on.live().empty());
  CHECK(on.driver.bad_releases().empty());
}

YOKE_DEVICE_TEST_CASE("a page-locked array refuses sizes and contexts that cannot be", "[memory]") {
  rig on(device);
  const std::size_t mark = on.driver.mark();
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range,
                                        [&] {
                                          backend::pagelocked_array<int>{on.context, -4};
                                        }),
             ContainsSubstring("element count is -4"));
  refusal<yoke::logic_error>(yoke::errc::out_of_range, [&] { backend::pagelocked_array<int>{on.context, ~0ULL}; });
  refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] {
    backend::pagelocked_array<int>{backend::context::none(), 1};
  });
  CHECK(on.driver.count_all(mark) == 0);

  backend::device_allocation<int> memory{on.context, 0};
  backend::pagelocked_array<int> gone{on.context, 1};
  const backend::pagelocked_array<int> here = std::move(gone);
  refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { yoke::copy(gone, memory, on.stream); });
}

YOKE_DEVICE_TEST_CASE("a page-locked array that the driver cannot give leaves nothing", "[memory]") {
  rig on(device);
  on.driver.fail_function(calls::allocate_pagelocked, 1, fault_mode::once, codes::out_of_memory);
  CHECK_THAT(refusal<yoke::memory_error>(yoke::errc::out_of_memory,
                                         [&] {
                                           backend::pagelocked_array<int>{on.context, 4};
                                         }),
             ContainsSubstring("page-locked allocation of 16 bytes"));
  on.driver.disarm();
  CHECK(on.live().empty());
  CHECK(backend::pagelocked_array<int>{on.context, 4}.size() == 4);
}

YOKE_DEVICE_TEST_CASE("page-locked memory changes hands with what is in it", "[memory]") {
  rig on(device);
  using array = backend::pagelocked_array<int>;
  {
    array made{on.context, 100};
    std::iota(made.begin(), made.end(), 0);
    const auto native = made.release();
    CHECK_FALSE(static_cast<bool>(made));
    CHECK(made.native_handle() == typename array::native_type{});
    CHECK_FALSE(on.live().empty());  // the caller's
    backend::device_allocation<int> memory{on.context, 100};
    {
      array borrowed = array::borrow(on.context, native, 100);
      CHECK(borrowed.native_handle() == native);
      CHECK(borrowed[99] == 99);
      borrowed[5] = -1;
      yoke::copy_async(borrowed, memory, on.stream).wait();
    }
    const array adopted = array::adopt(on.context, native, 50);  // larger than asked for
    CHECK(adopted.size() == 50);
    CHECK(adopted[5] == -1);
    CHECK(download(memory, on.stream)[5] == -1);
  }
  CHECK(on.live().empty());
  CHECK(on.driver.bad_releases().empty());
}

YOKE_DEVICE_TEST_CASE("a transfer goes on with page-locked memory that is released", "[memory]") {
  rig on(device);
  {
    backend::device_allocation<int> memory{on.context, 100};
    yoke::fill(memory, 7, on.stream);
    backend::pagelocked_array<int> host{on.context, 100};
    yoke::transfer transfer = yoke::copy_async(memory, host, on.stream);
    const auto native = host.release();
    transfer.wait();
    const auto again = backend::pagelocked_array<int>::adopt(on.context, native, 100);
    CHECK(again[99] == 7);
  }
  CHECK(on.live().empty());
  CHECK(on.driver.bad_releases().empty());
}

YOKE_DEVICE_TEST_CASE("native memory that is not page-locked as asked stays the caller's", "[memory]") {
  rig on(device);
  using array = backend::pagelocked_array<int>;
  const backend::context elsewhere = Backend::another_context(on.device);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                        [&] { (void)array::adopt(on.context, typename array::native_type{}, 1); }),
             ContainsSubstring("the native page-locked memory is null"));
  array made{on.context, 4};
  const auto native = made.release();
  const std::size_t alive = on.live().size();
  refusal<yoke::logic_error>(yoke::errc::out_of_range, [&] { (void)array::adopt(on.context, native, -1); });
  if constexpr (std::same_as<port, ocl::port>) {
    CHECK_THAT(
        refusal<yoke::logic_error>(yoke::errc::size_mismatch, [&] { (void)array::adopt(on.context, native, 5); }),
        ContainsSubstring("native memory of 16 bytes cannot hold 20 bytes"));
    CHECK_THAT(
        refusal<yoke::logic_error>(yoke::errc::wrong_context, [&] { (void)array::borrow(elsewhere, native, 4); }),
        ContainsSubstring("is of another context"));
    const backend::device_allocation<int> plain{on.context, 4};
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                          [&] { (void)array::borrow(on.context, plain.native_handle(), 4); }),
               ContainsSubstring("is not page-locked: it was made without CL_MEM_ALLOC_HOST_PTR"));
  } else {
    int pageable[4] = {};
    CHECK_THAT(
        refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { (void)array::adopt(on.context, pageable, 4); }),
        ContainsSubstring("is not page-locked for 16 bytes"));
    auto* const inside = static_cast<char*>(native);
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                          [&] { (void)array::adopt(on.context, inside + 4, 1); }),
               ContainsSubstring("lies 4 bytes inside a block"));
    CHECK_THAT(
        refusal<yoke::logic_error>(yoke::errc::misaligned, [&] { (void)array::borrow(on.context, inside + 1, 1); }),
        ContainsSubstring("is no multiple of 4 bytes"));
    CHECK(array::borrow(on.context, inside + 4, 3).size() == 3);
  }
  CHECK(on.live().size() == alive);
  (void)array::adopt(on.context, native, 4);
  CHECK(on.live().empty());
  CHECK(on.driver.bad_releases().empty());
}

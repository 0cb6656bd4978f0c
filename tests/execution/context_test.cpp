// SPDX-License-Identifier: MIT
// Contexts: shared, over one or several devices, adopted and borrowed.
#include <support/devices/devices.hpp>

#include <memory>

using namespace yoke_test;
namespace ocl = yoke::opencl;

static_assert(std::is_copy_constructible_v<ocl::context> && std::is_nothrow_move_constructible_v<ocl::context>);
static_assert(std::is_nothrow_move_assignable_v<ocl::context> && !std::is_convertible_v<ocl::device, ocl::context>);
static_assert(!std::is_default_constructible_v<ocl::context> && std::is_default_constructible_v<yoke::context<>>);
static_assert(sizeof(ocl::context) == sizeof(std::shared_ptr<int>));

YOKE_DEVICE_TEST_CASE("copies of a context are the same context, released once", "[execution]") {
  interposer driver(Backend::driver());
  {
    backend::context first{through(driver, device)};
    const backend::context second = first;
    CHECK(second == first);
    CHECK(second.native_handle() == first.native_handle());
    CHECK(first.only_device() == through(driver, device));
    CHECK(first.devices().size() == 1);
    first.reset();
    CHECK_FALSE(static_cast<bool>(first));
    CHECK(driver.count(calls::release_context) == 0);
    const backend::stream still_usable{second};
    still_usable.synchronize();
  }
  CHECK(driver.count(calls::create_context) == 1);
  CHECK(driver.count(calls::release_context) == 1);
  CHECK(driver.live().empty());
}

YOKE_DEVICE_TEST_CASE("what is made in a context keeps it alive", "[execution]") {
  interposer driver(Backend::driver());
  {
    backend::context context{through(driver, device)};
    const backend::stream stream{context};
    context.reset();
    CHECK(driver.count(calls::release_context) == 0);
    stream.record().wait();
  }
  CHECK(driver.count(calls::release_context) == 1);
  CHECK(driver.live().empty());
}

YOKE_DEVICE_TEST_CASE("contexts are released, adopted and borrowed", "[execution]") {
  interposer driver(Backend::driver());
  {
    const backend::context own{through(driver, device)};
    const std::size_t mark = driver.mark();
    const native_context reference = own.retain_native();  // one more reference, for the caller
    CHECK(driver.count(calls::retain_context, mark) == 1);
    {
      const backend::context adopted = backend::context::adopt(own.port(), reference);
      CHECK(adopted == own);
      CHECK(adopted.only_device().native_handle() == device.native_handle());
    }
    CHECK(driver.count(calls::release_context) == 1);
    {
      const backend::context borrowed = backend::context::borrow(own.port(), own.native_handle());
      const backend::stream stream{borrowed};
      stream.synchronize();
    }
    CHECK(driver.count(calls::release_context) == 1);
    CHECK_THROWS_AS(backend::context::adopt(own.port(), nullptr), yoke::logic_error);
    CHECK_THROWS_WITH(backend::context::borrow(own.port(), nullptr), ContainsSubstring("the native context is null"));
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_DEVICE_TEST_CASE("a moved-from context says so", "[execution]") {
  backend::context first{device};
  backend::context second = std::move(first);
  CHECK_FALSE(static_cast<bool>(first));  // NOLINT: what a moved-from context does is the point
  CHECK(first.native_handle() == nullptr);
  CHECK_THROWS_AS(first.devices(), yoke::logic_error);
  CHECK_THROWS_AS(first.port(), yoke::logic_error);
  CHECK_THROWS_AS(first.retain_native(), yoke::logic_error);
  CHECK_THROWS_AS(backend::stream{first}, yoke::logic_error);
  CHECK_THROWS_WITH(backend::stream{first}, ContainsSubstring("this context is empty"));
  swap(first, second);
  CHECK(static_cast<bool>(first));
  CHECK_FALSE(static_cast<bool>(second));
}

YOKE_DEVICE_TEST_CASE("a context needs a device", "[execution]") {
  CHECK_THROWS_WITH(backend::context(std::vector<yoke::device<port>>{}), ContainsSubstring("at least one device"));
  interposer driver(Backend::driver());
  CHECK_THROWS_WITH(backend::context(std::vector{device, through(driver, device)}),
                    ContainsSubstring("devices of several backends"));
  const yoke::device once = through(driver, device);
  try {
    const backend::context twice{std::vector{once, once}};
    FAIL_CHECK("a device was given twice");
  } catch (const yoke::logic_error& e) {
    CHECK(e.code() == yoke::errc::invalid_argument);
    CHECK_THAT(e.what(), ContainsSubstring("devices 0 and 1 of the context are the same"));
  }
  CHECK(driver.count(calls::create_context) == 0);
}

YOKE_ANY_DEVICE_TEST_CASE("a context of any backend", "[execution]") {
  const yoke::context context{device};
  const yoke::stream stream{context};
  CHECK(stream.device_of() == device);
  stream.record().wait();
  CHECK(context.port().backend_name() == std::string(device.backend_name()));
  static_assert(std::same_as<decltype(context), const yoke::context<yoke::any_port>>);
  static_assert(std::same_as<decltype(stream), const yoke::stream<yoke::any_port>>);
}

// SPDX-License-Identifier: MIT
// Contexts: shared, over one or several devices, adopted and borrowed.
#include <support/devices.hpp>
#include <support/parts.hpp>
#include <support/raw_opencl.hpp>

#include <yoke/execution/execution.hpp>
#include <yoke/opencl/names.hpp>

using namespace yoke_test;
namespace ocl = yoke::opencl;

static_assert(std::is_copy_constructible_v<ocl::context> && std::is_nothrow_move_constructible_v<ocl::context>);
static_assert(std::is_nothrow_move_assignable_v<ocl::context> && !std::is_convertible_v<ocl::device, ocl::context>);
static_assert(!std::is_default_constructible_v<ocl::context> && std::is_default_constructible_v<yoke::context<>>);
static_assert(sizeof(ocl::context) == sizeof(std::shared_ptr<int>));

YOKE_DEVICE_TEST_CASE("copies of a context are the same context, released once", "[execution]") {
  opencl_interposer driver(raw_opencl());
  {
    ocl::context first{through(driver, device)};
    const ocl::context second = first;
    CHECK(second == first);
    CHECK(second.native_handle() == first.native_handle());
    CHECK(first.only_device() == through(driver, device));
    CHECK(first.devices().size() == 1);
    first.reset();
    CHECK_FALSE(static_cast<bool>(first));
    CHECK(driver.count("release_context") == 0);
    const ocl::stream still_usable{second};
    still_usable.synchronize();
  }
  CHECK(driver.count("create_context") == 1);
  CHECK(driver.count("release_context") == 1);
  CHECK(driver.live().empty());
}

YOKE_DEVICE_TEST_CASE("what is made in a context keeps it alive", "[execution]") {
  opencl_interposer driver(raw_opencl());
  {
    ocl::context context{through(driver, device)};
    const ocl::stream stream{context};
    context.reset();
    CHECK(driver.count("release_context") == 0);
    stream.record().wait();
  }
  CHECK(driver.count("release_context") == 1);
  CHECK(driver.live().empty());
}

YOKE_DEVICE_TEST_CASE("contexts are released, adopted and borrowed", "[execution]") {
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context own{through(driver, device)};
    const abi::context reference = own.release();  // one more reference, for the caller
    CHECK(driver.count("retain_context") == 1);
    {
      const ocl::context adopted = ocl::context::adopt(own.port(), reference);
      CHECK(adopted == own);
      CHECK(adopted.only_device().native_handle() == device.native_handle());
    }
    CHECK(driver.count("release_context") == 1);
    {
      const ocl::context borrowed = ocl::context::borrow(own.port(), own.native_handle());
      const ocl::stream stream{borrowed};
      stream.synchronize();
    }
    CHECK(driver.count("release_context") == 1);
    CHECK_THROWS_AS(ocl::context::adopt(own.port(), nullptr), yoke::logic_error);
    CHECK_THROWS_WITH(ocl::context::borrow(own.port(), nullptr), ContainsSubstring("the native context is null"));
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_DEVICE_TEST_CASE("an adopted context that cannot be asked stays the caller's", "[execution]") {
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context own{through(driver, device)};
    const abi::context reference = own.release();
    driver.fail_function("get_context_info", 1, fault_mode::once, -6);
    CHECK_THROWS_AS(ocl::context::adopt(own.port(), reference), yoke::memory_error);
    CHECK(driver.count("release_context") == 0);
    driver.table()->release_context(reference);
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_DEVICE_TEST_CASE("a moved-from context says so", "[execution]") {
  ocl::context first{device};
  ocl::context second = std::move(first);
  CHECK_FALSE(static_cast<bool>(first));  // NOLINT: what a moved-from context does is the point
  CHECK(first.native_handle() == nullptr);
  CHECK_THROWS_AS(first.devices(), yoke::logic_error);
  CHECK_THROWS_AS(first.port(), yoke::logic_error);
  CHECK_THROWS_AS(first.release(), yoke::logic_error);
  CHECK_THROWS_AS(ocl::stream{first}, yoke::logic_error);
  CHECK_THROWS_WITH(ocl::stream{first}, ContainsSubstring("this context is empty"));
  swap(first, second);
  CHECK(static_cast<bool>(first));
  CHECK_FALSE(static_cast<bool>(second));
}

YOKE_DEVICE_TEST_CASE("a context needs a device", "[execution]") {
  CHECK_THROWS_WITH(ocl::context(std::vector<ocl::device>{}), ContainsSubstring("at least one device"));
  opencl_interposer driver(raw_opencl());
  CHECK_THROWS_WITH(ocl::context(std::vector{device, through(driver, device)}),
                    ContainsSubstring("devices of several backends"));
  const ocl::device once = through(driver, device);
  try {
    const ocl::context twice{std::vector{once, once}};
    FAIL_CHECK("a device was given twice");
  } catch (const yoke::logic_error& e) {
    CHECK(e.code() == yoke::errc::invalid_argument);
    CHECK_THAT(e.what(), ContainsSubstring("devices 0 and 1 of the context are the same"));
  }
  CHECK(driver.count("create_context") == 0);
}

YOKE_DEVICE_TEST_CASE("a context over several devices wants to know which", "[execution]") {
  opencl_interposer driver(raw_opencl());
  auto parts = two_parts(through(driver, device));
  if (parts.empty()) YOKE_SKIP("the device cannot be divided");
  {
    const ocl::context context{parts};
    parts.clear();  // the context keeps them
    REQUIRE(context.devices().size() == 2);
    try {
      (void)context.only_device();
      FAIL("one of two devices was called the only one");
    } catch (const yoke::logic_error& e) {
      CHECK_THAT(e.what(), ContainsSubstring("this context has 2 devices: say which, as in stream{ctx, device}"));
    }
    CHECK_THROWS_AS(ocl::stream{context}, yoke::logic_error);
    const ocl::stream first{context, context.devices()[0]}, second{context, context.devices()[1]};
    CHECK(first.device_of() == context.devices()[0]);
    CHECK(second.device_of() == context.devices()[1]);
    CHECK(driver.real().get_queue_info != nullptr);
    abi::device asked = nullptr;
    driver.real().get_queue_info(second.native_handle(), abi::queue_device, sizeof asked, &asked, nullptr);
    CHECK(asked == context.devices()[1].native_handle());
    const ocl::event point = first.record();
    second.wait(point);
    second.synchronize();
    CHECK_THROWS_WITH((ocl::stream{context, through(driver, device)}),
                      ContainsSubstring("the device is not one of this context's"));
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
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

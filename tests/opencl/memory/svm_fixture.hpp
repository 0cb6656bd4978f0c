// SPDX-License-Identifier: MIT
// What tests of shared virtual memory set up, and when they are skipped.
#ifndef YOKE_TESTS_OPENCL_SVM_FIXTURE_HPP
#define YOKE_TESTS_OPENCL_SVM_FIXTURE_HPP

#include <support/devices/devices.hpp>
#include <support/drivers/raw_opencl.hpp>

#include <yoke/opencl/opencl.hpp>

#define YOKE_TEST_NEEDS_SVM(grain)                                                                                     \
  if (!::yoke::opencl::port{}.svm(device.native_handle(), {}).grain) {                                                 \
    YOKE_SKIP("the device has no shared virtual memory of this grain");                                                \
  }

namespace yoke_test {

/// A context and a stream behind the interposer.
struct svm_fixture {
  opencl_interposer driver{raw_opencl()};
  yoke::opencl::context context;
  yoke::opencl::stream stream;
  explicit svm_fixture(const opencl_device& device) : context(through(driver, device)), stream(context) {}
};

/// Effects: maps, binds, migrates and frees shared memory behind events; `in` has a context and a stream.
template <class Kept>
void use_svm_behind_events(const Kept& in) {
  namespace ocl = yoke::opencl;
  using coarse = ocl::svm_allocation<int, ocl::svm::coarse>;
  const ocl::stream second(in.context);
  coarse shared{in.context, 60, in.stream, {.alignment = 64}};
  const ocl::event before = second.record();
  shared.map_async(in.stream, ocl::map_write, 3, 4, {.after = before}).get().unmap(second).wait();
  shared.bind(second);
  ocl::migrate({shared.subspan(0, 4)}, second).wait();
  { auto buffer = ocl::as_buffer(shared, second); }
  shared.record_use(in.stream);
  coarse other{in.context, 60, in.stream};
  other.unbind();
  coarse loose{in.context, 60};
  yoke::fill(loose, 1, in.stream);
  yoke::fill(loose.subspan(0, 4), 2, second);
  ocl::migrate({loose}, second).wait();
  shared.free_async(second, {.after = before}).wait();
}

/// Effects: frees and binds shared memory of a pool, behind events.
template <class Kept>
void use_pooled_svm(const Kept& in) {
  namespace ocl = yoke::opencl;
  using coarse = ocl::svm_allocation<int, ocl::svm::coarse>;
  const ocl::stream second(in.context);
  const ocl::event before = second.record();
  const yoke::memory_pool pool{in.context, ocl::svm::coarse{}};
  coarse pooled{pool, 60, in.stream};
  pooled.record_use(second);
  pooled.free_async(second, {.after = before}).wait();
  pooled = coarse{pool, 60, in.stream};
  pooled.bind(second);
}

}  // namespace yoke_test

#endif

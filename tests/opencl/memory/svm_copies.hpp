// SPDX-License-Identifier: MIT
// Shared virtual memory as a kind of the copy matrix.
#ifndef YOKE_TESTS_OPENCL_SVM_COPIES_HPP
#define YOKE_TESTS_OPENCL_SVM_COPIES_HPP

#include <memory/copy_matrix.hpp>

namespace yoke_test::copies {

template <class T, class Grain>
struct svm_of {
  static constexpr bool can_be_asynchronous = true;
  svm_of(rig<opencl_backend>& on, const std::vector<T>& content) : data(on.context, content.size(), on.stream) {
    mapped(on, 2, [&](T* address) { std::copy(content.begin(), content.end(), address); });
  }
  ocl::svm_allocation<T, Grain>& side() { return data; }
  std::vector<T> contents(rig<opencl_backend>& on) {
    std::vector<T> content(data.size());
    mapped(on, 1, [&](const T* address) { std::copy_n(address, content.size(), content.begin()); });
    return content;
  }
  template <class Act>
  void mapped(rig<opencl_backend>& on, abi::ulong flags, Act act) {
    const auto& cl = raw_opencl();
    const auto queue = on.stream.native_handle();
    REQUIRE(cl.enqueue_svm_map(queue, 1, flags, data.native_handle(), data.size_bytes(), 0, nullptr, nullptr) == 0);
    act(data.native_handle());
    REQUIRE(cl.enqueue_svm_unmap(queue, data.native_handle(), 0, nullptr, nullptr) == 0);
    REQUIRE(cl.finish(queue) == 0);
  }
  ocl::svm_allocation<T, Grain> data;
};
template <class Backend, class T>
struct svm_coarse : svm_of<T, ocl::svm::coarse> {
  using svm_of<T, ocl::svm::coarse>::svm_of;
};
template <class Backend, class T>
struct svm_fine : svm_of<T, ocl::svm::fine> {
  using svm_of<T, ocl::svm::fine>::svm_of;
};

/// Returns: why a device has no memory of this kind; "" when it has.
template <class Kind>
std::string lacking(const opencl_device& device) {
  const yoke::svm_support has = device.port().svm(device.native_handle(), {});
  if (std::is_same_v<Kind, svm_coarse<opencl_backend, int>> && !has.coarse) {
    return "this device has no coarse-grained SVM";
  }
  if (std::is_same_v<Kind, svm_fine<opencl_backend, int>> && !has.fine) return "this device has no fine-grained SVM";
  return "";
}

template <class From, class To>
void run_svm_cell(const opencl_device& device) {
  const std::string why = lacking<From>(device) + lacking<To>(device);
  if (!why.empty()) YOKE_SKIP(why);
  run_cell<From, To>(device);
}

}  // namespace yoke_test::copies

// A cell of the matrix with SVM on either side.
#define YOKE_SVM_COPY_CELL(from, to)                                                                                   \
  static const ::yoke_test::copies::write_cell write_##from##_##to(#from, #to);                                        \
  YOKE_OPENCL_TEST_CASE("copies from " #from " to " #to, "[memory]") {                                                 \
    namespace kinds = ::yoke_test::copies;                                                                             \
    using backend = ::yoke_test::opencl_backend;                                                                       \
    kinds::run_svm_cell<kinds::from<backend, int>, kinds::to<backend, int>>(device);                                   \
  }

#endif

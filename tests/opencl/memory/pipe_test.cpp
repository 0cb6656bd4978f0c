// SPDX-License-Identifier: MIT
// Pipes: data where a device has them, the refusal where not, and the driver's calls where one says that it has them.
#include <support/devices/devices.hpp>
#include <support/drivers/raw_opencl.hpp>

#include <yoke/opencl/opencl.hpp>

#include <array>
#include <cstring>
#include <vector>

using namespace yoke_test;
namespace ocl = yoke::opencl;

static_assert(!std::is_copy_constructible_v<ocl::pipe<int>> && std::is_nothrow_move_constructible_v<ocl::pipe<int>>);

namespace {

bool has_pipes(const opencl_device& device) {
  return ocl::try_get(device, ocl::info::pipe_support)
      .value_or(ocl::try_get(device, ocl::info::max_pipe_args).value_or(0) != 0);
}

/// A driver that says that it has pipes. What it makes as one is a buffer.
struct pretended {
  explicit pretended(const opencl_device& device) {
    driver.replace<&abi::functions::get_device_info>(
        [this](abi::device of, abi::uint what, std::size_t bytes, void* out, std::size_t* size) {
          if (what == ocl::info::pipe_max_packet_size.code) {
            if (out != nullptr) *static_cast<abi::uint*>(out) = 1024;
            return abi::status{0};
          }
          if (what != ocl::info::pipe_support.code) return driver.real().get_device_info(of, what, bytes, out, size);
          if (size != nullptr) *size = sizeof(abi::boolean);
          if (out != nullptr) *static_cast<abi::boolean*>(out) = has ? abi::yes : abi::no;
          return abi::status{0};
        });
    driver.replace<&abi::functions::create_pipe>([this](abi::context in, abi::ulong flags, abi::uint packet,
                                                        abi::uint most, const std::intptr_t* properties,
                                                        abi::status* status) -> abi::memory {
      CHECK(flags == 0);
      CHECK(properties == nullptr);
      packet_bytes = packet;
      packets = most;
      return driver.real().create_buffer(in, abi::mem_read_write, std::size_t{packet} * most, nullptr, status);
    });
    driver.replace<&abi::functions::get_memory_info>(
        [this](abi::memory of, abi::uint what, std::size_t bytes, void* out, std::size_t* size) {
          const abi::status status = driver.real().get_memory_info(of, what, bytes, out, size);
          if (what == abi::mem_type && out != nullptr && is_pipe) *static_cast<abi::uint*>(out) = abi::mem_object_pipe;
          return status;
        });
    driver.replace<&abi::functions::get_pipe_info>(
        [this](abi::memory, abi::uint what, std::size_t, void* out, std::size_t*) {
          *static_cast<abi::uint*>(out) = what == abi::pipe_packet_size ? packet_bytes : packets;
          return abi::status{0};
        });
    context = ocl::context{through(driver, device)};
  }
  opencl_interposer driver{raw_opencl()};
  ocl::context context = ocl::context::none();
  bool has = true;
  bool is_pipe = true;
  abi::uint packet_bytes = 0;
  abi::uint packets = 0;
};

}  // namespace

YOKE_OPENCL_TEST_CASE("packets go from one kernel to another", "[opencl]") {
  if (!has_pipes(device)) YOKE_SKIP("the device has no pipes");
  const ocl::context context{device};
  const ocl::stream stream{context};
  const auto module = yoke::compile(context,
                                    "__kernel void put(__global const int* a, __write_only pipe int p) {"
                                    "  int value = a[get_global_id(0)]; write_pipe(p, &value); }"
                                    "__kernel void take(__read_only pipe int p, __global int* b) {"
                                    "  int value = -1; read_pipe(p, &value); b[get_global_id(0)] = value; }",
                                    {.options = {"-cl-std=CL2.0"}});
  const auto put = module.get_kernel<void(const int*, ocl::write_pipe<int>)>("put");
  const auto take = module.get_kernel<void(ocl::read_pipe<int>, int*)>("take");
  const ocl::pipe<int> between{context, 16};
  CHECK(between.description().packet_bytes == sizeof(int));
  CHECK(between.description().packets >= 16);
  std::vector<int> values{1, 2, 3, 4};
  const auto from = yoke::to_device(values, stream);
  ocl::device_allocation<int> to{context, 4};
  put(stream, {.grid = 1, .block = 4}, from, between);
  take(stream, {.grid = 1, .block = 4}, between, to);
  std::vector<int> found = yoke::to_host(to, stream);
  std::sort(found.begin(), found.end());
  CHECK(found == values);
}

YOKE_OPENCL_TEST_CASE("a device without pipes says so, before the driver is asked for one", "[opencl]") {
  pretended in(device);
  in.has = false;
  CHECK_THROWS_AS((ocl::pipe<int>{in.context, 8}), yoke::unsupported_error);
  CHECK_THROWS_WITH((ocl::pipe<int>{in.context, 8}), ContainsSubstring(device.name() + " has no pipes"));
  CHECK(in.driver.count("create_pipe") == 0);
  if (!has_pipes(device)) CHECK_THROWS_AS((ocl::pipe<int>{ocl::context{device}, 8}), yoke::unsupported_error);
}

YOKE_OPENCL_TEST_CASE("a pipe is made, described, adopted and released", "[opencl]") {
  pretended in(device);
  {
    ocl::pipe<yoke::float4> made{in.context, 100};
    CHECK(in.packet_bytes == 16);
    CHECK(in.packets == 100);
    CHECK(made.description().packet_bytes == 16);
    CHECK(made.description().packets == 100);
    CHECK(made.description().context == in.context.native_handle());
    CHECK_THROWS_AS((ocl::pipe<int>{in.context, -1}), yoke::logic_error);
    CHECK_THROWS_WITH((ocl::pipe<int>{in.context, 0}), ContainsSubstring("a pipe of 0 packets"));
    CHECK_THROWS_WITH((ocl::pipe<std::array<char, 1025>>{in.context, 4}),
                      ContainsSubstring("packets of 1025 bytes exceed the 1024") && ContainsSubstring(device.name()));
    CHECK(in.driver.count("create_pipe") == 1);
    const abi::memory native = made.release();
    CHECK_THROWS_WITH(ocl::pipe<int>::adopt(in.context, native), ContainsSubstring("packets of 16 bytes, not of 4"));
    CHECK_THROWS_AS(ocl::pipe<yoke::float4>::adopt(ocl::context{through(in.driver, device)}, native),
                    yoke::logic_error);
    CHECK_THROWS_AS(ocl::pipe<yoke::float4>::adopt(in.context, nullptr), yoke::logic_error);
    in.is_pipe = false;
    CHECK_THROWS_WITH(ocl::pipe<yoke::float4>::adopt(in.context, native), ContainsSubstring("is no pipe"));
    in.is_pipe = true;
    CHECK_THROWS_AS(ocl::device_allocation<int>::borrow(in.context, native, 4), yoke::logic_error);
    const auto again = ocl::pipe<yoke::float4>::adopt(in.context, native);
    const auto borrowed = ocl::pipe<yoke::float4>::borrow(in.context, native);
    CHECK(borrowed.native_handle() == native);
    CHECK_THROWS_WITH(ocl::pipe<int>{}.description(), ContainsSubstring("pipe is empty"));
  }
  in.context = ocl::context::none();
  CHECK(in.driver.live().empty());
  CHECK(in.driver.bad_releases().empty());
}

YOKE_OPENCL_TEST_CASE("pipes are arguments, and no other memory is one for a pipe", "[opencl]") {
  pretended in(device);
  const ocl::stream stream{in.context};
  // A pipe's handle is a memory object: here the driver takes it for the buffer that it is.
  const auto module = yoke::compile(in.context, "__kernel void set(__global int* p) { p[get_global_id(0)] = 7; }");
  std::vector<yoke::parameter_info> wanted{yoke::detail::describe_parameter<ocl::read_pipe<int>>()};
  CHECK(wanted[0].type == "read_only pipe int");
  CHECK_THROWS_WITH(module.get_kernel<void(ocl::write_pipe<int>)>("set"), ContainsSubstring("write_only pipe int"));
  in.driver.replace<&abi::functions::get_kernel_arg_info>(
      [](abi::kernel, abi::uint, abi::uint, std::size_t, void*, std::size_t*) { return abi::status{-19}; });
  const auto set = module.get_kernel<void(ocl::read_pipe<int>)>("set");
  ocl::pipe<int> given{in.context, 4};
  set(stream, {.grid = 1, .block = 4}, given);
  (void)set.enqueue(stream, {.grid = 1, .block = 4}, given);
  stream.synchronize();
  ocl::pipe<int> empty;
  CHECK_THROWS_WITH(set(stream, {.grid = 1, .block = 4}, empty), ContainsSubstring("argument 1, a pipe, is empty"));
  const ocl::context other{through(in.driver, device)};
  const ocl::pipe<int> foreign{other, 4};
  CHECK_THROWS_WITH(set(stream, {.grid = 1, .block = 4}, foreign),
                    ContainsSubstring("argument 1, a pipe, is of another context"));
}

YOKE_OPENCL_TEST_CASE("a pipe's direction is the kernel's, where the driver tells it", "[opencl]") {
  pretended in(device);
  const auto module = yoke::compile(in.context, "__kernel void set(__global int* p) { p[get_global_id(0)] = 7; }");
  abi::uint access = abi::access_read_only;
  in.driver.replace<&abi::functions::get_kernel_arg_info>(
      [&](abi::kernel, abi::uint, abi::uint what, std::size_t, void* out, std::size_t* size) {
        const auto tell = [&](const auto& value) {
          if (size != nullptr) *size = sizeof value;
          if (out != nullptr) std::memcpy(out, &value, sizeof value);
          return abi::status{0};
        };
        if (what == abi::kernel_arg_address_qualifier) return tell(abi::uint{0x119E});  // private
        if (what == abi::kernel_arg_access_qualifier) return tell(access);
        if (what == abi::kernel_arg_type_qualifier) return tell(abi::type_pipe);
        return what == abi::kernel_arg_type_name ? tell("int") : tell("p");
      });
  CHECK(module.get_kernel<void(ocl::read_pipe<int>)>("set").checked() == yoke::signature_check::names);
  CHECK_THROWS_WITH(module.get_kernel<void(ocl::write_pipe<int>)>("set"),
                    ContainsSubstring("write_only pipe int") && ContainsSubstring("read_only pipe int"));
  CHECK_THROWS_WITH(module.get_kernel<void(ocl::read_pipe<float>)>("set"), ContainsSubstring("read_only pipe float"));
  access = abi::access_write_only;
  CHECK(module.get_kernel<void(ocl::write_pipe<int>)>("set").checked() == yoke::signature_check::names);
  CHECK_THROWS_AS(module.get_kernel<void(ocl::read_pipe<int>)>("set"), yoke::logic_error);
  access = abi::access_none;  // not told
  (void)module.get_kernel<void(ocl::write_pipe<int>)>("set");
  (void)module.get_kernel<void(ocl::read_pipe<int>)>("set");
  CHECK_THROWS_AS(module.get_kernel<void(ocl::read_pipe<float>)>("set"), yoke::logic_error);
}

// SPDX-License-Identifier: MIT
// Traces: what is counted, timed, refused and left out. Each case has a process of its own, because a trace begins before the
// drivers are used.
#include <support/catch.hpp>
#include <support/process/child.hpp>
#include <support/process/temporary_folder.hpp>

#include <yoke/algorithm.hpp>
#include <yoke/array.hpp>
#include <yoke/graph.hpp>
#include <yoke/trace.hpp>
#include <yoke/yoke.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <future>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#if !defined(_WIN32)
#include <sys/wait.h>
#include <unistd.h>
#endif

using namespace yoke_test;

namespace {

using kind = yoke::trace_total::kind;

/// Returns: the devices of these tests, as `YOKE_DEVICE` names them.
std::vector<std::string> device_names() {
  const char* const asked = std::getenv("YOKE_TEST_DEVICES");
  std::vector<std::string> names;
  std::string rest = asked == nullptr ? "" : asked;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    names.push_back(rest.substr(0, end));
    rest.erase(0, end + 1);
  }
  if (names.empty() && yoke::cuda::available()) names.emplace_back("cuda:0");
  if (names.empty() || asked == nullptr || *asked == '\0') {
    if (yoke::opencl::available()) names.emplace_back("opencl:0");
  }
  return names;
}

/// Effects: runs this case again, in a child for each device. Returns: whether this process is such a child.
bool in_traced_child(const std::string& trace = "") {
  const std::string name = current_test_name();
  if (is_child(name)) return true;
  for (const std::string& device : device_names()) {
    const child_result child = run_child(name, {{"YOKE_DEVICE", device}, {"YOKE_TRACE", trace}});
    INFO(device << ": " << child.output);
    CHECK(child.status == 0);
  }
  return false;
}

bool on_cuda() { return std::string_view(std::getenv("YOKE_DEVICE")).substr(0, 4) == "cuda"; }

const yoke::trace_total* find(const std::vector<yoke::trace_total>& all, kind of, const std::string& name) {
  for (const yoke::trace_total& each : all) {
    if (each.of == of && each.name == name) return &each;
  }
  return nullptr;
}
std::uint64_t count(const std::vector<yoke::trace_total>& all, kind of, const std::string& name) {
  const yoke::trace_total* const found = find(all, of, name);
  return found == nullptr ? 0 : found->count;
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

constexpr std::size_t elements = 1 << 16;

/// Effects: three steps of a fill, a launch and a copy to the host, in a context that ends.
void three_steps() {
  yoke::context context;
  const auto module =
      yoke::compile(context, "YOKE_KERNEL advance(YOKE_GLOBAL float* x, float by) { x[get_global_id(0)] += by; }");
  const auto advance = module.get_kernel<void(float*, float)>("advance");
  const yoke::stream stream{context};
  yoke::device_allocation<float> x{context, elements};
  std::vector<float> host(elements);
  for (int i = 0; i < 3; ++i) {
    const yoke::trace_scope scope{"step"};
    yoke::fill(x, 2.0f, stream);
    advance(stream, yoke::launch_over(elements), x, 1.5f);
    yoke::copy(x, host, stream);
    REQUIRE(host[elements - 1] == 3.5f);
  }
}

std::string failure_of(const yoke::trace_options& options) {
  try {
    const yoke::trace refused{options};
  } catch (const yoke::error& e) {
    return e.what();
  }
  return "";
}

/// The file that a case writes, where nobody else does.
class trace_file {
 public:
  [[nodiscard]] std::string path() const { return (folder_.path() / "trace.json").string(); }

 private:
  temporary_folder folder_;
};

}  // namespace

TEST_CASE("a trace counts the calls of the drivers and times the work of devices", "[execution][trace]") {
  if (!in_traced_child()) return;
  const trace_file file;
  yoke::trace trace{{.path = file.path()}};
  REQUIRE(trace);
  const auto before = std::chrono::steady_clock::now();
  three_steps();
  const auto took = std::chrono::steady_clock::now() - before;
  trace.finish();
  CHECK_FALSE(trace);
  const auto all = trace.totals();
  INFO(trace.table());
  const char* const fill = on_cuda() ? "cuMemsetD32Async" : "clEnqueueFillBuffer";
  const char* const read = on_cuda() ? "cuMemcpyDtoHAsync" : "clEnqueueReadBuffer";
  const char* const launch = on_cuda() ? "cuLaunchKernel" : "clEnqueueNDRangeKernel";
  for (const kind each : {kind::call, kind::work}) {
    INFO((each == kind::work ? "work" : "calls"));
    CHECK(count(all, each, fill) == 3);
    CHECK(count(all, each, read) == 3);
    REQUIRE(find(all, each, read) != nullptr);
    CHECK(find(all, each, read)->bytes == 3 * elements * sizeof(float));
    REQUIRE(find(all, each, fill) != nullptr);
    CHECK(find(all, each, fill)->bytes == 3 * elements * sizeof(float));
  }
  CHECK(count(all, kind::call, launch) == 3);
  CHECK(count(all, kind::work, "advance") == 3);
  CHECK(count(all, kind::scope, "step") == 3);
  for (const yoke::trace_total& each : all) {
    INFO(each.name);
    CHECK(each.least <= each.most);
    CHECK(each.sum >= each.most);
    CHECK(each.sum <= took + std::chrono::milliseconds(5));
  }
  const yoke::trace_total* const advance = find(all, kind::work, "advance");
  REQUIRE(advance != nullptr);
  CHECK(advance->least.count() > 0);
  CHECK(advance->sum < find(all, kind::scope, "step")->sum);
  CHECK(trace.left_out() == 0);
  CHECK(trace.untimed() == 0);
  CHECK_THAT(trace.table(), ContainsSubstring("advance"));
  CHECK_THAT(trace.table(), ContainsSubstring("work of the devices"));

  trace.finish();  // nothing is left to do
  const std::string written = content(file.path());
  CHECK_THAT(written, ContainsSubstring("\"name\":\"advance\""));
  // Calls behind the end pass by.
  three_steps();
  CHECK(count(trace.totals(), kind::work, "advance") == 3);
  CHECK(content(file.path()) == written);
}

TEST_CASE("a trace begins before the drivers are used", "[execution][trace]") {
  if (!in_traced_child()) return;
  const trace_file file;
  const yoke::context context;
  CHECK_THAT(failure_of({.path = file.path()}),
             ContainsSubstring("a trace begins before the first use of a driver, but") &&
                 ContainsSubstring("is in use already"));
  CHECK_FALSE(std::filesystem::exists(file.path()));
}

TEST_CASE("one trace lives at a time, and another may follow", "[execution][trace]") {
  if (!in_traced_child()) return;
  const trace_file file, other;
  yoke::trace first{{.path = file.path()}};
  three_steps();
  CHECK_THAT(failure_of({.path = other.path()}), ContainsSubstring("a trace lives already"));
  CHECK(count(first.totals(), kind::scope, "step") == 3);
  first.finish();
  const std::string written = content(file.path());
  CHECK_THAT(written, ContainsSubstring("\"step\""));
  yoke::trace second{{.path = other.path()}};
  CHECK(second.totals().empty());
  const yoke::trace none;
  CHECK(none.totals().empty());
  three_steps();
  second.finish();
  CHECK(none.left_out() + none.untimed() == 0);
  CHECK(count(second.totals(), kind::work, "advance") == 3);
  CHECK(second.untimed() == 0);
  CHECK(content(file.path()) == written);
  CHECK(count(first.totals(), kind::work, "advance") == 3);  // a trace that has ended keeps what it has
}

TEST_CASE("without a path there is no trace", "[execution][trace]") {
  if (!in_traced_child()) return;
  yoke::trace trace;
  CHECK_FALSE(trace);
  three_steps();
  trace.finish();
  CHECK(trace.totals().empty());
  CHECK(trace.table().empty());
}

TEST_CASE("YOKE_TRACE names the file of a trace", "[execution][trace]") {
  const std::string path = (std::filesystem::temp_directory_path() / "yoke-trace-by-name.json").string();
  if (!in_traced_child(path)) return;
  {
    // The test program has a trace for all its cases.
    CHECK_THAT(failure_of({}), ContainsSubstring("a trace lives already"));
    const yoke::trace_scope scope{"one case"};
    three_steps();
  }
  CHECK(std::filesystem::exists(path));
  std::error_code ignored;  // Windows keeps a file that is open
  std::filesystem::remove(path, ignored);
}

TEST_CASE("a trace names a file that it cannot write", "[execution][trace]") {
  if (!in_traced_child()) return;
  for (const std::string path : {"/nowhere/at/all/trace.json", "/tmp"}) {
    CHECK_THAT(failure_of({.path = path}), ContainsSubstring("the trace's file \"" + path + "\" cannot be written: "));
  }
  CHECK_THAT(failure_of({.path = std::string("a\0b", 3)}),
             ContainsSubstring("the trace's file \"a\" cannot be written"));
  const trace_file file;
  const yoke::trace next{{.path = file.path()}};  // a refused one has not begun
  CHECK(next);
}

#if defined(__linux__)
TEST_CASE("a full disk is told at the end of a trace", "[execution][trace]") {
  if (!in_traced_child()) return;
  if (!std::filesystem::exists("/dev/full")) return;
  yoke::trace trace{{.path = "/dev/full"}};
  three_steps();
  CHECK_THROWS_AS(trace.finish(), yoke::runtime_error);
  CHECK_FALSE(trace);
  CHECK(count(trace.totals(), kind::work, "advance") == 3);
}
#endif

TEST_CASE("a trace has room for so many calls, and counts the others", "[execution][trace]") {
  if (!in_traced_child()) return;
  const trace_file file;
  yoke::trace trace{{.path = file.path(), .calls = 10}};
  three_steps();
  trace.finish();
  std::uint64_t calls = 0, work = 0;
  for (const yoke::trace_total& each : trace.totals()) (each.of == kind::work ? work : calls) += each.count;
  CHECK(calls == 10);
  CHECK(work == 0);
  CHECK(trace.left_out() > 20);
  CHECK_THAT(trace.table(), ContainsSubstring("calls left out: "));
}

TEST_CASE("a trace counts calls that the driver refuses", "[execution][trace]") {
  if (!in_traced_child()) return;
  const trace_file file;
  yoke::trace trace{{.path = file.path()}};
  {
    const yoke::context context;
    CHECK_THROWS_AS((void)yoke::compile(context, "YOKE_KERNEL f(YOKE_GLOBAL int* a) { a[0] = missing; }"),
                    yoke::compile_error);
    try {
      const yoke::device_allocation<char> huge{context, std::size_t{1} << 46};
    } catch (const yoke::error&) {  // a driver that allocates at the first use throws nothing here
    }
  }
  trace.finish();
  std::uint64_t failures = 0;
  for (const yoke::trace_total& each : trace.totals()) failures += each.failures;
  CHECK(failures >= 1);
  CHECK_THAT(content(file.path()), ContainsSubstring("\"failure\":\"C"));
}

TEST_CASE("a trace may leave devices alone", "[execution][trace]") {
  if (!in_traced_child()) return;
  const trace_file file;
  yoke::trace trace{{.path = file.path(), .times_work = false}};
  three_steps();
  trace.finish();
  for (const yoke::trace_total& each : trace.totals()) CHECK(each.of != kind::work);
  CHECK(count(trace.totals(), kind::scope, "step") == 3);
  CHECK(trace.untimed() == 0);
}

TEST_CASE("a trace tells the threads of a program apart", "[execution][trace]") {
  if (!in_traced_child()) return;
  const trace_file file;
  yoke::trace trace{{.path = file.path()}};
  {
    const yoke::context context;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&context, i] {
        const yoke::trace_scope scope{"thread " + std::to_string(i)};
        const yoke::stream stream{context};
        yoke::device_allocation<int> x{context, 1000};
        std::vector<int> host(1000);
        for (int turn = 0; turn < 100; ++turn) {
          yoke::fill(x, i, stream);
          yoke::copy(x, host, stream);
        }
      });
    }
    for (std::thread& each : threads) each.join();
  }
  trace.finish();
  std::uint64_t work = 0;
  for (const yoke::trace_total& each : trace.totals()) work += each.of == kind::work ? each.count : 0;
  CHECK(work == 800);
  CHECK(trace.untimed() == 0);
  for (int i = 0; i < 4; ++i) CHECK(count(trace.totals(), kind::scope, "thread " + std::to_string(i)) == 1);
  CHECK_THAT(content(file.path()), ContainsSubstring("\"name\":\"thread 4\""));
}

TEST_CASE("graphs are captured and launched under a trace as without one", "[execution][trace][graph]") {
  if (!in_traced_child()) return;
  const trace_file file;
  yoke::trace trace{{.path = file.path()}};
  {
    yoke::context context;
    yoke::graph graph{context};
    yoke::device_allocation<int> x{context, 64};
    auto record = graph.record();
    yoke::fill(x, 3, record);
    auto executable = graph.instantiate();
    const yoke::stream stream{context};
    for (int i = 0; i < 5; ++i) executable.launch(stream);
    std::vector<int> host(64);
    yoke::copy(x, host, stream);
    CHECK(host[63] == 3);
    if (context.devices().front().backend_name() == std::string_view("cuda")) {
      yoke::cuda::context on{yoke::cuda::device{0}};
      yoke::cuda::stream captured{on};
      yoke::cuda::device_allocation<int> y{on, 64};
      const yoke::cuda::graph of = yoke::capture(captured, [&] { yoke::fill(y, 4, captured); });
      CHECK(yoke::cuda::node_count(of) == 1);
    }
  }
  trace.finish();
  const auto all = trace.totals();
  if (count(all, kind::call, "cuGraphLaunch") != 0) {
    CHECK(count(all, kind::work, "cuGraphLaunch") == 5);
    CHECK(count(all, kind::work, "cuMemsetD32Async") == 0);  // captured, not run
  } else {
    CHECK(count(all, kind::work, "clEnqueueFillBuffer") == 5);
  }
  CHECK(trace.untimed() == 0);
}

TEST_CASE("other streams are timed while one is captured", "[execution][trace][graph]") {
  if (!in_traced_child()) return;
  const trace_file file;
  yoke::trace trace{{.path = file.path()}};
  REQUIRE(trace);
  if (!on_cuda()) return;
  {
    const yoke::cuda::context context{yoke::cuda::device{0}};
    const yoke::cuda::stream captured{context}, other{context};
    yoke::cuda::device_allocation<int> x{context, 64}, y{context, 64};
    yoke::fill(y, 1, other);
    const yoke::cuda::graph of = yoke::capture(captured, [&] {
      yoke::fill(x, 4, captured);
      std::thread([&] { yoke::fill(y, 5, other); }).join();
    });
    CHECK(yoke::cuda::node_count(of) == 1);
    other.synchronize();
  }
  trace.finish();
  CHECK(count(trace.totals(), kind::call, "cuMemsetD32Async") == 3);
  CHECK(count(trace.totals(), kind::work, "cuMemsetD32Async") == 2);
  CHECK(trace.untimed() == 0);
}

TEST_CASE("a trace does not wait for a stream that waits for the host", "[execution][trace]") {
  if (!in_traced_child()) return;
  const trace_file file;
  yoke::trace trace{{.path = file.path()}};
  std::vector<int> host(64);
  if (on_cuda()) {
    const yoke::cuda::context context{yoke::cuda::device{0}};
    const yoke::cuda::stream stream{context};
    std::promise<void> go;
    yoke::cuda::device_allocation<int> x{context, 64};
    stream.call([&] { go.get_future().wait(); });
    yoke::fill(x, 6, stream);  // the first command of the context
    go.set_value();
    yoke::copy(x, host, stream);
  } else {
    const yoke::opencl::context context{yoke::opencl::devices().front()};
    const yoke::opencl::stream stream{context};
    yoke::opencl::device_allocation<int> x{context, 64};
    yoke::opencl::user_event go{context};
    stream.wait(go.as_event());
    yoke::fill(x, 6, stream);
    go.complete();
    yoke::copy(x, host, stream);
  }
  CHECK(host[63] == 6);
  trace.finish();
  CHECK(trace.untimed() == 0);
}

TEST_CASE("traces come and go while threads work and contexts end", "[execution][trace]") {
  if (!in_traced_child()) return;
  const trace_file file;
  yoke::trace before{{.path = file.path()}};  // so that the drivers are traced
  { const yoke::context first; }              // PoCL may crash when threads list its devices for the first time at once
  std::atomic<bool> stop{false};
  std::atomic<int> turns{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&, i] {
      while (!stop || turns < 3) {
        const yoke::context context;
        const yoke::stream stream{context};
        yoke::device_allocation<int> x{context, 100};
        std::vector<int> host(100);
        for (int turn = 0; turn < 20; ++turn) {
          yoke::fill(x, i, stream);
          yoke::copy(x, host, stream);
        }
        if (host[99] != i) std::abort();
        ++turns;
      }
    });
  }
  before.finish();
  for (int i = 0; i < 20; ++i) {
    yoke::trace trace{{.path = file.path()}};
    std::this_thread::sleep_for(std::chrono::milliseconds(5 * (i % 4)));
    trace.finish();
    for (const yoke::trace_total& each : trace.totals()) {
      CHECK(each.least.count() >= 0);
      CHECK(each.most < std::chrono::minutes(1));
    }
  }
  stop = true;
  for (std::thread& each : threads) each.join();
  CHECK(turns >= 3);
}

TEST_CASE("a second trace has the names of its own kernels and devices", "[execution][trace]") {
  if (!in_traced_child()) return;
  const trace_file file, other;
  yoke::trace first{{.path = file.path()}};
  const yoke::context context;
  const auto launch = [&](const std::string& name) {
    const auto module = yoke::compile(context, "YOKE_KERNEL " + name + "(YOKE_GLOBAL int* x) { x[0] += 1; }");
    const auto kernel = module.get_kernel<void(int*)>(name);
    const yoke::stream stream{context};
    yoke::device_allocation<int> x{context, 1};
    kernel(stream, yoke::launch_over(1), x);
    stream.synchronize();
  };
  launch("one");
  first.finish();
  launch("two");
  yoke::trace second{{.path = other.path()}};
  launch("three");
  second.finish();
  CHECK(count(second.totals(), kind::work, "three") == 1);
  CHECK(count(second.totals(), kind::work, "one") + count(second.totals(), kind::work, "two") == 0);
  const std::string written = content(other.path());
  CHECK(written.find("\"args\":{\"name\":\"\"}") == std::string::npos);
  CHECK(written.find(on_cuda() ? "(cuda:" : "(opencl)") != std::string::npos);
}

#if !defined(_WIN32)
TEST_CASE("a forked process leaves the file of a trace to its parent", "[execution][trace]") {
  if (!in_traced_child()) return;
  const trace_file file;
  yoke::trace trace{{.path = file.path()}};
  three_steps();
  const pid_t child = ::fork();
  if (child == 0) {
    trace.finish();
    ::_exit(trace ? 1 : 0);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(content(file.path()).empty());
  trace.finish();
  const std::string written = content(file.path());
  CHECK(written.find("traceEvents") == written.rfind("traceEvents"));
  CHECK_THAT(written, ContainsSubstring("\"step\""));
}
#endif

TEST_CASE("a question whose answer is no is no failure", "[execution][trace]") {
  if (!in_traced_child()) return;
  const trace_file file;
  yoke::trace trace{{.path = file.path()}};
  {
    const yoke::context context;
    const yoke::stream stream{context};
    yoke::device_allocation<float> x{context, 1 << 22};
    yoke::fill(x, 1.0f, stream);
    const auto done = stream.record();
    while (!done.is_done()) {
    }
  }
  trace.finish();
  for (const yoke::trace_total& each : trace.totals()) {
    INFO(each.name);
    CHECK(each.failures == 0);
  }
}

TEST_CASE("arrays, sorts and conditional graphs are traced and right", "[execution][trace][graph][array]") {
  if (!in_traced_child()) return;
  const trace_file file;
  yoke::trace trace{{.path = file.path()}};
  {
    const yoke::context context;
    const yoke::stream stream{context};
    auto numbers = yoke::arange<int>(1000, stream);
    yoke::device_array<int, 1> backwards{999 - numbers};
    yoke::sort(backwards);
    CHECK(yoke::sum(yoke::cast<int>(backwards == numbers)).get() == 1000);
    yoke::graph graph{context};
    yoke::device_allocation<int> value{context, 1};
    auto record = graph.record();
    yoke::fill(value, 1, record);
    record.when(value, [&](auto& line) { yoke::fill(value, 7, line); });
    try {
      auto executable = graph.instantiate();
      executable.launch(stream);
      CHECK(yoke::to_host(value, stream)[0] == 7);
    } catch (const yoke::unsupported_error&) {  // a driver without conditional nodes
    }
  }
  trace.finish();
  std::uint64_t work = 0;
  for (const yoke::trace_total& each : trace.totals()) work += each.of == kind::work ? each.count : 0;
  CHECK(work >= 4);
  CHECK(trace.untimed() == 0);
}

TEST_CASE("what a device does not end in time has no times", "[execution][trace]") {
  if (!in_traced_child()) return;
  const trace_file file;
  yoke::trace trace{{.path = file.path()}};
  yoke::context context;
  if (context.devices().front().backend_name() != std::string_view("opencl")) return;
  yoke::opencl::context on{yoke::opencl::devices().front()};
  const yoke::opencl::stream stream{on};
  yoke::opencl::device_allocation<int> x{on, 16};
  yoke::opencl::user_event go{on};
  stream.wait(go.as_event());
  yoke::fill(x, 1, stream);
  stream.flush();
  const auto before = std::chrono::steady_clock::now();
  trace.finish();
  CHECK(std::chrono::steady_clock::now() - before < std::chrono::seconds(20));
  CHECK(trace.untimed() == 1);
  go.complete();
  stream.synchronize();
}

TEST_CASE("a scope costs nothing without a trace, and may outlive one", "[execution][trace]") {
  if (!in_traced_child()) return;
  { const yoke::trace_scope none{"before"}; }
  const trace_file file;
  yoke::trace trace{{.path = file.path()}};
  {
    const yoke::trace_scope within{"within"};
    const yoke::trace_scope beyond{"beyond"};
    trace.finish();
    const trace_file other;
    yoke::trace next{{.path = other.path()}};
    { const yoke::trace_scope last{"beyond both"}; }
    next.finish();
    CHECK(next.totals().size() == 1);
  }
  CHECK(trace.totals().empty());
}

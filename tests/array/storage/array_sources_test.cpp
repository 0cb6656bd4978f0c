// SPDX-License-Identifier: MIT
// Arrays of a program's own pool or memory resource: all that is made with it, and from them, comes from there.
#include <array/array_rig.hpp>
#include <memory/counting_resource.hpp>
#include <support/sample.hpp>
#include <yoke/algorithm.hpp>
#include <yoke/fmt.hpp>
#include <yoke/random.hpp>

#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

using yoke::any_port;
using yoke::slice;
using resource = counting_resource<any_port>;

/// An mdspan of the host, as another library has one.
template <class T>
struct host_rows {
  using element_type = T;
  T* data;
  std::size_t rows;
  std::size_t columns;
  static constexpr std::size_t rank() { return 2; }
  [[nodiscard]] T* data_handle() const { return data; }
  [[nodiscard]] std::size_t extent(std::size_t axis) const { return axis == 0 ? rows : columns; }
  [[nodiscard]] std::size_t stride(std::size_t axis) const { return axis == 0 ? columns : 1; }
};

/// Arrays of a resource, and what counts the memory that is made elsewhere.
struct source_bench {
  explicit source_bench(const yoke::device<>& device)
      : on(device), source((yoke::use_array_pool(on.context, {}), std::make_shared<resource>(on.context))) {}

  /// Returns: how many blocks of memory the driver has made since a mark.
  [[nodiscard]] std::size_t made(std::size_t mark) const {
    if (on.opencl != nullptr) return on.opencl->driver.count(opencl_backend::calls::allocate, mark);
    return on.cuda->driver.count(cuda_backend::calls::allocate, mark) +
           on.cuda->driver.count(cuda_backend::calls::allocate_ordered, mark);
  }
  /// Checks that all memory of `run` comes from the resource.
  void check(const char* name, bool makes, const std::function<void()>& run) const {
    INFO(name);
    const std::size_t asked = source->asked;
    const std::size_t mark = on.mark();
    run();
    if (makes) CHECK(source->asked > asked);
    CHECK(made(mark) == source->asked - asked);
    CHECK(yoke::array_pool_statistics(on.context) == yoke::pool_statistics{});
  }

  counting_rig on;
  std::shared_ptr<resource> source;
};

/// A function that makes arrays.
struct maker {
  const char* name;  // as in <yoke/array.hpp>, and what else is said of it after a blank
  std::function<void()> run;
  bool makes = true;  // else its temporaries alone need memory
};

/// Runs `run` with what a function returned, so that a result lives until its memory was counted.
template <class Result>
void keep(std::vector<std::shared_ptr<void>>& in, Result&& result) {
  in.push_back(std::make_shared<std::remove_cvref_t<Result>>(std::forward<Result>(result)));
}

/// Returns: every function that makes an array of nothing, given a resource or a pool.
template <class From>
std::vector<maker> makers_with(const source_bench& bench, const From& from, std::vector<std::shared_ptr<void>>& kept) {
  const yoke::stream<>& stream = bench.on.stream;
  static const std::vector<float> host(12, 1.0F);
  static const float elements[]{1, 2, 3};
  static const float rows[2][3]{{1, 2, 3}, {4, 5, 6}};
  static float span[6]{};
  const auto rng = std::make_shared<yoke::random_generator>(7);
  const auto like = std::make_shared<yoke::device_array<float, 2>>(from, yoke::shape{3, 4}, stream);
  const yoke::shape<2> extents{3, 4};
#define YOKE_X_MAKER(name, ...)                                                                                        \
  {                                                                                                                    \
    name, [=, &stream, &kept] { (void)stream, (void)rng, (void)like, (void)extents, keep(kept, (__VA_ARGS__)); }       \
  }
  return {
      YOKE_X_MAKER("device_array", yoke::device_array<float, 2>(from, extents, stream)),
      YOKE_X_MAKER("device_array in F order", yoke::device_array<float, 2>(from, {3, 4}, stream, yoke::array_order::f)),
      YOKE_X_MAKER("device_value", yoke::device_value<float>(from, stream)),
      YOKE_X_MAKER("device_value that is set", yoke::device_value(from, stream, 2.0F)),
      YOKE_X_MAKER("zeros", yoke::zeros<float>({3, 4}, stream, from)),
      YOKE_X_MAKER("zeros of a shape", yoke::zeros<float>(extents, stream, from, yoke::array_order::f)),
      YOKE_X_MAKER("ones", yoke::ones<float>({3, 4}, stream, from)),
      YOKE_X_MAKER("ones of a shape", yoke::ones<float>(extents, stream, from, yoke::array_order::f)),
      YOKE_X_MAKER("eye", yoke::eye<float>(3, stream, from)),
      YOKE_X_MAKER("eye with columns", yoke::eye<float>(3, 4, stream, from)),
      YOKE_X_MAKER("eye of another diagonal", yoke::eye<float>(3, 4, 1, stream, from, yoke::array_order::f)),
      YOKE_X_MAKER("full", yoke::full(1.5F, {3, 4}, stream, from)),
      YOKE_X_MAKER("full of a shape", yoke::full<double>(1, extents, stream, from, yoke::array_order::f)),
      YOKE_X_MAKER("arange", yoke::arange(2000, stream, from)),
      YOKE_X_MAKER("arange of real numbers", yoke::arange<float>(0, 10, 2, stream, from)),
      YOKE_X_MAKER("linspace", yoke::linspace<float>(0, 1, 11, stream, from)),
      YOKE_X_MAKER("to_device_array", yoke::to_device_array(host, {3, 4}, stream, from)),
      YOKE_X_MAKER("to_device_array in F order",
                   yoke::to_device_array(host, extents, stream, from, yoke::array_order::f)),
      YOKE_X_MAKER("to_device_array of a range", yoke::to_device_array(host, stream, from)),
      YOKE_X_MAKER("to_device_array of elements", yoke::to_device_array(elements, stream, from)),
      YOKE_X_MAKER("to_device_array of rows", yoke::to_device_array(rows, stream, from)),
      YOKE_X_MAKER("to_device_array of an mdspan", yoke::to_device_array(host_rows<float>{span, 2, 3}, stream, from)),
      YOKE_X_MAKER("empty_like", yoke::empty_like(*like, from)),
      YOKE_X_MAKER("zeros_like", yoke::zeros_like(*like, from)),
      YOKE_X_MAKER("ones_like", yoke::ones_like(*like, from)),
      YOKE_X_MAKER("full_like", yoke::full_like(*like, 3, from)),
      YOKE_X_MAKER("uniform", rng->template uniform<float>({3, 4}, stream, from)),
      YOKE_X_MAKER("uniform of a shape", rng->template uniform<float>(extents, stream, from, -1.0F, 1.0F)),
      YOKE_X_MAKER("normal", rng->template normal<float>({3, 4}, stream, from, 10.0F, 2.0F)),
      YOKE_X_MAKER("normal of a shape", rng->template normal<float>(extents, stream, from)),
      YOKE_X_MAKER("integers", rng->template integers<int>({3, 4}, stream, from, 1, 7)),
      YOKE_X_MAKER("integers of a shape", rng->template integers<int>(extents, stream, from, 1, 7)),
      YOKE_X_MAKER("bits", rng->template bits<std::uint32_t>({3, 4}, stream, from)),
      YOKE_X_MAKER("bits of a shape", rng->template bits<std::uint32_t>(extents, stream, from)),
      YOKE_X_MAKER("selection", yoke::selection<float>(from, stream, 10)),
      YOKE_X_MAKER("parted", yoke::parted<float>(from, stream, 10)),
  };
#undef YOKE_X_MAKER
}

/// Arrays that the functions of `makers_from` take.
struct operands {
  yoke::device_array<float, 1> a;   // 96 numbers
  yoke::device_array<float, 2> m;   // 8 rows of 12
  yoke::device_array<int, 1> keys;  // 96 numbers from 0 to 3, in order
  yoke::device_array<int, 1> at;    // three indices
  std::optional<yoke::lists<float>> grouped;
};

/// Returns: every function that makes an array from arrays.
std::vector<maker> makers_from(operands& of, std::vector<std::shared_ptr<void>>& kept) {
  operands* const in = &of;
#define YOKE_X_MAKER(name, ...)                                                                                        \
  {                                                                                                                    \
    name, [in, &kept] {                                                                                                \
      [[maybe_unused]] auto& [a, m, keys, at, grouped] = *in;                                                          \
      keep(kept, (__VA_ARGS__));                                                                                       \
    }                                                                                                                  \
  }
#define YOKE_X_CHANGE(name, ...)                                                                                       \
  {                                                                                                                    \
    name,                                                                                                              \
        [in] {                                                                                                         \
          [[maybe_unused]] auto& [a, m, keys, at, grouped] = *in;                                                      \
          __VA_ARGS__;                                                                                                 \
        },                                                                                                             \
        false                                                                                                          \
  }
  return {
    // Of the array itself.
    YOKE_X_MAKER("copy", a.copy()), YOKE_X_MAKER("copy of a view", m(slice(0, yoke::none, 2), slice(1, 5)).copy()),
        YOKE_X_MAKER("copy by a constructor", yoke::device_array(m(1, slice(0, 5)))),
        YOKE_X_MAKER("astype", a.astype<double>()), YOKE_X_MAKER("reshape_copy", m.transpose().reshape_copy({4, -1})),
        YOKE_X_MAKER("empty_like", yoke::empty_like(m)),
        YOKE_X_MAKER("empty_like of a view", yoke::empty_like(m.transpose())),
        YOKE_X_MAKER("zeros_like", yoke::zeros_like(m)), YOKE_X_MAKER("ones_like", yoke::ones_like(m)),
        YOKE_X_MAKER("full_like", yoke::full_like(m, 2)),
        YOKE_X_CHANGE("to_host", (void)m(slice(0, yoke::none, 3), slice(0, yoke::none, 5)).to_host()),
        YOKE_X_CHANGE("assign", m(slice(0, yoke::none, 3), slice(0, yoke::none, 5)).assign(std::vector<float>(9))),
        YOKE_X_CHANGE("fill", m(slice(0, yoke::none, 3), slice(0, yoke::none, 5)) = 7),
        YOKE_X_CHANGE("printed", (void)fmt::format("{}", yoke::arange<int>(2000, a.stream()))),
        // Of expressions.
        YOKE_X_MAKER("an expression", yoke::device_array(2 * a)),
        YOKE_X_MAKER("an expression of two arrays", yoke::device_array<float, 1>(a + a(yoke::reversed))),
        YOKE_X_MAKER("evaluate", yoke::evaluate(sqrt(a) + 1)),
        YOKE_X_CHANGE("an expression for the host", (void)(a + 1).to_host()),
        YOKE_X_CHANGE("an expression through a temporary", a = a(yoke::reversed) + 1),
        YOKE_X_MAKER("the result of a pass", yoke::device_array(yoke::pass::cumsum(a))),
        // Reductions.
        YOKE_X_MAKER("sum", yoke::sum(a)), YOKE_X_MAKER("sum along", yoke::sum(m, yoke::along(1))),
        YOKE_X_MAKER("prod", yoke::prod(a)), YOKE_X_MAKER("min", yoke::min(a)),
        YOKE_X_MAKER("max", yoke::max(m, yoke::along(0))), YOKE_X_MAKER("argmin", yoke::argmin(a)),
        YOKE_X_MAKER("argmax", yoke::argmax(a)), YOKE_X_MAKER("any", yoke::any(a > 3)),
        YOKE_X_MAKER("all", yoke::all(a > 3)), YOKE_X_MAKER("count", yoke::count(a > 3)),
        YOKE_X_MAKER("mean", yoke::mean(a)), YOKE_X_MAKER("norm", yoke::norm(a)),
        YOKE_X_MAKER("variance", yoke::variance(a)), YOKE_X_MAKER("variance along", yoke::variance(m, yoke::along(1))),
        YOKE_X_MAKER("count_nonzero", yoke::count_nonzero(a)), YOKE_X_MAKER("dot", yoke::dot(a, a)),
        YOKE_X_MAKER("vdot", yoke::vdot(a, a)), YOKE_X_MAKER("reduce", yoke::reduce<"a + b", "0">(a)),
        YOKE_X_MAKER("reduce along", yoke::reduce<"a + b", "0">(m, yoke::along(0))),
        YOKE_X_MAKER("in_one_pass", yoke::in_one_pass(yoke::pass::sum(a), yoke::pass::max(a))),
        YOKE_X_MAKER("a reduction kernel",
                     yoke::reduction_kernel<float(const float*)>(a.stream().context_of(), {"x"},
                                                                 {.map = "x[i]", .join = "a + b", .neutral = "0"})(a)),
        // Scans.
        YOKE_X_MAKER("cumsum", yoke::cumsum(a)), YOKE_X_MAKER("softmax", yoke::softmax(m, yoke::along(1))),
        YOKE_X_MAKER("log_softmax", yoke::log_softmax(m, yoke::along(1))),
        YOKE_X_MAKER("logsumexp", yoke::logsumexp(m, yoke::along(1))),
        YOKE_X_MAKER("normalise", yoke::normalise(m, yoke::along(1))),
        YOKE_X_MAKER("cumsum along", yoke::cumsum(m, yoke::along(0))), YOKE_X_MAKER("cumprod", yoke::cumprod(a)),
        YOKE_X_MAKER("cummin", yoke::cummin(a)), YOKE_X_MAKER("cummax", yoke::cummax(a)),
        YOKE_X_MAKER("inclusive_scan", yoke::inclusive_scan<"a + b", "0">(a)),
        YOKE_X_MAKER("exclusive_scan", yoke::exclusive_scan<"a + b", "0">(a)),
        // Sorts.
        YOKE_X_MAKER("sorted", yoke::sorted(a)), YOKE_X_MAKER("sorted rows", yoke::sorted(m)),
        YOKE_X_MAKER("argsort", yoke::argsort<std::int32_t>(a)),
        YOKE_X_MAKER("argsort_by", yoke::argsort_by<std::int32_t>(keys, a)), YOKE_X_CHANGE("sort", yoke::sort(a)),
        YOKE_X_CHANGE("sort of columns", yoke::sort(m.transpose())),
        YOKE_X_CHANGE("sort_by_key",
                      {
                        auto other = keys.copy();
                        yoke::sort_by_key(other, a);
                      }),
        // Selections.
        YOKE_X_MAKER("copy_if", yoke::copy_if(a, a > 3)), YOKE_X_MAKER("remove_if", yoke::remove_if(a, a > 3)),
        YOKE_X_MAKER("partition", yoke::partition(a, a > 3)), YOKE_X_MAKER("unique", yoke::unique(keys)),
        YOKE_X_MAKER("indices_where", yoke::indices_where(a > 3)),
        YOKE_X_MAKER("a selection's elements", yoke::device_array(yoke::copy_if(a, a > 3).view())),
        YOKE_X_MAKER("top_k", yoke::top_k(m, 3)),
        // Joined arrays, differences.
        YOKE_X_MAKER("concatenate", yoke::concatenate(a, 2 * a)), YOKE_X_MAKER("stack", yoke::stack(a, a)),
        YOKE_X_MAKER("hstack", yoke::hstack(m, m)), YOKE_X_MAKER("diff", yoke::device_array(yoke::diff(a))),
        // Indices, searches, counts.
        YOKE_X_MAKER("multi_take", yoke::multi_take(std::tie(a, keys), at)),
        YOKE_X_CHANGE("multi_put", const auto some = yoke::take(a, at);
                      yoke::multi_put(std::tie(a), at, std::tie(some))),
        YOKE_X_MAKER("take", yoke::take(a, at)), YOKE_X_MAKER("take along", yoke::take(m, at, yoke::along(0))),
        YOKE_X_CHANGE("put", yoke::put(a, at, 1)), YOKE_X_CHANGE("check_indices", yoke::check_indices(at, 96)),
        YOKE_X_MAKER("lower_bound", yoke::lower_bound(keys, keys)),
        YOKE_X_MAKER("upper_bound", yoke::upper_bound(keys, keys + 1)),
        YOKE_X_MAKER("bincount", yoke::bincount(keys, 4)),
        YOKE_X_MAKER("bincount of weights", yoke::bincount(keys, a, 4)),
        YOKE_X_MAKER("histogram", yoke::histogram(a, 10, 0, 96)),
        YOKE_X_MAKER("histogram of edges", yoke::histogram(keys, at)),
        // Keys and lists.
        YOKE_X_MAKER("group_by_key", yoke::group_by_key(keys, a, 4)),
        YOKE_X_MAKER("without_empty", yoke::group_by_key(keys, a, 6).without_empty()),
        YOKE_X_MAKER("run_lengths", yoke::run_lengths(keys)),
        YOKE_X_MAKER("reduce_by_key", yoke::reduce_by_key<"a + b", "0">(keys, a)),
        YOKE_X_MAKER("sum_each", yoke::sum_each(*grouped)),
        YOKE_X_MAKER("reduce_each", yoke::reduce_each<"yoke_max(a, b)", "0">(*grouped)),
        YOKE_X_MAKER("list_builder",
                     yoke::list_builder<void(const int*), std::tuple<yoke::named_list<"out", int>>>(
                         a.stream().context_of(), {"x"}, {.body = "if (x[i] > 0) append_out(x[i]);"})(96, keys)),
        // What is made from these arrays in another stream.
        YOKE_X_MAKER("bind", [](auto& from) {
          from.stream().synchronize();
          const yoke::stream<> other(from.stream().context_of());
          yoke::device_array made(3 * from.bind(other));
          other.synchronize();
          return made;
        }(a)),
  };
#undef YOKE_X_MAKER
#undef YOKE_X_CHANGE
}

operands make_operands(const source_bench& bench, const auto& from) {
  const yoke::stream<>& stream = bench.on.stream;
  std::vector<int> keys(96);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<int>(i / 24);
  operands made{yoke::arange<float>(96, stream, from),
                yoke::ones<float>({8, 12}, stream, from),
                yoke::to_device_array(keys, stream, from),
                yoke::to_device_array({1, 3, 5}, stream, from),
                {}};
  made.grouped.emplace(yoke::group_by_key(made.keys, made.a, 4));
  return made;
}

/// Returns: the words before the first blank.
std::string first_word(std::string_view name) { return std::string(name.substr(0, name.find(' '))); }

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("what is made with a resource comes from there", "[array][pool][sampled]") {
  const source_bench bench(device);
  std::vector<std::shared_ptr<void>> kept;
  for (const maker& each : makers_with(bench, bench.source, kept)) bench.check(each.name, each.makes, each.run);
  kept.clear();
  CHECK(bench.source->live == 0);
  CHECK(bench.source.use_count() == 1);
}

YOKE_ANY_DEVICE_TEST_CASE("what is made with a pool comes from there", "[array][pool]") {
  const source_bench bench(device);
  const yoke::memory_pool<> pool(bench.source);
  std::vector<std::shared_ptr<void>> kept;
  for (const maker& each : makers_with(bench, pool, kept)) {
    INFO(each.name);
    const std::size_t active = pool.statistics().active_blocks;
    const std::size_t mark = bench.on.mark();
    const std::size_t asked = bench.source->asked;
    each.run();
    CHECK(pool.statistics().active_blocks > active);
    CHECK(bench.made(mark) == bench.source->asked - asked);
    CHECK(yoke::array_pool_statistics(bench.on.context) == yoke::pool_statistics{});
  }
  kept.clear();
  CHECK(pool.statistics().active_blocks == 0);
}

YOKE_ANY_DEVICE_TEST_CASE("what is made from arrays of a resource comes from there", "[array][pool][sampled]") {
  const source_bench bench(device);
  operands of = make_operands(bench, bench.source);
  std::vector<std::shared_ptr<void>> kept;
  turns turn(device);
  for (const maker& each : makers_from(of, kept)) {
    if (turn()) bench.check(each.name, each.makes, each.run);
  }
  kept.clear();
  of = operands{};
  CHECK(bench.source->live == 0);
  CHECK(bench.source.use_count() == 1);
}

YOKE_ANY_DEVICE_TEST_CASE("the tables of this file have every function that makes arrays", "[array][pool]") {
  if (!takes(device, "opencl")) return;
  const source_bench bench(device);
  operands of = make_operands(bench, bench.source);
  std::vector<std::shared_ptr<void>> kept;
  std::set<std::string> tested;
  for (const maker& each : makers_with(bench, bench.source, kept)) tested.insert(first_word(each.name));
  for (const maker& each : makers_from(of, kept)) tested.insert(first_word(each.name));
  // Functions that make no array: of host memory, parts of other calls, and the choice of libraries.
  const std::set<std::string> others{"copy_to_mdspan", "linalg_library", "philox4x32",
                                     "random_header",  "segments",       "use_linalg"};

  const auto text_of = [](const std::filesystem::path& file) {
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  };
  const std::filesystem::path root = std::filesystem::path(YOKE_TEST_DOCS_DIR).parent_path();
  const std::string module = text_of(root / "src/module/yoke.cppm");
  std::string headers = text_of(root / "include/yoke/array/storage/make_array.hpp") +
                        text_of(root / "include/yoke/array/expression/expression.hpp");
  for (const char* folder : {"include/yoke/array/reduction", "include/yoke/algorithm"}) {
    for (const auto& each : std::filesystem::directory_iterator(root / folder)) {
      if (each.path().extension() == ".hpp") headers += text_of(each.path());
    }
  }
  std::set<std::string> declared;
  // A declaration in a namespace, or a line of a list of functions.
  const std::regex function(
      R"((?:^|\n)(?:\[\[nodiscard\]\] |void )[^\n(]*?\b(\w+)\(|\nYOKE_X_(?:REDUCTION|SCAN|BOUND)\((\w+))");
  for (std::sregex_iterator at(headers.begin(), headers.end(), function), end; at != end; ++at) {
    const std::string name = (*at)[1].matched ? (*at)[1].str() : (*at)[2].str();
    if (module.find("using yoke::" + name + ";") != std::string::npos) declared.insert(name);
  }
  CHECK(declared.size() > 40);
  for (const std::string& each : declared) {
    INFO(each << " makes arrays, or says here that it makes none");
    CHECK((tested.count(each) + others.count(each)) == 1);
  }
}

YOKE_DEVICE_TEST_CASE("an array keeps its pool open, and a resource alive", "[array][pool]") {
  rig on(device);
  yoke::use_array_pool(on.context, {});
  const auto source = std::make_shared<counting_resource<port>>(on.context);
  std::optional<yoke::device_array<float, 1, port>> a;
  {
    const yoke::memory_pool<port> pool(source);
    a.emplace(yoke::arange<float>(1000, on.stream, pool));
  }
  {
    const yoke::device_array b(2 * *a);  // the pool's handle has ended
    CHECK(source->live == 2);
    CHECK(b.to_host()[999] == 1998);
  }
  CHECK(source->live == 2);  // idle in the pool
  const std::size_t asked = source->asked;
  a.emplace(*a + 1);
  CHECK(source->asked == asked);
  CHECK(a->to_host()[0] == 1);
  a.reset();
  CHECK(source->live == 0);

  const std::weak_ptr<counting_resource<port>> alone = [&] {
    auto other = std::make_shared<counting_resource<port>>(on.context);
    a.emplace(yoke::ones<float>({1000}, on.stream, other));
    return std::weak_ptr(other);
  }();
  CHECK_FALSE(alone.expired());
  const yoke::device_array last(*a + 1);
  a.reset();
  REQUIRE_FALSE(alone.expired());
  CHECK(alone.lock()->live == 1);
  CHECK(last.to_host()[0] == 2);
  CHECK(yoke::array_pool_statistics(on.context) == yoke::pool_statistics{});
}

YOKE_DEVICE_TEST_CASE("an array that takes an allocation over goes on with its pool", "[array][pool]") {
  rig on(device);
  yoke::use_array_pool(on.context, {});
  const auto source = std::make_shared<counting_resource<port>>(on.context);
  using allocation = backend::device_allocation<float>;
  using array = yoke::device_array<float, 1, port>;
  {
    const array a(allocation(source, 10, on.stream), {10}, on.stream);
    const array b(yoke::zeros_like(a));
    CHECK(source->live == 2);
  }
  // A resource of one block gives no other.
  class one_block final : public yoke::deferred_allocator<port> {
   public:
    using yoke::deferred_allocator<port>::deferred_allocator;
    [[nodiscard]] bool serves_arrays() const noexcept override { return false; }
  };
  {
    const array a(allocation(std::make_shared<one_block>(on.context), 10, on.stream), {10}, on.stream);
    const array b(yoke::zeros_like(a));
    CHECK(yoke::array_pool_statistics(on.context).active_blocks == 1);
  }
  yoke::trim_array_pool(on.context);
  std::optional<yoke::memory_pool<port>> pool(source);
  std::optional<array> a(std::in_place, allocation(*pool, 10, on.stream), yoke::shape{10}, on.stream);
  std::optional<array> b(yoke::zeros_like(*a));
  CHECK(pool->statistics().active_blocks == 2);
  // Plain memory has no pool, whatever the stream's handle says.
  const array plain(allocation(on.context, 10, a->stream()), {10}, a->stream());
  const array third(yoke::zeros_like(plain));
  CHECK(pool->statistics().active_blocks == 2);
  CHECK(yoke::array_pool_statistics(on.context).active_blocks == 1);
  allocation late(*pool, 10, on.stream);
  pool.reset();
  a.reset();
  b.reset();
  CHECK(source->live == 1);  // the pool has ended
  const array c(std::move(late), {10}, on.stream);
  const array d(yoke::zeros_like(c));
  CHECK(source->live == 1);
  CHECK(yoke::array_pool_statistics(on.context).active_blocks == 2);
}

YOKE_DEVICE_TEST_CASE("the first array of an expression says where its result comes from", "[array][pool]") {
  rig on(device);
  yoke::use_array_pool(on.context, {});
  const yoke::memory_pool<port> first(on.context), second(on.context);
  const auto a = yoke::ones<float>({100}, on.stream, first);
  const auto b = yoke::ones<float>({100}, on.stream, second);
  const auto c = yoke::ones<float>({100}, on.stream);
  const yoke::device_array ab(a + b), ba(b + a), ca(c + a);
  CHECK(first.statistics().active_blocks == 2);
  CHECK(second.statistics().active_blocks == 2);
  CHECK(yoke::array_pool_statistics(on.context).active_blocks == 2);
  // A view in another stream, and what its results make, too.
  const backend::stream other(on.context);
  on.stream.synchronize();
  const yoke::device_array bound(2 * a.bind(other));
  const yoke::device_array more(bound + 1);
  CHECK(first.statistics().active_blocks == 4);
  CHECK(more.stream().native_handle() == other.native_handle());
  // Memory that is moved takes its pool along; elements that are assigned do not.
  auto d = yoke::ones<float>({100}, on.stream, first);
  d = yoke::zeros<float>({100}, on.stream);
  CHECK(first.statistics().active_blocks == 4);
  d = a + 1;
  CHECK(yoke::zeros_like(d).size() == 100);
  CHECK(first.statistics().active_blocks == 4);
}

YOKE_DEVICE_TEST_CASE("arrays of bad pools and resources are errors", "[array][pool]") {
  rig on(device);
  const auto other = Backend::another_context(on.device);
  const yoke::memory_pool<port> foreign(other);
  yoke::memory_pool<port> gone(on.context);
  const yoke::memory_pool<port> pool(std::move(gone));
  refusal<yoke::logic_error>(yoke::errc::wrong_context, [&] { (void)yoke::zeros<float>({4}, on.stream, foreign); });
  refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { (void)yoke::arange(4, on.stream, gone); });
  refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] {
    (void)yoke::ones<float>({4}, on.stream, std::shared_ptr<yoke::memory_resource<port>>());
  });
  refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { (void)yoke::arange(4, backend::stream(), pool); });
  // A pool's limit, and a resource without memory.
  const yoke::memory_pool<port> small(on.context, {.limit_bytes = 1000});
  const auto a = yoke::arange<float>(100, on.stream, small);
  CHECK_THAT(refusal<yoke::memory_error>(yoke::errc::out_of_memory, [&] { (void)yoke::cast<double>(a).to_host(); }),
             ContainsSubstring("its limit is 1000 bytes"));
  CHECK(a.to_host()[99] == 99);
  CHECK(small.statistics().active_blocks == 1);
}

YOKE_DEVICE_TEST_CASE("an array of any backend goes on with the pool of a backend's array", "[array][pool][any]") {
  rig on(device);
  yoke::use_array_pool(on.context, {});
  const auto context = yoke::as_any(on.context);
  yoke::use_array_pool(context, {});
  const yoke::memory_pool<port> pool(on.context);
  {
    auto a = yoke::arange<float>(100, on.stream, pool);
    std::optional<yoke::device_array<float, 1>> b(2 * yoke::as_any(a));
    CHECK(pool.statistics().active_blocks == 2);
    CHECK(b->to_host()[99] == 198);
    // In another stream, which uses the first one's array, too.
    const yoke::stream<> other(context);
    on.stream.synchronize();
    const yoke::device_array c(yoke::as_any(a).bind(other) + b->bind(other));
    CHECK(pool.statistics().active_blocks == 3);
    b.reset();
    CHECK(pool.statistics().active_blocks == 2);
    CHECK(c.to_host()[99] == 297);
    const yoke::device_array<float, 1> moved = yoke::as_any(std::move(a));
    const yoke::device_array d(yoke::sorted(moved));
    CHECK(pool.statistics().active_blocks == 3);
    CHECK(d.to_host()[1] == 1);
  }
  CHECK(pool.statistics().active_blocks == 0);
  CHECK(yoke::array_pool_statistics(on.context) == yoke::pool_statistics{});
  CHECK(yoke::array_pool_statistics(context) == yoke::pool_statistics{});
}

// SPDX-License-Identifier: MIT
// The file of a trace, read by a library for JSON where there is one.
#include <support/catch.hpp>
#include <support/process/in_child.hpp>
#include <support/process/temporary_folder.hpp>

#include <yoke/trace.hpp>
#include <yoke/yoke.hpp>

#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#if __has_include(<nlohmann/json.hpp>)
#include <nlohmann/json.hpp>

using namespace yoke_test;

TEST_CASE("a trace's file has each call and each command once, in rows of threads and streams", "[execution][trace]") {
  if (!in_child({{"YOKE_TRACE", ""}})) return;
  const temporary_folder folder;
  const std::string path = (folder.path() / "trace.json").string();
  const std::string odd = "a \"scope\" \\ with\n\ttabs, \x01 and \xC3\xA4";
  yoke::trace trace{{.path = path}};
  {
    const yoke::trace_scope scope{odd}, broken{"\xFF\xC3 \xED\xA0\x80"};
    yoke::context context;
    const auto module =
        yoke::compile(context, "YOKE_KERNEL advance(YOKE_GLOBAL float* x) { x[get_global_id(0)] += 1.0f; }");
    const auto advance = module.get_kernel<void(float*)>("advance");
    const yoke::stream first{context}, second{context};
    yoke::device_allocation<float> x{context, 4096}, y{context, 4096};
    yoke::fill(x, 0.0f, first);
    yoke::fill(y, 0.0f, second);
    advance(first, yoke::launch_over(4096, 64), x);
    advance(second, yoke::launch_over(4096, 64), y);
    first.synchronize();
    second.synchronize();
  }
  trace.finish();

  std::ifstream file(path);
  const auto all = nlohmann::json::parse(file);
  CHECK(all.at("otherData").at("calls left out") == 0);
  std::map<std::pair<int, int>, std::string> rows;
  std::map<int, std::string> processes;
  std::map<std::size_t, double> starts;
  std::set<std::size_t> ends;
  std::size_t calls = 0, launches = 0;
  std::set<int> streams;
  bool has_scope = false;
  for (const auto& each : all.at("traceEvents")) {
    const std::string phase = each.at("ph");
    const int process = each.at("pid"), row = each.at("tid");
    if (phase == "M") {
      const std::string name = each.at("args").at("name");
      (each.at("name") == "process_name" ? processes[process] : rows[{process, row}]) = name;
    } else if (phase == "X") {
      REQUIRE(rows.count({process, row}) == 1);
      CHECK(each.at("ts").get<double>() >= 0);
      CHECK(each.at("dur").get<double>() >= 0);
      const std::string name = each.at("name");
      if (name == odd) {
        has_scope = true;
        const std::string at = each.at("args").at("at");
        CHECK(at.find("trace_file_test.cpp:") != std::string::npos);
      }
      calls += process == 1 ? 1U : 0U;
      if (process != 1 && name == "advance") {
        ++launches;
        streams.insert(row);
        CHECK(each.at("args").at("threads") == nlohmann::json({4096, 1, 1}));
        CHECK(each.at("args").at("block") == nlohmann::json({64, 1, 1}));
      }
    } else if (phase == "s") {
      CHECK(starts.emplace(each.at("id").get<std::size_t>(), each.at("ts").get<double>()).second);
    } else if (phase == "f") {
      const std::size_t id = each.at("id");
      CHECK(ends.insert(id).second);
      REQUIRE(starts.count(id) == 1);
      CHECK(each.at("ts").get<double>() >= starts[id]);  // work begins behind its call
    }
  }
  CHECK(has_scope);
  CHECK(processes.size() == 2);
  CHECK(processes[1] == "host");
  CHECK(launches == 2);
  CHECK(streams.size() == 2);
  CHECK(starts.size() == 4);
  CHECK(ends.size() == 4);
  CHECK(calls > 20);
}
#endif

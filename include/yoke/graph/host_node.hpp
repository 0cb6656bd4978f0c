// SPDX-License-Identifier: MIT
// Host functions as nodes of graphs, which the graph keeps and each launch calls.
#ifndef YOKE_GRAPH_HOST_NODE_HPP
#define YOKE_GRAPH_HOST_NODE_HPP

#include <yoke/core/cleanup.hpp>

#include <utility>

namespace yoke::inline v0_1::detail {

class host_node {
 public:
  host_node() = default;
  host_node(const host_node&) = delete;
  host_node& operator=(const host_node&) = delete;
  virtual void run() = 0;

 protected:
  ~host_node() = default;
};

template <class Function>
class host_node_of final : public host_node {
 public:
  explicit host_node_of(Function&& function) : function_(std::move(function)) {}
  void run() override { function_(); }

 private:
  Function function_;
};

/// Effects: runs the node and hands its exception to the cleanup handler. Drivers get this function.
inline void run_host_node(void* node) noexcept {
  try {
    static_cast<host_node*>(node)->run();
  } catch (...) {
    report_cleanup_exception("a host function of a graph");
  }
}

}  // namespace yoke::inline v0_1::detail

#endif

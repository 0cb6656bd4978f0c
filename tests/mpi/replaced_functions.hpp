// SPDX-License-Identifier: MIT
// Tables of MPI's functions that count, fail and lie, in place of the linked ones.
#ifndef YOKE_TESTS_MPI_REPLACED_FUNCTIONS_HPP
#define YOKE_TESTS_MPI_REPLACED_FUNCTIONS_HPP

#include <mpi/ranks.hpp>
#include <support/faults/allocation_pause.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace yoke_test {

/// What the replaced functions do, and what they have seen.
struct function_log {
  std::vector<const char*> calls;          // MPI's names, in order
  std::size_t fails_at = ~std::size_t{0};  // the number of the call that fails
  bool fails_for_ever = false;             // and all after it
  const char* failed = "";                 // the first that failed
  int requests = 0;                        // in flight
  int communicators = 0;
  int operators = 0;

  [[nodiscard]] bool fails(const char* name) {
    const std::size_t number = calls.size();
    calls.push_back(name);
    if (number != fails_at && !(fails_for_ever && number > fails_at)) return false;
    if (*failed == '\0') failed = name;
    return true;
  }
  void begin(std::size_t at, bool for_ever) {
    calls.clear();
    fails_at = at;
    fails_for_ever = for_ever;
    failed = "";
    requests = communicators = operators = 0;
  }
};
inline function_log& functions_seen() {
  static function_log log;
  return log;
}

namespace replaced {

/// Effects: ends a request of MPI, because a test that fails must not leave it: real ones have ended then.
inline void end_request(MPI_Request* request) {
  for (int turn = 0; turn < 1000; ++turn) {
    int is_done = 0;
    if (MPI_Test(request, &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS || is_done != 0) return;
  }
  (void)MPI_Cancel(request);
  (void)MPI_Wait(request, MPI_STATUS_IGNORE);
}

template <auto Member, class... Args>
int call(const char* name, Args... args) {
  const allocation_pause pause;  // MPI and the log may not fail
  function_log& log = functions_seen();
  constexpr bool is_test = std::is_same_v<decltype(Member), decltype(&mpi::functions::test)> &&
                           std::is_same_v<std::tuple<Args...>, std::tuple<MPI_Request*, int*, MPI_Status*>>;
  if (log.fails(name)) {
    if constexpr (is_test) {
      end_request(std::get<0>(std::tuple<Args...>(args...)));
      --log.requests;
    }
    return MPI_ERR_OTHER;
  }
  const int code = (mpi::linked_functions.*Member)(args...);
  const std::string_view called = name;
  if (code == MPI_SUCCESS) {
    if (called.starts_with("MPI_I") && called != "MPI_Initialized" && called != "MPI_Init_thread") ++log.requests;
    if (called == "MPI_Comm_dup" || called == "MPI_Comm_split_type" || called == "MPI_Comm_split") ++log.communicators;
    if (called == "MPI_Comm_free") --log.communicators;
    if (called == "MPI_Op_create") ++log.operators;
    if (called == "MPI_Op_free") --log.operators;
    if constexpr (is_test) {
      if (*std::get<1>(std::tuple<Args...>(args...)) != 0) --log.requests;
    }
  }
  return code;
}

template <auto Member, class Function>
struct replacement;
template <auto Member, class... Args>
struct replacement<Member, int (*)(Args...)> {
  template <std::size_t Number>
  static int function(Args... args) {
    return call<Member>(names[Number], args...);
  }
  static constexpr const char* names[] = {
#define YOKE_TEST_NAME(name, symbol) #symbol,
      YOKE_MPI_FUNCTIONS(YOKE_TEST_NAME)
#undef YOKE_TEST_NAME
  };
};
enum class number : std::size_t {
#define YOKE_TEST_NUMBER(name, symbol) name,
  YOKE_MPI_FUNCTIONS(YOKE_TEST_NUMBER)
#undef YOKE_TEST_NUMBER
};

}  // namespace replaced

/// The functions that count and fail as `functions_seen()` says.
inline constexpr mpi::functions counted_functions{
#define YOKE_TEST_ENTRY(name, symbol)                                                                                  \
  &replaced::replacement<&mpi::functions::name, decltype(mpi::functions::name)>::template function<                    \
      static_cast<std::size_t>(replaced::number::name)>,
    YOKE_MPI_FUNCTIONS(YOKE_TEST_ENTRY)
#undef YOKE_TEST_ENTRY
};

}  // namespace yoke_test

#endif

// SPDX-License-Identifier: MIT
// Sessions: who begins and ends MPI, levels of threads, and exceptions that end one.
#include <mpi/ranks.hpp>

using namespace yoke_test;

namespace {

/// What a table plays and has seen.
struct played {
  int has_begun = 0;
  int is_over = 0;
  int level = MPI_THREAD_SERIALIZED;
  int asked = 0;
  int inits = 0, finals = 0, aborts = 0;
};
played& play() {
  static played state;
  return state;
}
const mpi::functions& played_functions() {
  static const mpi::functions table = [] {
    mpi::functions made = mpi::linked_functions;
    made.initialized = [](int* flag) -> int {
      *flag = play().has_begun;
      return MPI_SUCCESS;
    };
    made.finalized = [](int* flag) -> int {
      *flag = play().is_over;
      return MPI_SUCCESS;
    };
    made.init_thread = [](int*, char***, int asked, int* given) -> int {
      play().asked = asked;
      ++play().inits;
      *given = play().level;
      return MPI_SUCCESS;
    };
    made.query_thread = [](int* given) -> int {
      *given = play().level;
      return MPI_SUCCESS;
    };
    made.finalize = []() -> int {
      ++play().finals;
      return MPI_SUCCESS;
    };
    made.abort = [](MPI_Comm, int) -> int {
      ++play().aborts;
      return MPI_SUCCESS;
    };
    return made;
  }();
  return table;
}
/// A session by the table.
struct session_of_table : mpi::session {
  explicit session_of_table(const mpi::session_options& options = {})
      : mpi::session(played_functions(), &mpi::detail::linked_library_refuses, nullptr, nullptr, options) {}
};

}  // namespace

TEST_CASE("a session begins MPI and ends it, unless the program has begun it") {
  play() = {};
  {
    const session_of_table own({.threads = mpi::threads::funneled});
    CHECK(play().inits == 1);
    CHECK(play().asked == MPI_THREAD_FUNNELED);
    CHECK(own.threads() == mpi::threads::serialized);
  }
  CHECK(play().finals == 1);
  play() = {.has_begun = 1, .level = MPI_THREAD_MULTIPLE};
  {
    const session_of_table guest({.threads = mpi::threads::multiple});
    CHECK(guest.threads() == mpi::threads::multiple);
  }
  CHECK(play().inits == 0);
  CHECK(play().finals == 0);
  const mpi::session again;  // MPI has begun in this program
  CHECK(again.world().size() == world().size());
}

TEST_CASE("a session that cannot be is refused") {
  play() = {.is_over = 1};
  CHECK_THROWS_WITH(session_of_table(), ContainsSubstring("MPI has been finalised, and cannot begin again"));
  play() = {.level = MPI_THREAD_FUNNELED};
  try {
    const session_of_table few({.threads = mpi::threads::multiple});
    FAIL("the library has a lower level");
  } catch (const yoke::unsupported_error& failure) {
    CHECK_THAT(failure.what(),
               ContainsSubstring("this MPI offers threads::funneled, and the session asks for threads::multiple"));
  }
  CHECK(play().finals == 1);  // what it had begun
}

TEST_CASE("an exception that leaves a session ends the job, one that is caught inside does not") {
  play() = {};
  try {
    const session_of_table own;
    throw 5;
  } catch (int) {
  }
  CHECK(play().aborts == 1);
  play() = {};
  {
    const session_of_table own;
    try {
      throw 5;
    } catch (int) {
    }
  }
  CHECK(play().aborts == 0);
  play() = {};
  try {
    const session_of_table own({.abort_on_exception = false});
    throw 5;
  } catch (int) {
  }
  CHECK(play().aborts == 0);
  CHECK(play().finals == 1);
}

TEST_CASE("communicators need MPI to have begun, and not to have ended") {
  play() = {};
  CHECK_THROWS_WITH(mpi::communicator<>(played_functions(), &mpi::detail::linked_library_refuses, MPI_COMM_SELF, {}),
                    ContainsSubstring("MPI is not initialised: a communicator needs an mpi::session"));
  play() = {.has_begun = 1, .is_over = 1};
  CHECK_THROWS_WITH(mpi::communicator<>(played_functions(), &mpi::detail::linked_library_refuses, MPI_COMM_SELF, {}),
                    ContainsSubstring("MPI has been finalised"));
}

TEST_CASE("datatypes are MPI's own where it has them") {
  const auto bytes_of = [](MPI_Datatype type) {
    int size = 0;
    REQUIRE(MPI_Type_size(type, &size) == MPI_SUCCESS);
    return size;
  };
  CHECK(mpi::datatype<float>() == MPI_FLOAT);
  CHECK(mpi::datatype<double>() == MPI_DOUBLE);
  CHECK(mpi::datatype<std::int64_t>() == MPI_INT64_T);
  CHECK(mpi::datatype<unsigned char>() == MPI_UINT8_T);
  CHECK(bytes_of(mpi::datatype<std::complex<double>>()) == 16);
  CHECK(bytes_of(mpi::datatype<yoke::half>()) == 2);
  struct particle {
    float place[3];
  };
  CHECK(mpi::datatype<particle>() == MPI_BYTE);
}

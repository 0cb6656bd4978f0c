// SPDX-License-Identifier: MIT
// The functions of MPI that the library calls, as a list and as a table that tests replace.
#ifndef YOKE_MPI_FUNCTIONS_HPP
#define YOKE_MPI_FUNCTIONS_HPP

// The C++ bindings of MPI 2, which the C interface does not need.
#if !defined(OMPI_SKIP_MPICXX)
#define OMPI_SKIP_MPICXX 1
#endif
#if !defined(MPICH_SKIP_MPICXX)
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>
#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include <yoke/core/config.hpp>

/// The library that `mpi.h` belongs to. Its name is part of the names of all symbols of `yoke::mpi`, because handles of
/// two libraries have different types: files that were compiled for different ones do not link.
#if defined(OPEN_MPI)
#define YOKE_MPI_FLAVOUR open_mpi
#elif defined(MPICH_VERSION) || defined(MPICH_NAME)
#define YOKE_MPI_FLAVOUR mpich
#elif defined(MPI_ABI_VERSION)
#define YOKE_MPI_FLAVOUR mpi_abi
#else
#define YOKE_MPI_FLAVOUR other_mpi
#endif

/// Each function: its name here, and MPI's.
#define YOKE_MPI_FUNCTIONS(X)                                                                                          \
  X(init_thread, MPI_Init_thread)                                                                                      \
  X(initialized, MPI_Initialized)                                                                                      \
  X(finalized, MPI_Finalized)                                                                                          \
  X(finalize, MPI_Finalize)                                                                                            \
  X(query_thread, MPI_Query_thread)                                                                                    \
  X(abort, MPI_Abort)                                                                                                  \
  X(error_class, MPI_Error_class)                                                                                      \
  X(error_string, MPI_Error_string)                                                                                    \
  X(comm_dup, MPI_Comm_dup)                                                                                            \
  X(comm_split, MPI_Comm_split)                                                                                        \
  X(comm_split_type, MPI_Comm_split_type)                                                                              \
  X(comm_free, MPI_Comm_free)                                                                                          \
  X(comm_rank, MPI_Comm_rank)                                                                                          \
  X(comm_size, MPI_Comm_size)                                                                                          \
  X(comm_set_errhandler, MPI_Comm_set_errhandler)                                                                      \
  X(comm_get_errhandler, MPI_Comm_get_errhandler)                                                                      \
  X(errhandler_free, MPI_Errhandler_free)                                                                              \
  X(isend, MPI_Isend)                                                                                                  \
  X(irecv, MPI_Irecv)                                                                                                  \
  X(test, MPI_Test)                                                                                                    \
  X(iprobe, MPI_Iprobe)                                                                                                \
  X(cancel, MPI_Cancel)                                                                                                \
  X(get_count, MPI_Get_count)                                                                                          \
  X(ibarrier, MPI_Ibarrier)                                                                                            \
  X(ibcast, MPI_Ibcast)                                                                                                \
  X(iallreduce, MPI_Iallreduce)                                                                                        \
  X(ireduce, MPI_Ireduce)                                                                                              \
  X(ireduce_scatter_block, MPI_Ireduce_scatter_block)                                                                  \
  X(iallgather, MPI_Iallgather)                                                                                        \
  X(igather, MPI_Igather)                                                                                              \
  X(iscatter, MPI_Iscatter)                                                                                            \
  X(ialltoall, MPI_Ialltoall)                                                                                          \
  X(op_create, MPI_Op_create)                                                                                          \
  X(op_free, MPI_Op_free)                                                                                              \
  X(get_processor_name, MPI_Get_processor_name)

namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR {

/// The functions of MPI. A session and the communicators made from it call these of the table that they were given.
struct functions {
#define YOKE_MPI_MEMBER(name, symbol) decltype(&::symbol) name;
  YOKE_MPI_FUNCTIONS(YOKE_MPI_MEMBER)
#undef YOKE_MPI_MEMBER
};

/// The functions of the MPI that the program is linked to.
inline constexpr functions linked_functions{
#define YOKE_MPI_ENTRY(name, symbol) &::symbol,
    YOKE_MPI_FUNCTIONS(YOKE_MPI_ENTRY)
#undef YOKE_MPI_ENTRY
};

}  // namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR

#endif

// SPDX-License-Identifier: MIT
// Ranks that are processes, by MPI: device memory between them; opt-in, because it includes the program's mpi.h.
#ifndef YOKE_MPI_HPP
#define YOKE_MPI_HPP

#include <yoke/array.hpp>
#include <yoke/distributed.hpp>
#include <yoke/mpi/choose_device.hpp>
#include <yoke/mpi/communicator.hpp>
#include <yoke/mpi/datatype.hpp>
#include <yoke/mpi/error.hpp>
#include <yoke/mpi/request.hpp>
#include <yoke/mpi/session.hpp>
#include <yoke/mpi/transport.hpp>
#include <yoke/yoke.hpp>

#endif

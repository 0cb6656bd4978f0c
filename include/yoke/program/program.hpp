// SPDX-License-Identifier: MIT
// Includes the whole program floor: compilation, modules, typed kernels and launches.
#ifndef YOKE_PROGRAM_PROGRAM_HPP
#define YOKE_PROGRAM_PROGRAM_HPP

#include <yoke/program/cache/program_builder.hpp>
#include <yoke/program/compile.hpp>
#include <yoke/program/kernel.hpp>
#include <yoke/program/kernel/argument.hpp>
#include <yoke/program/kernel/host_argument.hpp>
#include <yoke/program/kernel/shape.hpp>
#include <yoke/program/kernel/signature.hpp>
#include <yoke/program/module.hpp>
#include <yoke/program/specialise.hpp>
#include <yoke/program/structs/device_struct.hpp>

#endif

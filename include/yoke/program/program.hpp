// SPDX-License-Identifier: MIT
// Floor 4: compiling, modules, typed kernels and launches.
#ifndef YOKE_PROGRAM_PROGRAM_HPP
#define YOKE_PROGRAM_PROGRAM_HPP

#include <yoke/program/argument.hpp>
#include <yoke/program/compile.hpp>
#include <yoke/program/device_struct.hpp>
#include <yoke/program/host_argument.hpp>
#include <yoke/program/kernel.hpp>
#include <yoke/program/module.hpp>
#include <yoke/program/parameter.hpp>
#include <yoke/program/program_builder.hpp>
#include <yoke/program/shape.hpp>
#include <yoke/program/signature.hpp>
#include <yoke/program/specialise.hpp>
#include <yoke/program/typed.hpp>

#endif

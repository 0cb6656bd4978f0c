// SPDX-License-Identifier: MIT
// Floor 1: the ports and the operations that they must offer.
#ifndef YOKE_DRIVER_DRIVER_HPP
#define YOKE_DRIVER_DRIVER_HPP

#include <yoke/driver/any/port.hpp>
#include <yoke/driver/cuda/device_info.hpp>
#include <yoke/driver/cuda/error.hpp>
#include <yoke/driver/cuda/port.hpp>
#include <yoke/driver/opencl/device_info.hpp>
#include <yoke/driver/opencl/port.hpp>
#include <yoke/driver/operations.hpp>
#include <yoke/driver/types.hpp>

#endif

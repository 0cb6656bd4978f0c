// SPDX-License-Identifier: MIT
// Arrays on the device; opt-in, because most programs do not use them.
#ifndef YOKE_ARRAY_HPP
#define YOKE_ARRAY_HPP

#include <yoke/array/expression/expression_operators.hpp>
#include <yoke/array/kernel/elementwise_kernel.hpp>
#include <yoke/array/reduction/recorded_view.hpp>
#include <yoke/array/reduction/reduction_kernel.hpp>
#include <yoke/array/reduction/scan_kernel.hpp>
#include <yoke/array/storage/as_any.hpp>
#include <yoke/array/storage/device_value.hpp>
#include <yoke/array/storage/make_array.hpp>
#include <yoke/array/storage/make_host_array.hpp>

#endif

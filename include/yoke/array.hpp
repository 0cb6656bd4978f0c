// SPDX-License-Identifier: MIT
// Arrays on the device; opt-in, because most programs have none.
#ifndef YOKE_ARRAY_HPP
#define YOKE_ARRAY_HPP

#include <yoke/array/as_any.hpp>
#include <yoke/array/device_value.hpp>
#include <yoke/array/elementwise_kernel.hpp>
#include <yoke/array/expression_operators.hpp>
#include <yoke/array/make_array.hpp>
#include <yoke/array/recorded_view.hpp>
#include <yoke/array/reduction_kernel.hpp>
#include <yoke/array/scan.hpp>

#endif

// SPDX-License-Identifier: MIT
// The ground floor: errors, locations, handles, small values.
#ifndef YOKE_CORE_CORE_HPP
#define YOKE_CORE_CORE_HPP

#include <yoke/core/cleanup.hpp>
#include <yoke/core/config.hpp>
#include <yoke/core/error.hpp>
#include <yoke/core/extent.hpp>
#include <yoke/core/half.hpp>
#include <yoke/core/handle.hpp>
#include <yoke/core/narrow.hpp>
#include <yoke/core/shared.hpp>
#include <yoke/core/source_location.hpp>
#include <yoke/core/text.hpp>
#include <yoke/core/type_name.hpp>
#include <yoke/core/vector_types.hpp>

#endif

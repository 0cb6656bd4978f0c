// SPDX-License-Identifier: MIT
// Compiles the bodies of floor 4.
#include <yoke/driver/language/impl/dialect.ipp>
#include <yoke/driver/language/impl/dialect_check.ipp>
#include <yoke/driver/language/impl/include_lexer.ipp>
#include <yoke/driver/language/impl/opencl_c.ipp>
#include <yoke/driver/language/impl/opencl_c_lexer.ipp>
#include <yoke/program/cache/impl/cache_entry.ipp>
#include <yoke/program/cache/impl/cache_key.ipp>
#include <yoke/program/cache/impl/disk_cache.ipp>
#include <yoke/program/cache/impl/kernel_signatures.ipp>
#include <yoke/program/cache/impl/memory_cache.ipp>
#include <yoke/program/cache/impl/program_cache.ipp>
#include <yoke/program/impl/compile.ipp>
#include <yoke/program/impl/default_options.ipp>
#include <yoke/program/impl/kept_build.ipp>
#include <yoke/program/kernel/impl/signature.ipp>
#include <yoke/program/source/impl/embedded_header.ipp>
#include <yoke/program/source/impl/include_scan.ipp>
#include <yoke/program/structs/impl/device_struct.ipp>
#include <yoke/program/structs/impl/struct_record.ipp>
#include <yoke/program/structs/impl/types_option.ipp>

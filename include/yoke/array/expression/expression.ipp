// SPDX-License-Identifier: MIT
// Instantiates expressions and copies of arrays for any port, once in the library.
#ifndef YOKE_ARRAY_EXPRESSION_EXPRESSION_IPP
#define YOKE_ARRAY_EXPRESSION_EXPRESSION_IPP

#include <yoke/array/expression/expression.hpp>

#include <yoke/driver/any/port.hpp>

namespace yoke::inline v0_1::detail {
template YOKE_API module<any_port> compile_for_arrays(const context<any_port>&, std::string_view, compile_options,
                                                      const source_location&);
template YOKE_API void launch_copy(const stream<any_port>&, const evaluation_text&, const array_memory<any_port>&,
                                   const array_memory<any_port>&, const merged_copy&, const source_location&);
template YOKE_API void launch_word_copy(const stream<any_port>&, const array_memory<any_port>&,
                                        const array_memory<any_port>&, merged_copy, const source_location&);
template YOKE_API void copy_views(const stream<any_port>&, const array_memory<any_port>&, const byte_layout&,
                                  const array_memory<any_port>&, const byte_layout&, const source_location&);
template YOKE_API void run_sequence(const stream<any_port>&, const value_type_name&, std::span<const kernel_argument>,
                                    std::int64_t, const source_location&);
template YOKE_API void read_to_host(const stream<any_port>&, const array_memory<any_port>&, const byte_layout&,
                                    std::span<std::byte>, const source_location&);
template YOKE_API void write_from_host(const stream<any_port>&, const array_memory<any_port>&, const byte_layout&,
                                       std::span<const std::byte>, const source_location&);
template YOKE_API device_allocation<std::byte, any_port> allocate_for_array(const stream<any_port>&, std::size_t,
                                                                            const source_location&);
template YOKE_API shared<array_block<any_port>> make_block(std::size_t, const stream<any_port>&,
                                                           const source_location&);
template YOKE_API void run_expression(const stream<any_port>&, const evaluation_text&,
                                      const evaluation_operand<any_port>&,
                                      std::span<const evaluation_operand<any_port>>, std::span<kernel_argument>,
                                      const source_location&);
}  // namespace yoke::inline v0_1::detail

#endif

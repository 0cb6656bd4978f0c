// SPDX-License-Identifier: MIT
// Inputs that are the same on every machine: ends and odd values first, then a fixed random sequence.
#ifndef YOKE_TESTS_KERNELS_INPUTS_HPP
#define YOKE_TESTS_KERNELS_INPUTS_HPP

#include <kernels/table.hpp>

namespace yoke_test {

constexpr std::size_t input_count = 32;

/// Values between two limits, after the given ones. `type` is "float" or "double".
input_column reals(const std::string& type, const std::string& name, double low, double high,
                   const std::vector<double>& first = {});
/// Any finite or infinite value of every magnitude, subnormal ones too, and NaN. `type` may be "__half" or "__nv_bfloat16".
input_column any_reals(const std::string& type, const std::string& name);
/// The same without NaN.
input_column numbers(const std::string& type, const std::string& name);
/// Whole numbers of a type in CUDA C++: its ends and neighbours of 0, then bits at random.
input_column integers(const std::string& type, const std::string& name);
/// Whole numbers between two limits.
input_column integers_between(const std::string& type, const std::string& name, long long low, long long high);
/// The given values alone.
input_column given(const std::string& type, const std::string& name, const std::vector<word>& values);

/// Returns: the value of a word of type "float", "double", "__half" or "__nv_bfloat16", as a double.
double real_of(const std::string& type, word bits);
/// Returns: the word of a value rounded to that type.
word real_word(const std::string& type, double value);
/// Returns: whether the type is one of those.
bool is_real(const std::string& type);
/// Returns: how many bytes a type has; 8 for those that are not known.
std::size_t bytes_of(const std::string& type);

}  // namespace yoke_test

#endif

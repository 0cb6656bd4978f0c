// SPDX-License-Identifier: MIT
// Fourier transforms and convolutions of arrays; opt-in, because most programs do not use them.
#ifndef YOKE_FFT_HPP
#define YOKE_FFT_HPP

#include <yoke/fft/convolve.hpp>
#include <yoke/fft/frequencies.hpp>
#include <yoke/fft/transforms.hpp>

#endif

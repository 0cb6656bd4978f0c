// SPDX-License-Identifier: MIT
// Fourier transforms of arrays; opt-in, because most programs do not use them.
#ifndef YOKE_FFT_HPP
#define YOKE_FFT_HPP

#include <yoke/fft/frequencies.hpp>
#include <yoke/fft/transforms.hpp>

#endif

// SPDX-License-Identifier: MIT
// Bodies of fft/fft_run.hpp: instantiates its function for any port, once in the library.
#ifndef YOKE_FFT_FFT_RUN_IPP
#define YOKE_FFT_FFT_RUN_IPP

#include <yoke/fft/fft_run.hpp>

#include <yoke/driver/any/port.hpp>

namespace yoke::inline v0_1::detail {
template YOKE_API void run_fft(const stream<any_port>&, const fft_transform&, const fft_memory<any_port>&,
                               const fft_memory<any_port>&, const source_location&);
}  // namespace yoke::inline v0_1::detail

#endif

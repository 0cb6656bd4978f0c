# SPDX-License-Identifier: MIT
# The C++ peers beside OpenCL-CLHPP. The report names each one that is not found.
find_path(YOKE_BENCH_BOOST_COMPUTE_INCLUDE_DIR NAMES boost/compute/kernel.hpp DOC "The folder that holds boost/")
if(YOKE_BENCH_BOOST_COMPUTE_INCLUDE_DIR)
  target_compile_definitions(yoke_bench PRIVATE YOKE_BENCH_BOOST_COMPUTE)
  target_include_directories(yoke_bench SYSTEM PRIVATE "${YOKE_BENCH_BOOST_COMPUTE_INCLUDE_DIR}")
endif()

# Those over CUDA's runtime API, which comes with the toolkit.
set(yoke_bench_cuda_folders ENV CUDA_HOME ENV CUDA_PATH)
find_path(YOKE_BENCH_CUDART_INCLUDE_DIR NAMES cuda_runtime_api.h HINTS ${yoke_bench_cuda_folders}
          PATHS /usr/local/cuda /opt/cuda PATH_SUFFIXES include)
find_library(YOKE_BENCH_CUDART_LIBRARY NAMES cudart HINTS ${yoke_bench_cuda_folders} PATHS /usr/local/cuda /opt/cuda
             PATH_SUFFIXES lib64 lib)

# RMM as its wheels hold it: librmm and rapids_logger in CMAKE_PREFIX_PATH, or beside one another in one folder.
find_path(YOKE_BENCH_RMM_INCLUDE_DIR NAMES rmm/device_buffer.hpp DOC "The folder that holds rmm/")
find_library(YOKE_BENCH_RMM_LIBRARY NAMES rmm PATH_SUFFIXES lib64)
find_path(YOKE_BENCH_RAPIDS_LOGGER_INCLUDE_DIR NAMES rapids_logger/logger.hpp)
find_library(YOKE_BENCH_RAPIDS_LOGGER_LIBRARY NAMES rapids_logger PATH_SUFFIXES lib64)
if(YOKE_BENCH_RMM_INCLUDE_DIR
   AND YOKE_BENCH_RMM_LIBRARY
   AND YOKE_BENCH_RAPIDS_LOGGER_INCLUDE_DIR
   AND YOKE_BENCH_RAPIDS_LOGGER_LIBRARY
   AND YOKE_BENCH_CUDART_INCLUDE_DIR
   AND YOKE_BENCH_CUDART_LIBRARY)
  target_compile_definitions(yoke_bench PRIVATE YOKE_BENCH_RMM LIBCUDACXX_ENABLE_EXPERIMENTAL_MEMORY_RESOURCE)
  # Its own copy of CCCL before the toolkit's.
  target_include_directories(
    yoke_bench SYSTEM
    PRIVATE "${YOKE_BENCH_RMM_INCLUDE_DIR}" "${YOKE_BENCH_RMM_INCLUDE_DIR}/rapids"
            "${YOKE_BENCH_RAPIDS_LOGGER_INCLUDE_DIR}" "${YOKE_BENCH_CUDART_INCLUDE_DIR}")
  target_link_libraries(yoke_bench PRIVATE "${YOKE_BENCH_RMM_LIBRARY}" "${YOKE_BENCH_RAPIDS_LOGGER_LIBRARY}"
                                                 "${YOKE_BENCH_CUDART_LIBRARY}")
endif()

# CCCL with handles for streams and events, from 3.2 on: the toolkit's, or the copy that RMM brings.
find_path(YOKE_BENCH_CCCL_INCLUDE_DIR NAMES cuda/stream HINTS "${YOKE_BENCH_RMM_INCLUDE_DIR}/rapids"
          PATHS /usr/local/cuda /opt/cuda PATH_SUFFIXES include/cccl)
if(YOKE_BENCH_CCCL_INCLUDE_DIR AND YOKE_BENCH_CUDART_INCLUDE_DIR AND YOKE_BENCH_CUDART_LIBRARY)
  target_compile_definitions(yoke_bench PRIVATE YOKE_BENCH_CCCL)
  target_include_directories(yoke_bench SYSTEM PRIVATE "${YOKE_BENCH_CCCL_INCLUDE_DIR}"
                                                              "${YOKE_BENCH_CUDART_INCLUDE_DIR}")
  target_link_libraries(yoke_bench PRIVATE "${YOKE_BENCH_CUDART_LIBRARY}")
endif()

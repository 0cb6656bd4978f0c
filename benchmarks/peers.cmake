# SPDX-License-Identifier: MIT
# The C++ peers beside OpenCL-CLHPP, each where it is found; what is not is reported absent by its name.
find_path(YOKE_BENCH_BOOST_COMPUTE_INCLUDE_DIR NAMES boost/compute/kernel.hpp DOC "The folder that holds boost/")
if(YOKE_BENCH_BOOST_COMPUTE_INCLUDE_DIR)
  target_compile_definitions(yoke_bench_suites PRIVATE YOKE_BENCH_BOOST_COMPUTE)
  target_include_directories(yoke_bench_suites SYSTEM PRIVATE "${YOKE_BENCH_BOOST_COMPUTE_INCLUDE_DIR}")
endif()

# VexCL: headers over Boost's and OpenCL-CLHPP's. No package has it: YOKE_BENCH_VEXCL_INCLUDE_DIR may name a checkout.
find_path(YOKE_BENCH_VEXCL_INCLUDE_DIR NAMES vexcl/vexcl.hpp DOC "The folder that holds vexcl/")
find_path(YOKE_BENCH_BOOST_INCLUDE_DIR NAMES boost/thread.hpp DOC "The folder that holds VexCL's boost/")
if(YOKE_BENCH_VEXCL_INCLUDE_DIR AND YOKE_BENCH_BOOST_INCLUDE_DIR)
  target_compile_definitions(yoke_bench_suites PRIVATE YOKE_BENCH_VEXCL)
  target_include_directories(yoke_bench_suites SYSTEM PRIVATE "${YOKE_BENCH_VEXCL_INCLUDE_DIR}"
                                                              "${YOKE_BENCH_BOOST_INCLUDE_DIR}")
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
  target_compile_definitions(yoke_bench_suites PRIVATE YOKE_BENCH_RMM LIBCUDACXX_ENABLE_EXPERIMENTAL_MEMORY_RESOURCE)
  # Its own copy of CCCL before the toolkit's.
  target_include_directories(
    yoke_bench_suites SYSTEM
    PRIVATE "${YOKE_BENCH_RMM_INCLUDE_DIR}" "${YOKE_BENCH_RMM_INCLUDE_DIR}/rapids"
            "${YOKE_BENCH_RAPIDS_LOGGER_INCLUDE_DIR}" "${YOKE_BENCH_CUDART_INCLUDE_DIR}")
  target_link_libraries(yoke_bench_suites PUBLIC "${YOKE_BENCH_RMM_LIBRARY}" "${YOKE_BENCH_RAPIDS_LOGGER_LIBRARY}"
                                                 "${YOKE_BENCH_CUDART_LIBRARY}")
endif()

# CCCL with handles for streams and events, from 3.2 on: the toolkit's, or the copy that RMM brings.
find_path(YOKE_BENCH_CCCL_INCLUDE_DIR NAMES cuda/stream HINTS "${YOKE_BENCH_RMM_INCLUDE_DIR}/rapids"
          PATHS /usr/local/cuda /opt/cuda PATH_SUFFIXES include/cccl)
if(YOKE_BENCH_CCCL_INCLUDE_DIR AND YOKE_BENCH_CUDART_INCLUDE_DIR AND YOKE_BENCH_CUDART_LIBRARY)
  target_compile_definitions(yoke_bench_suites PRIVATE YOKE_BENCH_CCCL)
  target_include_directories(yoke_bench_suites SYSTEM PRIVATE "${YOKE_BENCH_CCCL_INCLUDE_DIR}"
                                                              "${YOKE_BENCH_CUDART_INCLUDE_DIR}")
  target_link_libraries(yoke_bench_suites PUBLIC "${YOKE_BENCH_CUDART_LIBRARY}")
endif()

# cuda-api-wrappers: of it there is what its header costs to include, and no twin of its operations. No package has it: an installed
# one is found, and YOKE_BENCH_CUDA_API_WRAPPERS_INCLUDE_DIR may name the src/ of a checkout.
find_package(cuda-api-wrappers QUIET CONFIG)
set(yoke_bench_wrappers_folders)
if(TARGET cuda-api-wrappers::runtime-api)
  get_target_property(yoke_bench_wrappers_folders cuda-api-wrappers::runtime-api INTERFACE_INCLUDE_DIRECTORIES)
endif()
find_path(YOKE_BENCH_CUDA_API_WRAPPERS_INCLUDE_DIR NAMES cuda/api.hpp HINTS ${yoke_bench_wrappers_folders}
          DOC "The folder that holds cuda/api.hpp")
if(YOKE_BENCH_CUDA_API_WRAPPERS_INCLUDE_DIR)
  set(yoke_bench_wrappers_absent "there is no twin of it; what it costs to include is in the row of include/cuda.hpp")
else()
  set(yoke_bench_wrappers_absent "there is no twin of it, and <cuda/api.hpp> was not found: no package of Debian's or PyPI's has it")
endif()
target_compile_definitions(yoke_bench_suites
                           PRIVATE YOKE_BENCH_CUDA_API_WRAPPERS_ABSENT="${yoke_bench_wrappers_absent}")

# Where bench.py's include rows find those that lie elsewhere than a compiler looks.
set(yoke_bench_elsewhere "")
foreach(
  peer IN
  ITEMS "cuda-api-wrappers:YOKE_BENCH_CUDA_API_WRAPPERS_INCLUDE_DIR" "vexcl:YOKE_BENCH_VEXCL_INCLUDE_DIR"
        "boost_compute:YOKE_BENCH_BOOST_COMPUTE_INCLUDE_DIR" "clhpp:YOKE_BENCH_CLHPP_INCLUDE_DIR")
  string(REGEX MATCH "^(.*):(.*)$" ignored "${peer}")
  set(folder "${${CMAKE_MATCH_2}}")
  if(folder AND NOT folder IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    string(APPEND yoke_bench_elsewhere "${CMAKE_MATCH_1}\t${folder}\n")
  endif()
endforeach()
file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/peer_includes.txt" CONTENT "${yoke_bench_elsewhere}" @ONLY)

# SPDX-License-Identifier: MIT
# Programs for 64-bit Windows by MinGW-w64 on another system; where Wine is there, they run in it.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)

# With the POSIX threads' variant: the other one of GCC 12 has no std::thread.
find_program(CMAKE_CXX_COMPILER NAMES x86_64-w64-mingw32-g++-posix x86_64-w64-mingw32-g++ REQUIRED)
find_program(CMAKE_RC_COMPILER NAMES x86_64-w64-mingw32-windres)
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH) # what CMAKE_PREFIX_PATH names is for Windows
# So that a program needs no library of GCC beside it.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)

find_program(YOKE_WINE NAMES wine64 wine PATHS /usr/lib/wine)
if(YOKE_WINE)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${YOKE_WINE}")
endif()

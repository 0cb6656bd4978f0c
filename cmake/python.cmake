# SPDX-License-Identifier: MIT
# Python3::Interpreter: Python itself, and not a script that looks for it each time, as version managers have in its place.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
execute_process(
  COMMAND "${Python3_EXECUTABLE}" -c "import sys; print(sys.executable)"
  OUTPUT_VARIABLE yoke_python OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set_property(TARGET Python3::Interpreter PROPERTY IMPORTED_LOCATION "${yoke_python}")

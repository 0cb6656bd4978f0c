# SPDX-License-Identifier: MIT
# Writes the source file that holds the prelude's text: -Doutput= -Dfolder= -Dparts= -Dserved= -Dcompiler=.

# A string literal has a length limit in some compilers, so that each file is cut into pieces of 8000 characters.
function(literal path result)
  file(READ "${path}" text)
  string(LENGTH "${text}" length)
  set(pieces "")
  foreach(start RANGE 0 ${length} 8000)
    string(SUBSTRING "${text}" ${start} 8000 piece)
    string(APPEND pieces "R\"__yoke(${piece})__yoke\"\n")
  endforeach()
  set(${result} "${pieces}" PARENT_SCOPE)
endfunction()

function(table name folder)
  set(entries "")
  foreach(file IN LISTS ARGN)
    literal("${folder}/${file}" text)
    string(APPEND entries "    {\"${file}\",\n${text}},\n")
  endforeach()
  list(LENGTH ARGN count)
  file(APPEND "${output}" "const prelude_file ${name}s[] = {\n${entries}    {{}, {}}};\n"
                          "const std::size_t ${name}_count = ${count};\n")
endfunction()

file(WRITE "${output}" "// SPDX-License-Identifier: MIT\n// The prelude's text, as CMake found it.\n"
                       "#include \"engine/compile/prelude_text.hpp\"\n\nnamespace yoke::simulator {\n\n")
table(prelude_part "${folder}" ${parts})
table(served_header "${folder}/include" ${served})
file(APPEND "${output}" "const std::string_view configured_compiler = \"${compiler}\";\n\n}  // namespace yoke::simulator\n")

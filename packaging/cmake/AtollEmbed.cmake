# atoll_embed(TARGET FUNCTION name ROOT directory [FILES file ...] [PROGRAMS file ...])
#   Puts files into the binary of TARGET and defines, in it,
#       std::span<const reef::EmbeddedFile> name() noexcept;     // ordered by path, see base/embedded.h
#   `name` may be qualified (reef::app::demoFiles); a header of the room declares it. A file is written as
#   its path below ROOT, or as `path=/absolute/file` where the two differ, as for something that the build
#   makes. PROGRAMS are marked executable. The target is built again when a file changes.
#
# The assembler reads the files (.incbin), so that even large ones cost no compile time, and nothing is
# copied. ccache knows the directive and leaves such a source to the compiler.
function(atoll_embed target)
  cmake_parse_arguments(EMBED "" "FUNCTION;ROOT" "FILES;PROGRAMS" ${ARGN})
  if(EMBED_UNPARSED_ARGUMENTS OR NOT EMBED_FUNCTION OR NOT EMBED_ROOT)
    message(FATAL_ERROR "atoll_embed(${target}): FUNCTION and ROOT are needed; "
                        "not understood: '${EMBED_UNPARSED_ARGUMENTS}'")
  endif()

  set(entries "")
  foreach(kind FILES PROGRAMS)
    foreach(entry IN LISTS EMBED_${kind})
      if(entry MATCHES "^([^=]+)=(.+)$")
        list(APPEND entries "${CMAKE_MATCH_1}\t${kind}\t${CMAKE_MATCH_2}")
      else()
        list(APPEND entries "${entry}\t${kind}\t${EMBED_ROOT}/${entry}")
      endif()
    endforeach()
  endforeach()
  list(SORT entries) # the tab sorts before all that a path may hold

  string(MAKE_C_IDENTIFIER "atoll_embedded_${EMBED_FUNCTION}" prefix)
  set(number 0)
  set(assembly "")
  set(declarations "")
  set(table "")
  set(inputs "")
  foreach(entry IN LISTS entries)
    string(REGEX MATCH "^([^\t]+)\t([A-Z]+)\t(.+)$" matched "${entry}")
    set(path "${CMAKE_MATCH_1}")
    string(COMPARE EQUAL "${CMAKE_MATCH_2}" PROGRAMS executable)
    set(file "${CMAKE_MATCH_3}")
    if("${path}${file}" MATCHES "[\"\\\\;]")
      message(FATAL_ERROR "atoll_embed(${target}): a quote, backslash or semicolon in '${path}' or '${file}'")
    endif()
    set(symbol "${prefix}_${number}")
    math(EXPR number "${number} + 1")
    list(APPEND inputs "${file}")
    string(APPEND declarations
           "extern const char ${symbol}[];\nextern const std::uint64_t ${symbol}_size;\n")
    string(APPEND assembly
           ".balign 8\n.globl ${symbol}_size\n.hidden ${symbol}_size\n${symbol}_size: .quad ${symbol}_end - ${symbol}\n"
           ".globl ${symbol}\n.hidden ${symbol}\n${symbol}:\n.incbin \"${file}\"\n${symbol}_end:\n")
    string(APPEND table
           "        {\"${path}\", {${symbol}, ${symbol}_size}, ${executable} != 0},\n")
  endforeach()

  string(REGEX MATCH "^(.*)::([^:]+)$" qualified "${EMBED_FUNCTION}")
  set(namespace "${CMAKE_MATCH_1}")
  set(function "${CMAKE_MATCH_2}")
  if(NOT qualified)
    set(namespace "")
    set(function "${EMBED_FUNCTION}")
  endif()
  if(namespace)
    set(open "namespace ${namespace} {\n")
    set(close "}\n")
  endif()

  set(source "${CMAKE_CURRENT_BINARY_DIR}/${prefix}.cpp")
  set(EMBED_CONTENT "// Written by atoll_embed for ${target}.
#include \"base/embedded.h\"

#include <cstdint>
#include <span>

asm(R\"(.pushsection .rodata.${prefix},\"a\",@progbits
${assembly}.popsection
)\");

extern \"C\" {
#pragma GCC visibility push(hidden)
${declarations}#pragma GCC visibility pop
}

${open}std::span<const reef::EmbeddedFile> ${function}() noexcept {
    static const reef::EmbeddedFile files[] = {
${table}    };
    return files;
}
${close}")
  file(CONFIGURE OUTPUT "${source}" CONTENT "@EMBED_CONTENT@" @ONLY)
  set_source_files_properties("${source}" PROPERTIES OBJECT_DEPENDS "${inputs}")
  target_sources(${target} PRIVATE "${source}")
endfunction()

# atoll_room(NAME SOURCES a.cpp ... USES room ... [LIBRARIES target ...])
#   A room of src/: one static library `atoll_NAME`. A header-only room gives no SOURCES.
function(atoll_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;USES;LIBRARIES" ${ARGN})
  list(TRANSFORM ROOM_USES PREPEND atoll_)
  if(ROOM_SOURCES)
    add_library(atoll_${name} STATIC ${ROOM_SOURCES})
    target_link_libraries(atoll_${name} PUBLIC atoll_flags ${ROOM_USES} ${ROOM_LIBRARIES})
  else()
    add_library(atoll_${name} INTERFACE)
    target_link_libraries(atoll_${name} INTERFACE atoll_flags ${ROOM_USES} ${ROOM_LIBRARIES})
  endif()
endfunction()

# atoll_unit_test(ROOM SOURCES a_test.cpp ... [LIBRARIES target ...])
#   The Catch2 program `test_ROOM`, registered with ctest as `unit/ROOM`. The tests themselves are not
#   optimised, which halves the time to build them; what they test is built as its preset says.
function(atoll_unit_test room)
  cmake_parse_arguments(TEST "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(test_${room} ${TEST_SOURCES})
  target_link_libraries(test_${room} PRIVATE atoll_${room} atoll_catch_main ${TEST_LIBRARIES})
  target_compile_options(test_${room} PRIVATE -O0)
  add_test(NAME unit/${room} COMMAND test_${room})
endfunction()

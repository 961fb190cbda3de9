# scoville_module(NAME SOURCES … [TESTS …] [USES module …] [LINKS target …])
#
# One call a folder: the library scoville_NAME, its doctest files, and the modules it may include. What USES says is
# written to layers.txt, against which scripts/check_layers.py holds every #include.
file(WRITE ${CMAKE_BINARY_DIR}/layers.txt "")
define_property(GLOBAL PROPERTY SCOVILLE_TEST_SOURCES BRIEF_DOCS "doctest files of all modules")
define_property(GLOBAL PROPERTY SCOVILLE_MODULES BRIEF_DOCS "modules that have tests")

function(scoville_module name)
  cmake_parse_arguments(M "" "" "SOURCES;TESTS;USES;LINKS" ${ARGN})
  add_library(scoville_${name} STATIC ${M_SOURCES})
  target_include_directories(scoville_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(scoville_${name} PRIVATE scoville_warnings PUBLIC ${M_LINKS})
  foreach(used IN LISTS M_USES)
    target_link_libraries(scoville_${name} PUBLIC scoville_${used})
  endforeach()
  list(JOIN M_USES " " uses)
  file(APPEND ${CMAKE_BINARY_DIR}/layers.txt "${name}: ${uses}\n")
  list(TRANSFORM M_TESTS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  set_property(GLOBAL APPEND PROPERTY SCOVILLE_TEST_SOURCES ${M_TESTS})
  if(M_TESTS)
    set_property(GLOBAL APPEND PROPERTY SCOVILLE_MODULES ${name})
  endif()
endfunction()

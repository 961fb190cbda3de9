# Writes OUTPUT from version.cpp.in with the revision of SOURCE_DIR ("unknown" outside a git checkout).
find_program(GIT git)
set(REVISION "unknown")
if(GIT AND EXISTS ${SOURCE_DIR}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE_DIR} describe --always --dirty --abbrev=12
    OUTPUT_VARIABLE FOUND OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE FAILED)
  if(NOT FAILED AND FOUND)
    set(REVISION ${FOUND})
  endif()
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/version.cpp.in ${OUTPUT} @ONLY)

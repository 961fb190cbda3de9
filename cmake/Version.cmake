# version.cpp is written anew when the revision changes, and only then.
set(SCOVILLE_VERSION_FILE ${CMAKE_BINARY_DIR}/generated/version.cpp)
add_custom_target(scoville_version_file
  COMMAND ${CMAKE_COMMAND}
    -DVERSION=${PROJECT_VERSION} -DSOURCE_DIR=${CMAKE_SOURCE_DIR}
    "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_BUILD_TYPE}"
    -DOUTPUT=${SCOVILLE_VERSION_FILE} -P ${CMAKE_SOURCE_DIR}/cmake/write_version.cmake
  BYPRODUCTS ${SCOVILLE_VERSION_FILE} VERBATIM)

# scoville_find_torch(): looks for libtorch below TORCH (the user's: a libtorch folder, a Python site-packages/torch, or a
# share/cmake folder in either) or where Debian puts it, and sets TORCH_FOUND, TORCH_INCLUDES, TORCH_LIBRARIES, TORCH_ABI.
#
# Not by torch's own CMake package: that of a GPU build refuses to configure where the vendor's whole toolkit is not
# installed, and headers and libraries are all that is needed here.
set(TORCH "" CACHE PATH "where the libtorch to build scoville-torch with lies; empty: the system's")

function(scoville_find_torch)
  set(roots /usr)
  if(TORCH)
    get_filename_component(given ${TORCH} ABSOLUTE)
    string(REGEX REPLACE "/share/cmake(/Torch)?/?$" "" given ${given})
    set(roots ${given} ${given}/torch)
  endif()
  find_path(TORCH_INCLUDE ATen/ATen.h PATHS ${roots} PATH_SUFFIXES include NO_DEFAULT_PATH)
  set(found "")
  foreach(name IN ITEMS c10 torch_cpu torch)
    find_library(TORCH_LIB_${name} ${name} PATHS ${roots} PATH_SUFFIXES lib lib/${CMAKE_LIBRARY_ARCHITECTURE} NO_DEFAULT_PATH)
    if(TORCH_LIB_${name})
      list(APPEND found ${TORCH_LIB_${name}})
    endif()
  endforeach()
  list(LENGTH found count)
  if(TORCH_INCLUDE AND count EQUAL 3)
    set(TORCH_FOUND TRUE PARENT_SCOPE)
    set(TORCH_INCLUDES ${TORCH_INCLUDE} ${TORCH_INCLUDE}/torch/csrc/api/include PARENT_SCOPE)
    set(TORCH_LIBRARIES ${found} PARENT_SCOPE)
    # Python packages up to 2.6 were built with the older ABI of std::string; what the library exports tells.
    execute_process(COMMAND ${CMAKE_NM} -D --defined-only ${TORCH_LIB_c10} OUTPUT_VARIABLE symbols ERROR_QUIET)
    if(symbols MATCHES "__cxx11")
      set(TORCH_ABI 1 PARENT_SCOPE)
    else()
      set(TORCH_ABI 0 PARENT_SCOPE)
    endif()
  elseif(TORCH)
    message(FATAL_ERROR "TORCH=${TORCH}: no include/ATen/ATen.h and lib/libtorch_cpu.so there")
  endif()
endfunction()

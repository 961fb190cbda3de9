# scoville_embed(OUTPUT SOURCE NAMESPACE FUNCTION): a .cpp whose FUNCTION returns the text of SOURCE, written anew when
# SOURCE changes. The file under data/ stays the one that people edit.
function(scoville_embed output source namespace function)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${source} -DOUTPUT=${output} -DNAMESPACE=${namespace} -DFUNCTION=${function}
      -P ${CMAKE_SOURCE_DIR}/cmake/write_embedded.cmake
    DEPENDS ${source} ${CMAKE_SOURCE_DIR}/cmake/write_embedded.cmake VERBATIM)
endfunction()

# scoville_embed_folder(RESULT FOLDER NAMESPACE FUNCTION): sets RESULT to sources whose FUNCTION returns name and text of
# every *.yaml of FOLDER (below the root of the checkout).
function(scoville_embed_folder result folder namespace function)
  file(GLOB found CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.yaml)
  set(made "")
  set(declarations "")
  set(entries "")
  foreach(file IN LISTS found)
    get_filename_component(name ${file} NAME)
    string(MAKE_C_IDENTIFIER "${function}_${name}" identifier)
    set(source ${CMAKE_BINARY_DIR}/generated/${identifier}.cpp)
    scoville_embed(${source} ${file} ${namespace} ${identifier})
    list(APPEND made ${source})
    string(APPEND declarations "const char* ${identifier}();\n")
    string(APPEND entries "    {\"${folder}/${name}\", ${identifier}()},\n")
  endforeach()
  set(all ${CMAKE_BINARY_DIR}/generated/${function}.cpp)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/embedded_files.cpp.in ${all} @ONLY)
  set(${result} ${made} ${all} PARENT_SCOPE)
endfunction()

# scoville_embed(OUTPUT SOURCE NAMESPACE FUNCTION): a .cpp whose FUNCTION returns the text of SOURCE, written anew when
# SOURCE changes. The file under data/ stays the one that people edit.
function(scoville_embed output source namespace function)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${source} -DOUTPUT=${output} -DNAMESPACE=${namespace} -DFUNCTION=${function}
      -P ${CMAKE_SOURCE_DIR}/cmake/write_embedded.cmake
    DEPENDS ${source} ${CMAKE_SOURCE_DIR}/cmake/write_embedded.cmake VERBATIM)
endfunction()

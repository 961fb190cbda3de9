# Writes OUTPUT, a function NAMESPACE::FUNCTION that returns the text of SOURCE. In pieces: a compiler need not take a
# literal above 64 KiB.
file(READ ${SOURCE} rest)
set(pieces "")
string(LENGTH "${rest}" length)
set(at 0)
while(at LESS length)
  string(SUBSTRING "${rest}" ${at} 8000 piece)
  string(APPEND pieces "R\"embedded(${piece})embedded\"\n")
  math(EXPR at "${at} + 8000")
endwhile()
get_filename_component(name ${SOURCE} NAME)
file(WRITE ${OUTPUT} "// Made from data/${name}.\nnamespace ${NAMESPACE} {\nconst char* ${FUNCTION}();\nconst char* ${FUNCTION}() { return ${pieces}; }\n}\n")

# Every target of ours is compiled with these; a warning is an error, so that none is ever scrolled past.
add_library(scoville_warnings INTERFACE)
target_compile_options(scoville_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual
  -Wcast-align -Wimplicit-fallthrough
  -Wno-maybe-uninitialized)  # g++ 12 sees it in every std::optional that it inlines

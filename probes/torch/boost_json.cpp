// Boost.JSON itself, once: see CMakeLists.txt.
#include <boost/json/src.hpp>

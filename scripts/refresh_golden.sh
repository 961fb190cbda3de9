#!/bin/sh
# Write the golden files of tests/golden/ anew from what the program says now, and show what changed.
#
#   scripts/refresh_golden.sh [BUILD_DIR]        (build/release unless told otherwise)
set -eu
cd "$(dirname "$0")/.."
build=${1:-build/release}
cmake --build "$build" --target scoville_tests
SCOVILLE_REFRESH_GOLDEN=1 "$build/tests/scoville_tests" --test-case='golden: *' --no-intro
git --no-pager diff --stat -- tests/golden

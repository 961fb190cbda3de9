#!/usr/bin/env bash
# run.sh [--quick] [--part NAME …]: the measurements of docs/overhead.md, from what is built in build/release.
# Writes build/bench/results.json and results.md; `run.sh --help` lists the parts.
set -euo pipefail
cd "$(dirname "$0")/.."
exec python3 -B bench/overhead.py "$@"

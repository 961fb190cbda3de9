#!/usr/bin/env python3
"""Compile every header under src/ alone: what a header needs, it includes.

    check_headers.py SOURCE_DIR BUILD_DIR

Uses the compiler and flags of BUILD_DIR/compile_commands.json. A header already checked in its present form, with
everything it includes, is not compiled again.
"""

import hashlib
import json
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def main() -> int:
    root, build = Path(sys.argv[1]), Path(sys.argv[2])
    entry = next(e for e in json.loads((build / "compile_commands.json").read_text()) if "/src/base/" in e["file"])
    words = shlex.split(entry["command"])
    flags = [w for w in words[1:] if w.startswith(("-I", "-D", "-std", "-W", "-isystem"))]
    command = [words[0], *flags, f"-I{root}/src", "-fsyntax-only", "-x", "c++", "-Wno-pragma-once-outside-header"]
    if "clang" not in words[0]:
        command.pop()
    headers = sorted((root / "src").rglob("*.hpp"))
    state = hashlib.sha256(" ".join(command).encode())
    for header in headers:
        state.update(header.read_bytes())
    cache = build / "headers_checked"
    if cache.exists() and cache.read_text() == state.hexdigest():
        print(f"{len(headers)} headers, unchanged since they last compiled alone")
        return 0

    def check(header: Path) -> str | None:
        unit = f'#include "{header.relative_to(root / "src")}"\n'
        done = subprocess.run([*command, "-"], input=unit, capture_output=True, text=True)
        return f"{header.relative_to(root)} does not compile alone:\n{done.stderr[:1500]}" if done.returncode else None

    with ThreadPoolExecutor(2) as pool:
        faults = [fault for fault in pool.map(check, headers) if fault]
    for fault in faults:
        print(fault)
    print(f"{len(headers)} headers, {len(faults)} faults")
    if not faults:
        cache.write_text(state.hexdigest())
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

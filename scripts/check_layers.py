#!/usr/bin/env python3
"""Hold every #include under src/ against the modules that its folder says it USES (cmake/Module.cmake).

    check_layers.py SOURCE_DIR BUILD_DIR/layers.txt

Fails on an include that is not allowed, on a USES that no include needs, on a USES that points down the module list,
and when docs/architecture.md draws other arrows than the code has.
"""

import re
import sys
from pathlib import Path


def main() -> int:
    root, layers = Path(sys.argv[1]), Path(sys.argv[2])
    uses = {name: set(rest.split()) for name, rest in
            (line.split(":", 1) for line in layers.read_text().splitlines())}
    order = list(uses)
    faults = []

    def reach(module: str) -> set[str]:
        return {module}.union(*(reach(used) for used in uses[module])) if uses[module] else {module}

    for module in order:
        for used in uses[module]:
            if order.index(used) >= order.index(module):
                faults.append(f"{module} USES {used}, which stands below it in the module list")
        allowed, needed = reach(module), set()
        for path in sorted((root / "src" / module).rglob("*.[hc]pp")):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                found = re.match(r'\s*#include "([a-z_]+)/', line)
                if not found or found[1] == module:
                    continue
                if found[1] == "testing" and path.stem.endswith("_test"):
                    continue
                needed.add(found[1])
                if found[1] not in allowed:
                    faults.append(f"{path.relative_to(root)}:{number}: {module} must not include {found[1]}")
        for extra in sorted(uses[module] - needed):
            faults.append(f"{module} USES {extra}, but no file of it includes {extra}")

    drawn = dict(re.findall(r"^\| `([a-z]+)` \|[^|]*\| ([a-z`, ]*|—) \|$",
                            (root / "docs/architecture.md").read_text(), re.M))
    for module in order:
        listed = set(re.findall(r"`([a-z]+)`", drawn.get(module, "")))
        if module not in drawn:
            faults.append(f"docs/architecture.md: no row for module {module}")
        elif listed != uses[module]:
            faults.append(f"docs/architecture.md: {module} uses {sorted(listed)}, the code {sorted(uses[module])}")

    for fault in faults:
        print(fault)
    print(f"{len(order)} modules, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

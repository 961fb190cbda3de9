#!/usr/bin/env python3
"""`scoville portability` on a small planted tree.    test_portability.py BINARY"""

import json
import os
import re
import shutil
import tempfile
import unicodedata
from pathlib import Path

import harness
from harness import EndToEnd, scoville

TREE = Path(__file__).resolve().parents[2] / "examples" / "portability"
# Counted by eye.
PLANTED = {
    "train.py": ["cuda-autocast", "cuda-memory", "cuda-method", "cuda-string", "cuda-synchronize", "flash-attention",
                 "nccl-backend", "tf32-switch", "visible-devices"],
    "serve.sh": ["nccl-variables", "nvidia-smi", "visible-devices"],
    "kernel.cu": ["cuda-headers", "cuda-runtime-api", "cuda-source-file", "device-function", "device-function", "kernel-launch",
                  "ptx-assembly", "warp-size"],
    "requirements.txt": ["attention-wheels", "vendor-wheels"],
    "Dockerfile": ["cuda-image", "cuda-wheel-index", "visible-devices"],
}
HARD = 6  # a port or a rewrite: all of kernel.cu but its header and its stream
OWN_RULE = """rules:
  - {id: numpy-import, family: packages, vendor: acme, effort: rewrite, languages: [requirements], where: [dependency],
     words: [numpy], form: {en: "own arrays", zh: "自有数组"}, example: numpy, counter_example: scipy}
"""


def width(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


class Tree(EndToEnd):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="scoville-portability-"))
        self.addCleanup(shutil.rmtree, self.folder)
        shutil.copytree(TREE, self.folder / "tree")
        self.tree = self.folder / "tree"

    def write(self, name: str, text: str) -> str:
        (self.folder / name).write_text(text)
        return str(self.folder / name)

    def survey(self, *more: str, **options) -> dict:
        return self.report("portability", str(self.tree), *more, **options)

    def rules_of(self, report: dict) -> dict:
        found = {}
        for place in report["places"]:
            found.setdefault(place["file"], []).append(place["rule"])
        return {name: sorted(rules) for name, rules in found.items()}

    def test_every_planted_place_is_found_and_nothing_else(self):
        seen = self.survey()
        self.assertEqual(self.rules_of(seen), PLANTED)
        self.assertEqual(seen["schema"], "scoville.portability/1")
        self.assertEqual(seen["files_read"], 6)
        self.assertEqual(seen["files_with_places"], 5)
        self.assertEqual(seen["places_total"], sum(map(len, PLANTED.values())))
        self.assertEqual(seen["by_effort"]["port"] + seen["by_effort"]["rewrite"], HARD)
        self.assertEqual(seen["mentions"], 1)
        self.assertEqual({each["vendor"] for each in seen["vendors"]}, {"nvidia"})
        weights = [each["places"] for each in seen["families"]]
        self.assertEqual(sum(weights), seen["places_total"])
        place = next(each for each in seen["places"] if each["rule"] == "cuda-method")
        self.assertEqual((place["file"], place["line"], place["cell"]), ("train.py", 20, None))
        self.assertEqual(place["text"], "model = Attention().cuda()")

    def test_one_rule_shows_its_places_and_all_counts_are_of_it(self):
        seen = self.survey("--rule", "visible-devices")
        self.assertEqual(seen["places_total"], 3)
        self.assertEqual(seen["mentions"], 0)
        shown = scoville("portability", str(self.tree), "--rule", "visible-devices").stdout
        self.assertIn(f"{self.tree}/serve.sh:4: export CUDA_VISIBLE_DEVICES=0,1", shown)
        self.assertNotIn("nvidia-smi", shown)
        self.assertEqual(self.survey("--rule", "cuda-synchronize")["mentions"], 1)

    def test_detail_lists_every_place(self):
        shown = scoville("portability", str(self.tree), "--detail").stdout
        for place in self.survey()["places"]:
            self.assertIn(f"{place['file']}:{place['line']}: {place['text']}", shown)
        self.assertNotIn("kernel.cu:4:", scoville("portability", str(self.tree)).stdout)

    def test_another_vendor_has_nothing_here(self):
        self.assertEqual(self.survey("--vendor", "huawei")["places_total"], 0)
        self.assertEqual(self.survey("--vendor", "huawei")["mentions"], 0)
        self.assertEqual(self.survey("--vendor", "nvidia")["places_total"], self.survey()["places_total"])

    def test_rules_of_ones_own_are_added(self):
        own = self.write("own.yaml", OWN_RULE)
        seen = self.survey("--rules", own, "--vendor", "acme")
        self.assertEqual([(each["rule"], each["file"], each["line"]) for each in seen["places"]], [("numpy-import", "requirements.txt", 2)])

    def test_a_fault_in_rules_is_one_line_with_its_place(self):
        own = self.write("own.yaml", OWN_RULE.replace("effort: rewrite", "effort: heroic"))
        done = self.fails(2, "portability", str(self.tree), "--rules", own, says=f"{own}:2")
        self.assertIn("rules[0].effort", done.stderr)
        self.assertIn("mechanical, small, port, rewrite", done.stderr)

    def test_what_changed_since_is_compared_by_the_same_choice(self):
        before = self.write("before.json", json.dumps(self.survey()))
        same = self.survey("--against", before)["against"]
        self.assertEqual((same["new"], same["gone"], same["rules_differ"]), ([], [], False))
        for choice in (("--rule", "nvidia-smi"), ("--vendor", "huawei")):
            chosen = self.survey("--against", before, *choice)["against"]
            self.assertEqual((chosen["before"], chosen["new"], chosen["gone"]), (chosen["now"], [], []), choice)
        text = (self.tree / "train.py").read_text().replace("Attention().cuda()", "Attention().to(q.device)")
        (self.tree / "train.py").write_text("\n" + text + "\nx = torch.cuda.Stream()\n")
        seen = self.survey("--against", before)["against"]
        self.assertEqual([each["rule"] for each in seen["gone"]], ["cuda-method"])
        self.assertEqual([each["rule"] for each in seen["new"]], ["cuda-streams"])
        self.assertIn("1 new, 1 gone", " ".join(scoville("portability", str(self.tree), "--against", before).stdout.split()))

    def test_the_gate_counts_what_is_hard(self):
        hard = self.survey()["by_effort"]
        most = hard["port"] + hard["rewrite"]
        self.fails(3, "portability", str(self.tree), "--max-findings", str(most - 1), says=f"{most} places are a port or a rewrite")
        self.assertEqual(scoville("portability", str(self.tree), "--max-findings", str(most)).returncode, 0)

    def test_nothing_to_read_is_said(self):
        (self.folder / "empty").mkdir()
        self.fails(2, "portability", str(self.folder / "empty"), says="no file of a kind that is read")
        self.fails(2, "portability", str(self.folder / "absent"), says="absent")

    def test_a_folder_that_cannot_be_read_is_said_and_the_rest_is_counted(self):
        closed = self.tree / "closed"
        closed.mkdir()
        closed.chmod(0)
        self.addCleanup(closed.chmod, 0o700)
        nobody = {"user": 65534} if os.geteuid() == 0 else {}  # root may read every folder
        self.folder.chmod(0o755)
        seen = self.survey(cwd=self.folder, **nobody)
        self.assertEqual(seen["skipped"], [{"file": str(closed), "why": "unreadable"}])
        self.assertEqual(self.rules_of(seen), PLANTED)

    def test_every_family_informs_a_part_of_a_migration_that_there_is(self):
        data = TREE.parents[1] / "data"
        families = re.findall(r"work_item: (\w+)", (data / "portability_rules.yaml").read_text())
        items = re.findall(r"^  - \{id: (\w+)", (data / "migration_defaults.yaml").read_text(), re.M)
        self.assertGreater(len(families), 10)
        self.assertLessEqual(set(families), set(items))

    def test_a_file_of_a_part_is_compared_with_that_part_alone(self):
        part = self.write("part.json", json.dumps(self.survey("--rule", "nvidia-smi")))
        self.fails(2, "portability", str(self.tree), "--against", part, says="--rule nvidia-smi")
        self.assertEqual(self.survey("--against", part, "--rule", "nvidia-smi")["against"]["new"], [])

    def test_the_table_fits_in_both_languages(self):
        for lang, head in (("en", "25 places in 5 of 6 files"), ("zh", "6 个文件中有 5 个共 25 处绑定厂商")):
            shown = scoville("portability", "tree", "--lang", lang, cwd=self.folder)
            self.assertEqual(shown.returncode, 0, shown.stderr)
            self.assertIn(head, shown.stdout)
            for line in shown.stdout.splitlines():
                self.assertLessEqual(width(line), 100, line)
            self.assertNotIn("\n\n\n", shown.stdout)


if __name__ == "__main__":
    harness.main()

#!/usr/bin/env python3
"""`scoville env`: the checklist, canonical JSON, stuck tools, secrets, both languages.    test_env.py BINARY"""

import json
import os
import re
import stat
import tempfile
import time
import unittest
from pathlib import Path

import harness
from harness import EndToEnd, scoville

PATIENT = ("env", "--timeout", "30s")  # on a loaded machine even a shell takes its time
CHINESE = re.compile(r"[\u4e00-\u9fff]")
ROWS = ["driver", "runtime", "framework", "engine", "model", "topology"]

STUCK = "#!/bin/sh\ntrap '' TERM INT HUP\nwhile :; do sleep 600; done\n"  # ignores TERM
HOLDING = "#!/bin/sh\nsleep 600 &\nexit 0\n"  # ends, while its child keeps the pipe open
ASCEND = """#!/bin/sh
[ "$1" = info ] || exit 1
if [ "$2" = -t ]; then
  printf '\\t   NPU0\\tNPU1\\nNPU0\\t   X\\tHCCS\\n'; exit 0
fi
cat <<'END'
| npu-smi 25.5.2                   Version: 25.5.2                                               |
| 0     910B3               | OK            | 96.4        52                0    / 0             |
| 0                         | 0000:C1:00.0  | 0           0    / 0          3361 / 65536         |
| 1     910B3               | OK            | 97.4        50                0    / 0             |
| 0                         | 0000:01:00.0  | 0           0    / 0          3361 / 65536         |
END
"""


class Tools:
    """A folder of programs before everything else in PATH."""

    def __init__(self, **scripts: str):
        self.folder = tempfile.TemporaryDirectory(prefix="scoville-env-")
        for name, script in scripts.items():
            path = Path(self.folder.name, name.replace("_", "-"))
            path.write_text(script)
            path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def __enter__(self) -> dict:
        return harness.environment(PATH=f"{self.folder.name}:{os.environ['PATH']}")

    def __exit__(self, *_):
        self.folder.cleanup()


class Fingerprint(EndToEnd):
    def test_the_json_is_a_fingerprint_with_its_checklist_and_every_field_has_a_source(self):
        report = self.report("env")
        self.assertEqual(report["schema"], "scoville.fingerprint/1")
        self.assertEqual([row["row"] for row in report["checklist"]], ROWS)
        self.assertEqual(list(report["fields"]), sorted(report["fields"]))
        for key, field in report["fields"].items():
            with self.subTest(key):
                self.assertRegex(key, r"^[a-z0-9_-]+(\.[a-z0-9_-]+)+$")
                self.assertIn(field["status"], ("ok", "absent", "denied", "error"))
                self.assertTrue(field["source"])
                self.assertEqual(field["value"] is None, field["status"] != "ok")
        for key in ("os.kernel", "cpu.model", "memory.total_gib", "container.kind", "pci.accelerators"):
            self.assertEqual(report["fields"][key]["status"], "ok", key)

    def test_two_runs_are_comparable_and_nothing_has_changed_since_the_first(self):
        with tempfile.TemporaryDirectory() as folder:
            base = str(Path(folder, "base.json"))
            printed = scoville(*PATIENT, "--json", "-o", base)
            self.assertEqual(printed.returncode, 0, printed.stderr)
            self.assertEqual(Path(base).read_text(), printed.stdout)
            second = self.report(*PATIENT, "--base", base)
            self.assertEqual(second["hash"]["comparable"], json.loads(printed.stdout)["hash"]["comparable"])
            self.assertEqual([row["changed"] for row in second["checklist"]], [[]] * 6)
            self.assertNotIn("changed", {row["state"] for row in second["checklist"]})
            self.assertIn(base, scoville("env", "--base", base).stdout)

    def test_a_driver_that_came_since_is_named(self):
        with tempfile.TemporaryDirectory() as folder, Tools(npu_smi=ASCEND) as env:
            base = str(Path(folder, "base.json"))
            self.report(*PATIENT, "-o", base, env=env)
            with Tools(npu_smi=ASCEND.replace("25.5.2", "25.6.0")) as newer:
                report = self.report(*PATIENT, "--base", base, env=newer)
                rows = {row["row"]: row for row in report["checklist"]}
                self.assertEqual(rows["driver"], {"row": "driver", "state": "changed", "changed": ["driver.huawei"]})
                table = scoville(*PATIENT, "--base", base, env=newer).stdout
                self.assertIn("driver.huawei: 25.5.2 → 25.6.0", table)

    def test_an_ascend_machine_by_its_tool(self):
        with Tools(npu_smi=ASCEND) as env:
            fields = self.report(*PATIENT, env=env)["fields"]
            self.assertEqual(fields["driver.huawei"]["value"], "25.5.2")
            self.assertEqual(fields["device.huawei.count"]["value"], 2)
            self.assertEqual(fields["device.huawei.1.name"]["value"], "910B3")
            self.assertTrue(fields["topology.huawei"]["value"].startswith("\t   NPU0"))  # its columns stay in place


    def test_frameworks_are_found_without_importing_them(self):
        with tempfile.TemporaryDirectory() as folder:
            torch, info = Path(folder, "torch"), Path(folder, "torch-2.5.1.dist-info")
            torch.mkdir()
            info.mkdir()
            (torch / "__init__.py").write_text("raise SystemExit(7)  # whoever imports this does not come back\n")
            (torch / "version.py").write_text("__version__ = '2.5.1'\ndebug = False\ncuda: Optional[str] = '12.4'\n"
                                              "git_version = 'a8d6afb5'\nhip: Optional[str] = None\n")
            (info / "METADATA").write_text("Metadata-Version: 2.1\nName: torch\nVersion: 2.5.1\n")
            report = self.report(*PATIENT, env=harness.environment(PYTHONPATH=folder))
            fields = report["fields"]
            self.assertEqual(fields["framework.torch"]["value"], "2.5.1")
            self.assertEqual(fields["framework.torch.cuda"]["value"], "12.4")
            self.assertEqual(fields["framework.torch.git_version"]["value"], "a8d6afb5")
            self.assertNotIn("framework.torch.hip", fields)
            self.assertEqual(report["checklist"][2]["state"], "fixed")


class Trouble(EndToEnd):
    def test_a_stuck_tool_is_reported_and_waited_for_only_so_long(self):
        for name, script in (("ignores TERM", STUCK), ("leaves a child with the pipe", HOLDING)):
            with self.subTest(name), Tools(nvidia_smi=script) as env:
                began = time.monotonic()
                report = self.report("env", env=env)
                self.assertLess(time.monotonic() - began, 5)  # the tool would take ten minutes
                field = report["fields"]["tool.nvidia-smi"]
                self.assertEqual(field["status"], "error")
                self.assertRegex(field["source"], r"^nvidia-smi .*: timed out after 1 s$")
                self.assertEqual(report["checklist"][0]["state"], "unknown")

    def test_no_secret_is_told(self):
        secrets = {"HF_TOKEN": "hf_planted0planted0", "VLLM_API_KEY": "planted1", "NCCL_SECRET": "planted2",
                   "AWS_ACCESS_KEY_ID": "planted3", "TORCH_PASSWORD": "planted4",
                   "HF_ENDPOINT": "https://planted5:planted6@example.org"}
        env = harness.environment(NCCL_DEBUG="INFO", **secrets)
        for args in (("env",), ("env", "--json"), ("env", "--redact")):
            done = scoville(*args, env=env)
            self.assertEqual(done.returncode, 0)
            self.assertNotIn("planted", done.stdout + done.stderr)
            self.assertIn("nccl_debug", done.stdout)

    def test_redacted_output_names_neither_host_nor_addresses(self):
        host = os.uname().nodename
        fields = self.report("env", "--redact")["fields"]
        self.assertNotIn("os.hostname", fields)
        self.assertFalse([key for key in fields if key.endswith((".mac", ".uuid", ".serial", ".address"))
                          and fields[key]["status"] == "ok"])
        if len(host) > 8:  # a short one may be a part of any word
            self.assertNotIn(host, json.dumps(fields))

    def test_bad_files_are_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "bad")
            path.write_text("{")
            self.fails(2, "env", "--base", str(path), says=str(path))
            path.write_text("{}")
            self.fails(2, "env", "--base", str(path), says="scoville.fingerprint/1")
            path.write_text("- {id: 'zzzz'}")
            self.fails(2, "env", "--pci-data", str(path), says="zzzz")
            self.fails(1, "env", "-o", str(Path(folder, "no", "where")), says="where")

    def test_a_users_pci_data_is_taken(self):
        with tempfile.TemporaryDirectory() as folder:
            vendor = Path("/sys/bus/pci/devices")
            cards = [each for each in vendor.iterdir()] if vendor.exists() else []
            if not cards:
                self.skipTest("no PCI here")
            vendor_id = (cards[0] / "vendor").read_text().strip()[2:]
            device_id = (cards[0] / "device").read_text().strip()[2:]
            path = Path(folder, "mine.yaml")
            path.write_text(f"- {{id: '{vendor_id}:{device_id}', vendor: mine, name: My Chip, source: me, confidence: low}}\n")
            fields = self.report("env", "--pci-data", str(path))["fields"]
            self.assertIn("My Chip", [field["value"] for field in fields.values()])


class Languages(EndToEnd):
    def test_the_table_opens_with_six_rows_in_both_languages(self):
        english, chinese = scoville("env"), scoville("env", "--lang", "zh")
        self.assertEqual((english.returncode, chinese.returncode), (0, 0))
        self.assertNotRegex(english.stdout, CHINESE)
        for table, rows in ((english.stdout, ("driver and firmware", "runtime", "framework", "inference engine",
                                              "model files", "links between cards")),
                            (chinese.stdout, ("驱动与固件版本", "运行时版本", "深度学习框架", "推理引擎", "模型文件",
                                              "卡间互联拓扑"))):
            opening = table.splitlines()[3:9]
            for row, line in zip(rows, opening):
                self.assertTrue(line.startswith("  " + row), line)
        self.assertNotRegex(scoville("env", "--json", "--lang", "zh").stdout, CHINESE)


if __name__ == "__main__":
    harness.main()

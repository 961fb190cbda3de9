"""`scoville probe readiness`: the gate before any number.

    test_readiness.py BINARY
"""

import json
import os
import tempfile
import unittest
from pathlib import Path

import harness
from harness import EndToEnd, Server, scoville

PROBE = r'''#!/bin/sh
while read -r line; do
  case $line in
    *'"describe"'*) echo '{"id":1,"result":{"protocol":1,"probe":"fake","devices":[{"id":"acme:0","vendor":"acme"}]}}' ;;
    *) for check in visible count allocate copy add synchronise read_back framework; do
         if [ "$check" = "$DIES_AT" ]; then kill -SEGV $$; fi
         verdict=yes; [ "$check" = "$FAILS_AT" ] && verdict=no
         echo '{"id":2,"row":{"check":"'$check'","verdict":"'$verdict'","evidence":"said so","version":null}}'
       done
       echo '{"id":2,"result":{}}' ;;
  esac
done
'''
TOOLS = """tools:
  - {vendor: acme, layer: compiler, program: [acc, --version], version: 'acc ([0-9.]+)'}
  - {vendor: acme, layer: communication_library, library: libacme_comm.so}
  - {vendor: acme, layer: profiler, program: [aprof, --version]}
"""


class Readiness(EndToEnd):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.program("probe", PROBE)
        self.program("acc", "#!/bin/sh\necho 'acc 3.1.4 (acme)'\n")
        self.path("libacme_comm.so.2.7").write_text("")
        self.path("tools.yaml").write_text(TOOLS)

    def path(self, name: str) -> Path:
        return Path(self.folder.name, name)

    def program(self, name: str, text: str):
        self.path(name).write_text(text)
        self.path(name).chmod(0o755)

    def ask(self, *more: str, status: int = 0, **variables: str) -> dict:
        env = harness.environment(PATH=f"{self.folder.name}:{os.environ['PATH']}", LD_LIBRARY_PATH=self.folder.name, **variables)
        done = scoville("probe", "readiness", "--device", "acme", "--probe", str(self.path("probe")), "--tools", str(self.path("tools.yaml")),
                        "--json", *more, env=env)
        self.assertEqual(done.returncode, status, done.stderr)
        report = json.loads(done.stdout)
        report["by_name"] = {check["check"]: check for check in report["checks"]}
        return report

    def test_a_device_that_computes_right_is_ready_and_its_layers_are_found_by_rules_of_ones_own(self):
        report = self.ask()
        self.assertEqual((report["verdict"], report["first_missing"]), ("ready", None))
        checks = report["by_name"]
        self.assertEqual((checks["compiler"]["verdict"], checks["compiler"]["version"]), ("yes", "3.1.4"))
        self.assertEqual((checks["communication_library"]["verdict"], checks["communication_library"]["version"]), ("yes", "2.7"))
        self.assertEqual(checks["profiler"]["verdict"], "no")
        self.assertIn("aprof", checks["profiler"]["evidence"])
        self.assertEqual(checks["operator_library"]["verdict"], "unknown")  # no rule for it
        self.assertEqual(checks["telemetry"]["verdict"], "unknown")
        missing = report["ecosystem"]["layers_missing"]
        verdicts = [check["verdict"] for check in report["checks"][7:]]
        self.assertEqual(missing["low"], verdicts.count("no"))
        self.assertEqual(missing["high"], verdicts.count("no") + verdicts.count("unknown"))

    def test_a_wrong_result_closes_the_gate(self):
        report = self.ask(status=3, FAILS_AT="read_back")
        self.assertEqual((report["verdict"], report["first_missing"]), ("not_ready", "read_back"))

    def test_a_probe_that_dies_has_failed_in_the_step_after_its_last_row(self):
        report = self.ask(status=3, DIES_AT="add")
        self.assertEqual(report["first_missing"], "add")
        self.assertIn("Segmentation fault", report["by_name"]["add"]["evidence"])
        self.assertEqual(report["by_name"]["synchronise"]["verdict"], "unknown")

    def test_an_engine_is_asked_for_its_models(self):
        with Server("ttft=1ms,itl=1ms,tokens=2") as server:
            self.assertEqual(self.ask("--base-url", server.url)["by_name"]["engine"]["verdict"], "yes")
            wrong = self.ask("--base-url", server.url, "--model", "another", status=3)["by_name"]["engine"]
            self.assertEqual(wrong["verdict"], "no")
            self.assertIn("not another", wrong["evidence"])

    def test_an_image_has_its_digest_from_a_container_tool(self):
        self.program("docker", "#!/bin/sh\necho 'acme/engine@sha256:0123'\n")
        image = self.ask("--image", "acme/engine:1")["by_name"]["image"]
        self.assertEqual((image["verdict"], image["version"]), ("yes", "sha256:0123"))

    def test_a_python_that_is_not_there_leaves_its_layers_open(self):
        checks = self.ask("--python", "/nowhere/python")["by_name"]
        self.assertEqual(checks["transformers"]["verdict"], "unknown")

    def test_a_fault_in_the_rules_has_file_line_and_field(self):
        self.path("bad.yaml").write_text("tools:\n  - {vendor: acme, layer: linker, program: [ld]}\n")
        done = scoville("probe", "readiness", "--tools", str(self.path("bad.yaml")))
        self.assertEqual(done.returncode, 2)
        self.assertIn("bad.yaml:2: tools[0].layer", done.stderr)

    def test_this_machine_in_chinese(self):
        done = scoville("probe", "readiness", "--lang", "zh")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("就绪：设备可用且计算正确", done.stdout)


if __name__ == "__main__":
    harness.main()

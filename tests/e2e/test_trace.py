#!/usr/bin/env python3
"""`scoville trace`: the cases of traces and logs, damaged files, compressed ones.    test_trace.py BINARY"""

import gzip
import json
import re
import tempfile
import unittest
from pathlib import Path

import harness
from harness import EndToEnd, scoville

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests/cases/open"
EXAMPLE = str(ROOT / "examples/traces/step.json")
GIB = 1 << 30


def as_case(table: dict) -> dict:
    """A table in the keys of the cases."""
    log = table["log"] or {}
    micros = {new: table[old] / 1000 for new, old in (("busy_us", "busy_ns"), ("span_us", "span_ns"), ("sum_us", "kernel_time_ns"))
              if table[old] is not None}
    rows = table["operators"]
    oom = [[each["device"], each["bytes"] / GIB] for each in log.get("out_of_memory", [])]
    return table | micros | log | {
        "util": table["utilisation"], "fallback_ops": [row["operator"] for row in rows],
        "calls": {row["operator"]: row["calls"] for row in rows}, "syncs": log.get("host_reads"),
        "lines": log.get("preemption_lines"), "preemptions_min": log.get("preemptions_at_least"),
        "preemptions": log.get("preemptions_at_least"), "modes": log.get("preemption_modes"), "oom": oom,
        "config_limit": log.get("config_limits")}


class Traces(EndToEnd):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="scoville-e2e-trace-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def table(self, path, *more: str) -> dict:
        tables = self.report("trace", str(path), *more)["tables"]
        self.assertEqual(len(tables), 1)
        return tables[0]

    def written(self, name: str, content) -> str:
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def test_each_case_of_traces_and_logs_is_read_right(self):
        seen = 0
        for path in sorted(CASES.glob("*.expect.json")):
            name = path.name.split(".")[0]
            if not name.startswith(("TRC-", "LOG-")):
                continue
            source = next(each for each in CASES.glob(f"{name}.*") if not each.name.endswith(".expect.json"))
            table = as_case(self.table(source))
            for key, right in json.loads(path.read_text())["expect"].items():
                with self.subTest(f"{name} {key}"):
                    found = table[key]
                    if key == "flags":
                        self.assertLessEqual(set(right), set(found))
                    elif key == "oom" and isinstance(right, int):
                        self.assertEqual(len(found), right)
                    else:
                        self.assertEqual(found, right)
            seen += 1
        self.assertEqual(seen, 15)

    def test_the_step_of_the_example_adds_up(self):
        table = self.table(EXAMPLE)
        shares = table["shares"]
        self.assertAlmostEqual(sum(shares[key] for key in ("compute", "communication", "memory", "host", "idle")), 1)
        self.assertAlmostEqual(shares["compute"], 0.35)  # 1050-1400 of 1000-2000
        self.assertAlmostEqual(shares["communication"], 0.1)  # 1400-1500
        verdicts = {row["operator"]: row["verdict"] for row in table["operators"]}
        self.assertEqual(verdicts["aten::isin"], "fallback")
        self.assertEqual(verdicts["aten::mm"], "supported")
        self.assertEqual(table["device_names"], ["Example accelerator"])
        times = [row["time_ns"] if row["time_ns"] is not None else -1 for row in table["operators"]]
        self.assertEqual(times, sorted(times, reverse=True))

    def test_gzip_is_told_by_its_bytes_and_a_cut_one_by_its_end(self):
        content = Path(EXAMPLE).read_bytes()
        plain = self.table(EXAMPLE)
        packed = self.table(self.written("trace.json", gzip.compress(content)))
        self.assertEqual(packed["operators"], plain["operators"])
        two = self.table(self.written("two.json.gz", gzip.compress(content[:900]) + gzip.compress(content[900:])))
        self.assertEqual(two["operators"], plain["operators"])
        cut = self.table(self.written("cut.gz", gzip.compress(content)[:-200]))
        self.assertIn("truncated_trace", cut["flags"])
        self.assertLess(cut["events"], plain["events"])

    def test_a_file_that_ends_anywhere_is_read_or_refused_with_one_line(self):
        content = Path(EXAMPLE).read_bytes()
        for size in range(1, len(content), 131):
            path = self.written("cut.json", content[:size])
            done = scoville("trace", path, "--json")
            if done.returncode:
                self.fails(1, "trace", path, says="cut.json")
            else:
                flags = self.one_object(done.stdout)["tables"][0]["flags"]
                self.assertTrue({"truncated_trace", "unclosed_trace"} & set(flags) or size > content.rfind(b"]"), size)

    def test_what_is_none_of_these_is_one_line(self):
        for content, says in ((b"", "empty"), (b'{"traceEvents":{"a":1}}', "list of events"), (b"{}", "traceEvents"),
                              (b"\x7fELF\x00\x01\x02\x00", "binary"), (b'{"traceEvents":7}', "list of events")):
            self.fails(1, "trace", self.written("odd", content), says=says)
        self.fails(1, "trace", "/nonexistent", says="/nonexistent")
        self.fails(1, "trace", str(self.folder), says=str(self.folder))
        self.fails(2, "trace", says="FILE")
        self.fails(2, "trace", EXAMPLE, "--rules", self.written("rules", "origins: 7"), says="rules:1")

    def test_lists_of_ascend_and_several_files_at_once(self):
        kernels = self.written("a.csv", '\ufeffDevice_id,Name,Type,Accelerator Core,Start Time(us),Duration(us)\r\n'
                                        '0,aclnnMatmul_MatMulV2,MatMulV2,AI_CORE,"100.000\t",30,\r\n0,n,NonZero,AI_CPU,140,10\r\n')
        statistic = self.written("b.csv", "OP Type,Core Type,Count,Total Time(us)\nCast,AI_VECTOR_CORE,3,9.5\n")
        first, second = self.report("trace", kernels, statistic)["tables"]
        self.assertEqual((first["kind"], first["busy_ns"], first["span_ns"]), ("kernel_list", 40000, 50000))
        self.assertEqual([row["device"] for row in first["operators"]], ["device", "device_cpu"])
        self.assertEqual(second["operators"][0]["time_ns"], 9500)
        self.assertIsNone(second["utilisation"])

    def test_rules_of_ones_own_go_first(self):
        rules = self.written("rules.yaml", "origins: [{origin: custom, library: ours, match: ['^ampere_']}]")
        row = next(row for row in self.table(EXAMPLE, "--rules", rules)["operators"] if row["operator"] == "aten::mm")
        self.assertEqual(row["kernels"][0]["library"], "ours")

    def test_tables_in_both_languages_keep_within_100_columns(self):
        for lang, word in (("en", "fallback"), ("zh", "回退")):
            done = scoville("trace", EXAMPLE, str(CASES / "LOG-06.log"), "--lang", lang)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn(word, done.stdout)
            for line in done.stdout.splitlines():
                if str(ROOT) not in line:  # a long path stays whole
                    self.assertLessEqual(len(line) + len(re.findall(r"[\u3000-\u9fff\uff00-\uffef]", line)), 100, line)


if __name__ == "__main__":
    harness.main()

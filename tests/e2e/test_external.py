#!/usr/bin/env python3
"""Results of other tools as external evidence: runs import, list, show, tag, delete, export, compare.    test_external.py BINARY"""

import json
import os
import re
import statistics
import tempfile
import unittest
from pathlib import Path

import harness
from harness import EndToEnd, Server, scoville

CHINESE = re.compile(r"[\u4e00-\u9fff]")
LOAD = ("--num-prompts", "20", "--max-concurrency", "4", "--random-input-len", "16", "--random-output-len", "8",
        "--num-warmups", "2")
SGLANG = {"backend": "sglang-oai", "dataset_name": "random", "request_rate": 4.0, "max_concurrency": None, "duration": 5.0,
          "completed": 20, "total_output_tokens": 160, "total_output_tokens_retokenized": 158, "request_throughput": 4.0,
          "output_throughput": 32.0, "mean_ttft_ms": 12.5, "median_ttft_ms": 12.0, "p99_ttft_ms": 30.0, "mean_tpot_ms": 2.0,
          "mean_itl_ms": 2.5, "mean_e2e_latency_ms": 40.0}
GUIDELLM = {"metadata": {"version": 2, "guidellm_version": "0.8.0"}, "benchmarks": [
    {"config": {"strategy": {"type_": "concurrent", "streams": 4}}, "duration": 10.0, "metrics": {
        "request_totals": {"successful": 18, "incomplete": 0, "errored": 2, "total": 20},
        "time_to_first_token_ms": {"successful": {"mean": 6.0, "median": 5.5, "percentiles": {"p50": 5.5, "p99": 9.0}}},
        "time_per_output_token_ms": {"successful": {"mean": 2.5}},
        "inter_token_latency_ms": {"successful": {"mean": 1.25}}}}]}


class External(EndToEnd):
    """Each test has a store of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="scoville-external-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.store = ("--store", str(self.folder / "runs.db"))

    def put(self, name: str, content) -> str:
        path = self.folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return str(path)

    def take(self, *args: str) -> list:
        """Ids of what was imported."""
        return [each["id"] for each in self.report("runs", "import", *args, *self.store)["external"]]

    def bench(self, server: Server, *args: str) -> dict:
        return self.report("bench", "--base-url", server.url, *LOAD, *self.store, *args)

    def figures(self, shown: dict) -> dict:
        return {(each["metric"], each["statistic"], each["recomputed_from"] is not None): each for each in shown["figures"]}


class Kept(External):
    def test_other_tools_names_become_ours_and_say_so(self):
        one, two = self.take(self.put("r.jsonl", SGLANG), self.put("benchmarks.json", GUIDELLM))
        seen = self.figures(self.report("runs", "show", one, *self.store))
        self.assertAlmostEqual(seen["ttft", "p50", False]["value"], 0.012)
        self.assertEqual(seen["ttft", "p50", False]["as"], "median_ttft_ms")
        self.assertEqual(seen["icl", "mean", False]["definition"], "icl_text_chunks")
        shown = self.report("runs", "show", two, *self.store)
        self.assertEqual((shown["schema"], shown["tool"], shown["tag"]), ("scoville.external/1", "guidellm", None))
        seen = self.figures(shown)
        self.assertAlmostEqual(seen["ntpot", "mean", False]["value"], 0.0025)  # which they call time per output token
        self.assertAlmostEqual(seen["tpot", "mean", False]["value"], 0.00125)  # and this inter-token latency
        self.assertEqual(seen["tpot", "mean", False]["comparable"], "roughly")
        for definition in {each["definition"] for each in shown["figures"]}:
            self.assertTrue(shown["definitions"][definition]["against_ours"])

    def test_what_our_own_export_says_comes_back_as_what_was_measured(self):
        out = str(self.folder / "vllm.json")
        with Server("ttft=5ms,itl=1ms,tokens=8") as server:
            measured = self.bench(server, "--endpoint", "/v1/completions", "--save-detailed", "--output-json", out)
        [evidence] = self.take(out)
        seen = self.figures(self.report("runs", "show", evidence, *self.store))
        exported = json.loads(Path(out).read_text())
        self.assertAlmostEqual(seen["ttft", "mean", False]["value"], statistics.mean(exported["ttfts"]))
        self.assertAlmostEqual(seen["ttft", "p50", True]["value"], sorted(exported["ttfts"])[9])
        self.assertEqual(seen["ttft", "p50", True]["recomputed_from"], 20)
        beside = self.report("runs", "show", measured["run"], evidence, *self.store)
        rows = {(row["metric"], row["statistic"]): row for row in beside["rows"]}
        ttft = rows["ttft", "mean"]
        self.assertAlmostEqual(ttft["ours_as_vllm"], ttft["theirs"][0]["value"], delta=0.001)  # no role comes first
        self.assertEqual(ttft["ours"], measured["metrics"]["ttft"]["mean"] / 1e9)
        self.assertNotIn("interval", json.dumps(beside["rows"]))

    def test_the_same_file_again_is_there_already_and_all_or_none_of_several_is_taken(self):
        good, bad = self.put("r.jsonl", SGLANG), self.put("bad.json", SGLANG | {"completed": "many"})
        self.fails(1, "runs", "import", good, bad, *self.store, says="completed: expected a number")
        self.assertFalse((self.folder / "runs.db").exists())
        [known] = self.take(good)
        again = self.report("runs", "import", good, *self.store)
        self.assertEqual((again["external"], [each["id"] for each in again["present"]]), ([], [known]))
        self.assertEqual(len(self.report("runs", "list", *self.store)["external"]), 1)

    def test_python_nan_is_unknown_and_other_files_are_refused_in_one_line(self):
        [evidence] = self.take(self.put("r.jsonl", json.dumps(SGLANG | {"p99_ttft_ms": float("nan")})))
        self.assertIsNone(self.figures(self.report("runs", "show", evidence, *self.store))["ttft", "p99", False]["value"])
        for content, says in (("{}", "SGLang"), ("", "guidellm"), ('{"a": 1', "line 1"), ("[1]", "docs/formats/external.md")):
            done = self.fails(1, "runs", "import", self.put("x", content), *self.store, says=says)
            self.assertIn(str(self.folder / "x"), done.stderr)
        self.fails(1, "runs", "import", str(self.folder), *self.store, says="no regular file")
        os.mkfifo(self.folder / "pipe")
        self.fails(1, "runs", "import", str(self.folder / "pipe"), *self.store, says="no regular file")
        self.fails(1, "runs", "import", self.put("x", "x" * 2000), "--max-bytes", "1kB", *self.store, says="--max-bytes")
        self.fails(2, "runs", "import", self.put("x", SGLANG), "--system", "/nonexistent", *self.store, says="/nonexistent")


class Apart(External):
    def setUp(self):
        super().setUp()
        with Server("ttft=5ms,itl=1ms,tokens=8") as server:
            self.run_id = self.bench(server, "--tag", "before")["run"]
        [self.evidence] = self.take(self.put("r.jsonl", SGLANG), "--tag", "theirs")

    def test_a_list_shows_it_apart(self):
        seen = self.report("runs", "list", *self.store)
        self.assertEqual([run["id"] for run in seen["runs"]], [self.run_id])
        self.assertEqual([(each["id"], each["tool"], each["tag"]) for each in seen["external"]],
                         [(self.evidence, "sglang", "theirs")])
        table = scoville("runs", "list", *self.store).stdout
        self.assertLess(table.index(self.run_id), table.index("External evidence"))
        only = self.report("runs", "list", "--tag", "theirs", *self.store)
        self.assertEqual((only["runs"], len(only["external"])), ([], 1))

    def test_no_comparison_takes_it_and_each_says_what_can_be_done(self):
        for args in (("compare", "before", "theirs"), ("compare", self.evidence, "before"), ("history", "theirs"),
                     ("compare", "--aa", "theirs")):
            done = self.fails(2, *args, *self.store, says="is external evidence (SGLang bench_serving)")
            self.assertIn("scoville runs show OURS", done.stderr)
        done = self.fails(1, "runs", "export", "theirs", "-o", str(self.folder / "x.scov"), *self.store, says="r.jsonl")
        self.assertFalse((self.folder / "x.scov").exists())

    def test_side_by_side_in_both_languages(self):
        for lang in ("en", "zh"):
            for names in (("theirs",), ("before", "theirs")):
                done = scoville("runs", "show", *names, *self.store, "--lang", lang)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                (self.assertRegex if lang == "zh" else self.assertNotRegex)(done.stdout, CHINESE)
        text = re.sub(r"\s+", " ", scoville("runs", "show", "before", "theirs", *self.store).stdout)
        self.assertIn("No test, no interval, no verdict", text)
        self.assertIn("TTFT P50", text)
        self.assertIn("higher by one TCP (and TLS) handshake a request", text)
        self.assertIn("the loads differ", text)
        beside = self.report("runs", "show", "before", "theirs", *self.store)
        self.assertEqual(beside["ours"], {"name": "before", "runs": 1})
        self.fails(2, "runs", "show", "before", self.run_id, *self.store, says="scoville compare")

    def test_tags_never_stand_for_both(self):
        self.fails(2, "runs", "import", self.put("y", SGLANG | {"completed": 19}), "--tag", "before", *self.store, says="another tag")
        self.fails(1, "runs", "tag", "theirs", "before", *self.store, says="another tag")
        self.assertEqual(self.report("runs", "tag", "theirs", "rival", *self.store)["external"], [self.evidence])
        self.fails(1, "runs", "show", "theirs", *self.store, says="theirs")
        self.assertEqual(self.report("runs", "show", "rival", *self.store)["tag"], "rival")
        self.assertEqual(self.report("runs", "show", self.evidence[:-1], *self.store)["id"], self.evidence)
        self.report("runs", "tag", "rival", "", *self.store)
        self.assertIsNone(self.report("runs", "list", *self.store)["external"][0]["tag"])

    def test_deleting_it_leaves_the_runs(self):
        self.fails(2, "runs", "delete", "theirs", *self.store, says="--yes")
        seen = self.report("runs", "delete", "theirs", "--yes", *self.store)
        self.assertEqual((seen["deleted"], seen["external"]), ([], [self.evidence]))
        left = self.report("runs", "list", *self.store)
        self.assertEqual((len(left["runs"]), left["external"]), (1, []))
        self.take(self.put("r.jsonl", SGLANG))
        both = self.report("runs", "delete", "before", self.report("runs", "list", *self.store)["external"][0]["id"], "--yes", *self.store)
        self.assertEqual((both["deleted"], len(both["external"])), ([self.run_id], 1))

    def test_a_bundle_is_imported_alone(self):
        bundle = str(self.folder / "x.scov")
        self.report("runs", "export", "before", "-o", bundle, *self.store)
        for more in (("--tag", "a"), ("--system", "local"), (str(self.folder / "r.jsonl"),)):
            self.fails(2, "runs", "import", bundle, *more, *self.store, says="imported alone")
        self.assertEqual(self.report("runs", "import", bundle, *self.store)["present"], [self.run_id])

    def test_what_was_measured_is_kept_with_it(self):
        system = str(self.folder / "here.json")
        self.assertIn(scoville("env", "--json", "-o", system).returncode, (0, 4))
        [evidence] = self.take(self.put("z.json", GUIDELLM), "--system", system)
        seen = self.report("runs", "show", evidence, *self.store)
        self.assertEqual(seen["system"]["hash"], json.loads(Path(system).read_text())["hash"])
        self.assertIn("measured system", scoville("runs", "show", evidence, *self.store).stdout)


if __name__ == "__main__":
    harness.main()

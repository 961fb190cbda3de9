#!/usr/bin/env python3
"""In and out in other tools' words: command lines as vLLM's client takes them, its result file, CSV.

    test_formats.py BINARY
"""

import csv
import io
import json
import re
import statistics
import tempfile
import unittest
from pathlib import Path

import harness
from harness import EndToEnd, Server, scoville

SCRIPT = "ttft=5ms,itl=1ms,tokens=8"
FAILING = "ttft=5ms,itl=1ms,tokens=16,error_at=10,error_rate=0.3,seed=3"  # breaks within the stream, at the 10th token
SHORT = ("--random-input-len", "16", "--random-output-len", "8")
LONG = ("--random-input-len", "16", "--random-output-len", "16")
CHINESE = re.compile(r"[\u4e00-\u9fff]")

ALWAYS = set("""date endpoint_type backend label model_id tokenizer_id num_prompts request_rate burstiness max_concurrency
    duration completed failed total_input_tokens total_output_tokens request_throughput request_goodput output_throughput
    total_token_throughput latencies queue_times max_output_tokens_per_s max_concurrent_requests rtfx""".split())
DETAILED = set("input_lens output_lens start_times ttfts itls generated_texts errors".split())


def statistics_of(*metrics: str, percentiles=("99",)) -> set:
    words = ("mean", "median", "std", *(f"p{each}" for each in percentiles))
    return {f"{word}_{metric}_ms" for metric in metrics for word in words}


def port_of(server: Server) -> str:
    return server.url.rsplit(":", 1)[1]


class Formats(EndToEnd):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="scoville-formats-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def bench(self, server: Server, *args: str, status: int = 0, **more):
        done = scoville("bench", "--port", port_of(server), *args, cwd=self.folder, **more)
        self.assertEqual(done.returncode, status, f"{args}\n{done.stdout[-1500:]}\n{done.stderr[-1500:]}")
        return done

    def load(self, name: str) -> dict:
        return self.one_object((self.folder / name).read_text())


class VllmLine(Formats):
    def test_a_line_of_vllms_client_runs_as_it_stands(self):
        line = ("--model meta-llama/Llama-3.1-8B-Instruct --tokenizer meta-llama/Llama-3.1-8B-Instruct --num-prompts 200 "
                "--request-rate 20 --backend vllm --endpoint /v1/completions --output-json result.json").split()
        with Server(SCRIPT) as server:
            done = self.bench(server, *line)
            self.assertEqual(server.metric("scoville:requests_failed_total"), 0)
        told = [each for each in done.stderr.splitlines() if "--tokenizer" in each]
        self.assertEqual(len(told), 1, done.stderr)
        result = self.load("result.json")
        self.assertEqual(set(result), ALWAYS | statistics_of("ttft", "tpot", "itl"))
        self.assertEqual(result["model_id"], "meta-llama/Llama-3.1-8B-Instruct")
        self.assertEqual(result["tokenizer_id"], "meta-llama/Llama-3.1-8B-Instruct")
        self.assertEqual((result["backend"], result["num_prompts"], result["request_rate"]), ("vllm", 200, 20))
        self.assertEqual((result["completed"], result["failed"]), (200, 0))
        self.assertEqual(result["total_output_tokens"], 200 * 8)
        self.assertAlmostEqual(result["request_throughput"] * result["duration"], 200)
        self.assertRegex(result["date"], r"^\d{8}-\d{6}$")

    def test_backend_and_path_decide_the_api(self):
        with Server(SCRIPT) as server:
            for words, path, dialect in (
                    (("--backend", "vllm"), "/v1/completions", "openai-completions"),
                    (("--backend", "openai-chat"), "/v1/chat/completions", "openai"),
                    (("--backend", "vllm", "--endpoint", "/v1/chat/completions"), "/v1/chat/completions", "openai"),
                    (("--url", f"{server.url}/v1/completions"), "/v1/completions", "openai-completions")):
                with self.subTest(words):
                    address = () if "--url" in words else ("--base-url", server.url)
                    seen = self.report("bench", *address, *words, *SHORT, "--num-prompts", "2", "--max-concurrency", "1")
                    self.assertTrue(seen["system"]["url"].endswith(path), seen["system"])
                    self.assertEqual(seen["workload"]["dialect"], dialect)

    def test_without_an_address_a_backend_means_port_8000_of_this_machine(self):
        self.fails(2, "bench", "--num-prompts", "2", says="--base-url")
        done = scoville("bench", "--backend", "vllm", "--num-prompts", "1", "--port", "1")
        self.assertIn("127.0.0.1:1", done.stderr)  # nothing listens there; the host was filled in

    def test_the_served_name_is_sent_and_the_models_name_is_reported(self):
        with Server(SCRIPT + ",model=short") as server:
            self.bench(server, "--backend", "vllm", "--model", "org/long", "--served-model-name", "short", *SHORT,
                       "--num-prompts", "2", "--max-concurrency", "1", "--output-json", "r.json")
        self.assertEqual(self.load("r.json")["model_id"], "org/long")

    def test_sampling_words_go_into_the_body_and_need_an_openai_api(self):
        with Server(SCRIPT) as server:
            self.bench(server, "--backend", "vllm", "--top-k", "4", "--min-p", "0.1", "--repetition-penalty", "1.1", *SHORT,
                       "--num-prompts", "2", "--max-concurrency", "1")
        self.fails(2, "bench", "--backend", "tgi", "--top-k", "4", says="--top-k")

    def test_limits_may_be_several_words_as_vllm_has_them(self):
        with Server(SCRIPT) as server:
            seen = self.report("bench", "--base-url", server.url, *SHORT, "--num-prompts", "4", "--max-concurrency", "1",
                               "--goodput", "ttft:2000", "tpot:500")
        self.assertEqual(seen["goodput"]["good"], 4)


class ResultFile(Formats):
    def test_save_result_names_the_file_as_vllm_does(self):
        with Server(SCRIPT) as server:
            self.bench(server, "--backend", "openai-chat", "--model", "org/tiny", *SHORT, "--num-prompts", "4",
                       "--request-rate", "200", "--max-concurrency", "2", "--save-result", "--result-dir", "made/here",
                       "--metadata", "gpu=x", "tp=8", "--metadata", "note=a=b", "--percentile-metrics",
                       "e2el,client_queue_time", "--metric-percentiles", "50,99.9")
        names = [each.name for each in (self.folder / "made/here").iterdir()]
        self.assertEqual(len(names), 1)
        self.assertRegex(names[0], r"^openai-chat-200\.0qps-concurrency2-tiny-\d{8}-\d{6}\.json$")
        result = self.load(f"made/here/{names[0]}")
        self.assertEqual(set(result), ALWAYS | {"gpu", "tp", "note"} | statistics_of(
            "e2el", "client_queue_time", percentiles=("50", "99.9")))
        self.assertEqual((result["gpu"], result["tp"], result["note"]), ("x", "8", "a=b"))
        self.assertEqual(result["max_concurrency"], 2)

    def test_two_appended_runs_are_two_objects_split_by_a_line_feed(self):
        with Server(SCRIPT) as server:
            for label in ("one", "two"):
                self.bench(server, *SHORT, "--backend", "vllm", "--num-prompts", "2", "--max-concurrency", "1",
                           "--append-result", "--result-filename", "all.json", "--label", label)
        lines = (self.folder / "all.json").read_text().split("\n")
        self.assertEqual([json.loads(line)["label"] for line in lines], ["one", "two"])

    def test_details_are_one_place_a_request_and_the_statistics_are_theirs(self):
        with Server(FAILING) as server:
            done = scoville("bench", "--port", port_of(server), "--backend", "vllm", *LONG, "--num-prompts", "40",
                            "--max-concurrency", "4", "--save-result", "--save-detailed",
                            "--result-filename", "r.json", "--metric-percentiles", "50,99", cwd=self.folder)
            self.assertIn(done.returncode, (0, 1), done.stderr)
        if not (self.folder / "r.json").exists():
            self.fail(done.stderr)
        result = self.load("r.json")
        self.assertEqual(set(result), ALWAYS | DETAILED | statistics_of("ttft", "tpot", "itl", percentiles=("50", "99")))
        for name in DETAILED | {"latencies", "queue_times"}:
            self.assertEqual(len(result[name]), 40, name)
        good = [i for i, error in enumerate(result["errors"]) if not error]
        self.assertEqual((len(good), 40 - len(good)), (result["completed"], result["failed"]))
        self.assertGreater(result["failed"], 0)
        for i in set(range(40)) - set(good):
            self.assertEqual((result["ttfts"][i], result["itls"][i], result["output_lens"][i]), (0, [], 0))
        ttfts = [result["ttfts"][i] for i in good]
        self.assertAlmostEqual(result["mean_ttft_ms"], 1e3 * statistics.fmean(ttfts))
        self.assertAlmostEqual(result["std_ttft_ms"], 1e3 * statistics.pstdev(ttfts))
        self.assertAlmostEqual(result["median_ttft_ms"], 1e3 * statistics.median(ttfts))
        self.assertAlmostEqual(result["p50_ttft_ms"], result["median_ttft_ms"])
        self.assertAlmostEqual(result["mean_itl_ms"], 1e3 * statistics.fmean(g for i in good for g in result["itls"][i]))
        for i in good:
            self.assertEqual(len(result["itls"][i]), 15)
            self.assertEqual(result["output_lens"][i], 16)
            self.assertTrue(result["generated_texts"][i])
            self.assertGreaterEqual(result["ttfts"][i], 0.0049)
            self.assertLessEqual(result["ttfts"][i] + sum(result["itls"][i]), result["latencies"][i] + 1e-6)  # token events lie on 1 µs

    def test_o_writes_the_format_asked_for_and_output_json_stands_beside_it(self):
        with Server(SCRIPT) as server:
            load = (*SHORT, "--num-prompts", "2", "--max-concurrency", "1")
            self.bench(server, *load, "-o", "own.json", "--output-json", "theirs.json")
            self.bench(server, *load, "-o", "also.json", "--format", "vllm")
        self.assertEqual(self.load("own.json")["schema"], "scoville.run/1")
        self.assertEqual(set(self.load("theirs.json")), set(self.load("also.json")))

    def test_what_cannot_be_written_is_told_before_the_run(self):
        for words in (("--output-json", "none/r.json"), ("--save-result", "--result-filename", "none/r.json"),
                      ("-o", "none/r.csv", "--format", "csv"), ("--save-result", "--result-dir", "/proc/none")):
            with self.subTest(words):
                self.fails(2, "bench", "--backend", "vllm", "--port", "1", *words, says="none", cwd=self.folder)
        self.fails(2, "bench", "--backend", "vllm", "--format", "csv", says="-o")


class Csv(Formats):
    def test_one_row_a_request_that_pythons_csv_reads(self):
        with Server(FAILING) as server:
            scoville("bench", "--port", port_of(server), *LONG, "--num-prompts", "30", "--request-rate", "300", "-o", "rows.csv", "--format", "csv", cwd=self.folder)
        text = (self.folder / "rows.csv").read_bytes().decode()
        self.assertEqual(text.count("\r\n"), text.count("\n"))
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        self.assertEqual([int(row["index"]) for row in rows], list(range(30)))
        failed = [row for row in rows if row["failure"]]
        self.assertTrue(failed and len(failed) < 30)
        for row in failed:
            self.assertEqual((row["ttft_ms"], row["e2e_ms"], row["n_out"] or "0"), ("", "", "0"))
            self.assertTrue(row["failed_s"])
        for row in rows:
            if row["failure"]:
                continue
            self.assertEqual(row["n_out"], "16")
            since_due = 1e3 * (float(row["first_token_s"]) - float(row["due_s"]))
            self.assertAlmostEqual(float(row["ttft_ms"]), since_due, places=5)
            self.assertGreater(float(row["e2e_ms"]), float(row["ttft_ms"]))
            self.assertAlmostEqual(float(row["tpot_ms"]), 1e3 * (float(row["last_token_s"]) - float(row["first_token_s"])) / 15,
                                   places=5)


class OtherWords(Formats):
    def test_the_range_ratio_is_refused_with_both_its_meanings_in_both_languages(self):
        for lang in ("en", "zh"):
            done = self.fails(2, "bench", "--backend", "vllm", "--random-range-ratio", "0.5", "--lang", lang)
            for words in ("--random-range-ratio", "vLLM", "[L(1-r), L(1+r)]", "SGLang", "[L*r, L]", "--length-spread R"):
                self.assertIn(words, done.stderr)
            self.assertEqual(bool(CHINESE.search(done.stderr)), lang == "zh")

    def test_a_spread_draws_between_its_ends_around_both_lengths(self):
        with Server(SCRIPT) as server:
            seen = self.bench(server, "--backend", "vllm", "--random-input-len", "100", "--random-output-len", "40",
                              "--length-spread", "0.5", "--num-prompts", "60", "--max-concurrency", "8", "-o", "rows.csv",
                              "--format", "csv")
            self.assertEqual(seen.returncode, 0)
        with open(self.folder / "rows.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        for column, least, most in (("prompt_tokens", 50, 150), ("max_tokens", 20, 60)):
            values = [int(row[column]) for row in rows]
            self.assertGreaterEqual(min(values), least)
            self.assertLessEqual(max(values), most)
            self.assertGreater(len(set(values)), 10)
        self.fails(2, "bench", "--backend", "vllm", "--length-spread", "0.5", "--random-input-len", "normal:100:9",
                   says="--length-spread")

    def test_lines_of_other_tools(self):
        with Server(SCRIPT) as server:
            for tool, words in {
                "AIPerf": f"-m any -u 127.0.0.1:{port_of(server)} --endpoint-type chat --streaming --concurrency 2 "
                          "--request-count 4 --isl 16 --osl 8 --random-seed 3 --extra-inputs ignore_eos:true "
                          "--extra-inputs min_tokens:8 --warmup-request-count 2",
                "EvalScope": f"--url {server.url}/v1/chat/completions --api openai --model any --parallel 2 -n 4 --stream "
                             "--dataset random --max-tokens 8 --min-tokens 8 --prefix-length 0 --extra-args {} "
                             "--tokenizer-path ./t",
                "genai-bench": f"--api-backend openai --task text-to-text --api-base {server.url} --api-model-name any --num-concurrency 2 "
                               "--max-requests-per-run 4 --max-time-per-run 1",
                "guidellm": f"--target {server.url} --rate 100 --max-requests 4 --max-seconds 30",
                "SGLang": f"--backend sglang-oai --port {port_of(server)} --num-prompts 4 --max-concurrency 2 "
                          "--warmup-requests 1 --extra-request-body {} --disable-tqdm",
            }.items():
                with self.subTest(tool):
                    seen = self.report("bench", *words.split())
                    self.assertEqual(seen["requests"]["succeeded"], 4)

    def test_a_synonym_beside_its_original_is_given_twice(self):
        self.fails(2, "bench", "--backend", "vllm", "--num-prompts", "4", "--request-count", "4", says="given twice")
        self.fails(2, "bench", "--backend", "vllm", "--dialect", "tgi", says="--dialect")


if __name__ == "__main__":
    harness.main()

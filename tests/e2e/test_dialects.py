#!/usr/bin/env python3
"""APIs beside chat and completions: Responses, embeddings, MindIE's and LMDeploy's own, and LoRA adapters by name.

    test_dialects.py BINARY
"""

import json
import re
import tempfile
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import harness
from harness import EndToEnd, Server, scoville

SHORT = ("--random-input-len", "32", "--random-output-len", "8", "--num-prompts", "8", "--max-concurrency", "2", "--num-warmups", "0",
         "--no-store")
CHINESE = re.compile(r"[\u4e00-\u9fff]")
WORDS = ("One", " two", " three", " four", " five", " six", " seven", " eight")

POOLING = set("""date endpoint_type backend label model_id tokenizer_id num_prompts request_rate burstiness max_concurrency duration
    completed failed total_input_tokens total_input_sequences request_throughput input_sequence_throughput
    total_token_throughput mean_e2el_ms median_e2el_ms std_e2el_ms p99_e2el_ms""".split())


def mindie_frames(asked: dict) -> list:
    """As MindIE's manual shows them: a token a frame, the last one with all of the text and no text of its own."""
    pieces = WORDS[:asked["parameters"]["max_new_tokens"]]
    frames = [{"prefill_time": 45.54 if i == 0 else None, "decode_time": None if i == 0 else 16.8, "token": {"id": [i + 1], "text": text}}
              for i, text in enumerate(pieces)]
    frames[-1]["token"]["text"] = None
    frames[-1] |= {"generated_text": "".join(pieces),
                   "details": {"finish_reason": "length", "generated_tokens": len(pieces), "seed": 846930886}}
    return frames


def lmdeploy_frames(asked: dict) -> list:
    pieces = WORDS[:asked["max_tokens"]]
    count = len(asked["prompt"].split()) + 1
    frames = [{"text": text, "output_ids": [i], "meta_info": {"prompt_tokens": count, "completion_tokens": i + 1, "finish_reason": None}}
              for i, text in enumerate(pieces)]
    return frames + [{"text": "", "output_ids": [], "meta_info": {"prompt_tokens": count, "completion_tokens": len(pieces),
                                                                  "finish_reason": {"type": "length"}}}, "[DONE]"]


def chat_frames(asked: dict) -> list:
    told = {"prompt_tokens": 9, "completion_tokens": 1}
    return [{"choices": [{"index": 0, "delta": {"content": "x"}, "finish_reason": "stop"}]}, {"choices": [], "usage": told}, "[DONE]"]


PATHS = {"/infer": mindie_frames, "/generate": lmdeploy_frames, "/v1/chat/completions": chat_frames}


class Tiny:
    """A server of other APIs, in this process; it keeps what it was asked."""

    def __enter__(self) -> "Tiny":
        tiny = self
        self.asked = []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self, status: int, kind: str, body: bytes):
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                is_list = self.path == "/v1/models"
                self.answer(200 if is_list else 404, "application/json", b'{"data":[{"id":"base"}]}' if is_list else b"{}")

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.path not in PATHS:
                    return self.answer(404, "application/json", b"{}")
                asked = json.loads(body)
                tiny.asked.append(asked)
                frames = [each if isinstance(each, str) else json.dumps(each) for each in PATHS[self.path](asked)]
                self.answer(200, "text/event-stream", "".join(f"data: {each}\n\n" for each in frames).encode())

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class Responses(EndToEnd):
    def test_times_and_counts_are_those_of_the_script(self):
        with Server("ttft=50ms,itl=10ms,tokens=20,template=6") as server:
            seen = self.report("bench", "--base-url", server.url, "--dialect", "openai-responses", "--random-input-len", "64",
                               "--random-output-len", "20", "--num-prompts", "12", "--max-concurrency", "2", "--no-store")
        self.assertEqual(seen["requests"]["succeeded"], 12)
        self.assertTrue(seen["system"]["url"].endswith("/v1/responses"))
        self.assertEqual((seen["workload"]["prompt_tokens_mean"], seen["workload"]["output_tokens_mean"]), (64, 20))
        self.assertAlmostEqual(seen["metrics"]["ttft"]["quantiles"]["50"]["value"], 50e6, delta=15e6)
        self.assertAlmostEqual(seen["metrics"]["tpot"]["quantiles"]["50"]["value"], 10e6, delta=1e6)
        self.assertEqual(seen["metrics"]["icl"]["n"], 12 * 19)
        self.assertEqual(seen["emit"]["n"], 12 * 20)  # each event's own emit time was read
        self.assertFalse(self.codes(seen) & {"malformed_frames", "usage_differs", "not_streamed", "tokens_not_counted"})

    def test_reasoning_comes_first_and_is_no_answer(self):
        with Server("ttft=20ms,itl=5ms,tokens=6,reasoning=2") as server:
            seen = self.report("once", "--base-url", server.url, "--dialect", "openai-responses", "--prompt", "hello")
        self.assertEqual((seen["status"], seen["token_events"], seen["n_out"], seen["finish_reason"]), ("ok", 6, 6, "completed"))
        self.assertEqual((len(seen["reasoning"].split()), len(seen["text"].split())), (2, 4))
        self.assertGreater(seen["ttft_content_ms"], seen["ttft_any_ms"])
        self.assertEqual(seen["flags"], [])

    def test_a_limit_an_error_and_a_cut_stream(self):
        with Server("tokens=9,ttft=1ms,itl=0") as server:
            capped = self.report("once", "--base-url", server.url, "--dialect", "openai-responses", "--prompt", "x", "--max-tokens", "3")
        self.assertEqual((capped["status"], capped["n_out"], capped["finish_reason"]), ("ok", 3, "max_output_tokens"))
        for script, error in (("error_at=3", "stream_error"), ("close_after=3", "truncated"), ("reset_after=3", "reset")):
            with Server("tokens=9,ttft=1ms,itl=0," + script) as server:
                seen = self.report("once", "--base-url", server.url, "--dialect", "openai-responses", "--prompt", "x", status=1)
            self.assertEqual(seen["error_class"], error)

    def test_a_server_that_does_not_stream_is_told_of(self):
        with Server("tokens=4,ttft=1ms,itl=0,stream_ignored=yes") as server:
            seen = self.report("once", "--base-url", server.url, "--dialect", "openai-responses", "--prompt", "x")
        self.assertEqual((seen["status"], seen["n_out"], len(seen["text"].split())), ("ok", 4, 4))
        self.assertIn("not_streamed", seen["flags"])

    def test_turns_carry_the_servers_own_answers(self):
        with Server("ttft=1ms,itl=0,tokens=4") as server:
            seen = self.report("bench", "--base-url", server.url, "--dialect", "openai-responses", "--turns", "3", "--random-input-len",
                               "40", "--random-output-len", "4", "--num-prompts", "6", "--max-concurrency", "2", "--no-store")
        talks = seen["conversations"]
        self.assertEqual((talks["begun"], talks["requests"], talks["turns_not_sent"]), (2, 6, 0))
        lengths = [each["prompt_tokens_mean"] for each in talks["by_turn"]]
        self.assertEqual(sorted(set(lengths)), lengths)


class Embeddings(EndToEnd):
    def test_the_whole_answer_is_timed_and_token_latencies_are_not_defined(self):
        with Server("ttft=40ms") as server:
            seen = self.report("bench", "--base-url", server.url, "--dialect", "openai-embeddings", "--random-input-len", "100",
                               "--num-prompts", "12", "--max-concurrency", "3", "--no-store")
        self.assertEqual(seen["requests"]["succeeded"], 12)
        self.assertTrue(seen["system"]["url"].endswith("/v1/embeddings"))
        metrics = seen["metrics"]
        self.assertEqual(metrics["e2e"]["n"], 12)
        self.assertAlmostEqual(metrics["e2e"]["quantiles"]["50"]["value"], 40e6, delta=15e6)
        for name in ("ttft", "ttfa", "tpot", "ntpot", "icl"):
            self.assertEqual(metrics[name]["n"], 0)
            self.assertIsNone(metrics[name]["mean"])
        self.assertIsNone(metrics["output_tokens_per_s"]["full"])
        self.assertAlmostEqual(metrics["total_tokens_per_s"]["full"], 100 * metrics["requests_per_s"]["full"], delta=1)
        self.assertEqual((seen["workload"]["prompt_tokens_total"], seen["workload"]["output_tokens_total"]), (1200, None))
        self.assertFalse(self.codes(seen) & {"not_streamed", "tokens_not_counted", "empty_outputs", "drifting"})

    def test_an_open_load_and_its_table_in_both_languages(self):
        with Server("ttft=5ms") as server:
            flags = ("bench", "--base-url", server.url, "--dialect", "openai-embeddings", "--random-input-len", "20", "--request-rate",
                     "100", "--num-prompts", "30", "--no-store")
            english, chinese = scoville(*flags), scoville(*flags, "--lang", "zh")
        self.assertEqual((english.returncode, chinese.returncode), (0, 0), english.stderr)
        self.assertIn("TTFT, TPOT and output tokens are not defined", english.stdout)
        self.assertIn("prompt tokens/s", english.stdout)
        self.assertNotIn("streamed", english.stdout)
        self.assertRegex(chinese.stdout, CHINESE)
        self.assertIn("均无定义", chinese.stdout)

    def test_several_texts_in_a_request_and_vllms_file_of_a_pooling_run(self):
        with tempfile.TemporaryDirectory() as folder, Server("ttft=5ms") as server:
            path = Path(folder, "r.json")
            seen = self.report("bench", "--base-url", server.url, "--backend", "openai-embeddings", "--random-batch-size", "4",
                               "--random-input-len", "25", "--num-prompts", "18", "--max-concurrency", "2", "--num-warmups", "0",
                               "--no-store", "--output-json", str(path))
            result = self.one_object(path.read_text())
        self.assertEqual(seen["requests"]["succeeded"], 5)  # 18 texts are four requests and a half
        self.assertEqual(seen["workload"]["prompt_tokens_mean"], 100)
        self.assertIn("4 in a request", seen["workload"]["dataset"])
        self.assertEqual(set(result), POOLING)
        self.assertEqual((result["completed"], result["total_input_sequences"], result["total_input_tokens"]), (5, 20, 500))
        self.assertAlmostEqual(result["input_sequence_throughput"], 4 * result["request_throughput"])

    def test_other_words_for_it(self):
        with Server("ttft=1ms") as server:
            for words in (("--backend", "vllm-pooling"), ("--endpoint", "/v1/embeddings"), ("--endpoint-type", "embeddings")):
                seen = self.report("bench", "--base-url", server.url, *words, *SHORT)
                self.assertEqual(seen["workload"]["dialect"], "openai-embeddings", words)
            once = self.report("once", "--base-url", server.url, "--dialect", "openai-embeddings", "--prompt", "hello")
            self.assertEqual((once["status"], once["n_out"], once["n_out_source"], once["flags"]), ("ok", None, "not_applicable", []))

    def test_a_stored_run_is_told_again_as_it_was(self):
        with tempfile.TemporaryDirectory() as store, Server("ttft=1ms") as server:
            seen = self.report("bench", "--base-url", server.url, "--dialect", "openai-embeddings", *SHORT[:-1], "--store", store)
            again = self.report("runs", "show", seen["run"], "--store", store)
        self.assertEqual(again["metrics"], seen["metrics"])
        self.assertEqual(again["workload"], seen["workload"])


class Native(EndToEnd):
    def test_mindie(self):
        with Tiny() as server:
            once = self.report("once", "--base-url", server.url, "--dialect", "mindie", "--prompt", "hello", "--max-tokens", "8")
            seen = self.report("bench", "--base-url", server.url, "--backend", "mindie", *SHORT)
        self.assertEqual((once["status"], once["text"], once["n_out"], once["token_events"], once["prompt_tokens"]),
                         ("ok", "".join(WORDS), 8, 8, None))
        self.assertTrue(once["url"].endswith("/infer"))
        self.assertEqual((seen["requests"]["succeeded"], seen["workload"]["output_tokens_mean"]), (8, 8))
        self.assertEqual(server.asked[-1]["parameters"], {"details": True, "max_new_tokens": 8})

    def test_lmdeploy(self):
        with Tiny() as server:
            once = self.report("once", "--base-url", server.url, "--dialect", "lmdeploy", "--prompt", "hello", "--max-tokens", "8")
            seen = self.report("bench", "--base-url", server.url, "--dialect", "lmdeploy", *SHORT)
        self.assertEqual((once["status"], once["text"], once["n_out"], once["prompt_tokens"], once["finish_reason"]),
                         ("ok", "".join(WORDS), 8, 2, "length"))
        self.assertEqual((seen["requests"]["succeeded"], seen["workload"]["prompt_tokens_mean"]), (8, 32))
        self.assertEqual(server.asked[-1]["max_tokens"], 8)


class Adapters(EndToEnd):
    def models(self, *words: str, prompts: int = 12) -> list:
        with Tiny() as server:
            seen = self.report("bench", "--base-url", server.url, "--num-prompts", str(prompts), "--max-concurrency", "1",
                               "--num-warmups", "0", "--random-input-len", "32", "--random-output-len", "1", "--no-store", *words)
            self.dataset = seen["workload"]["dataset"]
            self.hash = seen["workload"]["dataset_hash"]
            return [each["model"] for each in server.asked[-prompts:]]

    def test_in_turn(self):
        self.assertEqual(self.models("--lora-modules", "a", "b", "c", "--lora-assignment", "round-robin"), list("abcabcabcabc"))
        self.assertIn("3 adapters in turn", self.dataset)

    def test_at_random_by_the_seed(self):
        first = self.models("--lora-modules", "a", "b", "--seed", "5", prompts=40)
        hashes = {self.hash}
        self.assertEqual(self.models("--lora-name", "a", "b", "--seed", "5", prompts=40), first)
        hashes.add(self.hash)
        self.assertEqual(len(hashes), 1)
        self.assertNotEqual(self.models("--lora-modules", "a", "b", "--seed", "6", prompts=40), first)
        self.assertGreater(min(Counter(first).values()), 5)
        self.assertIn("at random", self.dataset)

    def test_a_conversation_keeps_its_adapter(self):
        seen = self.models("--lora-modules", "a", "b", "--lora-assignment", "round-robin", "--turns", "3", prompts=12)
        self.assertEqual(seen, list("aaabbbaaabbb"))


class Refusals(EndToEnd):
    def test_what_an_api_cannot_carry_is_one_line_before_anybody_is_asked(self):
        here = ("bench", "--base-url", "http://127.0.0.1:1")
        for dialect in ("openai-completions", "ollama-chat", "ollama-generate", "tgi", "triton", "openai-embeddings", "mindie", "lmdeploy"):
            self.fails(2, *here, "--dialect", dialect, "--images-per-request", "1", says="openai-responses")
        for dialect in ("triton", "mindie", "lmdeploy"):
            self.fails(2, *here, "--dialect", dialect, "--lora-modules", "a", says=dialect)
        self.fails(2, *here, "--random-batch-size", "2", says="openai-embeddings")
        self.fails(2, *here, "--dialect", "openai-embeddings", "--turns", "2", says="openai-embeddings")
        self.fails(2, *here, "--dialect", "openai-embeddings", "--random-batch-size", "2", "--turns", "2", says="--random-batch-size")
        self.fails(2, *here, "--lora-assignment", "random", says="--lora-modules")

    def test_rows_with_images_for_an_api_without(self):
        row = {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:,"}}]}], "output_tokens": 2}
        with tempfile.TemporaryDirectory() as folder, Server("ttft=1ms") as server:
            path = Path(folder, "rows.jsonl")
            path.write_text(json.dumps(row) + "\n")
            self.fails(2, "bench", "--base-url", server.url, "--dialect", "openai-completions", "--dataset-path", str(path), "--num-prompts",
                       "1", "--no-store", says="openai-responses")

    def test_cancelling_in_aiperfs_words(self):
        with Server("ttft=300ms,itl=0,tokens=8") as server:
            seen = self.report("bench", "--base-url", server.url, "--request-cancellation-rate", "50", "--request-cancellation-delay",
                               "0.02", "--random-input-len", "16", "--random-output-len", "8", "--num-prompts", "24",
                               "--max-concurrency", "24", "--num-warmups", "0", "--no-store")
        self.assertGreater(seen["cancelled"]["chosen"], 0)
        self.assertEqual(seen["cancelled"]["given_up"], seen["cancelled"]["chosen"])
        self.assertEqual(seen["requests"]["succeeded"], 24 - seen["cancelled"]["chosen"])


if __name__ == "__main__":
    harness.main()

#!/usr/bin/env python3
"""`scoville probe correctness` against servers that say what a test wants.    test_correctness.py BINARY"""

import json
import math
import shutil
import signal
import tempfile
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import harness
from harness import EndToEnd, Server, scoville, start

ROOT = Path(__file__).resolve().parents[2]
CHINESE = r"[\u4e00-\u9fff]"


class Double:
    """A chat and completions server for the length of a `with`: `say(question)` gives its answer.

    An answer is a text, or a list of (token, logprob) pairs, or a number: an HTTP status to fail with.
    """

    def __init__(self, say, refuses: str = ""):
        double = self
        self.say, self.refuses, self.bodies = say, refuses, []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def answer(self, status: int, value: dict):
                body = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                if not self.path.endswith("/v1/models"):
                    return self.answer(404, {})
                self.answer(200, {"data": [{"id": "double", "owned_by": "vllm"}]})

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if not self.path.endswith("completions"):
                    return self.answer(404, {})
                double.bodies.append(body)
                if double.refuses and double.refuses in body:
                    return self.answer(400, {"error": {"message": "unknown", "param": double.refuses}})
                question = body["prompt"] if "prompt" in body else body["messages"][-1]["content"]
                said = "Hi" if question == "Hello" else double.say(question)
                if isinstance(said, int):
                    return self.answer(said, {"error": {"message": "out of order"}})
                text = said if isinstance(said, str) else "".join(token for token, _ in said)
                choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text},
                          "text": text}
                if not isinstance(said, str) and body.get("logprobs"):
                    choice["logprobs"] = {"content": [
                        {"token": token, "bytes": list(token.encode()), "logprob": value,
                         "top_logprobs": [{"token": token, "bytes": list(token.encode()), "logprob": value}]}
                        for token, value in said]}
                self.answer(200, {"choices": [choice]})

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self) -> "Double":
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def words(logprob: float, changed: int = -1):
    """Eight tokens to each question, of which one may be another."""
    return lambda question: [(f" w{i}" if i != changed else " other", logprob) for i in range(8)]


class Correctness(EndToEnd):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="scoville-e2e-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.store = str(self.folder / "runs.db")

    def probe(self, *servers, args: tuple = (), status: int = 0) -> dict:
        urls = [word for each in servers for word in ("--base-url", each.url)]
        return self.report("probe", "correctness", *urls, "--store", self.store, *args, status=status)

    def tasks(self, lines: list, name: str = "tasks.jsonl") -> str:
        path = self.folder / name
        path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
        return str(path)

    def sums(self, n: int) -> str:
        """Tasks "0" to "n-1", each of which expects its own number."""
        return self.tasks([{"question": str(i), "expected": i, "matcher": "number"} for i in range(n)])


class Agreement(Correctness):
    def test_equal_servers_agree_on_everything_and_are_asked_the_same(self):
        with Double(words(-0.5)) as a, Double(words(-0.5)) as b:
            seen = self.probe(a, b)
        self.assertEqual((seen["schema"], seen["prompts"]["name"]), ("scoville.correctness/1", "built-in 1"))
        for which in ("agreement", "self_agreement"):
            self.assertEqual((seen[which]["unit"], seen[which]["measured"]), ("token", 40))
            self.assertEqual(seen[which]["identical"]["n"], 40)
            self.assertAlmostEqual(seen[which]["identical"]["low"], 0.025 ** (1 / 40))  # Clopper and Pearson
            self.assertEqual(seen[which]["divergence"], {"n": 0, "median": None})
        self.assertEqual(seen["logprobs"]["chosen"], {"mean": 0, "median": 0, "max": 0, "positions": 320, "prompts": 40,
                                                      "unit": "nat"})
        self.assertEqual((seen["gate"]["verdict"], seen["gate"]["reason"]), ("not_measured", "no_tasks"))
        self.assertEqual(seen["warnings"], [])
        self.assertEqual(a.bodies[1:41], b.bodies[1:41])
        self.assertEqual(len(a.bodies), 81)  # once to see that it answers, and each prompt twice
        for body in a.bodies[1:]:
            sampling = {key: body[key] for key in ("temperature", "top_p", "seed", "max_tokens", "stream", "top_logprobs")}
            self.assertEqual(sampling, {"temperature": 0, "top_p": 1, "seed": 0, "max_tokens": 128, "stream": False,
                                        "top_logprobs": 5})

    def test_a_server_that_differs_from_the_fourth_token_on_is_found_out_there(self):
        with Double(words(-0.5)) as a, Double(words(-0.25, changed=3)) as b:
            seen = self.probe(a, b, args=("--num-prompts", "12"))
        found = seen["agreement"]
        self.assertEqual((found["identical"]["n"], found["divergence"]), (0, {"n": 12, "median": 3}))
        self.assertEqual((found["prefix"]["mean"], found["prefix"]["median"]), (3 / 8, 3 / 8))
        self.assertGreaterEqual(found["prefix"]["coverage"], 0.95)
        self.assertEqual(seen["self_agreement"]["identical"]["n"], 12)
        self.assertEqual(seen["logprobs"]["chosen"]["positions"], 36)  # three common tokens of twelve answers
        self.assertAlmostEqual(seen["logprobs"]["chosen"]["mean"], 0.25)
        p, q = math.exp(-0.5), math.exp(-0.25)  # the one common token, and all others together
        self.assertAlmostEqual(seen["logprobs"]["kl_at_least"]["mean"],
                               p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q)))

    def test_a_candidate_that_fails_differs_and_a_reference_that_fails_is_not_measured(self):
        count = [0]

        def sometimes(question):
            count[0] += 1
            return 500 if count[0] % 4 == 0 else words(-0.5)(question)

        with Double(words(-0.5)) as good, Double(sometimes) as poor:
            seen = self.probe(good, poor, args=("--num-prompts", "8"))
            self.assertEqual((seen["agreement"]["measured"], seen["agreement"]["candidate_failed"]), (8, 2))
            self.assertEqual(seen["agreement"]["identical"]["n"], 6)
            self.assertIn("requests_failed", self.codes(seen))
            self.assertEqual([arm["failed"] for arm in seen["arms"]], [0, 2])
            count[0] = 0
            seen = self.probe(poor, good, args=("--num-prompts", "8", "--no-self-check"))
        self.assertEqual((seen["agreement"]["measured"], seen["agreement"]["not_measured"]), (6, 2))
        self.assertEqual(seen["agreement"]["identical"]["n"], 6)
        self.assertIsNone(seen["self_agreement"])

    def test_without_logprobs_characters_are_compared_and_why_is_said(self):
        with Double(lambda question: "中文 and more") as a, Double(lambda question: "中国 and more") as b:
            seen = self.probe(a, b, args=("--num-prompts", "2"))
        self.assertEqual((seen["agreement"]["unit"], seen["agreement"]["unit_reason"]), ("character", "not_listed"))
        self.assertEqual(seen["agreement"]["divergence"]["median"], 1)
        self.assertEqual(seen["logprobs"], {"reason": "not_offered", "chosen": None, "kl_at_least": None})
        self.assertIn("tokens_not_listed", self.codes(seen))

    def test_a_server_that_refuses_logprobs_or_a_seed_is_asked_without(self):
        for member, code in (("logprobs", "logprobs_refused"), ("seed", "seed_refused")):
            with Double(words(-0.5)) as a, Double(words(-0.5), refuses=member) as b:
                seen = self.probe(a, b, args=("--num-prompts", "2"))
                self.assertNotIn(member, b.bodies[-1])
            self.assertIn(code, self.codes(seen))

    def test_a_reference_that_does_not_repeat_itself_says_so(self):
        with Server("ttft=1ms,itl=0ms,tokens=8") as server:  # other words in each answer
            seen = self.report("probe", "correctness", "--base-url", server.url, "--num-prompts", "3", "--no-store")
        self.assertIsNone(seen["agreement"])
        self.assertEqual(seen["self_agreement"]["identical"]["n"], 0)
        self.assertIn("reference_not_deterministic", self.codes(seen))
        self.assertEqual(seen["gate"]["reason"], "no_candidate")

    def test_identical_answers_are_a_gate_where_that_is_asked(self):
        with Double(words(-0.5)) as a, Double(words(-0.5)) as b, Double(words(-0.5, changed=0)) as c:
            seen = self.probe(a, b, args=("--agreement-target", "0.9"))  # 0.025^(1/40) = 0.912
            self.assertEqual((seen["gate"]["verdict"], seen["gate"]["tasks"]), ("pass", None))
            seen = self.probe(a, b, args=("--agreement-target", "0.99"), status=4)
            self.assertEqual(seen["gate"]["agreement"]["needed"], 368)  # ln 0.025 / ln 0.99 = 367.04
            seen = self.probe(a, c, args=("--agreement-target", "0.9"), status=3)
            self.assertEqual(seen["gate"]["verdict"], "fail")

    def test_completions_and_prompts_of_a_file(self):
        path = self.tasks([{"prompt": "one"}, {"prompt": "two", "max_tokens": 7}], "prompts.jsonl")
        with Double(words(-0.5)) as a, Double(words(-0.5)) as b:
            seen = self.probe(a, b, args=("--dialect", "openai-completions", "--dataset-path", path, "--logprobs", "0",
                                          "--max-concurrency", "2"))
            self.assertEqual(sorted((body["prompt"], body["max_tokens"]) for body in b.bodies[1:]),
                             [("one", 128), ("two", 7)])
            self.assertNotIn("logprobs", b.bodies[1])
        self.assertEqual(seen["prompts"]["name"], path)
        self.assertIn("concurrency_above_one", self.codes(seen))


class Tasks(Correctness):
    def test_scores_mcnemar_and_interval_of_known_answers(self):
        wrong = lambda *missed: lambda question: "no idea" if int(question) in missed else f"It is {question}."
        with Double(wrong(8, 9)) as a, Double(wrong(0, 1, 2, 3, 4, 9)) as b:
            seen = self.probe(a, b, args=("--tasks", self.sums(10), "--num-prompts", "0"), status=4)
        tasks = seen["tasks"]
        self.assertEqual([arm["right"] for arm in tasks["arms"]], [8, 4])
        self.assertEqual([arm["score"] for arm in tasks["arms"]], [0.8, 0.4])
        held = tasks["comparison"]
        self.assertEqual((held["both"], held["reference_only"], held["candidate_only"], held["neither"]), (3, 5, 1, 1))
        self.assertAlmostEqual(held["mcnemar"]["p"], 2 * (1 + 6) / 64)  # Bin(6, 1/2), at most 1
        self.assertEqual(held["ratio"]["value"], 0.5)
        self.assertAlmostEqual(held["difference"]["value"], -0.4)
        self.assertEqual(seen["gate"]["reason"], "interval_spans_target")
        self.assertEqual(tasks["outcomes"][0], {"id": "1", "reference": "right", "candidate": "wrong"})
        self.assertIsNone(seen["agreement"])

    def test_the_gate_passes_from_381_equal_tasks_on_and_fails_a_planted_loss(self):
        right = lambda question: question
        with Double(right) as a, Double(right) as b, Double(lambda q: "?" if int(q) % 5 == 0 else q) as c:
            tasks = ("--tasks", self.sums(381), "--num-prompts", "0", "--max-concurrency", "8")
            seen = self.probe(a, b, args=tasks)
            self.assertEqual((seen["gate"]["verdict"], seen["gate"]["accuracy_target"]), ("pass", 0.99))
            self.assertAlmostEqual(seen["tasks"]["comparison"]["ratio"]["low"], 381 / (381 + 1.959963984540054 ** 2))
            self.assertEqual(self.probe(a, c, args=tasks, status=3)["gate"]["verdict"], "fail")
            few = self.probe(a, b, args=("--tasks", self.sums(40), "--num-prompts", "0"), status=4)
            self.assertEqual(few["gate"]["tasks"]["needed"], 381)
            self.probe(a, b, args=("--tasks", self.sums(40), "--num-prompts", "0", "--accuracy-target", "0.9"))

    def test_failed_requests_are_wrong_answers_and_never_help(self):
        fails = lambda question: 500 if int(question) < 2 else question
        with Double(lambda question: question) as good, Double(fails) as poor:
            tasks = ("--tasks", self.sums(10), "--num-prompts", "0")
            seen = self.probe(good, poor, args=tasks, status=4)["tasks"]
            self.assertEqual((seen["arms"][1]["failed"], seen["arms"][1]["score"]), (2, 0.8))
            self.assertEqual(seen["comparison"]["reference_only"], 2)
            seen = self.probe(poor, good, args=tasks, status=4)["tasks"]
            self.assertEqual((seen["comparison"]["n"], seen["comparison"]["reference_failed"]), (8, 2))
            self.assertEqual(seen["comparison"]["ratio"]["value"], 1)

    def test_one_server_has_a_score_and_no_gate(self):
        with Double(lambda question: question) as server:
            seen = self.probe(server, args=("--tasks", self.sums(5), "--num-prompts", "0"))
        self.assertEqual((seen["tasks"]["arms"][0]["score"], seen["tasks"]["comparison"]), (1, None))
        self.assertEqual(seen["gate"]["verdict"], "not_measured")

    def test_the_examples_are_forty_good_lines(self):
        with Double(lambda question: "B") as server:
            seen = self.probe(server, args=("--tasks", str(ROOT / "examples/tasks/small.jsonl"), "--num-prompts", "0"))
        self.assertEqual(seen["tasks"]["n"], 40)
        self.assertEqual(seen["tasks"]["arms"][0]["right"], 3)  # the choices whose letter is B

    def test_a_bad_line_is_told_before_anything_is_asked(self):
        path = self.tasks([{"question": "1", "expected": 1, "matcher": "number"}, {"question": "2", "matcher": "exact"}])
        self.fails(2, "probe", "correctness", "--base-url", "http://127.0.0.1:1", "--tasks", path, "--store", self.store,
                   says=f"{path}, line 2: expected:")


class Command(Correctness):
    def test_what_was_found_is_kept_and_its_id_is_told(self):
        with Double(words(-0.5)) as a, Double(words(-0.5)) as b:
            args = ("probe", "correctness", "--base-url", a.url, "--base-url", b.url, "--num-prompts", "2")
            done = scoville(*args, "--store", self.store, "--json")
            self.assertIn(self.one_object(done.stdout)["id"], done.stderr)
            self.assertTrue(Path(self.store).exists())
            other = str(self.folder / "none.db")
            self.assertEqual(scoville(*args, "--store", other, "--no-store").stderr, "")
            self.assertFalse(Path(other).exists())

    def test_both_languages_fit_into_80_columns(self):
        import unicodedata
        width = lambda line: sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)
        with Double(words(-0.5)) as a, Double(words(-0.25, changed=3)) as b:
            for lang, check in (("en", self.assertNotRegex), ("zh", self.assertRegex)):
                done = scoville("probe", "correctness", "--base-url", a.url, "--base-url", b.url, "--num-prompts", "2",
                                "--no-store", "--lang", lang)
                self.assertEqual(done.returncode, 0, done.stderr)
                check(done.stdout, CHINESE)
                self.assertLessEqual(max(map(width, done.stdout.splitlines())), 80, done.stdout)

    def test_an_arm_that_cannot_be_measured_ends_with_1(self):
        one = ("probe", "correctness", "--no-store", "--num-prompts", "2", "--base-url")
        self.fails(1, *one, "http://127.0.0.1:1")
        with Double(lambda question: 500) as dead:
            self.fails(1, *one, dead.url, says="out of order")
        with Double(words(-1)) as server:
            self.fails(1, *one, server.url, "--model", "m", "--endpoint", "/v1/nothing", says="404")

    def test_flags_for_each_server_must_fit_their_number(self):
        two = ("probe", "correctness", "--base-url", "http://127.0.0.1:1", "--base-url", "http://127.0.0.1:2")
        for args, says in ((("--base-url", "http://127.0.0.1:3"), "--base-url"),
                           (("--model", "a", "--model", "b", "--model", "c"), "--model"),
                           (("--system", "local"), "--system"),
                           (("--dialect", "tgi"), "tgi"),
                           (("--num-prompts", "0"), "--tasks"),
                           (("--accuracy-target", "0.9"), "--tasks")):
            with self.subTest(args):
                self.fails(2, *two, *args, says=says)

    def test_one_server_asked_once_leaves_nothing_to_compare(self):
        self.fails(2, "probe", "correctness", "--base-url", "http://127.0.0.1:1", "--no-self-check", says="--tasks")

    def test_a_server_that_is_loading_is_waited_for(self):
        left = [1]

        with Double(words(-0.5)) as server:
            handler = server.server.RequestHandlerClass
            post = handler.do_POST

            def loading(self):
                if left[0] == 0:
                    return post(self)
                left[0] -= 1
                self.rfile.read(int(self.headers["Content-Length"]))
                self.answer(503, {"error": {"message": "loading"}})

            handler.do_POST = loading
            done = scoville("probe", "correctness", "--base-url", server.url, "--num-prompts", "1", "--no-store")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("not ready yet", done.stderr)

    def test_each_server_gets_its_own_model_and_key(self):
        keys = [self.folder / "a.key", self.folder / "b.key"]
        for each in keys:
            each.write_text(each.name)
        with Double(words(-0.5)) as a, Double(words(-0.5)) as b:
            seen = self.probe(a, b, args=("--num-prompts", "1", "--model", "one", "--model", "two", "--api-key-file",
                                          str(keys[0]), "--api-key-file", str(keys[1])))
            self.assertEqual([a.bodies[-1]["model"], b.bodies[-1]["model"]], ["one", "two"])
        self.assertEqual([arm["model"] for arm in seen["arms"]], ["one", "two"])

    def test_ctrl_c_stores_nothing(self):
        asked = threading.Event()
        release = threading.Event()

        def slow(question):
            asked.set()
            release.wait(harness.LIMIT_S)
            return "x"

        with Double(slow) as server:
            running = start("probe", "correctness", "--base-url", server.url, "--store", self.store)
            self.assertTrue(asked.wait(harness.LIMIT_S))
            running.send_signal(signal.SIGINT)
            release.set()
            done = harness.finish(running)
        self.assertEqual((done.returncode, done.stdout), (130, ""))
        self.assertEqual(len(done.stderr.splitlines()), 1)


if __name__ == "__main__":
    harness.main()

#!/usr/bin/env python3
"""The reference model behind `scoville serve --model`, end to end.    test_engine.py BINARY"""

import http.client
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

import harness
from harness import LIMIT_S, EndToEnd, Server, finish, scoville, start


class Model(Server):
    """`scoville serve --model tiny`, once it is ready."""

    def __init__(self, *flags: str):
        self.folder = tempfile.mkdtemp(prefix="scoville-e2e-")
        port_file = Path(self.folder, "port")
        self.process = start("serve", "--model", "tiny", "--port", "0", "--port-file", str(port_file), *flags)
        self.greeting = self.process.stderr.readline()
        self.url = f"http://127.0.0.1:{port_file.read_text().strip()}"
        give_up = time.monotonic() + LIMIT_S
        while self.health() != 200:
            if time.monotonic() > give_up:
                raise TimeoutError("not ready")
            time.sleep(0.02)

    def health(self) -> int:
        try:
            return urllib.request.urlopen(self.url + "/health", timeout=LIMIT_S).status
        except urllib.error.HTTPError as refused:
            return refused.code

    def post(self, path: str, body: dict) -> dict:
        request = urllib.request.Request(self.url + path, json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=LIMIT_S) as answer:
            return json.load(answer)

    def text(self, **more) -> str:
        body = {"model": "tiny", "prompt": "Hello", "max_tokens": 24, "temperature": 0, "ignore_eos": True} | more
        return self.post("/v1/completions", body)["choices"][0]["text"]

    def engine_pid(self) -> int:
        return int(Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()[0])


class Serving(EndToEnd):
    def test_a_request_is_answered_with_real_tokens(self):
        with Model() as server:
            seen = self.report("once", "--base-url", server.url, "--prompt", "Hello", "--max-tokens", "16", "--ignore-eos")
            self.assertEqual((seen["status"], seen["n_out"], seen["token_events"], seen["finish_reason"]),
                             ("ok", 16, 16, "length"))
            self.assertEqual(len(seen["text"]), 16)  # a token is a character

    def test_greedy_answers_are_the_same_again_alone_and_among_others_and_on_another_server(self):
        with Model() as server:
            alone = server.text()
            together = server.post("/v1/completions", {"model": "tiny", "prompt": ["Hello", "Other", "Hello"], "n": 2,
                                                       "max_tokens": 24, "temperature": 0, "ignore_eos": True})
            texts = [each["text"] for each in together["choices"]]
            self.assertEqual(texts[:2] + texts[4:], [alone] * 4)
            self.assertNotEqual(texts[2], alone)
            drawn = server.text(temperature=1, seed=5)
            self.assertEqual(server.text(temperature=1, seed=5), drawn)
            self.assertNotEqual(server.text(temperature=1, seed=6), drawn)
        with Model("--max-batch", "2", "--threads", "1") as server:
            self.assertEqual(server.text(), alone)
        with Model("--seed", "2") as server:
            self.assertNotEqual(server.text(), alone)

    def test_eight_streams_at_once_are_measured(self):
        with Model() as server:
            seen = self.report("bench", "--base-url", server.url, "--num-prompts", "24", "--max-concurrency", "8",
                               "--random-input-len", "64", "--random-output-len", "32", "--ignore-eos", "--no-store")
            self.assertEqual(seen["requests"]["succeeded"], 24)
            self.assertEqual(server.metric("vllm:request_success_total") >= 24, True)

    def test_more_requests_than_fit_wait(self):
        with Model("--max-batch", "1") as server:
            self.assertEqual(len(server.post("/v1/completions", {"model": "tiny", "prompt": "x", "n": 5, "max_tokens": 4,
                                                                 "ignore_eos": True})["choices"]), 5)

    def test_an_answer_ends_at_a_token_that_ends_it_unless_that_is_ignored(self):
        with Model() as server:
            # 95 characters and one end at temperature 100: of 60 answers of up to 256 tokens nearly all end before.
            asked = {"model": "tiny", "prompt": "a", "n": 60, "max_tokens": 256, "temperature": 100, "seed": 1}
            reasons = [each["finish_reason"] for each in server.post("/v1/completions", asked)["choices"]]
            self.assertGreater(reasons.count("stop"), 40)
            ignored = server.post("/v1/completions", asked | {"ignore_eos": True, "n": 4})["choices"]
            self.assertEqual([(each["finish_reason"], len(each["text"])) for each in ignored], [("length", 256)] * 4)

    def test_a_client_that_goes_away_frees_its_place(self):
        with Model("--max-batch", "1", "--context", "65536") as server:
            host = server.url.removeprefix("http://")
            connection = http.client.HTTPConnection(host, timeout=LIMIT_S)
            connection.request("POST", "/v1/completions", json.dumps(
                {"model": "tiny", "prompt": "Hello", "max_tokens": 2000, "stream": True, "ignore_eos": True}))
            answer = connection.getresponse()
            answer.readline()
            answer.close()
            connection.close()
            self.assertEqual(len(server.text(max_tokens=4)), 4)  # it would wait for 2000 tokens else
            self.assertEqual(server.metric("scoville:requests_abandoned_total"), 1)

    def test_what_cannot_be_answered_is_refused_by_name(self):
        with Model("--context", "100") as server:
            for path, body, status, words in (
                    ("/v1/completions", {"model": "tiny", "prompt": "a" * 90, "max_tokens": 50}, 400, "context_length_exceeded"),
                    ("/v1/completions", {"model": "other", "prompt": "a"}, 404, "model_not_found"),
                    ("/v1/completions", {"model": "tiny", "prompt": [1, 2, 99999]}, 400, "token ids from 0 to 319"),
                    ("/v1/completions", {"model": "tiny", "prompt": "a", "top_p": 7}, 400, "top_p"),
                    ("/v1/chat/completions", {"model": "tiny", "messages": []}, 400, "messages"),
                    ("/v1/embeddings", {"model": "tiny", "input": "a"}, 404, "nothing at")):
                with self.assertRaises(urllib.error.HTTPError) as refused:
                    server.post(path, body)
                self.assertEqual(refused.exception.code, status)
                self.assertIn(words, refused.exception.read().decode())
            self.assertEqual(server.post("/tokenize", {"prompt": "ab"})["tokens"], [256, 97, 98])
            self.assertEqual(server.post("/tokenize", {"prompt": "ab", "add_special_tokens": False})["count"], 2)


class Endings(EndToEnd):
    def test_an_engine_that_dies_fails_what_runs_and_ends_the_server(self):
        server = Model("--context", "65536")
        host = server.url.removeprefix("http://")
        connection = http.client.HTTPConnection(host, timeout=LIMIT_S)
        connection.request("POST", "/v1/completions", json.dumps(
            {"model": "tiny", "prompt": "Hello", "max_tokens": 2000, "stream": True, "ignore_eos": True}))
        answer = connection.getresponse()
        answer.readline()
        os.kill(server.engine_pid(), signal.SIGKILL)
        rest = answer.read().decode()
        self.assertIn('"code":"engine_ended"', rest)
        done = finish(server.process)
        self.assertEqual(done.returncode, 1)
        self.assertIn("signal 9", done.stderr.splitlines()[-1])
        shutil.rmtree(server.folder)

    def test_the_engine_does_not_outlive_its_server(self):
        server = Model()
        pid = server.engine_pid()
        server.process.kill()
        finish(server.process)
        shutil.rmtree(server.folder)
        give_up = time.monotonic() + LIMIT_S
        while Path(f"/proc/{pid}").exists() and "Z" not in Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0]:
            self.assertLess(time.monotonic(), give_up)
            time.sleep(0.01)

    def test_a_model_that_is_not_loaded_is_said_in_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            for model, config, words in (("huge", None, "no model huge: expected one of tiny, small"),
                                         (folder, None, "config.json"),
                                         (folder, '{"model_type": "mixtral"}', "model_type mixtral")):
                if config:
                    Path(folder, "config.json").write_text(config)
                done = scoville("serve", "--model", model, "--port", "0")
                self.assertEqual(done.returncode, 1)
                self.assertIn(words, done.stderr)
                self.assertIn("exit status 1", done.stderr.splitlines()[-1])

    def test_a_missing_engine_is_one_line_that_says_how_to_build_it(self):
        with tempfile.TemporaryDirectory() as folder:
            alone = Path(folder, "scoville")
            shutil.copy(harness.binary, alone)
            done = subprocess.run([str(alone), "serve", "--model", "tiny", "--port", "0"], capture_output=True, text=True,
                                  timeout=LIMIT_S, env=harness.environment(PATH="/nonexistent"))
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1))
            self.assertIn("make torch", done.stderr)

    def test_a_script_and_a_model_exclude_each_other(self):
        self.fails(2, "serve", "--model", "tiny", "--scripted", "tokens=1", says="exclude")


class Protocol(EndToEnd):
    def test_lines_go_in_and_come_out(self):
        engine = str(Path(harness.binary).parent / "scoville-torch")
        asked = [{"id": 1, "ids": [256, 72, 105], "max_tokens": 3, "ignore_eos": True, "top": 2}, {"id": 2, "tokenize": True, "prompt": "é"},
                 {"id": 3, "prompt": 7}, {"cancel": 77}]
        done = subprocess.run([engine, "engine", "--model", "tiny"], capture_output=True, text=True, timeout=LIMIT_S,
                              input="".join(json.dumps(each) + "\n" for each in asked) + "no JSON\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        ready = lines[0]["ready"]
        self.assertEqual((ready["model"], ready["vocab"], ready["context"], ready["tokenizer"]), ("tiny", 320, 2048, "bytes"))
        mine = [line for line in lines if line.get("id") == 1]
        self.assertEqual(mine[0], {"id": 1, "accepted": {"prompt_tokens": 3}})
        self.assertEqual([len(line["top"]) for line in mine[1:4]], [2, 2, 2])
        self.assertEqual(mine[4], {"id": 1, "done": "length", "prompt_tokens": 3, "completion_tokens": 3})
        self.assertIn({"id": 2, "ids": [256, 0xc3, 0xa9]}, lines)
        self.assertEqual([line["error"]["reason"] for line in lines if "error" in line], ["bad_request", "bad_request"])

    def test_a_wrong_flag_is_said(self):
        engine = str(Path(harness.binary).parent / "scoville-torch")
        for flags, words in ((("--dtype", "int3"), "no dtype int3"), (("--context", "x"), "--context x"), (("--model",), "--model: a value"),
                             (("--device", "nowhere"), "nowhere"), (("--nope", "1"), "no such flag")):
            done = subprocess.run([engine, "engine", *flags], capture_output=True, text=True, timeout=LIMIT_S, stdin=subprocess.DEVNULL)
            self.assertEqual(done.returncode, 1)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    harness.main()

#!/usr/bin/env python3
"""`scoville probe dynamic-shapes` against servers that prepare for lengths in known ways.    test_shapes.py BINARY"""

import http.server
import json
import threading
import time
import unittest
from pathlib import Path

import harness
from harness import EndToEnd, Server, scoville

COMPILATION_S = 0.250
WORK_S = 0.025  # above what a busy machine makes of any sleep


class LengthServer:
    """Answers a chat after 25 ms, and 250 ms later where `key` of its length is new to it. A word is a token."""

    def __init__(self, key):
        self.key, self.known, self.texts, server = key, set(), [], self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def send(self, status: int, kind: str, body: str):
                data = body.encode()
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def do_GET(self):
                models = {"object": "list", "data": [{"id": "lengths", "object": "model"}]}
                self.send(200 if self.path == "/v1/models" else 404, "application/json", json.dumps(models))

            def do_POST(self):
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if self.path == "/tokenize":
                    text = asked["messages"][0]["content"] if "messages" in asked else asked["prompt"]
                    return self.send(200, "application/json", json.dumps({"count": len(text.split()), "max_model_len": 8192}))
                if self.path != "/v1/chat/completions":
                    return self.send(404, "application/json", "{}")
                server.answer(self, asked["messages"][0]["content"])

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}"

    def answer(self, handler, text: str):
        length = len(text.split())
        self.texts.append(text)
        time.sleep(WORK_S)  # the server's work, not the test's patience
        if self.key and self.key(length) not in self.known:
            self.known.add(self.key(length))
            time.sleep(COMPILATION_S)
        chunk = {"id": "1", "object": "chat.completion.chunk", "model": "lengths",
                 "choices": [{"index": 0, "delta": {"content": "a"}, "finish_reason": None}]}
        last = chunk | {"choices": [{"index": 0, "delta": {}, "finish_reason": "length"}],
                        "usage": {"prompt_tokens": length, "completion_tokens": 1, "total_tokens": length + 1}}
        handler.send(200, "text/event-stream", f"data: {json.dumps(chunk)}\n\ndata: {json.dumps(last)}\n\ndata: [DONE]\n\n")

    def __enter__(self):
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.http.shutdown()
        self.http.server_close()


class OverHttp(EndToEnd):
    def judged(self, key, *more: str) -> tuple:
        """Again where this machine was too busy for it, which is said with 4."""
        for _ in range(4):
            with LengthServer(key) as server:
                done = scoville("probe", "dynamic-shapes", "--base-url", server.url, "--json", *more)
            if done.returncode != 4:
                break
        self.assertEqual(done.returncode, 0, f"{done.stdout[-1500:]}{done.stderr}")
        return self.one_object(done.stdout), server

    def test_a_server_that_prepares_for_each_length_recompiles(self):
        found, server = self.judged(lambda length: length)
        self.assertEqual((found["verdict"], found["lengths"], found["paying"]), ("recompiles", 20, 20))
        self.assertAlmostEqual(found["surcharge_ns"] / 1e9, COMPILATION_S, delta=0.1)
        self.assertEqual(found["model"], "lengths")
        self.assertIsNone(found["device"])
        self.assertIsNone(found["compilations"])
        self.assertEqual(found["warnings"], [])

    def test_a_server_that_prepares_for_powers_of_two_is_bucketed(self):
        found, _ = self.judged(lambda length: (length - 1).bit_length())
        self.assertEqual(found["verdict"], "bucketed")
        powers = {(row["length"] - 1).bit_length() for row in found["rows"]}
        self.assertTrue(2 <= found["paying"] <= len(powers), found["paying"])  # the checks of the lengths may have had some
        paid = [bucket for bucket in found["buckets"] if bucket["payer"]]
        self.assertEqual(len(paid), found["paying"])
        for bucket in paid:
            self.assertTrue(bucket["from"] <= bucket["payer"] <= bucket["to"])

    def test_a_server_that_prepares_for_nothing_is_free(self):
        found, server = self.judged(None)
        self.assertEqual((found["verdict"], found["buckets"]), ("free", []))
        self.assertIsNone(found["doubt"])

    def test_the_lengths_are_as_asked_three_times_over_and_no_two_texts_begin_alike(self):
        with LengthServer(None) as server:
            done = scoville("probe", "dynamic-shapes", "--base-url", server.url, "--lengths", "8", "--least", "20",
                            "--most", "60", "--seed", "3", "--json")
            self.assertIn(done.returncode, (0, 4), done.stderr)  # whatever the verdict
            found = self.one_object(done.stdout)
            asked = server.texts[-24:]
            lengths = [row["length"] for row in found["rows"]]
            self.assertEqual([len(text.split()) for text in asked], lengths * 3)
            self.assertEqual(len(set(lengths)), 8)
            self.assertTrue(all(20 <= length <= 60 for length in lengths))
            self.assertEqual(len({" ".join(text.split()[:9]) for text in asked}), 24)

    def test_the_scripted_server_is_free_and_the_table_says_so(self):
        with Server("ttft=20ms,itl=1ms,tokens=4") as server:
            for lang, says in (("en", "Free"), ("zh", "无代价")):
                for _ in range(4):
                    done = scoville("probe", "dynamic-shapes", "--base-url", server.url, "--lang", lang)
                    if done.returncode != 4:  # a busy machine
                        break
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertIn(says, done.stdout)

    def test_a_server_that_is_not_there_is_one_line(self):
        self.fails(1, "probe", "dynamic-shapes", "--base-url", "http://127.0.0.1:1")

    def test_what_does_not_go_together(self):
        self.fails(2, "probe", "dynamic-shapes", "--base-url", "http://127.0.0.1:1", "--device", "cuda", says="--device")
        self.fails(2, "probe", "dynamic-shapes", "--model", "x", says="--base-url")
        self.fails(2, "probe", "dynamic-shapes", "--least", "10", "--most", "20", says="--least")


class OfProbes(EndToEnd):
    """A probe whose times are made up: the verdict is the program's."""

    def asked(self, first: str, status: int = 0) -> dict:
        script = Path(harness.data_home, "shape_probe.py")
        script.write_text(f"""import sys, json
for line in sys.stdin:
    asked = json.loads(line)
    lengths = asked["params"]["lengths"]
    for number in (1, 2, 3):
        for i, length in enumerate(lengths):
            first = ({first}) if number == 1 else 1000 + i % 2 * number
            print(json.dumps({{"id": asked["id"], "row": {{"pass": number, "length": length, "first_ns": first,
                  "steady_ns": 1000, "compilations": None}}}}), flush=True)
    print(json.dumps({{"id": asked["id"], "result": {{}}}}), flush=True)""")
        return self.report("probe", "dynamic-shapes", "--probe", f"python3 {script}", status=status)

    def test_verdicts(self):
        self.assertEqual(self.asked("9000")["verdict"], "recompiles")
        self.assertEqual(self.asked("1001")["verdict"], "free")
        self.assertEqual(self.asked("1001 if i else 9000")["paying"], 1)

    def test_no_times_are_no_evidence(self):
        found = self.asked("None", status=4)
        self.assertEqual((found["verdict"], found["doubt"]), ("cannot_tell", "too_few_lengths"))
        self.assertIsNone(found["paying"])
        self.assertIsNone(found["rows"][0]["first_ns"])


class OfTorch(EndToEnd):
    def test_the_cpu_gives_times_for_each_length_and_some_verdict(self):
        if not Path(harness.binary).with_name("scoville-torch").exists():
            self.skipTest("scoville-torch is not built")
        done = scoville("probe", "dynamic-shapes", "--lengths", "8", "--most", "64", "--threads", "1", "--json")
        self.assertIn(done.returncode, (0, 4), done.stderr)  # this machine may be busy
        found = self.one_object(done.stdout)
        self.assertEqual((found["device"], found["preset"], found["dtype"]), ("cpu", "tiny", "fp32"))
        self.assertEqual(len(found["rows"]), 8)
        self.assertTrue(all(row[key] > 0 for row in found["rows"] for key in ("first_ns", "second_ns", "third_ns")))


if __name__ == "__main__":
    harness.main()

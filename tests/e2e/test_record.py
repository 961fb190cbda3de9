#!/usr/bin/env python3
"""`scoville record` between clients and the scripted endpoint, and `scoville workload learn` on what it wrote.

    test_record.py BINARY
"""

import http.client
import json
import random
import re
import shutil
import signal
import socket
import tempfile
import threading
import unittest
import urllib.parse
from pathlib import Path

import harness
from harness import LIMIT_S, EndToEnd, Server, finish, scoville, start

CHINESE = re.compile(r"[\u4e00-\u9fff]")


class Recorder:
    """`scoville record` before that server, for the length of a `with`; `rows` after it."""

    def __init__(self, to: str, *flags: str, output: str | None = None, lang: str = "en"):
        self.folder = tempfile.mkdtemp(prefix="scoville-e2e-")
        self.output = output or str(Path(self.folder, "requests.jsonl"))
        port_file = Path(self.folder, "port")
        self.process = start("record", "--to", to, "--listen", "127.0.0.1:0", "--port-file", str(port_file),
                             "-o", self.output, "--lang", lang, *flags)
        self.greeting = []
        while not any(word in "".join(self.greeting) for word in ("Ctrl-C", "error")):
            line = self.process.stderr.readline()
            if not line:
                raise RuntimeError("".join(self.greeting))
            self.greeting.append(line)
        self.port = int(port_file.read_text())
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> "Recorder":
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.folder)

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.done = finish(self.process)
            self.text = Path(self.output).read_text()
            lines = [json.loads(line) for line in self.text.splitlines()]
            self.heads = [line for line in lines if "format" in line]
            self.rows = [line for line in lines if "format" not in line]
        return self.done

    def wait_for_rows(self, count: int):
        """The file is written while it records: each line within a second of its end."""
        give_up = threading.Event()
        timer = threading.Timer(LIMIT_S, give_up.set)
        timer.start()
        while len(Path(self.output).read_text().splitlines()) < count + 1:
            if give_up.wait(0.01):
                raise TimeoutError(f"not {count} rows")
        timer.cancel()

    def chat(self, messages: list, max_tokens: int = 8, **more) -> str:
        """A streamed answer, with usage; returns its text."""
        body = {"model": "scripted", "messages": messages, "max_tokens": max_tokens, "stream": True,
                "stream_options": {"include_usage": True}} | more
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT_S)
        connection.request("POST", "/v1/chat/completions", json.dumps(body),
                           {"Content-Type": "application/json", "Authorization": "Bearer sk-unheard-of"})
        text = connection.getresponse().read().decode()
        connection.close()
        deltas = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: {")]
        return "".join(choice["delta"].get("content") or "" for each in deltas for choice in each["choices"])


class PassingThrough(EndToEnd):
    LOAD = ("--num-prompts", "60", "--random-input-len", "200", "--random-output-len", "12", "--num-warmups", "0", "--no-store")

    def test_a_load_through_it_is_the_load_that_the_server_sees(self):
        with Server("ttft=5ms,itl=1ms,tokens=12") as server, Recorder(server.url) as recorder:
            through = self.report("bench", "--base-url", recorder.url, "--max-concurrency", "8", *self.LOAD)
            recorder.stop()
            self.assertEqual(through["requests"]["succeeded"] if "succeeded" in through["requests"]
                             else through["requests"]["completed"], 60)
            chats = [row for row in recorder.rows if row["path"] == "/v1/chat/completions" and row["input_tokens"] == 200]
            self.assertGreaterEqual(len(chats), 60)
            for row in chats[-60:]:
                self.assertEqual((row["output_tokens"], row["status"], row["failure"], row["stream"]), (12, 200, None, True))
                self.assertEqual(row["chunks"], 12)
                self.assertGreaterEqual(row["ttft_ms"], 4.9)
                self.assertGreaterEqual(row["e2e_ms"], row["ttft_ms"])

    def test_two_hundred_at_once(self):
        with Server("ttft=50ms,itl=2ms,tokens=20") as server, Recorder(server.url, "--json") as recorder:
            load = ("--num-prompts", "400", "--max-concurrency", "200", "--random-input-len", "50",
                    "--random-output-len", "20", "--num-warmups", "0", "--no-store")
            self.report("bench", "--base-url", recorder.url, *load)
            done = recorder.stop()
            summary = self.one_object(done.stdout)
            self.assertEqual(summary["schema"], "scoville.recorded/1")
            self.assertEqual(summary["lines_lost"], 0)
            self.assertEqual(summary["requests"], len(recorder.rows))
            self.assertGreaterEqual(sum(row["output_tokens"] == 20 for row in recorder.rows), 400)
            self.assertEqual([row for row in recorder.rows if row["failure"]], [])

    def test_no_text_and_no_key_is_in_the_file(self):
        with Server("ttft=1ms,itl=0ms,tokens=8") as server, Recorder(server.url) as recorder:
            answer = recorder.chat([{"role": "system", "content": "zanzibar protocol"},
                                    {"role": "user", "content": "quixotic question"}], user="alice@example.org")
            recorder.stop()
            for word in ("zanzibar", "protocol", "quixotic", "question", "alice", "sk-unheard-of", *answer.split()):
                self.assertNotIn(word, recorder.text)
            row, = recorder.rows
            self.assertEqual((row["roles"], row["message_chars"]), ("su", [17, 17]))
            self.assertEqual(len(row["message_hashes"]), 2)
            self.assertEqual(len(row["session"]), 16)
            self.assertIsNone(row["failure"])

    def test_a_body_in_chunks_passes_through(self):
        with Server("ttft=1ms,itl=0ms,tokens=8") as server, Recorder(server.url) as recorder:
            connection = http.client.HTTPConnection("127.0.0.1", recorder.port, timeout=LIMIT_S)
            body = json.dumps({"model": "scripted", "prompt": "x" * 100000, "max_tokens": 3}).encode()
            for _ in range(2):  # over one connection
                connection.request("POST", "/v1/completions", iter([body[:7], body[7:50000], body[50000:]]),
                                   encode_chunked=True, headers={"Transfer-Encoding": "chunked"})
                answer = json.loads(connection.getresponse().read())
                self.assertEqual(answer["usage"]["completion_tokens"], 3)
            recorder.stop()
            self.assertEqual([(row["prompt_chars"], row["request_bytes"], row["output_tokens"]) for row in recorder.rows],
                             [(100000, len(body), 3)] * 2)
            self.assertEqual(len(recorder.rows[0]["prefix_hashes"]), 390)  # ⌊100000 / 256⌋

    def test_bodies_are_kept_on_request_with_a_warning(self):
        with Server("ttft=1ms,itl=0ms,tokens=8") as server, Recorder(server.url, "--keep-bodies") as recorder:
            answer = recorder.chat([{"role": "user", "content": "quixotic question"}])
            self.assertIn("--keep-bodies", "".join(recorder.greeting))
            recorder.stop()
            self.assertEqual(recorder.rows[0]["request"]["messages"][0]["content"], "quixotic question")
            self.assertEqual(recorder.rows[0]["answer"], answer)
            self.assertNotIn("sk-unheard-of", recorder.text)

    def test_a_client_that_leaves_cancels_its_request(self):
        with Server("ttft=1ms,itl=50ms,tokens=100000") as server, Recorder(server.url) as recorder:
            body = json.dumps({"model": "scripted", "stream": True, "max_tokens": 100000,
                               "messages": [{"role": "user", "content": "x"}]})
            with socket.create_connection(("127.0.0.1", recorder.port), timeout=LIMIT_S) as client:
                client.sendall(f"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
                seen = b""
                while seen.count(b"data: ") < 3:
                    seen += client.recv(4096)
            recorder.wait_for_rows(1)
            while server.metric("vllm:num_requests_running") > 0:  # it would run for hours
                pass
            self.assertEqual(server.metric("vllm:request_success_total"), 0)
            done = recorder.stop()
            self.assertEqual(recorder.rows[0]["failure"], "client_closed")
            self.assertIsNone(recorder.rows[0]["output_tokens"])  # unknown, not 0
            self.assertIn("client_closed", done.stderr)

    def test_a_server_that_is_gone_is_told_of(self):
        with Server("ttft=1ms") as server:
            recorder = Recorder(server.url)
        with recorder:
            connection = http.client.HTTPConnection("127.0.0.1", recorder.port, timeout=LIMIT_S)
            connection.request("POST", "/v1/chat/completions", "{}")
            answer = connection.getresponse()
            self.assertEqual(answer.status, 502)
            self.assertEqual(json.loads(answer.read())["error"]["code"], "upstream_connect")
            recorder.stop()
            self.assertEqual(recorder.rows[0]["failure"], "upstream_connect")

    def test_a_server_behind_tls(self):
        folder = tempfile.mkdtemp(prefix="scoville-e2e-")
        made = harness.subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                                       "-nodes", "-keyout", f"{folder}/key", "-out", f"{folder}/cert", "-days", "2",
                                       "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"], capture_output=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        tls = ("--cert", f"{folder}/cert", "--key", f"{folder}/key")
        with Server("ttft=1ms,itl=0ms,tokens=8", *tls, scheme="https") as server:
            with Recorder(server.url, "--cacert", f"{folder}/cert") as recorder:
                self.assertTrue(recorder.chat([{"role": "user", "content": "x"}]))
                recorder.stop()
                self.assertEqual(recorder.rows[0]["output_tokens"], 8)
            self.fails(1, "record", "--to", server.url, "-o", f"{folder}/r.jsonl", says="certificate")
        shutil.rmtree(folder)

    def test_files_are_not_written_over_but_added_to_on_request(self):
        with Server("ttft=1ms,itl=0ms,tokens=4") as server, tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/r.jsonl"
            with Recorder(server.url, output=path) as recorder:
                recorder.chat([{"role": "user", "content": "x"}])
            self.fails(2, "record", "--to", server.url, "-o", path, says="--append")
            with Recorder(server.url, "--append", output=path) as recorder:
                recorder.chat([{"role": "user", "content": "x"}])
                recorder.stop()
                self.assertEqual((len(recorder.heads), len(recorder.rows)), (2, 2))
                # Another recording, another salt: the same text has another hash.
                self.assertNotEqual(recorder.rows[0]["message_hashes"], recorder.rows[1]["message_hashes"])
            Path(path).write_text("a diary\n")
            self.fails(2, "record", "--to", server.url, "-o", path, "--append", says="scoville.requests/1")
            self.assertEqual(Path(path).read_text(), "a diary\n")

    def test_it_ends_after_its_time_and_says_what_it_saw_in_both_languages(self):
        with Server("ttft=1ms") as server, tempfile.TemporaryDirectory() as folder:
            for lang in ("en", "zh"):
                done = scoville("record", "--to", server.url, "--listen", "127.0.0.1:0", "-o", f"{folder}/{lang}",
                                "--duration", "100ms", "--lang", lang)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(bool(CHINESE.search(done.stderr)), lang == "zh")

    def test_what_it_needs_is_asked_for(self):
        self.fails(2, "record", "-o", "x", says="--to")
        self.fails(2, "record", "--to", "http://127.0.0.1:1", says="-o")
        self.fails(1, "record", "--to", "http://127.0.0.1:1", "-o", "/nonexistent/x", says="127.0.0.1:1")


def stamp(at: float) -> str:
    return f"2026-11-30T10:{int(at // 60):02d}:{at % 60:09.6f}Z"


class Learning(EndToEnd):
    def learn(self, text: str, *flags: str, name: str = "log") -> tuple[dict, list, dict]:
        """Summary, chains and head of the workload that is learned from this text."""
        with tempfile.TemporaryDirectory() as folder:
            log, out = Path(folder, name), Path(folder, "workload.jsonl")
            log.write_text(text)
            summary = self.report("workload", "learn", str(log), "-o", str(out), *flags)
            head, *chains = [json.loads(line) for line in out.read_text().splitlines()]
            self.assertEqual(head["format"], "scoville.workload/1")
            return summary, chains, head

    def test_a_recorded_conversation_comes_back_with_its_lengths_and_turns(self):
        with Server("ttft=1ms,itl=0ms,tokens=8") as server, Recorder(server.url) as recorder:
            system = {"role": "system", "content": "all about herons " * 100}
            for who in range(3):
                messages = [system, {"role": "user", "content": f"question {who}"}]
                for turn in range(3):
                    messages.append({"role": "assistant", "content": recorder.chat(messages, 4 + turn)})
                    messages.append({"role": "user", "content": f"and {turn}?"})
            recorder.stop()
            asked = {"input": [row["input_tokens"] for row in recorder.rows]}
            summary, chains, head = self.learn(recorder.text)
            self.assertEqual((summary["requests"], summary["conversations"], len(chains)), (9, 3, 3))
            for at, chain in enumerate(chains):
                first, second, third = chain["turns"]
                inputs = asked["input"][3 * at:3 * at + 3]
                self.assertEqual([turn["output_tokens"] for turn in chain["turns"]], [4, 5, 6])
                self.assertEqual(first["input_tokens"], inputs[0])
                self.assertEqual(second["input_tokens"], inputs[1] - inputs[0] - 4)
                self.assertEqual(third["input_tokens"], inputs[2] - inputs[1] - 5)
                self.assertEqual(chain["blocks"], [1, 2, 3, 4, 5, 6])  # 1707 characters of system prompt, 256 each
                self.assertGreaterEqual(second["think_ms"], 0)
            self.assertEqual(summary["shared_prefixes"]["chains_that_share"], 3)
            self.assertNotIn("heron", json.dumps([head, chains]))

    def test_a_made_log_comes_back_exactly(self):
        """Conversations of known lengths, think times and groups of shared prefixes, written as a gateway logs them."""
        rng = random.Random(5)
        rows, expected = [], []
        words = lambda chars: "".join(rng.choice("abcdefgh ") for _ in range(chars))
        said = lambda role, tokens: {"role": role, "content": words(4 * tokens - len(role) - 2)}  # a token is 4 characters
        prefix_of = {group: said("system", 256) for group in range(3)}
        for who in range(40):
            group = rng.randrange(4)  # the last has no common prefix
            at, history, chain, took = rng.uniform(0, 300), 0, [], 0.5
            messages, began = [prefix_of.get(group) or said("system", 256)], at
            for turn in range(rng.randrange(1, 5)):
                added, output, think = rng.randrange(5, 90), rng.randrange(5, 90), rng.randrange(0, 5000) / 1000
                messages.append(said("user", added))
                if turn == 0:
                    added += 256
                else:
                    at += think
                history += added
                rows.append((at, {"timestamp": stamp(at), "latency": took,
                                  "request": {"model": f"m{who % 2}", "messages": list(messages)},
                                  "response": {"usage": {"prompt_tokens": history, "completion_tokens": output}}}))
                chain.append((added, output, think * 1000 if turn > 0 else None))
                history += output
                at += took
                messages.append(said("assistant", output))
            expected.append((began, group, chain, f"m{who % 2}"))
        rows.sort(key=lambda row: row[0])
        expected.sort(key=lambda each: each[0])
        summary, chains, head = self.learn("\n".join(json.dumps(row) for _, row in rows))
        self.assertEqual(len(chains), len(expected))
        self.assertEqual((summary["bad_lines"], summary["estimates"]["added_from_chars"]), (0, 0))
        self.assertEqual(head["block_tokens"], 64)
        blocks_of = {}
        for chain, (began, group, turns, model) in zip(chains, expected):
            seen = chain.get("turns", [chain])
            self.assertEqual([(turn["input_tokens"], turn["output_tokens"]) for turn in seen], [turn[:2] for turn in turns])
            for turn, (_, _, think) in zip(seen, turns):
                if think is not None:
                    self.assertAlmostEqual(turn["think_ms"], think, delta=0.01)
            self.assertAlmostEqual(chain["at_ms"], (began - expected[0][0]) * 1000, delta=0.01)
            self.assertEqual(chain["model"], model)
            blocks = chain.get("blocks", [])
            self.assertEqual(len(blocks), 4 if group in prefix_of else 0)  # 256 tokens, 64 a block
            if blocks:
                self.assertEqual(blocks_of.setdefault(group, blocks), blocks)
        flat = [block for blocks in blocks_of.values() for block in blocks]
        self.assertEqual(len(flat), len(set(flat)))

    def test_an_access_log(self):
        text = "".join(f'10.0.0.9 - - [30/Nov/2026:10:15:{at:02d} +0000] "POST /v1/chat/completions HTTP/1.1" 200 {size} '
                       f'"-" "client" 0.500\n' for at, size in ((1, 400), (3, 800), (4, 1200)))
        text += '10.0.0.9 - - [30/Nov/2026:10:15:05 +0000] "GET /health HTTP/1.1" 200 2 "-" "probe"\nnot a line\n'
        summary, chains, _ = self.learn(text, "--tokens-per-char", "0.1", "--input-tokens", "700")
        self.assertEqual([(each["at_ms"], each["input_tokens"], each["output_tokens"]) for each in chains],
                         [(0, 700, 40), (2000, 700, 80), (3000, 700, 120)])
        self.assertEqual((summary["other_lines"], summary["bad_lines"]), (1, 1))
        self.assertEqual(summary["first_bad_line"]["line"], 5)
        self.assertEqual(summary["estimates"]["input_assumed"], 3)
        self.assertTrue(summary["arrivals"]["whole_seconds"])
        self.assertIsNone(summary["shared_prefixes"]["share_of_input_tokens"])

    def test_a_session_field(self):
        line = lambda at, who, tokens: json.dumps({
            "time": 1796033730 + at, "body": {"prompt": "x", "meta": {"chat": who}},
            "usage": {"prompt_tokens": tokens, "completion_tokens": 5}})
        text = "\n".join((line(0, "a", 10), line(1, "b", 10), line(2, "a", 20)))
        _, chains, _ = self.learn(text)
        self.assertEqual(len(chains), 3)

    def test_the_summary_is_told_in_both_languages(self):
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder, "log")
            log.write_text('{"prompt":"abc","time":1796033730}\n{"prompt":"abd","time":1796033735}\n')
            for lang in ("en", "zh"):
                done = scoville("workload", "learn", str(log), "-o", f"{folder}/w", "--lang", lang)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(bool(CHINESE.search(done.stdout)), lang == "zh")

    def test_what_cannot_be_learned_from_is_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            out, log = f"{folder}/w", Path(folder, "log")
            self.fails(1, "workload", "learn", f"{folder}/missing", "-o", out, says="missing")
            self.fails(2, "workload", "learn", "x", says="-o")
            log.write_text("Dear diary\n")
            self.fails(1, "workload", "learn", str(log), "-o", out, says="no format")
            log.write_text("")
            self.fails(1, "workload", "learn", str(log), "-o", out, says="no format")
            log.write_text('h - - [30/Nov/2026:10:15:05 +0000] "GET / HTTP/1.1" 200 2\n')
            self.fails(1, "workload", "learn", str(log), "-o", out, says="no request")
            self.assertFalse(Path(out).exists())

    def test_broken_lines_of_every_kind_are_counted_and_none_ends_it(self):
        rng = random.Random(11)
        good = json.dumps({"timestamp": stamp(1), "request": {"model": "m", "messages": [{"role": "user", "content": "hi"}]},
                           "response": {"usage": {"prompt_tokens": 3, "completion_tokens": 4}}})
        lines = [good]
        for _ in range(300):
            broken = list(good)
            for _ in range(rng.randrange(1, 6)):
                broken[rng.randrange(len(broken))] = chr(rng.randrange(32, 127))
            lines.append("".join(broken))
        lines.append("[" * 100000)
        lines.append('{"a":' * 2000)
        summary, chains, _ = self.learn("\n".join(lines), "--format", "openai")
        self.assertGreater(summary["bad_lines"], 10)
        self.assertEqual(summary["requests"] + summary["bad_lines"], len(lines))
        self.assertGreaterEqual(len(chains), 1)


if __name__ == "__main__":
    harness.main()

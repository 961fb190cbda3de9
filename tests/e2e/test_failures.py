#!/usr/bin/env python3
"""Servers that are missing, wrong, slow or broken: one clear line, or a counted class.    test_failures.py BINARY"""

import http.server
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

import harness
from harness import EndToEnd, Server, scoville, start

REFUSING = "http://127.0.0.1:1"
SMALL = ("--random-input-len", "16", "--random-output-len", "20", "--ignore-eos", "--num-warmups", "0")


class NoRun(EndToEnd):
    """Where nothing can be measured there is one line, exit 1, and no figure."""

    def test_a_refused_connection(self):
        self.assertEqual(self.fails(1, "bench", "--base-url", REFUSING, says="127.0.0.1:1").stdout, "")
        done = self.fails(1, "once", "--base-url", REFUSING, "--json", says="127.0.0.1:1")
        seen = self.one_object(done.stdout)
        self.assertEqual((seen["status"], seen["error_class"]), ("failed", "connect"))
        self.assertIsNone(seen["ttft_any_ms"])

    def test_a_name_that_nobody_knows(self):
        self.fails(1, "bench", "--base-url", "http://no-such-host.invalid:8000", says="no-such-host.invalid")
        done = self.fails(1, "once", "--base-url", "http://no-such-host.invalid:8000", "--json",
                          says="no-such-host.invalid")
        self.assertEqual(self.one_object(done.stdout)["error_class"], "dns")

    def test_an_unknown_model(self):
        with Server("model=llama,ttft=1ms,itl=1ms") as server:
            done = self.fails(1, "bench", "--base-url", server.url, "--model", "lama", says="lama")
            self.assertIn("404", done.stderr)
            report = self.report("bench", "--base-url", server.url, "--num-prompts", "2", *SMALL)
            self.assertEqual(report["system"]["model"], "llama")  # left out: the first that is listed

    def test_an_html_page(self):
        with Server("html=yes") as server:
            self.fails(1, "bench", "--base-url", server.url, "--model", "m")

    def test_tls_spoken_to_a_server_that_speaks_none(self):
        with Server("") as server:
            self.fails(1, "bench", "--base-url", server.url.replace("http:", "https:"), says="TLS")

    def test_a_first_answer_that_is_an_error(self):
        for status in (400, 401, 403, 404, 429, 500):
            with self.subTest(status), Canned(status) as url:
                self.fails(1, "bench", "--base-url", url, "--model", "m", says=str(status))

    def test_too_few_descriptors_for_the_concurrency(self):
        def few():
            import resource
            if os.geteuid() == 0:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)  # root may raise even the hard limit
            resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))

        with Server("ttft=1ms,itl=1ms") as server, tempfile.TemporaryDirectory() as folder:
            program = Path(folder, "scoville")  # where nobody may read it
            shutil.copy(harness.binary, program)
            os.chmod(folder, 0o755)
            done = subprocess.run([program, "bench", "--base-url", server.url, "--max-concurrency", "1024", "--no-store",
                                   *SMALL],
                                  capture_output=True, text=True, env=harness.environment(), preexec_fn=few,
                                  timeout=harness.LIMIT_S)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn("256", done.stderr)

    @unittest.skipUnless(shutil.which("openssl"), "no openssl program to make a certificate with")
    def test_a_certificate_that_nobody_vouches_for(self):
        with tempfile.TemporaryDirectory() as folder:
            cert, key = f"{folder}/cert.pem", f"{folder}/key.pem"
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                            "-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2",
                            "-keyout", key, "-out", cert], check=True, capture_output=True)
            with Server("ttft=1ms,itl=1ms", "--cert", cert, "--key", key, scheme="https") as server:
                done = self.fails(1, "once", "--base-url", server.url, "--json", says="self-signed")
                self.assertEqual(self.one_object(done.stdout)["error_class"], "tls")
                self.fails(1, "bench", "--base-url", server.url, says="self-signed")
                for trust in (("--cacert", cert), ("--insecure",)):
                    report = self.report("bench", "--base-url", server.url, "--num-prompts", "3", *SMALL, *trust)
                    self.assertEqual(report["requests"]["succeeded"], 3)
                self.fails(1, "once", "--base-url", server.url, "--cacert", "/nonexistent.pem", says="/nonexistent.pem")


    def test_a_server_may_say_what_it_likes_it_stays_one_line(self):
        with Canned(500, b"first line\nsecond line\r\n\x1b[31mred") as url:
            done = self.fails(1, "bench", "--base-url", url, "--model", "m", says="first line")
            self.assertNotIn("\x1b", done.stderr)


class Counted(EndToEnd):
    """What happens in a run is data: counted by class, never flattering, never a hang."""

    def bench(self, script: str, *args: str, status: int = 0) -> dict:
        with Server(script) as server:
            return self.report("bench", "--base-url", server.url, *SMALL, *args, status=status)

    def test_answers_that_end_early_are_truncated(self):
        report = self.bench("ttft=1ms,itl=1ms,close_after=10", "--num-prompts", "5", "--max-concurrency", "2", status=1)
        self.assertEqual(report["requests"]["failed"], {"truncated": 5})
        self.assertIsNone(report["metrics"]["e2e"]["mean"])
        self.assertIn("failures", self.codes(report))

    def test_connections_that_are_reset(self):
        report = self.bench("ttft=1ms,itl=1ms,reset_after=10", "--num-prompts", "5", "--max-concurrency", "2", status=1)
        self.assertEqual(report["requests"]["failed"], {"reset": 5})

    def test_a_stall_ends_at_the_idle_limit_and_counts_as_a_lower_bound(self):
        # The check before the run asks for 4 tokens and never comes to the stall behind the tenth.
        report = self.bench("ttft=1ms,itl=1ms,stall_at=10,stall_for=1h", "--num-prompts", "4", "--max-concurrency", "4",
                            "--idle-timeout", "300ms", status=1)
        self.assertEqual(report["requests"]["failed"], {"timeout_idle": 4})
        self.assertIn("timeouts", self.codes(report))
        median = report["metrics"]["e2e"]["quantiles"]["50"]
        self.assertIsNone(median["value"])
        self.assertGreaterEqual(median["at_least"], 300_000_000)

    def test_a_request_that_takes_too_long(self):
        report = self.bench("ttft=1ms,itl=100ms", "--num-prompts", "2", "--max-concurrency", "2", "--timeout", "500ms",
                            status=1)
        self.assertEqual(report["requests"]["failed"], {"timeout_request": 2})

    def test_errors_at_a_rate_are_counted_by_class_and_add_up(self):
        # 200 answers, 30 % of which end in an error object: 60, standard deviation 6.5; four of them are 26.
        report = self.bench("ttft=1ms,itl=100us,error_at=10,error_rate=0.3", "--num-prompts", "200",
                            "--max-concurrency", "8")
        requests = report["requests"]
        self.assertEqual(set(requests["failed"]), {"stream_error"})
        self.assertTrue(34 <= requests["failed"]["stream_error"] <= 86, requests)
        self.assertEqual(requests["attempted"], 200)
        self.assertEqual(requests["succeeded"] + requests["failed"]["stream_error"], 200)
        self.assertEqual(report["metrics"]["e2e"]["n"], requests["succeeded"])

    def test_a_usage_that_says_twice_the_tokens_is_flagged(self):
        with Server("ttft=1ms,itl=1ms,usage=wrong") as server:
            for natural in (SMALL, tuple(flag for flag in SMALL if flag != "--ignore-eos")):
                report = self.report("bench", "--base-url", server.url, "--num-prompts", "5", *natural)
                self.assertIn("output_lengths_differ", self.codes(report))
                self.assertIn("usage_differs", self.codes(report))
                self.assertIsNone(report["metrics"]["tpot"]["mean"])  # half of the truth: not shown
                self.assertIsNone(report["metrics"]["output_tokens_per_s"]["full"])
            seen = self.report("once", "--base-url", server.url, "--max-tokens", "20", "--ignore-eos")
            self.assertEqual((seen["n_out"], seen["token_events"]), (40, 20))
            self.assertIn("usage_differs", seen["flags"])  # no server may send more than it was asked for

    def test_a_usage_of_nothing_gives_no_count_rather_than_0(self):
        for usage in ("zero", "none"):
            report = self.bench(f"ttft=1ms,itl=1ms,usage={usage}", "--num-prompts", "3")
            self.assertIsNone(report["metrics"]["tpot"]["mean"], usage)
            self.assertIsNone(report["metrics"]["output_tokens_per_s"]["full"], usage)
            self.assertIn("tokens_not_counted", self.codes(report), usage)

    def test_prompt_tokens_from_a_cache_are_warned_of(self):
        report = self.bench("ttft=1ms,itl=1ms,cached=8", "--num-prompts", "5")
        self.assertGreater(report["dataset"]["cached_share"], 0.01)
        self.assertTrue(any("cache" in code for code in self.codes(report)), self.codes(report))

    def test_a_server_that_does_not_stream_has_no_first_token(self):
        report = self.bench("ttft=1ms,itl=1ms,stream_ignored=yes", "--num-prompts", "3")
        self.assertIsNone(report["metrics"]["ttft"]["mean"])
        self.assertIn("not_streamed", self.codes(report))


class Secrets(EndToEnd):
    def test_the_key_reaches_the_server_and_nothing_else(self):
        key = "sk-e2e-4f1d"
        with tempfile.TemporaryDirectory() as folder, Canned(401) as url:
            key_file, output = Path(folder, "key"), Path(folder, "out.json")
            key_file.write_text(key + "\n")
            files = ("--api-key-file", str(key_file), "--output", str(output))
            done = self.fails(1, "bench", "--base-url", url, "--model", "m", *files, says="401")
            self.assertIn(f"Bearer {key}", Canned.heard)
            self.assertNotIn(key, done.stdout + done.stderr)
            once = scoville("once", "--base-url", url, "--model", "m", "--json",
                            env=harness.environment(OPENAI_API_KEY=key))
            self.assertNotIn(key, once.stdout + once.stderr)
            with Server("ttft=1ms,itl=1ms") as server:
                done = scoville("bench", "--base-url", server.url, "--num-prompts", "2", *SMALL, *files, "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotIn(key, done.stdout + done.stderr + output.read_text())

    def test_the_key_is_not_in_the_process_list(self):
        with tempfile.TemporaryDirectory() as folder, Server("ttft=1h") as server:
            key_file = Path(folder, "key")
            key_file.write_text("sk-e2e-4f1d")
            running = start("once", "--base-url", server.url, "--api-key-file", str(key_file))
            server.wait_for("vllm:num_requests_running", 1)
            listed = Path(f"/proc/{running.pid}/cmdline").read_text()
            running.kill()
            harness.finish(running)
            self.assertIn("--api-key-file", listed)
            self.assertNotIn("sk-e2e-4f1d", listed)


class Interrupted(EndToEnd):
    def interrupt(self, process: subprocess.Popen) -> subprocess.CompletedProcess:
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        done = harness.finish(process)
        self.assertLess(time.monotonic() - began, 3)
        self.assertEqual(done.returncode, 130, done.stderr)
        return done

    def test_ctrl_c_in_a_run_gives_exit_130_and_the_report_of_what_was_measured(self):
        with Server("ttft=1ms,itl=1ms,tokens=100000,stall_at=50,stall_for=1h") as server:
            running = start("bench", "--base-url", server.url, "--num-prompts", "1000", "--max-concurrency", "4",
                            "--random-input-len", "16", "--random-output-len", "100", "--num-warmups", "0", "--json")
            server.wait_for("vllm:num_requests_running", 4)
            report = self.one_object(self.interrupt(running).stdout)
            self.assertEqual(report["requests"]["failed"], {"aborted": 4})
            self.assertEqual(report["requests"]["attempted"], 4)
            self.assertIn("interrupted", self.codes(report))

    def test_ctrl_c_before_the_run_gives_exit_130_and_no_report(self):
        with Server("ttft=1h") as server:
            running = start("bench", "--base-url", server.url, "--json")
            server.wait_for("vllm:num_requests_running", 1)
            self.assertEqual(self.interrupt(running).stdout, "")

    def test_ctrl_c_in_once(self):
        with Server("ttft=1h") as server:
            running = start("once", "--base-url", server.url, "--json")
            server.wait_for("vllm:num_requests_running", 1)
            seen = self.one_object(self.interrupt(running).stdout)
            self.assertEqual((seen["status"], seen["error_class"]), ("failed", "aborted"))

    def test_serve_ends_by_ctrl_c_with_its_summary(self):
        process = start("serve", "--port", "0")
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        self.assertEqual(harness.finish(process).returncode, 0)


class Canned:
    """A server of Python's own that answers every POST with this status, and keeps the keys that it heard."""

    heard: list = []

    def __init__(self, status: int, body: bytes = b'{"error":{"message":"canned"}}'):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                Canned.heard.append(self.headers.get("Authorization"))
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    def __enter__(self) -> str:
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.server.server_port}"

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


if __name__ == "__main__":
    harness.main()

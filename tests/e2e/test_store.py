#!/usr/bin/env python3
"""Runs on disk: what is stored, and what happens where it cannot be.    test_store.py BINARY"""

import json
import os
import resource
import sqlite3
import tempfile
import unittest
from pathlib import Path

import harness
from harness import EndToEnd, Server, finish, scoville, start

SCRIPT = "ttft=5ms,itl=1ms"


def load(prompts: int = 20, tokens: int = 16) -> tuple:
    return ("--num-prompts", str(prompts), "--max-concurrency", "16", "--random-input-len", "32",
            "--random-output-len", str(tokens), "--ignore-eos")


def rows(store: str, sql: str) -> list:
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as database:
        return database.execute(sql).fetchall()


class Stored(EndToEnd):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.store = str(Path(self.folder.name, "deep", "runs.db"))

    def tearDown(self):
        self.folder.cleanup()

    def bench(self, url: str, *more: str, size: tuple = load(), **how):
        return scoville("bench", "--base-url", url, *size, "--store", self.store, *more, **how)

    def test_a_run_lies_in_the_file_with_its_tag_and_is_finished(self):
        with Server(SCRIPT) as server:
            done = self.bench(server.url, "--tag", "nightly", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual(report["tag"], "nightly")
        self.assertEqual(rows(self.store, "SELECT id, tag, status FROM run"), [(report["run"], "nightly", "finished")])
        warmups = report["requests"]["warmup"]
        self.assertEqual(rows(self.store, "SELECT sum(requests), sum(events) FROM block"),
                         [(20 + warmups, (20 + warmups) * 16)])
        self.assertEqual(rows(self.store, "SELECT count(*) FROM tail"), [(0,)])
        self.assertEqual(rows(self.store, "SELECT count(*) FROM answer"), [(0,)])

    def test_no_key_and_no_header_value_is_stored(self):
        with Server(SCRIPT) as server:
            self.bench(server.url, "--header", "X-Secret: hunter2",
                       env=harness.environment(OPENAI_API_KEY="sk-do-not-store-me"))
        held = b"".join(file.read_bytes() for file in Path(self.store).parent.iterdir())
        self.assertIn(b"X-Secret", held)
        self.assertNotIn(b"hunter2", held)
        self.assertNotIn(b"do-not-store-me", held)

    def test_texts_are_kept_with_save_detailed_only(self):
        with Server(SCRIPT) as server, tempfile.TemporaryDirectory() as folder:
            self.bench(server.url, "--output-json", f"{folder}/r.json", "--save-detailed")
            texts = json.loads(Path(folder, "r.json").read_text())["generated_texts"]
        kept = [json.loads(body)["answers"][0] for (body,) in
                rows(self.store, "SELECT body FROM answer WHERE is_warmup = 0 ORDER BY request")]
        self.assertEqual(kept, texts)

    def test_no_store_leaves_no_file(self):
        with Server(SCRIPT) as server:
            done = scoville("bench", "--base-url", server.url, *load(), "--no-store",
                            env=harness.environment(XDG_DATA_HOME=self.folder.name))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(os.listdir(self.folder.name), [])

    def test_a_place_that_cannot_be_written_is_one_line_before_any_request(self):
        with Server(SCRIPT) as server:
            for store in ("/proc/nowhere/runs.db", self.folder.name):
                done = scoville("bench", "--base-url", server.url, *load(), "--store", store)
                self.assertEqual(done.returncode, 1)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                self.assertIn(store, done.stderr)
                self.assertIn("--no-store", done.stderr)
            self.assertEqual(server.metric("vllm:request_success_total"), 0)

    def test_a_file_that_is_not_a_store_stays_as_it_is(self):
        other = Path(self.folder.name, "notes.txt")
        other.write_text("not a database " * 1000)
        before = other.read_bytes()
        with Server(SCRIPT) as server:
            done = scoville("bench", "--base-url", server.url, *load(), "--store", str(other), "--lang", "zh")
        self.assertEqual(done.returncode, 2)
        self.assertIn("不是 Scoville 的数据文件", done.stderr)
        self.assertEqual(other.read_bytes(), before)

    def test_a_file_that_another_process_holds_locked_is_said(self):
        with Server(SCRIPT) as server:
            self.bench(server.url)
            holder = sqlite3.connect(self.store, isolation_level=None)
            holder.execute("BEGIN EXCLUSIVE")
            done = self.bench(server.url)
            holder.close()
        self.assertEqual(done.returncode, 1)
        self.assertIn("locked", done.stderr)

    def test_a_full_disk_loses_nothing_of_the_report_and_leaves_a_store_that_opens(self):
        with Server(SCRIPT) as server:
            self.bench(server.url)  # a good run first: it must survive
            size = sum(file.stat().st_size for file in Path(self.store).parent.iterdir())
            limit = size + 60_000
            done = self.bench(server.url, "--json", size=load(2000, 60),
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
            self.assertEqual(done.returncode, 1)
            self.assertIn("full", done.stderr)
            report = json.loads(done.stdout)
            self.assertEqual(report["requests"]["attempted"], 2000)
            self.assertEqual(report["requests"]["succeeded"], 2000)
            self.assertEqual(report["instrument"]["drops"], 0)
        self.assertEqual(rows(self.store, "PRAGMA integrity_check"), [("ok",)])
        (first, _), (second, stored) = rows(self.store, "SELECT status, requests FROM run ORDER BY number")
        self.assertEqual(first, "finished")
        self.assertNotEqual(second, "finished")
        self.assertLess(stored, 2000)

    def test_two_that_measure_at_once_share_a_file(self):
        with Server(SCRIPT) as server:
            both = [start("bench", "--base-url", server.url, *load(300), "--store", self.store)
                    for _ in range(2)]
            for each in both:
                done = finish(each)
                self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(rows(self.store, "SELECT status, requests >= 300 FROM run"), [("finished", 1)] * 2)


if __name__ == "__main__":
    harness.main()

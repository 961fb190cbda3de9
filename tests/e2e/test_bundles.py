#!/usr/bin/env python3
"""Runs taken elsewhere in one file: runs export, verify, import.    test_bundles.py BINARY"""

import hashlib
import io
import json
import os
import re
import resource
import signal
import sqlite3
import struct
import tarfile
import tempfile
import time
import unittest
from pathlib import Path

import harness
from harness import EndToEnd, Server, finish, scoville, start

SCRIPT = "ttft=5ms,itl=1ms,tokens=8"
LOAD = ("--num-prompts", "20", "--max-concurrency", "4", "--random-input-len", "16", "--random-output-len", "8",
        "--num-warmups", "2")
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def zstd(content: bytes, repeats: int = 0) -> bytes:
    """A zstd frame without compression; after it, in the same frame, `repeats` blocks of 128 KiB of zeros, 4 bytes each."""
    pieces = [content[at:at + 100_000] for at in range(0, len(content), 100_000)] or [b""]
    frame = b"\x28\xb5\x2f\xfd" + b"\x00" + b"\x38"  # no checksum, no size, a window of 128 KiB
    for i, piece in enumerate(pieces):
        is_last = i + 1 == len(pieces) and not repeats
        frame += struct.pack("<I", len(piece) << 3 | is_last)[:3] + piece
    if not repeats:
        return frame
    zeros = (128 << 10) << 3 | 1 << 1
    return frame + (struct.pack("<I", zeros)[:3] + b"\0") * (repeats - 1) + struct.pack("<I", zeros | 1)[:3] + b"\0"


def archive(*entries) -> bytes:
    """Of (name, content), or of a TarInfo alone."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for entry in entries:
            if isinstance(entry, tarfile.TarInfo):
                tar.addfile(entry, io.BytesIO(b"x" * entry.size))
                continue
            info = tarfile.TarInfo(entry[0])
            info.size = len(entry[1])
            tar.addfile(info, io.BytesIO(entry[1]))
    return out.getvalue()


def bundle(*parts, schema: str = "scoville.bundle/1") -> list:
    """Entries of a bundle with one run that never was, and these parts: its manifest fits them."""
    listed = [{"path": name, "bytes": len(text), "sha256": hashlib.sha256(text).hexdigest()} for name, text in parts]
    run = {"id": "r1", "kind": "bench", "set": "", "tag": "", "status": "finished", "started_ns": 1, "ended_ns": 2,
           "heartbeat_ns": 2, "requests": 0, "events": 0,
           "holds": {"blocks": 0, "requests": 0, "events": 0, "tails": 0, "answers": 0}}
    manifest = {"schema": schema, "scoville": {"version": "1", "revision": "2"}, "sets": [], "runs": [run], "parts": listed}
    return [("manifest.json", json.dumps(manifest).encode()), *parts]


DOCUMENT = ("runs/r1/documents/manifest.json", b"{}")


class Bundles(EndToEnd):
    """Each test has stores of its own; `self.store` is where runs are measured."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="scoville-bundles-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.store = ("--store", str(self.folder / "a.db"))
        self.there = ("--store", str(self.folder / "b.db"))
        self.file = str(self.folder / "x.scov")

    def bench(self, server: Server, *args: str, size: tuple = LOAD[:4]) -> dict:
        return self.report("bench", "--base-url", server.url, *size, *LOAD[4:], *self.store, *args)

    def export(self, *names: str, file: str = "") -> dict:
        return self.report("runs", "export", *names, "-o", file or self.file, *self.store)

    def show(self, name: str, *store: str) -> dict:
        return self.report("runs", "show", name, *store)

    def put(self, content: bytes) -> str:
        Path(self.file).write_bytes(content)
        return self.file

    def stored(self, sql: str, name: str = "b.db") -> list:
        with sqlite3.connect(f"file:{self.folder / name}?mode=ro", uri=True) as database:
            return database.execute(sql).fetchall()


class RoundTrip(Bundles):
    def test_a_set_reads_elsewhere_exactly_as_where_it_was_measured(self):
        with Server(SCRIPT) as server:
            measured = self.bench(server, "--repeats", "2", "--tag", "before")
            one = self.bench(server, "--save-detailed", "--output-json", str(self.folder / "r.json"))
        ids = measured["set"]["runs"] + [one["run"]]
        told = self.export("before", one["run"])
        self.assertEqual((told["runs"], told["file"], told["requests"]), (ids, self.file, 3 * 22))
        self.assertEqual(told["sha256"], hashlib.sha256(Path(self.file).read_bytes()).hexdigest())

        seen = self.report("runs", "verify", self.file)
        self.assertEqual((seen["intact"], seen["sha256"], seen["bytes"]), (True, told["sha256"], told["bytes"]))
        self.assertEqual([run["id"] for run in seen["runs"]], ids)
        self.assertEqual([run["answers"] for run in seen["runs"]][:2], [0, 0])
        self.assertGreaterEqual(seen["runs"][2]["answers"], 20)
        self.assertEqual({run["requests"] for run in seen["runs"]}, {22})

        taken = self.report("runs", "import", self.file, *self.there)
        self.assertEqual(taken, {"file": self.file, "imported": ids, "present": []})
        for name in (*ids, "before", measured["set"]["id"]):
            self.assertEqual(self.show(name, *self.there), self.show(name, *self.store))
        self.assertEqual(self.report("runs", "list", *self.there), self.report("runs", "list", *self.store))
        shown = scoville("runs", "show", one["run"], *self.there)
        self.assertIn("imported from bundle x.scov", shown.stderr)
        self.assertEqual(shown.stdout, scoville("runs", "show", one["run"], *self.store).stdout)
        answers = "SELECT request, attempt, is_warmup, body FROM answer ORDER BY 3, 1"
        self.assertEqual(self.stored(answers, "a.db"), self.stored(answers, "b.db"))

        again = self.report("runs", "import", self.file, *self.there)
        self.assertEqual(again, {"file": self.file, "imported": [], "present": ids})
        back = self.report("runs", "export", *ids, "-o", self.file + "2", *self.there)
        self.assertEqual(back["sha256"], told["sha256"])

    def test_what_is_said_in_both_languages(self):
        with Server(SCRIPT) as server:
            run = self.bench(server)["run"]
        for lang in ("en", "zh"):
            file, there = f"{self.file}.{lang}", str(self.folder / f"{lang}.db")
            for args in (("export", run, "-o", file, *self.store), ("verify", file), ("import", file, "--store", there),
                         ("import", file, "--store", there)):
                done = scoville("runs", *args, "--lang", lang)
                self.assertEqual((done.returncode, done.stderr), (0, ""), args)
                self.assertIn(file, done.stdout if args[0] != "import" or "imported" in done.stdout else file)
                (self.assertRegex if lang == "zh" else self.assertNotRegex)(done.stdout, CHINESE)

    def test_a_killed_run_is_refused_while_it_runs_and_travels_once_it_is_dead(self):
        with Server(SCRIPT) as server:
            running = start("bench", "--base-url", server.url, *LOAD[2:], "--duration", "10m", *self.store)
            self.addCleanup(running.kill)
            give_up = time.monotonic() + harness.LIMIT_S
            runs = []
            while not runs or runs[0]["requests"] < 100:
                self.assertLess(time.monotonic(), give_up)
                runs = json.loads(scoville("runs", "list", *self.store, "--json").stdout)["runs"]
            run = runs[0]["id"]
            self.fails(1, "runs", "export", run, "-o", self.file, *self.store, says=f"{run} is still running")
            self.assertFalse(Path(self.file).exists())
            running.kill()
            finish(running)
        self.export(run)
        self.report("runs", "import", self.file, *self.there)
        self.assertEqual(self.report("runs", "list", *self.there)["runs"][0]["status"], "interrupted")
        seen = self.show(run, *self.there)
        self.assertEqual(seen, self.show(run, *self.store))
        self.assertIn("interrupted", self.codes(seen))

    def test_two_that_import_at_once_both_end_well(self):
        with Server(SCRIPT) as server:
            ids = self.bench(server, "--repeats", "2")["set"]["runs"]
        self.export(*ids)
        both = [finish(each) for each in [start("runs", "import", self.file, *self.there, "--json") for _ in range(4)]]
        self.assertEqual([each.returncode for each in both], [0] * 4, [each.stderr for each in both])
        told = [self.one_object(each.stdout) for each in both]
        self.assertEqual(sorted(len(each["imported"]) for each in told), [0, 0, 0, 2])
        self.assertEqual(self.stored("SELECT count(*) FROM run"), [(2,)])


class Writing(Bundles):
    def test_a_file_that_is_there_is_kept_without_force_and_a_missing_output_is_a_usage_error(self):
        with Server(SCRIPT) as server:
            run = self.bench(server)["run"]
        self.fails(2, "runs", "export", run, *self.store, says="-o FILE")
        self.put(b"mine")
        self.fails(1, "runs", "export", run, "-o", self.file, *self.store, says="--force")
        self.assertEqual(Path(self.file).read_bytes(), b"mine")
        self.report("runs", "export", run, "-o", self.file, "--force", *self.store)
        self.assertTrue(self.report("runs", "verify", self.file)["intact"])
        self.fails(1, "runs", "export", run, "-o", str(self.folder), "--force", *self.store, says=str(self.folder))
        self.fails(1, "runs", "export", run, "-o", "/nonexistent/x.scov", *self.store, says="/nonexistent/x.scov")
        self.fails(1, "runs", "export", "nothing", "-o", self.file + "2", *self.store, says="nothing")
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(["a.db", "x.scov"] + [
            name for name in os.listdir(self.folder) if name.startswith("a.db-")]))

    def test_a_full_disk_leaves_nothing_behind(self):
        with Server(SCRIPT) as server:
            run = self.bench(server, "--save-detailed", "--output-json", str(self.folder / "r.json"),
                             size=("--num-prompts", "2000", "--max-concurrency", "64"))["run"]
        out = self.folder / "out"
        out.mkdir()
        self.fails(1, "runs", "export", run, "-o", str(out / "x.scov"), *self.store, says=str(out / "x.scov"),
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000)))
        self.assertEqual(os.listdir(out), [])


class Refused(Bundles):
    def refused(self, content: bytes, says: str, *more: str):
        """By verify and by import, in one line; no store is made."""
        file = self.put(content)
        self.fails(1, "runs", "verify", file, *more, says=says)
        done = self.fails(1, "runs", "import", file, *self.there, *more, says=says)
        self.assertIn(file, done.stderr)
        self.assertFalse((self.folder / "b.db").exists())

    def test_a_bundle_made_by_hand_is_one_so_that_each_below_is_refused_for_its_own_fault(self):
        self.put(zstd(archive(*bundle(DOCUMENT))))
        self.assertEqual(self.report("runs", "import", self.file, *self.there)["imported"], ["r1"])

    def test_what_is_no_bundle(self):
        for content in (b"", b"x", b"x" * 100_000, zstd(b""), zstd(b"x" * 1000), zstd(archive(("readme", b"x"))),
                        archive(*bundle(DOCUMENT))):
            self.refused(content, "not a bundle")
        self.fails(1, "runs", "verify", str(self.folder), says="no regular file")
        self.fails(1, "runs", "verify", "/nonexistent", says="/nonexistent")
        os.mkfifo(self.folder / "pipe")
        self.fails(1, "runs", "verify", str(self.folder / "pipe"), says="no regular file")

    def test_a_real_one_that_was_changed_or_cut_off(self):
        with Server(SCRIPT) as server:
            run = self.bench(server)["run"]
        self.export(run)
        good = Path(self.file).read_bytes()
        for size in (4, 100, len(good) // 2, len(good) - 4, len(good) - 1):
            self.refused(good[:size], "cut off")
        self.refused(good + b"x", "follows")
        blocks = len(good) * 9 // 10  # the records are most of it
        self.refused(good[:blocks] + bytes([good[blocks] ^ 1]) + good[blocks + 1:], f"runs/{run}/blocks.bin")

    def test_parts_that_are_added_missing_twice_renamed_or_changed(self):
        head, document = bundle(DOCUMENT)
        name = DOCUMENT[0]
        for parts, says in (([document, ("x", b"y")], "part x: no bundle"), ([], f"part {name}: it is missing"),
                            ([document, document], f"part {name}: it is there twice"),
                            ([("runs/r1/plan.json", b"{}")], "part runs/r1/plan.json: no bundle"),
                            ([(name, b"[]")], f"part {name}: its SHA-256"), ([(name, b"")], f"part {name}: it is not of")):
            self.refused(zstd(archive(head, *parts)), says)

    def test_paths_links_and_devices(self):
        for name in ("../x", "/tmp/x", "runs/../../x", "runs/r1/../x", "runs/r1/documents/../../../x.json"):
            self.refused(zstd(archive(*bundle(DOCUMENT), (name, b"x"))), "no bundle has such a part")
            self.refused(zstd(archive(*bundle(DOCUMENT, (name, b"x")))), "no bundle has such a part")
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE):
            link = tarfile.TarInfo(DOCUMENT[0])
            link.type, link.linkname = kind, "/etc/passwd"
            self.refused(zstd(archive(bundle(DOCUMENT)[0], link)), f"part {DOCUMENT[0]}: it is no plain file")

    def test_a_size_that_is_only_said_and_a_schema_that_is_not_known(self):
        huge = tarfile.TarInfo(DOCUMENT[0])
        huge.size = 1 << 50
        head = archive(bundle(DOCUMENT)[0]).rstrip(b"\0")
        head += b"\0" * (-len(head) % 512)
        self.refused(zstd(head + huge.tobuf(tarfile.GNU_FORMAT)), "not of the size")
        first = tarfile.TarInfo("manifest.json")
        first.size = 1 << 50
        self.refused(zstd(first.tobuf(tarfile.GNU_FORMAT)), "manifest.json: it is larger")
        self.refused(zstd(archive(*bundle(DOCUMENT, schema="scoville.bundle/2"))), "scoville.bundle/2")
        self.refused(zstd(archive(("manifest.json", b"[" * 100_000), DOCUMENT)), "manifest.json")

    def test_a_bomb_is_stopped_at_the_limit(self):
        bomb = zstd(archive(*bundle(DOCUMENT)), repeats=400_000)  # 50 GiB in 1.6 MB
        began = time.monotonic()
        self.refused(bomb, "unpacks to more", "--max-bytes", "64MiB")
        self.assertLess(time.monotonic() - began, harness.LIMIT_S)
        many = b"x" * 200_000
        self.refused(zstd(archive(*bundle(DOCUMENT, ("runs/r1/documents/outcome.json", many)))), "--max-bytes",
                     "--max-bytes", "100kB")

    def test_an_id_that_stands_for_another_run(self):
        with Server(SCRIPT) as server:
            run = self.bench(server)["run"]
        self.export(run)
        with sqlite3.connect(self.folder / "a.db") as database:
            database.execute("UPDATE document SET body = '{}' WHERE name = 'outcome'")
        before = self.stored("SELECT * FROM document", "a.db")
        self.fails(1, "runs", "import", self.file, *self.store, says=run)
        self.assertEqual(self.stored("SELECT * FROM document", "a.db"), before)


if __name__ == "__main__":
    harness.main()

#!/usr/bin/env python3
"""`scoville fit`, and the share of the floor in the report of a run.    test_fit.py BINARY"""

import json
import re
import struct
import tempfile
import unittest
from pathlib import Path

import harness
from harness import EndToEnd, Server, scoville

ROOT = Path(__file__).resolve().parents[2]
LLAMA = str(ROOT / "examples/models/llama-3.1-8b")
MODEL = ("fit", "--model-path", LLAMA)
H100 = (*MODEL, "--device", "h100-sxm")
REAL = next((str(path) for path in ROOT.glob(".engine/venv/lib/*/site-packages/*/*.gguf")), "")
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value)) + value.encode()


def gguf(path: Path):
    """The header of SmolLM2-135M, without its weights: 9 heads, 3 of them for keys and values."""
    entries = [text("general.architecture") + struct.pack("<I", 8) + text("llama"),
               text("general.name") + struct.pack("<I", 8) + text("Smol")]
    for key, value in (("general.file_type", 7), ("llama.block_count", 30), ("llama.embedding_length", 576),
                       ("llama.attention.head_count", 9), ("llama.attention.head_count_kv", 3),
                       ("llama.feed_forward_length", 1536), ("llama.context_length", 8192), ("llama.vocab_size", 49152)):
        entries.append(text(key) + struct.pack("<II", 4, value))
    tensor = text("token_embd.weight") + struct.pack("<IQQIQ", 2, 576, 49152, 8, 0)
    path.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 1, len(entries)) + b"".join(entries) + tensor + bytes(1000))


class Fit(EndToEnd):
    def answer(self, *args: str, status: int = 0) -> dict:
        return self.report(*args, status=status)["answers"][0]

    def test_llama_on_an_h100_by_hand(self):
        whole = self.report(*H100, "--context", "8192", "--concurrency", "16")
        self.assertEqual(whole["schema"], "scoville.fit/1")
        self.assertFalse(whole["is_measured"])
        self.assertEqual(whole["model"]["parameters"], 8030261248)
        self.assertEqual(whole["model"]["weights_from"], "shape")
        one = whole["answers"][0]
        self.assertEqual((one["fits"], one["devices"], one["smallest_devices"]), ("yes", 1, 1))
        self.assertEqual(one["kv_bytes_per_token"], 2 * 32 * 8 * 128 * 2)
        self.assertEqual(one["largest_concurrency"], int((80e9 * 0.9 - 2e9 - 16060522496) / (131072 * 8192)))
        floor = (16060522496 - 128256 * 4096 * 2 + 16 * 131072 * 8192) / 3.35e12 * 1e3
        self.assertAlmostEqual(one["tpot"]["floor_ms"], floor, places=6)
        self.assertEqual(one["tpot"]["bound"], "memory")
        self.assertAlmostEqual(one["tpot"]["twice_bandwidth_ms"], floor / 2, places=6)
        self.assertEqual(one["device"]["memory_bytes"]["value"], 80e9)
        self.assertTrue(one["device"]["memory_bytes"]["source"])

    def test_exit_says_fits_does_not_or_cannot_tell(self):
        self.assertEqual(self.answer(*H100, "--context", "100000", "--concurrency", "8", "--devices", "1", status=3)["lacks"], ["too_big"])
        three = (*H100, "--context", "100", "--devices", "3")
        uneven = self.answer(*three, status=3)  # room there is; 32 heads are not spread over 3
        self.assertEqual((uneven["fits"], uneven["heads_split"], uneven["verdict"]), ("yes", "no", "no"))
        self.assertRegex(scoville(*three).stdout, r"fits in memory\W+yes\W+heads can be split\W+no\b")
        self.assertIn("可按卡切分注意力头", scoville(*three, "--lang", "zh").stdout)
        unknown = self.answer(*MODEL, "--device", "P800", "--context", "100", status=4)
        self.assertIsNone(unknown["tpot"]["floor_ms"])
        self.assertIn("memory_unknown", unknown["lacks"])
        # One that it fits is enough.
        both = scoville(*MODEL, "--device", "P800", "--device", "NVIDIA H200", "--context", "100")
        self.assertEqual(both.returncode, 0)
        self.assertIn("h200-sxm", both.stdout)

    def test_an_engine_is_believed_where_something_is_published(self):
        yes = self.answer(*H100, "--context", "100", "--engine", "vllm")
        self.assertEqual((yes["verdict"], yes["engine"]["loads"]), ("yes", "yes"))
        self.assertTrue(all(fact["source"].startswith("https://") for fact in yes["engine"]["facts"]))
        unknown = self.answer(*MODEL, "--device", "mtt-s4000", "--context", "100", "--engine", "vllm", status=4)
        self.assertEqual((unknown["fits"], unknown["verdict"]), ("yes", "unknown"))

    def test_an_unknown_device_is_one_line_with_near_names(self):
        self.assertIn("h100-sxm", self.fails(2, *MODEL, "--device", "h100", "--context", "9").stderr)
        self.fails(2, *MODEL, "--device", "cpu", "--context", "9", says="cpu")
        self.fails(2, "fit", "--device", "h100-sxm", "--context", "9", says="--model-path")
        self.fails(2, *MODEL, "--context", "9", says="--device")
        self.fails(2, *H100, says="--context")
        self.fails(2, *H100, "--context", "9", "--output-len", "9", says="--output-len")

    def test_the_catalogue_and_a_file_of_ones_own(self):
        listed = self.report("fit", "--device", "list")
        ids = [device["id"] for device in listed["devices"]]
        for each in ("h20", "l20", "ascend-910b2", "ascend-910c", "mlu590", "dcu-k100-ai", "mtt-s5000", "br104", "kunlun-p800", "metax-c500"):
            self.assertIn(each, ids)
        self.assertIn("ascend-910c", scoville("fit", "--device", "list").stdout)
        with tempfile.TemporaryDirectory() as folder:
            mine = Path(folder, "mine.yaml")
            mine.write_text("devices:\n- {id: box, vendor: me, source: me, memory_gb: 100, bandwidth_tb_s: 1, bf16: 100}\n")
            one = self.answer(*MODEL, "--devices-file", str(mine), "--device", "box", "--context", "100")
            self.assertAlmostEqual(one["tpot"]["floor_ms"], (15009849344 + 131072 * 100) / 1e9, places=6)
            mine.write_text("devices:\n- {id: box, vendor: me, memory_gb: lots}\n")
            self.fails(2, *MODEL, "--devices-file", str(mine), "--device", "box", "--context", "100", says="memory_gb")

    def test_a_gguf_file_and_its_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "smol.gguf")
            gguf(path)
            for given in (str(path), folder):
                whole = self.report("fit", "--model-path", given, "--device", "t4", "--context", "2048", "--engine", "llama.cpp", status=0)
                self.assertEqual(whole["model"]["weight_bytes"], path.stat().st_size)
                self.assertEqual(whole["model"]["quantisation"], "Q8_0")
                self.assertEqual(whole["answers"][0]["kv_bytes_per_token"], 2 * 30 * 3 * 64 * 2)

    @unittest.skipUnless(REAL, "scripts/real_engine.sh has not been run here")
    def test_the_model_of_the_real_engine(self):
        whole = self.report("fit", "--model-path", REAL, "--device", "t4", "--context", "2048", "--engine", "llama.cpp")
        self.assertEqual(whole["model"]["weight_bytes"], Path(REAL).stat().st_size)
        self.assertEqual(whole["model"]["parameters"], 134515008)
        self.assertEqual(whole["answers"][0]["engine"]["loads"], "yes")

    def test_what_describes_no_model_is_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            self.fails(2, "fit", "--model-path", folder, "--device", "t4", "--context", "9", says="config.json")
            Path(folder, "config.json").write_text("{")
            self.fails(2, "fit", "--model-path", folder, "--device", "t4", "--context", "9", says="JSON")
            Path(folder, "config.json").write_text("{}")
            self.answer("fit", "--model-path", folder, "--device", "t4", "--context", "9", status=4)

    def test_models_of_many_architectures_get_an_answer(self):
        base = json.loads(Path(LLAMA, "config.json").read_text())
        with tempfile.TemporaryDirectory() as folder:
            for architecture, more, status in (
                    ("Qwen2ForCausalLM", {}, 0), ("Qwen3ForCausalLM", {"head_dim": 128}, 0), ("GptBigCodeForCausalLM", {}, 4),
                    ("MixtralForCausalLM", {"num_local_experts": 8, "num_experts_per_tok": 2}, 0),
                    ("MistralForCausalLM", {"sliding_window": 4096, "quantization_config": {"quant_method": "awq", "bits": 4}}, 0)):
                Path(folder, "config.json").write_text(json.dumps(base | {"architectures": [architecture]} | more))
                with self.subTest(architecture):
                    done = scoville("fit", "--model-path", folder, "--device", "h200-sxm", "--context", "4096")
                    self.assertEqual(done.returncode, status, done.stderr)

    def test_chinese(self):
        done = scoville(*H100, "--context", "8192", "--lang", "zh")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, CHINESE)
        self.assertRegex(scoville("fit", "--device", "list", "--lang", "zh").stdout, CHINESE)


class ShareOfTheFloor(EndToEnd):
    RUN = ("--num-prompts", "12", "--random-input-len", "16", "--random-output-len", "8", "--no-store")

    def test_a_device_and_a_model_that_are_known_give_mbu_and_mfu(self):
        with Server("tokens=8,ttft=5ms,itl=5ms") as server, tempfile.TemporaryDirectory() as folder:
            Path(folder, "config.json").write_text(Path(LLAMA, "config.json").read_text())
            Path(folder, "model.safetensors").write_bytes(struct.pack("<Q", 2) + b"{}" + bytes(8))
            run = ("bench", "--base-url", server.url, *self.RUN, "--model-path", folder, "--device-name", "NVIDIA H100 80GB HBM3")
            share = self.report(*run, "--devices", "1")["model_based"]
            self.assertIsNone(share["reason"])
            self.assertEqual((share["device"], share["devices"]), ("h100-sxm", 1))
            self.assertGreater(share["mbu"], 0)
            self.assertIn("model-based", scoville(*run, "--devices", "1").stdout)
            unsaid = self.report(*run)["model_based"]
            self.assertIsNone(unsaid["mbu"])
            self.assertIn("how many", unsaid["reason"])

    def test_on_a_cpu_there_is_no_percentage_but_a_reason(self):
        with Server("tokens=8") as server:
            run = ("bench", "--base-url", server.url, *self.RUN)
            share = self.report(*run)["model_based"]
            self.assertIsNone(share["mbu"])
            self.assertIsNone(share["mfu"])
            self.assertTrue(share["reason"])
            self.assertNotIn("MBU", scoville(*run).stdout)


if __name__ == "__main__":
    harness.main()

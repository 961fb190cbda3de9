#!/usr/bin/env python3
"""The reference model with SmolLM2's weights against llama.cpp with the same: the greedy tokens for the same token ids.

    test_weights.py SCOVILLE_TORCH [CLASS or CLASS.test …]

llama.cpp computes with quantised activations, we with fp32 on the dequantised weights. So either all tokens are equal,
or the first that differs was open: both engines hold both tokens so near each other that the error seen at the tokens
before it, where both had read the same, decides between them.
"""

import json
import os
import subprocess
import sys
import unittest
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROMPTS = ("The capital of France is", "Once upon a time, there was a little", "def fibonacci(n):\n    ",
           "Water boils at a temperature of", "1, 2, 3, 4, 5,", "The three primary colours are")
TOKENS = 32
TOP = 20

torch, url = "", ""


def post(path: str, body: dict) -> dict:
    request = urllib.request.Request(url + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.load(answer)


def llama(ids: list) -> list:
    """[(token, {token: log-probability})] of llama.cpp."""
    done = post("/completion", {"prompt": ids, "n_predict": TOKENS, "temperature": 0, "n_probs": TOP, "cache_prompt": False,
                                "return_tokens": True, "ignore_eos": True, "samplers": ["temperature"]})
    return [(each["id"], {one["id"]: one["logprob"] for one in each["top_logprobs"]})
            for each in done["completion_probabilities"]]


def ours(folder: Path, prompts: list) -> list:
    """The same of the reference model, for all prompts: they are decoded together."""
    lines = [{"id": i, "ids": ids, "max_tokens": TOKENS, "ignore_eos": True, "top": TOP} for i, ids in enumerate(prompts)]
    done = subprocess.run([torch, "engine", "--model", str(folder), "--context", "256"], timeout=300, check=True, text=True,
                          input="".join(json.dumps(line) + "\n" for line in lines), capture_output=True)
    made = [[] for _ in prompts]
    for line in map(json.loads, done.stdout.splitlines()):
        if "token" in line:
            made[line["id"]].append((line["token"], dict(map(tuple, line["top"]))))
    return made


def compared(mine: list, theirs: list) -> dict:
    """Up to the first difference: tokens alike, the largest difference of log-probabilities that both tell of a likely
    token (within 3 nat of the likeliest), and at the difference how far each holds its own token above the other's."""
    seen = {"alike": 0, "error": 0.0, "gaps": None}
    for (a, a_logs), (b, b_logs) in zip(mine, theirs):
        if a != b:
            missing = [side for side, logs in (("ours", a_logs), ("theirs", b_logs)) if a not in logs or b not in logs]
            seen["gaps"] = missing or [a_logs[a] - a_logs[b], b_logs[b] - b_logs[a]]
            break
        near = [t for t in a_logs if t in b_logs and max(a_logs[t], b_logs[t]) > max(a_logs.values()) - 3]
        seen["error"] = max([seen["error"], *(abs(a_logs[t] - b_logs[t]) for t in near)])
        seen["alike"] += 1
    return seen


class Weights(unittest.TestCase):
    def test_greedy_tokens_are_those_of_llama_cpp_or_the_first_difference_was_open(self):
        prompts = [post("/tokenize", {"content": prompt, "add_special": True})["tokens"] for prompt in PROMPTS]
        found = [compared(mine, llama(ids)) for ids, mine in zip(prompts, ours(self.folder(), prompts))]
        error = max(each["error"] for each in found)
        for prompt, each in zip(PROMPTS, found):
            print(f"  {prompt!r}: {each['alike']} of {TOKENS} alike, log-probabilities within {each['error']:.3f}, "
                  f"first difference {each['gaps']}")
            with self.subTest(prompt):
                if each["alike"] == TOKENS:
                    continue
                # Each of two tokens may be off by the error: a gap of up to twice that is open.
                self.assertTrue(all(isinstance(gap, float) and 0 <= gap <= 2 * error for gap in each["gaps"]), each)
        # The rule above would let pass a model that is all error: wrong weights are off by several nat.
        self.assertLess(error, 0.6)
        self.assertGreaterEqual(sum(each["alike"] for each in found), 2 * TOKENS)

    def test_text_is_cut_into_the_same_tokens(self):
        texts = (*PROMPTS, "It's 2024: they'll pay $1,234.50!  Two blanks\n\n\tand a tab; don't.", "naïve café")
        lines = "".join(json.dumps({"id": i, "tokenize": True, "prompt": text}) + "\n" for i, text in enumerate(texts))
        done = subprocess.run([torch, "engine", "--model", str(self.folder())], input=lines, capture_output=True, text=True,
                              timeout=300, check=True)
        mine = [line["ids"] for line in map(json.loads, done.stdout.splitlines()) if "ids" in line]
        self.assertEqual(mine, [post("/tokenize", {"content": text, "add_special": True})["tokens"] for text in texts])

    def folder(self) -> Path:
        folder = ROOT / ".engine" / "smollm2"
        done = subprocess.run([str(ROOT / "scripts" / "smollm2_weights.sh"), str(folder)], capture_output=True, text=True,
                              timeout=900)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        return folder


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    torch = sys.argv[1]
    url = os.environ.get("SCOVILLE_ENGINE_URL") or ""
    if not url:
        left = ROOT / ".engine" / "url"
        if not left.exists():
            sys.exit("no engine runs: scripts/real_engine.sh start")
        url = left.read_text().strip()
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)

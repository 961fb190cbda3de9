"""`scoville probe correctness --save` and `--against`: an unchanged device passes, planted faults are found.

    test_device_correctness.py BINARY

The device of most tests is the mock backend (probes/torch/mock): an accelerator of host memory with faults on request.
"""

import json
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import harness
from harness import EndToEnd, scoville

CALLS = 12  # of a layer's operator: five inputs, one of them again, a batch, five inputs of the baseline
OF_LAYER_2 = f"{2 * CALLS + 1}-{3 * CALLS}"
PLANTING = '''import json, subprocess, sys
probe = subprocess.Popen([{torch!r}], stdin=subprocess.PIPE, text=True)
for line in sys.stdin:
    request = json.loads(line)
    request["params"]["plant"] = {plant}
    print(json.dumps(request), file=probe.stdin, flush=True)
probe.stdin.close()
probe.wait()
'''


def torch() -> Path:
    return Path(harness.binary).with_name("scoville-torch")


class OnTorch(EndToEnd):
    folder: str

    @classmethod
    def setUpClass(cls):
        if not torch().exists():
            raise unittest.SkipTest("scoville-torch is not built")
        cls.folder = tempfile.mkdtemp(prefix="scoville-e2e-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        done = scoville("probe", "correctness", "--save", f"{cls.folder}/base", "--variants", "int8,fp8")
        assert done.returncode == 0, done.stderr

    def against(self, *args: str, status: int = 0, **more) -> dict:
        return self.report("probe", "correctness", "--against", f"{self.folder}/base", *args, status=status, **more)

    def on_mock(self, faults: str = "", *args: str, status: int = 0) -> dict:
        mock = torch().with_name("libscoville_mock.so")
        return self.against("--load", str(mock), "--device", "privateuseone", *args, status=status,
                            env=harness.environment(SCOVILLE_MOCK=faults))

    def planted(self, kind: str) -> dict:
        """A fault in layer 2, made by the probe itself."""
        script = Path(self.folder, f"plant_{kind}.py")
        script.write_text(PLANTING.format(torch=str(torch()), plant={"layer": 2, "kind": kind}))
        return self.against("--probe", f"{sys.executable} {script}", status=3)


class Baseline(OnTorch):
    def test_a_baseline_holds_layers_logits_and_greedy_tokens_with_their_hashes(self):
        manifest = json.loads(Path(self.folder, "base/manifest.json").read_text())
        self.assertEqual([part["name"] for part in manifest["parts"]],
                         ["embed", "layer.0", "layer.1", "layer.2", "layer.3", "logits"])
        for name in ("seed1/layer.0", "seed3/logits", "text2/greedy", "int8/seed1/logits"):
            self.assertRegex(manifest["tensors"][name], "^[0-9a-f]{64}$")
        self.assertEqual({each["name"] for each in manifest["variants"]}, {"int8", "fp8"})

    def test_the_cpu_against_itself_finds_nothing(self):
        seen = self.against()
        self.assertEqual(seen["verdict"]["outcome"], "ok")
        self.assertIsNone(seen["first_over"])
        self.assertEqual(seen["logits"]["top1"], 1)
        self.assertTrue(all(each["matched"] == each["of"] for each in seen["greedy"]))

    def test_bf16_is_judged_as_bf16_and_looks_like_it(self):
        seen = self.against("--dtype", "bf16", "--variants", "int8")
        self.assertEqual(seen["tolerance"]["precision"], "bf16")
        for part in seen["parts"]:
            self.assertEqual(part["looks_like"], "bf16", part)
        self.assertGreater(seen["variants"][0]["against_plain"]["mean_kl"], 0)
        self.assertEqual(self.against("--dtype", "bf16", "--tolerance", "fp32", status=3)["first_over"], "embed")

    def test_one_layer_at_a_time_gives_the_same_bits(self):
        seen = self.against("--layers", "one-at-a-time")
        self.assertTrue(all(part["isolated"]["not_equal"] == 0 for part in seen["parts"]))

    def test_another_model_cannot_be_told(self):
        seen = self.against("--model", "small", status=4)
        self.assertEqual(seen["verdict"]["cause"], "other_weights")

    def test_a_tensor_that_was_changed_is_seen_before_the_device_works(self):
        changed = Path(self.folder, "changed")
        shutil.copytree(Path(self.folder, "base"), changed)
        file = changed / "tensors.safetensors"
        content = bytearray(file.read_bytes())
        content[-1] ^= 1
        file.write_bytes(content)
        self.fails(2, "probe", "correctness", "--against", str(changed), says="SHA-256")

    def test_what_cannot_be_is_one_line(self):
        self.fails(2, "probe", "correctness", "--save", f"{self.folder}/base", says="--save")
        self.fails(2, "probe", "correctness", "--against", f"{self.folder}/none", says="manifest.json")
        self.fails(2, "probe", "correctness", "--save", f"{self.folder}/x", "--model", "huge", says="huge")
        self.fails(2, "probe", "correctness", "--save", f"{self.folder}/x", "--variants", "int3", says="int3")
        self.fails(2, "probe", "correctness", "--save", f"{self.folder}/x", "--torchscript", "a.pt", says="--inputs")
        self.fails(2, "probe", "correctness", "--save", f"{self.folder}/x", "--base-url", "http://127.0.0.1:1", says="--base-url")
        self.fails(1, "probe", "correctness", "--save", f"{self.folder}/x", "--device", "cuda", says="cuda")


class Mock(OnTorch):
    def test_nothing_is_found_in_an_unchanged_device(self):
        seen = self.on_mock()
        self.assertEqual(seen["verdict"]["outcome"], "ok")
        self.assertEqual(seen["test"]["host_runs"], [])
        self.assertEqual(seen["doubts"], [])

    def test_a_planted_bf16_kernel_is_found_in_its_layer(self):
        seen = self.on_mock(f"bf16=aten::silu@{OF_LAYER_2}", status=3)
        self.assertEqual(seen["verdict"]["part"], "layer.2")
        self.assertEqual([part["part"] for part in seen["parts"] if part["over"]], ["layer.2"])
        self.assertEqual(seen["parts"][3]["looks_like"], "bf16")

    def test_a_planted_wrong_kernel_is_found_and_is_no_rounding(self):
        seen = self.on_mock(f"wrong=aten::silu@{OF_LAYER_2}", status=3)
        self.assertEqual(seen["verdict"]["part"], "layer.2")
        self.assertEqual(seen["parts"][3]["looks_like"], "systematic")

    def test_a_planted_fallback_is_found_though_the_numbers_are_right(self):
        faults = f"fallback=aten::silu@{OF_LAYER_2}"
        seen = self.on_mock(faults, status=3)
        self.assertEqual((seen["verdict"]["cause"], seen["verdict"]["part"]), ("host_runs", "layer.2"))
        self.assertEqual(seen["test"]["host_runs"], [{"part": "layer.2", "op": "aten::silu", "times": CALLS}])
        self.assertTrue(all(part["isolated"]["not_equal"] == 0 for part in seen["parts"]))
        self.assertEqual(self.on_mock(faults, "--allow-fallback")["verdict"]["outcome"], "ok")

    def test_a_device_that_lacks_an_operator_leaves_it_open(self):
        mock = torch().with_name("libscoville_mock.so")
        self.fails(4, "probe", "correctness", "--load", str(mock), "--device", "privateuseone", "--against", f"{self.folder}/base",
                   says="aten::silu", env=harness.environment(SCOVILLE_MOCK="missing=aten::silu"))


class Planted(OnTorch):
    def test_a_layer_in_bf16_is_told_by_its_values(self):
        seen = self.planted("bf16")
        self.assertEqual(seen["verdict"]["part"], "layer.2")
        self.assertEqual((seen["parts"][3]["looks_like"], seen["parts"][3]["rounded_to"]), ("bf16", "bf16"))
        self.assertIn("bf16 in layer.2", seen["test"]["planted"])

    def test_a_layer_that_adds_a_tenth_too_much_and_one_wrong_element(self):
        self.assertEqual(self.planted("wrong")["parts"][3]["looks_like"], "systematic")
        self.assertEqual(self.planted("element")["parts"][3]["looks_like"], "few_elements")


class Evidence(EndToEnd):
    def test_msprobe_and_lm_eval_in_one_report(self):
        with tempfile.TemporaryDirectory() as folder:
            compared = Path(folder, "compare_result_1.csv")
            compared.write_text("NPU Name,Bench Name,Cosine,EucDist,Bench l2norm,Result\n"
                                "Module.a.forward.0.output.0,Module.a.forward.0.output.0,0.5,8,10,Error\n")
            scores = Path(folder, "results_1.json")
            scores.write_text('{"results": {"piqa": {"acc,none": 0.7}}, "versions": {"piqa": 1}}')
            args = ("probe", "correctness", "--evidence", str(compared), "--evidence", str(scores))
            seen = self.report(*args, status=3)
            self.assertEqual(seen["layers"][0]["first_over"], "Module.a.forward.0.output.0")
            self.assertEqual(seen["tasks"][0]["scores"][0]["value"], 0.7)
            for lang, words in (("en", "compare_result_1.csv"), ("zh", "首个超差输出")):
                self.assertIn(words, scoville(*args, "--lang", lang).stdout)
            self.fails(2, "probe", "correctness", "--evidence", __file__, says="test_device_correctness.py")


if __name__ == "__main__":
    harness.main()

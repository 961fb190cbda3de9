#!/usr/bin/env python3
"""`scoville evaluate` in worlds whose right answer is known by construction.    test_evaluate.py BINARY

Every world is two scripted systems (or three). What is measured is measured once: a base, and candidates that differ from
it in one known way. The worlds are then plans over these runs, and a few that measure everything themselves.
"""

import json
import re
import shutil
import signal
import tempfile
import time
import unittest
from pathlib import Path

import harness
from harness import EndToEnd, Server, scoville, start

CHINESE = r"[\u4e00-\u9fff]"
# A request takes 300 + 7·20 = 440 ms at the base: long enough that a busy machine is no bottleneck. 140 requests are what
# a P95 takes; six runs what a test at 5 % takes.
LOAD = ("--num-prompts", "140", "--max-concurrency", "70", "--random-input-len", "32", "--random-output-len", "8",
        "--ignore-eos", "--num-warmups", "4")
LIMITS = ("--goodput", "ttft:800ms", "tpot:60ms")
SYSTEMS = {
    "base": "ttft=300ms,itl=20ms",
    "fast": "ttft=150ms,itl=10ms",  # 220 ms: twice as fast
    "same": "ttft=300ms,itl=20ms",
    "slow": "ttft=600ms,itl=40ms",  # 880 ms: half as fast, within the limits
    "late": "ttft=1000ms,itl=10ms",  # misses the limit of 800 ms on TTFT
    "choosy": "ttft=150ms,itl=10ms,slots=12,queue=4",  # fast, but it refuses whatever comes beyond sixteen at a time
    "short": "ttft=150ms,itl=10ms",  # asked for half as many tokens: another workload
}
WORKLOAD = {"name": "chat", "model": "own", "scenario": "chat", "pilot": True, "requests": 140, "concurrency": 70,
            "input": 32, "output": 8, "ignore_eos": True, "slo": ["ttft:p95:800ms", "tpot:p95:60ms"],
            "flags": ["--num-warmups", "4"]}


def owned(name: str, price: int, **more) -> dict:
    """An owned option with every input stated, so that nothing but price, speed and porting differs."""
    return {"name": name, "kind": "owned", "accelerators": 8, "acc_per_node": 8, "devices": 1, "price_acc": price,
            "price_node_rest": 80000, "price_net_per_acc": 5000, "spare_frac": 0, "install_frac": 0, "residual_frac": 0,
            "kw_prov": 1.3, "kw_idle": 0.35, "kw_busy": 1.05, "support_frac": 0.03, "afr": 0.09, "rma_cost_frac": 0.1,
            "mttr_h": 24, "planned_down": 0, "fte_ops": 0.5, "fte_cost": 200000, "util": 0.6} | more


def study(*options: dict, **more) -> dict:
    return {"currency": "CNY", "horizon_years": 4, "wacc": 0.1, "attribution": "full",
            "tax": {"included": False, "vat": 0.13, "recoverable": True},
            "site": {"pue": 1.3, "price_kwh": 0.6, "colo_kw_month": 1000, "colo_includes_power": False},
            "options": list(options)} | more


class Worlds(EndToEnd):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="scoville-e2e-worlds-"))
        cls.store = ("--store", str(cls.folder / "runs.db"))
        measurer = EndToEnd()
        for name, script in SYSTEMS.items():
            with Server(script) as server:
                load = LOAD if name != "short" else tuple("4" if word == "8" else word for word in LOAD)
                flags = ("--base-url", server.url, *load, *LIMITS, "--devices", "1", "--repeats", "6")
                measurer.sound_set(cls.store, *flags, "--tag", name)
        tasks = [{"question": f"Say a word ({i})", "expected": "[a-z]{4}", "matcher": "regex"} for i in range(40)]
        cls.tasks = cls.folder / "tasks.jsonl"
        cls.tasks.write_text("".join(json.dumps(each) + "\n" for each in tasks))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def plan(self, name: str, candidate: str, required=("serving_throughput", "latency_tail"), targets=None, **more):
        """The plan of a world over stored runs."""
        system = {"name": candidate, "runs": {"chat": candidate}, "devices": 1}
        if "knock_outs" in more:
            system["knock_outs"] = more.pop("knock_outs")
        plan = {"evaluation": name,
                "systems": [{"name": "base", "runs": {"chat": "base"}, "devices": 1}, system],
                "models": [{"name": "own", "kind": "own"}, {"name": "public", "kind": "public"}],
                "workloads": [WORKLOAD],
                "matrix": {"required": list(required), "targets": {"goodput_ratio": 0.9} | (targets or {})}} | more
        return self.write(name, plan)

    def write(self, name: str, plan: dict) -> str:
        path = self.folder / f"{name}.yaml"
        path.write_text(json.dumps(plan))  # JSON is YAML
        return str(path)

    def decide(self, plan: str, decision: str, *flags: str) -> dict:
        """The decision, its exit status, and the files that it leaves."""
        status = {"adopt": 0, "pilot": 0, "hold": 4, "reject": 3}[decision]
        out = self.folder / (Path(plan).stem + "-out")
        seen = self.report("evaluate", plan, "--out", str(out), *self.store, "--disable-tqdm", *flags, status=status)
        told = json.dumps(seen["candidates"][0]["matrix"]["blocking"]) + json.dumps(seen["candidates"][0]["would_change"])
        self.assertEqual(seen["decision"], decision, told)
        for name in ("decision.json", "page.en.md", "page.zh.md", "page.en.html", "page.zh.html"):
            self.assertTrue((out / name).exists(), name)
        return seen

    def blocking(self, seen: dict) -> list:
        return seen["candidates"][0]["matrix"]["blocking"]

    # Faster, slower, equal.

    def test_faster_within_limits_and_pilot_met_is_adopted(self):
        seen = self.decide(self.plan("faster", "fast"), "adopt")
        ratio = seen["serving"][0]["figures"]["goodput_per_s"]["ratio"]
        self.assertAlmostEqual(ratio["value"], 2, delta=0.1)  # 440 ms against 220 ms

    def test_slower_is_rejected(self):
        seen = self.decide(self.plan("slower", "slow"), "reject")
        self.assertEqual(self.blocking(seen), ["serving_throughput"])

    def test_equal_is_enough_where_nine_tenths_are_asked(self):
        self.decide(self.plan("equal", "same"), "adopt")

    def test_equal_is_not_enough_where_more_is_asked(self):
        self.decide(self.plan("equal-more", "same", targets={"goodput_ratio": 1.3}), "reject")

    def test_equal_systems_and_a_target_of_exactly_one_cannot_be_told(self):
        """The interval of a ratio of 1 holds 1: no number of runs puts it on one side."""
        seen = self.decide(self.plan("exactly", "same", targets={"goodput_ratio": 1}), "hold")
        self.assertEqual(self.blocking(seen), ["serving_throughput"])

    def test_fast_but_too_late_misses_its_pilot(self):
        seen = self.decide(self.plan("late", "late", required=("latency_tail",)), "reject")
        self.assertIn("latency_tail", self.blocking(seen))
        self.assertIn("chat", self.blocking(seen))

    def test_fast_for_those_that_it_answers(self):
        """What it refuses misses every limit: whatever the others' latencies, fewer than 90 % of its requests met both."""
        plan = self.plan("choosy", "choosy", required=("latency_tail",))
        seen = json.loads(scoville("evaluate", plan, "--out", str(self.folder / "choosy-first"), *self.store, "--json").stdout)
        refused = seen["serving"][0]["gate"]["refused"]
        if {"runs.instrument", "runs.client_bound"} & set(refused):
            self.skipTest(f"this machine was too busy to measure: {refused}")
        seen = self.decide(plan, "reject")
        self.assertIn("chat", self.blocking(seen))
        self.assertIn("runs.failures", seen["serving"][0]["gate"]["refused"])

    # Thin evidence.

    def test_a_pilot_scenario_that_is_missing_is_no_adoption(self):
        plan = json.loads(Path(self.plan("no-pilot", "fast")).read_text())
        plan["workloads"] = [WORKLOAD | {"pilot": False}]
        self.decide(self.write("no-pilot", plan), "pilot")

    def test_what_is_required_and_was_not_measured_holds(self):
        seen = self.decide(self.plan("unmeasured", "fast", required=("serving_throughput", "correctness")), "hold")
        self.assertEqual(self.blocking(seen), ["correctness"])
        self.assertFalse({each["code"]: each["holds"] for each in seen["candidates"][0]["self_check"]}["correctness"])

    def test_another_workload_is_not_compared(self):
        seen = self.decide(self.plan("other-load", "short"), "hold")
        self.assertEqual(seen["serving"][0]["gate"]["result"], "REFUSE")
        self.assertIn("serving_throughput", self.blocking(seen))
        for language in ("en", "zh"):  # each page in its own language, whatever is spoken
            scoville("evaluate", str(self.folder / "other-load.yaml"), "--out", str(self.folder / "other-load-out"), *self.store, "--lang", language)
            self.assertNotRegex((self.folder / "other-load-out/page.en.md").read_text(), CHINESE)
            self.assertNotIn("the gate refused", (self.folder / "other-load-out/page.zh.md").read_text())

    def test_two_runs_are_no_evidence(self):
        with Server(SYSTEMS["base"]) as base, Server(SYSTEMS["fast"]) as fast:
            plan = {"evaluation": "thin", "pairs": 2, "stages": ["serving"],
                    "systems": [{"name": "base", "endpoint": base.url}, {"name": "fast", "endpoint": fast.url}],
                    "workloads": [WORKLOAD | {"model": ""}],
                    "matrix": {"required": ["serving_throughput"], "targets": {"goodput_ratio": 0.9}}}
            self.decide(self.write("thin", plan), "hold")

    # Money.

    def test_faster_but_costlier(self):
        """Twice the speed at four times the price of everything that a card is bought with."""
        cost = study(owned("base", 30000), owned("fast", 400000))
        seen = self.decide(self.plan("costlier", "fast", required=("serving_throughput", "unit_cost"), cost=cost), "reject")
        self.assertEqual(self.blocking(seen), ["unit_cost"])

    def test_faster_and_cheaper(self):
        cost = study(owned("base", 30000), owned("fast", 30000))
        seen = self.decide(self.plan("cheaper", "fast", required=("unit_cost",), cost=cost), "adopt")
        row = next(each for each in seen["candidates"][0]["matrix"]["rows"] if each["id"] == "unit_cost")
        self.assertAlmostEqual(row["measures"][0]["measured"]["value"], 0.5, delta=0.06)  # one bill, twice the tokens

    def test_cheaper_with_porting_pays_where_there_is_much_to_serve(self):
        port = {"port": {"engineers": 3, "years": 0.5, "eng_cost": 300000, "extra": 30000, "upkeep_year": 90000}}
        many = study(owned("base", 200000, accelerators=800), owned("same", 100000, accelerators=800, **port))
        self.decide(self.plan("porting-large", "same", required=("unit_cost",), cost=many), "adopt")
        few = study(owned("base", 30000), owned("same", 21000, **port))
        self.decide(self.plan("porting-small", "same", required=("unit_cost",), cost=few), "reject")

    def test_a_cost_that_lacks_an_input_is_not_guessed(self):
        lacking = owned("fast", 30000)
        del lacking["util"]
        seen = self.decide(self.plan("lacking", "fast", required=("unit_cost",), cost=study(owned("base", 30000), lacking)), "hold")
        self.assertEqual(seen["cost"]["state"], "incomplete")
        self.assertIn("util", seen["cost"]["why"]["en"])

    # Supply and what others found.

    def test_supply_knocks_out_whoever_scores_well(self):
        late = {"delivery_weeks": {"most": 12, "value": 40, "source": "quotation", "date": "2026-11-01"}}
        seen = self.decide(self.plan("supply", "fast", knock_outs=late), "reject")
        self.assertEqual(self.blocking(seen), ["delivery_weeks"])
        unknown = {"delivery_weeks": {"most": 12}}
        self.decide(self.plan("supply-unknown", "fast", knock_outs=unknown), "hold")

    def test_energy_that_somebody_measured(self):
        def energy(value: float) -> list:
            return [{"system": "fast", "row": "energy", "value": value, "low": value - 0.1, "high": value + 0.1, "n": 5,
                     "unit": "1", "source": "wall meter", "date": "2026-11-02"}]
        self.decide(self.plan("energy-good", "fast", required=("energy",), results=energy(1.3)), "adopt")
        self.decide(self.plan("energy-bad", "fast", required=("energy",), results=energy(0.7)), "reject")
        self.decide(self.plan("energy-open", "fast", required=("energy",), results=energy(1.05)), "hold")

    # Worlds that measure everything themselves.

    def live(self, name: str, candidate: str, **more) -> tuple:
        base, other = Server(SYSTEMS["base"]), Server(candidate)
        self.addCleanup(base.__exit__)
        self.addCleanup(other.__exit__)
        plan = {"evaluation": name, "pairs": 6, "stages": ["correctness", "serving"],
                "systems": [{"name": "base", "endpoint": base.url}, {"name": "other", "endpoint": other.url}],
                "workloads": [WORKLOAD | {"model": ""}],
                "correctness": {"tasks": str(self.tasks), "num_prompts": 0, "max_tokens": 4, "concurrency": 20, "accuracy_target": 0.9},
                "matrix": {"required": ["correctness", "serving_throughput", "latency_tail"],
                           "targets": {"goodput_ratio": 0.9}}} | more
        return self.write(name, plan), plan

    def until_sound(self, plan: str, decision: str) -> dict:
        """Again where this machine was too busy to measure: the gate then refuses, and nothing is decided."""
        for attempt in range(3):
            out = self.folder / f"{Path(plan).stem}-out"
            done = scoville("evaluate", plan, "--out", str(out), *self.store, "--disable-tqdm", "--json")
            seen = json.loads(done.stdout)
            refused = [key for each in seen["serving"] if each["gate"] for key in each["gate"]["refused"]]
            if "runs.instrument" not in refused:
                return self.decide(plan, decision)
            shutil.rmtree(out)
        self.skipTest("this machine is too busy to measure: the client was the bottleneck three times")

    def test_faster_and_right_from_plan_to_page(self):
        plan, _ = self.live("live-right", SYSTEMS["fast"])
        seen = self.until_sound(plan, "adopt")
        self.assertEqual(seen["correctness"][0]["verdict"], "pass")
        page = (self.folder / "live-right-out/page.en.md").read_text()
        self.assertIn("ADOPT other in place of base", page)
        self.assertRegex((self.folder / "live-right-out/page.zh.html").read_text(), CHINESE)

    def test_faster_but_wrong_is_rejected(self):
        """It says everything in a channel for thoughts: there is no answer in it."""
        plan, _ = self.live("live-wrong", SYSTEMS["fast"] + ",reasoning=100000")
        seen = self.until_sound(plan, "reject")
        self.assertEqual(self.blocking(seen), ["correctness"])
        self.assertEqual(seen["correctness"][0]["verdict"], "fail")

    def test_a_killed_evaluation_goes_on_where_it_was(self):
        plan, _ = self.live("live-killed", SYSTEMS["fast"])
        out = self.folder / "killed-out"
        flags = ("evaluate", plan, "--out", str(out), *self.store)
        first = start(*flags)
        give_up = time.monotonic() + harness.LIMIT_S
        while not (out / "steps.jsonl").exists():  # the first step has ended
            self.assertLess(time.monotonic(), give_up)
            time.sleep(0.01)
        first.send_signal(signal.SIGKILL)
        first.communicate()
        done = scoville(*flags, "--json")
        self.assertIn("step 1 of 2: correctness base other: done on", done.stderr)
        self.assertEqual(len((out / "steps.jsonl").read_text().splitlines()), 2)
        # The step that was killed with it measured nothing more: of the duel's sets only one was finished.
        tag = json.loads(done.stdout)["steps"][1]["command"].split("--tag ")[1].split()[0]
        runs = self.report("runs", "list", *self.store)["runs"]
        finished = [run for run in runs if run["tag"] == tag + "-a" and run["status"] == "finished"]
        self.assertLessEqual(len(finished), 6 + 5)
        self.assertIn(json.loads(done.stdout)["decision"], ("adopt", "hold"))

    # Around it.

    def test_plan_only_measures_nothing_and_says_what_is_lacking(self):
        plan = self.plan("only", "fast", required=("serving_throughput", "energy"))
        seen = self.report("evaluate", plan, "--plan-only", *self.store)
        self.assertEqual(seen["steps"], [])
        self.assertEqual(seen["required_without_source"], ["energy"])
        said = scoville("evaluate", plan, "--plan-only", "--lang", "zh").stdout
        self.assertRegex(said, CHINESE)

    def test_init_writes_a_plan_that_can_be_rehearsed(self):
        path = self.folder / "init.yaml"
        done = scoville("evaluate", "init", "--who", "single-developer", "-o", str(path))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.fails(1, "evaluate", "init", "--who", "vendor", "-o", str(path), says="init.yaml")  # it is somebody's work
        self.fails(2, "evaluate", "init", says="--who")
        seen = self.report("evaluate", str(path), "--plan-only")
        self.assertEqual([each["stage"] for each in seen["steps"]], ["correctness", "serving"])

    def test_a_rehearsal_says_that_it_is_one(self):
        plan = {"evaluation": "dry", "pairs": 2, "stages": ["serving"],
                "systems": [{"name": "a", "endpoint": "http://192.0.2.1:1"}, {"name": "b", "endpoint": "http://192.0.2.2:1"}],
                "workloads": [{"name": "w", "requests": 8, "concurrency": 4, "input": 16, "output": 4}],
                "matrix": {"required": ["serving_throughput"]}}
        out = self.folder / "dry-out"
        seen = self.report("evaluate", self.write("dry", plan), "--dry", "--out", str(out), "--disable-tqdm", status=4)
        self.assertTrue(seen["dry"])
        self.assertIn("REHEARSAL", (out / "page.en.md").read_text())

    def test_bad_plans_get_one_line(self):
        self.fails(2, "evaluate", self.plan("bad-row", "fast", required=("serving_throughputt",)), says="did you mean serving_throughput?")
        self.fails(2, "evaluate", self.plan("bad-key", "fast", workloadz=[]), says="did you mean workloads?")
        self.fails(2, "evaluate", self.plan("bad-cost", "fast", cost={"currency": "CNY", "optionss": []}), says="did you mean options?")
        self.fails(1, "evaluate", str(self.folder / "none.yaml"), says="none.yaml")


if __name__ == "__main__":
    harness.main()

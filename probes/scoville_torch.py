#!/usr/bin/env python3
"""A probe of any device that a Python torch reaches: docs/formats/probe.md, in one file, needing nothing but that torch.

    scoville probe device --device npu --probe 'python3 probes/scoville_torch.py'

Out-of-tree backends register themselves when their package is imported; the device's name says which one that is.
Answers describe, readiness, gemm, bandwidth, copy, launch, attention and operator; the same rules as scoville-torch.
"""

import contextlib
import importlib
import json
import math
import os
import statistics
import sys
import time
import warnings

import torch

VERSION = "0.1.0"
BACKENDS = {"npu": "torch_npu", "mlu": "torch_mlu", "musa": "torch_musa", "gcu": "torch_gcu", "hpu": "habana_frameworks.torch.core",
            "xla": "torch_xla", "xpu": "intel_extension_for_pytorch"}
DTYPES = {"fp64": "float64", "fp32": "float32", "tf32": "float32", "fp16": "float16", "bf16": "bfloat16", "fp8_e4m3": "float8_e4m3fn",
          "fp8_e5m2": "float8_e5m2", "int64": "int64", "int32": "int32", "int8": "int8", "bool": "bool"}
PHRASES = [("out of memory", "oom"), ("can't allocate memory", "oom"), ("RESOURCE_EXHAUSTED", "oom"), ("Could not run '", "unsupported"),
           ("not implemented for", "unsupported"), ("not currently implemented for", "unsupported"), ("nsupported", "unsupported"),
           ("not supported", "unsupported"), ("no kernel image is available", "unsupported"), ("No available kernel", "unsupported"),
           ("is not linked with support for", "no_device"), ("not compiled with", "no_device"), ("No CUDA GPUs are available", "no_device"),
           ("ermission denied", "no_permission")]


class Trouble(Exception):
    """A failure whose reason is known."""

    def __init__(self, reason: str, message: str):
        super().__init__(message)
        self.reason = reason


def explain(thrown: BaseException) -> dict:
    words = str(thrown)
    first = words.split("\n")[0]
    if isinstance(thrown, Trouble):
        return {"reason": thrown.reason, "message": first}
    if isinstance(thrown, MemoryError) or "OutOfMemory" in type(thrown).__name__:
        return {"reason": "oom", "message": first}
    if isinstance(thrown, NotImplementedError):
        return {"reason": "unsupported", "message": first}
    reason = next((reason for phrase, reason in PHRASES if phrase in words), "failed")
    return {"reason": reason, "message": first}


# --- the protocol ------------------------------------------------------------------------------------------------

class Speaker:
    """Says lines about one request. What libraries print goes to standard error."""

    out = None

    def __init__(self, number):
        self.number = number

    def line(self, key: str, value):
        self.out.write(json.dumps({"id": self.number, key: value}) + "\n")
        self.out.flush()

    def row(self, row: dict):
        self.line("row", row)

    def progress(self, done: int, of: int, note: str = ""):
        self.line("progress", {"done": done, "of": of, "note": note})

    def tell(self, row: dict, measure):
        """Measures into a row; a failure becomes the row's fault."""
        try:
            measure(row)
        except (ValueError, KeyError):
            raise
        except Exception as thrown:  # whatever a backend throws
            row = {**row, "fault": explain(thrown)}
        self.row(row)


def serve():
    Speaker.out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        if not line.strip():
            continue
        request = json.loads(line)
        speaker = Speaker(request.get("id"))
        try:
            if request.get("ask") == "describe":
                speaker.line("result", describe())
                continue
            answer = ASKS.get(request.get("ask"))
            if not answer:
                raise Trouble("not_implemented", f"this probe does not answer \"{request.get('ask')}\"")
            speaker.line("result", answer(Bench(request), speaker) or {})
        except (ValueError, KeyError) as wrong:
            speaker.line("error", {"reason": "bad_request", "message": str(wrong)})
        except Exception as thrown:
            speaker.line("error", explain(thrown))


# --- devices -----------------------------------------------------------------------------------------------------

def import_backend(name: str):
    """The package that registers this kind of device, where torch does not know it yet."""
    kind = name.split(":")[0]
    package = BACKENDS.get(kind)
    if package and not (kind == "xpu" and hasattr(torch, "xpu")):
        try:
            importlib.import_module(package)
        except ImportError as missing:
            raise Trouble("no_device", f"{kind} needs the package {package}: {missing}")


def module_of(kind: str):
    return getattr(torch, kind, None)


def count_of(kind: str) -> int:
    if kind == "cpu":
        return 1
    module = module_of(kind)
    if module is None:
        return 0
    if hasattr(module, "device_count"):
        return module.device_count()
    return 1 if not hasattr(module, "is_available") or module.is_available() else 0


def device_name(kind: str, index: int):
    with contextlib.suppress(Exception):
        return module_of(kind).get_device_name(index)
    return None


def cpu_name():
    with contextlib.suppress(OSError):
        for line in open("/proc/cpuinfo", encoding="utf-8"):
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return None


def describe() -> dict:
    devices = [{"id": "cpu", "kind": "cpu", "name": cpu_name(), "vendor": None, "pci": None, "memory_bytes": None}]
    for kind in ("cuda", "xpu", "mps", "npu", "mlu", "musa", "gcu", "hpu"):
        with contextlib.suppress(Exception):
            devices += [{"id": f"{kind}:{i}", "kind": "accelerator", "name": device_name(kind, i), "vendor": None, "pci": None,
                         "memory_bytes": None} for i in range(count_of(kind))]
    stack = {"torch": torch.__version__, "python": sys.version.split()[0], "cuda": torch.version.cuda,
             "hip": getattr(torch.version, "hip", None)}
    for package in set(BACKENDS.values()):
        if package in sys.modules:
            stack[package] = getattr(sys.modules[package], "__version__", None)
    return {"protocol": 1, "probe": "scoville_torch.py", "version": VERSION, "stack": stack, "devices": devices, "asks": sorted(ASKS),
            "dtypes": [name for name, attribute in DTYPES.items() if hasattr(torch, attribute) and name not in ("int64", "int32", "bool")],
            "threads": torch.get_num_threads(), "threads_of": "affinity"}


class Bench:
    """What all questions share: the device, the threads, how it is timed."""

    def __init__(self, request: dict):
        self.params = request.get("params") or {}
        name = request.get("device") or "cpu"
        import_backend(name)
        self.device = torch.device(name)
        self.kind = self.device.type
        self.cores = len(os.sched_getaffinity(0))
        self.threads = int(self.params.get("threads") or self.cores)
        torch.set_num_threads(self.threads)
        self.seed = int(self.params.get("seed", 0))
        self.timing = self.params.get("timing") or {}
        self.ballast = None

    def synchronise(self, watched=None):
        if self.kind == "cpu":
            return
        if self.kind in ("hpu", "xla"):  # lazy: a result is computed when it is looked at
            step = getattr(sys.modules.get(BACKENDS[self.kind]), "mark_step", None)
            if step:
                step()
        module = module_of(self.kind)
        if hasattr(module, "synchronize"):
            module.synchronize()
        elif watched is not None and watched.numel():
            watched.flatten()[0].item()

    def time(self, call, row: dict, watched=None):
        row["hot"] = self.measure(call, watched)
        if self.timing.get("cold"):
            row["cold"] = self.measure(call, watched, cold=True)
        self.note_threads(row)

    def note_threads(self, row: dict):
        row["threads"] = self.threads
        if self.kind == "cpu" and self.threads > self.cores:
            row["marks"] = ["oversubscribed"]

    def flush(self):
        if self.ballast is None:
            self.ballast = torch.empty(512 << 20, dtype=torch.uint8, device=self.device)
        self.ballast.zero_()

    def measure(self, call, watched=None, cold: bool = False) -> dict:
        """docs/formats/probe.md, Timing."""
        def once(calls: int) -> float:
            begin = time.perf_counter_ns()
            for _ in range(calls):
                call()
            self.synchronise(watched)
            return time.perf_counter_ns() - begin

        def sample() -> float:
            if cold:
                self.flush()
                self.synchronise()
                return once(1)
            first, twice = once(k), once(2 * k)
            return (twice - first) / k if twice > first else twice / (2 * k)

        warm_up, most_time = (self.timing.get(key, usual) * 1e6 for key, usual in (("warm_up_ms", 100), ("most_time_ms", 1000)))
        begin, first_call = time.perf_counter_ns(), once(1)
        before = last = first_call
        for calls in range(1, 1000):
            spent = time.perf_counter_ns() - begin
            if calls >= 3 and (spent >= warm_up and abs(last - before) <= 0.1 * before or spent >= max(4 * warm_up, most_time)):
                break
            before, last = last, once(1)
        k = 1 if cold else int(min(1e6, max(1, self.timing.get("sample_ms", 5) * 1e6 / max(last, 1))))
        least, samples, begin = self.timing.get("least_samples", 10), [], time.perf_counter_ns()
        while len(samples) < self.timing.get("most_samples", 1000):
            samples.append(sample())
            if len(samples) >= 3 and time.perf_counter_ns() - begin >= most_time:
                break
            if len(samples) >= least and is_steady(samples):
                break
        return {"mode": "cold" if cold else "hot", "k": k, "difference": not cold, "first_call_ns": first_call, **figures(samples),
                "steady": len(samples) >= least and is_steady(samples), "timer": "perf_counter_ns"}


def quantile(ordered: list, p: float) -> float:
    at = p * (len(ordered) - 1)
    below = int(at)
    return ordered[below] + (at - below) * (ordered[min(below + 1, len(ordered) - 1)] - ordered[below])


def figures(samples: list) -> dict:
    ordered = sorted(samples)
    median, iqr = quantile(ordered, 0.5), quantile(ordered, 0.75) - quantile(ordered, 0.25)
    return {"n": len(ordered), "min_ns": ordered[0], "p5_ns": quantile(ordered, 0.05), "median_ns": median, "p95_ns": quantile(ordered, 0.95),
            "mean_ns": statistics.fmean(ordered), "stdev_ns": statistics.stdev(ordered) if len(ordered) > 1 else 0, "iqr_ns": iqr,
            "noisy": iqr > 0.1 * median}


def is_steady(samples: list) -> bool:
    seen = figures(samples)
    return seen["median_ns"] > 0 and (seen["stdev_ns"] < 0.005 * seen["mean_ns"] or seen["iqr_ns"] < 0.01 * seen["median_ns"])


def dtype_named(name: str):
    if name not in DTYPES:
        raise ValueError(f"no such dtype: {name}")
    if not hasattr(torch, DTYPES[name]):
        raise Trouble("absent_in_torch", f"torch {torch.__version__} has no {DTYPES[name]}")
    return getattr(torch, DTYPES[name])


def gaussian(shape, seed: int):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float32)


# --- readiness ---------------------------------------------------------------------------------------------------

def readiness(bench: Bench, speaker: Speaker):
    elements, state = 1 << 20, {}
    host = torch.arange(elements, dtype=torch.float32)

    def step(check: str, action):
        try:
            is_right, evidence = action()
            speaker.row({"check": check, "verdict": "yes" if is_right else "no", "evidence": evidence, "version": None})
        except Exception as thrown:
            speaker.row({"check": check, "verdict": "no", "evidence": explain(thrown)["message"], "version": None})

    def allocate():
        state["there"] = torch.empty(elements, device=bench.device)
        return state["there"].device.type == bench.kind, f"4 MiB on {state['there'].device}"

    def copy():
        state["there"].copy_(host)
        return True, "4 MiB host to device"

    def add():
        state["sum"] = state["there"] + state["there"]
        return state["sum"].device.type == bench.kind, f"result on {state['sum'].device}"

    def synchronise():
        bench.synchronise(state.get("sum"))
        return True, "the CPU's operators end before they return" if bench.kind == "cpu" else "the device was waited for"

    def read_back():
        if "sum" not in state:
            return False, "there is no result to read"
        right = int((state["sum"].cpu() == host * 2).sum())
        return right == elements, f"{right} of {elements} elements are right"

    found = count_of(bench.kind)
    step("visible", lambda: (found > 0, f"torch reaches {bench.device}" if found else f"torch reaches no {bench.kind}"))
    step("count", lambda: (found > (bench.device.index or 0), f"{found} of type {bench.kind}"))
    for check, action in (("allocate", allocate), ("copy", copy), ("add", add), ("synchronise", synchronise), ("read_back", read_back)):
        step(check, action)
    speaker.row({"check": "framework", "verdict": "yes", "evidence": "Python torch", "version": torch.__version__})


# --- products ----------------------------------------------------------------------------------------------------

@contextlib.contextmanager
def float32_precision(name: str):
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision(name)
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)


def quantised(matrix, by: int):
    """int8 with one scale a row (by = -1) or a column (-2)."""
    scale = matrix.abs().amax(by, keepdim=True).clamp_min(1e-12) / 127
    return (matrix / scale).round().clamp(-127, 127).to(torch.int8), scale


def product_of(name: str, left, right, device):
    """A function that multiplies into `out`, its output, and what turns that into numbers."""
    if name == "int8":
        if not hasattr(torch, "_int_mm"):
            raise Trouble("absent_in_torch", f"torch {torch.__version__} has no aten::_int_mm")
        (a, row), (b, column) = quantised(left, -1), quantised(right, -2)
        a, b = a.to(device), b.to(device)
        out = torch.full((a.shape[0], b.shape[1]), -(1 << 31), dtype=torch.int32, device=device)
        return lambda: torch._int_mm(a, b, out=out), out, lambda rows: out[rows].cpu().double() * row[rows] * column
    dtype = dtype_named(name)
    if name.startswith("fp8"):
        if not hasattr(torch, "_scaled_mm"):
            raise Trouble("absent_in_torch", f"torch {torch.__version__} has no aten::_scaled_mm")
        a, b = left.to(dtype).to(device), right.t().contiguous().to(torch.float8_e4m3fn).to(device).t()
        one, out = torch.ones((), device=device), torch.full((a.shape[0], b.shape[1]), math.nan, dtype=torch.bfloat16, device=device)
        return lambda: torch._scaled_mm(a, b, one, one, out_dtype=torch.bfloat16, out=out), out, lambda rows: out[rows].cpu().double()
    a, b = left.to(dtype).to(device), right.to(dtype).to(device)
    out = torch.full((*a.shape[:-1], b.shape[-1]), math.nan, dtype=dtype, device=device)
    return lambda: torch.matmul(a, b, out=out), out, lambda rows: out[..., rows, :].cpu().double()


def gemm(bench: Bench, speaker: Speaker):
    shapes, dtypes = bench.params["shapes"], bench.params.get("dtypes", ["fp32"])
    cases = [(shape, dtype) for dtype in dtypes for shape in shapes]
    for done, (shape, dtype) in enumerate(cases):
        m, n, k = (int(shape[key]) for key in "mnk")
        batch = int(shape.get("batch") or 1)
        speaker.progress(done, len(cases), f"{dtype} {m} x {n} x {k}")

        def measure(row: dict, m=m, n=n, k=k, batch=batch, dtype=dtype):
            lead = (batch,) if batch > 1 else ()
            left, right = gaussian((*lead, m, k), bench.seed), gaussian((*lead, k, n), bench.seed + 1)
            with float32_precision("high" if dtype == "tf32" else "highest"):
                multiply, out, numbers = product_of(dtype, left, right, bench.device)
                multiply()
                bench.synchronise(out)
                host = out.cpu()
                row["poisoned"] = int((host == -(1 << 31)).sum() if dtype == "int8" else host.isnan().sum())
                rows = sorted({i * m // min(m, 24) for i in range(min(m, 24))})
                right_answer, got = left[..., rows, :].double() @ right.double(), numbers(rows)
                error = got - right_answer
                row["rel_l2"] = finite(float(error.norm() / right_answer.norm()))
                row["max_abs"] = finite(float(error.abs().max()))
                row["finite"], row["kernel"] = bool(got.isfinite().all()), None
                bench.time(multiply, row, out)

        speaker.tell({"label": shape.get("label"), "m": m, "n": n, "k": k, "batch": batch, "dtype": dtype}, measure)
    return {"device": str(bench.device)}


def finite(number: float):
    return number if math.isfinite(number) else None


def attention(bench: Bench, speaker: Speaker):
    for shape in bench.params["shapes"]:
        for dtype in bench.params.get("dtypes", ["fp32"]):
            speaker.tell({**{key: shape.get(key) for key in ("label", "batch", "heads", "kv_heads", "head_dim", "query_len", "kv_len", "causal")},
                          "dtype": dtype}, lambda row, shape=shape, dtype=dtype: attend(bench, shape, dtype, row))
    return {"device": str(bench.device)}


def attend(bench: Bench, shape: dict, dtype: str, row: dict):
    function = getattr(torch.nn.functional, "scaled_dot_product_attention", None)
    if function is None:
        raise Trouble("absent_in_torch", f"torch {torch.__version__} has no scaled_dot_product_attention")
    sizes = lambda heads, length: (shape["batch"], shape[heads], shape[length], shape["head_dim"])
    plain = [gaussian(sizes(*which), bench.seed + i) for i, which in enumerate((("heads", "query_len"), ("kv_heads", "kv_len"), ("kv_heads", "kv_len")))]
    groups = shape["heads"] // shape["kv_heads"]
    plain[1:] = [each.repeat_interleave(groups, 1) for each in plain[1:]]
    query, key, value = (each.to(dtype_named(dtype)).to(bench.device) for each in plain)
    call = lambda: function(query, key, value, is_causal=bool(shape.get("causal")))
    got = call().cpu().double()
    due = function(*(each.double() for each in plain), is_causal=bool(shape.get("causal")))
    row.update(poisoned=None, rel_l2=finite(float((got - due).norm() / due.norm())), max_abs=finite(float((got - due).abs().max())),
               finite=bool(got.isfinite().all()), kernel="aten::scaled_dot_product_attention", grouping="expanded" if groups > 1 else "none")
    bench.time(call, row, query)


# --- memory, copies, launches ------------------------------------------------------------------------------------

STREAM = {"copy": 2, "mul": 2, "add": 3, "triad": 3, "read": 1, "write": 1}


def bandwidth(bench: Bench, speaker: Speaker):
    cases = [(operation, size, stores) for operation in bench.params.get("operations", list(STREAM))
             for size in bench.params.get("bytes", [64 << 20]) for stores in bench.params.get("stores", ["regular"])]
    for done, (operation, size, stores) in enumerate(cases):
        if operation not in STREAM:
            raise ValueError(f"no such operation: {operation}")
        speaker.progress(done, len(cases), f"{operation} {size} B")
        speaker.tell({"operation": operation, "stores": stores, "array_bytes": size // 4 * 4, "moved_bytes": STREAM[operation] * (size // 4 * 4)},
                     lambda row, which=(operation, size, stores): stream(bench, *which, row))
    return {"device": str(bench.device)}


def stream(bench: Bench, operation: str, size: int, stores: str, row: dict):
    if stores != "regular":
        raise Trouble("absent_in_torch", "torch's operators choose their stores themselves")
    a, b = (gaussian((size // 4,), bench.seed + i).to(bench.device) for i in (0, 1))
    out = torch.full_like(a, math.nan)
    calls = {"copy": (lambda: out.copy_(a), lambda: a), "mul": (lambda: torch.mul(a, 3.0, out=out), lambda: a * 3),
             "add": (lambda: torch.add(a, b, out=out), lambda: a + b), "triad": (lambda: torch.add(a, b, alpha=3, out=out), lambda: a + b * 3),
             "write": (lambda: out.fill_(3.0), lambda: torch.full_like(a, 3.0)), "read": (lambda: a.sum(), None)}
    call, due = calls[operation]
    result = call()
    if due is None:
        exact = float(a.cpu().double().sum())
        row["checked"] = abs(float(result) - exact) <= 1e-3 * math.sqrt(a.numel())
    else:
        row["checked"] = bool(torch.allclose(out.cpu(), due().cpu(), rtol=1e-6, atol=1e-6))
    if not row["checked"]:
        raise Trouble("wrong_result", f"{operation} computed something else")
    bench.time(call, row, out)


def copy(bench: Bench, speaker: Speaker):
    for size in bench.params.get("bytes", [1 << 20]):
        for direction in bench.params.get("directions", ["h2d", "d2h", "d2d"]):
            for pinned in bench.params.get("pinned", [False]):
                speaker.tell({"direction": direction, "pinned": pinned, "bytes": size},
                             lambda row, which=(size, direction, pinned): copied(bench, *which, row))
    return {"device": str(bench.device)}


def copied(bench: Bench, size: int, direction: str, pinned: bool, row: dict):
    if bench.kind == "cpu" and direction != "d2d":
        raise Trouble("unsupported", "host and device are one")
    host, there = torch.randint(0, 255, (size,), dtype=torch.uint8), torch.empty(size, dtype=torch.uint8, device=bench.device)
    if pinned and direction != "d2d":
        host = host.pin_memory()
    source, target = {"h2d": (host, there), "d2h": (there, host), "d2d": (there, torch.empty_like(there))}[direction]
    bench.time(lambda: target.copy_(source, non_blocking=pinned), row, there)


def launch(bench: Bench, speaker: Speaker):
    a = torch.ones(16, device=bench.device)
    out, depth = torch.empty_like(a), 500
    call = lambda: torch.add(a, a, out=out)

    def enqueue(row: dict):
        samples = []
        for _ in range(200):
            begin = time.perf_counter_ns()
            for _ in range(depth):
                call()
            samples.append((time.perf_counter_ns() - begin) / depth)
            bench.synchronise(out)
        row["hot"] = {"mode": "hot", "k": depth, "difference": False, "first_call_ns": samples[0], **figures(samples), "steady": is_steady(samples),
                      "timer": "perf_counter_ns"}
        bench.note_threads(row)

    def round_trip():
        call()
        bench.synchronise(out)

    speaker.tell({"kind": "enqueue", "operation": "aten::add.out"}, enqueue)
    speaker.tell({"kind": "pipelined", "operation": "aten::add.out"}, lambda row: bench.time(call, row, out))
    speaker.tell({"kind": "roundtrip", "operation": "aten::add.out"}, lambda row: bench.time(round_trip, row, out))
    return {"device": str(bench.device)}


# --- operators ---------------------------------------------------------------------------------------------------

def operator_named(name: str):
    packet, _, overload = name.split("::")[1].partition(".")
    with contextlib.suppress(AttributeError, RuntimeError):
        return getattr(getattr(torch.ops.aten, packet), overload or "default")
    return None


def plain_values(spec: dict, generator):
    """A tensor as docs/formats/probe.md describes it, on the CPU, in its dtype."""
    sizes, kind, below = spec["tensor"], spec.get("values", "normal"), max(1, int(spec.get("below", 1)))
    dtype, width = dtype_named(spec.get("dtype", "fp32")), spec["tensor"][-1] if spec["tensor"] else 1
    rows = math.prod(sizes) // width if width else 0
    permutations = lambda n: torch.stack([torch.randperm(n, generator=generator)[:width] for _ in range(rows)]) if rows else torch.empty(0)
    made = {"normal": lambda: torch.randn(sizes, generator=generator, dtype=torch.float64),
            "positive": lambda: torch.rand(sizes, generator=generator, dtype=torch.float64) + 0.5,
            "ranks": lambda: permutations(width).reshape(sizes), "distinct": lambda: permutations(below).reshape(sizes),
            "index": lambda: torch.randint(0, below, sizes, generator=generator),
            "small": lambda: torch.randint(-4, 5, sizes, generator=generator), "flags": lambda: torch.randint(0, 2, sizes, generator=generator),
            "one_hot": lambda: torch.nn.functional.one_hot(torch.randint(0, max(width, 1), sizes[:-1], generator=generator), max(width, 1)).reshape(sizes),
            "zeros": lambda: torch.zeros(sizes), "ones": lambda: torch.ones(sizes)}
    if kind not in made:
        raise ValueError(f"no such values: {kind}")
    return made[kind]().to(dtype)


def laid_out(tensor, spec: dict):
    if not spec.get("transposed"):
        return tensor
    if tensor.dim() >= 2:
        return tensor.transpose(-2, -1).contiguous().transpose(-2, -1)
    return torch.stack([tensor, tensor], -1)[..., 0] if tensor.dim() == 1 else tensor


class Call:
    """Arguments of one call: tensors brought somewhere, all else as it is."""

    def __init__(self, arguments: list, tensors: list, place, backward: bool, wide: bool):
        self.positional, self.named, self.tensors, self.with_gradient = [], {}, [], []
        for argument, plain in zip(arguments, tensors):
            value = self.value_of(argument, plain, place, backward, wide)
            if "named" in argument:
                self.named[argument["named"]] = value
            else:
                self.positional.append(value)

    def value_of(self, argument: dict, plain: list, place, backward: bool, wide: bool):
        if "tensor" in argument or "tensors" in argument:
            specs = argument.get("tensors", [argument])
            made = []
            for spec, tensor in zip(specs, plain):
                there = laid_out(place(tensor, spec), spec)
                if backward and spec.get("gradient"):
                    there = there.detach().requires_grad_(True)
                    self.with_gradient.append(there)
                made.append(there)
            self.tensors.append(made)
            return made if "tensors" in argument else made[0]
        self.tensors.append([])
        for key in ("int", "float", "bool", "text", "ints"):
            if key in argument:
                return argument[key]
        if "dtype" in argument:
            dtype = dtype_named(argument["dtype"])
            return torch.float64 if wide and dtype.is_floating_point else dtype
        return None


class Subject:
    """One operator, and how its results are looked at."""

    def __init__(self, bench: Bench):
        params = bench.params
        names = [params["operator"], *params.get("alternatives", [])]
        self.name = next((name for name in names if operator_named(name)), names[0])
        self.call = operator_named(self.name)
        other = params.get("reference")
        self.reference = operator_named(other["name"]) if other else self.call
        self.inputs = other.get("inputs") if other else None
        self.is_other = bool(other)
        self.compare, self.outputs, self.written = params.get("compare", "values"), params.get("outputs", []), params.get("written", [])
        self.bench = bench

    def compared(self, result, call: Call, of_reference: bool) -> list:
        everything = [each for each in (result if isinstance(result, (tuple, list)) else [result]) if isinstance(each, torch.Tensor)]
        if of_reference and self.is_other or not self.outputs and not self.written:
            return everything
        chosen = [everything[i] for i in self.outputs if i < len(everything)]
        return chosen + [each for i in self.written if i < len(call.tensors) for each in call.tensors[i]]

    def run(self, function, call: Call, cotangents: list, backward: bool, of_reference: bool) -> list:
        with torch.set_grad_enabled(backward):
            results = self.compared(function(*call.positional, **call.named), call, of_reference)
            return self.gradients(results, call, cotangents) if backward else results

    def gradients(self, results: list, call: Call, cotangents: list) -> list:
        taking_part = [each for each in results if each.is_floating_point() and each.requires_grad]
        if not taking_part:
            raise RuntimeError("no result takes part in the backward direction")
        if not cotangents:
            generator = torch.Generator().manual_seed(self.bench.seed + 1)
            cotangents += [torch.randn(each.shape, generator=generator, dtype=torch.float64).to(each.dtype) for each in taking_part]
        torch.autograd.backward(taking_part, [each.to(result.device, result.dtype) for each, result in zip(cotangents, taking_part)],
                                inputs=call.with_gradient)
        return [each.grad for each in call.with_gradient]


def operator(bench: Bench, speaker: Speaker):
    torch.set_num_threads(int(bench.params.get("threads") or 1))
    subject = Subject(bench)
    for case in bench.params["cases"]:
        try:
            row = case_row(subject, case)
        except Trouble as known:
            row = {"outcome": "absent" if known.reason == "absent_in_torch" else "refused", "reason": known.reason, "message": str(known)}
        speaker.row({"case": case["case"], **row})


def case_row(subject: Subject, case: dict) -> dict:
    bench, backward = subject.bench, case.get("direction") == "backward"
    if not subject.call:
        raise Trouble("absent_in_torch", f"this build of torch has no {subject.name}")
    generator, arguments = torch.Generator().manual_seed(bench.seed), case["arguments"]
    tensors = [[plain_values(spec, generator) for spec in argument.get("tensors", [argument])] if "tensor" in argument or "tensors" in argument
               else [] for argument in arguments]
    cotangents: list = []
    row = {"outcome": "ran", "reason": None, "message": "", "called": subject.name, "fallback": None, "warnings": []}
    is_watched = bench.kind != "cpu"
    with warnings.catch_warnings(record=True) as heard:
        watched = Watched(is_watched)
        warnings.simplefilter("always")
        begin = time.perf_counter_ns()
        try:
            place = lambda tensor, spec: tensor.clone() if spec.get("host") else tensor.clone().to(bench.device)
            call = Call(arguments, tensors, place, backward, False)
            before = call.tensors[0][0].detach().clone() if call.tensors and call.tensors[0] else None
            with watched.calls():
                results = subject.run(subject.call, call, cotangents, backward, False)
                bench.synchronise()
        except Trouble:
            raise
        except Exception as thrown:
            fault = explain(thrown)
            return {"outcome": "refused", "reason": fault["reason"], "message": fault["message"], "called": subject.name, "fallback": None,
                    "warnings": said(heard)}
        row["time_ns"] = time.perf_counter_ns() - begin
    row["warnings"] = said(heard) if is_watched else []
    row["fallback"] = watched.seen() if is_watched else None
    row["device_of_result"] = str(results[0].device) if results and results[0] is not None else None
    row.update(held_against(subject, case, arguments, tensors, results, before, cotangents, backward))
    return row


class Watched:
    """What torch's own profiler records of one call: copies to the host within an operator that was asked of the device."""

    BY = ("aten::_to_cpu", "aten::_copy_from_and_resize")

    def __init__(self, is_watched: bool):
        self.is_watched, self.profile = is_watched, None

    @contextlib.contextmanager
    def calls(self):
        if not self.is_watched:
            yield
            return
        with torch.autograd.profiler.profile(record_shapes=True) as self.profile:
            yield

    def seen(self) -> dict:
        evidence: dict = {}
        for event in self.profile.function_events if self.profile else []:
            if event.name in self.BY and event.cpu_parent is not None:
                one = evidence.setdefault((event.name, event.cpu_parent.name), {"call": event.name, "inside": event.cpu_parent.name, "bytes": 0, "calls": 0})
                one["calls"] += 1
                one["bytes"] += elements_below(event) * 4  # the profiler tells sizes, no dtypes: 4 bytes each is an estimate
        found = list(evidence.values())
        return {"evidence": found, "bytes": sum(each["bytes"] for each in found)}


def elements_below(event) -> int:
    """Of the largest tensor that a call inside this one was given."""
    sizes = [math.prod(shape) for child in event.cpu_children for shape in child.input_shapes or [] if shape]
    return max([*sizes, *(elements_below(child) for child in event.cpu_children)], default=0)


def said(heard: list) -> list:
    return list(dict.fromkeys(str(each.message).split("\n")[0] for each in heard))[:8]


def held_against(subject, case, arguments, tensors, results, before, cotangents, backward) -> dict:
    """The results beside what is right."""
    if subject.compare == "kept_or_dropped":
        return {**distance_kept(results[0], cotangents[0] if backward else before), "no_reference": ""}
    widen = lambda tensor, spec: tensor.double() if tensor.is_floating_point() or subject.is_other else tensor.clone()
    try:
        if subject.reference is None:
            raise RuntimeError("the reference's operator is not in this build")
        call = Call(arguments[:subject.inputs], tensors[:subject.inputs], widen, backward, True)
        right = subject.run(subject.reference, call, cotangents, backward, True)
    except Exception as thrown:
        return {"rel_l2": None, "max_abs": None, "mismatched": 0, "nan": 0, "shape_differs": False, "no_reference": explain(thrown)["message"]}
    return {**distance(results, right, subject.compare == "magnitudes"), "no_reference": ""}


def wide(tensor):
    host = tensor.detach().cpu()
    if host.is_complex():
        host = torch.view_as_real(host.to(torch.complex128).resolve_conj())
    return host.double()


def distance(results: list, right: list, magnitudes: bool) -> dict:
    out = {"rel_l2": None, "max_abs": None, "mismatched": 0, "nan": 0, "shape_differs": len(results) != len(right)}
    difference = reference = most = 0.0
    is_measured = False
    for got, due in zip(results, right):
        if (got is None) != (due is None):
            out["shape_differs"] = True
        if got is None or due is None:
            continue
        g, d = wide(got), wide(due)
        if g.shape != d.shape:
            out["shape_differs"] = True
        elif not (got.is_floating_point() or got.is_complex() or due.is_floating_point() or due.is_complex()):
            out["mismatched"] += int((g != d).sum())
        else:
            if magnitudes:
                g, d = g.abs(), d.abs()
            is_measured, known = True, d.isfinite()
            out["mismatched"] += int((~known & ~((g == d) | (g.isnan() & d.isnan()))).sum())
            out["nan"] += int((known & ~g.isfinite()).sum())
            both = known & g.isfinite()
            by = (g - d)[both]
            difference, reference = difference + float((by * by).sum()), reference + float((d[both] ** 2).sum())
            most = max(most, float(by.abs().max()) if by.numel() else 0.0)
    if is_measured:
        out["rel_l2"] = math.sqrt(difference) / (math.sqrt(reference) or 1.0)
        out["max_abs"] = most
    return out


def distance_kept(result, before) -> dict:
    """Each element is 0, or twice what it was; about half of them are kept."""
    got, twice = wide(result), wide(before) * 2
    dropped = got == 0
    out = distance([got], [twice.masked_fill(dropped, 0)], False)
    share = float(dropped.double().mean()) if got.numel() else 0.5
    if not 0.3 <= share <= 0.7:
        out["mismatched"] = int(dropped.sum())
    return out


ASKS = {"readiness": readiness, "gemm": gemm, "attention": attention, "bandwidth": bandwidth, "copy": copy, "launch": launch, "operator": operator}

if __name__ == "__main__":
    words = sys.argv[1:]
    while len(words) >= 2 and words[0] == "--load":  # a library, or a Python package, that registers a backend
        try:
            torch.ops.load_library(words[1]) if words[1].endswith(".so") else importlib.import_module(words[1])
        except (ImportError, OSError) as missing:
            sys.exit(f"scoville_torch.py: {missing}")
        words = words[2:]
    if words:
        sys.exit("usage: scoville_torch.py [--load LIBRARY.so | --load PACKAGE]...")
    serve()

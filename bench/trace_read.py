#!/usr/bin/env python3
"""How fast `scoville trace` reads large traces, and in how much memory.    trace_read.py BINARY [MB …]

Writes traces of that many megabytes (300 and 1074, which is 1 GiB, by default) in Kineto's form: operators of three levels,
calls of the runtime, kernels with their arguments on four streams, copies, now and then in the wrong order. Each is read once to
warm the page cache and three times measured; the median and the largest resident memory are printed.
"""

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

OPS = ["aten::linear", "aten::mm", "aten::add", "aten::mul", "aten::silu", "aten::layer_norm", "aten::copy_", "aten::softmax"]
KERNELS = [f"void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_{m}x128_32x{s}_tn_align8>(Params)"
           for m in (64, 128, 256) for s in (3, 4, 5)] + [
    f"void at::native::vectorized_elementwise_kernel<4, at::native::{f}_functor<c10::BFloat16>, at::detail::Array<char*, 3>>(int)"
    for f in ("add", "mul", "silu", "gelu", "exp")] + ["ncclDevKernel_AllReduce_Sum_bf16_RING_LL"]


def event(ph, cat, name, pid, tid, ts, dur, args):
    return (f'  {{\n    "ph": "{ph}", "cat": "{cat}", "name": "{name}", "pid": {pid}, "tid": {tid},\n'
            f'    "ts": {ts // 1000}.{ts % 1000:03d}, "dur": {dur // 1000}.{dur % 1000:03d},\n    "args": {{\n      {args}\n    }}\n  }}')


def block(rng, number, now):
    """The events of one operator call, and when the next begins."""
    name = OPS[number % len(OPS)]
    ext = number * 3
    shape = f'"Record function id": 0, "Input Dims": [[1, {number % 4096}], [4096, 4096]], "Ev Idx": {ext}'
    out = [event("X", "cpu_op", name, 4242, 4242, now, 21000, f'"External id": {ext},{shape}'),
           event("X", "cpu_op", name + "_out", 4242, 4242, now + 900, 17000, f'"External id": {ext + 1},{shape}'),
           event("X", "cuda_runtime", "cudaLaunchKernel", 4242, 4242, now + 5000, 3000,
                 f'"External id": {ext + 1}, "cbid": 211, "correlation": {ext + 1}')]
    start = now + 30000 + rng.randrange(8000)
    out.append(event("X", "kernel", KERNELS[rng.randrange(len(KERNELS))], 0, 7 + number % 4, start, 2000 + rng.randrange(40000),
                     f'"External id": {ext + 1}, "queued": 0, "device": 0, "context": 1,\n      "stream": {7 + number % 4}, '
                     f'"correlation": {ext + 1},\n      "registers per thread": 168, "shared memory": 49152,\n      '
                     '"blocks per SM": 7.878788, "warps per SM": 31.515152,\n      "grid": [32, 16, 2], "block": [128, 1, 1],\n'
                     '      "est. achieved occupancy %": 12'))
    if number % 16 == 0:
        out.append(event("X", "gpu_memcpy", "Memcpy DtoH (Device -> Pinned)", 0, 7, start, 1500,
                         f'"External id": {ext}, "device": 0, "stream": 7, "correlation": {ext + 2}, "bytes": 4096'))
    if number % 50 == 0:
        rng.shuffle(out)
    return out, now + 22000


def write(path: Path, size: int):
    rng = random.Random(1)
    now = 1736071200000000000
    with path.open("w") as file:
        file.write('{"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "Example"}], "traceEvents": [\n')
        number, separator = 0, ""
        while file.tell() < size:
            made, now = block(rng, number, now)
            file.write(separator + ",\n".join(made))
            separator = ",\n"
            number += 1
        file.write("\n]}\n")


def measure(binary: str, path: Path) -> tuple:
    begin = time.monotonic()
    child = subprocess.Popen([binary, "trace", str(path), "--json"], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    took = time.monotonic() - begin
    if status != 0:
        raise SystemExit(f"{path}: status {status}")
    return took, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main():
    binary, sizes = sys.argv[1], [int(word) for word in sys.argv[2:]] or [300, 1074]
    with tempfile.TemporaryDirectory(prefix="scoville-trace-") as folder:
        for size in sizes:
            path = Path(folder, "trace.json")
            write(path, size * 1000 * 1000)
            measure(binary, path)
            runs = [measure(binary, path) for _ in range(3)]
            wall, cpu, memory = (statistics.median(column) for column in zip(*runs))
            print(f"{path.stat().st_size / 1e6:.0f} MB: {wall:.2f} s ({cpu:.2f} s CPU), {max(run[2] for run in runs):.0f} MiB resident", flush=True)


if __name__ == "__main__":
    main()

"""The same step for any device that torch reaches: nothing to find here."""

import os

import torch
import torch.distributed as dist
from torch.nn.functional import scaled_dot_product_attention


def main():
    device = torch.device(os.environ.get("DEVICE", "cpu"))
    dist.init_process_group(backend=os.environ.get("BACKEND", "gloo"))
    q = torch.randn(1, 8, 128, 64, device=device, requires_grad=True)
    with torch.autocast(device.type, dtype=torch.bfloat16):
        loss = scaled_dot_product_attention(q, q, q, is_causal=True).sum()
    loss.backward()


main()

"""A training step that is tied to one vendor in nine places, planted for `scoville portability`."""

import os

import torch
import torch.distributed as dist
from flash_attn import flash_attn_func

os.environ["CUDA_VISIBLE_DEVICES"] = "0"
torch.backends.cuda.matmul.allow_tf32 = True


class Attention(torch.nn.Module):
    def forward(self, q, k, v):
        return flash_attn_func(q, k, v, causal=True)


def main():
    dist.init_process_group(backend="nccl")
    model = Attention().cuda()
    q = torch.randn(1, 128, 8, 64, device="cuda:0", requires_grad=True)
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(q, q, q).sum()
    loss.backward()
    torch.cuda.synchronize()  # torch.cuda.synchronize again in a comment: a mention, no place
    print("peak", torch.cuda.max_memory_allocated())


main()

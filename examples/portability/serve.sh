#!/bin/sh
# Starts the server on the first two cards.
export NCCL_DEBUG=WARN
export CUDA_VISIBLE_DEVICES=0,1
nvidia-smi --query-gpu=name,memory.used --format=csv
exec python3 serve.py --port 8000

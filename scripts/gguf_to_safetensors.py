#!/usr/bin/env python3
"""Weights of a GGUF file as a folder that the reference model loads: config.json, model.safetensors (fp32), tokenizer.json.

    gguf_to_safetensors.py MODEL.gguf FOLDER

Needs PyPI's `gguf` (scripts/smollm2_weights.sh sets it up). Architectures llama, qwen2 and qwen3. Quantised tensors are
dequantised: the folder holds the numbers that an engine computes with when it reads the GGUF file.
"""

import json
import struct
import sys
from pathlib import Path

import gguf
import numpy

FAMILIES = {"llama": "llama", "qwen2": "qwen2", "qwen3": "qwen3"}
OUTER = {"token_embd.weight": "model.embed_tokens.weight", "output_norm.weight": "model.norm.weight",
         "output.weight": "lm_head.weight"}
INNER = {"attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm", "attn_q": "self_attn.q_proj",
         "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj",
         "attn_q_norm": "self_attn.q_norm", "attn_k_norm": "self_attn.k_norm", "ffn_gate": "mlp.gate_proj",
         "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj"}


def name_of(name: str) -> str:
    if name in OUTER:
        return OUTER[name]
    parts = name.split(".")
    if len(parts) == 4 and parts[0] == "blk" and parts[2] in INNER:
        return f"model.layers.{parts[1]}.{INNER[parts[2]]}.{parts[3]}"
    sys.exit(f"gguf_to_safetensors: tensor {name}: not one of this family's")


def unpermuted(rows: numpy.ndarray, heads: int) -> numpy.ndarray:
    """llama.cpp keeps the two halves of a LLaMA rotation beside each other; Hugging Face keeps them apart."""
    pairs = rows.reshape(heads, rows.shape[0] // heads // 2, 2, *rows.shape[1:])
    return pairs.swapaxes(1, 2).reshape(rows.shape)


def config_of(field, family: str, tied: bool, vocab: int) -> dict:
    heads, hidden = field("attention.head_count"), field("embedding_length")
    return {"model_type": family, "vocab_size": vocab, "hidden_size": hidden, "num_hidden_layers": field("block_count"),
            "num_attention_heads": heads, "num_key_value_heads": field("attention.head_count_kv", heads),
            "head_dim": field("attention.key_length", hidden // heads), "intermediate_size": field("feed_forward_length"),
            "max_position_embeddings": field("context_length"), "rope_theta": float(field("rope.freq_base", 10000.0)),
            "rms_norm_eps": float(field("attention.layer_norm_rms_epsilon")), "tie_word_embeddings": tied}


def tokenizer_of(value) -> dict:
    tokens, kinds = value("tokenizer.ggml.tokens"), value("tokenizer.ggml.token_type", [])
    special = [i for i, kind in enumerate(kinds) if kind in (gguf.TokenType.CONTROL, gguf.TokenType.USER_DEFINED)]
    return {"model": {"type": "BPE", "vocab": {token: i for i, token in enumerate(tokens)},
                      "merges": value("tokenizer.ggml.merges", [])},
            "added_tokens": [{"id": i, "content": tokens[i], "special": True} for i in special],
            "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
                {"type": "Digits", "individual_digits": value("tokenizer.ggml.pre", "") == "smollm"}, {"type": "ByteLevel"}]},
            "decoder": {"type": "ByteLevel"}}


def write_safetensors(path: Path, tensors: dict) -> None:
    header, place = {}, 0
    for name, data in tensors.items():
        header[name] = {"dtype": "F32", "shape": list(data.shape), "data_offsets": [place, place + data.nbytes]}
        place += data.nbytes
    words = json.dumps(header).encode()
    words += b" " * (-len(words) % 8)
    with open(path, "wb") as out:
        out.write(struct.pack("<Q", len(words)) + words)
        for data in tensors.values():
            out.write(data.tobytes())


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    reader = gguf.GGUFReader(sys.argv[1])

    def value(key: str, *otherwise):
        found = reader.fields.get(key)
        if found is None and not otherwise:
            sys.exit(f"gguf_to_safetensors: {sys.argv[1]} has no {key}")
        return found.contents() if found is not None else otherwise[0]

    family = value("general.architecture")
    if family not in FAMILIES:
        sys.exit(f"gguf_to_safetensors: architecture {family}: known are {', '.join(FAMILIES)}")
    tensors = {name_of(each.name): gguf.dequantize(each.data, each.tensor_type).astype("<f4").copy()
               for each in reader.tensors}
    config = config_of(lambda key, *otherwise: value(f"{family}.{key}", *otherwise), family,
                       "lm_head.weight" not in tensors, tensors["model.embed_tokens.weight"].shape[0])
    for key in ("bos", "eos"):
        if (token := value(f"tokenizer.ggml.{key}_token_id", None)) is not None:
            config[f"{key}_token_id"] = int(token)
    if family == "llama":
        for name in list(tensors):
            for part, heads in (("q_proj", config["num_attention_heads"]), ("k_proj", config["num_key_value_heads"])):
                if part in name:
                    tensors[name] = unpermuted(tensors[name], heads)
    folder = Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer_of(value), ensure_ascii=False))
    write_safetensors(folder / "model.safetensors", tensors)


if __name__ == "__main__":
    main()

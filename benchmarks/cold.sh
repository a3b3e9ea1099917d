#!/usr/bin/env bash
# `foreword search` from a cold process, freshness check included: benchmarks/cold.sh DIR [--runs N] [QUERY...]
# The release binary of this checkout is built unless $FOREWORD names one.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ -n "${FOREWORD:-}" ] || (cd "$here/.." && cargo build --release --quiet -p foreword)
exec python3 "$here/cold.py" "$@"

#!/usr/bin/env bash
# Attacks every grammar with a million texts: grammars.sh [TEXTS] [FOLDER…]
#
# The texts are made from crates/chunk/tests/languages and, if given, from the files in FOLDER…. Each is analyzed in a
# child process with 1 GiB of address space and 4 seconds; what hangs, aborts or takes more is written to attack-out, and
# the exit status is 1. The same seeds give the same texts; FIRST=N begins at another seed.
#
# Texts are up to 4 KiB, and up to 32 KiB for every tenth part: the work after an error grows with the square of the text,
# which only a process of its own can end (crates/load/src/analyzer), so longer texts may be named as slow.
set -euo pipefail
cd "$(dirname "$0")/../.."
texts=${1:-1000000}
shift || true
cargo build --release --locked -p foreword-chunk --example attack
attack=${CARGO_TARGET_DIR:-target}/release/examples/attack
first=${FIRST:-0} failed=0 parts=$((($(nproc) + 1) / 2)) part=$((texts / 20))
run() { # FROM TO MOST FOLDER…
    nice -n 15 "$attack" fuzz "$1" "$2" --most "$3" --out attack-out "${@:4}"
}
for ((at = first; at < first + texts; at += part * parts)); do
    jobs=()
    for ((i = 0; i < parts; i++)); do
        from=$((at + i * part))
        ((from < first + texts)) || break
        most=4096
        if (((from - first) / part % 10 == 9)); then most=32768; fi
        run "$from" $((from + part)) "$most" "$@" &
        jobs+=($!)
    done
    for job in "${jobs[@]}"; do wait "$job" || failed=1; done
done
exit $failed

#!/usr/bin/env bash
# Prepares the corpora from what the machine has, the same every time: benchmarks/corpora.sh DIR [MEGABYTES...]
#
#   DIR/stdlib   CPython's standard library as installed: *.py without tests and site-packages
#   DIR/rust-N   N megabytes of crate sources of cargo's registry, *.rs, whole crates by sorted name (default: 35 and 65)
#   DIR/rust     all of them
set -euo pipefail

[ $# -ge 1 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1"
dir=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- 35 65

stdlib() {
    local from
    from=$("${PYTHON:-python3}" -c 'import sysconfig; print(sysconfig.get_paths()["stdlib"])')
    rm -rf "$dir/stdlib"
    mkdir -p "$dir/stdlib"
    (cd "$from" && find . -name '*.py' -type f \
        -not -path '*/site-packages/*' -not -path '*/dist-packages/*' \
        -not -path '*/test/*' -not -path '*/tests/*' -not -path '*/idle_test/*' -print0 |
        tar --null -T - -cf -) | tar -xf - -C "$dir/stdlib"
}

# sources TARGET BYTES: crates in order of name until BYTES are there; 0 takes all.
sources() {
    local target=$1 limit=$2 registry=${CARGO_HOME:-$HOME/.cargo}/registry/src sum=0 size crate
    rm -rf "$target"
    mkdir -p "$target"
    while IFS= read -r crate; do
        size=$(find "$crate" -name '*.rs' -type f -printf '%s\n' | awk '{ n += $1 } END { print n + 0 }')
        [ "$size" -gt 0 ] || continue
        [ "$limit" -eq 0 ] || [ $((sum + size)) -le "$limit" ] || continue
        sum=$((sum + size))
        (cd "$crate/.." && find "$(basename "$crate")" -name '*.rs' -type f -print0 | tar --null -T - -cf -) |
            tar -xf - -C "$target"
    done < <(find "$registry" -mindepth 2 -maxdepth 2 -type d | LC_ALL=C sort)
}

describe() {
    printf '%-10s %6d files %8.1f MB %9d lines\n' "$(basename "$1")" "$(find "$1" -type f | wc -l)" \
        "$(find "$1" -type f -printf '%s\n' | awk '{ n += $1 } END { print n / 1e6 }')" \
        "$(find "$1" -type f -print0 | xargs -0 cat | wc -l)"
}

stdlib
describe "$dir/stdlib"
for megabytes in "$@"; do
    sources "$dir/rust-$megabytes" $((megabytes * 1000000))
    describe "$dir/rust-$megabytes"
done
sources "$dir/rust" 0
describe "$dir/rust"

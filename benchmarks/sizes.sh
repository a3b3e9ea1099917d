#!/usr/bin/env bash
# sizes.sh [PROFILE]: what the binary of a profile (by default `dist`, which is packaged) is made of, in megabytes of 10^6
# bytes, how large it is compressed, and how long it takes to start. Build it first: cargo build --profile dist.
# The part of a grammar is what its object files hold, as the compiler left them below target/PROFILE/build.
set -euo pipefail
cd "$(dirname "$0")/.."
profile=${1:-dist}
folder="${CARGO_TARGET_DIR:-target}/$profile"
binary="$folder/foreword"
megabytes() { awk -v n="$1" 'BEGIN { printf "%.2f", n / 1e6 }'; }
row() { echo "| $1 | $(megabytes "$2") |"; }

# The newest build of each grammar: one line each, bytes and name.
grammars() {
  local out name bytes
  for out in $(ls -dt "$folder"/build/tree-sitter-*/out); do
    name=$(basename "$(dirname "$out")")
    name=${name%-*}
    bytes=$(find "$out" -name '*.a' -print0 | xargs -0 -r size 2>/dev/null |
      awk '$1 ~ /^[0-9]+$/ { n += $1 + $2 } END { print n + 0 }')
    echo "$bytes ${name#tree-sitter-}"
  done | awk '$1 > 0 && !seen[$2]++' | sort -nr
}

all="$(stat -c %s "$binary")"
vocabulary="$(ls -t "$folder"/build/foreword-model-*/out/qwen2 | head -1)"
echo "| part | MB |"
echo "|---|---|"
row "**the binary**" "$all"
row "**compressed as in a wheel** (deflate)" "$(gzip -9 -c "$binary" | wc -c)"
row "compressed by zstd -19" "$(zstd -q -19 -c "$binary" | wc -c)"
size -A "$binary" | awk '/^\./ && $2 > 300000 { printf "| section `%s` | %.2f |\n", $1, $2 / 1e6 }'
row "Qwen2's vocabulary, compressed" "$(stat -c %s "$vocabulary")"
row "the inspector's page" "$(stat -c %s crates/foreword/inspector/built/page.html)"
parts="$(grammars | grep -v ' tree-sitter$')"
row "all grammars" "$(awk '{ n += $1 } END { print n }' <<<"$parts")"
awk '{ printf "| … %s | %.2f |\n", $2, $1 / 1e6 }' <<<"$parts"

echo
python3 - "$binary" <<'PYTHON'
import subprocess, sys, time
taken = []
for _ in range(31):
    begin = time.perf_counter()
    subprocess.run([sys.argv[1], "--version"], stdout=subprocess.DEVNULL, check=True)
    taken.append((time.perf_counter() - begin) * 1e3)
taken.sort()
print(f"Start (`--version`): {taken[15]:.1f} ms in the median of 31, {taken[0]:.1f} ms at best.")
PYTHON

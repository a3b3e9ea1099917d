#!/usr/bin/env bash
# sizes.sh [BINARY]: what the binary is made of, in megabytes, and how long it takes to start.
# The tables of each grammar are the data of its object files, as the compiler left them in target/release/build.
set -euo pipefail
cd "$(dirname "$0")/.."
binary=${1:-target/release/foreword}
megabytes() { awk -v n="$1" 'BEGIN { printf "%.2f", n / 1e6 }'; }

echo "| part | MB |"
echo "|---|---|"
echo "| the binary | $(megabytes "$(stat -c %s "$binary")") |"
echo "| compressed by zstd -19 | $(megabytes "$(zstd -q -19 -c "$binary" | wc -c)") |"
size -A "$binary" | awk '$2 > 500000 { printf "| section %s | %.2f |\n", $1, $2 / 1e6 }'
vocabularies=$(find target/release/build -path '*foreword-model-*/out/*' -type f -newer crates/model/build.rs -print0 |
  xargs -0 -r stat -c '%s' | awk '{ n += $1 } END { print n + 0 }')
echo "| vocabularies, compressed | $(megabytes "$vocabularies") |"
for folder in target/release/build/tree-sitter-*/out; do
  name=$(basename "$(dirname "$folder")"); name=${name%-*}
  bytes=$(find "$folder" -name '*.a' -print0 | xargs -0 -r size 2>/dev/null | awk '$1 ~ /^[0-9]+$/ { n += $1 + $2 } END { print n + 0 }')
  [ "$bytes" -gt 0 ] && echo "$bytes $name"
done | sort -k2,2 -k1,1nr | awk '!seen[$2]++' | sort -nr | awk '{ printf "| %s | %.2f |\n", $2, $1 / 1e6 }'

echo
python3 - "$binary" <<'PYTHON'
import subprocess, sys, time
def median(args):
    taken = []
    for _ in range(31):
        begin = time.perf_counter()
        subprocess.run([sys.argv[1], *args], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        taken.append((time.perf_counter() - begin) * 1e3)
    return sorted(taken)[len(taken) // 2]
print(f"start (--version), median of 31: {median(['--version']):.1f} ms")
PYTHON

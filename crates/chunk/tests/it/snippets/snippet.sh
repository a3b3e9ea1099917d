#!/bin/bash
set -euo pipefail
source ./a.sh

# F.
f() {
  local x="${1:-d}"
  for i in "$@"; do
    echo "$i" | grep -q x && return 0
  done
  cat <<EOF
text $x
EOF
}

if [[ -f a ]]; then f a; fi

#!/usr/bin/env bash
# Doubling tests in full: every entry point that reads somebody else's text, with texts of every repeated token and of
# pairs of tokens. Fails where the work for 8 n bytes is more than twenty times that for n bytes.
#
#   benchmarks/attack/doubling.sh [PAIRS]
#
# DOUBLING_ENTRY=ask and DOUBLING_TOKEN='[' select, DOUBLING_BYTES=262144 tries longer texts. A short form is part of the
# tests (crates/foreword/tests/it/doubling).
set -euo pipefail
cd "$(dirname "$0")/../.."
export DOUBLING_PAIRS="${1:-100}"
exec cargo test -p foreword --locked --test it doubling::work_grows_linearly_with_every_token -- --ignored --nocapture

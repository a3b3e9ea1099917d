#!/usr/bin/env bash
# A script.

source ./lib/util.sh
# <- import ./lib/util.sh
# ~ call source
. "$(dirname "$0")/other.sh"
# <- import $(dirname "$0")/other.sh
# ~ call ., call dirname

LIMIT=10
# <- definition.constant
export NAME="x"
#      ^ definition.constant
readonly OTHER=1
#        ^ definition.constant
declare -A MAP

# Prints help.
usage() {
# <- definition.function (doc, body)
  local inner=1
  deep=2
  cat <<EOF
  # ~ call cat
text
EOF
  helper "$1" | other -x
  # ~ call helper, call other
}

function run {
#        ^ definition.function (body)
  usage "$@"
  # ~ call usage
}

if [ -n "$1" ]; then
  run "$1"
  # ~ call run
fi

#!/bin/sh
# Tests greet: check EXPECTED ARGUMENT...
cd "$(dirname "$0")" || exit 1
failures=0

check() {
  expected=$1
  shift
  actual=$(sh greet "$@" 2>&1)
  if [ "$actual" = "$expected" ]; then
    echo "ok: greet $*"
  else
    echo "FAILED: greet $*: expected '$expected', got '$actual'"
    failures=$((failures + 1))
  fi
}

check "Hello, world!"
check "Hello, Ada!" Ada

exit "$failures"

#!/usr/bin/env bash
# Our benchmarks and the peers' by turns, so that what else the machine does slows all alike; then
# the document. BUILD has agneto and agneto-bench; the peers are installed and built in SCRATCH.
#
#   run.sh BUILD SCRATCH DOCUMENT
set -euo pipefail

usage='usage: run.sh BUILD SCRATCH DOCUMENT'
build=$(realpath "${1:?$usage}")
mkdir -p "${2:?$usage}" && scratch=$(realpath "$2")
document=$(realpath "${3:?$usage}")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rounds=3

say() { printf '==> %s\n' "$*"; }

say "Installing XState, LangGraph, linters and others, building the program for Qt SCXML"
cp "$here/package.json" "$scratch/package.json"
npm install --prefix "$scratch" --no-package-lock --no-audit --no-fund --loglevel=error >"$scratch/log"
{ cmake -S "$here/qt" -B "$scratch/qt" -G Ninja -DCMAKE_BUILD_TYPE=Release &&
  cmake --build "$scratch/qt"; } >"$scratch/log" 2>&1 || {
  cat "$scratch/log" >&2
  exit 1
}

git -C "$here" describe --always --dirty >"$scratch/commit.txt"
for ((round = 1; round <= rounds; round++)); do
  say "Round $round of $rounds"
  "$build/agneto-bench" --benchmark_format=json --benchmark_min_time=0.3 \
    --benchmark_filter='^(event|floor|runs|durable)/|^bundled_workflow|^generated/states/' \
    >"$scratch/agneto-$round.json" 2>"$scratch/log" || {
    cat "$scratch/log" >&2
    exit 1
  }
  node "$here/xstate.mjs" "$scratch" >"$scratch/xstate-$round.jsonl"
  node "$here/langgraph.mjs" "$scratch" >"$scratch/langgraph-$round.jsonl"
  "$scratch/qt/qt-scxml" >"$scratch/qt-$round.jsonl"
  node "$here/lint.mjs" "$scratch" "$build/agneto" >"$scratch/lint-$round.jsonl"
done
say "Start, and three chunks"
"$here/../run.sh" "$build/agneto" | tail -n +2 >"$scratch/whole.txt"

compiler=$("$(sed -n 's/^CMAKE_CXX_COMPILER:[^=]*=//p' "$build/CMakeCache.txt")" --version)
{
  node "$here/document.mjs" "$scratch" "$rounds" "${compiler%%$'\n'*}"
  echo
  sed -n '/^## \(A server\|From a fresh clone\)/,$p' "$document"  # which bench/serve.mjs and fresh.sh write
} >"$scratch/benchmarks.md"
mv "$scratch/benchmarks.md" "$document"
say "Wrote ${document#"$PWD/"}"

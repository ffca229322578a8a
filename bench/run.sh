#!/usr/bin/env bash
# Two numbers that a person feels: how long agneto takes to start, and how long it takes itself for
# a task of three chunks (19 calls) when every agent answers at once. Then, with its micro-benchmarks,
# what an event costs, and a step that is on the disk.
#
#   run.sh AGNETO [AGNETO-BENCH]
set -euo pipefail

agneto=$(realpath "${1:?usage: run.sh AGNETO [AGNETO-BENCH]}")
benchmarks=${2:+$(realpath "$2")}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/agneto-bench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1

export LC_ALL=C
now() { echo "${EPOCHREALTIME/./}"; }

# Microseconds on stdin, one a line: "median M ms (best B ms, worst W ms of N)".
describe() {
  sort -n | awk '{t[NR] = $1 / 1e3}
    END {printf "median %.1f ms (best %.1f, worst %.1f, of %d)\n", t[int((NR + 1) / 2)], t[1], t[NR], NR}'
}

# measure TIMES COMMAND…: the microseconds of each run; what the command says is kept for a failure.
measure() {
  local times=$1 i start
  shift
  for ((i = 0; i < times; i++)); do
    start=$(now)
    "$@" >"$scratch/said" 2>&1 || {
      cat "$scratch/said" >&2
      echo "run.sh: failed: $*" >&2
      return 1
    }
    echo $(($(now) - start))
  done
}

three_chunks() {
  local i
  for ((i = 0; i < 10; i++)); do
    local repository=$scratch/project-$i
    git init -q -b main "$repository"
    cd "$repository"
    git -c user.name=bench -c user.email=bench@localhost commit -q --allow-empty -m "Start"
    measure 1 "$agneto" run "write three files" --cassette "$here/three-chunks.yaml" \
      --non-interactive --auto-merge
    [[ $(git ls-tree --name-only main) == $'one.txt\nthree.txt\ntwo.txt' ]] || {
      cat "$scratch/said" >&2
      echo "run.sh: the task did not merge its three files" >&2
      return 1
    }
  done
}

# Google Benchmark's JSON, one key a line -> "event/ping_pong   21.3 M/s   47 ns   0 allocations".
events() {
  "$benchmarks" --benchmark_filter='^(event|floor|runs)/' --benchmark_format=json \
    2>"$scratch/said" | awk -F': |,$' '
      $1 ~ /"name"/ {gsub(/"|\/iterations.*/, "", $2); name = $2; rate = 0; more = ""}
      $1 ~ /"items_per_second"/ {rate = $2}
      $1 ~ /"allocations"/ {more = more sprintf("%6.3g allocations", $2)}
      $1 ~ /"heap_bytes"/ {more = more sprintf(", %.3g KB for each run", $2 / 1e3)}
      $1 ~ /"error_message"/ {print "run.sh: " name ": " $2 >"/dev/stderr"; failed = 1}
      /^ *}/ && rate {
        printf "%-20s %8.3g M/s %8.0f ns  %s\n", name, rate / 1e6, 1e9 / rate, more
        rate = 0
      }
      END {exit failed}' || {
    cat "$scratch/said" >&2
    return 1
  }
}

# What a step costs that is on the disk, and what the journal of long and many runs does.
durable() {
  "$benchmarks" --benchmark_filter='^durable/' --benchmark_format=json \
    2>"$scratch/said" | awk -F': |,$' '
      $1 ~ /"name"/ {gsub(/"|\/(iterations|real_time|manual_time).*/, "", $2); name = $2; more = ""}
      $1 ~ /"real_time"/ {time = $2}
      $1 ~ /"time_unit"/ {gsub(/"/, "", $2); unit = $2}
      $1 ~ /"of_bare"/ {of_bare = $2}
      $1 ~ /"steps"/ {more = sprintf("%8.0f steps/s, %.2f of bare commits", $2, of_bare)}
      $1 ~ /"late"/ {late = $2}
      $1 ~ /"step_bytes"/ {
        more = sprintf("%8.3g %s, %.0f bytes a step, the last steps %.2f times as long as the first",
          time, unit, $2, late)
      }
      $1 ~ /"error_message"/ {print "run.sh: " name ": " $2 >"/dev/stderr"; failed = 1}
      /^ *}/ && name {
        printf "%-20s %s\n", name, more ? more : sprintf("%8.3g %s", time, unit)
        name = ""
      }
      END {exit failed}' || {
    cat "$scratch/said" >&2
    return 1
  }
}

cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
version=$("$agneto" --version)
echo "$(date -u +%F)  $version  ${cpu:-$(uname -m)}, $(nproc) cores, $(uname -sr)"
if command -v hyperfine >/dev/null; then
  hyperfine -N --style none --warmup 5 --runs 100 --export-json "$scratch/start.json" \
    "'$agneto' --version" >"$scratch/said" 2>&1
  start=$(sed -n '/"times"/,/\]/p' "$scratch/start.json" | grep -oE '[0-9]+\.[0-9e-]+' |
    awk '{printf "%.0f\n", $1 * 1e6}' | describe)
else
  start=$(measure 105 "$agneto" --version | tail -n 100 | describe)
fi
echo "agneto --version, start to exit:           $start"
task=$(three_chunks | describe)
echo "three chunks, 19 calls answered at once:   $task"
[[ -z $benchmarks ]] || { echo; events; echo; durable; }

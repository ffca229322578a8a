#!/usr/bin/env bash
# run.sh PROGRAM LIMIT… CORPUS…: runs what fuzzes, always from the same start. An input that breaks it
# is printed, with how to try it again.
set -euo pipefail
program=$1
shift
found=$(dirname "$program")/found/$(basename "$program")
rm -rf "$found"
mkdir -p "$found/new"  # the first folder is where it puts what it found worth keeping
! "$program" -seed=1 -verbosity=0 -print_funcs=0 -timeout=60 -rss_limit_mb=2048 \
  -artifact_prefix="$found/" "$found/new" "$@" || exit 0

for input in "$found"/{crash,leak,oom,timeout}-*; do
  [[ -f $input ]] || continue
  printf '\nThis breaks it (base64):\n\n'
  base64 "$input"
  cat <<END

To try it again: base64 -d >build/input, paste the lines above, press Ctrl+D, and then
  cmake --preset asan && cmake --build build/asan --target fuzz && build/asan/$(basename "$program") build/input
Once mended, it goes into tests/fuzz/corpus, so that it stays so.
END
done
exit 1

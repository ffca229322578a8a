#!/bin/sh
# Installs what package.json names (the real agent CLIs, and validators) into build/e2e, once per
# change of that file.
# Nothing of them is in the repository; needs npm.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
there=$here/../../build/e2e

if cmp -s "$here/package.json" "$there/installed.json"; then exit 0; fi
echo "Installing the agent CLIs and validators into build/e2e (about 1 GB, half a minute) ..."
mkdir -p "$there"
cp "$here/package.json" "$there/package.json"
(cd "$there" && npm install --no-package-lock --no-audit --no-fund --loglevel=error)
for cli in claude codex opencode gemini; do
  "$there/node_modules/.bin/$cli" --version >/dev/null || {
    echo "$cli was installed, but does not start; try: rm -r build/e2e" >&2
    exit 1
  }
done
cp "$there/package.json" "$there/installed.json"

#!/bin/sh
# The demo: agneto adds a --shout flag to a small program, in a throwaway repository, with the
# agents' replies and edits (and a person's answers) played from cassette.yaml.
#
#   run.sh AGNETO [--interactive]     --interactive: you answer the questions yourself
set -eu

if [ $# -lt 1 ]; then
  echo "usage: run.sh AGNETO [--interactive]" >&2
  exit 2
fi
agneto=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
demo=$(cd "$(dirname "$0")" && pwd)

repository=$(mktemp -d "${TMPDIR:-/tmp}/agneto-demo.XXXXXX")
cp "$demo"/project/* "$repository"
cd "$repository"
git init -q -b main
git add .
git -c user.name=demo -c user.email=demo@example.invalid -c commit.gpgsign=false \
  commit -q -m "Greet people"

echo "\$ cd $repository"
echo "\$ agneto run 'add a --shout flag' --auto-merge --input verify='sh test.sh'"
status=0
trap : INT  # Ctrl+C is for agneto, which asks what now
"$agneto" run "add a --shout flag" --cassette "$demo/cassette.yaml" --auto-merge \
  --input verify="sh test.sh" "$@" || status=$?
trap - INT

echo
if [ "$status" -ne 0 ]; then
  echo "Nothing was merged, so the demo ends here. Its repository stays: $repository"
  [ "$status" -ne 3 ] || echo "To go on with it: cd $repository && $agneto resume last"
  exit "$status"
fi
echo "\$ git log --oneline main"
git --no-pager log --oneline main
echo "\$ sh greet --shout Ada"
sh greet --shout Ada

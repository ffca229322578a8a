#!/bin/sh
# The demo in a browser: a throwaway repository, a server, and five runs that stand differently. Their agents
# are played from cassette.yaml and web/cassette.yaml; so are those of the tasks that you submit.
#
#   web.sh AGNETO
set -eu

if [ $# -ne 1 ]; then
  echo "usage: web.sh AGNETO" >&2
  exit 2
fi
agneto=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
demo=$(cd "$(dirname "$0")" && pwd)

folder=$(mktemp -d "${TMPDIR:-/tmp}/agneto-demo.XXXXXX")
server=
leave() {
  trap - EXIT
  if [ -n "$server" ]; then
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  fi
  rm -rf "$folder"
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

repository=$folder/greet
cp -r "$demo/project" "$repository"
mkdir -p "$repository/.agneto/scripts"
cp -r "$demo/web/workflows" "$repository/.agneto"
cp -r "$demo/web/providers" "$repository/.agneto/scripts"
{
  cat "$demo/web/config.yaml"
  grep -hv '^agneto-cassette:' "$demo/cassette.yaml" "$demo/web/cassette.yaml" | sed 's/^./      &/'
} >"$repository/.agneto/config.yaml"
cd "$repository"
git init -q -b main
git add .
git -c user.name=demo -c user.email=demo@example.invalid -c commit.gpgsign=false commit -q -m "Greet people"

token=$("$agneto" token make you --scope admin 2>/dev/null)
: >"$folder/said"
"$agneto" serve --listen 127.0.0.1:0 --grace 1s >>"$folder/said" 2>&1 &
server=$!
while ! grep -q '^API: ' "$folder/said"; do
  kill -0 "$server" 2>/dev/null || { cat "$folder/said" >&2; exit 1; }
  sleep 0.1
done
address=$(sed -n 's|^API: \(.*\)/api/v1/$|\1|p' "$folder/said")

submit() {
  "$agneto" submit "$@" >"$folder/submitted" 2>&1 || { cat "$folder/submitted" >&2; exit 1; }
}
submit "add a --shout flag" --non-interactive --auto-merge --input verify="sh test.sh"
submit "greet people by the time of day" --workflow change
submit "tidy up once everybody sleeps" --workflow tonight
submit "what is not tested" --workflow survey
submit "what is not documented" --workflow survey

echo "Five runs in $repository: one at work, one queued behind it, one waiting"
echo "for you, one parked until tonight, and one that will be done in a moment."
echo "Tasks that you submit are played by the same recorded agents."
echo
echo "    $address/#token=$token"
echo
echo "Ctrl+C ends the server and removes the repository."
wait "$server"

#!/usr/bin/env bash
# How long somebody waits who has nothing: a fresh clone on a fresh Debian, without anything built,
# downloaded or cached. Makes such a Debian in SCRATCH, times the README's two commands in it, and what
# continuous integration runs in another, and writes that section of DOCUMENT. Needs to be root, and an
# hour; the commit is the one that is checked out.
#
#   fresh.sh SCRATCH DOCUMENT
set -euo pipefail

usage='usage: fresh.sh SCRATCH DOCUMENT'
mkdir -p "${1:?$usage}" && scratch=$(realpath "$1")
document=$(realpath "${2:?$usage}")
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
root=$scratch/root

say() { printf '==> %s\n' "$*"; }

((EUID == 0)) || { echo "fresh.sh: needs to be root" >&2; exit 1; }

# The fresh Debian reaches the package registries in the same way as this machine.
fresh() {
  local file
  rm -rf --one-file-system "$root"
  mmdebstrap --quiet --variant=minbase --include=git,ca-certificates \
    "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$root"
  for file in /etc/resolv.conf /etc/apt/{apt,auth}.conf.d /etc/ssl/certs/ca-certificates.crt /usr/etc/npmrc; do
    [[ ! -e $file ]] || { mkdir -p "$root${file%/*}" && cp -rL --remove-destination "$file" "$root${file%/*}/"; }
  done
  [[ ! -e ~/.npmrc ]] || cp ~/.npmrc "$root/root/"
  git clone --quiet "$source" "$root/root/agneto"
}

# timed NAME COMMAND…: in the fresh Debian, in the clone; leaves the time in `took`. The root is exchanged and
# not just changed, since agents' sandboxes do not work below a changed one.
timed() {
  local name=$1 begun=$SECONDS
  shift
  say "$*"
  # shellcheck disable=SC2016  # the inner shell knows its arguments
  unshare --mount --pid --fork env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 CI=true \
    ${NODE_EXTRA_CA_CERTS:+NODE_EXTRA_CA_CERTS="$NODE_EXTRA_CA_CERTS"} \
    bash -c 'cd "$1" && shift && mount --bind . . && cd "$PWD" && mount -t proc proc proc && mount --rbind /dev dev &&
      mount --rbind /sys sys && pivot_root . . && umount -l . && cd /root/agneto && exec "$@"' bash "$root" "$@" \
    </dev/null >"$scratch/$name.log" 2>&1 || {
    tail -n 40 "$scratch/$name.log" >&2
    echo "fresh.sh: it failed; all it said is in $scratch/$name.log" >&2
    exit 1
  }
  took=$(printf '%d:%02d' $(((SECONDS - begun) / 60)) $(((SECONDS - begun) % 60)))
  say "took $took"
}

# written ROW…: the section with what is measured so far, so that nothing of an hour is lost.
written() {
  local before
  before=$(sed '/^## From a fresh clone/,$d' "$document")
  cat >"$document" <<END
$before

## From a fresh clone

Wall time on a fresh Debian, with nothing built, downloaded or cached, and with all that has to be
installed. Measured on $(date -u +%F) by \`./dev bench --fresh\` at $(git -C "$source" describe --always) on
$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, $(uname -sr).

| what | target | minutes |
| --- | ---: | ---: |
END
  printf '| %s |\n' "$@" >>"$document"
}

fresh
timed demo ./dev demo
rows=("\`./dev demo\`, to its end | < 4 | $took")
written "${rows[@]}"
timed test ./dev test
rows+=("\`./dev test\`, after it | < 20 | $took")
written "${rows[@]}"
fresh
timed ci .ci/run
rows+=("\`.ci/run\`, in another fresh Debian | < 60 | $took")
written "${rows[@]}"
rm -rf --one-file-system "$root"

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs a command of ./dev in a copy of the tree in a fresh Debian 12 that holds nothing but its base system.
# bare.sh SOURCE COMMAND [ARG...], as root. YOKE_BARE_FOLDER names where the system is made; it goes afterwards.
set -euo pipefail
suite=bookworm

if [ "${1:-}" != --inside ]; then
  place=$(mktemp -d "${YOKE_BARE_FOLDER:-/var/tmp}/yoke-bare.XXXXXX")
  # One file system: should a mount be left, what is mounted there is not touched.
  trap 'rm -rf --one-file-system "$place"' EXIT
  trap 'exit 130' INT TERM
  # Mounts and processes live in namespaces of their own and end with the shell in there.
  unshare --mount --pid --fork --kill-child "${BASH_SOURCE[0]}" --inside "$place" "$@" </dev/null
  exit
fi

place=$2 source=$3
shift 3
system=$place/system

# The mirror that this machine takes the suite from; debootstrap's own if it has none.
mirror=
if grep -qs '^ID=debian' /etc/os-release; then
  # shellcheck disable=SC2016 # apt's own variables
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' | sed -n "s/ $suite\$//p" | head -n 1)
fi
echo "making Debian 12 in $system" >&2
debootstrap "$suite" "$system" ${mirror:+"$mirror"} >"$place/debootstrap.log" 2>&1 || {
  tail -n 20 "$place/debootstrap.log" >&2
  exit 1
}

# What this machine needs for reaching packages: mirrors and apt's settings, pip's, name servers, certificates.
copy() {
  [ ! -e "$1" ] || { mkdir -p "$system$(dirname "$1")" && cp -RL "$1" "$system$1"; }
}
if [ -n "$mirror" ]; then
  rm -f "$system/etc/apt/sources.list"
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
    if grep -qs "$suite" "$file"; then copy "$file"; fi
  done
  for folder in apt.conf.d auth.conf.d trusted.gpg.d keyrings; do copy "/etc/apt/$folder"; done
fi
for file in /etc/resolv.conf /etc/hosts /etc/pip.conf /etc/ssl/certs/ca-certificates.crt; do copy "$file"; done

mount -t proc proc "$system/proc"
mount -t sysfs sysfs "$system/sys"
mount --rbind /dev "$system/dev"

# Below root's home, which others cannot enter.
chmod 700 "$system/root"
mkdir "$system/root/yoke"
git -C "$source" ls-files -z --cached --others --exclude-standard |
  (cd "$source" && while IFS= read -r -d '' file; do if [ -e "$file" ]; then printf '%s\0' "$file"; fi; done) |
  tar -C "$source" --null --no-recursion -T - -cf - | tar -C "$system/root/yoke" -xf -

echo "./dev $*" >&2
start=$SECONDS result=0
chroot "$system" /usr/bin/env -i HOME=/root LANG=C.UTF-8 TERM="${TERM:-dumb}" \
  PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  bash -c 'cd /root/yoke && exec ./dev "$@"' dev "$@" || result=$?
echo "./dev $* ended with $result after $((SECONDS - start)) s on a bare system" >&2
exit "$result"

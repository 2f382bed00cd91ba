#!/bin/sh
# Runs a program in another root, without privileges: sh in-root.sh ROOT UID ro|rw FOLDERS PROGRAM WORDS... The folders, with `:` between
# them, are at the same place inside. Nothing of it is left when the program ends.
set -eu
if [ -z "${IN_NAMESPACE:-}" ]; then
  IN_NAMESPACE=1 exec unshare --mount --propagation private sh "$0" "$@"
fi
unset IN_NAMESPACE
root=$1 uid=$2 access=$3 folders=$4
shift 4
mkdir -p "$root/proc" "$root/dev"
mount --bind "$root" "$root"
mount --bind /proc "$root/proc"
mount --rbind /dev "$root/dev"
IFS=:
for folder in $folders; do
  mkdir -p "$root$folder"
  mount --bind "$folder" "$root$folder"
done
if [ "$access" = ro ]; then mount -o remount,bind,ro "$root"; fi
exec /usr/sbin/chroot --userspec="$uid:$uid" --groups= "$root" "$@"

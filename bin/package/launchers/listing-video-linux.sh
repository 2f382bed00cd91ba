#!/bin/sh
# Runs Listing Video with the Node of its folder, also through a link.
file=$0
if [ -L "$file" ]; then file=$(readlink -f -- "$file"); fi
case $file in
*/*) folder=${file%/*} ;;
*) folder=. ;;
esac
# A double click: no words, and no terminal to print in.
if [ $# = 0 ] && [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && [ ! -t 0 ] && [ ! -t 1 ] && [ ! -t 2 ]; then
  folder=$(cd "$folder" && pwd)
  cd && set -- studio
fi
exec "$folder/node/node" "$folder/app/bin/listing-video.js" "$@"

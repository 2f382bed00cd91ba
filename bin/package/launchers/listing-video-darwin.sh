#!/bin/sh
# Runs Listing Video with the Node of its folder, also through a link.
file=$0
while [ -L "$file" ]; do
  target=$(readlink "$file")
  case $target in
  /*) file=$target ;;
  *) file=$(dirname "$file")/$target ;;
  esac
done
inside="$(dirname "$file")/Listing Video.app/Contents/Resources"
exec "$inside/node/node" "$inside/app/bin/listing-video.js" "$@"

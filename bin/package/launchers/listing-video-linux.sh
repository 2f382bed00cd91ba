#!/bin/sh
# Runs Listing Video with the Node of its folder, also through a link.
file=$0
if [ -L "$file" ]; then file=$(readlink -f -- "$file"); fi
case $file in
*/*) folder=${file%/*} ;;
*) folder=. ;;
esac
exec "$folder/node/node" "$folder/app/bin/listing-video.js" "$@"

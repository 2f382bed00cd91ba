#!/bin/sh
exec /usr/lib/listing-video/node/node /usr/lib/listing-video/app/bin/listing-video.js "$@"

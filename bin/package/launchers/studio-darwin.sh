#!/bin/sh
# Opens the studio. Why it does not start is shown in a window, because there is no terminal.
inside=$(cd "$(dirname "$0")/../Resources" && pwd)
cd "$HOME" || exit 1
problem=$("$inside/node/node" "$inside/app/bin/listing-video.js" studio 2>&1 >/dev/null) && exit 0
status=$?
osascript - "$problem" <<'SCRIPT'
on run argv
  display alert "Listing Video has stopped" message (item 1 of argv) as critical
end run
SCRIPT
exit $status

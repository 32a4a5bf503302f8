#!/bin/bash
# run.sh: serves the demo site from build/demo with the static binary, in the foreground. The site is written
# out of the binary the first time and stays as its owner changes it.
. "$(dirname "$0")/lib.sh"

site=$root/build/demo
atoll=$root/build/musl/atoll

[ -d "$site" ] || "$atoll" init "$site"
"$packaging/islands.sh" --site "$site"
# The port that the README names, whoever runs this; a `listen` of the site's own stands.
listen=(--listen :8080)
! grep -q '^listen' "$site/atoll.toml" || listen=()
exec "$atoll" serve "${listen[@]}" "$site"

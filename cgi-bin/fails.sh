#!/bin/bash
# An island that fails, on purpose: it says why on standard error, which goes to the server's log,
# and ends without printing anything. A page that includes it shows its error text here and goes on.
echo "fails.sh: nothing to see here, this island fails on purpose" >&2
exit 1

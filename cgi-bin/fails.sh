#!/bin/bash
# An island that fails, on purpose: it says why on standard error, which goes to the server's log,
# and ends without printing anything; asked for with ?crash it is killed. A page that includes it shows its error text here and goes on.
echo "fails.sh: nothing to see here, this island fails on purpose" >&2
[ "$QUERY_STRING" != crash ] || kill -ABRT $$
exit 1

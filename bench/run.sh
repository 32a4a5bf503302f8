#!/bin/sh
# run.sh [OPTION...]: measures Atoll against nginx, Apache, lighttpd, Caddy and bare limits. README.md says
# what and how; `run.sh --help` lists the options. `make bench` calls it.
#
# Installs what is missing and hands over to measure/, which builds the site and the limits in a
# temporary directory, and starts and ends every server. Only --record leaves anything behind.
set -eu

bench=$(cd "$(dirname "$0")" && pwd)
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
export PATH

missing() {
    for tool in nginx fcgiwrap apache2 lighttpd caddy wrk python3 perl bash; do
        command -v "$tool" >/dev/null 2>&1 || echo "$tool"
    done
    command -v musl-gcc >/dev/null 2>&1 || command -v gcc >/dev/null 2>&1 || echo musl-gcc
    command -v clang++-19 >/dev/null 2>&1 || command -v g++ >/dev/null 2>&1 || echo clang++-19
}

if [ -n "$(missing)" ]; then
    "$bench/../packaging/packages.sh" bench
fi
if [ -n "$(missing)" ]; then
    echo "bench: still missing after the installation:" $(missing) >&2
    exit 1
fi
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$bench exec python3 -m measure "$@"

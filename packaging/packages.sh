#!/bin/bash
# packages.sh GROUP...: installs the Debian packages of packaging/packages/GROUP that are missing.
# Returns at once, without touching the network, when nothing is missing. Services that come with a
# package are neither started nor enabled: a web server installed for the benchmark must not take port 80.
. "$(dirname "$0")/lib.sh"

main() {
    [ $# -gt 0 ] || fail "usage: packages.sh GROUP... (groups: $(ls -m "$packaging/packages"))"
    local wanted missing
    wanted=$(for group in "$@"; do packagesOf "$group"; done)
    command -v dpkg-query >/dev/null || fail "this needs a Debian machine (there is no dpkg here); elsewhere install the equivalents of: "$wanted
    missing=$(missingOf $wanted)
    [ -n "$missing" ] || return 0
    command -v apt-get >/dev/null || fail "apt-get is missing, so these packages cannot be installed: "$missing
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || fail "run this as root, or install sudo: these packages are missing: "$missing
        exec sudo -- "$0" "$@"
    fi
    say "installing the packages for $*: "$missing
    install $missing
}

packagesOf() {
    [ -f "$packaging/packages/$1" ] || fail "no package group named $1"
    sed 's/#.*//' "$packaging/packages/$1" | tr -s ' \n' '\n' | grep .
}

missingOf() {
    local present
    present=$(dpkg-query -W -f='${db:Status-Abbrev}${Package}\n' "$@" 2>/dev/null | sed -n 's/^ii *//p' || true)
    comm -23 <(printf '%s\n' "$@" | sort -u) <(sort -u <<<"$present")
}

install() {
    local log before
    log=$(mktemp /tmp/atoll-packages.XXXXXX.log)
    before=$(installedPackages)
    holdServices
    logged "$log" "apt-get" aptInstall "$@"
    releaseServices
    disableServices $(comm -13 <(echo "$before") <(installedPackages))
    rm -f "$log"
}

aptInstall() {
    export DEBIAN_FRONTEND=noninteractive
    local options=(-o DPkg::Lock::Timeout=900 -o Acquire::Retries=3)
    # A foreign repository that is away must not stop us: what is needed comes from Debian itself.
    apt-get "${options[@]}" update || echo "apt-get update reported an error; trying with what is known"
    apt-get "${options[@]}" install -y --no-install-recommends "$@"
}

installedPackages() { dpkg-query -W -f='${Package}\n' | sort -u; }

# Debian's maintainer scripts ask this file before they start a service; 101 means "do not".
policy=/usr/sbin/policy-rc.d

holdServices() {
    [ ! -e "$policy" ] || return 0
    trap releaseServices EXIT
    printf '#!/bin/sh\n# written by atoll for the time of one installation\nexit 101\n' >"$policy"
    chmod 755 "$policy"
}

releaseServices() {
    if grep -qs 'written by atoll' "$policy"; then rm -f "$policy"; fi
    trap - EXIT
}

# Those that arrived just now would start with the next boot, or run already where the machine has its own
# policy-rc.d.
disableServices() {
    [ $# -gt 0 ] || return 0
    local path
    for path in $(dpkg -L "$@" | grep -E '/systemd/system/[^/@]+\.(service|socket)$|^/etc/init\.d/' || true); do
        case $path in
        /etc/init.d/*) quietly service "${path##*/}" stop; quietly update-rc.d "${path##*/}" disable ;;
        *) quietly systemctl disable --now "${path##*/}" ;;
        esac
    done
}

quietly() {
    if command -v "$1" >/dev/null; then "$@" >/dev/null 2>&1 || true; fi
}

main "$@"

# Fetching the pinned source of a library from Debian's archive. Sourced by dependencies.sh.
#
# A candidate is pinned by its upstream version and the SHA-256 of the upstream tarball; the packaging
# revision around it may change. Releases lose versions, so a recipe lists candidates in order of preference.

# fetchSource NAME CANDIDATES: unpacks the first candidate that can be had into ./source and writes its version
# to ./version. A candidate that is gone is said so; a tarball with a wrong checksum stops everything.
fetchSource() {
    local name=$1 version sum package releases release
    while read -r version sum package releases; do
        [ -n "$version" ] || continue
        for release in ${releases//,/ }; do
            if downloadUpstream "$package" "$version" "$release"; then
                unpackChecked "$sum"
                echo "$version" >version
                return
            fi
        done
        say "      $name $version is gone from Debian's archive ($releases); trying the next candidate"
    done <<<"$2"
    fail "no candidate source of $name can be fetched from Debian's archive (is the network there?)"
}

# downloadUpstream PACKAGE VERSION RELEASE: puts the upstream tarball into ./download.
downloadUpstream() {
    local package=$1 version=$2 release=$3 exact
    sourceIndex "$release" || return 1
    exact=$(aptFor "$release" apt-cache showsrc --only-source "$package" |
        awk -v upstream="$version" '/^Version: / && index($2, upstream "-") { print $2 }' | tail -n 1)
    [ -n "$exact" ] || return 1
    rm -rf download
    mkdir download
    (cd download && aptFor "$release" apt-get source --download-only --tar-only "$package=$exact") || return 1
}

unpackChecked() {
    local sum=$1 tarball actual
    tarball=$(find download -name '*.orig.tar.*' ! -name '*.asc' | head -n 1)
    [ -n "$tarball" ] || fail "apt-get source left no upstream tarball in $PWD/download"
    actual=$(sha256sum "$tarball" | cut -d' ' -f1)
    [ "$actual" = "$sum" ] ||
        fail "$(basename "$tarball") has the checksum $actual, and its recipe says $sum: not the source we know, so nothing is built from it"
    mkdir source
    tar -xf "$tarball" -C source --strip-components=1
}

# sourceIndex RELEASE: the list of source packages of that release, in a private apt directory of its own, at
# the mirror this machine already uses. The machine's own apt configuration stays as it is.
sourceIndex() {
    local release=$1 directory=$cache/apt/$1 mirror
    [ -z "$(find "$directory/ready" -mmin -600 2>/dev/null)" ] || return 0
    mirror=$(debianMirror) || exit 1
    mkdir -p "$directory/lists/partial" "$directory/archives/partial" "$directory/parts"
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $release main" \
        >"$directory/sources.list"
    aptFor "$release" apt-get update --error-on=any || return 1
    touch "$directory/ready"
}

# By the label that Debian's own archive carries, or, before the machine's first `apt-get update`, by its path.
debianMirror() {
    local mirror
    mirror=$(apt-get indextargets --format '$(CREATED_BY)|$(LABEL)|$(REPO_URI)' 2>/dev/null |
        awk -F'|' '$1 == "Packages" && $2 == "Debian" { print $3; exit }')
    [ -n "$mirror" ] || mirror=$(apt-get indextargets --no-release-info --format '$(CREATED_BY)|$(REPO_URI)' |
        awk -F'|' '$1 == "Packages" && $2 ~ /\/debian\/?$/ { print $2; exit }')
    [ -n "$mirror" ] || fail "apt on this machine knows no Debian mirror, so the libraries' sources cannot be fetched"
    echo "$mirror"
}

aptFor() {
    local directory=$cache/apt/$1 command=$2
    shift 2
    "$command" -o Dir::Etc::sourcelist="$directory/sources.list" -o Dir::Etc::sourceparts="$directory/parts" \
        -o Dir::State::lists="$directory/lists" -o Dir::Cache="$directory" -o Acquire::Retries=3 \
        -o Acquire::Languages=none -o APT::Sandbox::User=root "$@"
}

# Words that the recipes in packaging/deps/ use. Sourced by dependencies.sh; part of every library's hash.

cmakeInstall() {
    env ATOLL_SYSROOT="$sysroot" ATOLL_PREFIXES= \
        cmake -S . -B ../build -G Ninja -DCMAKE_TOOLCHAIN_FILE="$packaging/cmake/musl.toolchain.cmake" \
        -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE='-O2 -DNDEBUG' -DCMAKE_CXX_FLAGS_RELEASE='-O2 -DNDEBUG' \
        -DCMAKE_INSTALL_PREFIX="$out" -DCMAKE_INSTALL_LIBDIR=lib "$@"
    cmake --build ../build
    cmake --install ../build
}

# The C compiler of the static build, for a library of one file.
compile() {
    clang-19 --target=x86_64-linux-musl --sysroot="$sysroot" -fPIE -ffunction-sections -fdata-sections "$@"
}

archive() { ar rcs "$@"; }

# copyrightNotices OWNER FILE...: the distinct comments near the head of the files that name a copyright
# holder other than OWNER: the licences of what a library carries in its own tree.
copyrightNotices() {
    local owner=$1
    shift
    awk -v owner="$owner" '
        function add(line) {
            comment = comment line "\n"
            if (tolower(line) ~ /copyright/ && index(line, owner) == 0) foreign = 1
        }
        function ends() {
            if (foreign && !seen[comment]++) printf "In %s and others:\n\n%s\n", FILENAME, comment
            comment = ""
            foreign = 0
        }
        FNR == 1 { comment = ""; foreign = 0; inside = 0 }
        FNR > 150 { nextfile }
        /^[ \t]*\/\*/ { inside = 1 }
        inside { add($0); if (/\*\//) { inside = 0; ends() }; next }
        /^[ \t]*\/\// { add($0); next }
        comment != "" { ends() }' "$@"
}

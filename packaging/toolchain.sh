#!/bin/bash
# toolchain.sh: makes, once, the sysroot of the static build, from Debian packages alone: musl, the kernel's
# headers, libgcc, and a libstdc++ compiled against musl from gcc-12-source. With it
#     clang++-19 --target=x86_64-linux-musl --sysroot=SYSROOT -static-pie
# needs nothing else of the machine. `toolchain.sh --path` only prints where the sysroot is or will be.
. "$(dirname "$0")/lib.sh"

muslFiles=/usr/lib/x86_64-linux-musl
gccFiles=/usr/lib/gcc/x86_64-linux-gnu/12
gccSource=/usr/src/gcc-12
triple=x86_64-linux-musl

main() {
    local sysroot
    sysroot=$cache/sysroot-$(recipeHash)
    if [ "${1:-}" = --path ]; then
        echo "$sysroot"
        return
    fi
    [ "$(uname -m)" = x86_64 ] || fail "the static build is made on x86-64; this machine is $(uname -m)"
    checkPackages
    buildOnce "$sysroot" \
        "[1/4] libstdc++ for musl (about 1.5 min): Debian's own is bound to glibc, which cannot be linked static and whole" \
        makeSysroot
}

recipeHash() {
    installedVersions musl-dev gcc-12-source libgcc-12-dev | hashOf "$(cat "$0" "$packaging"/toolchain/*)"
}

checkPackages() {
    local file
    for file in $muslFiles/rcrt1.o $muslFiles/musl-gcc.specs $gccFiles/libgcc_eh.a /usr/bin/clang-19; do
        [ -e "$file" ] || fail "$file is missing: run packaging/packages.sh build"
    done
    compgen -G "$gccSource/gcc-12*.tar.xz" >/dev/null ||
        fail "the source of gcc 12 is missing in $gccSource: run packaging/packages.sh build"
}

makeSysroot() {
    mkdir -p "$out/usr/include" "$out/usr/lib/gcc/$triple/12"
    copyMusl
    copyKernelHeaders
    copyLibgcc
    unpackLibstdcxx
    buildLibstdcxx
    copyLicences
}

copyMusl() {
    cp -r /usr/include/x86_64-linux-musl/. "$out/usr/include/"
    cp $muslFiles/*.o $muslFiles/*.a "$out/usr/lib/"
}

# Only these: the rest of /usr/include speaks of glibc.
copyKernelHeaders() {
    cp -rL /usr/include/linux /usr/include/asm-generic "$out/usr/include/"
    cp -rL /usr/include/x86_64-linux-gnu/asm "$out/usr/include/"
}

# libgcc_eh.a calls a function of glibc, which our copy brings along (see dl_find_object.c).
copyLibgcc() {
    local gcc=$out/usr/lib/gcc/$triple/12
    cp $gccFiles/crtbegin*.o $gccFiles/crtend*.o $gccFiles/libgcc.a $gccFiles/libgcc_eh.a "$gcc/"
    clang-19 --target=$triple --sysroot="$out" -O2 -fPIC -Wall -Wextra -Werror \
        -c "$packaging/toolchain/dl_find_object.c" -o dl_find_object.o
    ar rcs "$gcc/libgcc_eh.a" dl_find_object.o
}

unpackLibstdcxx() {
    mkdir source
    tar -xJf $gccSource/gcc-12*.tar.xz -C source --strip-components=1 \
        --wildcards --anchored --no-wildcards-match-slash \
        --exclude='*/libstdc++-v3/testsuite/[0-9]*' --exclude='*/libstdc++-v3/doc/html' \
        '*/libstdc++-v3' '*/libgcc' '*/include' '*/libiberty' '*/config' '*/config*' '*/lt*' '*/libtool*' \
        '*/install-sh' '*/missing' '*/mkinstalldirs' '*/move-if-change' '*/symlink-tree' '*/compile' \
        '*/depcomp' '*/COPYING*' '*/gcc/BASE-VER' '*/gcc/DATESTAMP'
    # Configured alone, libstdc++ finds no thread model and would leave std::thread out.
    cp source/libgcc/gthr-posix.h source/libgcc/gthr-default.h
}

# With g++-12, the compiler it was written for. Static only, position independent for static PIE.
buildLibstdcxx() {
    local specs=$muslFiles/musl-gcc.specs flags='-O2 -fPIC -ffunction-sections -fdata-sections'
    mkdir build
    cd build
    CONFIG_SHELL=/bin/sh /bin/sh ../source/libstdc++-v3/configure --host=$triple --prefix=/usr \
        --with-gxx-include-dir=/usr/include/c++/12 --disable-multilib --disable-shared --disable-nls --disable-libstdcxx-pch \
        CC="gcc-12 -specs=$specs" CPP="gcc-12 -specs=$specs -E" CXX="g++-12 -specs=$specs -nostdinc++" \
        CFLAGS="$flags" CXXFLAGS="$flags"
    make -j"$(nproc)"
    make install DESTDIR="$out"
    cd ..
    rm -rf "$out/usr/share" "$out"/usr/lib/*.la "$out"/usr/lib/*.py
}

copyLicences() {
    mkdir -p "$out/licences"
    cp /usr/share/doc/musl-dev/copyright "$out/licences/musl"
    cp source/COPYING3 "$out/licences/gcc-runtime-GPL-3"
    cp source/COPYING.RUNTIME "$out/licences/gcc-runtime-exception"
    installedVersions musl-dev gcc-12-source libgcc-12-dev >"$out/versions"
}

main "$@"

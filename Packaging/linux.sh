# The steps of Scripts/dist on Debian and Ubuntu. The variables that they read are those of Scripts/dist.
# shellcheck shell=sh disable=SC2154

find_programs() {
  for program in dpkg-deb dpkg-shlibdeps objcopy objdump strip; do
    command -v $program >/dev/null || fail "there is no $program (Debian and Ubuntu: dpkg-dev)"
  done
}

# The linker looks first in a folder that has archives alone, where it finds no shared library.
archives="$work/archives"
archive() { # archive PATH PACKAGE [NAME]
  [ -f "$1" ] || fail "there is no $1 (Debian and Ubuntu: $2)"
  ln -s "$1" "$archives/${3-$(basename "$1")}"
}
library() { # library PKG-CONFIG-NAME NAME PACKAGE
  archive "$(pkg-config --variable=libdir "$1")/lib$2.a" "$3"
  sed "s|^Libs:.*|Libs: -L$archives -l$2|" "$(pkg-config --variable=pcfiledir "$1")/$1.pc" >"$work/pkgconfig/$1.pc"
}

# Sets patterns: the options that link RE2.
find_archives() {
  mkdir "$archives" "$work/pkgconfig"
  library yaml-0.1 yaml libyaml-dev
  library nettle nettle nettle-dev
  library sqlite3 sqlite3 libsqlite3-dev
  # Newer releases of RE2 are built on Abseil, whose archives follow, each behind all that need it; last comes what
  # both take from C++, since the linker looks at an archive once.
  patterns=""
  for name in $(pkg-config --static --libs-only-l re2 | tr ' ' '\n' | grep -E '^-l(re2|absl_)' | tac | awk '!seen[$0]++' | tac); do
    archive "$(pkg-config --variable=libdir re2)/lib${name#-l}.a" libre2-dev
    patterns="$patterns -Xlinker $name"
  done
  patterns="$patterns -Xlinker -lstdc++"
  compiler=$(command -v gcc || command -v clang) || fail "there is no gcc (Debian and Ubuntu: gcc)"
  archive "$("$compiler" -print-file-name=libstdc++.a)" libstdc++-dev
  archive "$("$compiler" -print-file-name=libgcc_eh.a)" gcc libgcc_s.a
}

# Libraries that are loaded later bring their own copies of these, and must not get ours.
build() {
  # shellcheck disable=SC2086
  PKG_CONFIG_PATH="$work/pkgconfig" swift build --package-path "$root" -c release --product flow --static-swift-stdlib --disable-local-rpath \
    -Xswiftc -Xclang-linker -Xswiftc -no-pie \
    -Xlinker "-L$archives" -Xlinker --exclude-libs -Xlinker ALL -Xlinker --build-id=none $patterns "$@"
}

build_program() {
  find_archives
  build
  strip --remove-section=.comment --remove-section=.note -o "$tree/bin/flow" "$(build --show-bin-path)/flow"
  # Nothing reads the hashes of modules, which depend on the folder of the sources; without the section
  # the program would lose its protection of relocated data.
  size=$((0x$(objdump -h "$tree/bin/flow" | awk '$2 == ".swift_modhash" { print $3 }')))
  head -c "$size" /dev/zero >"$work/hashes"
  objcopy --update-section ".swift_modhash=$work/hashes" "$tree/bin/flow"
  needed=$(objdump -p "$tree/bin/flow" | sed -n 's/^ *NEEDED *//p' | grep -vE '^(libc|libm|ld-linux[-a-z0-9_]*)\.so\.[0-9]+$' || true)
  [ -z "$needed" ] || fail "the program needs more than the C library: $(echo "$needed" | paste -sd ' ')"
}

day() { date -u -d "@$epoch" +%Y%m%d; }

# Fixes times, so that the same files are the same bytes.
settle() { find "$1" -exec touch -h -d "@$epoch" {} +; }

compress() { # compress FOLDER
  tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --format=ustar -cf - "$1" | gzip -9n
}

digests() { sha256sum -- "$@"; }

# The C library that the program was linked with, and no older one.
dependencies() {
  mkdir "$work/debian"
  echo "Source: flow" >"$work/debian/control"
  (cd "$work" && dpkg-shlibdeps -O -edeb/usr/bin/flow) | sed -n 's/^shlibs:Depends=//p'
}

packages() {
  architecture=$(dpkg --print-architecture)
  maintainer="${DEBFULLNAME:-flow maintainers} <${DEBEMAIL:-maintainers@flow.invalid}>"
  deb="$work/deb"
  mkdir -p "$deb/usr" "$deb/DEBIAN"
  cp -R "$tree/bin" "$tree/share" "$deb/usr/"
  mkdir -p "$deb/usr/share/zsh/vendor-completions" "$deb/usr/share/lintian/overrides"
  mv "$deb/usr/share/zsh/site-functions/_flow" "$deb/usr/share/zsh/vendor-completions/"
  rmdir "$deb/usr/share/zsh/site-functions"
  cp "$root/Packaging/lintian-overrides" "$deb/usr/share/lintian/overrides/flow"
  gzip -9n "$deb/usr/share/man/man1/flow.1"
  gzip -9nc "$root/CHANGELOG.md" >"$deb/usr/share/doc/flow/changelog.gz"
  gzip -9nc >"$deb/usr/share/doc/flow/changelog.Debian.gz" <<END
flow ($version-1) unstable; urgency=medium

  * Made by Scripts/dist; what has changed is in changelog.gz.

 -- $maintainer  $(LC_ALL=C date -u -R -d "@$epoch")
END
  cat >"$deb/DEBIAN/control" <<END
Package: flow
Version: $version-1
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -k -s --apparent-size "$deb/usr" | cut -f 1)
Depends: $(dependencies)
Recommends: ca-certificates, libcurl4t64 | libcurl4, libgnutls30t64 | libgnutls30, libgumbo1 | libgumbo2 | libgumbo3 | libgumbo-dev, libidn2-0, libmicrohttpd12t64 | libmicrohttpd12, libnghttp2-14, libpq5, libxml2 | libxml2-16, tzdata, zlib1g
Suggests: chromium-driver, libmariadb3
Section: devel
Priority: optional
Description: runs, records and replays YAML scenarios
 flow runs scenarios against HTTP servers, processes, files, databases and
 browsers, records what crossed the boundary, and replays the recordings, so
 that a test needs neither the server nor the database nor the clock that the
 recording needed. Names and types are checked before anything runs.
END
  (cd "$deb" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$deb/DEBIAN/md5sums"
  settle "$deb"
  name="flow_$version-1_$architecture.deb"
  SOURCE_DATE_EPOCH=$epoch dpkg-deb --root-owner-group --build "$deb" "$target/$name" >/dev/null
  echo "$name"
}

#!/bin/sh
# Installs flow from a release: looks up the tarball of this machine, compares its SHA-256, and copies its files.
# It needs POSIX sh, tar, gzip, curl or wget, and sha256sum, shasum or openssl.
set -eu

# The address of the release that this script belongs to. Scripts/release writes it here.
address=""

usage() {
  cat <<'END'
usage: install.sh [--from ADDRESS] [--prefix FOLDER] [--sha256 DIGEST] [--dry-run]
       install.sh --remove [--prefix FOLDER] [--dry-run]

Installs flow with its completions and its manual page, without sudo. A second run upgrades.

  --from ADDRESS   the release: an http or https address or a folder, with SHA256SUMS and the
                   tarballs. Default: the release of this script
  --prefix FOLDER  the folder for bin and share. Default: /usr/local for root, ~/.local otherwise
  --sha256 DIGEST  the digest that the tarball must have; SHA256SUMS alone comes from the same
                   place as the tarball
  --remove         removes the installed files
  --dry-run        prints what would be done. It reads SHA256SUMS and changes nothing
END
}

say() { echo "install: $1" >&2; }
fail() { # fail MESSAGE [CODE]
  say "$1"
  exit "${2-1}"
}
has() { command -v "$1" >/dev/null 2>&1; }

# Sets system and architecture, as the names of the tarballs have them.
choose_platform() {
  case $(uname -s) in
  Linux) system=linux ;;
  Darwin) system=macos ;;
  *) fail "there is no flow for $(uname -s); it runs on Linux and macOS" ;;
  esac
  case $(uname -m) in
  x86_64 | amd64) architecture=x86_64 ;;
  aarch64 | arm64) architecture=aarch64 ;;
  *) fail "there is no flow for the processor $(uname -m); there is one for x86_64 and aarch64" ;;
  esac
  [ $system != linux ] || glibc_is_there ||
    fail "flow needs the GNU C library (glibc); Alpine and other systems with musl do not have it"
}

glibc_is_there() {
  for loader in /lib64/ld-linux-x86-64.so.2 /lib/ld-linux-aarch64.so.1; do
    [ ! -e "$loader" ] || return 0
  done
  return 1
}

# Writes a file of the release to a path.
get() { # get NAME PATH
  case $address in
  http://* | https://*) download "$1" "$2" ;;
  *://*) fail "'$address' is neither an http or https address nor a folder" 64 ;;
  *) [ -f "$address/$1" ] && cp "$address/$1" "$2" ;;
  esac || fail "cannot read '$address/$1'"
}

download() { # download NAME PATH
  if has curl; then
    protocols=https
    case $address in http://*) protocols=http,https ;; esac
    curl --fail --silent --show-error --location --proto "=$protocols" --proto-redir "=$protocols" \
      --retry 3 --connect-timeout 30 --output "$2" "$address/$1"
  elif has wget; then
    case $address in
    http://*) wget --quiet --tries=3 --timeout=30 -O "$2" "$address/$1" ;;
    *) download_securely "$address/$1" "$2" ;;
    esac
  else
    fail "neither curl nor wget is installed"
  fi
}

# Downloads by wget, and follows the redirects itself: wget would follow one to plain http.
download_securely() { # download_securely ADDRESS PATH
  from=$1
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    wget --quiet --tries=3 --timeout=30 --max-redirect=0 --server-response -O "$2" "$from" \
      2>"$work/headers" && return
    to=$(tr -d '\r' <"$work/headers" | sed -n 's/^ *[Ll]ocation: *\([^ ]*\).*/\1/p' | tail -n 1)
    case $to in
    '') return 1 ;;
    https://*) from=$to ;;
    //*) from=https:$to ;;
    /*) from=$(echo "$from" | sed 's|^\(https://[^/]*\).*|\1|')$to ;;
    *) fail "'$from' redirects to '$to', which is not an https address" ;;
    esac
  done
  fail "'$1' redirects too often"
}

digest_of() { # digest_of PATH
  if has sha256sum; then
    sha256sum "$1" | cut -d ' ' -f 1
  elif has shasum; then
    shasum -a 256 "$1" | cut -d ' ' -f 1
  elif has openssl; then
    openssl dgst -sha256 "$1" | sed 's/.*= *//'
  else
    fail "none of sha256sum, shasum and openssl is installed, so the tarball cannot be verified"
  fi
}

# Sets name and expected: the tarball of this machine and its digest, from SHA256SUMS.
choose_tarball() {
  get SHA256SUMS "$work/SHA256SUMS"
  # Names with other characters would be paths or patterns.
  found=$(sed -n "s/^\([0-9a-f]\{64\}\)  *\**\(flow-[0-9A-Za-z.~+-]*-$system-$architecture\.tar\.gz\)\$/\1 \2/p" \
    "$work/SHA256SUMS")
  case $found in
  '') fail "'$address' has no tarball for $system on $architecture" ;;
  *"
"*) fail "'$address' has more than one tarball for $system on $architecture" ;;
  esac
  listed=${found%% *}
  name=${found#* }
  expected=${digest:-$listed}
  [ "$listed" = "$expected" ] || fail "the SHA-256 of $name is $listed, and not $expected"
}

verify() {
  actual=$(digest_of "$work/$name")
  [ "$actual" = "$expected" ] ||
    fail "$name is damaged or was replaced: its SHA-256 is $actual, and not $expected. Nothing was installed"
}

# The files of the unpacked tarball that are installed, relative to the prefix.
files_of() { (cd "$1" && find bin lib share -type f 2>/dev/null | sort); }

# Copies a file beside its place and renames it, since a program that runs cannot be written to.
place() { # place FILE
  mkdir -p "$prefix/$(dirname "$1")" &&
    cp "$tree/$1" "$prefix/$1.new" &&
    mv -f "$prefix/$1.new" "$prefix/$1"
}

list="share/doc/flow/installed-files"

install_flow() {
  choose_platform
  choose_tarball
  if [ "$dry" = yes ]; then
    echo "would download $address/$name"
    echo "would require the SHA-256 $expected"
    echo "would install to $prefix"
    exit
  fi
  say "downloading $address/$name"
  get "$name" "$work/$name"
  verify
  tree="$work/${name%.tar.gz}"
  tar -xzf "$work/$name" -C "$work" || fail "$name cannot be unpacked"
  "$tree/bin/flow" --version >"$work/version" || fail "the program does not run here; is the C library too old?"
  files_of "$tree" >"$work/files"
  while read -r file; do
    place "$file" || fail "cannot write '$prefix/$file'; choose a folder with --prefix, or run this as its owner"
  done <"$work/files"
  remove_leftovers
  { cat "$work/files" && echo "$list"; } >"$prefix/$list"
  say "installed $(cat "$work/version") to $prefix/bin/flow"
  case ":$PATH:" in
  *":$prefix/bin:"*) ;;
  *) say "$prefix/bin is not in PATH; add it with: export PATH=\"$prefix/bin:\$PATH\"" ;;
  esac
}

# Removes the files of an older version that this one no longer has.
remove_leftovers() {
  [ -f "$prefix/$list" ] || return 0
  own_files | while read -r file; do
    grep -qxF "$file" "$work/files" || [ "$file" = "$list" ] || rm -f "$prefix/$file"
  done
}

# The installed files of the list, whatever someone has written there.
own_files() { grep -E '^(bin|lib|share)/.' "$prefix/$list" | grep -vE '(^|/)\.\.(/|$)' || true; }

remove_flow() {
  [ -f "$prefix/$list" ] || fail "there is no flow that this script installed to $prefix (no $list)"
  own_files >"$work/files"
  while read -r file; do
    if [ "$dry" = yes ]; then
      echo "would remove $prefix/$file"
    else
      rm -f "$prefix/$file" || fail "cannot remove '$prefix/$file'"
    fi
  done <"$work/files"
  [ "$dry" = yes ] || { rmdir "$prefix/share/doc/flow" "$prefix/lib/flow" 2>/dev/null || true; }
  [ "$dry" = yes ] || say "removed flow from $prefix"
}

# Everything is a function and the last line calls it, so that half a script from a broken connection does nothing.
main() {
  dry=no
  action=install_flow
  digest=""
  prefix=""
  while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) usage && exit ;;
    --dry-run) dry=yes ;;
    --remove) action=remove_flow ;;
    --from | --prefix | --sha256)
      [ -n "${2-}" ] || fail "$1 needs a value" 64
      case $1 in
      --from) address=${2%/} ;;
      --prefix) prefix=$2 ;;
      --sha256) digest=$2 ;;
      esac
      shift
      ;;
    *) usage >&2 && exit 64 ;;
    esac
    shift
  done
  if [ -z "$prefix" ]; then
    prefix=/usr/local
    [ "$(id -u)" = 0 ] || prefix=${HOME:?install: HOME is not set, give --prefix}/.local
  fi
  [ -n "$address" ] || [ $action = remove_flow ] ||
    fail "this script is not from a release and knows no address; give it with --from" 64
  case $prefix in
  /*) ;;
  *) prefix=$PWD/$prefix ;;
  esac
  case ${#digest}$digest in
  0 | 64*) ;;
  *) digest=- ;;
  esac
  case $digest in
  *[!0-9a-f]*) fail "--sha256 needs 64 digits of 0-9 and a-f" 64 ;;
  esac
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT TERM
  $action
}
main "$@"

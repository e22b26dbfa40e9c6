# The steps of Scripts/dist on macOS. The variables that they read are those of Scripts/dist.
# shellcheck shell=sh disable=SC2154

find_programs() {
  for program in otool install_name_tool codesign; do
    command -v $program >/dev/null || fail "there is no $program (xcode-select --install)"
  done
}

build() {
  swift build --package-path "$root" -c release --product flow --disable-local-rpath \
    -Xlinker -headerpad_max_install_names -Xlinker -rpath -Xlinker @loader_path/../lib/flow "$@"
}

build_program() {
  mkdir -p "$tree/lib/flow"
  build
  cp "$(build --show-bin-path)/flow" "$tree/bin/flow"
  strip -S "$tree/bin/flow"
  bundle "$tree/bin/flow"
  # A changed file needs a new signature; this one names nobody.
  find "$tree/bin" "$tree/lib" -type f -exec codesign --force --sign - {} +
}

# Copies the libraries that a file needs and macOS does not have, and makes the file look for them there.
bundle() { # bundle FILE
  otool -L "$1" | awk 'NR > 1 { print $1 }' | grep -vE '^(/usr/lib|/System)/' | while read -r library; do
    name=$(basename "$library")
    [ "$name" != "$(basename "$1")" ] || continue
    install_name_tool -change "$library" "@rpath/$name" "$1"
    copy="$tree/lib/flow/$name"
    [ ! -e "$copy" ] || continue
    cp -L "$(place_of "$library" "$name")" "$copy"
    chmod u+w "$copy"
    install_name_tool -id "@rpath/$name" -add_rpath @loader_path "$copy" 2>/dev/null ||
      install_name_tool -id "@rpath/$name" "$copy"
    (bundle "$copy")
  done
}

# Prints where a library is that another one names, perhaps relative to itself.
place_of() { # place_of NAMED NAME
  case $1 in
  /*) echo "$1" ;;
  *) find "$(brew --prefix)/lib" -name "$2" | head -n 1 ;;
  esac
}

day() { date -u -r "$epoch" +%Y%m%d; }

settle() { TZ=UTC find "$1" -exec touch -h -t "$(date -u -r "$epoch" +%Y%m%d%H%M.%S)" {} +; }

compress() { # compress FOLDER
  COPYFILE_DISABLE=1 tar -C "$work" --uid 0 --gid 0 --numeric-owner --format ustar -cf - "$1" | gzip -9n
}

digests() { shasum -a 256 -- "$@"; }

packages() { :; }

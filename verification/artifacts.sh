#!/usr/bin/env bash
# Publishes the artifacts twice, from different folders and in different time zones, and expects the same bytes.
# Signs the second build with a new key, and verifies each signature. Artifacts.java lists what else is checked.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
work=$(mktemp -d)
export GNUPGHOME=$work/gpg
mkdir -m 700 "$GNUPGHOME"
trap 'gpgconf --kill all; rm -rf "$work"' EXIT

key=developers@baton.test
gpg --batch --quiet --passphrase "" --quick-generate-key "$key" default default 1d

TZ=UTC ./publish.sh "$work/one"
TZ=Asia/Kathmandu LC_ALL=C ./publish.sh "$work/two" -Dgpg.keyname="$key"

find "$work/two" -name '*.pom' -o -name '*.jar' -o -name '*.json' | while read -r file; do
    gpg --batch --quiet --verify "$file.asc" "$file" 2>"$work/gpg.log" || {
        cat "$work/gpg.log"
        echo "$0: ${file##*/} has no valid signature" >&2
        exit 1
    }
done
find "$work/two" -name '*.asc*' -delete # the time of a signature is part of it
java Artifacts.java "$work/one" "$work/two"

#!/usr/bin/env bash
# Publishes the artifacts twice, from different folders and in different time zones, and expects the same bytes.
# Artifacts.java lists what else it checks.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

TZ=UTC ./publish.sh "$work/one"
TZ=Asia/Kathmandu LC_ALL=C ./publish.sh "$work/two"
java Artifacts.java "$work/one" "$work/two"

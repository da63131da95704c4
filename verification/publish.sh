#!/usr/bin/env bash
# Publishes the artifacts into a folder, which gets the layout of a Maven repository:
#
#   verification/publish.sh FOLDER [MVN-ARGUMENT...]
#
# The build is that of a release (profile release), with three differences: it runs in a copy of the tree, nothing is
# signed without -Dgpg.keyname, and the tests and the checks of the code are left out. The version is that of the next release: 0.1.0 for
# 0.1.0-SNAPSHOT. Maven's local repository gets none of the artifacts.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

tar --exclude=.git --exclude=target -cf - . | tar -C "$copy" -xf -
cd "$copy"
find . -name pom.xml -exec sed -i -E 's|(<version>[^<]*)-SNAPSHOT</version>|\1</version>|' {} +

# these modules need all others that are published
mvn -B -ntp -q -Prelease deploy -pl lock-bom,lock-starter,lock-test -am \
    -DaltDeploymentRepository="published::file://$folder" -Dmaven.install.skip=true \
    -Dmaven.test.skip=true -Dspotless.check.skip=true -Dcheckstyle.skip=true \
    -Dpublished.url=https://baton.test -Dpublished.scm.url=https://baton.test/baton.git \
    -Dpublished.developer.name="Baton developers" -Dpublished.developer.email=developers@baton.test \
    -Dpublished.developer.organization=Baton -Dpublished.developer.organization.url=https://baton.test "$@"

#!/usr/bin/env bash
# Prints how the classes of the libraries depend on one another, and how many types an uncontended acquire and release loads.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

class_path=$(mktemp)
trap 'rm -f "$class_path"' EXIT
mvn -B -ntp -q -pl lock-autoconfigure -am -Dmaven.test.skip=true compile dependency:build-classpath \
    -Dmdep.outputFile="$class_path" >&2
java verification/Structure.java "$class_path" lock-{core,redis,spring,autoconfigure,test}/target/classes

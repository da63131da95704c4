#!/usr/bin/env bash
# Prints how the classes of the libraries depend on one another, and how many types an uncontended acquire and release loads.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

class_path=$(mktemp)
trap 'rm -f "$class_path"' EXIT
mvn -B -ntp -q -pl lock-autoconfigure,lock-test -am -Dmaven.test.skip=true compile dependency:build-classpath \
    -Dmdep.outputFile="$class_path" >&2
java verification/Structure.java "$class_path" lock-core/target/classes lock-autoconfigure/target/classes lock-test/target/classes

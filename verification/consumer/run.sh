#!/usr/bin/env bash
# Builds and runs an application that is no module of Baton, on each supported line of Spring Boot:
#
#   verification/consumer/run.sh [PAGE [MVN-ARGUMENT...]]
#
# The application is the first Java block of PAGE (README.md) that has @SpringBootApplication. The dependencies are those
# of the pom beside this script. They have to be in the documentation, and come from the artifacts that publish.sh makes.
# The argument -Dredis.server=PATH names another Redis than the embedded one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
die() {
    printf '%s: %s\n' "$0" "$*" >&2
    exit 1
}
page=${1:-README.md}
shift || true
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

block=$(awk '
    /^```/ && inside { if (text ~ /@SpringBootApplication/) { printf "%s", text; exit } inside = 0; next }
    /^```java/ { inside = 1; text = ""; next }
    inside { text = text $0 "\n" }' "$page")
[ -n "$block" ] || die "no Java block with @SpringBootApplication in $page; write the complete class there"
class_name() { # KIND -> the name of the first top-level type of this kind
    sed -nE "s/^$1 +//p" | grep -oEm1 '^[A-Za-z0-9_]+' || true
}
application=$(sed -n '/^@SpringBootApplication/,$p' <<<"$block" | class_name '(public |final )*class')
[ -n "$application" ] || die "no class at the beginning of a line after @SpringBootApplication in $page"
file=$(class_name 'public (final )?(class|record|interface)' <<<"$block")
package=$(sed -nE 's/^package (.*);/\1/p' <<<"$block")
if [ -z "$package" ]; then # Spring would scan the whole class path for components
    package=com.example
    block="package $package;"$'\n\n'$block
fi

sed -nE 's|^ *(<artifactId>baton-.*</artifactId>)|\1|p' verification/consumer/pom.xml | while read -r line; do
    grep -qF "$line" README.md docs/*.md || die "no page has $line; document what the application needs"
done

verification/publish.sh "$work/published" -Dmaven.javadoc.skip=true -Dmaven.source.skip=true -Dcyclonedx.skip=true
version=$(basename "$work"/published/dev/baton/baton-bom/*/)

# A local repository for Maven that has Baton only as it was published. All else is linked from the user's, and
# downloads land there.
shared=$HOME/.m2/repository
mkdir -p "$shared" "$work/repository/dev"
for entry in "$shared"/* "$shared"/dev/*; do
    case ${entry#"$shared"/} in
        dev | dev/baton | '*' | 'dev/*') ;;
        *) ln -s "$entry" "$work/repository/${entry#"$shared"/}" ;;
    esac
done
cp -r "$work/published/dev/baton" "$work/repository/dev/"

value() { # PROPERTY POM -> its value
    sed -nE "s|.*<$1>(.*)</$1>.*|\1|p" "$2" | head -1
}
for line in pom.xml verification/compatibility/boot-3.5/pom.xml; do
    boot=$(value spring-boot.version "$line")
    project=$work/boot-$boot
    sources=$project/src/main/java/${package//.//}
    cp -r verification/consumer "$project"
    mkdir -p "$sources"
    echo "$block" >"$sources/${file:-$application}.java"
    sed -i "s/@boot.version@/$boot/" "$project/pom.xml"
    echo "== $application of $page with Baton $version on Spring Boot $boot"
    mvn -B -ntp -q -f "$project" -Dmaven.repo.local="$work/repository" test -Dboot.version="$boot" \
        -Dpublished.version="$version" -Dapplication.class="$package.$application" \
        -Dembedded-redis.version="$(value embedded-redis.version pom.xml)" "$@"
done
echo "the application of $page ran on each line of Spring Boot"

#!/usr/bin/env bash
# Plants violations in a copy of the tree and expects every gate to turn red with its own message. With arguments, the script
# plants only the violations of these directories: verification/gates/run.sh races
#
# Each file in the directories beside this script is one violation. Its first lines say where to plant it and what to expect:
#   plant: PATH              the place of the file in the copy
#   gate: NAME | REGEX       a line of the failed build's output has to match; several gates may share a file
#   pad: N                   the script fills the file up to N lines
# The script plants all violations of a directory together, builds once, and removes them again.
#
# A file in races is a patch of the file that it names. Its header also names the test that has to turn red:
#   test: CLASS#METHOD       the only test that the script runs
# The script plants each race alone, because a test stops at the first race that it finds.
set -euo pipefail
command -v patch >/dev/null || { echo "no patch on the path; install the package patch" >&2 && exit 1; }
cd "$(dirname "${BASH_SOURCE[0]}")"
gates=$PWD
root=$(cd ../.. && pwd)
wanted=" $* "
for name in "$@"; do [ -d "$name" ] || { echo "no $gates/$name" >&2 && exit 1; }; done
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
red=0
green=0

header() { # FILE KEY -> the values of its header lines with this key
    sed -nE "s/^(\/\/|<!--) $2: (.*)/\2/p" "$1" | sed 's/ *-->$//'
}

plant() { # FILE
    local target pad
    target=$copy/$(header "$1" plant)
    pad=$(header "$1" pad)
    mkdir -p "$(dirname "$target")"
    sed -E '/^(\/\/|<!--) (plant|gate|pad): /d' "$1" >"$target"
    while [ -n "$pad" ] && [ "$(wc -l <"$target")" -lt "$pad" ]; do
        echo "// $pad lines" >>"$target"
    done
}

expect() { # FILE LOG: every gate of the file has to be in the log
    local name regex
    while IFS='|' read -r name regex; do
        name=${name% }
        if grep -qE -- "${regex# }" "$2"; then
            red=$((red + 1))
            echo "red    $name"
        else
            green=$((green + 1))
            echo "GREEN  $name: planted $(header "$1" plant), and no line of the output matches '${regex# }'"
        fi
    done < <(header "$1" gate)
}

is_wanted() { # DIRECTORY
    [ "$wanted" = "  " ] || [[ $wanted == *" $1 "* ]]
}

stage() { # DIRECTORY MVN-ARGUMENT...
    is_wanted "$1" || return 0
    local dir=$gates/$1 log=$copy/$1.log file failed=0
    shift
    for file in "$dir"/*; do plant "$file"; done
    (cd "$copy" && mvn -B -ntp "$@") >"$log" 2>&1 || failed=1
    for file in "$dir"/*; do
        expect "$file" "$log"
        rm "$copy/$(header "$file" plant)"
    done
    if [ "$failed" = 0 ]; then
        green=$((green + 1))
        echo "GREEN  the whole build 'mvn $*' passed with the violations of ${dir#"$root"/}"
    fi
    if [ "$green" != 0 ]; then
        grep -E '^\[(ERROR|WARNING)\]' "$log" | head -40 || true
        exit 1
    fi
}

races() { # DIRECTORY
    is_wanted "$1" || return 0
    local file log
    for file in "$gates/$1"/*.patch; do
        log=$copy/$(basename "$file").log
        patch -s -p1 -d "$copy" <"$file"
        (cd "$copy" && mvn -B -ntp -pl lock-core test -Dtest="$(header "$file" test)" \
            -Dsurefire.failIfNoSpecifiedTests=false) >"$log" 2>&1 || true
        expect "$file" "$log"
        patch -s -R -p1 -d "$copy" <"$file"
        if [ "$green" != 0 ]; then
            grep -E '^\[(ERROR|WARNING)\]' "$log" | head -40 || true
            exit 1
        fi
    done
}

tar -C "$root" --exclude=.git --exclude=target -cf - . | tar -C "$copy" -xf -

stage formatting -pl lock-core spotless:check
stage texts -pl lock-core spotless:check
stage checkstyle -pl lock-core checkstyle:check@rules
stage enforcer -f planted/pom.xml enforcer:enforce@versions
stage release -f planted/pom.xml -Prelease enforcer:enforce@release
stage compiler -pl lock-core compile
stage lint -pl lock-core compile
stage javadoc -pl lock-core compile
stage warnings -pl lock-core compile
stage layers -pl verification/architecture -am test -Dtest=LayerTests -Dsurefire.failIfNoSpecifiedTests=false
stage modules -pl lock-core compile
stage modules-spring -pl lock-spring -am compile
races races
stage mutation -pl lock-redis -am test -Pmutation -Dmutation.scripts=server.lua

echo "$red gates turned red in $SECONDS s"

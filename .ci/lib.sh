# Functions that the tiers share. Each tier sources this file, from the root of the tree.
#
#   JVM_FOLDER   the folder with the JDKs; defaults to /usr/lib/jvm
#   CI=true      a missing JDK 25, redis-server or browser fails the run; without it, the run skips what needs the missing one

say() { printf '\n== %s (%s s)\n' "$*" "$SECONDS"; }
die() {
    printf '\n%s: %s\n' "$0" "$*" >&2
    exit 1
}

install_package() { # PACKAGE; false if the script cannot install it here
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1"
}

jdk_home() { # MAJOR -> the home of a JDK of that version; false if there is none
    local home
    for home in "${JAVA_HOME:-}" "$(printenv "JAVA_HOME_$1_X64" || true)" "${JVM_FOLDER:-/usr/lib/jvm}"/*; do
        if [ -x "$home/bin/javac" ] && "$home/bin/javac" -version 2>&1 | grep -qE "^javac $1(\.|\$)"; then
            echo "$home"
            return
        fi
    done
    return 1
}

# Finds or installs the tools that the tests need. Sets jdk17, jdk25 and redis. Without CI=true, jdk25 and redis may be empty.
find_tools() {
    command -v mvn >/dev/null || install_package maven || die "no mvn; install Maven 3.8.7 or later"
    jdk17=$(jdk_home 17) || { install_package openjdk-17-jdk-headless && jdk17=$(jdk_home 17); } ||
        die "no JDK 17 under ${JVM_FOLDER:-/usr/lib/jvm}, and apt-get could not install one; set JVM_FOLDER"
    jdk25=$(jdk_home 25) || jdk25=
    if [ -z "$jdk25" ] && [ "${CI:-}" = true ]; then
        die "no JDK 25 under ${JVM_FOLDER:-/usr/lib/jvm}; install one there, or set JVM_FOLDER"
    fi
    if ! command -v redis-server >/dev/null && install_package redis-server; then
        service redis-server stop || true # the tests start their own servers
    fi
    redis=$(command -v redis-server) || redis=
    if [ -z "$redis" ] && [ "${CI:-}" = true ]; then
        die "no redis-server, and apt-get could not install it"
    fi
    command -v patch >/dev/null || install_package patch || die "no patch; verification/gates/run.sh needs it"
    local needed
    for needed in chromium:chromium chromedriver:chromium-driver; do # the tests open the board in a real browser
        if [ ! -x "/usr/bin/${needed%:*}" ] && ! install_package "${needed#*:}" && [ "${CI:-}" = true ]; then
            die "no /usr/bin/${needed%:*}, and apt-get could not install ${needed#*:}"
        fi
    done
}

# Prints every skipped test with its reason. Docker may be missing, and JDK 17 is too old for some tests. No other reason is valid,
# because find_tools has found or installed everything else.
check_skipped() {
    local reports lines
    reports=$(find . -path '*/target/surefire-reports/TEST-*.xml')
    [ -n "$reports" ] || die "no test reports; did any test run?"
    lines=$(awk '
        /<testcase / {
            match($0, / name="[^"]*"/); name = substr($0, RSTART + 7, RLENGTH - 8)
            match($0, / classname="[^"]*"/); test = substr($0, RSTART + 12, RLENGTH - 13) "." name
        }
        /<skipped/ {
            reason = "no reason given"
            if (match($0, / message="[^"]*"/)) reason = substr($0, RSTART + 10, RLENGTH - 11)
            else if (match($0, /Exception: .*/)) reason = substr($0, RSTART + 11)
            print test ": " reason
        }' $reports)
    [ -n "$lines" ] || return 0
    say "skipped"
    echo "$lines"
    if grep -vqE ': (.*Docker|Disabled on JRE version: 17\.)' <<<"$lines"; then
        die "a test was skipped for another reason than missing Docker or JDK 17; install what the test needs, or repair the test"
    fi
}

# Deletes all build output: each JDK compiles with its own Error Prone, and check_skipped must not read reports of earlier runs.
clean() {
    find . -name target -type d -prune -exec rm -rf {} +
}

compile() { # HOME: builds everything from scratch, and runs every check except the tests
    clean
    JAVA_HOME=$1 mvn -B -ntp -T 2 verify -DskipTests
}

verify() { # HOME MVN-ARGUMENT...
    local home=$1
    shift
    # Two modules at a time, where neither needs the other. The stage "compile" has checked the format and the rules of the sources.
    JAVA_HOME=$home mvn -B -ntp -T 2 verify -Dspotless.check.skip -Dcheckstyle.skip "$@"
    check_skipped
}

verify_from_scratch() { # HOME MVN-ARGUMENT...
    clean
    verify "$@"
}

times=()
stage() { # NAME COMMAND...
    local name=$1 start=$SECONDS
    shift
    say "$name"
    "$@"
    times+=("$((SECONDS - start)) s  $name")
}

# Runs a command in the background, beside the stages. The command runs in a copy of the tree and of the compiled classes, because
# the stages build in this tree.
begin_beside() { # NAME COMMAND...
    beside_name=$1
    shift
    copy=$(mktemp -d)
    tar -cf - . | tar -C "$copy" -xf -
    set -m # the background job gets a process group of its own, which the trap ends however this run ends
    (
        cd "$copy"
        SECONDS=0
        "$@" # not in a condition, where bash would ignore every failure but that of the last command
        echo "$SECONDS" >"$copy/seconds"
    ) >"$copy/beside.log" 2>&1 </dev/null &
    background=$!
    set +m
    trap 'kill -- -$background 2>/dev/null || true; rm -rf "$copy"' EXIT
}

end_beside() {
    local failed=0
    say "waiting for: $beside_name"
    wait "$background" || failed=1
    cat "$copy/beside.log"
    [ "$failed" = 0 ] || die "$beside_name: failed; see the output above"
    times+=("$(cat "$copy/seconds") s  $beside_name, in the background")
}

end_run() {
    say "all stages passed"
    printf '%s\n' "${times[@]}" "$SECONDS s  in total"
}

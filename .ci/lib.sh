# What the tiers share; sourced by them, from the root of the tree.
#
#   JVM_FOLDER   where the JDKs are looked for, if not in the usual place
#   CI=true      what is missing fails the run instead of being left out

say() { printf '\n== %s (%s s)\n' "$*" "$SECONDS"; }
die() {
    printf '\n%s: %s\n' "$0" "$*" >&2
    exit 1
}

install_package() { # PACKAGE; false if that is not possible here
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

# Finds or installs what the tests need. Sets jdk17, jdk25 and redis; the last two may be empty where CI is not set.
find_tools() {
    command -v mvn >/dev/null || install_package maven || die "no mvn; install Maven 3.8.7 or later"
    jdk17=$(jdk_home 17) || { install_package openjdk-17-jdk-headless && jdk17=$(jdk_home 17); } ||
        die "no JDK 17 under ${JVM_FOLDER:-/usr/lib/jvm} and none to be installed; set JVM_FOLDER"
    jdk25=$(jdk_home 25) || jdk25=
    if [ -z "$jdk25" ] && [ "${CI:-}" = true ]; then
        die "no JDK 25 under ${JVM_FOLDER:-/usr/lib/jvm}; install one there, or set JVM_FOLDER"
    fi
    if ! command -v redis-server >/dev/null && install_package redis-server; then
        service redis-server stop || true # the tests start their own
    fi
    redis=$(command -v redis-server) || redis=
    if [ -z "$redis" ] && [ "${CI:-}" = true ]; then
        die "no redis-server, and apt-get could not install it"
    fi
    command -v patch >/dev/null || install_package patch || die "no patch; verification/gates/run.sh needs it"
    local needed
    for needed in chromium:chromium chromedriver:chromium-driver; do # the board is looked at in a real browser
        if [ ! -x "/usr/bin/${needed%:*}" ] && ! install_package "${needed#*:}" && [ "${CI:-}" = true ]; then
            die "no /usr/bin/${needed%:*}, and apt-get could not install ${needed#*:}"
        fi
    done
}

# Every skipped test with its reason. Docker may be missing, and JDK 17 is too old for some; everything else is here or was
# installed.
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
        die "a test was skipped for want of something that is neither Docker nor a later JDK than 17; install it here, or repair the test"
    fi
}

# Each JDK compiles with its own Error Prone, and no report of an earlier run is counted.
clean() {
    find . -name target -type d -prune -exec rm -rf {} +
}

compile() { # HOME: builds everything from scratch, and runs every check but the tests
    clean
    JAVA_HOME=$1 mvn -B -ntp verify -DskipTests
}

verify() { # HOME MVN-ARGUMENT...
    local home=$1
    shift
    JAVA_HOME=$home mvn -B -ntp verify "$@"
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

# Runs a command beside the stages, on a copy of the tree and of what is compiled, because that one builds here.
begin_beside() { # NAME COMMAND...
    beside_name=$1
    shift
    copy=$(mktemp -d)
    tar -cf - . | tar -C "$copy" -xf -
    set -m # the background has a process group of its own, which ends with this run, however that ends
    (
        cd "$copy"
        SECONDS=0
        "$@" # in no condition: that would hide the failure of all but its last command
        echo "$SECONDS" >"$copy/seconds"
    ) >"$copy/beside.log" 2>&1 </dev/null &
    background=$!
    set +m
    trap 'kill -- -$background 2>/dev/null || true; rm -rf "$copy"' EXIT
}

end_beside() {
    local failed=0
    say "waits for: $beside_name"
    wait "$background" || failed=1
    cat "$copy/beside.log"
    [ "$failed" = 0 ] || die "$beside_name: failed; see above"
    times+=("$(cat "$copy/seconds") s  $beside_name, beside the others")
}

end_run() {
    say "all well"
    printf '%s\n' "${times[@]}" "$SECONDS s  in all"
}

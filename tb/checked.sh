#!/usr/bin/env bash
# checked.sh LOG - what a check that passed has checked, from what it says: WHAT=NUMBER... Ends with
# 1 and a sentence if it has checked nothing, or skipped something. A check says it itself,
#
#   checked: files=12 ways=5
#
# or prints what its kind prints: tests of cmocka, results of bats with the named assertions before
# each, cases that are "equal", "PASS" of benches, "proved ...: 5 assertions ..., 3 covers reached",
# "12 checks, 0 failed".
set -euo pipefail

awk '
function add(name, number) { if (!(name in sum)) order[++n] = name; sum[name] += number }
# The number before a word.
function before(word) { return match($0, "[0-9]+ " word) ? substr($0, RSTART) + 0 : 0 }

/^checked: / { given = substr($0, 10) }
/^\[ +SKIPPED +\]/ { skipped = 1 }
/^\[ +OK \]/ { add("tests", 1) }
/^equal / { add("equal", 1); add("cycles", before("cycles")) }
/^(met|kept)  / { add("events", 1) }
/^PASS / { add("passes", 1); add("cycles", before("cycles")) }
/^proved / { add("assertions", before("assertions")); add("covers", before("covers")) }
/^stat::number_of_executed_units: +[1-9]/ { add("fuzzers", 1) } # how often depends on the machine
/: [0-9]+ checks, 0 failed$/ { add("checks", before("checks")) }
# bats: how many tests there are, and of each its assertions and then its result.
/^1\.\.[0-9]+$/ { plan = substr($0, 4) + 0 }
/^# pass: / { add("tests", 1); named++ }
/^# FAIL: / { failed = 1 }
/^(not )?ok [0-9]+/ {
    results++
    if ($1 == "not") failed = 1
    if (/ # skip/) skipped = 1
    if (named == 0 && !empty) empty = $0
    named = 0
}
END {
    if (failed) { print "tests have failed"; exit 1 }
    if (results != plan || named > 0) { print results + 0 " tests have ended, of " plan + 0; exit 1 }
    if (skipped) { print "tests were skipped"; exit 1 }
    if (empty) { print "a test without an assertion: " empty; exit 1 }
    text = given
    for (i = 1; i <= n && given == ""; i++) text = text (i > 1 ? " " : "") order[i] "=" sum[order[i]]
    if (text !~ /^[a-z]+=[0-9]+( [a-z]+=[0-9]+)*$/) {
        print "the log does not say what was checked: its last line is to be checked: WHAT=NUMBER..."
        exit 1
    }
    if (text ~ /^[a-z]+=0+( |$)/) { print "nothing was checked: " text; exit 1 }
    print text
}' "$1"

#!/usr/bin/env bash
# checked.sh LOG - what a check that passed has checked, from what it says: WHAT=NUMBER... Ends with
# 1 and a sentence if it has checked nothing, or skipped something. A check says it itself,
#
#   checked: files=12 ways=5
#
# or prints what its kind prints: tests of cmocka, cases that are "equal", "PASS" of benches,
# "proved ...: 5 assertions ..., 3 covers reached", "12 checks, 0 failed".
set -euo pipefail

awk '
function add(name, number) { if (!(name in sum)) order[++n] = name; sum[name] += number }
# The number before a word.
function before(word) { return match($0, "[0-9]+ " word) ? substr($0, RSTART) + 0 : 0 }

/^checked: / { given = substr($0, 10) }
/^\[ +SKIPPED +\]/ { skipped++ }
/^\[ +OK \]/ { add("tests", 1) }
/^equal / { add("equal", 1); add("cycles", before("cycles")) }
/^PASS / { add("passes", 1); add("cycles", before("cycles")) }
/^proved / { add("assertions", before("assertions")); add("covers", before("covers")) }
/: [0-9]+ checks, 0 failed$/ { add("checks", before("checks")) }
END {
    if (skipped) { print skipped " tests were skipped"; exit 1 }
    text = given
    for (i = 1; i <= n && given == ""; i++) text = text (i > 1 ? " " : "") order[i] "=" sum[order[i]]
    if (text !~ /^[a-z]+=[0-9]+( [a-z]+=[0-9]+)*$/) {
        print "the log does not say what was checked: its last line is to be checked: WHAT=NUMBER..."
        exit 1
    }
    if (text ~ /^[a-z]+=0+( |$)/) { print "nothing was checked: " text; exit 1 }
    print text
}' "$1"

#!/usr/bin/env bash
# trust.sh rows FILE.tsv LOG_FOLDER MADE COMMIT NAME... - writes into FILE.tsv what these checks of a night have
# checked; rows of other checks stay as they are. MADE lists what was made, or found up to date, in this run.
# trust.sh page FILE.tsv NAME... - prints what docs/results/trust.md shows of FILE.tsv for the checks
# of make nightly, NAME. One without a row is shown as "not run"; a row of none of them is not shown.
#
# A row: name, result, date, commit, cores, seconds of processors, and WHAT=NUMBER... A result is passed, failed
# or not run. Only one that passed has figures, and its date is that of the run that made its log.
set -euo pipefail

# What is claimed by each kind of check: the name up to its first dash.
kinds='prove            Properties of the RTL hold by induction, and every cover is reached
exact            Random machines give the same statistics, samples and events in every mode: eight times those of make test
linear           Texts and runs of twice the size take less than 2.3 times the instructions, of every kind
prove_readings   A wrong reading of a page, planted in the RTL, fails the proof of the unit
reach            Properties of the RTL hold in all states that it reaches, and every cover is reached
reach_readings   A defect planted in the RTL fails a property of the states that it reaches
readings         A wrong reading of a page, planted in the golden model, fails a test of the unit
lockstep_long    RTL and golden model agree on every port and register in every cycle, at the sizes of the list and at drawn ones
icarus           Vectors of the golden model replay on the RTL under Icarus Verilog, at the sizes that make test leaves out
verilator        Vectors of the golden model replay on the RTL under a bench that Verilator compiles, at the sizes that make test leaves out
run_mix          One workload gives the same bytes in every way to run it, on the GPUs that make test leaves out
run_rtl          Runs with RTL beside them or in their place give the same bytes, in the rows that make test leaves out
systemc          RTL and golden model agree as SystemC modules, at the sizes that make test leaves out
verify           CUDA programs are right in every way to run them, with the inputs that make test leaves out
replay           Vectors of the golden model replay on the RTL, at the sizes that make test leaves out
lint             No linter warns of the RTL, at the sizes that make test leaves out
lint_analyzer    clang-tidy has nothing to say of the C, with four times the paths that it sees in make test
drift            Port table and elaborated module agree, at the sizes that make test leaves out
drift_defects    A difference planted between port table and module is found, in the units that make test leaves out
planted_long     A defect planted in the RTL is found, and its report replays to the same difference
fault            Memory and disk fail, or the command is killed, at every place or at 300 of more than 3000: no crash, no hang, no file half written
pairs            Each pair of mechanisms of which no paper says what becomes of both runs every workload to its right end
pairs_rtl        One in 11 of these runs, with the RTL of all units in the shadow
children         A million kernels that kernels launch take at most 15 times the time and 12 times the memory of a tenth of them
rtl_product      The programs of LaPerm programs give right results and the same bytes with RTL in the shadow and driving, in all modes, with kernels and groups
many             An experiment of a million runs takes at most 2,048 bytes per run, and its tables at most 500 MB
fuzz_exec        No input that the fuzzer made crashes the reader or the executor of PTX
area             The slowest path and the area of a unit are within their limits, at the sizes that take long
sabotage_all     One thing after the other is spoiled, and the checks that ought to notice do
workloads_all    The programs of the papers launch what the page of workloads says, in all sizes
package_all      Verilator, Icarus and Yosys take the files of every core
rtl_folder       Every check of Verilog tests the folder that RTL= names
new_unit         A new unit, written as CONTRIBUTING.md says, passes make test
run_clone        A clone in a folder with another name builds, and finds its own files'

# figures LOG - WHAT=NUMBER... that the log says it has checked.
figures() {
    awk '
    /^stat::number_of_executed_units: / { text = text " inputs=" $2 }
    /^# places [0-9]+$/ { text = text " places=" $3 }
    /^checked: / { given = substr($0, 10) }
    END {
        sub(/(^| )(tries|fuzzers)=[0-9]+/, "", given) # how often depends on the machine: what was tried is counted here
        sub(/^equal=/, "sizes=", given)
        text = given text
        sub(/^ /, "", text)
        print text
    }' "$1"
}

rows() {
    local tsv=$1 logs=$2 made=$3 commit=$4 name log date processor
    shift 4
    {
        for name; do
            log=$logs/$name
            if grep -qxF -e "$name" "$made" && [ -f "$log" ]; then
                date=$(sed -n 's/^ran: //p' "$log")
                processor=$(sed -n 's/^took: .* s, \([0-9]*\).*/\1/p' "$log")
                printf '%s\tpassed\t%s\t%s\t%s\t%s\t%s\n' "$name" "$date" "$commit" "$(nproc)" "$processor" "$(figures "$log")"
            elif [ -f "$log.failed" ]; then
                printf '%s\tfailed\t%s\t%s\t%s\t\t\n' "$name" "$(date -u +%Y-%m-%d)" "$commit" "$(nproc)"
            else
                printf '%s\tnot run\t%s\t%s\t%s\t\t\n' "$name" "$(date -u +%Y-%m-%d)" "$commit" "$(nproc)"
            fi
        done
        awk -F '\t' -v names=" $* " 'index(names, " " $1 " ") == 0' "$tsv"
    } | LC_ALL=C sort > "$tsv.now"
    mv "$tsv.now" "$tsv"
}

page() {
    local tsv=$1
    shift
    awk -F '\t' -v kinds="$kinds" -v names="$*" '
    function commas(n,    text) {
        text = sprintf("%d", n)
        while (match(text, /[0-9][0-9][0-9][0-9]($|,)/)) text = substr(text, 1, RSTART) "," substr(text, RSTART + 1)
        return text
    }
    # The figures of a row as words; they are added to the sums of its kind.
    function words(list, kind,    n, pair, part, i, text) {
        n = split(list, pair, " ")
        for (i = 1; i <= n; i++) {
            split(pair[i], part, "=")
            if (!((kind, part[1]) in sum)) order[kind] = order[kind] " " part[1]
            sum[kind, part[1]] += part[2]
            text = text (i > 1 ? ", " : "") commas(part[2]) " " part[1]
        }
        return text
    }
    function total(kind,    n, word, i, text) {
        n = split(order[kind], word, " ")
        for (i = 1; i <= n; i++) text = text (i > 1 ? ", " : "") commas(sum[kind, word[i]]) " " word[i]
        return text == "" ? "-" : text
    }
    function row(name, kind,    part, label) {
        label = name == kind ? name : substr(name, length(kind) + 2)
        if (kind == "reach" && match(label, /-[0-9]+w/)) sub(/-[0-9]+w/, "-way-", label) # its number follows, and a depth
        if (kind ~ /^(prove|reach)$/) {
            if (match(label, /-way-[0-9]/)) label = substr(label, 1, RSTART + RLENGTH - 1) substr(label, index(label, "-N_"))
            else sub(/-[0-9]+-[0-9]+/, "", label)
            gsub(/-/, " ", label)
            gsub(/\./, "=", label)
        }
        if (!(name in seen)) return "| " label " | not run | | | |\n"
        split(seen[name], part, "\t")
        if (part[2] != "passed") return "| " label " | **" part[2] "** | " part[3] " | " part[4] " | |\n"
        passed[kind]++
        seconds[kind] += part[6]
        return "| " label " | " words(part[7], kind) " | " part[3] " | " part[4] " | " commas(part[6]) " s on " part[5] " cores |\n"
    }
    { seen[$1] = $0 }
    END {
        n = split(names, name, " ")
        m = split(kinds, kind, "\n")
        for (i = 1; i <= m; i++) {
            claim[i] = kind[i]
            sub(/^[a-z_]+ +/, "", claim[i])
            sub(/ .*/, "", kind[i])
            number[kind[i]] = i
        }
        for (i = 1; i <= n; i++) {
            k = name[i]
            sub(/-.*/, "", k)
            if (!(k in number)) { print "trust.sh: what does " name[i] " show? kinds has no " k > "/dev/stderr"; exit 1 }
            of[k]++
            table[k] = table[k] row(name[i], k)
        }
        print "| claim | checks that passed | checked in all |\n|---|---:|---|"
        for (i = 1; i <= m; i++)
            if (k = kind[i]) print "| [" claim[i] "](#" k ") | " passed[k] + 0 " of " of[k] + 0 " | " total(k) " |"
        for (i = 1; i <= m; i++) {
            k = kind[i]
            print "\n### <a id=\"" k "\"></a>" claim[i] "\n"
            print "    make nightly ONLY=\047" k (table[k] ~ "^[|] " k " [|]" ? "" : "-%") "\047\n"
            print "| check | checked | run on | holds at commit | processor time |\n|---|---|---|---|---:|"
            printf "%s", table[k]
            if (of[k] > 1) print "| all that passed: " passed[k] + 0 " of " of[k] " | " total(k) " | | | " commas(seconds[k]) " s |"
        }
    }' "$tsv"
}

"$@"

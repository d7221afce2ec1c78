#!/usr/bin/env bats
# gpusched report: pages that are well-formed and need nothing else, the database's numbers on them, the
# same bytes, and input that is refused.

load helper

report() { ends "$1" report "${@:2}"; }

# sql DATABASE STATEMENT
sql() {
    gpusched query "$1" "$2"
}

# cell PAGE XPATH - an element's text, without white space around it.
cell() {
    xmllint --xpath "normalize-space($2)" "$1" | sed 's/\xc2\xa0/ /g'
}

# is PAGE XPATH VALUE
is() {
    local found
    found=$(cell "$1" "$2")
    check "$1: $2" [ "$found" = "$3" ]
}

# good NAME - runs the experiment, makes its page, and checks what is so of every page.
good() {
    gpusched experiment "$1.yaml" -q > out 2> err || [ $? -eq 1 ] # some runs may fail
    whole "$1"
}

whole() {
    report 0 "$1" -o "$1.html"
    mv out "$1.txt"
    check "$1: the page is named last" [ "$(tail -n 1 "$1.txt")" = "page      $1.html" ]
    check "$1: no number that is none in the table" fails grep -wE 'nan|inf' "$1.txt"
    check "$1: well-formed" xmllint --noout "$1.html"
    check "$1: nothing from elsewhere" fails grep -nE '<script|https?:|src=|@import|<link' "$1.html"
    check "$1: no number that is none" fails grep -niE '[^a-z]-?(nan|inf)[^a-z]' "$1.html"
    report 0 "results/$1.sqlite" -o again/page.html --quiet
    check "$1: nothing on stdout" [ ! -s out ]
    check "$1: the same bytes" cmp "$1.html" again/page.html
    check "$1: one file" [ "$(ls -A again)" = page.html ]
}

thousands() { sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; ta' <<< "$1"; }

@test "a page has a baseline's speedups with the numbers of the database" {
    cat > pair.yaml << 'END'
title: A <b>title</b> & "quotes"
gpus: [m2090, icc-6]
workloads: [atomics, {name: hotspot, size: small}]
variants: {gto: {warp.policy: gto}, lrr: {warp.policy: lrr}, "a<&>b": {warp.policy: lrr, sm.cta_slots: 2}}
baseline: gto
END
    good pair
    is pair.html '//h1' 'A <b>title</b> & "quotes"'
    is pair.html '/html/head/title' 'A <b>title</b> & "quotes"'
    is pair.html 'count(//h2)' 3
    is pair.html 'count(//*[@id="runs"]/..//tbody/tr)' 12
    is pair.html '//p[@class="state"]/b' '12 of 12'
}

# The table under a heading, the first of that name.
under() { printf '(//h4[.="%s"])[1]/following-sibling::div[1]//table' "$1"; }
# Runs 4 to 6 are hotspot on the first GPU.
cycles=$(under Cycles)
row="$cycles/tbody/tr[2]"

@test "a row has the workload's cycles, speedup and energy" {
    is pair.html "$row/th" 'hotspot small'
    is pair.html "$row/td[1]/small" "$(thousands "$(sql results/pair.sqlite \
        "SELECT json_extract(result, '\$.cycles.core') FROM runs WHERE id = 4")")"
    is pair.html "$row/td[3]/text()" "$(sql results/pair.sqlite \
        "SELECT printf('%.3f', json_extract(a.result, '\$.cycles.core') * 1.0
         / json_extract(b.result, '\$.cycles.core')) FROM runs a, runs b WHERE a.id = 4 AND b.id = 6")"
    is pair.html "$cycles/tbody/tr[3]/td[3]" "$(sql results/pair.sqlite \
        "SELECT printf('%.3f', exp(avg(ln(json_extract(a.result, '\$.cycles.core') * 1.0
         / json_extract(b.result, '\$.cycles.core'))))) FROM runs a, runs b
         WHERE a.id IN (1, 4) AND b.id = a.id + 2")"
    is pair.html "$(under 'Traffic and energy')/tbody/tr[2]/td[4]" "$(sql results/pair.sqlite \
        "SELECT printf('%.3f', json_extract(b.result, '\$.energy.total')
         / json_extract(a.result, '\$.energy.total')) FROM runs a, runs b WHERE a.id = 4 AND b.id = 6")"
    is pair.html '(//table)[last()]/tbody/tr[7]/td[5]' "$(thousands "$(sql results/pair.sqlite \
        "SELECT json_extract(result, '\$.cycles.core') FROM runs WHERE id = 7")")"
    is pair.html '(//table)[last()]/tbody/tr[6]/td[4]' 'a<&>b'
}

# line NUMBER - on the terminal: of the first GPU the third variant of hotspot, and the means.
line() {
    awk -v n="$1" '/^hotspot small/ { on = 1; next } /^geometric/ { on = 2; next } on && NR > 3 && ++k == n { print $2, $3, $4, $5, $6; exit }' pair.txt
}

@test "the page begins with the answer" {
    # Of the four pairs with all variants: the fastest variant, and its traffic and energy.
    sql results/pair.sqlite "SELECT b.variant || ' ' ||
        printf('%.3f', exp(avg(ln(json_extract(a.result, '\$.cycles.core') * 1.0 / json_extract(b.result, '\$.cycles.core'))))) || ' ' ||
        printf('%.0f', 100 * abs(1 - exp(avg(ln(json_extract(b.result, '\$.energy.total') / json_extract(a.result, '\$.energy.total'))))))
        FROM runs a JOIN runs b ON b.gpu = a.gpu AND b.workload = a.workload AND b.variant <> a.variant
        WHERE a.variant = 'gto' GROUP BY b.variant
        ORDER BY avg(ln(json_extract(a.result, '\$.cycles.core') * 1.0 / json_extract(b.result, '\$.cycles.core'))) DESC LIMIT 1" > fastest
    read -r variant mean energy < fastest
    answer=$(cell pair.html '//h1/following-sibling::p[1]')
    printf '%s\n' "$answer" > err
    is pair.html '//h1/following-sibling::p[1]/@class' answer
    check 'who is fastest' says "The fastest of 2 variants, $variant, is $mean times as fast as gto (geometric mean of 4 pairs of runs; " err
    check 'its energy' says " energy." err
    check 'how much' grep -qE "takes ($energy|[0-9.]+) % (more|less) energy\.\$" err
    check 'the terminal says the same' [ "$(sed -n 2p pair.txt)" = "$answer" ]
    # Of each GPU, below its name, over its two workloads.
    is pair.html 'count(//p[@class="answer"])' 3
    check 'of the first GPU' says 'times as fast as gto (geometric mean of 2 workloads; ' <(cell pair.html '(//p[@class="answer"])[2]')
}

@test "what a variant sets is a difference from the baseline" {
    local sets
    sets=$(under 'What each variant sets')
    is pair.html "count($sets/tbody/tr)" 2
    is pair.html "$sets/tbody/tr[1]" sm.cta_slotsCTAs882
    is pair.html "$sets/tbody/tr[2]" warp.policygtolrrlrr
    is pair.html "count($sets/tbody/tr[1]/td[@class=\"best\"])" 1
    is pair.html "$sets/tbody/tr[1]/td[@class=\"best\"]" 2
    report 0 pair -o sets.html --baseline=lrr -q
    is sets.html "$sets/tbody/tr[2]/td[@class=\"best\"]" gto
}

@test "the page says how many values are not calibrated" {
    local open
    open=$(sql results/pair.sqlite "SELECT json_extract(result, '\$.not_calibrated') FROM runs WHERE id = 1")
    check 'as config show has it' says "# $open of " <(gpusched config show m2090 --sources)
    # Two CTA slots are chosen, and the file's eight are not open: as many as of the others.
    is pair.html '(//dt[.="not calibrated"])[1]/following-sibling::dd' \
        "$open of $(gpusched config keys | grep -c .) values"
}

@test "the table on the terminal has the same numbers" {
    speedup=$(cell pair.html "$row/td[3]/text()")
    mean=$(cell pair.html "$cycles/tbody/tr[3]/td[3]")
    check 'the row' [ "$(line 3 | cut -d ' ' -f 1,2)" = "$(cell pair.html "$row/td[3]/small") $speedup" ]
    check 'the mean' [ "$(line 5 | cut -d ' ' -f 1)" = "$mean" ]
}

@test "a bar has the parts of scheduler cycles in their order" {
    # The parts of a bar of scheduler cycles, in their order.
    is pair.html '(//figure[.//h4="Where the cycles went"]//div[@class="bar"])[4]//*[name()="rect"][1]' \
        "$(sql results/pair.sqlite "SELECT printf('issued: %.1f %%',
         json_extract(result, '\$.derived.issued_share') * 100) FROM runs WHERE id = 4")"
    # All numbers of a chart are of the baseline's sum, as its axis is.
    local bar='((//figure[.//h4="Where the cycles went"])[1]//div[@class="bar"])[6]' share
    share=$(sql results/pair.sqlite "SELECT printf('%.1f %%', 100.0 * json_extract(b.result, '\$.cycles.core')
         / json_extract(a.result, '\$.cycles.core')) FROM runs a, runs b WHERE a.id = 4 AND b.id = 6")
    is pair.html "$bar//*[name()=\"text\"][last()]" "$share"
    share=$(sql results/pair.sqlite "SELECT printf('issued: %.1f %%', 100.0 * json_extract(b.result, '\$.sm.total.issued')
         / (json_extract(a.result, '\$.cycles.core') * json_extract(a.result, '\$.sm.members') * 2))
         FROM runs a, runs b WHERE a.id = 4 AND b.id = 6")
    is pair.html "$bar//*[name()=\"rect\"][1]" "$share"
    is pair.html 'count(//h4[.="CTAs on the SMs"])' 0
    is pair.html 'count(//h4[.="Lockstep"])' 0
}

@test "another baseline can be asked for" {
    report 0 pair -o other.html --baseline=lrr
    is other.html "$row/td[2]/text()" 1
    is other.html '//pre' 'gpusched experiment pair.yaml gpusched report pair.yaml -o pair.html --baseline=lrr'
}

@test "the commands on a page make it again" {
    mkdir -p "files of one" elsewhere
    printf '%s\n' 'gpus: [c2050]' 'workloads: [dependent]' 'variants: {"a b": , "it'"'"'s": {warp.policy: gto}}' > "files of one/again.yaml"
    gpusched experiment "files of one/again.yaml" -q -o elsewhere
    report 0 elsewhere/again.sqlite --baseline="it's"
    cell elsewhere/again.html '//pre' > err
    check 'a name that the shell would split' says "gpusched experiment 'files of one/again.yaml' gpusched report " err
    rm -f again.html
    check 'they run' bash -c "$(xmllint --xpath 'string(//pre)' elsewhere/again.html)" > out
    check 'and make it' cmp again.html elsewhere/again.html
    # A database of a version that did not keep the name.
    sqlite3 elsewhere/again.sqlite "DELETE FROM about WHERE name = 'file'"
    report 0 elsewhere/again.sqlite -o old.html -q
    is old.html 'normalize-space(//pre)' 'gpusched experiment again.yaml gpusched report again.yaml -o again.html'
    check 'it says so' grep -q 'This database does not keep where the' old.html
}

@test "where core clocks differ, speed is of the time" {
    printf '%s\n' 'gpus: [m2090]' 'workloads: [tile:32]' 'variants: {slow: {clock.core: 1300}, fast: {clock.core: 2600}}' \
        'baseline: slow' 'observe: [ctas]' > clock.yaml
    good clock
    local speedup
    speedup=$(sql results/clock.sqlite "SELECT printf('%.3f', 2.0 * json_extract(a.result, '\$.cycles.core')
        / json_extract(b.result, '\$.cycles.core')) FROM runs a, runs b WHERE a.id = 1 AND b.id = 2")
    check 'as the seconds have it' [ "$speedup" = "$(sql results/clock.sqlite "SELECT printf('%.3f', json_extract(a.result, '\$.derived.seconds')
        / json_extract(b.result, '\$.derived.seconds')) FROM runs a, runs b WHERE a.id = 1 AND b.id = 2")" ]
    check 'the answer' says "fast is $speedup times as fast as slow" clock.txt
    check 'the table on the terminal' grep -qE "^  fast +[0-9,]+ +$speedup " clock.txt
    is clock.html "$cycles/tbody/tr[1]/td[2]/text()" "$speedup"
    is clock.html '//h4[.="Cycles"]/following-sibling::p[1]' \
        'Speedup over slow, and core cycles. Core clocks differ: speedup is of the time, which is cycles / clock.'
    is clock.html '//figure[.//h4="Speedup"]//figcaption/p' 'Time of slow / time of the variant: to the right of 1 is faster.'
    local caption
    caption=$(sql results/clock.sqlite "SELECT printf('%+.1f', 100 * (json_extract(b.result, '\$.derived.seconds')
        / json_extract(a.result, '\$.derived.seconds') - 1)) FROM runs a, runs b WHERE a.id = 1 AND b.id = 2")
    check 'the caption of CTAs' says "s (${caption/-/−} %), SMs idle" <(cell clock.html '(//p[@class="what"])[2]')
    gpusched experiment clock.yaml --no-run --table -q > out
    check 'the table of the experiment' grep -qE "^  tile:32 +1.000  $speedup\$" out
    check 'its title' [ "$(head -n 1 out)" = 'speedup: time of slow / time; time: cycles / clock.core' ]
}

@test "without a baseline the answer is of the time if clocks differ" {
    printf '%s\n' 'gpus: [m2090]' 'workloads: [tile:32]' 'axes: {mhz: {key: clock.core, values: [1300, 2600]}}' > mhz.yaml
    good mhz
    check 'the answer' grep -qE '^tile:32, mhz 2600 takes the least time, [0-9.]+ us, and tile:32, mhz 1300 the most, [0-9.]+ us\.$' mhz.txt
    printf '%s\n' 'gpus: [m2090, {name: c2050, settings: {clock.core: 2600}}]' 'workloads: [dependent]' > gpus.yaml
    good gpus
    local order
    order=$(sql results/gpus.sqlite "SELECT gpu FROM runs ORDER BY json_extract(result, '\$.derived.seconds')" | xargs)
    check 'of GPUs' grep -qE "^dependent on ${order% *} takes the least time, .*, and dependent on ${order#* } the most, " gpus.txt
}

@test "what was observed is shown" {
    # Two CTAs on one SM, the second one in the second half, of another launch.
    sqlite3 results/pair.sqlite "DROP VIEW IF EXISTS observed;
        CREATE TABLE observed (run INTEGER, name TEXT, value TEXT);
        INSERT INTO observed VALUES
        (1, 'lockstep', '[{\"unit\":\"claso\",\"mode\":\"shadow\",\"instances\":1,\"cycles\":1000,\"differences\":0}]'),
        (2, 'lockstep', '[{\"unit\":\"claso\",\"mode\":\"shadow\",\"instances\":3,\"cycles\":2345,\"differences\":0}]'),
        (1, 'ctas', '{\"kernels\":[\"k\"],\"ctas\":[[0,0,0,0,0,500],[1,0,1,0,500,1000]]}'),
        (3, 'ctas', '{\"kernels\":[\"k\"],\"ctas\":[[0,0,0,0,0,250],[0,1,0,1,0,250]]}'),
        (4, 'ctas', '{\"kernels\":[\"k\"],\"ctas\":[[0,0,0,0,0]]}'),
        (5, 'ctas', 'no JSON')"
    whole pair
    check 'lockstep in the table' grep -qx 'lockstep  RTL and golden models compared in 3,345 clock cycles, differences: 0' pair.txt
    lockstep='//h4[.="Lockstep"]/following-sibling::div[1]//tbody/tr[1]'
    is pair.html "$lockstep/td[1]" claso
    is pair.html "$lockstep/td[3]" 2
    is pair.html "$lockstep/td[4]" '1 to 3'
    is pair.html "$lockstep/td[5]" 3,345
    is pair.html "$lockstep/td[6]" 0
    check 'the answer has it' says ' No difference between RTL and model in 3,345 clock cycles.' <(sed -n 2p pair.txt)
    is pair.html 'count(//div[@class="timeline"])' 1
    is pair.html 'count(//div[@class="timeline"]/p)' 2
    # Of two slots, 2 units each; the picture is 1000 wide. A path goes on from its last point.
    is pair.html '(//*[@class="t0"])[1]/@d' 'M0 0m0 3h500'
    is pair.html '(//*[@class="t1"])[1]/@d' 'M0 0m500 8h500'
    is pair.html '(//*[@class="t0"])[2]/@d' 'M0 0m0 3h250m-250 -2h250'
}

@test "runs that failed are named" {
    cat > failing.yaml << 'END'
gpus: [m2090]
workloads: [chase, hotspot]
variants: {good: , slow: {limit.watchdog: 1000, clock.dram: 82, dram.tCL: 100}, small: {sm.shared_bytes: 512}}
baseline: good
END
    good failing
    is failing.html '//h1' failing
    is failing.html '//p[@class="state"]' '3 of 6 runs done, 3 failed'
    is failing.html '(//td[@class="error"])[3]' \
        "$(sql results/failing.sqlite 'SELECT error FROM runs WHERE id = 6')"
}

@test "what is no text, no result and no run at all is shown as such" {
    # Bytes that are no text, and no XML.
    # What is changed by hand is not used; of a format without digests, whose results are texts, all is.
    sqlite3 results/failing.sqlite "UPDATE results SET error = CAST(x'613cff013e' AS TEXT) WHERE status = 'failed'"
    report 1 failing -o failing.html
    check 'a changed result is named' grep -q 'run 6 (m2090, hotspot, small): the result is not as it was' err
    is failing.html '//p[@class="state"]' '3 of 6 runs done, 3 not run yet'
    sqlite3 results/failing.sqlite 'ALTER TABLE results ADD COLUMN input; ALTER TABLE results ADD COLUMN result;
        PRAGMA user_version = 2'
    whole failing
    check 'and an earlier format' grep -q 'of an earlier format, without digests' err
    is failing.html '(//td[@class="error"])[1]' "a<$(printf '\xef\xbf\xbd\xef\xbf\xbd')>"
    sqlite3 results/failing.sqlite 'DELETE FROM results'
    whole failing
    check 'the answer' [ "$(sed -n 2p failing.txt)" = 'No workload is done with all variants yet.' ]
    is failing.html '//p[@class="state"]' '0 of 6 runs done, 6 not run yet'
    is failing.html 'count(//figure)' 0
}

@test "each axis is drawn" {
    cat > sweep.yaml << 'END'
gpus: [m2090]
workloads: [atomics, dependent]
variants: {gto: {warp.policy: gto}, lrr: {warp.policy: lrr}}
axes:
  policy: {key: l1.write, values: [evict, through]}
  ctas: {key: sm.cta_slots, values: [1, 2, 4]}
baseline: gto
END
    good sweep
    is sweep.html 'count(//h3)' 2
    is sweep.html '//h3[2]' 'policy through'
    is sweep.html 'count(//figure[.//h4="Speedup"])' 2
    # A point for each of the three values, of one variant, and two workloads on two sections.
    is sweep.html 'count(//figure[.//h4="Speedup"]//*[name()="circle"])' 12
    is sweep.html '//figure[.//h4="Speedup"]//*[name()="circle"][2]/*[name()="title"]' \
        "lrr, 2: $(sql results/sweep.sqlite \
        "SELECT printf('%.3f', json_extract(a.result, '\$.cycles.core') * 1.0
         / json_extract(b.result, '\$.cycles.core')) FROM runs a, runs b WHERE a.id = 2 AND b.id = 8")"
}

@test "names can have the axis's value in them" {
    # Names with the axis's value in them, and no variants.
    for n in 64 128; do
        printf 'kernels:\n  - {name: k, grid: [%s, 1, 1], block: [64, 1, 1], registers: 24,\n     body: [{op: fp32, count: 9}]}\n' \
            "$n" > "grid-$n.yaml"
    done
    cat > named.yaml << 'END'
gpus: [m2090]
workloads: ["./grid-{grid}.yaml", dependent]
axes: {grid: {values: [64, 128]}}
END
    good named
    is named.html "$cycles//tr[1]/th[3]" 'grid 128'
    is named.html "$cycles/tbody/tr[1]/td[2]/text()" "$(thousands "$(sql results/named.sqlite \
        "SELECT json_extract(result, '\$.cycles.core') FROM runs WHERE id = 2")")"
    is named.html "count($cycles/tbody/tr)" 2
}

@test "a single run has a page too" {
    printf '%s\n' 'gpus: [m2090]' 'workloads: [atomics]' > one.yaml
    good one
    is one.html "count($cycles/tbody/tr/td)" 1
    check 'the answer' grep -qE '^atomics takes [0-9,]+ cycles \([0-9.]+ us\) at 0\.[0-9]{3} warp instructions a cycle; it loses most to load/store units that are full: [0-9.]+ % of scheduler cycles wait for memory or for room in them, .*\.$' one.txt
}

@test "without -o the page is beside the database" {
    report 0 one
    check 'it says where' [ "$(tail -n 1 out)" = 'page      results/one.html' ]
    check 'of a name' cmp results/one.html one.html
    mkdir -p beside
    cp results/one.sqlite beside/other.db
    report 0 beside/other.db -q
    is beside/other.db.html '//h1' other.db
    rm results/one.html
    mkdir results/one.html
    refused_report 'results/one.html: cannot be written' one
    rmdir results/one.html
}

refused_report() { refused "$1" report "${@:2}"; }

@test "what cannot be reported is refused" {
    echo 'this is no database' > text.sqlite
    sqlite3 foreign.sqlite 'CREATE TABLE t (a)'
    cp results/one.sqlite empty.sqlite
    sqlite3 empty.sqlite 'DELETE FROM grid'
    cp results/pair.sqlite torn.sqlite
    sqlite3 torn.sqlite 'DELETE FROM grid WHERE id = 5'
    cp results/one.sqlite axes.sqlite
    sqlite3 axes.sqlite "ALTER TABLE results ADD COLUMN input; ALTER TABLE results ADD COLUMN result; UPDATE grid SET axes = '['; PRAGMA user_version = 2"
    cp results/one.sqlite grid.sqlite
    sqlite3 grid.sqlite "UPDATE grid SET variant = 'other' WHERE id = 1"
    refused_report "an experiment's name or database, or a run's folder, is needed" -o bad/page.html
    refused_report 'there is no results/none.sqlite' none -o bad/page.html
    refused_report 'none.sqlite: No such file' none.sqlite -o bad/page.html
    refused_report 'not a database' text.sqlite -o bad/page.html
    refused_report "another program's database" foreign.sqlite -o bad/page.html
    refused_report 'there are no runs in it' empty.sqlite -o bad/page.html
    refused_report 'no whole grid' torn.sqlite -o bad/page.html
    refused_report 'run 1 of the grid is not as it was written; gpusched experiment grid' grid.sqlite -o bad/page.html
    refused_report 'run 1 cannot be read' axes.sqlite -o bad/page.html
    refused_report '--baseline=gt: no such variant; there are: gto, lrr' pair --baseline=gt -o bad/page.html
    refused_report 'one experiment or run is allowed' one pair -o bad/page.html
    refused_report 'a file is needed' one -o bad/
    refused_report 'this is no folder' one -o text.sqlite/page.html
    refused_report '--basline=a: no such option' one --basline=a -o bad/page.html
}

@test "kernels are told apart where there are several" {
    cat > kinds.yaml << 'END'
gpus: [m2090]
workloads: [two-kernels, compute]
variants: {gto: {warp.policy: gto}, lrr: {warp.policy: lrr}}
baseline: gto
END
    good kinds
    local rows='//h4[.="By kernel"]/following-sibling::div[1]//tbody/tr' first
    first=$(sql results/kinds.sqlite "SELECT json_extract(result, '\$.by_kernel[0].name') || ' '
        || json_extract(result, '\$.by_kernel[0].launches') FROM runs WHERE id = 1")
    is kinds.html 'count(//h4[.="By kernel"])' 1
    is kinds.html "count($rows)" 6
    is kinds.html "concat(${rows}[1]/td[3], ' ', ${rows}[1]/td[4])" "$first"
    is kinds.html "${rows}[1]/td[1]" two-kernels
    is kinds.html "${rows}[4]/td[2]" lrr
    is kinds.html "${rows}[3]/td[3]" '(no kernel)'
    is kinds.html "${rows}[4]/td[6]" "$(thousands "$(sql results/kinds.sqlite \
        "SELECT json_extract(result, '\$.by_kernel[0].sm.warp_instructions') FROM runs WHERE id = 2")")"
}

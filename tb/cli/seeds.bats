#!/usr/bin/env bats
# Ensembles: the seeds of an experiment move launches and buffers and no result, its medians and bands are those that
# SQL and awk find in the runs, and RTL beside a jittered run changes nothing.

load helper

experiment() { ends "$1" experiment "${@:2}"; }
ask() { gpusched query "$1/small.sqlite" "$2"; }
is() { check "$1" [ "$(ask "$3" "$4")" = "$2" ]; }

plain() {
    cat << 'END'
title: Two policies
gpus: [m2090]
workloads: ["tile:64", hotspot]
variants:
  gto: {}
  lrr: {warp.policy: lrr}
axes:
  ctas: {key: sm.cta_slots, values: [4, 8]}
baseline: gto
figures: [cycles, l2_hit_rate, end]
END
}

@test "the first seed is the run without seeds" {
    plain > small.yaml
    experiment 0 small.yaml -o some --csv=plain.csv --table
    cp out plain.table
    ask some 'SELECT result FROM runs ORDER BY id' > plain.results
    { plain; echo 'seeds: 8'; } > small.yaml
    experiment 0 small.yaml -o some --csv=some.csv
    check 'its result is found again' grep -q '64 of 64 runs done, 0 failed; 56 ended now' err
    check 'and is the same' cmp plain.results <(ask some 'SELECT result FROM runs WHERE seed = 0 ORDER BY id')
    sed 's/seeds: 8/seeds: 1/' small.yaml > one.yaml
    experiment 0 one.yaml -o one --csv=one.csv --table
    check 'one seed is no ensemble' cmp plain.csv one.csv
    check 'nor is its table' cmp plain.table out
}

@test "seeds move launches by 0 to 7 cycles and memory, and no result" {
    local launches="SELECT workload, seed, result ->> '\$.kernels[0].first_cta' - min(result ->> '\$.kernels[0].first_cta')
        FILTER (WHERE seed = 0) OVER (PARTITION BY workload, variant, ctas) AS late FROM runs"
    is 'launches are late by 0 to 7 cycles' '0|7' some "SELECT min(late), max(late) FROM ($launches)"
    is 'by several numbers' 1 some "SELECT count(DISTINCT late) > 3 FROM ($launches)"
    is 'by one of each seed' 1 some "SELECT max(n) FROM (SELECT count(DISTINCT late) AS n FROM ($launches) GROUP BY seed)"
    is 'kernels take other times, since their buffers have moved' 1 some "SELECT min(n) > 4 FROM (SELECT count(DISTINCT
        result ->> '\$.kernels[0].ended' - result ->> '\$.kernels[0].first_cta') AS n FROM runs GROUP BY workload, variant, ctas)"
    is 'every value is right' 32 some "SELECT count(*) FROM runs WHERE workload = 'hotspot' AND result ->> '\$.verified' = 1"
    is 'as much is computed' 1 some "SELECT max(n) FROM (SELECT count(DISTINCT result ->> '\$.sm.total.thread_instructions')
        AS n FROM runs GROUP BY workload)"
    is 'the result names its seed' 64 some "SELECT count(*) FROM runs WHERE result ->> '\$.configuration.jitter.seed' = seed"
    is 'another seed is another run' 64 some 'SELECT count(DISTINCT key) FROM grid'
}

@test "the CSV has the medians and bands that SQL finds" {
    ask some "WITH ranked AS (SELECT (id - 1) / 8 * 8 + 1 AS first, gpu, workload, size, variant, ctas, name, CAST(value AS REAL)
            AS v, row_number() OVER (PARTITION BY gpu, workload, size, variant, ctas, name ORDER BY CAST(value AS REAL)) AS rank
            FROM runs JOIN figures ON run = id WHERE name <> 'end'),
        bands AS (SELECT first, gpu, workload, size, variant, ctas, name, avg(v) FILTER (WHERE rank IN (4, 5)) AS median,
            min(v) AS low, max(v) AS high FROM ranked GROUP BY first, name)
        SELECT printf('%d,%s,%s,%s,%s,%d,done,,%.12g,%.12g,%.12g,%.12g,%.12g,%.12g,done,,', a.first, a.gpu, a.workload,
            coalesce(a.size, ''), a.variant, a.ctas, a.median, a.low, a.high, b.median, b.low, b.high)
        FROM bands a JOIN bands b ON a.first = b.first WHERE a.name = 'cycles' AND b.name = 'l2_hit_rate' ORDER BY a.first" > sql.csv
    check 'names of columns' [ "$(head -1 some.csv)" = \
        'run,gpu,workload,size,variant,ctas,status,error,cycles,cycles low,cycles high,l2_hit_rate,l2_hit_rate low,l2_hit_rate high,end,end low,end high' ]
    check 'a line for each ensemble' [ "$(wc -l < sql.csv)" -eq 8 ]
    check 'medians and bands' cmp sql.csv <(tail -n +2 some.csv)
}

@test "the table has the ratios of these, and says what may be noise" {
    experiment 0 small.yaml -o some --no-run --table
    awk -F, 'NR > 1 { m[$3, $5, $6] = $9; low[$3, $5, $6] = $10; high[$3, $5, $6] = $11 }
        function line(w, label, v, c, a, b, noise) {
            printf "%s", label
            for (v = 1; v <= 2; v++) {
                b = v == 1 ? "gto" : "lrr"
                a = m[w, "gto", c]
                noise = v == 2 && ((a / m[w, b, c] >= a / high[w, "gto", c] && a / m[w, b, c] <= a / low[w, "gto", c]) ||
                    (1 >= a / high[w, b, c] && 1 <= a / low[w, b, c]))
                printf " %s%.3f [%.3f, %.3f]", noise ? "~" : "", a / m[w, b, c], a / high[w, b, c], a / low[w, b, c]
            }
            print ""
        }
        END { for (c = 4; c <= 8; c += 4) { line("tile:64", "tile:64", 0, c); line("hotspot", "hotspot small", 0, c) } }' some.csv > awk.rows
    check 'every row' cmp awk.rows <(sed -n 's/^  *//; /^tile\|^hotspot/ s/  */ /gp' out)
    check 'it says what they are' grep -q '^medians of 8 seeds, and their 95 % bands; ~: may be noise$' out
    # The mean: of the medians; its band of the means of each seed.
    ask some "SELECT ctas, seed, workload, variant, value FROM runs JOIN figures ON run = id WHERE name = 'cycles'" | tr '|' ' ' |
        awk -v medians=some.csv 'BEGIN { while ((getline line < medians) > 0) { split(line, part, ","); m[part[3], part[5], part[6]] = part[9] } }
            { v[$1, $2] += $4 == "lrr" ? log(m[$3, "gto", $1] / $5) / 2 : 0 }
            END { for (c = 4; c <= 8; c += 4) {
                low = 9; high = 0
                for (s = 0; s < 8; s++) { x = exp(v[c, s]); if (x < low) low = x; if (x > high) high = x }
                printf "%.3f [%.3f, %.3f]\n", sqrt(m["tile:64", "gto", c] / m["tile:64", "lrr", c] * m["hotspot", "gto", c] / m["hotspot", "lrr", c]), low, high
            } }' > awk.means
    check 'every mean' cmp awk.means <(sed -n 's/^  geometric mean .*  *~\{0,1\}\([0-9.]* \[[^]]*\]\)$/\1/p' out)
    experiment 0 small.yaml -o some --no-run --table=l2_hit_rate
    check 'of other figures as well' grep -qE '^  tile:64 .*\[[0-9.]+, [0-9.]+\]$' out
}

@test "a page has the medians" {
    awk -F, 'NR > 1 { m[$3, $5, $6] = $9 }
        END { for (c = 4; c <= 8; c += 4) printf "%.3f\n%.3f\n", m["tile:64", "gto", c] / m["tile:64", "lrr", c],
            m["hotspot", "gto", c] / m["hotspot", "lrr", c] }' some.csv > medians
    ends 0 report some/small.sqlite -o page.html
    check 'speedups' cmp medians <(awk '$1 == "lrr" && $2 ~ /,/ { print $3 }' out)
    check 'it says so' grep -q '^medians of 8 seeds' out
    check 'so does the page' grep -q 'medians of 8 seeds' page.html
}

# cell XPATH - of page.html, without white space around it.
cell() { xmllint --xpath "normalize-space($1)" page.html | sed 's/\xc2\xa0/ /g'; }
cells() { xmllint --xpath "$1" page.html | sed 's/<small>[0-9,]*<\/small>//g; s/<\/*small>//g; s/<\/td>/\n/g; s/<[^>]*>//g' | sed '/^$/d; s/\([0-9]\)\[/\1 [/'; }

@test "it says of how many runs and seeds it is" {
    check 'runs' [ "$(cell '//p[@class="state"]')" = '64 of 64 runs done; 8 ensembles of 8 seeds' ]
    check 'what brackets are' grep -q '; values are medians of 8 seeds, brackets have the 95.*% bands of speedups and cycles, and what has a ~ may be noise\.' page.html
    local rows='(//h4[.="Every ensemble"])/following-sibling::div[1]//tbody/tr'
    check 'a row for each ensemble' [ "$(cell "count($rows)")" = 8 ]
    check 'its runs' [ "$(cell "($rows)[2]/td[1]")" = '9 to 16' ]
    thousands() { sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; ta' <<< "$1"; }
    local median low high
    IFS=, read -r median low high <<< "$(sed -n 3p some.csv | cut -d , -f 9-11)"
    check 'cycles with their band' [ "$(cell "($rows)[2]/td[6]")" = "$(thousands "${median%.*}") [$(thousands "$low"), $(thousands "$high")]" ]
}

@test "a page has the bands of the table, and its marks" {
    experiment 0 small.yaml -o some --no-run --table
    # Of each table the rows of lrr, and the geometric mean.
    awk '/^  (tile|hotspot|geometric)/ { sub(/.*\] +/, ""); print }' out > table.cells
    cells '//h4[.="Cycles"]/following-sibling::div[1]//tbody/tr/td[2]' > page.cells
    check 'there are some' [ "$(wc -l < table.cells)" -eq 6 ]
    check 'the same' cmp table.cells page.cells
    # Both tables together: the answer's band is that of all four rows.
    ask some "SELECT seed, workload, ctas, variant, value FROM runs JOIN figures ON run = id WHERE name = 'cycles'" | tr '|' ' ' |
        awk -v medians=some.csv 'BEGIN { while ((getline line < medians) > 0) { split(line, part, ","); m[part[3], part[5], part[6]] = part[9] } }
            { v[$1] += $4 == "lrr" ? log(m[$2, "gto", $3] / $5) / 4 : 0; base[$1] += $4 == "gto" ? log(m[$2, "gto", $3] / $5) / 4 : 0 }
            { mean += $4 == "lrr" && $1 == 0 ? log(m[$2, "gto", $3] / m[$2, "lrr", $3]) / 4 : 0 }
            END { low = blow = 9
                for (s = 0; s < 8; s++) {
                    x = exp(v[s]); if (x < low) low = x; if (x > high) high = x
                    x = exp(base[s]); if (x < blow) blow = x; if (x > bhigh) bhigh = x
                }
                noise = (exp(mean) >= blow && exp(mean) <= bhigh) || (1 >= low && 1 <= high)
                printf " The 95 %% band of this speed is %.3f to %.3f%s.\n", low, high, noise ? ": it may be noise" : "" }' > awk.answer
    check 'the answer' says "$(< awk.answer)" <(cell '//p[@class="answer"][1]')
    sed 's/^baseline: gto//' small.yaml > unbased.yaml
    experiment 0 unbased.yaml -q -o unbased
    ends 0 report unbased/unbased.sqlite -o page.html -q
    IFS=, read -r median low high <<< "$(sed -n 2p some.csv | cut -d , -f 9-11)"
    check 'without a baseline those of cycles' [ "$(cells '(//h4[.="Cycles"])[1]/following-sibling::div[1]//tbody/tr[1]/td[1]' | tr -d ,)" = "${median%.*} [$low $high]$(
        xmllint --xpath 'string((//h4[.="Cycles"])[1]/following-sibling::div[1]//tbody/tr[1]/td[1]/small[2])' page.html)" ]
}

@test "what may be noise has its mark on the page" {
    # The program reads no texture: the variants differ in nothing, whatever the values of the GPU.
    printf '%s\n' 'gpus: [m2090]' 'workloads: ["stream:32"]' 'seeds: 6' 'variants: {eight: , nine: {texture.merges: 9}}' 'baseline: eight' > noise.yaml
    experiment 0 noise.yaml -q --table
    check 'the table has it' grep -qE '^  stream:32 .* ~1\.000 ' out
    awk '/^  stream/ { sub(/.*\] +/, ""); print }' out > table.cells
    ends 0 report noise.yaml -o page.html -q
    check 'the page as well' cmp table.cells <(cells '//h4[.="Cycles"]/following-sibling::div[1]//tbody/tr/td[2]')
    check 'a bar' [ "$(cell '//figure[.//h4="Speedup"]//*[@class="value"]')" = "$(sed 's/ .*//' table.cells) ×" ]
    check 'the answer' says ': it may be noise.' <(cell '//p[@class="answer"]')
}

@test "a page of ensembles that lack runs" {
    cp some/small.sqlite part.sqlite
    # The second run of the first ensemble, and the third of the second one.
    sqlite3 part.sqlite "DELETE FROM results WHERE key IN (SELECT key FROM grid WHERE id IN (2, 19))"
    ends 0 report part.sqlite -o page.html -q
    check 'runs' [ "$(cell '//p[@class="state"]')" = '62 of 64 runs done, 2 not run yet; 8 ensembles of 8 seeds' ]
    check 'the ensemble has no median' [ "$(cell '((//h4[.="Every ensemble"])/following-sibling::div[1]//tbody/tr)[1]/td[6]')" = pending ]
    cp some/small.sqlite torn.sqlite
    sqlite3 torn.sqlite "UPDATE about SET value = 7 WHERE name = 'seeds'"
    ends 2 report torn.sqlite -o torn.html
    check 'no whole ensembles' grep -q 'its runs are no whole grid' err
}

@test "an ensemble goes on where it was, with the same bytes" {
    sqlite3 some/small.sqlite 'DELETE FROM results WHERE id % 3 = 0'
    experiment 1 small.yaml -o some --no-run --csv
    check 'an ensemble that lacks a run has no median' [ "$(grep -c ',pending,,,' out)" -ge 1 ]
    experiment 0 small.yaml -o some --jobs=1 --csv=again.csv
    check 'what was missing is run' grep -q '; 21 ended now' err
    check 'the same CSV' cmp some.csv again.csv
    ends 0 experiment --check some/small.sqlite
}

@test "RTL beside a jittered run, or in its place, changes nothing" {
    local run=(gpusched run -q -g c2050 -w hotspot --set jitter.seed=5)
    exits 0 "${run[@]}" -o off
    for way in shadow drive; do
        exits 0 "${run[@]}" --rtl=$way --units=cta_scheduler -o $way
    done
    check 'it is jittered' grep -q '"seed": 5' off/result.json
    check 'shadow' cmp off/result.json shadow/result.json
    check 'drive' cmp off/result.json drive/result.json
}

# refuses TEXT LINE... - an experiment with these lines is refused.
refuses() {
    printf '%s\n' 'gpus: [m2090]' 'workloads: [mix]' "${@:2}" > bad.yaml
    refused "$1" experiment bad.yaml -o bad
}

@test "numbers of seeds that have no band are refused" {
    refuses 'bad.yaml:3: seeds: 5 is given; allowed: 1, or 6 to 64, since fewer than 6 runs have no band of 95 %' 'seeds: 5'
    refuses 'bad.yaml:3: seeds: 65 is given' 'seeds: 65'
    refuses 'bad.yaml:3: seeds: 0 is given' 'seeds: 0'
    refuses 'bad.yaml:3: seeds: a list is given' 'seeds: [1, 2]'
    refuses 'bad.yaml:4: axes: seed is the axis of the key seeds' 'seeds: 8' 'axes: {seed: {key: sm.cta_slots, values: [4]}}'
    refuses 'is set by variant a as well' 'seeds: 8' 'variants: {a: {jitter.seed: 3}}'
}

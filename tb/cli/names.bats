#!/usr/bin/env bats
# An experiment whose names mean something to HTML, shells, SQL, printf and spreadsheets: nowhere do
# they mean it, and everywhere they are shown as they are.

load helper
workloads=("=cmd|' !A0" '<img src=x onerror=alert(3)>' 'a,b"c' "\$(touch pwned);\`touch pwned2\`" '%s%n%n')
variants=('=1+1' '<svg onload=alert(4)>' "'; drop table results; --" '@SUM(A1)' '-2+3')
title="<script>alert(1)</script>\"'><img src=x onerror=alert(2)>%s%n"

sql() { sqlite3 results/names.sqlite "$1"; }
csv() { sqlite3 csv.sqlite "$1"; }
elements() { xmllint --xpath "count($1)" names.html; }

@test "an experiment runs whose names are commands of a shell" {
    cat > tiny.yaml << 'END'
kernels:
  - {name: k, grid: [2, 1, 1], block: [32, 1, 1], registers: 8, body: [{op: fp32, count: 2}]}
END
    for name in "${workloads[@]}"; do cp tiny.yaml "./$name.yaml"; done
    cat > names.yaml << 'END'
title: "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>%s%n"
gpus: [c2050]
workloads: ["./tiny.yaml", "./=cmd|' !A0.yaml", "./<img src=x onerror=alert(3)>.yaml", "./a,b\"c.yaml",
            "./$(touch pwned);`touch pwned2`.yaml", "./%s%n%n.yaml"]
variants:
  "=1+1": {warp.policy: lrr}
  "<svg onload=alert(4)>": {warp.policy: gto}
  "'; drop table results; --": {sm.cta_slots: 4}
  "@SUM(A1)": {sm.cta_slots: 2}
  "-2+3": {sm.cta_slots: 1}
axes:
  x: {key: l1.ways, values: [1, 2]}
baseline: "=1+1"
END
    ends 0 experiment names.yaml -q --csv=names.csv
    check 'no shell has seen a name' [ -z "$(find . -name 'pwned*')" ]
    ends 0 experiment --check results/names.sqlite
    check '60 runs are done' says ' 60 runs: 60 done' out
    ends 0 experiment names.yaml -q --table
    check 'the title is printed as it is' says "$title: speedup" out
}

@test "to SQL names are values" {
    check 'no table is dropped' [ "$(sql 'SELECT count(*) FROM results')" -eq 60 ]
    for name in "${variants[@]}"; do
        check "variant $name" [ "$(sql "SELECT count(*) FROM runs WHERE variant = '${name//\'/\'\'}'")" -eq 12 ]
    done
    for name in "${workloads[@]}"; do
        check "workload $name" [ "$(sql "SELECT count(*) FROM runs WHERE workload = '${name//\'/\'\'}'")" -eq 10 ]
    done
}

@test "a reader of CSV finds the names, after an apostrophe where they are formulas" {
    check 'CSV that can be read' sqlite3 csv.sqlite '.import --csv names.csv csv'
    check 'a row a run' [ "$(csv 'SELECT count(*) FROM csv')" -eq 60 ]
    check 'nothing that a spreadsheet computes' [ "$(csv "SELECT count(*) FROM csv, json_each(json_array(
        gpu, workload, size, variant, x, status, error)) WHERE value GLOB '[=+@-]*'")" -eq 0 ]
    for name in "${variants[@]}" "${workloads[@]}"; do
        case $name in [=+@-]*) shown="'$name" ;; *) shown=$name ;; esac
        check "CSV: $name" [ "$(csv "SELECT count(*) > 0 FROM csv WHERE '${shown//\'/\'\'}' IN (variant, workload)")" -eq 1 ]
    done
}

@test "in HTML names are texts" {
    ends 0 report names -o names.html
    check 'well-formed' xmllint --noout names.html
    check 'no element of a name' [ "$(elements '//script | //img | //svg[@onload] | //@onerror | //@onload')" -eq 0 ]
    check 'the title is shown' [ "$(xmllint --xpath 'string(//h1)' names.html)" = "$title" ]
    check 'and all variants' [ "$(elements '//th[normalize-space() = "<svg onload=alert(4)>"]')" -gt 0 ]
    check 'and all workloads' [ "$(elements '//th[contains(., "<img src=x onerror=alert(3)>")]')" -gt 0 ]
    check 'no shell has seen a name' [ -z "$(find . -name 'pwned*')" ]
}

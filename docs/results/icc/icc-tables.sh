#!/usr/bin/env bash
# icc-tables.sh MAIN.csv SIZES.csv CLUSTERS.csv BANDWIDTH.csv PAGE.md - puts all tables into the page.
set -euo pipefail

here=$(dirname "$0")
put() {
    tb/drift/document.sh write "$page" "$1" "$here/icc.sh" "$1" "$2"
}
page=$5
for name in windows locality schedulers speedup energy edp parts traffic; do
    put $name "$1"
done
for name in entries lines; do
    put $name "$2"
done
put clusters "$3"
put bandwidth "$4"

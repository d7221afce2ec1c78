#!/usr/bin/env bash
# first.sh text|html FOLDER - what the experiments first-*.yaml came to, from their CSVs and what gpusched report printed of
# them, in FOLDER: each mechanism over the baseline of its paper, with the paper's number (claims.tsv) beside it.
set -euo pipefail

here=$(dirname "$0")
awk -v form="$1" -f "$here/first.awk" kind=claims "$here/claims/claims.tsv" \
    kind=runs "$2"/first-claso.csv "$2"/first-bcs.csv "$2"/first-icc.csv \
    kind=said "$2"/first-claso.txt "$2"/first-bcs.txt "$2"/first-icc.txt

#!/usr/bin/env bash
# rules.sh check|table - docs/rules.md against the code. check: what its last columns name
# exists, every rule that the code cites exists, and every rule names what shows it. table:
# the files that cite each rule, as Markdown.
set -euo pipefail

page=docs/rules.md
failed=0

say() {
    echo "$page: $1"
    failed=1
}

# Lines "RULE FILE" for each citation in the code.
citations() {
    grep -rnoiE --include='*.[chv]' --include='*.def' --include='*.cpp' --include='*.sh' --include='*.yaml' \
        '\brules? [A-Z]{1,2}-[0-9]+\b' cmodel rtl sim tb configs |
        sed -E 's/^([^:]*):[0-9]+:[^ ]* /\1 /' | awk '{print $2, $1}' | sort -uV
}

# shown RULE NAME: a test of tb, or MODULE.v:ASSERTION.
shown() {
    case $2 in
        *.v:*)
            grep -qE "\\b${2#*:} *: *(assert|cover)\\b" rtl/*/"${2%%:*}" 2> /dev/null ||
                say "$1: no assertion $2"
            ;;
        *)
            grep -qE "cmocka_unit_test[a-z_]*\\($2\\b" tb/*/*_test.c tb/*/*/*_test.c || say "$1: no test $2"
            ;;
    esac
}

check() {
    local rows rules rule row column name n=0
    rows=$(sed '/^<!-- rules -->$/,$d' "$page" | grep -E '^\| [A-Z]{1,2}-[0-9]+ \|' || true)
    rules=$(sed -E 's/^\| ([^ ]*) \|.*/\1/' <<< "$rows")
    [ -n "$rules" ] || say "no rules"
    [ "$(sort <<< "$rules" | uniq -d)" = "" ] || say "a number stands twice: $(sort <<< "$rules" | uniq -d)"
    while read -r rule; do
        row=$(grep -E "^\| $rule \|" <<< "$rows")
        column=${row%|}
        column=${column##*|}
        [[ $column == *\`* ]] || say "$rule names nothing that shows it"
        # shellcheck disable=SC2016 # the quotes of Markdown
        for name in $(grep -oE '`[^`]+`' <<< "$column" | tr -d '`'); do
            shown "$rule" "$name"
            n=$((n + 1))
        done
    done <<< "$rules"
    while read -r rule name; do
        grep -qx -e "$rule" <<< "$rules" || say "$name cites rule $rule, which is not here"
    done < <(citations)
    echo "checked: rules=$(wc -l <<< "$rules") shown=$n"
}

table() {
    printf '| rule | cited in |\n|---|---|\n'
    citations | awk '
        $1 != rule { if (rule != "") print "| " rule " | " files " |"; rule = $1; files = "" }
        { name = $2; sub(/.*\//, "", name); files = files (files == "" ? "" : ", ") "[" name "](../" $2 ")" }
        END { if (rule != "") print "| " rule " | " files " |" }'
}

"$1"
[ "$failed" -eq 0 ]

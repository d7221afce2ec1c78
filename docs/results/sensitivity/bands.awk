# bands.awk - a page of results with a ~ before each change of time or energy that may be noise, as bands.tsv says where these are;
# with ensembles.awk, as kind=bands FILE kind=where FILE kind=names PAGE.md kind=page PAGE.md, with of=PAGE.
# A change may be noise if it lies in the 95 % band that its program has without the mechanism. A program without a band of
# its own has the widest of its page's.

function fail(what) {
    print "bands.awk: " FILENAME ": line " FNR ": " what > "/dev/stderr"
    failed = 1
    exit 1
}

# ---- Where changes stand.
kind == "where" && FNR == 1 { if ($0 != "page\tpart\tensemble\tlabel\tcolumns") fail("no names of columns"); next }
kind == "where" {
    split($0, word, "\t")
    if (word[1] != of) next
    if (!((word[3] SUBSEP SUBSEP word[4]) in band_low)) fail("sensitivity.md has no ensemble " word[3] " with " word[4])
    # A table whose columns are of several ensembles or labels has a line for each; its line of meaning is of the first, and has
    # the widest band of each further ensemble.
    if (!(word[2] in parts)) { with[word[2]] = word[4]; from[word[2]] = word[3] }
    else if (word[3] != from[word[2]]) more[word[2]] = more[word[2]] " " word[3]
    parts[word[2]]
    n = split(word[5], place, " ")
    for (i = 1; i <= n; i++)
        if (place[i] ~ /^[0-9]+$/) { label_of[word[2], place[i]] = word[4]; ensemble_of[word[2], place[i]] = word[3] }
        else way[word[2]] = place[i]
    next
}

# ---- The kernel of a short name: | LUD (`lud_internal`) | ...
kind == "names" && /^\| [A-Za-z0-9_+-]+ \(`[a-z0-9_]+`\) \|/ { short = $2; full = $3; gsub(/[^a-z0-9_]/, "", full); kernel[short] = full }
kind == "names" { next }

# The program with a band in an ensemble that a row or column is of, or nothing.
function program(e, name, p, found, key) {
    if (match(name, /`[a-z0-9_]+`/)) name = substr(name, RSTART + 1, RLENGTH - 2)
    sub(/[ :].*/, "", name)
    if (name in kernel) name = kernel[name]
    for (key in banded) {
        split(key, p, SUBSEP)
        if (p[1] == e && (name == p[2] || index(name, p[2] "_") == 1) && length(p[2]) > length(found)) found = p[2]
    }
    return found
}

function marked(part, k, name, text, e) {
    e = ensemble_of[part, k]
    sub(/^~/, "", text)
    if (text !~ /^[-+][0-9.]+ %/) return text
    n_cell++
    if (!in_band(e SUBSEP program(e, name) SUBSEP label_of[part, k], text)) return text
    n_noise++
    return "~" text
}
# 15: -14.5 %, 17: -6.2 %
function each(part, k, name, text, n, item, i, words) {
    n = split(text, item, ", ")
    for (i = 1; i <= n; i++) {
        split(item[i], words, ": ")
        item[i] = words[1] ": " marked(part, k, name, words[2])
    }
    text = item[1]
    for (i = 2; i <= n; i++) text = text ", " item[i]
    return text
}

function bare(text) { gsub(/^ +| +$/, "", text); return text }

function row(part, n, cell, k, line, name) {
    n = split($0, cell, "|")
    if (cell[2] ~ /^ (mean|all)/) return $0
    line = "|" cell[2] "|"
    for (k = 3; k < n; k++) {
        name = substr(cell[2], 2)
        if (way[part] == "down") name = head[k] ~ /^Adaptive/ ? head[k - 1] : head[k]
        if ((part, k - 2) in label_of)
            cell[k] = " " (way[part] == "list" ? each(part, k - 2, name, bare(cell[k])) : marked(part, k - 2, name, bare(cell[k]))) " "
        line = line cell[k] "|"
    }
    return line
}

# What the ~ of a table means, in one line.
# Further ensembles are called as the first, and then what they are of.
function meaning(part, at, e, n, i, further, text) {
    e = from[part]
    at = e SUBSEP SUBSEP with[part]
    n = split(more[part], further, " ")
    for (i = 1; i <= n; i++)
        text = text sprintf(" Columns of %s have bands of their own, the widest %+.1f to %+.1f %%.", substr(further[i], length(e) + 2),
            100 * (band_low[further[i], "", "-"] - 1), 100 * (band_high[further[i], "", "-"] - 1))
    return sprintf("A `~` may be noise: the change lies in the 95 %% band of the program without the mechanism, on `%s` in size %s" \
        " ([8 seeds](sensitivity.md#chance)); for a program without a band, in the widest there, %+.1f to %+.1f %%.", ensemble_gpu[e], ensemble_sizes[e],
        100 * (band_low[at] - 1), 100 * (band_high[at] - 1)) text
}

# ---- The page.
kind == "page" && /^<!-- end of / { if (part in parts && !n_rows[part]) fail("no rows in " part); part = "" }
kind == "page" && /^<!-- .* -->$/ && !/^<!-- end of / { part = $2 }
kind == "page" && part in parts && /^A `~` may be noise: / { getline; next }
kind == "page" && part in parts && /^\|/ {
    if (!(part in begun)) {
        begun[part]
        print meaning(part) "\n"
        split($0, head, / *\| */)
    } else if ($0 !~ /^\|---/) {
        n_rows[part]++
        print row(part)
        next
    }
}
kind == "page" { print }

END {
    if (failed) exit 1
    for (name in parts)
        if (!(name in begun)) {
            print "bands.awk: " of ".md has no table " name > "/dev/stderr"
            exit 1
        }
    print n_cell + 0, n_noise + 0 > "/dev/stderr"
}

# records.awk - what is in a line of JSON that measured.awk has written; for awk -f records.awk -f OTHER.

# value("fo4"): that of a name, without quotes; "" if there is none, or null.
function value(name,    rest) {
    if (!match($0, "\"" name "\": ")) return ""
    rest = substr($0, RSTART + RLENGTH)
    if (rest ~ /^"/) { sub(/^"/, "", rest); sub(/".*/, "", rest) }
    else if (rest ~ /^{/) { sub(/^{/, "", rest); sub(/}.*/, "", rest); gsub(/"|,/, "", rest); gsub(/: /, "=", rest) }
    else sub(/[,}].*/, "", rest)
    return rest == "null" ? "" : rest
}
# A number of square micrometres and the like, with commas.
function commas(n,    text) {
    text = sprintf("%d", n)
    while (match(text, /[0-9][0-9][0-9][0-9](,|$)/)) text = substr(text, 1, RSTART) "," substr(text, RSTART + 1)
    return text
}

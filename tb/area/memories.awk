# memories.awk - of a design that Yosys has written as JSON: its memories apart, a line "memory NAME WORDS WIDTH" each. That
# is an array of 16 words and more, with two ports to write and four to read at most; one that is searched, or
# shown, is read at every word, and becomes flip-flops, as all smaller ones do.
function binary(text,    i, value) {
    gsub(/[^01]/, "", text)
    for (i = 1; i <= length(text); i++) value = 2 * value + substr(text, i, 1)
    return value + 0
}
/"type": "\$mem/ { on = 1 }
on && /"(MEMID|SIZE|WIDTH|RD_PORTS|WR_PORTS)":/ {
    split($0, part, "\"")
    given[part[2]] = part[2] == "MEMID" ? part[4] : binary(part[4])
}
on && /"attributes"/ {
    on = 0
    sub(/^\\+/, "", given["MEMID"])
    if (given["SIZE"] >= 16 && given["RD_PORTS"] <= 4 && given["WR_PORTS"] <= 2)
        print "memory", given["MEMID"], given["SIZE"], given["WIDTH"]
}

# cfg_rows.awk FILE.cfg... - the sections of units' files for make, in words: FILE|SECTION for each that is there, spaces
# as dashes, and for each size in one that lists sizes FILE|SECTION|CASE, such as
# tb/units/icc/icc.cfg|sizes|icc-N_ENTRY.1-N_SM.1-LINE_W.1; in [area] its limits follow, |FO4|kGE, and |night if
# it has that.
FNR == 1 {
    unit = FILENAME
    sub(/.*\//, "", unit)
    sub(/\.cfg$/, "", unit)
    section = ""
}
/^\[.*\]$/ {
    section = substr($0, 2, length($0) - 2)
    gsub(/ /, "-", section)
    print FILENAME "|" section
    next
}
section ~ /^(sizes|night-sizes|proofs|night-proofs|reached|night-reached|netlist|area)$/ && /^ *[A-Z0-9]/ {
    sub(/ *(#.*)?$/, "")
    sub(/^ */, "")
    gsub(/ *[|] */, "|")
    gsub(/ +/, "-")
    gsub(/=/, ".")
    print FILENAME "|" section "|" unit "-" $0
}

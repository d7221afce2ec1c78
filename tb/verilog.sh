# shellcheck shell=bash
# verilog.sh - sourced by scripts that give a unit's Verilog to tools: where its parts are looked
# for, which files were used, and where its properties stand.
# shellcheck disable=SC2034 # variables for those who source it

# look_for_parts UNIT.v - sets search, as options -y FOLDER, and libdirs, for Yosys: the unit's own
# folder comes before ours.
look_for_parts() {
    local folder
    search=()
    libdirs=''
    for folder in "$(dirname "$1")" rtl/units rtl/lib; do
        search+=(-y "$folder")
        libdirs+=" -libdir $folder"
    done
}

# set_params PARAM=VALUE... - sets chparam, as options -chparam PARAM VALUE of Yosys's hierarchy.
set_params() {
    local param
    chparam=()
    for param; do chparam+=(-chparam "${param%=*}" "${param#*=}"); done
}

# properties UNIT.v - its text under FORMAL, and that of the module of properties that it instantiates there. What is
# asserted of a net stands under the same name in both.
properties() {
    local text
    # shellcheck disable=SC2016 # the compiler's directives
    text=$(sed -n '/^`ifdef FORMAL/,/^`endif/p' "$1")
    echo "$text"
    sed -nE 's,^ *([a-z_]+_properties)\>.*,rtl/formal/\1.v,p' <<< "$text" | xargs -r cat
}

# tested UNIT.v - says which files the unit is made of, with the first 12 digits of their SHA-256. The
# files are those that Icarus reads, which looks for parts as the other tools do.
tested() {
    local list
    list=$(mktemp)
    iverilog -g2005 -t null -M "$list" "${search[@]}" -s "$(basename "$1" .v)" "$1"
    sort -u "$list" | tr '\n' '\0' | xargs -r0 sha256sum |
        awk '{ text = text (NR > 1 ? ", " : "") substr($0, 67) " " substr($0, 1, 12) } END { print "RTL " text }'
    rm -f "$list"
}

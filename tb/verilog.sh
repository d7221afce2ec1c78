# shellcheck shell=bash
# verilog.sh - sourced by scripts that give a unit's Verilog to tools: where its parts are looked
# for, and which files were used.
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

# tested UNIT.v - says which files the unit is made of, with the first 12 digits of their SHA-256. The
# files are those that Icarus reads, which looks for parts as the other tools do.
tested() {
    local list comma=''
    list=$(mktemp)
    iverilog -g2005 -t null -M "$list" "${search[@]}" -s "$(basename "$1" .v)" "$1"
    printf 'RTL '
    sort -u "$list" | while IFS= read -r file; do
        printf '%s%s %s' "$comma" "$file" "$(sha256sum < "$file" | cut -c 1-12)"
        comma=', '
    done
    echo
    rm -f "$list"
}

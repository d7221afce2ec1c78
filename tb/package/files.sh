# shellcheck shell=bash
# files.sh - sourced by the scripts of packaging: which Verilog files there are, what a file needs, and its parameters. They
# read the text, of which every tool's elaboration is checked to find the same (tb/package/unit.sh).

# file_of MODULE - its file, if it is one of ours.
file_of() {
    local folder
    for folder in lib units top; do
        [ ! -f "rtl/$folder/$1.v" ] || { echo "rtl/$folder/$1.v"; return; }
    done
}
# name_of FILE.v - the core that lists it.
name_of() {
    case $1 in
        rtl/lib/*) echo gpusched:lib:parts ;;
        *) echo "gpusched:units:$(basename "$1" .v)" ;;
    esac
}
# needs FILE.v - the files of the modules that it instantiates; comments and properties are no part of it.
needs() {
    local module
    # shellcheck disable=SC2016 # the compiler's directives
    while read -r module; do file_of "$module"; done < <(sed -nE '/^`ifdef FORMAL/,/^`endif/d; s,//.*,,
        s/^ *([a-z][a-z_]*) +(#\(|u_[a-z_]+ *\().*/\1/p' "$1" | sort -u)
}
# in_order FILE.v... - these and all that they need, once, each after those that it needs.
declare -A listed
in_order() {
    local file
    listed=()
    for file; do visit "$file"; done
}
visit() {
    local part
    [ -z "${listed[$1]:-}" ] || return 0
    listed[$1]=1
    for part in $(needs "$1"); do visit "$part"; done
    echo "$1"
}
# literal_parameters FILE.v - NAME=VALUE of those that are set from outside: a derived one has an expression.
literal_parameters() {
    sed '/^);/q' "$1" | sed -nE 's/^ *parameter +integer +([A-Z][A-Z_0-9]*) *= *([0-9]+),? *(\/\/.*)?$/\1=\2/p'
}

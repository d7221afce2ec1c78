#!/usr/bin/env bash
# cores.sh WORK FLAT TOOLS CORE... - the core files, and Bender.yml, say what the Verilog is: every file of rtl is in one core, and
# in Bender.yml after those that it needs; a core depends on the cores of what it instantiates; the parameters of a
# target are those of its module, with their values. Then the files that come together for each target are elaborated, as
# FuseSoC would do it: Verilator, Icarus and Yosys, which get these files and no folder to look in. TOOLS: all of them for
# each core, or one, in turn. Where fusesoc and bender are installed, they are run too.
set -euo pipefail

work=$1
flat=$2
tools=$3
shift 3
# shellcheck source=tb/package/files.sh
. tb/package/files.sh
rm -rf "$work"
mkdir -p "$work"
failed=0
facts=0
fail() {
    failed=1
    echo "$1"
}
# holds TEXT COMMAND... - the command is true, or TEXT is said.
holds() {
    facts=$((facts + 1))
    "${@:2}" || fail "$1"
}
same() { [ "$1" = "$2" ]; }
matches() { [[ $1 =~ $2 ]]; }

# ---- What the files say --------------------------------------------------------------------------

# What a core may have, from CAPI2; a misspelt key is not passed over.
keys='^(CAPI=2|name|description'
keys+='|filesets\.[a-z]+\.(file_type|(files|depend)\.[0-9]+|files\.[0-9]+\.[a-z_.]*\.(file_type|copyto))'
keys+='|parameters\.[A-Za-z_]+\.(datatype|paramtype|default|description)'
keys+='|targets\.[a-z]+\.(default_tool|toplevel|(filesets|parameters)\.[0-9]+'
keys+='|tools\.(verilator\.(mode|verilator_options\.[0-9]+)|icarus\.iverilog_options\.[0-9]+|yosys\.(arch|output_format))))$'

# Of a core: the value of a path; those of a path with numbers at its end, which # stands for; and the next keys below a
# first one. They are arrays, for a shell that is started for each question takes most of the time.
declare -A core_of owner value list below paths
# keep CORE PATH TEXT
keep() {
    local first=${2%%.*} second=${2#*.}
    value[$1|$2]=$3
    paths[$1]+=" $2"
    local whole=${2%.*}
    [[ ! ${2##*.} =~ ^[0-9]+$ ]] || list["$1|$whole.#"]+="$3 "
    [[ " ${below[$1|$first]:-} " = *" ${second%%.*} "* ]] || below[$1|$first]+="${second%%.*} "
}
# files CORE FILESET - with their folder. Those that have attributes are keys.
files() {
    local path folder=${1%/*}
    for path in ${paths[$1]}; do
        [[ $path == "filesets.$2.files."* ]] || continue
        case $path in
            *.copyto) path=${path#"filesets.$2.files."[0-9]*.} && echo "$folder/${path%.copyto}" ;;
            *.file_type) ;;
            *) echo "$folder/${value[$1|$path]}" ;;
        esac
    done
}
has() { [[ " $2 " = *" $1 "* ]]; }

for core; do
    "$flat" "$core" > "$work/flat" || { echo "$core: cannot be read"; exit 1; }
    holds "$core: its first line is not CAPI=2:" same "$(head -n 1 "$core")" 'CAPI=2:'
    while IFS=$'\t' read -r path text; do
        holds "$core: no core has $path" matches "$path" "$keys"
        keep "$core" "$path" "$text"
    done < "$work/flat"
    name=${value[$core|name]:-}
    holds "$core: the name $name is another core's" same "${core_of[$name]:-}" ''
    core_of[$name]=$core
    holds "$core: no description" test -n "${value[$core|description]:-}"
done

# meaning FILE PARAMETER - what the comment at the head of a module says of it, in one line.
meaning() {
    awk -v name="$2" '
        /^\/\/ Parameters/ { in_list = 1; next }
        in_list && !/^\/\/   / { exit }
        in_list && $2 ~ /^[A-Z][A-Z0-9_]*$/ && /^\/\/   [A-Z]/ { on = $2 == name; $1 = $2 = "" }
        in_list && on { sub(/^\/\/ */, ""); sub(/^ */, ""); text = text (text == "" ? "" : " ") $0 }
        END { print text }' "$1"
}

# A core's parameters for a module.
literal() { if [ -f "$1" ]; then literal_parameters "$1"; fi; }
for core; do
    name=${value[$core|name]:-}
    for set in ${below[$core|filesets]:-}; do
        while read -r file; do
            holds "$core: there is no $file" test -f "$file"
            holds "$core: $file is in ${owner[$file]:-} too" same "${owner[$file]:-$core}" "$core"
            owner[$file]=$core
        done < <(files "$core" "$set")
        for dependence in ${list[$core|filesets.$set.depend.#]:-}; do
            holds "$core: there is no core $dependence" test -n "${core_of[$dependence]:-}"
        done
    done
    holds "$core: no target default" has default "${below[$core|targets]:-}"
    for target in ${below[$core|targets]:-}; do
        for set in ${list[$core|targets.$target.filesets.#]:-}; do
            holds "$core: there is no fileset $set" has "$set" "${below[$core|filesets]:-}"
        done
        for parameter in ${list[$core|targets.$target.parameters.#]:-}; do
            holds "$core: target $target: there is no parameter $parameter" has "$parameter" "${below[$core|parameters]:-}"
        done
    done
    # A unit, or a top.
    module=$(basename "$core" .core)
    [[ $name != gpusched:top:* ]] || module=${module}_top
    file=$(dirname "$core")/$module.v
    [[ $name == gpusched:units:* || $name == gpusched:top:* ]] || continue
    holds "$core: its name is $name" same "$name" "$(case $name in *:top:*) echo "gpusched:top:${module%_top}" ;; *) name_of "$file" ;; esac)"
    given='' # with their values
    for p in ${below[$core|parameters]:-}; do
        [ "$p" != vectors ] || continue
        given+="$p=${value[$core|parameters.$p.default]:-} "
        holds "$core: $p is no Verilog parameter" same \
            "${value[$core|parameters.$p.datatype]:-} ${value[$core|parameters.$p.paramtype]:-}" 'int vlogparam'
        [[ $core == rtl/* ]] || continue
        holds "$core: $p has no description" test -n "${value[$core|parameters.$p.description]:-}"
        holds "$core: the description of $p is not that of $file" same \
            "${value[$core|parameters.$p.description]:-}" "$(meaning "${file/_top.v/.v}" "$p")"
    done
    wanted='' names=''
    while IFS= read -r p; do
        wanted+="$p "
        names+="${p%%=*} "
    done < <(literal "$file")
    holds "$core: other parameters than $file, or other values" same "$given" "$wanted"
    for target in lint synth; do
        holds "$core: target $target: its toplevel is not $module" same "${value[$core|targets.$target.toplevel]:-}" "$module"
        holds "$core: target $target: not all parameters" same "${list[$core|targets.$target.parameters.#]:-}" "$names"
    done
done
for file in rtl/*/*.v; do
    holds "$file: in no core" test -n "${owner[$file]:-}"
done
while read -r unit; do
    holds "$unit: there is no ${unit%.v}.core" test -f "${unit%.v}.core"
done < <(find rtl/units rtl/top -name '*.v')

# Bender's list.
"$flat" Bender.yml > "$work/bender" || exit 1
while IFS=$'\t' read -r path _; do
    holds "Bender.yml: no manifest has $path" matches "$path" '^(package\.(name|description)|sources\.[0-9]+(\.target|\.files\.[0-9]+)?)$'
done < "$work/bender"
awk -F '\t' '$1 ~ /^sources.[0-9]+$/ || $1 ~ /files.[0-9]+$/ { print $2 }' "$work/bender" > "$work/sources"
holds "Bender.yml: not each file of rtl once:$(sort "$work/sources" | diff - <(printf '%s\n' rtl/*/*.v | sort) | sed -n 's/^[<>]/ &/p' | tr -d '\n')" \
    cmp -s <(sort "$work/sources") <(printf '%s\n' rtl/*/*.v | sort)
declare -A before
while read -r file; do
    holds "Bender.yml: there is no $file" test -f "$file"
    if [ -f "$file" ]; then
        for part in $(needs "$file"); do
            holds "Bender.yml: $file stands before $part, which it needs" test -n "${before[$part]:-}"
        done
    fi
    before[$file]=1
done < "$work/sources"
[ "$failed" -eq 0 ] || exit 1

# ---- What tools make of it -----------------------------------------------------------------------

if type -P bender > /dev/null; then
    bender script flist -t formal | sed -n "s,^$PWD/,,; /[.]v\$/p" > "$work/listed"
    diff --label 'what bender lists' --label Bender.yml "$work/listed" "$work/sources"
else
    echo 'bender is not installed'
fi
if type -P fusesoc > /dev/null; then
    roots=(--cores-root "$PWD/rtl")
    [[ ${!#} == rtl/* ]] || roots+=(--cores-root "$(realpath "$(dirname "${!#}")")")
    for core; do
        name=${value[$core|name]}
        [ -z "${value[$core|targets.lint.toplevel]:-}" ] || (cd "$work" && fusesoc "${roots[@]}" run --target=lint "$name")
    done
else
    echo 'fusesoc is not installed'
fi

# together CORE FILESET... - the files that come together, those of other cores first.
together() {
    local core=$1 set dependence
    shift
    for set; do
        for dependence in ${list[$core|filesets.$set.depend.#]:-}; do
            [ -n "${taken[$dependence]:-}" ] || {
                taken[$dependence]=1
                together "${core_of[$dependence]}" rtl
            }
        done
        files "$core" "$set" | grep '[.]v$'
    done
}
# due NUMBER - this tool is to take the files of this core.
due() { [ "$tools" = all ] || [ $((turn % 3)) -eq "$1" ]; }
elaborations=0
turn=0
for core; do
    [ -z "${value[$core|targets.lint.toplevel]:-}${value[$core|targets.synth.toplevel]:-}" ] || turn=$((turn + 1))
    for target in lint synth; do
        top=${value[$core|targets.$target.toplevel]:-}
        [ -n "$top" ] || continue
        declare -A taken=()
        read -ra sets <<< "${list[$core|targets.$target.filesets.#]}"
        together "$core" "${sets[@]}" > "$work/files"
        mapfile -t all < "$work/files"
        values=()
        for p in ${list[$core|targets.$target.parameters.#]}; do values+=("$p=${value[$core|parameters.$p.default]}"); done
        case $target in
            lint)
                read -ra options <<< "${list[$core|targets.lint.tools.verilator.verilator_options.#]:-}"
                if due 0; then
                    verilator --lint-only "${options[@]}" --top-module "$top" "${values[@]/#/-G}" "${all[@]}"
                    elaborations=$((elaborations + 1))
                fi
                if due 1; then
                    iverilog -g2005 -t null -s "$top" "${values[@]/#/-P$top.}" "${all[@]}"
                    elaborations=$((elaborations + 1))
                fi
                ;;
            synth)
                due 2 || continue
                yosys -q -p "read_verilog ${all[*]}; $(printf "chparam -set %s $top; " "${values[@]/=/ }") hierarchy -check -top $top; proc; check -assert"
                elaborations=$((elaborations + 1))
                ;;
        esac
    done
done
mapfile -t all < <(grep -v '^rtl/formal/' "$work/sources")
iverilog -g2005 -t null "${all[@]}"
mapfile -t all < "$work/sources"
yosys -q -p "read_verilog -sv -formal -DFORMAL ${all[*]}; hierarchy -check"
elaborations=$((elaborations + 2))
echo "checked: cores=$# facts=$facts elaborations=$elaborations"

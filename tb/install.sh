#!/usr/bin/env bash
# install.sh install|uninstall BUILD FOLDER - puts what was built below a folder, such as
# /usr/local, or removes it from there:
#
#   bin                gpusched, gpusched-unit
#   share/gpusched     configurations, kernels, and what a run needs to make libraries of RTL
#   share/gpusched/package   lists of Verilog files, tops and cores, with paths relative to share/gpusched
#   share/man/man1     manual pages
#   share/bash-completion/completions
#   include/gpusched   headers of the golden models and of the GPU model
#   lib                libgpusched.a
set -euo pipefail

verb=$1
build=$2
to=$3
data=$to/share/gpusched

remove() {
    rm -rf "$data" "$to/include/gpusched"
    rm -f "$to"/bin/gpusched{,-unit} "$to"/share/man/man1/gpusched{,-[a-z]*}.1 \
        "$to/share/bash-completion/completions/gpusched" "$to/lib/libgpusched.a"
}

# copy MODE FOLDER FILE...
copy() {
    install -d "$2"
    install -m "$1" -t "$2" "${@:3}"
}

# tree MODE FILE... - the same place below the data as here.
tree() {
    local file
    for file in "${@:2}"; do
        copy "$1" "$data/$(dirname "$file")" "$file"
    done
}

case $verb in
    uninstall)
        remove
        exit ;;
    install) ;;
    *) echo "install.sh: $verb: install or uninstall is allowed"; exit 2 ;;
esac
remove # what an older one had and this one has not
copy 755 "$to/bin" "$build/gpusched" "$build/gpusched-unit"
copy 644 "$data/workloads" "$build"/workloads/*.ptx
tree 644 Makefile Bender.yml mk/*.mk configs/*/*.yaml rtl/*/*.{v,core} cmodel/base/*.h cmodel/units/*_ports.def \
    cmodel/lockstep/*.{awk,cpp,h,hpp,vlt}
tree 755 cmodel/lockstep/rtl_{library,interface}.sh
copy 644 "$data/package" "$build"/package/*.{f,v,vec,core}
sed -i '/^[/][/]/s,=.*/package/,=package/,; /^[/][/]/!s,^.*/package/,package/,' "$data"/package/*.f
copy 644 "$to/share/man/man1" "$build"/man/man1/*.1
install -d "$to/share/bash-completion/completions"
"$build/gpusched" completion bash > "$to/share/bash-completion/completions/gpusched"
chmod 644 "$to/share/bash-completion/completions/gpusched"
for file in $(cd cmodel && find . -name '*.h' -o -name '*.def'); do
    copy 644 "$to/include/gpusched/$(dirname "$file")" "cmodel/$file"
done
install -d "$to/lib"
install -m 644 "$build/libgolden.a" "$to/lib/libgpusched.a"

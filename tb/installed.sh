#!/usr/bin/env bash
# installed.sh - the tools that checks use, as they are installed: path, size and time of each program, and
# of the list of shared libraries. Their versions would take half a second, and say less.
set -euo pipefail

for tool in gcc g++ ld ar verilator verilator_bin iverilog vvp yosys yosys-smtbmc yosys-abc sta z3 clang clang-tidy \
    clang-format shellcheck make bash gawk mawk sed flex bison gnuplot sqlite3 strace valgrind xmllint help2man man bats \
    fusesoc bender slurmctld slurmd munged; do
    path=$(type -P "$tool") || path=''
    if [ -n "$path" ]; then stat -L -c "$tool %s %.9Y $(realpath "$path")" "$path"; else echo "$tool none"; fi
done
[ ! -f /etc/ld.so.cache ] || stat -c 'libraries %s %.9Y' /etc/ld.so.cache

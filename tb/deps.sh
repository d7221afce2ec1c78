#!/usr/bin/env bash
# deps.sh PACKAGE... - installs the Debian packages that are missing, if it may;
# otherwise prints the one command to run.
set -euo pipefail

here=$(dpkg-query --show --showformat='${Package} ${db:Status-Abbrev}\n' "$@" 2> /dev/null || true)
mapfile -t missing < <(awk 'NR == FNR { if ($2 ~ /^ii/) here[$1]; next } !($1 in here)' \
    <(printf '%s\n' "$here") <(printf '%s\n' "$@"))
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true 2> /dev/null; then
        printf 'Packages are missing. Run:\n\n  sudo apt-get update && sudo apt-get install -y %s\n\n' \
            "${missing[*]}" >&2
        exit 2
    fi
    as_root=(sudo -n)
fi
printf 'installing %s\n' "${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" > /dev/null

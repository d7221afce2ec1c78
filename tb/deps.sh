#!/usr/bin/env bash
# deps.sh PACKAGE... - installs the Debian packages that are missing, if it may;
# otherwise prints the one command to run.
set -euo pipefail

missing=()
for package in "$@"; do
    state=$(dpkg-query --show --showformat='${db:Status-Abbrev}' "$package" 2> /dev/null || true)
    [ "${state:0:2}" = ii ] || missing+=("$package")
done
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

#!/usr/bin/env bats
# Where the values of a GPU come from: as the comments of its files say.

load helper

# of KEY FILE - what is behind the key.
of() { sed -n "s/^  $1: [^#]*# //p" "$2"; }

@test "each value is shown with the comment of the file that gives it" {
    cat > base.yaml << 'END'
base: c2050
sm:
  count: 28         # somebody measured it
  cta_slots: 6
  warp_slots: 60    # assumed: enough
clock: {core: 1000} # all in one line
END
    printf 'base: ./base.yaml\nsm: {warp_slots: 50} # by itself\n' > own.yaml
    ends 0 config show ./own.yaml --sources
    check 'of its base' grep -q '^  count: 28 .* somebody measured it$' out
    check 'nothing beside it' [ "$(of cta_slots out)" = 'not calibrated' ]
    check 'its own comment comes before that of the base' [ "$(of warp_slots out)" = 'by itself' ]
    check "of the base's base" grep -q '^  core: 1000 .* all in one line$' out
    check "of the shipped file" grep -q '^  shared_bytes: 49152 .* CLASO Table 1: 48 KB$' out
    check 'assumed' grep -q '^  wake_latency: 100 .* not calibrated; assumed: nothing public gives it$' out
    check 'the count' [ "$(sed -n '1s/^# \([0-9]*\) of .*/\1/p' out)" -eq "$(grep -c '# not calibrated' out)" ]
    check 'of all keys' [ "$(sed -n '1s/^# [0-9]* of \([0-9]*\) .*/\1/p' out)" -eq "$(gpusched config keys | grep -c .)" ]
    cp out shown.yaml
    ends 0 config show ./own.yaml
    check 'how many, and what shows them' [ "$(head -1 out)" = "$(sed '1s/\.$/; --sources shows which./;q' shown.yaml)" ]
    mv out plain
    ends 0 config show ./plain --sources
    check 'what a key means is no source' [ "$(grep -c '^  .*# not calibrated$' out)" -eq "$(gpusched config keys | grep -c .)" ]
    ends 0 config show ./shown.yaml
    check 'it loads again to the same values' cmp plain out
    ends 0 config show ./shown.yaml --sources
    check 'with the same sources' [ "$(grep '^  ' shown.yaml)" = "$(grep '^  ' out)" ]
}

@test "what is chosen on the command line is not counted" {
    ends 0 config show c2050 --sources --set sm.wake_latency=9 --scheduler gto
    check 'set' [ "$(of wake_latency out)" = 'chosen with --scheduler or --set' ]
    check 'of a scheduler' grep -q '^  policy: gto .* chosen with --scheduler or --set$' out
    local all set
    set=$(sed -n '1s/^# \([0-9]*\) of .*/\1/p' out)
    all=$(gpusched config show c2050 --sources | sed -n '1s/^# \([0-9]*\) of .*/\1/p')
    check 'one fewer' [ "$set" -eq $((all - 1)) ]
    ends 0 run -g c2050 -w tile
    check 'a run says how many' grep -q "^  not calibrated  *$all  of [0-9]* values of the GPU; .* show c2050 --sources$" out
    refused '--sources are for show' config keys --sources
}

# chance.awk - read by the scripts of pages whose runs have seeds: whether two medians differ by chance, as in docs/experiments.md. A
# place has cycles[], a median, and low[] and high[], the edges of its 95 % band.

function within(a, b) { return low[b] <= cycles[a] && cycles[a] <= high[b] }
function by_chance(a, b) { return within(a, b) || within(b, a) }

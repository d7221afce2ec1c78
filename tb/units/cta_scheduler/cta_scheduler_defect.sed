# The search for a pool that lends lacks its last round: of three clusters, the one before
# the own is never drawn on.
# at: N_CLUSTER > 1
s/d < N_CLUSTER; d = 2/2 * d < N_CLUSTER; d = 2/

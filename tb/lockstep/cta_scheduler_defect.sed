# The search for a pool that lends lacks its last round: of three clusters, the one before
# the own is never drawn on.
s/d < N_CLUSTER; d = 2/2 * d < N_CLUSTER; d = 2/

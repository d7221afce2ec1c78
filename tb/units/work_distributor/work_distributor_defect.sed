# A stolen block pays a credit of the SM that gets it.
# at: N_CLUSTER > 1
s/(free & (SM_0 << dispatch_sm_o)) == 0/credited/

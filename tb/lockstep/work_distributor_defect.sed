# A stolen block pays a credit of the SM that gets it.
s/(free & (SM_0 << dispatch_sm_o)) == 0/credited/

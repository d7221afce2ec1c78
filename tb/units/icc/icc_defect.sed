# A request that joins the list in the cycle of the answer is left out of the broadcast.
# at: N_SM > 1
s/list_of(lists, freed) | newcomer;/list_of(lists, freed);/

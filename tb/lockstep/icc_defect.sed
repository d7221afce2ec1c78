# A request that joins the list in the cycle of the answer is left out of the broadcast.
s/list_of(lists, freed) | newcomer;/list_of(lists, freed);/

# Proofs by induction.

PROVE        := tb/formal/prove.sh tb/formal/cover.v
CHECKS_prove := $(foreach u,$(UNITS) $(LIB_PARTS),$(patsubst %,$(LOG)/prove-%,$(call proofs,$(u))))
$(LOG)/prove-%: $$(call verilog,$$*) $$(call parts,$$*) $(LIB) $(PROVE)
	@mkdir -p $(OUT)/formal
	@$(CHECK) $@ tb/formal/prove.sh $(OUT)/formal $< $(call params,$*)

# The same, planted in its RTL: an assertion fails for each. At the second size.
PROVED_READINGS := $(foreach u,$(UNITS),$(call has_section,$(u),proof readings))
CHECKS_long += $(PROVED_READINGS:%=$(LOG)/prove_readings-%)
$(LOG)/prove_readings-%: $$(call verilog,$$*) $$(call parts,$$*) $(LIB) $$(call cfg_of,$$*) tb/formal/readings.sh $(PROVE)
	@$(CHECK) $@ tb/formal/readings.sh $(OUT)/formal/readings-$* $< $(call cfg_of,$*) \
		$(call params,$(word 2,$(call proofs,$*)))

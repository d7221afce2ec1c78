# Proofs by induction.

proofs_of     = tb/units/$(1)/$(1)_proofs.txt
PROVE        := tb/formal/prove.sh tb/formal/cover.v
CHECKS_prove := $(foreach u,$(UNITS),$(patsubst %,$(LOG)/prove-%,$(call sizes,$(u),$(call proofs_of,$(u)))))
$(LOG)/prove-%: $$(call verilog,$$*) $$(call parts,$$*) $(LIB) $(PROVE)
	@mkdir -p $(OUT)/formal
	@$(CHECK) $@ tb/formal/prove.sh $(OUT)/formal $< $(call params,$*)

# The same, planted in its RTL: an assertion fails for each. At the second size.
PROVED_READINGS := $(foreach u,$(UNITS),$(if $(wildcard tb/units/$(u)/$(u)_proof_readings.sed),$(u)))
CHECKS_long += $(PROVED_READINGS:%=$(LOG)/prove_readings-%)
$(LOG)/prove_readings-%: $$(call verilog,$$*) $$(call parts,$$*) $(LIB) tb/units/$$*/$$*_proof_readings.sed tb/formal/readings.sh $(PROVE)
	@$(CHECK) $@ tb/formal/readings.sh $(OUT)/formal/readings-$* $< tb/units/$*/$*_proof_readings.sed \
		$(call params,$(word 2,$(call sizes,$*,$(call proofs_of,$*))))

# Proofs by induction.

PROVE        := tb/formal/prove.sh tb/formal/cover.v $(wildcard rtl/formal/*.v)
CHECKS_prove := $(foreach u,$(UNITS) $(LIB_PARTS),$(patsubst %,$(LOG)/prove-%,$(call proofs,$(u))))
NIGHT_PROOFS := $(foreach u,$(UNITS) $(LIB_PARTS),$(patsubst %,$(LOG)/prove-%,$(call night_proofs,$(u))))
# make prove UNIT=... makes all of the unit's.
$(if $(UNIT),$(eval CHECKS_prove += $(NIGHT_PROOFS)),$(eval CHECKS_long += $(NIGHT_PROOFS)))
$(LOG)/prove-%: $$(call verilog,$$*) $$(call parts,$$*) $(LIB) $(PROVE)
	@mkdir -p $(OUT)/formal
	@$(CHECK) $@ tb/formal/prove.sh $(OUT)/formal $< $(call params,$*)

# The same, planted in its RTL: an assertion fails for each. At the second size.
PROVED_READINGS := $(foreach u,$(UNITS),$(call has_section,$(u),proof readings))
CHECKS_long += $(PROVED_READINGS:%=$(LOG)/prove_readings-%)
$(LOG)/prove_readings-%: $$(call verilog,$$*) $$(call parts,$$*) $(LIB) $$(call cfg_of,$$*) tb/formal/readings.sh $(PROVE)
	@$(CHECK) $@ tb/formal/readings.sh $(OUT)/formal/readings-$* $< $(call cfg_of,$*) \
		'proof readings' tb/formal/prove.sh $(call params,$(word 2,$(call proofs,$*)))

# Properties of all states that a composition can reach; and the same, planted: at the first size.
REACH         := tb/formal/reach.sh tb/formal/cover.v $(wildcard rtl/formal/*.v)
reached        = $(call sizes,$(call cfg_of,$(1)),reached)
NIGHT_REACHED := $(foreach u,$(UNITS),$(patsubst %,$(LOG)/reach-%,$(call sizes,$(call cfg_of,$(u)),night-reached)))
CHECKS_prove  += $(foreach u,$(UNITS),$(patsubst %,$(LOG)/reach-%,$(call reached,$(u))))
$(if $(UNIT),$(eval CHECKS_prove += $(NIGHT_REACHED)),$(eval CHECKS_long += $(NIGHT_REACHED)))
$(LOG)/reach-%: $$(call verilog,$$*) $$(call parts,$$*) $(LIB) $(REACH)
	@mkdir -p $(OUT)/formal
	@$(CHECK) $@ tb/formal/reach.sh $(OUT)/formal $< $(call params,$*)
REACHED_READINGS := $(foreach u,$(UNITS),$(call has_section,$(u),reached readings))
CHECKS_prove  += $(REACHED_READINGS:%=$(LOG)/reach_readings-%)
$(LOG)/reach_readings-%: $$(call verilog,$$*) $$(call parts,$$*) $(LIB) $$(call cfg_of,$$*) tb/formal/readings.sh $(REACH)
	@$(CHECK) $@ tb/formal/readings.sh $(OUT)/formal/reach_readings-$* $< $(call cfg_of,$*) \
		'reached readings' tb/formal/reach.sh $(call params,$(word 1,$(call reached,$*)))

# make same UNIT=claso OLD=REVISION: a unit, or a PART of the library, does what it did before; at PARAMS, or at the sizes
# of its proofs. OLD may be a file too.
MODULE     = $(or $(UNIT),$(PART))
SAME_SIZES = $(if $(PARAMS),$(call dashed,$(MODULE) $(subst =,.,$(PARAMS))),$(call proved_sizes,$(MODULE)))
same:
	@[ -n '$(MODULE)' ] && [ -n '$(OLD)' ] && [ -f '$(call file_of,$(MODULE))' ] || { \
		echo 'make same: which unit or part, and what it was? UNIT=claso OLD=HEAD~1, or PART=cta_pick OLD=HEAD~1'; exit 2; }
	@$(foreach c,$(SAME_SIZES),tb/formal/same.sh $(OUT)/formal '$(call verilog,$(c))' '$(OLD)' $(call params,$(c)) &&) :
.PHONY: same
CHECKS_planted += $(if $(UNIT)$(RTL),,$(LOG)/same_noticed)
$(LOG)/same_noticed: rtl/units/cta_scheduler.v $(LIB) tb/formal/same.sh tb/formal/same_check.sh tb/units/cta_scheduler/cta_scheduler.cfg tb/cfg.sh
	@$(CHECK) $@ tb/formal/same_check.sh $(OUT)/formal/same $< "$$(tb/cfg.sh tb/units/cta_scheduler/cta_scheduler.cfg defect)"

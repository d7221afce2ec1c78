# Conformance: vectors for any simulator.

VECTOR_CYCLES := 2000
KIT := $(OUT)/conformance
# Verilator makes a program of a bench: by day one of a unit, of no powers of two.
DAY_BENCHES := $(if $(UNIT),$(FEW),$(foreach u,$(UNITS),$(lastword $(filter $(u)-%,$(FEW)))))
CHECKS_conformance := $(DAY_CASES:%=$(LOG)/icarus-%) $(DAY_BENCHES:%=$(LOG)/verilator-%) $(CASES:%=$(LOG)/replay-%)
CHECKS_long += $(patsubst %,$(LOG)/verilator-%,$(filter-out $(DAY_BENCHES),$(FEW)))

$(KIT)/%.vec: $(TOOL) $(STIMULUS)
	@mkdir -p $(@D)
	$(call say,vectors)
	$(Q)$(TOOL) vectors $(call unit,$*) $(call params,$*) --output=$@ --cycles=$(VECTOR_CYCLES) --seed=$(SEED) --mode=$(MODE)
# One file that a third party needs: the unit's bench, from its port table, with the replayer.
$(KIT)/%_tb.v: $(TOOL) tb/conformance/replay.v
	@mkdir -p $(@D)
	$(Q)$(TOOL) ports $* --format=bench | cat - $(word 2,$^) > $@
# The registers show all that the ports do; by the ports only it is done at a few sizes.
$(LOG)/icarus-%: $(KIT)/%.vec $(KIT)/$$(call unit,$$*)_tb.v $$(call verilog,$$*) $$(call parts,$$*) $(LIB) tb/conformance/icarus.sh
	@$(CHECK) $@ tb/conformance/icarus.sh $(if $(filter $*,$(FEW)),both,registers) $(KIT)/$* $(wordlist 1,3,$^) $(call params,$*)
$(LOG)/verilator-%: $(KIT)/%.vec $(KIT)/$$(call unit,$$*)_tb.v $$(call verilog,$$*) $$(call parts,$$*) $(LIB) tb/conformance/verilator.sh \
		$$(COMPILED_RUNTIME)
	@$(CHECK) $@ tb/conformance/verilator.sh $(KIT)/$* $(BUILD)/verilated/bench $(wordlist 1,3,$^) $(call params,$*)
CHECKS_conformance += $(if $(UNIT)$(RTL),,$(LOG)/conformance_named)
$(LOG)/conformance_named: $(TOOL) rtl/units/claso.v tb/conformance/replay.v tb/conformance/verilator.sh $(LIB) $$(COMPILED_RUNTIME) \
		tb/conformance/named.sh
	@$(CHECK) $@ tb/conformance/named.sh $(OUT)/conformance/named $(TOOL) $(BUILD)/verilated/bench
CHECKS_conformance += $(if $(UNIT)$(RTL),,$(LOG)/conformance_transactions)
$(LOG)/conformance_transactions: $(TOOL) $(wildcard rtl/*/*.v tb/conformance/*) $(LIB) $$(COMPILED_RUNTIME) docs/examples/third-party-rtl/cta_scheduler.v
	@$(CHECK) $@ tb/conformance/transactions.sh $(OUT)/conformance/transactions $(TOOL) $(BUILD)/verilated/bench
$(LOG)/replay-%: $(KIT)/%.vec $(SO)/%.so
	@$(CHECK) $@ $(TOOL) replay --rtl=$(SO)/$*.so $<

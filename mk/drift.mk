# Drift: port tables against the elaborated modules and their headers, and what is generated in docs.

# What the planted defects find in one unit they find in another: by day, in the first and the last.
PLANTED_IN   := $(sort $(firstword $(UNITS)) $(lastword $(UNITS)))
CHECKS_long  += $(patsubst %,$(LOG)/drift_defects-%,$(filter-out $(PLANTED_IN),$(UNITS)))
CHECKS_drift := $(DAY_CASES:%=$(LOG)/drift-%) $(PLANTED_IN:%=$(LOG)/drift_defects-%) \
	$(foreach c,paths document $(if $(RTL),,header),$(UNITS:%=$(LOG)/$(c)-%)) \
	$(if $(UNIT),,$(addprefix $(LOG)/document_,parameters counts rules commands) $(LOG)/rules $(LOG)/derived)

$(LOG)/drift-%: $$(call verilog,$$*) $$(call parts,$$*) $(LIB) $$(wildcard rtl/formal/$$(call unit,$$*)_properties.v) $(TOOL) \
		tb/drift/ports.sh tb/drift/xml_ports.awk
	@$(CHECK) $@ tb/drift/ports.sh $(TOOL) $< $(call params,$*)
$(LOG)/paths-%: $$(call verilog,$$*) $$(call parts,$$*) $(LIB) $(TOOL) tb/drift/paths.sh
	@$(CHECK) $@ tb/drift/paths.sh $(TOOL) $<
$(LOG)/derived: tb/drift/derived.sh tb/drift/ports.sh tb/drift/xml_ports.awk tb/formal/prove.sh tb/formal/cover.v tb/verilog.sh
	@$(CHECK) $@ tb/drift/derived.sh $(OUT)/derived
$(LOG)/drift_defects-%: $$(call verilog,$$*) $$(call parts,$$*) $(LIB) $(TOOL) $(wildcard tb/drift/*)
	@$(CHECK) $@ tb/drift/defects.sh $(TOOL) $< $(OUT)/drift-$*
$(LOG)/header-%: $$(call verilog,$$*) cmodel/units/%.h $(TOOL) tb/drift/header.sh tb/drift/header.awk
	@$(CHECK) $@ tb/drift/header.sh check $(TOOL) $< cmodel/units/$*.h
$(LOG)/document-%: docs/units/%.md $(TOOL) tb/drift/document.sh
	@$(CHECK) $@ tb/drift/document.sh check $< ports $(TOOL) ports $* --format=markdown
$(LOG)/document_parameters: docs/gpu-model.md $(GPUSCHED) tb/drift/document.sh
	@$(CHECK) $@ tb/drift/document.sh check $< parameters $(GPUSCHED) config keys --format=markdown
$(LOG)/document_counts: docs/results-format.md $(GPUSCHED) tb/drift/document.sh
	@$(CHECK) $@ tb/drift/document.sh check $< stats $(GPUSCHED) stats --format=markdown
# The rules that the code cites, and the tests that the page names.
CITING := $(foreach f,cmodel/*/ cmodel/*/*/ sim/*/ sim/*/*/ sim/*/*/*/ rtl/*/ tb/ tb/*/ tb/*/*/ tb/*/*/*/ configs/*/,$(wildcard $(addprefix $(f),*.[chv] *.def *.cpp *.sh *.yaml)))
$(LOG)/rules: docs/rules.md $(CITING) tb/drift/rules.sh
	@$(CHECK) $@ tb/drift/rules.sh check
$(LOG)/document_rules: docs/rules.md $(CITING) tb/drift/rules.sh tb/drift/document.sh
	@$(CHECK) $@ tb/drift/document.sh check $< rules tb/drift/rules.sh table
$(LOG)/document_commands: docs/commands.md $(GPUSCHED) $(TOOL) tb/drift/document.sh tb/drift/commands.sh
	@$(CHECK) $@ tb/drift/document.sh check $< commands tb/drift/commands.sh $(GPUSCHED) $(TOOL)
# What pages show of a command's output.
PRINTED      := smoke seeds compare
PRINTED_PAGE  = docs/$(if $(filter compare,$1),report,experiments).md
CHECKS_drift += $(if $(UNIT)$(RTL),,$(PRINTED:%=$(LOG)/document_%))
$(PRINTED:%=$(LOG)/document_%): $(LOG)/document_%: $(GPUSCHED) $(BUILD)/workloads/hotspot.ptx docs/experiments.md docs/report.md tb/drift/printed.sh \
		tb/drift/document.sh configs/experiments/smoke.yaml $$(CONFIGS)
	@rm -rf $(OUT)/printed-$*
	@$(CHECK) $@ tb/drift/document.sh check $(call PRINTED_PAGE,$*) $* tb/drift/printed.sh $(GPUSCHED) $(OUT)/printed-$* $*
docs: $(TOOL) $(GPUSCHED) $(BUILD)/workloads/hotspot.ptx
	@rm -rf $(PRINTED:%=$(OUT)/printed-%)
	@$(foreach part,$(PRINTED),tb/drift/document.sh write $(call PRINTED_PAGE,$(part)) $(part) \
		tb/drift/printed.sh $(GPUSCHED) $(OUT)/printed-$(part) $(part) &&) true
	@tb/drift/document.sh write docs/commands.md commands tb/drift/commands.sh $(GPUSCHED) $(TOOL)
	@for unit in $(UNITS); do \
		tb/drift/document.sh write docs/units/$$unit.md ports $(TOOL) ports $$unit --format=markdown && \
		tb/drift/header.sh write $(TOOL) rtl/*/$$unit.v cmodel/units/$$unit.h || exit 1; done
	@tb/drift/document.sh write docs/gpu-model.md parameters $(GPUSCHED) config keys --format=markdown
	@tb/drift/document.sh write docs/results-format.md stats $(GPUSCHED) stats --format=markdown
	@tb/drift/document.sh write docs/rules.md rules tb/drift/rules.sh table
	@tb/drift/document.sh write docs/systemc.md difference tb/systemc/difference.sh $(OUT)/systemc/platform rtl/top/work_distributor.v
	@tb/drift/document.sh write $(TRUST)

# Examples: the commands of a page print what the page shows.

EXAMPLES := $(patsubst docs/examples/%/README.md,%,$(wildcard docs/examples/*/README.md))
CHECKS_examples := $(if $(UNIT),,$(EXAMPLES:%=$(LOG)/example-%))
# What they use of ours.
PUBLIC := $(HEADERS) $(wildcard cmodel/*/*.def cmodel/*/*/*.def rtl/units/*.v rtl/lib/*.v tb/units/*/*.v tb/conformance/*.v tb/dpi/*.c tb/systemc/*.h)
$(LOG)/example-%: $$(wildcard docs/examples/$$*/*.*) docs/examples/README.md $(TOOL) $(BUILD)/libgolden.a $(PUBLIC) \
		tb/examples/transcript.sh
	@$(CHECK) $@ tb/examples/transcript.sh $(OUT)/examples/$* $(BUILD) docs/examples/$*
$(LOG)/example-third-party-rtl: $$(BESIDE) $(BUILD)/workloads/matrix_multiply.ptx rtl/top/cluster_port.v
# Pages of which some commands are run.
CHECKS_examples += $(if $(UNIT),,$(addprefix $(LOG)/,page-conformance page-lockstep page-ptx page-several-programs commands))
$(LOG)/page-%: docs/%.md $(TOOL) $$(BESIDE) $(BUILD)/libgolden.a $(PUBLIC) tb/examples/transcript.sh
	@$(CHECK) $@ tb/examples/transcript.sh $(OUT)/pages/$* $(BUILD) $<
$(LOG)/page-conformance: docs/examples/third-party-rtl/cta_scheduler.v
$(LOG)/page-several-programs: $(BUILD)/workloads/hotspot.ptx $(BUILD)/workloads/bfs.ptx
# What the other pages print; docs/commands.md is generated.
PAGES := docs/workloads-cuda.md README.md CONTRIBUTING.md $(filter-out docs/commands.md docs/workloads-cuda.md,$(wildcard docs/*.md docs/*/*.md))
$(LOG)/commands: $(PAGES) $$(BESIDE) $(MAKEFILES_OURS) $(BUILD)/platform/c2050 $(BUILD)/workloads/hotspot.ptx tb/examples/commands.sh
	@$(CHECK) $@ tb/examples/commands.sh $(OUT)/commands $(BUILD) $(PAGES)

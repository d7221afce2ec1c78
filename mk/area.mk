# Area and timing in standard cells, and the netlist that is measured against the vectors.

OSU018     := osu018_stdcells
OSU018_DIR := /usr/share/qflow/tech/osu018
LIBERTY    ?= $(OSU018_DIR)/$(OSU018).lib
CELLS    := $(basename $(notdir $(LIBERTY)))
AREA     := $(OUT)/area
# What another library gives has logs of its own.
AREA_LOG := $(LOG)/area$(if $(filter-out $(OSU018),$(CELLS)),.$(CELLS))
MEASURE  := $(addprefix tb/area/,abc.txt apart.v apart_box.v library.sh liberty.awk measure.sh measured.awk memories.awk netlist.sh timing.sh tools.sh)

# A word for each size of a unit: its case, the most FO4 and kGE, claso-N_CORE.16-...|25|4.5; - is no limit. Behind
# that of one that takes long is |night.
area_rows = $(call sizes,$(call cfg_of,$(1)),area)
ALL_ROWS  := $(foreach u,$(UNITS),$(call area_rows,$(u)))
AREA_ROWS := $(if $(PARAMS),$(or $(filter $(CASES)|%,$(ALL_ROWS)),$(CASES)|-|-),$(ALL_ROWS))
first     = $(firstword $(subst |, ,$(1)))
limits    = $(wordlist 2,3,$(subst |, ,$(firstword $(filter $(1)|%,$(AREA_ROWS)))))
# Sizes with a limit are checks of make test or of make nightly; the others are for the charts.
LIMITS    := $(if $(PARAMS),,$(filter-out %|-|-,$(AREA_ROWS)))
LIMITED   := $(foreach r,$(LIMITS),$(call first,$(r)))
BY_DAY    := $(foreach r,$(filter-out %|night,$(LIMITS)),$(call first,$(r)))
CHECKS_long += $(patsubst %,$(AREA_LOG)-%,$(filter-out $(BY_DAY),$(LIMITED)))
AREA_LOGS := $(foreach r,$(AREA_ROWS),$(AREA_LOG)-$(call first,$(r)))

FACTS     := $(AREA)/$(CELLS)/facts
$(AREA)/$(OSU018)/facts: $(OSU018_DIR)/$(OSU018).lib
$(FACTS): $(LIBERTY)
$(sort $(AREA)/$(OSU018)/facts $(FACTS)): tb/area/library.sh tb/area/liberty.awk $(INSTALLED)
	@tb/area/library.sh $(@D) $(filter-out tb/% $(INSTALLED),$^)
$(AREA_LOG)-%: $$(call verilog,$$*) $$(call parts,$$*) $(LIB) $(LIBERTY) $(FACTS) $(MEASURE)
	@$(CHECK) $@ tb/area/measure.sh -l $(LIBERTY) -w $(AREA) -f $(word 1,$(call limits,$*)) -g $(word 2,$(call limits,$*)) \
		$< $(call params,$*)
$(AREA_LOGS): $(INSTALLED)

# How many cycles operations take, at a unit's first size with a limit.
LATENCIES    := $(if $(PARAMS),$(CASES),$(foreach u,$(UNITS),$(firstword $(filter $(u)-%,$(LIMITED)))))
LATENCY_LOGS := $(LATENCIES:%=$(LOG)/latency-%)
$(LOG)/latency-%: $(TOOL) $$(call cfg_of,$$(call unit,$$*)) tb/area/latency.sh tb/area/latency.awk tb/cfg.sh
	@$(CHECK) $@ tb/area/latency.sh $(AREA)/latency $(TOOL) $(call cfg_of,$(call unit,$*)) $(call params,$*)
OPERATIONS := docs/results/area.md operations docs/results/area/operations.sh $(LATENCY_LOGS)
CHECKS_drift += $(if $(UNIT)$(RTL),,$(LOG)/document_operations)
$(LOG)/document_operations: docs/results/area.md docs/results/area/operations.sh docs/results/area/area-tables.awk tb/area/records.awk \
		tb/drift/document.sh $(LATENCY_LOGS)
	@$(CHECK) $@ tb/drift/document.sh check $(OPERATIONS)
# The sizes that make test measures are on the page as they are now.
CHECKS_drift += $(if $(UNIT)$(RTL)$(filter-out $(OSU018),$(CELLS)),,$(LOG)/document_measured)
$(LOG)/document_measured: docs/results/area.md docs/results/area/measured.sh docs/results/area/area-tables.awk tb/area/records.awk \
		$(BY_DAY:%=$(AREA_LOG)-%)
	@$(CHECK) $@ docs/results/area/measured.sh $< $(BY_DAY:%=$(AREA_LOG)-%)

# All sizes are tried even if one exceeds its limit; the table comes last, and fails then.
area:
	@tb/area/tools.sh $(LIBERTY)
	@rm -f $(AREA_LOGS:%=%.failed) $(LATENCY_LOGS:%=%.failed)
	@$(MAKE) --no-print-directory --keep-going area-logs 2>&1 | grep --line-buffered -E '^(pass|FAIL) ' >&2 || true
	@tb/area/report.sh $(AREA)/$(CELLS).json '$(UNITS)' $(AREA_LOGS) $(LATENCY_LOGS)
area-logs: $(AREA_LOGS) $(LATENCY_LOGS)
.PHONY: area area-logs

# The netlist of a small size under Icarus, with the cells of the library as their makers describe them.
netlists         = $(call sizes,$(call cfg_of,$(1)),netlist)
CHECKS_netlist := $(foreach u,$(UNITS),$(patsubst %,$(LOG)/netlist-%,$(if $(PARAMS),$(CASES),$(call netlists,$(u))))) \
	$(BY_DAY:%=$(AREA_LOG)-%) $(LATENCY_LOGS) $(if $(UNIT)$(RTL),,$(LOG)/area_noticed)
$(LOG)/netlist-%: $(KIT)/%.vec $(KIT)/$$(call unit,$$*)_tb.v $$(call verilog,$$*) $$(call parts,$$*) $(LIB) $(MEASURE) tb/area/replay.sh \
		$(AREA)/$(OSU018)/facts $(OSU018_DIR)/$(OSU018).v
	@$(CHECK) $@ tb/area/replay.sh $(AREA)/netlist $(AREA)/$(OSU018) $(OSU018_DIR)/$(OSU018).v $(wordlist 1,3,$^) $(call params,$*)
# What must not be passed over.
$(LOG)/area_noticed: $(MEASURE) $(addprefix tb/area/,noticed.sh report.sh records.awk table.awk) $(OSU018_DIR)/$(OSU018).lib \
		tb/verilog.sh rtl/units/sm_counter.v
	@$(CHECK) $@ tb/area/noticed.sh $(AREA)/noticed $(OSU018_DIR)/$(OSU018).lib

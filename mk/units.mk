# Units, their cases, and the files of both. A case is a unit with its parameters:
# claso-N_CORE.15-N_POOL.1-N_KERNEL.4-CTA_W.20-LEVEL_W.4.

ALL_UNITS := $(patsubst cmodel/units/%_ports.def,%,$(wildcard cmodel/units/*_ports.def))
DRIVERS   := $(patsubst cmodel/units/drivers/%_driver.c,%,$(wildcard cmodel/units/drivers/*_driver.c))
UNITS     := $(or $(UNIT),$(ALL_UNITS))
$(if $(filter new,$(MAKECMDGOALS)),,$(if $(filter-out $(ALL_UNITS),$(UNITS)),$(error UNIT=$(UNIT): no such unit; there are: $(ALL_UNITS))))
$(if $(UNIT)$(PART),,$(if $(PARAMS),$(error PARAMS=... needs UNIT=...; there are: $(ALL_UNITS))))
unit     = $(firstword $(subst -, ,$(1)))
params   = $(subst .,=,$(wordlist 2,99,$(subst -, ,$(1))))
empty    :=
dashed   = $(subst $(empty) $(empty),-,$(strip $(1)))
# What a unit's checks are given, in sections. SIZES=FOLDER: its [sizes] are in FOLDER/<unit>.cfg.
cfg_of    = tb/$(if $(wildcard rtl/lib/$(1).v),lib,units/$(1))/$(1).cfg
sizes_of  = $(or $(SIZES),tb/units/$(1))/$(1).cfg
# All of these files, read once: FILE|SECTION|CASE.
CFG_ROWS := $(shell awk -f tb/cfg_rows.awk /dev/null $(wildcard tb/units/*/*.cfg tb/lib/*.cfg $(SIZES:%=%/*.cfg)))
# The cases of a section of a file; that it is there is a check of its own.
sizes    = $(patsubst $(1)|$(2)|%,%,$(filter $(1)|$(2)|%,$(CFG_ROWS)))
proofs   = $(call sizes,$(call cfg_of,$(1)),proofs)
# Those that take long, and are left to make nightly.
night_proofs = $(call sizes,$(call cfg_of,$(1)),night-proofs)
# $(call sizes_in,UNIT,PROOFS): the cases of proofs, without their depths.
sizes_in     = $(foreach c,$(2),$(call dashed,$(1) $(subst =,.,$(wordlist 3,99,$(call params,$(c))))))
proved_sizes = $(call sizes_in,$(1),$(call proofs,$(1)) $(call night_proofs,$(1)))
# $(call has_section,UNIT,SECTION): UNIT, if its file has one that it may have.
has_section = $(if $(filter $(call cfg_of,$(1))|$(call dashed,$(2)),$(CFG_ROWS)),$(1))
# make lockstep PARAMS=... is one case; otherwise all of the units' sizes.
CASES    := $(if $(PARAMS),$(call dashed,$(UNIT) $(subst =,.,$(PARAMS))),\
	$(foreach u,$(UNITS),$(call sizes,$(call sizes_of,$(u)),sizes)))

# What takes a compiler run for each case is done for a few.
FEW := $(if $(PARAMS),$(CASES),$(foreach u,$(UNITS),$(wordlist 1,2,$(filter $(u)-%,$(CASES)))))
# What is done for a few by day, and for the others at night; for all with UNIT=...
DAY_CASES   := $(if $(UNIT),$(CASES),$(FEW))
# Sizes that take long are the night's.
NIGHT_SIZES := $(if $(PARAMS),,$(foreach u,$(UNITS),$(call sizes,$(call sizes_of,$(u)),night-sizes)))
NIGHT_CASES := $(filter-out $(DAY_CASES),$(CASES)) $(NIGHT_SIZES)
CHECKS_long += $(foreach c,lint drift icarus,$(NIGHT_CASES:%=$(LOG)/$(c)-%)) $(NIGHT_SIZES:%=$(LOG)/replay-%)

LOG   := $(OUT)/log
SO    := $(OUT)/rtl
# With what the log depends on, and the sources among it. A check that is always made again has a new seed each
# time: its result is not kept.
CHECK  = INPUTS='$(filter-out FORCE,$^)' NEEDS='$(filter-out $(BUILD)/% $(OUT)/% FORCE,$^)' \
	CACHE='$(if $(filter FORCE,$^),,$(OUT)/cache)' tb/check.sh
# What depends on the stimulus is made again when it changes.
STIMULUS := $(OUT)/stimulus
$(STIMULUS): FORCE
	@mkdir -p $(@D)
	@now='$(CYCLES) $(SEED) $(MODE) $(SIZES) $(SIZES_SEED) $(SIZES_DRAWN)' && { echo "$$now" | cmp -s - $@ || echo "$$now" > $@; }
.PHONY: FORCE
# The Verilog of a case, for tools that are given files, and of the units that are its parts.
file_of = $(firstword $(wildcard $(RTL:%=%/$(1).v) rtl/units/$(1).v rtl/top/$(1).v rtl/lib/$(1).v) rtl/units/$(1).v)
# The library's parts, which are the files of its folder, are checked when all units are.
LIB_PARTS := $(if $(UNIT),,$(basename $(notdir $(wildcard rtl/lib/*.v))))
verilog = $(call file_of,$(call unit,$(1)))
# UNIT/PART for each part that a port table names.
PARTS   := $(shell grep '^PART' cmodel/units/*_ports.def /dev/null | \
	sed 's/.*\/\(.*\)_ports.def:PARTS*.[a-z_]*, *\([a-z_]*\),.*/\1\/\2/')
parts   = $(foreach p,$(patsubst $(call unit,$(1))/%,%,$(filter $(call unit,$(1))/%,$(PARTS))),$(call file_of,$(p)))
# Where modules are looked for; scripts look in the unit's own folder in place of RTL.
FOLDERS_V := $(RTL) rtl/units rtl/lib
SEARCH  := $(FOLDERS_V:%=-y %)
$(if $(RTL),$(foreach u,$(UNITS),$(if $(wildcard $(RTL)/$(u).v),,\
	$(error RTL=$(RTL): no file $(u).v is there; it must have one for each unit that is checked (UNIT=... names one)))))
# Checks of Verilog are made again when RTL names another folder.
LIB     := $(wildcard rtl/lib/*.v $(RTL:%=%/*.v)) $(OUT)/rtl-folder tb/verilog.sh tb/tested.sh
$(OUT)/rtl-folder: FORCE
	@mkdir -p $(@D)
	@echo '$(RTL)' | cmp -s - $@ || echo '$(RTL)' > $@

# make new UNIT=lcs TABLE=FILE: what a unit consists of, to begin with.
new:
	@tb/new.sh '$(UNIT)' '$(TABLE)' '$(BUILD)'

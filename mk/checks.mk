# All checks: which there are, and how they are counted.

# By day one thing in so many is spoiled; make nightly spoils each.
CHECKS_sabotage := $(if $(UNIT),,$(LOG)/sabotage)
CHECKS_long += $(if $(UNIT),,$(LOG)/sabotage_all)
$(LOG)/sabotage: SHARE := 7
$(LOG)/sabotage_all: SHARE := 1
$(LOG)/sabotage $(LOG)/sabotage_all: $(BUILD)/test/report_ctas $(TOOL) $(GPUSCHED) $(RUNTIME) $(MAKEFILES_OURS) tb/sabotage.sh tb/cli/queries.bats tb/cli/helper.bash $(filter-out tb/run/% tb/cli/%,$(SCRIPTS)) $(wildcard tb/canary/*)
	@$(CHECK) $@ tb/sabotage.sh $(OUT)/$(@F) $(BUILD) $(SHARE)

# The checks of make nightly: the long ones, and all proofs. Its page shows each of them.
ALL_NIGHT := $(CHECKS_prove) $(CHECKS_long)
NIGHT     := $(if $(ONLY),$(filter $(ONLY:%=$(LOG)/%),$(ALL_NIGHT)),$(ALL_NIGHT))
TRUST      = docs/results/trust.md trust tb/trust.sh page docs/results/trust/trust.tsv $(notdir $(ALL_NIGHT))
CHECKS_drift += $(if $(UNIT),,$(LOG)/document_trust)
$(LOG)/document_trust: docs/results/trust.md docs/results/trust/trust.tsv tb/trust.sh tb/drift/document.sh $(MAKEFILES_OURS) \
		$(foreach u,$(UNITS),$(call cfg_of,$(u)))
	@$(CHECK) $@ tb/drift/document.sh check $(TRUST)

STAGES := sabotage lint unit-tests runs drift lockstep conformance netlist systemc dpi examples planted prove package-checks
ALL_CHECKS := $(foreach s,$(STAGES),$(CHECKS_$(s)))
# The longest ones come first, so that all cores are busy to the end.
FIRST := $(addprefix $(LOG)/,sabotage lockstep-% document_workloads rtl_libraries rtl_within rtl_shadow commands package_% run_help \
	run_slurm run_pairs run_rtl_product document_machine run_results run_fault-% run_linear run_children run_output run_install run_experiment_rtl run_rtl planted-% run_rtl-% prove-% \
	lint_% conformance_% example-% systemc-%)
ALL_CHECKS := $(foreach f,$(FIRST),$(filter $(f),$(ALL_CHECKS))) $(filter-out $(FIRST),$(ALL_CHECKS))
# make test ONLY='unit-claso% lint_%': only these, by the names of their logs.
CHECKS := $(if $(ONLY),$(filter $(ONLY:%=$(LOG)/%),$(ALL_CHECKS)),$(ALL_CHECKS))
define stage
$(1): $$(or $$(CHECKS_$(1)),$(if $(PARAMS),,none-$(1)))
endef
none-%:
	@echo '$*: nothing is checked with UNIT=$(UNIT) RTL=$(RTL)'; false
$(foreach s,$(STAGES),$(eval $(call stage,$(s))))

# With another version of a tool, everything is checked again.
$(ALL_CHECKS) $(CHECKS_long): $(INSTALLED)
# What the programs look up by name. A described workload and a GPU on its own name their files.
$(filter-out $(LOG)/run_m2090-% $(LOG)/run_mix-%,$(CHECKS_runs) $(NIGHT_ROWS)): $(CONFIGS)
$(foreach u,$(WATCHED),$(eval $(LOG)/rtl_planted-$(u): $(call cfg_of,$(u)) tb/cfg.sh))

checks: $(CHECKS:$(LOG)/%=made-%)

# Every check is tried even if others fail; the count of them all is the last line. A check is
# counted if make made its log or found it up to date in this run, which it says by made-%.
test: deps
	$(BEGIN_CHECKS)
	@$(MAKE) --no-print-directory --keep-going checks || true
	$(END_CHECKS)
	@$(MAKE) --no-print-directory count
# What has changed since the last run must look so to make, whatever the times of the files.
CHECKOUT := $(wildcard *.md *.yml) Makefile mk .ci .clang-format .clang-tidy cmodel configs docs rtl sim tb
define BEGIN_CHECKS
	@mkdir -p $(LOG) && : > $(LOG)/made
	@tb/changed.sh $(BUILD)/content $(CHECKOUT)
endef
END_CHECKS := @touch $(BUILD)/content
# What one runs all the time: a few minutes, without a compiler run for each size.
QUICK := lint_clang lint_example lint_floors lint_format lint_headers lint_shell $(patsubst %,lint-%,$(FEW)) unit-% \
	drift-% paths-% header-% document% rules icarus-% verify-% run_errors run_names run_queries run_report run_results
check:
	@$(MAKE) --no-print-directory test ONLY='$(QUICK)'
made-%: $(LOG)/%
	$(file >>$(LOG)/made,$*)
# The ledger is of all units with the standard stimulus.
LEDGER := $(if $(UNIT)$(RTL)$(filter-out 500000/1/mixed,$(CYCLES)/$(SEED)/$(MODE)),-,tb/ledger.txt)
# What each check checked, in the logs of a whole run, for review: git diff tb/ledger.txt
ledger: $(if $(ONLY)$(filter -,$(LEDGER)),part-of-ledger)
	@tb/ledger.sh tb/ledger.txt $(CHECKS) -- $(CHECKS_long)

part-of-ledger:
	@echo 'make ledger: it is of all checks as they are without UNIT, RTL, ONLY, CYCLES, SEED and MODE'; false

# Checks that take too long for make test; each section adds its own: CHECKS_long += $(LOG)/... What all of them
# have checked is shown by a page. On other RTL, or with other cycles, it is not written.
nightly: deps
	$(BEGIN_CHECKS)
	@rm -f $(NIGHT:%=%.failed)
	@$(MAKE) --no-print-directory --keep-going night-checks || true
	$(END_CHECKS)
	$(if $(filter -,$(LEDGER)),,@tb/trust.sh rows docs/results/trust/trust.tsv $(LOG) $(LOG)/made \
		"$$(git describe --always --dirty=+ 2> /dev/null || echo -)" $(notdir $(NIGHT)) && tb/drift/document.sh write $(TRUST))
	@$(MAKE) --no-print-directory night-count

COUNT   = $(file >$(LOG)/known,$(notdir $(ALL_CHECKS) $(CHECKS_long)))@tb/count.sh $(LEDGER) $(if $(filter -,$(LEDGER)),-,$(LOG)/known) $(LOG)/made
count:
	$(COUNT) $(CHECKS)
night-checks: $(NIGHT:$(LOG)/%=made-%)
night-count:
	$(COUNT) $(NIGHT)

clean:
	rm -rf $(BUILD)

# What objects depend on. Goals that make none of them need not read it. Nothing makes these files but the compiler: with
# a rule that says so, make does not look for one for each of them, which took it most of a second.
NO_OBJECTS := help deps check test nightly count night-count ledger clean $(SO)/%.so
ifneq ($(filter-out $(NO_OBJECTS),$(or $(MAKECMDGOALS),help)),)
DEPENDENCIES := $(wildcard $(foreach b,c s f,$(patsubst $(BUILD)/c/%.o,$(BUILD)/$(b)/%.d,$(OBJECTS) $(GENERATED)) $(patsubst %.c,$(BUILD)/$(b)/%.d,$(TEST_FILES) $(HELPERS))) \
	$(patsubst %.o,%.d,$(PLAIN_OBJECTS) $(KERNEL_OBJECTS) $(SILICON_OBJECTS) $(BUILD)/c/tb/silicon/golden_cuda.o $(patsubst %,$(BUILD)/c/tb/run/%.o,sampled sets upset)) \
	$(patsubst %,$(BUILD)/f/tb/fuzz/%.d,exec_fuzz ptx_mutate))
$(DEPENDENCIES): ;
-include $(DEPENDENCIES)
endif

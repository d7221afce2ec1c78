# All checks: which there are, and how they are counted.

CHECKS_sabotage := $(if $(UNIT),,$(LOG)/sabotage)
$(LOG)/sabotage: $(BUILD)/test/report_ctas $(TOOL) $(GPUSCHED) $(RUNTIME) $(MAKEFILES_OURS) tb/sabotage.sh $(filter-out tb/run/%,$(SCRIPTS)) $(wildcard tb/canary/*)
	@$(CHECK) $@ tb/sabotage.sh $(OUT)/sabotage $(BUILD)

STAGES := sabotage lint unit-tests runs drift lockstep conformance systemc dpi examples planted prove
ALL_CHECKS := $(foreach s,$(STAGES),$(CHECKS_$(s)))
# The longest ones come first, so that all cores are busy to the end.
FIRST := $(addprefix $(LOG)/,sabotage lockstep-% run_help run_output run_install run_experiment_rtl prove-% lint_% systemc-%)
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

checks: $(CHECKS:$(LOG)/%=made-%)

# Every check is tried even if others fail; the count of them all is the last line. A check is
# counted if make made its log or found it up to date in this run, which it says by made-%.
test: deps
	$(BEGIN_CHECKS)
	@$(MAKE) --no-print-directory --keep-going checks || true
	$(END_CHECKS)
	@$(MAKE) --no-print-directory count
# What has changed since the last run must look so to make, whatever the times of the files.
CHECKOUT := $(wildcard *.md) Makefile mk .ci .clang-format .clang-tidy cmodel configs docs rtl sim tb
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

# Checks that take too long for make test; each section adds its own: CHECKS_long += $(LOG)/...
long: deps
	$(BEGIN_CHECKS)
	@$(MAKE) --no-print-directory --keep-going long-checks || true
	$(END_CHECKS)
	@$(MAKE) --no-print-directory long-count

COUNT   = $(file >$(LOG)/known,$(notdir $(ALL_CHECKS) $(CHECKS_long)))@tb/count.sh $(LEDGER) $(if $(filter -,$(LEDGER)),-,$(LOG)/known) $(LOG)/made
count:
	$(COUNT) $(CHECKS)
long-checks: $(CHECKS_long:$(LOG)/%=made-%)
long-count:
	$(COUNT) $(CHECKS_long)

clean:
	rm -rf $(BUILD)

# What objects depend on. Goals that make none of them need not read it, which takes half a second.
NO_OBJECTS := help deps check test long count long-count ledger clean $(SO)/%.so
ifneq ($(filter-out $(NO_OBJECTS),$(or $(MAKECMDGOALS),help)),)
-include $(foreach b,c s d f,$(patsubst $(BUILD)/c/%.o,$(BUILD)/$(b)/%.d,$(OBJECTS) $(GENERATED)) $(patsubst %.c,$(BUILD)/$(b)/%.d,$(TEST_FILES) $(HELPERS))) \
	$(patsubst %.o,%.d,$(PLAIN_OBJECTS) $(KERNEL_OBJECTS) $(BUILD)/c/tb/run/sets.o) \
	$(patsubst %,$(BUILD)/f/tb/fuzz/%.d,exec_fuzz ptx_mutate)
endif

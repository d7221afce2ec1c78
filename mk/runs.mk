# Runs of the GPU model.

CONFIGS   := $(wildcard configs/*/*)
BESIDE     = $(GPUSCHED) $(TOOL) $(PTX) $(RUNTIME) $(VERILATE) $(LIB) $(CONFIGS) $(foreach u,$(WATCHED) icc coalesced_cache,$(call file_of,$(u)))
GPUS      := $(patsubst configs/gpu/%.yaml,%,$(wildcard configs/gpu/*.yaml))
WORKLOADS := $(patsubst configs/workloads/%.yaml,%,$(wildcard configs/workloads/*.yaml))
# The units in the GPU's paths, and runs with their RTL beside them.
WATCHED  := cta_scheduler claso work_distributor cluster_port
DISPATCH := greedy streaming kernels pairs clusters fours coalescing exchanging streams short_ranks short_greedy short_pools short_pairs
DISPATCH += sets_pools sets_credits sets_global
greedy    := c2050 hotspot
streaming := c2050 stream claso.active_levels=1
kernels   := c2050 two-kernels claso.active_levels=1
pairs     := icc hotspot dispatch.policy=distributed-block claso.active_levels=1 meets:blocks
clusters  := icc scan dispatch.policy=greedy-cluster claso.active_levels=2
fours     := gtx480 bfs dispatch.policy=two-level-rr dispatch.block=4 dispatch.block_all=true claso.active_levels=1 meets:blocks
coalescing := icc hotspot dispatch.policy=distributed-block icc.entries=48 icc.lines=24 meets:blocks
exchanging := icc exchange dispatch.policy=distributed icc.entries=8 icc.lines=4 \
	meets:table.full meets:entry.closed meets:cycle.of.the.answer meets:replace meets:written.over
streams    := c2050 streams dispatch.policy=distributed dispatch.steal=true claso.active_levels=1 \
	meets:another.cluster meets:slots.4
# Clusters of 3, 3 and 2 SMs.
SHORT        := sm.count=8 cluster.count=3
short_ranks  := c2050 hotspot $(SHORT) dispatch.policy=two-level-rr claso.active_levels=2
short_greedy := c2050 hotspot $(SHORT) dispatch.policy=greedy-cluster
short_pools  := c2050 two-kernels $(SHORT) dispatch.policy=distributed dispatch.steal=true claso.active_levels=1 \
	meets:another.cluster
short_pairs  := c2050 hotspot $(SHORT) dispatch.policy=distributed-block claso.active_levels=1 meets:blocks
# With a set of SMs that changes.
sets_pools   := c2050 streams $(SHORT) dispatch.policy=distributed meets:adopted meets:slots.4
sets_credits := c2050 two-kernels dispatch.policy=distributed-block claso.active_levels=1 meets:adopted meets:blocks
sets_global  := c2050 two-kernels claso.active_levels=2
# They are of our own RTL; another's goes beside a run with --rtl-file.
CHECKS_runs := $(if $(UNIT)$(RTL),,$(WORKLOADS:%=$(LOG)/run_m2090-%) $(GPUS:%=$(LOG)/run_mix-%) $(LOG)/run_errors $(LOG)/run_output $(LOG)/run_names $(LOG)/run_queries \
	$(LOG)/run_places $(LOG)/run_install $(LOG)/run_help $(LOG)/run_man $(LOG)/run_completion $(LOG)/run_ptx $(LOG)/run_nvcc $(LOG)/run_linear $(LOG)/run_experiment $(LOG)/run_report $(LOG)/run_experiment_rtl $(CUDA:%=$(LOG)/verify-%) \
	$(LOG)/run_stale $(DISPATCH:%=$(LOG)/run_rtl-%) $(foreach u,$(WATCHED),$(LOG)/rtl_planted-$(u) $(LOG)/record-$(u)) \
	$(LOG)/run_results)

$(LOG)/run_m2090-%: configs/workloads/%.yaml $(wildcard configs/gpu/*.yaml) $(GPUSCHED) $(DEBUG) tb/run/same.sh
	@$(CHECK) $@ tb/run/same.sh $(OUT)/run/m2090-$* $(GPUSCHED) $(DEBUG) m2090 $*
# A GPU may have any of the others as its base.
$(LOG)/run_mix-%: $(wildcard configs/gpu/*.yaml) configs/workloads/mix.yaml $(GPUSCHED) $(DEBUG) tb/run/same.sh
	@$(CHECK) $@ tb/run/same.sh $(OUT)/run/mix-$* $(GPUSCHED) $(DEBUG) $* mix
# The command line, as its users have it. What a test needs beside gpusched stands here.
CLI := $(patsubst tb/cli/%.bats,%,$(filter-out %/fault.bats,$(wildcard tb/cli/*.bats)))
$(CLI:%=$(LOG)/run_%): $(LOG)/run_%: tb/cli/%.bats tb/cli/helper.bash $(GPUSCHED)
	@$(CHECK) $@ env CLI_BUILD=$(abspath $(BUILD)) $(CLI_WITH) bats $<
$(LOG)/run_errors $(LOG)/run_places: $(BUILD)/workloads/hotspot.ptx
$(LOG)/run_experiment $(LOG)/run_report: $(BUILD)/workloads/hotspot.ptx $(CONFIGS)
$(LOG)/run_experiment_rtl: $(BESIDE)
# With a case's RTL, for the commands that load one.
$(LOG)/run_output: $(TOOL) $(BUILD)/saxpy.ptx $(BUILD)/workloads/hotspot.ptx $(SO)/$(firstword $(FEW)).so $(CONFIGS)
$(LOG)/run_output: CLI_WITH = CLI_UNIT=$(call unit,$(firstword $(FEW))) CLI_PARAMS="$(call params,$(firstword $(FEW)))" \
	CLI_RTL=$(abspath $(SO)/$(firstword $(FEW)).so)
$(LOG)/run_queries: $(CONFIGS) docs/experiments.md
CHECKS_long += $(LOG)/run_clone
$(LOG)/run_clone: $(SOURCES) $(HEADERS) $(LIB) $(MAKEFILES_OURS)
$(LOG)/run_install: $(BESIDE) $(MAN)/gpusched.1 $(PUBLIC) $(MAKEFILES_OURS) tb/install.sh
# What the surroundings do not give, at a few places of each command; in the long
# checks at all, or at 300 of more than 3000.
FAULTS := malloc write space kill
CHECKS_runs += $(if $(UNIT)$(RTL),,$(FAULTS:%=$(LOG)/run_fault-%))
CHECKS_long += $(if $(UNIT),,$(FAULTS:%=$(LOG)/fault-%))
FAULT := $(BUILD)/fault/malloc_fault.so
$(BUILD)/fault/%.so: tb/fault/%.c
	@mkdir -p $(@D)
	$(call say,compile)
	$(Q)$(CC) -std=c11 $(WARNINGS) $(DEFINES) -O2 -fPIC -shared -o $@ $<
RUN_FAULT = env CLI_BUILD=$(abspath $(BUILD)) CLI_FAULTS=$(abspath $(FAULT)) CLI_UNIT=$(firstword $(UNITS)) CLI_KIND=$*
FAULT_INPUTS := tb/cli/fault.bats tb/cli/helper.bash $(FAULT) $(GPUSCHED) $(TOOL) $(BUILD)/saxpy.ptx $(BUILD)/workloads/hotspot.ptx
$(LOG)/run_fault-%: $(FAULT_INPUTS)
	@$(CHECK) $@ $(RUN_FAULT) CLI_TRIES=3 CLI_SEED=$(SEED) bats $<
$(LOG)/fault-%: $(FAULT_INPUTS) FORCE
	@$(CHECK) $@ $(RUN_FAULT) CLI_TRIES=0 CLI_SEED=new bats $<
$(LOG)/run_ptx: $(BUILD)/saxpy.ptx docs/workloads-cuda.md $(wildcard sim/workloads/include/*.h)
# What a run meets is in this file.
RTL_CASE := $(OUT)/run-case
$(RTL_CASE)/%: FORCE
	@mkdir -p $(@D)
	@echo '$($*)' | cmp -s - $@ || echo '$($*)' > $@
$(LOG)/run_rtl-%: $(BESIDE) $(RTL_CASE)/% tb/run/rtl.sh
	@$(CHECK) $@ tb/run/rtl.sh $(OUT)/run/rtl-$* $(GPUSCHED) $($*)
$(LOG)/run_rtl-sets_%: $(BESIDE) $(SETS) $(RTL_CASE)/sets_% tb/run/rtl.sh
	@$(CHECK) $@ tb/run/rtl.sh $(OUT)/run/rtl-sets_$* $(SETS) $(sets_$*)
$(LOG)/rtl_planted-%: $(BESIDE) tb/run/rtl_planted.sh
	@$(CHECK) $@ tb/run/rtl_planted.sh $(OUT)/run/rtl_planted-$* $(GPUSCHED) $(TOOL) $*
$(LOG)/run_stale: $(BESIDE) configs/workloads/exchange.yaml
$(LOG)/run_stale: CLI_WITH = CLI_CPPFLAGS="$(CPPFLAGS)" CLI_LIBS="$(LIBS)"
$(LOG)/record-%: $(BESIDE) tb/run/record.sh tb/conformance/replay.v tb/conformance/icarus.sh
	@$(CHECK) $@ tb/run/record.sh $(OUT)/run/record-$* $(GPUSCHED) $(TOOL) $*
$(LOG)/run_help: $(BESIDE) $(BUILD)/saxpy.ptx
$(LOG)/run_man: $(TOOL) $(MAN)/gpusched.1 tb/man.sh
$(LOG)/run_completion: $(CONFIGS)
$(LOG)/run_results: $(GPUSCHED) $(PTX) $(CONFIGS) tb/run/results.sh tb/drift/document.sh $(wildcard docs/results/*)
	@$(CHECK) $@ tb/run/results.sh $(OUT)/run/results $(GPUSCHED)
$(LOG)/verify-%: $(GPUSCHED) $(DEBUG) $(PLAIN) $(CONFIGS) $(BUILD)/workloads/%.ptx tb/run/verify.sh
	@$(CHECK) $@ tb/run/verify.sh $(OUT)/run/verify-$* $(GPUSCHED) $* $(PLAIN) $(DEBUG)
$(LOG)/run_nvcc: $(NVCC_KERNELS) $(PLAIN_KERNELS) $(wildcard tb/ptx/nvcc/*) tb/plain/nvcc.sh
	@$(CHECK) $@ tb/plain/nvcc.sh $(NVCC_KERNELS) $(PLAIN_KERNELS) tb/ptx/nvcc

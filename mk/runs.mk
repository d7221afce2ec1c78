# Runs of the GPU model.

CONFIGS   := $(wildcard configs/*/*)
BESIDE     = $(GPUSCHED) $(TOOL) $(PTX) $(RUNTIME) $(VERILATE) $(LIB) $(CONFIGS) $(foreach u,$(WATCHED) icc coalesced_cache,$(call file_of,$(u)))
GPUS      := $(patsubst configs/gpu/%.yaml,%,$(wildcard configs/gpu/*.yaml))
WORKLOADS := $(patsubst configs/workloads/%.yaml,%,$(wildcard configs/workloads/*.yaml))
CLI      := $(patsubst tb/cli/%.bats,%,$(filter-out %/fault.bats,$(wildcard tb/cli/*.bats)))

# Runs in several ways. A row of the table is a word, and stands in a file on which its check depends: so a
# row that is changed is run again, and no other.
TABLE := $(shell awk '!/^\#/ && NF { OFS = "|"; $$1 = $$1; print }' tb/run/matrix.txt 2> /dev/null)
each  = $(foreach r,$(TABLE),$(if $(findstring $(1),$(r)),$(foreach n,$(2),$(subst $(1),$(n),$(r)))))
ROWS  := $(foreach r,$(TABLE),$(if $(findstring *,$(r)),,$(r))) \
	$(call each,*workload,$(WORKLOADS)) $(call each,*gpu,$(GPUS)) $(call each,*cuda,$(CUDA))
name_of = $(firstword $(subst |, ,$(1)))
MATRIX := $(foreach r,$(ROWS),$(LOG)/$(call name_of,$(r)))
define row
$(OUT)/row/$(1): $(if $(filter $(2),$(file <$(OUT)/row/$(1))),,FORCE)
	@mkdir -p $$(@D) && echo '$(2)' > $$@
endef
$(foreach r,$(ROWS),$(eval $(call row,$(call name_of,$(r)),$(r))))
# Left to make nightly: rows with the word; GPUs that differ in numbers from those of the day; further inputs of a program.
comma  := ,
MIX_BY_DAY   := c2050 h100 icc icc-6 k20c m2090 onac32
VERIFY_NIGHT := bfs_citation bfs_graph500 bfs_cage15_flat bfs_graph500_flat clr_cage15 clr_graph500 clr_citation_flat clr_graph500_flat \
	join_uniform join_gaussian_flat regx_string regx_darpa_flat sssp_cage15 sssp_citation sssp_cage15_flat sssp_graph500_flat
NIGHT_ROWS := $(foreach r,$(ROWS),$(if $(filter %$(comma)night,$(r)),$(LOG)/$(call name_of,$(r)))) \
	$(patsubst %,$(LOG)/run_mix-%,$(filter-out $(MIX_BY_DAY),$(GPUS))) $(patsubst %,$(LOG)/verify-%,$(filter $(VERIFY_NIGHT),$(CUDA)))
CHECKS_long += $(if $(UNIT)$(RTL),,$(NIGHT_ROWS))
# They are of our own RTL; another's goes beside a run with --rtl-file.
CHECKS_runs := $(if $(UNIT)$(RTL),,$(filter-out $(NIGHT_ROWS),$(MATRIX)) $(addprefix $(LOG)/run_,$(filter-out clone,$(CLI)) nvcc results))

# GNU make 4.3 sometimes leaves the newline at the end of a file.
$(MATRIX): $(LOG)/%: $(OUT)/row/% tb/run/matrix.sh $(GPUSCHED)
	@$(CHECK) $@ tb/run/matrix.sh '$(strip $(file <$<))' $(OUT)/run/$* $(BUILD)
matrix = $(filter $(1:%=$(LOG)/%),$(MATRIX))
# The units in the GPU's paths.
WATCHED := $(patsubst $(LOG)/record-%,%,$(call matrix,record-%))
$(call matrix,run_m2090-% run_mix-% run_onac run_seq_det verify-%): $(SANITIZED)
# A GPU may have any of the others as its base.
$(call matrix,run_m2090-% run_mix-%): $(wildcard configs/gpu/*.yaml)
$(call matrix,run_m2090-%): $(LOG)/run_m2090-%: configs/workloads/%.yaml
$(call matrix,run_mix-%): configs/workloads/mix.yaml
$(call matrix,verify-%): $(LOG)/verify-%: $(PLAIN) $(CONFIGS) $(BUILD)/workloads/$$(call folder_of,$$*).ptx
$(call matrix,run_rtl-% record-% rtl_planted-%): $(BESIDE)
$(call matrix,run_rtl-%): | $(ONE_FLAG:%=$(HEADERS_OF)/%)
$(call matrix,rtl_planted-%): | $(HEADERS_OF)/-O1
$(call matrix,run_rtl-sets_%): $(SETS)
$(LOG)/run_rtl-nested_wait $(LOG)/run_rtl-nested_pairs: $(BUILD)/nested.ptx $(SANITIZED)
$(call matrix,record-%): tb/conformance/replay.v tb/conformance/icarus.sh

# The command line, as its users have it. What a test needs beside gpusched stands here.
$(CLI:%=$(LOG)/run_%): $(LOG)/run_%: tb/cli/%.bats tb/cli/helper.bash $(GPUSCHED)
	@$(CHECK) $@ env CLI_BUILD=$(abspath $(BUILD)) $(CLI_WITH) bats $<
$(LOG)/run_errors $(LOG)/run_places: $(BUILD)/workloads/hotspot.ptx
$(LOG)/run_sizes: $(patsubst %,$(BUILD)/workloads/%.ptx,aes fast_walsh lud srad stencil)
$(LOG)/run_experiment $(LOG)/run_experiment_parts $(LOG)/run_slurm $(LOG)/run_report: $(BUILD)/workloads/hotspot.ptx $(CONFIGS)
$(LOG)/run_experiment_rtl $(LOG)/run_rtl: $(BESIDE)
# With a case's RTL, for the commands that load one.
$(LOG)/run_output: $(TOOL) $(BUILD)/saxpy.ptx $(BUILD)/workloads/hotspot.ptx $(SO)/$(firstword $(FEW)).so $(CONFIGS)
$(LOG)/run_output: CLI_WITH = CLI_UNIT=$(call unit,$(firstword $(FEW))) CLI_PARAMS="$(call params,$(firstword $(FEW)))" \
	CLI_RTL=$(abspath $(SO)/$(firstword $(FEW)).so)
$(LOG)/run_silicon: $(SILICON) $(GOLDEN_CUDA) $(BUILD)/machine.ptx $(PTX) $(wildcard tb/silicon/*)
$(LOG)/run_slurm: tb/run/cluster.sh $(BESIDE)
$(LOG)/run_queries: $(CONFIGS) docs/experiments.md
CHECKS_long += $(LOG)/run_clone
$(LOG)/run_clone: $(SOURCES) $(HEADERS) $(LIB) $(MAKEFILES_OURS)
$(LOG)/run_install: $(BESIDE) $$(PACKAGED) $(MAN)/gpusched.1 $(PUBLIC) $(MAKEFILES_OURS) tb/install.sh
# Pairs of mechanisms of which no paper says what becomes of both, with every workload: one in 79 of the runs, or all.
PAIRS := tb/run/pairs.sh tb/run/pairs.txt $(GPUSCHED) $(PTX) $(CONFIGS)
CHECKS_runs += $(if $(UNIT)$(RTL),,$(LOG)/run_pairs)
$(LOG)/run_pairs: $(PAIRS)
	@$(CHECK) $@ tb/run/pairs.sh 79 $(GPUSCHED) $(OUT)/run/pairs
CHECKS_long += $(if $(UNIT)$(RTL),,$(LOG)/pairs)
$(LOG)/pairs: $(PAIRS)
	@$(CHECK) $@ tb/run/pairs.sh 1 $(GPUSCHED) $(OUT)/run/pairs_all
# One in 11 with the RTL of all units beside it.
CHECKS_long += $(if $(UNIT)$(RTL),,$(LOG)/pairs_rtl)
$(LOG)/pairs_rtl: $(PAIRS) $$(BESIDE) | $(ONE_FLAG:%=$(HEADERS_OF)/%)
	@$(CHECK) $@ tb/run/pairs.sh 11 $(GPUSCHED) $(OUT)/run/pairs_rtl shadow
# LaPerm's programs with RTL: each in one mode by turns, or in all of them.
PRODUCT := tb/run/product.sh configs/experiments/laperm.yaml $(BESIDE)
CHECKS_runs += $(if $(UNIT)$(RTL),,$(LOG)/run_rtl_product)
$(LOG)/run_rtl_product: $(PRODUCT) | $(ONE_FLAG:%=$(HEADERS_OF)/%)
	@$(CHECK) $@ tb/run/product.sh turns $(GPUSCHED) $(OUT)/run/product
CHECKS_long += $(if $(UNIT)$(RTL),,$(LOG)/rtl_product)
$(LOG)/rtl_product: $(PRODUCT) | $(ONE_FLAG:%=$(HEADERS_OF)/%)
	@$(CHECK) $@ tb/run/product.sh all $(GPUSCHED) $(OUT)/run/product_all
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
FAULT_INPUTS := tb/cli/fault.bats tb/cli/helper.bash $(FAULT) $(GPUSCHED) $(TOOL) $(BUILD)/saxpy.ptx $(BUILD)/nested.ptx $(BUILD)/workloads/hotspot.ptx
$(LOG)/run_fault-%: $(FAULT_INPUTS)
	@$(CHECK) $@ $(RUN_FAULT) CLI_TRIES=1 CLI_SEED=$(SEED) bats $<
$(LOG)/fault-%: $(FAULT_INPUTS) FORCE
	@$(CHECK) $@ $(RUN_FAULT) CLI_TRIES=0 CLI_SEED=new bats $<
# An experiment of many runs: by day 20,000, at night a million, in at most 100 seconds for each command.
CHECKS_runs += $(if $(UNIT)$(RTL),,$(LOG)/run_many)
CHECKS_long += $(if $(UNIT)$(RTL),,$(LOG)/many)
MANY := $(BUILD)/many
$(MANY): $(BUILD)/c/tb/many/many.o $(BUILD)/libgolden.a | $(BUILD)/checkout
	$(program)
MANY_INPUTS := tb/many/many.sh $(MANY) $(GPUSCHED) $(BUILD)/workloads/hotspot.ptx $(BUILD)/workloads/bfs.ptx $(CONFIGS)
$(LOG)/run_many: $(MANY_INPUTS)
	@$(CHECK) $@ tb/many/many.sh $(OUT)/run/many $(BUILD) 20000
$(LOG)/many: $(MANY_INPUTS)
	@$(CHECK) $@ tb/many/many.sh $(OUT)/run/many_all $(BUILD) 1000000 100
# Kernels that a kernel launches: by day 102,400 of them, at night a million.
CHECKS_runs += $(if $(UNIT)$(RTL),,$(LOG)/run_children)
CHECKS_long += $(if $(UNIT)$(RTL),,$(LOG)/children)
CHILDREN := tb/many/children.sh $(MANY) $(GPUSCHED) $(BUILD)/nested.ptx $(CONFIGS)
$(LOG)/run_children: $(CHILDREN)
	@$(CHECK) $@ tb/many/children.sh $(OUT)/run/children $(BUILD) 102400
$(LOG)/children: $(CHILDREN)
	@$(CHECK) $@ tb/many/children.sh $(OUT)/run/children_all $(BUILD) 1000000
$(LOG)/run_ptx: $(BUILD)/saxpy.ptx docs/workloads-cuda.md $(wildcard sim/workloads/include/*.h)
# Every second kind of text and run; at night each.
CHECKS_long += $(if $(UNIT)$(RTL),,$(LOG)/linear)
$(LOG)/linear: tb/cli/linear.bats tb/cli/helper.bash $(GPUSCHED)
	@$(CHECK) $@ env CLI_BUILD=$(abspath $(BUILD)) CLI_LINEAR=all bats $<
$(LOG)/run_linear $(LOG)/linear: $(BUILD)/nested.ptx
$(LOG)/run_nested: $(BESIDE) $(BUILD)/nested.ptx $(BUILD)/workloads/bfs.ptx $(BUILD)/workloads/hotspot.ptx $(CONFIGS)
$(LOG)/run_waits: $(BUILD)/waits.ptx $(BUILD)/waits_sm35.ptx
$(LOG)/run_stale: $(BESIDE) configs/workloads/exchange.yaml
$(LOG)/run_stale: CLI_WITH = CLI_CPPFLAGS="$(CPPFLAGS)" CLI_LIBS="$(LIBS)"
$(LOG)/run_help: $(BESIDE) $(BUILD)/saxpy.ptx
$(LOG)/run_man: $(TOOL) $(MAN)/gpusched.1 tb/man.sh
$(LOG)/run_completion: $(CONFIGS)
$(LOG)/run_kernels: $(CONFIGS)
$(LOG)/run_several: $(BUILD)/workloads/hotspot.ptx $(BUILD)/workloads/bfs.ptx $(CONFIGS)
$(LOG)/run_results: $(GPUSCHED) $(PTX) $(CONFIGS) tb/run/results.sh tb/drift/document.sh $(wildcard docs/results/*.* docs/results/*/*)
	@$(CHECK) $@ tb/run/results.sh $(OUT)/run/results $(GPUSCHED)
$(LOG)/run_nvcc: $(NVCC_KERNELS) $(PLAIN_KERNELS) $(wildcard tb/ptx/nvcc/*) tb/plain/nvcc.sh
	@$(CHECK) $@ tb/plain/nvcc.sh $(NVCC_KERNELS) $(PLAIN_KERNELS) tb/ptx/nvcc

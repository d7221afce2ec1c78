# SystemC and DPI.

# By day one size of a unit, of no powers of two.
CHECKS_systemc := $(DAY_BENCHES:%=$(LOG)/systemc-%) $(if $(filter work_distributor,$(UNITS)),$(LOG)/systemc-platform)
CHECKS_long += $(patsubst %,$(LOG)/systemc-%,$(filter-out $(DAY_BENCHES),$(FEW)))
# One size of each unit: the second, for the first is the smallest.
CHECKS_dpi := $(foreach u,$(UNITS),$(addprefix $(LOG)/dpi-,$(lastword $(filter $(u)-%,$(FEW)))))
# $(call systemc,MAIN,UNIT,PARAM=VALUE ...,FLAGS): a program with the unit verilated.
define systemc
	$(call say,systemc)
	@rm -f $@ && mkdir -p $@.obj
	$(Q)here=$$(realpath --relative-to=$@.obj .) && golden=$$(realpath --relative-to=$@.obj $(BUILD)/libgolden.a) && \
		env -u MAKEFLAGS verilator --sc --exe -O3 --noassert --prefix Vdut $(NO_LINT) $(SEARCH) $(addprefix -G,$(3)) --Mdir $@.obj \
		-CFLAGS "-std=c++17 $(4) $$($(TOOL) ports $(2) $(3) --format=defines) \
		-I$$here/cmodel -I$$here/sim -I$$here/tb/systemc" -LDFLAGS "$$golden $(LIBS)" \
		-o ../$(@F) $< $$here/$(1) > $@.log && cp $(SC_RUNTIME) $@.obj && \
		env -u MAKEFLAGS make -s -C $@.obj -f Vdut.mk >> $@.log 2>&1 || (cat $@.log; false)
endef
# The runtime as Verilator would compile it for SystemC, which takes half as long as a program: once, for all of
# them. Newer than their sources, the copies are not compiled again.
SC_RUNTIME := $(patsubst %,$(BUILD)/verilated/sc/%.o,verilated verilated_threads)
$(SC_RUNTIME): $(BUILD)/verilated/sc/%.o: $(TOOLS)
	@mkdir -p $(@D)
	$(call say,compile)
	$(Q)$(CXX) -std=c++17 -O1 -faligned-new -fcf-protection=none -DVM_SC=1 -DVM_COVERAGE=0 -DVM_TRACE=0 -I$(VERILATED) \
		-I$(VERILATED)/vltstd -c -o $@ $(VERILATED)/$*.cpp
$(OUT)/systemc/%: $$(call verilog,$$*) $$(call parts,$$*) $(LIB) $(BUILD)/libgolden.a $(TOOL) $(filter cmodel/%,$(INCLUDED)) tb/systemc/unit_sc.h tb/systemc/unit_sc_main.cpp \
		$$(SC_RUNTIME)
	$(call systemc,tb/systemc/unit_sc_main.cpp,$(call unit,$*),$(call params,$*),-DUNIT=$(call unit,$*))
$(LOG)/systemc-%: $(OUT)/systemc/% $(STIMULUS)
	@$(CHECK) $@ tb/tested.sh $(call verilog,$*) $< 10000 $(SEED) $(MODE)

# build/platform/c2050: this GPU runs a kernel, and its work distributor is a module beside it.
key = $(shell $(GPUSCHED) config show $(1) | sed -n '/^$(2):/,/^$$/s/^  $(3): *\([0-9]*\).*/\1/p')
$(OUT)/platform/%: $(call verilog,work_distributor) $(call parts,work_distributor) $(LIB) $(BUILD)/libgolden.a \
		$(TOOL) $(GPUSCHED) $(filter cmodel/% sim/%,$(INCLUDED)) $(wildcard configs/gpu/*.yaml) tb/systemc/unit_sc.h tb/systemc/gpu_sc.h tb/systemc/platform.cpp $(SC_RUNTIME)
	$(call systemc,tb/systemc/platform.cpp,work_distributor,$(strip N_SM=$(call key,$*,sm,count) \
		N_CLUSTER=$(call key,$*,cluster,count) N_KERNEL=$(call key,$*,dispatch,kernels)))
$(LOG)/systemc-platform: $(OUT)/platform/c2050 $(GPUSCHED) $(BUILD)/workloads/hotspot.ptx \
		tb/systemc/platform.sh tb/systemc/difference.sh docs/systemc.md tb/drift/document.sh tb/cfg.sh $(wildcard configs/*/*) tb/units/work_distributor/work_distributor.cfg
	@$(CHECK) $@ tb/tested.sh $(call verilog,work_distributor) tb/systemc/platform.sh $(OUT)/systemc/platform $(GPUSCHED) $< $(call verilog,work_distributor)

# Verilator's runtime as --binary would compile it, which takes longer than a bench: once, for all of them.
COMPILED_RUNTIME := $(patsubst %,$(BUILD)/verilated/bench/%.o,verilated verilated_dpi verilated_threads verilated_timing)
$(COMPILED_RUNTIME): $(BUILD)/verilated/bench/%.o: $(TOOLS)
	@mkdir -p $(@D)
	$(call say,compile)
	$(Q)$(CXX) -std=gnu++17 -fcoroutines -O1 -fPIC -DVL_TIME_CONTEXT -I$(VERILATED) -I$(VERILATED)/vltstd -c -o $@ $(VERILATED)/$*.cpp
$(LOG)/dpi-%: $$(call verilog,$$*) $$(call parts,$$*) $(LIB) $(BUILD)/libgolden.a $(TOOL) tb/dpi/unit_dpi.c tb/dpi/run.sh $(filter cmodel/%,$(INCLUDED)) $(STIMULUS) $(COMPILED_RUNTIME)
	@mkdir -p $(OUT)/dpi
	@$(CHECK) $@ tb/dpi/run.sh $(OUT)/dpi/$* $(TOOL) $(BUILD)/libgolden.a $(BUILD)/verilated/bench "$(CPPFLAGS)" $(SEED) $< $(call params,$*)

# CONTRIBUTING.md, by its letter, for a small unit.
CHECKS_long += $(if $(UNIT),,$(LOG)/new_unit)
$(LOG)/new_unit: $(TOOL) $(GPUSCHED) $(BUILD)/libgolden.a $(RUNTIME) $(COMPILED_RUNTIME) $(LIB) $(MAKEFILES_OURS) $(SCRIPTS) tb/new/tally.def
	@$(CHECK) $@ env CLI_BUILD=$(abspath $(BUILD)) bats tb/new/new_unit.bats

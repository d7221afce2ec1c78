# Lockstep of golden models and RTL; and the same on spoiled RTL, which must fail and say so.

# Lint is for make lint: RTL that is being worked on may run all the same.
NO_LINT := -Wno-fatal -Wno-lint -Wno-style
TOOLS   := $(BUILD)/verilated/tools
VERILATE := cmodel/lockstep/rtl_library.sh cmodel/lockstep/rtl_guard.awk cmodel/lockstep/rtl_array.awk cmodel/lockstep/rtl_unit.cpp cmodel/lockstep/rtl.h cmodel/lockstep/rtl_headers.hpp cmodel/lockstep/registers.vlt $(wildcard cmodel/base/*.h) \
	$(wildcard cmodel/units/*_ports.def) mk/lockstep.mk mk/units.mk mk/tools.mk
RUNTIME := $(patsubst %,$(BUILD)/verilated/%.o,verilated verilated_fst_c verilated_threads)
$(TOOLS): FORCE
	@mkdir -p $(@D)
	@now=$$(verilator --version && $(CXX) --version) && { [ "$$now" = "$$(cat $@ 2> /dev/null)" ] || \
		{ echo "$$now" > $@.$$$$ && mv $@.$$$$ $@; }; }
# How a library may end the program is said in rtl_unit.cpp, not by Verilator.
RUNTIME_FLAGS := -std=c++17 -O3 -fPIC -fvisibility=hidden -DVL_USER_FINISH -DVL_USER_STOP -DVL_USER_FATAL
$(BUILD)/verilated/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(RUNTIME_FLAGS)' | cmp -s - $@ || { echo '$(RUNTIME_FLAGS)' > $@.$$$$ && mv $@.$$$$ $@; }
$(RUNTIME): $(BUILD)/verilated/%.o: $(TOOLS) $(BUILD)/verilated/flags
	$(call say,compile)
	$(Q)$(CXX) $(RUNTIME_FLAGS) -I$(VERILATED) -I$(VERILATED)/vltstd -c -o $@ $(VERILATED)/$*.cpp

# The headers of a library, compiled with -O3 and its like: this saves a fifth of the time of each library, and is done for
# checks that make many. g++ takes the one with its flags, and without one the headers as they are.
ONE_FLAG := $(if $(word 2,$(CXXFLAGS)),,$(CXXFLAGS))
HEADERS_OF := $(BUILD)/headers/rtl_headers.hpp.gch
COMPILED_HEADERS := $(patsubst %,$(HEADERS_OF)/%,$(sort $(ONE_FLAG) -O1 -O0))
$(COMPILED_HEADERS): cmodel/lockstep/rtl_headers.hpp $(TOOLS)
	@mkdir -p $(@D)
	$(call say,compile)
	$(Q)$(CXX) -std=c++17 $(@F) -fPIC -fvisibility=hidden -I$(VERILATED) -I$(VERILATED)/vltstd -x c++-header -o $(BUILD)/headers/$(@F).$$$$ $< \
		&& mv $(BUILD)/headers/$(@F).$$$$ $@

# Whether it must be built is decided by what is in the files, and not by their times.
$(SO)/%.so: FORCE $(RUNTIME) $(TOOLS)
	$(Q)cmodel/lockstep/rtl_library.sh '$(if $(V),,say)' '$@' '$(call verilog,$*)' '$(SEARCH)' '$(call params,$*)' \
		'$(CXX)' '$(CXXFLAGS)' '$(INCLUDES)' '$(TOOLS)' $(call parts,$*) $(filter %.v,$(LIB)) \
		cmodel/units/$(call unit,$*)_ports.def cmodel/base/unit.h cmodel/base/bits.h cmodel/base/unit_rows.h \
		cmodel/lockstep/rtl_unit.cpp cmodel/lockstep/rtl_guard.awk cmodel/lockstep/rtl_array.awk cmodel/lockstep/rtl.h cmodel/lockstep/rtl_headers.hpp cmodel/lockstep/registers.vlt \
		$(RUNTIME)

# gpusched rtl build: another's Verilog of a CASE, in FILES; what Verilator finds in it, then its library, both as THEIRS.
.PHONY: their_interface their_library
their_interface:
	$(Q)cmodel/lockstep/rtl_interface.sh '$(THEIRS)' '$(call unit,$(CASE))' '$(FILES)' '$(FOLDERS_THEIRS:%=-I%) $(SEARCH)' \
		'$(call params,$(CASE))'
their_library: $(RUNTIME) $(TOOLS)
	$(Q)THEIRS='$(call unit,$(CASE))' REGISTERS='$(REGISTERS)' FROM='$(FROM)' cmodel/lockstep/rtl_library.sh '' '$(THEIRS)' \
		'$(FILES)' '$(FOLDERS_THEIRS:%=-I%) $(SEARCH)' '$(call params,$(CASE))' '$(CXX)' '$(CXXFLAGS)' '$(INCLUDES)' \
		'$(TOOLS)' $(RUNTIME)

# The sizes of the list and one that is drawn, in one process. Others are drawn with SIZES_SEED=...; make nightly
# takes those of the night too, draws more, with a seed of its own, and runs a million cycles. With PARAMS, one size, and
# not as a check.
CHECKS_lockstep := $(UNITS:%=$(LOG)/lockstep-%) $(if $(UNIT),,$(LOG)/rtl_libraries $(LOG)/rtl_array)
CHECKS_long     += $(UNITS:%=$(LOG)/lockstep_long-%)
# Seed 5 draws small ones: a library of a large one takes as long as all of a unit's list.
SIZES_DRAWN := 1
SIZES_SEED  ?= 5
# $(call at_sizes,day or night,NUMBER,SEED,CYCLES)
at_sizes = @$(CHECK) $@ tb/lockstep/sizes.sh $(OUT)/sizes/$(1) $< $(1) $(2) $(3) $(TOOL) $* BUILD='$(BUILD)' OUT='$(OUT)' \
	RTL='$(RTL)' CXX='$(CXX)' CXXFLAGS='$(CXXFLAGS)' -- --rtl=$(SO) --complete --cycles=$(4) \
	--seed=$(SEED) --mode=$(MODE) --report=$(OUT)/report
AT_SIZES := $(TOOL) $(RUNTIME) $(STIMULUS) $(VERILATE) $(LIB) tb/lockstep/sizes.sh tb/cfg.sh
$(LOG)/lockstep-%: $$(call sizes_of,$$*) $(AT_SIZES) $$(call verilog,$$*) $$(call parts,$$*) | $(ONE_FLAG:%=$(HEADERS_OF)/%)
	$(call at_sizes,day,$(SIZES_DRAWN),$(SIZES_SEED),$(CYCLES))
$(LOG)/lockstep_long-%: $$(call sizes_of,$$*) $(AT_SIZES) $$(call verilog,$$*) $$(call parts,$$*) \
		$(if $(filter file,$(origin SIZES_SEED)),FORCE)
	$(call at_sizes,night,12,$(if $(filter file,$(origin SIZES_SEED)),new,$(SIZES_SEED)),$(if $(filter file,$(origin CYCLES)),1000000,$(CYCLES)))
$(LOG)/rtl_libraries: $(TOOL) $(RUNTIME) $(VERILATE) $(LIB) $(MAKEFILES_OURS) rtl/units/coalesced_cache.v tb/lockstep/libraries.sh | $(ONE_FLAG:%=$(HEADERS_OF)/%)
	@$(CHECK) $@ tb/lockstep/libraries.sh $(TOOL) $(BUILD)/verilated
# The same decisions in the same order, for the units of which an output has a handshake: NAME_valid out, NAME_ready in.
WITH_HANDSHAKE := $(shell awk -F '[^a-zA-Z_0-9]+' '$$1 == "OUT" && sub(/_valid$$/, "", $$2) { out[FILENAME, $$2] } \
	$$1 == "IN" && sub(/_ready$$/, "", $$2) { taken[FILENAME, $$2] } \
	END { for (c in out) if (c in taken) { split(c, part, SUBSEP); print part[1] } }' /dev/null $(UNITS:%=cmodel/units/%_ports.def))
$(LOG)/rtl_array: $(RUNTIME) $(TOOLS) $(VERILATE) tb/lockstep/toy.sh tb/lockstep/toy.c tb/lockstep/toy.v tb/lockstep/toy_ports.def | $(HEADERS_OF)/-O1
	@$(CHECK) $@ tb/lockstep/toy.sh $(OUT)/rtl_array $(BUILD)/verilated $(SEED)
# Not of those that decide by the cycle, whose files say so.
TIMED := $(foreach u,$(UNITS),$(call has_section,$(u),timed))
CHECKS_lockstep += $(patsubst %,$(LOG)/transactions-%,$(filter-out $(TIMED),$(sort $(WITH_HANDSHAKE:cmodel/units/%_ports.def=%))))
libraries_of = $(patsubst %,$(SO)/%.so,$(filter $(1)-%,$(CASES)))
$(LOG)/transactions-%: $$(call sizes_of,$$*) $(TOOL) $$(call libraries_of,$$*) $(STIMULUS)
	@$(CHECK) $@ $(TOOL) lockstep $* --transactions --sizes=$< --rtl=$(SO) --cycles=100000 --seed=$(SEED)
# RTL= in every check of Verilog.
CHECKS_long += $(if $(UNIT),,$(LOG)/rtl_folder)
$(LOG)/rtl_folder: $(TOOL) $(BUILD)/libgolden.a $(RUNTIME) $(VERILATE) $(LIB) $(MAKEFILES_OURS) $(SCRIPTS) $(wildcard rtl/*/*.v)
	@$(CHECK) $@ tb/rtl_folder.sh $(OUT)/rtl_folder $(BUILD)
# In a run: what is said whatever the number of threads is; and how long it takes, which is no check.
CHECKS_lockstep += $(if $(UNIT)$(RTL),,$(LOG)/rtl_shadow)
$(LOG)/rtl_shadow: $$(BESIDE) $$(UPSET) tb/lockstep/shadow.sh | $(HEADERS_OF)/-O1
	@$(CHECK) $@ tb/lockstep/shadow.sh $(OUT)/rtl_shadow $(BUILD)
# A part is compared in its composition's RTL, with nothing less than alone.
CHECKS_lockstep += $(if $(UNIT)$(RTL),,$(LOG)/rtl_within)
$(LOG)/rtl_within: $$(BESIDE) $$(UPSET) tb/lockstep/within.sh | $(HEADERS_OF)/-O1
	@$(CHECK) $@ tb/lockstep/within.sh $(OUT)/rtl_within $(BUILD)
.PHONY: bench-lockstep bench-throttles
REPEATS ?= 7
bench-lockstep: $(GPUSCHED) $(PTX)
	@tb/lockstep/bench.sh $(BUILD) $(REPEATS)
bench-throttles: $(GPUSCHED) $(PTX)
	@tb/lockstep/throttles.sh $(BUILD) lud hotspot
.PHONY: libraries
libraries: $(CASES:%=$(SO)/%.so)

ifneq ($(PARAMS),)
CHECKS_lockstep :=
lockstep: $(TOOL)
	+@$(MAKE) --no-print-directory -s PARAMS= $(SO)/$$($(TOOL) ports $(UNIT) $(PARAMS) --format=file).so
	@$(TOOL) lockstep $(UNIT) $(PARAMS) --rtl=$(SO) --cycles=$(CYCLES) --seed=$(SEED) --mode=$(MODE) --report=$(OUT)/report
endif

# ---- Planted defects ----------------------------------------------------------------------

CHECKS_planted := $(UNITS:%=$(LOG)/planted-%)
# Reports replayed, at the first and the last size of the list; make nightly has more, over all.
CHECKS_long += $(UNITS:%=$(LOG)/planted_long-%)
planted = @$(CHECK) $@ tb/lockstep/planted.sh $(OUT)/$(@F) $(TOOL) $(call verilog,$*) $(call cfg_of,$*) \
	$(call sizes_of,$*) $(1) $(2)
PLANTED := $(LIB) $(TOOL) $(RUNTIME) $(VERILATE) tb/lockstep/planted.sh tb/cfg.sh
$(LOG)/planted-%: $$(call sizes_of,$$*) $$(call cfg_of,$$*) $(PLANTED) $$(call verilog,$$*) $$(call parts,$$*) | $(HEADERS_OF)/-O0
	$(call planted,2,12)
$(LOG)/planted_long-%: $$(call sizes_of,$$*) $$(call cfg_of,$$*) $(PLANTED) $$(call verilog,$$*) $$(call parts,$$*) | $(HEADERS_OF)/-O0
	$(call planted,99,300)

# gpusched: the only build entry. `make` lists the targets.
#
# A unit is added by its own files, named after it; only runs of the GPU model name the units
# in its paths. A case is a unit with its parameters:
# claso-N_CORE.15-N_POOL.1-N_KERNEL.4-CTA_W.32-LEVEL_W.4.
#
# A check is a log under $(LOG): it is made again only when something it depends on has
# changed. What depends on RTL or logs is under OUT, so that a run on other RTL has a
# place of its own: make UNIT=claso RTL=other OUT=build/other. Each unit that is checked must
# be in RTL; parts of a unit that are not are ours.

# Relative, so that the checkout may stand in a folder of any name, and be moved.
BUILD  ?= build
OUT    ?= $(BUILD)
CYCLES ?= 500000
SEED   ?= 1
MODE   ?= mixed

CC       := gcc
CXX      := g++
CFLAGS   ?= -O3 -g -DNDEBUG
# Verilated models run no faster with more, and take half as long again to compile.
CXXFLAGS ?= -O1
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
# Folders of C files. Includes carry their path from cmodel or sim; tests' own from here.
FOLDERS  := $(sort $(patsubst %/,%,$(dir $(wildcard cmodel/*/*.[ch] cmodel/*/*/*.[ch] sim/*/*.[ch] sim/gpusched/*/*.[ch] \
	sim/gpusched/*/*/*.[ch]))))
# tb/base/rows: tables of units that are only there to be tested.
INCLUDES := -Icmodel -Isim -I. -Itb/base/rows
DEFINES  := -D_POSIX_C_SOURCE=200809L
CPPFLAGS += $(DEFINES) $(INCLUDES)
VERILATED = $(shell verilator -getenv VERILATOR_ROOT)/include
# V=1 shows the commands.
Q := $(if $(V),,@)
say = $(if $(V),,@printf '%-9s %s\n' $(1) '$(patsubst $(BUILD)/%,%,$@)' >&2)
# Builds use all cores unless told otherwise.
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc)
endif

# To build and run; and to check everything.
RUN_PACKAGES := gcc g++ make clang verilator flex bison zlib1g-dev libcyaml-dev libyaml-dev libjansson-dev libsqlite3-dev nettle-dev
PACKAGES := $(RUN_PACKAGES) clang-format clang-tidy iverilog yosys z3 \
	libsystemc-dev libcmocka-dev shellcheck sqlite3 strace libxml2-utils gnuplot-nox valgrind help2man man-db groff-base

.PHONY: help run deps all man lint unit-tests runs drift lockstep conformance systemc dpi examples planted prove \
	install uninstall sabotage test count long long-checks long-count ledger checks docs clean
.DELETE_ON_ERROR:
.SECONDARY:
.SECONDEXPANSION:
.DEFAULT_GOAL := help

help:
	@echo 'make run           real kernels on 60 SMs with all mechanisms, RTL in lockstep: out/report.html'
	@echo 'make deps          installs the Debian packages that are missing'
	@echo 'make test          everything below; ends with: N passed, N failed'
	@echo "                   ONLY='unit-claso lint_%': only these logs"
	@echo 'make long          the checks that take longer, counted likewise'
	@echo
	@echo 'make all           the programs'
	@echo 'make install       into PREFIX=/usr/local, below DESTDIR; make uninstall removes it'
	@echo 'make man           their manual pages: man -M build/man gpusched'
	@echo 'make lint          C, shell and Verilog; no warning allowed'
	@echo 'make unit-tests    golden models and machinery on their own'
	@echo 'make runs          the GPU model: every workload and GPU, the same bytes in every mode'
	@echo 'make drift         port tables and their paths against the elaborated RTL'
	@echo 'make lockstep      golden models against RTL, every port and register, every cycle'
	@echo 'make conformance   vectors replayed under Icarus and Verilator; leaves the kit'
	@echo 'make systemc       both as SystemC modules, side by side'
	@echo 'make dpi           golden models called from SystemVerilog'
	@echo 'make examples      the commands of docs/examples print what its pages show'
	@echo 'make planted       defects planted in the RTL, found and reported'
	@echo 'make sabotage      checks that no longer check are noticed'
	@echo
	@echo 'make results       runs the experiments, and writes docs/results'
	@echo 'make prove         properties proved by induction'
	@echo 'make docs          writes what is generated in docs: ports, parameters, counts, commands, rules'
	@echo 'make fuzz          the PTX reader and the executor under libFuzzer, SECONDS=60 each'
	@echo 'make bench         how fast the GPU model runs'
	@echo 'make ledger        tb/ledger.txt, of what each check has checked, after make test'
	@echo 'make clean         removes build/'
	@echo
	@echo 'Each takes UNIT=claso, and lockstep, conformance and systemc also take'
	@echo 'PARAMS="N_CORE=15 N_KERNEL=4" CYCLES=1000000 SEED=7 MODE=mixed'

deps:
	@tb/deps.sh $(PACKAGES)

# The first thing to try: what is missing is installed, the table and out/report.html are made.
run:
	@tb/deps.sh $(RUN_PACKAGES)
	@$(MAKE) --no-print-directory -j$(shell nproc) first
	@$(GPUSCHED) experiment first -o out
	@$(GPUSCHED) report out/first.sqlite -o out/report.html

# ---- Units and cases ---------------------------------------------------------------

ALL_UNITS := $(patsubst cmodel/units/%_ports.def,%,$(wildcard cmodel/units/*_ports.def))
DRIVERS   := $(patsubst cmodel/units/drivers/%_driver.c,%,$(wildcard cmodel/units/drivers/*_driver.c))
UNITS     := $(or $(UNIT),$(ALL_UNITS))
$(if $(filter-out $(ALL_UNITS),$(UNITS)),$(error UNIT=$(UNIT): no such unit; there are: $(ALL_UNITS)))
$(if $(UNIT),,$(if $(PARAMS),$(error PARAMS=... needs UNIT=...; there are: $(ALL_UNITS))))
unit     = $(firstword $(subst -, ,$(1)))
params   = $(subst .,=,$(wordlist 2,99,$(subst -, ,$(1))))
empty    :=
dashed   = $(subst $(empty) $(empty),-,$(strip $(1)))
# The file of a unit's sizes; SIZES=FOLDER has others.
sizes_of  = $(or $(SIZES),tb/units/$(1))/$(1)_sizes.txt
# The cases of a unit in a file of sizes, a line each: PARAM=VALUE ...
sizes    = $(shell sed -n 's/\#.*//; s/^  *//; s/  *$$//; s/  */-/g; s/=/./g; s/^[A-Z0-9]/$(1)-&/p' $(wildcard $(2)) /dev/null)
# make lockstep PARAMS=... is one case; otherwise all of the units' sizes.
CASES    := $(if $(PARAMS),$(call dashed,$(UNIT) $(subst =,.,$(PARAMS))),\
	$(foreach u,$(UNITS),$(call sizes,$(u),$(call sizes_of,$(u)))))

# What takes a compiler run for each case is done for a few.
FEW := $(if $(PARAMS),$(CASES),$(foreach u,$(UNITS),$(wordlist 1,2,$(filter $(u)-%,$(CASES)))))

LOG   := $(OUT)/log
SO    := $(OUT)/rtl
# With the sources that the log depends on.
CHECK  = NEEDS='$(filter-out $(BUILD)/% $(OUT)/% FORCE,$^)' tb/check.sh
# What depends on the stimulus is made again when it changes.
STIMULUS := $(OUT)/stimulus
$(STIMULUS): FORCE
	@mkdir -p $(@D)
	@now='$(CYCLES) $(SEED) $(MODE) $(SIZES) $(SIZES_SEED) $(SIZES_DRAWN)' && { echo "$$now" | cmp -s - $@ || echo "$$now" > $@; }
.PHONY: FORCE
# The Verilog of a case, for tools that are given files, and of the units that are its parts.
file_of = $(firstword $(wildcard $(RTL:%=%/$(1).v) rtl/units/$(1).v rtl/top/$(1).v) rtl/units/$(1).v)
verilog = $(call file_of,$(call unit,$(1)))
parts   = $(foreach p,$(shell sed -n 's/^PART.[a-z_]*, *\([a-z_]*\),.*/\1/p' \
	cmodel/units/$(call unit,$(1))_ports.def),$(call file_of,$(p)))
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

# ---- Golden models, and the programs that run them -----------------------------------

TOOL     := $(BUILD)/gpusched-unit
GPUSCHED := $(BUILD)/gpusched
# A folder of sim/workloads with host part and kernels of its own name is a CUDA workload.
CUDA     := $(foreach w,$(notdir $(patsubst %/,%,$(wildcard sim/workloads/*/))),\
	$(if $(and $(wildcard sim/workloads/$(w)/$(w).c),$(wildcard sim/workloads/$(w)/$(w).cu)),$(w)))
PTX      := $(CUDA:%=$(BUILD)/workloads/%.ptx)
HOSTS    := $(foreach w,$(CUDA),$(wildcard sim/workloads/$(w)/*.c))
SOURCES  := $(wildcard $(FOLDERS:%=%/*.c)) $(HOSTS)
OBJECTS  := $(SOURCES:%.c=$(BUILD)/c/%.o)
GENERATED := $(patsubst %,$(BUILD)/c/gen/%.o,ptx_grammar ptx_scanner)
# All but the programs' main functions; a program links what it uses.
MODELS   := $(filter-out %/main.o,$(OBJECTS)) $(GENERATED)
LIBS     := -ldl -lz -lcyaml -lyaml -ljansson -lsqlite3 -lnettle -lm

all: $(TOOL) $(GPUSCHED) $(PTX)

# No path is compiled in: by this link the programs of a build folder find the sources (places.h).
$(BUILD)/checkout:
	@mkdir -p $(@D)
	@ln -srfn . $@
# What is built must not run on another's data; what is built elsewhere runs on ours.
unexport GPUSCHED_DATA
ifneq ($(OUT),$(BUILD))
export GPUSCHED_DATA := $(if $(filter /%,$(BUILD)),,$(CURDIR)/)$(BUILD)
endif

.PHONY: first
first: $(GPUSCHED) $(patsubst %,$(BUILD)/workloads/%.ptx,hotspot lud convolution_2d matrix_multiply) $$(RUNTIME)

$(TOOL): $(BUILD)/c/sim/unit/main.o $(BUILD)/libgolden.a | $(BUILD)/checkout
	$(call say,link)
	$(Q)$(CC) -o $@ $^ $(LIBS)
$(GPUSCHED): $(BUILD)/c/sim/gpusched/command/main.o $(BUILD)/libgolden.a | $(BUILD)/checkout
	$(call say,link)
	$(Q)$(CC) -o $@ $^ $(LIBS)
$(BUILD)/libgolden.a: $(MODELS)
	$(call say,archive)
	$(Q)rm -f $@ && ar rcs $@ $^
COMPILE = $(CC) -std=c11 $(WARNINGS) $(CPPFLAGS) -fPIC -MMD -MP -MT '$$(BUILD)/$(@:$(BUILD)/%=%)'
# All is compiled anew when the flags change.
FLAGS   := $(BUILD)/flags
ifneq ($(file <$(FLAGS)),$(CFLAGS) $(WARNINGS) $(CPPFLAGS))
$(shell mkdir -p $(BUILD))
$(file >$(FLAGS),$(CFLAGS) $(WARNINGS) $(CPPFLAGS))
endif
$(BUILD)/c/%.o: %.c $(FLAGS)
	@mkdir -p $(@D)
	$(call say,compile)
	$(Q)$(COMPILE) $(CFLAGS) -c -o $@ $<
# The same with sanitizers, and without optimisation but with all assertions.
SANITIZE := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
$(BUILD)/s/%.o: %.c $(FLAGS)
	@mkdir -p $(@D)
	$(call say,sanitize)
	$(Q)$(COMPILE) $(SANITIZE) -c -o $@ $<
$(BUILD)/d/%.o: %.c $(FLAGS)
	@mkdir -p $(@D)
	$(call say,debug)
	$(Q)$(COMPILE) -O0 -g -c -o $@ $<
$(BUILD)/libsanitized.a: $(MODELS:$(BUILD)/c/%=$(BUILD)/s/%)
	$(Q)rm -f $@ && ar rcs $@ $^
$(BUILD)/libdebug.a: $(MODELS:$(BUILD)/c/%=$(BUILD)/d/%)
	$(Q)rm -f $@ && ar rcs $@ $^
# Scanner and parser of PTX: generated C, which is not written for our warnings.
GEN      := $(BUILD)/gen
GENERATE  = $(COMPILE) -w -I$(GEN)
$(GEN)/%.c: cmodel/ptx/read/%.y
	@mkdir -p $(@D)
	$(call say,bison)
	$(Q)bison --output=$@ --header=$(@:.c=.h) $< && touch $(@:.c=.h)
$(GEN)/%.c: cmodel/ptx/read/%.l
	@mkdir -p $(@D)
	$(call say,flex)
	$(Q)flex --outfile=$@ $<
$(GEN)/ptx_grammar.h: $(GEN)/ptx_grammar.c ;
$(foreach b,c s d f,$(BUILD)/$(b)/gen/ptx_scanner.o): $(GEN)/ptx_grammar.h
$(BUILD)/c/gen/%.o: $(GEN)/%.c $(FLAGS)
	@mkdir -p $(@D)
	$(call say,compile)
	$(Q)$(GENERATE) $(CFLAGS) -c -o $@ $<
$(BUILD)/s/gen/%.o: $(GEN)/%.c $(FLAGS)
	@mkdir -p $(@D)
	$(call say,sanitize)
	$(Q)$(GENERATE) $(SANITIZE) -c -o $@ $<
$(BUILD)/d/gen/%.o: $(GEN)/%.c $(FLAGS)
	@mkdir -p $(@D)
	$(call say,debug)
	$(Q)$(GENERATE) -O0 -g -c -o $@ $<
# Two files list all units, and all drivers.
LISTS := '-DUNITS(X)=$(foreach u,$(ALL_UNITS),X($(u)))' '-DDRIVERS(X)=$(foreach u,$(DRIVERS),X($(u)))'
LISTS += '-DWORKLOADS(X)=$(foreach w,$(CUDA),X($(w)))'
LISTING := $(foreach b,c s d f,$(BUILD)/$(b)/cmodel/units/unit_types.o $(BUILD)/$(b)/cmodel/units/drivers/drivers.o)
$(LISTING): $(wildcard cmodel/units/*_ports.def cmodel/units/drivers/*_driver.c)
CUDA_LIST := $(foreach b,c s d,$(BUILD)/$(b)/sim/workloads/workload_list.o)
$(CUDA_LIST): $(HOSTS)
$(LISTING) $(CUDA_LIST): CPPFLAGS += $(LISTS)

# Manual pages, from --help; man finds them beside a program on the PATH.
MAN := $(BUILD)/man/man1
man: $(MAN)/gpusched.1
$(MAN)/gpusched.1: $(GPUSCHED) $(TOOL) tb/man.sh
	$(call say,man)
	$(Q)tb/man.sh $(MAN) $(GPUSCHED) $(TOOL)

# make install PREFIX=/usr DESTDIR=/tmp/package; the program finds its data relative to itself.
PREFIX ?= /usr/local
install: all man
	@tb/install.sh install $(BUILD) '$(DESTDIR)$(PREFIX)'
uninstall:
	@tb/install.sh uninstall $(BUILD) '$(DESTDIR)$(PREFIX)'

# ---- Kernels of the CUDA workloads -------------------------------------------------------

# The toolkit's headers and library are not needed: sim/workloads/include is in their place.
NVPTX := clang -x cuda --cuda-gpu-arch=sm_35 -nocudainc -nocudalib --cuda-device-only -std=c++17 \
	-O2 -S -Wall -Werror -Wno-unknown-cuda-version -Xclang -target-feature -Xclang +ptx63 \
	-Isim/workloads/include
$(BUILD)/saxpy.ptx: tb/run/saxpy.cu
$(BUILD)/cuda_header.ptx: tb/workloads/cuda_header.cu
$(BUILD)/saxpy.ptx $(BUILD)/cuda_header.ptx: $(wildcard sim/workloads/include/*.h)
	@mkdir -p $(@D)
	$(call say,ptx)
	$(Q)$(NVPTX) -o $@ $(filter %.cu,$^)
$(BUILD)/workloads/%.ptx: sim/workloads/$$*/$$*.cu $$(wildcard sim/workloads/$$*/*.h) \
		$(wildcard sim/workloads/include/*.h)
	@mkdir -p $(@D)
	$(call say,ptx)
	$(Q)$(NVPTX) -o $@ $<

# A plain interpreter of PTX, which counts instructions: for workloads, and for kernels of nvcc, which
# the model's driver runs as well.
PLAIN         := $(BUILD)/plain
PLAIN_KERNELS := $(BUILD)/plain-nvcc
NVCC_KERNELS  := $(BUILD)/model-nvcc
PLAIN_OBJECTS := $(patsubst %.c,$(BUILD)/c/%.o,$(wildcard tb/plain/plain_*.c))
KERNEL_OBJECTS := $(patsubst %.c,$(BUILD)/c/%.o,$(wildcard tb/plain/nvcc_*.c))
$(PLAIN): LINK := -Wl,--wrap=gsp_launch
$(PLAIN): $(PLAIN_OBJECTS) $(BUILD)/libgolden.a
$(PLAIN_KERNELS): $(filter-out %_main.o,$(PLAIN_OBJECTS)) $(KERNEL_OBJECTS) $(BUILD)/libgolden.a
$(NVCC_KERNELS): $(KERNEL_OBJECTS) $(BUILD)/libgolden.a
$(PLAIN) $(PLAIN_KERNELS) $(NVCC_KERNELS): | $(BUILD)/checkout
	$(call say,link)
	$(Q)$(CC) -o $@ $(LINK) $^ $(LIBS)

# gpusched, with SMs that stop to take CTAs and take them again.
SETS := $(BUILD)/gpusched-sets
$(SETS): $(BUILD)/c/sim/gpusched/command/main.o $(BUILD)/c/tb/run/sets.o $(BUILD)/libgolden.a | $(BUILD)/checkout
	$(call say,link)
	$(Q)$(CC) -o $@ -Wl,--wrap=gpu_open $^ $(LIBS)

# ---- Unit tests, once plain and once with sanitizers -----------------------------------

TEST_FILES := $(wildcard tb/*/*_test.c tb/units/*/*_test.c)
TESTS      := $(patsubst %_test.c,%,$(notdir $(TEST_FILES)))
test_of     = $(patsubst %.c,%,$(filter %/$(1)_test.c,$(TEST_FILES)))
MINE  := $(if $(UNIT),$(filter $(UNIT) $(UNIT)_%,$(TESTS)),$(TESTS))
CHECKS_unit-tests := $(MINE:%=$(LOG)/unit-%) $(MINE:%=$(LOG)/sanitized-%)

$(LOG)/unit-cuda_header $(LOG)/sanitized-cuda_header: $(BUILD)/cuda_header.ptx
$(LOG)/unit-%: $(BUILD)/test/%
	@$(CHECK) $@ $<
$(LOG)/sanitized-%: $(BUILD)/sanitized/%
	@$(CHECK) $@ env ASAN_OPTIONS=detect_leaks=1 $<
$(BUILD)/test/%: $(BUILD)/c/$$(call test_of,$$*).o $(BUILD)/libgolden.a | $(BUILD)/checkout
	@mkdir -p $(@D)
	$(call say,link)
	$(Q)$(CC) -o $@ $^ -lcmocka $(LIBS)
$(BUILD)/sanitized/%: $(BUILD)/s/$$(call test_of,$$*).o $(BUILD)/libsanitized.a | $(BUILD)/checkout
	@mkdir -p $(@D)
	$(call say,link)
	$(Q)$(CC) -fsanitize=address,undefined -o $@ $^ -lcmocka $(LIBS)

# Wrong readings of a unit's page, planted in its golden model: its tests find them all.
READINGS := $(foreach u,$(UNITS),$(if $(wildcard tb/units/$(u)/$(u)_readings.sed),$(u)))
CHECKS_long += $(READINGS:%=$(LOG)/readings-%)
$(LOG)/readings-%: cmodel/units/%.c tb/units/$$*/$$*_readings.sed tb/units/readings.sh $(BUILD)/libgolden.a \
		$$(patsubst %,$(BUILD)/c/tb/units/$$*/$$*_%.o,test states_test random_test)
	@$(CHECK) $@ tb/units/readings.sh $(OUT)/readings/$* "$(CC) -std=c11 $(CPPFLAGS) -O2" "$(BUILD)/libgolden.a -lcmocka $(LIBS)" \
		$< tb/units/$*/$*_readings.sed $(filter %_test.o,$^)

# ---- Lint --------------------------------------------------------------------------------

# All that C files include, but what is generated.
TESTING  := $(filter-out tb/canary tb/dpi,$(patsubst %/,%,$(sort $(dir $(wildcard tb/*/*.[ch] tb/units/*/*.[ch])))))
INCLUDED := $(wildcard $(FOLDERS:%=%/*.h) $(FOLDERS:%=%/*.def) $(TESTING:%=%/*.h) tb/base/rows/*/* sim/workloads/*/*.h)
HEADERS := $(filter-out %/unit_declare.h %/unit_define.h %/unit_rows.h,$(wildcard $(FOLDERS:%=%/*.h)))
C_FILES := $(SOURCES) $(wildcard $(TESTING:%=%/*.c) docs/examples/*/*.c)
SCRIPTS := $(wildcard cmodel/*/*.sh tb/*.sh tb/*/*.sh docs/*/*.sh) .ci/run
TIDY := $(foreach f,$(sort $(patsubst %/,%,$(dir $(SOURCES)))),$(LOG)/lint_tidy-$(subst /,.,$(f)))
CHECKS_lint := $(CASES:%=$(LOG)/lint-%) $(if $(UNIT),,$(addprefix $(LOG)/lint_,clang dpi example headers format shell floors) $(TIDY))

# Tools that say nothing when all is well must find a planted mistake too.
SILENT := tb/silent.sh tb/canary/
$(LOG)/lint-%: $$(call verilog,$$*) $$(call parts,$$*) $(LIB) tb/lint.sh
	@$(CHECK) $@ tb/lint.sh $< $(call params,$*)
$(LOG)/lint_clang: $(C_FILES) $(INCLUDED)
	@$(CHECK) $@ $(SILENT)warning.c $(C_FILES) -- clang -std=c11 $(WARNINGS) $(CPPFLAGS) $(LISTS) -fsyntax-only {}
$(LOG)/lint_dpi: tb/dpi/unit_dpi.c $(HEADERS)
	@$(CHECK) $@ $(SILENT)warning.c $< -- clang -std=c11 $(WARNINGS) $(CPPFLAGS) -DUNIT=$(firstword $(ALL_UNITS)) \
		-I$(VERILATED)/vltstd -fsyntax-only {}
$(LOG)/lint_example: docs/examples/vectors-icarus/coalesced_cache.v tb/lint.sh
	@$(CHECK) $@ tb/lint.sh $< N_LINE=6 LINE_W=8
# A folder at a time: cmodel/gpu is lint_tidy-cmodel.gpu. Of loops over the lanes the analyzer sees as many
# paths as it may: a quarter of them, in a third of the time, is enough.
FEWER_NODES := -Xclang -analyzer-config -Xclang max-nodes=50000
$(LOG)/lint_tidy-%: .clang-tidy $$(wildcard $$(subst .,/,$$*)/*.c) $(INCLUDED)
	@$(CHECK) $@ $(SILENT)tidy.c $(wildcard $(subst .,/,$*)/*.c) -- clang-tidy --quiet {} -- -std=c11 $(CPPFLAGS) $(LISTS) \
		$(if $(filter cmodel.exec%,$*),$(FEWER_NODES))
$(LOG)/lint_headers: $(HEADERS)
	@$(CHECK) $@ $(SILENT)alone.h $(HEADERS) -- tb/headers.sh $(CC) -std=c11 $(WARNINGS) $(CPPFLAGS) -- {}
$(LOG)/lint_floors: $(SOURCES) $(INCLUDED) $(wildcard cmodel/ptx/read/*.[yl]) $(BUILD)/libgolden.a tb/floors.sh tb/floors.awk tb/canary/floors.txt
	@$(CHECK) $@ tb/floors.sh $(BUILD) $(filter cmodel/% sim/%,$(filter %.c %.h %.def %.y %.l,$^))
$(LOG)/lint_format: .clang-format $(C_FILES) $(HEADERS) $(wildcard $(TESTING:%=%/*.h) tb/dpi/*.c docs/examples/*/*.cpp)
	@$(CHECK) $@ $(SILENT)format.c $(filter %.c %.h %.cpp,$^) -- clang-format --dry-run -Werror {}
$(LOG)/lint_shell: $(SCRIPTS)
	@$(CHECK) $@ $(SILENT)script.bash $(SCRIPTS) -- shellcheck {}

# ---- Drift: the port table against the elaborated module -----------------------------------

CHECKS_drift := $(CASES:%=$(LOG)/drift-%) $(foreach c,paths drift_defects document,$(UNITS:%=$(LOG)/$(c)-%)) \
	$(if $(UNIT),,$(addprefix $(LOG)/document_,parameters counts rules commands) $(LOG)/rules)

$(LOG)/drift-%: $$(call verilog,$$*) $$(call parts,$$*) $(LIB) $(TOOL) tb/drift/ports.sh tb/drift/xml_ports.awk
	@$(CHECK) $@ tb/drift/ports.sh $(TOOL) $< $(call params,$*)
$(LOG)/paths-%: $$(call verilog,$$*) $$(call parts,$$*) $(LIB) $(TOOL) tb/drift/paths.sh
	@$(CHECK) $@ tb/drift/paths.sh $(TOOL) $<
$(LOG)/drift_defects-%: $$(call verilog,$$*) $$(call parts,$$*) $(LIB) $(TOOL) $(wildcard tb/drift/*)
	@$(CHECK) $@ tb/drift/defects.sh $(TOOL) $< $(OUT)/drift-$*
$(LOG)/document-%: docs/units/%.md $(TOOL) tb/drift/document.sh
	@$(CHECK) $@ tb/drift/document.sh check $< ports $(TOOL) ports $* --format=markdown
$(LOG)/document_parameters: docs/gpu-model.md $(GPUSCHED) tb/drift/document.sh
	@$(CHECK) $@ tb/drift/document.sh check $< parameters $(GPUSCHED) config keys --format=markdown
$(LOG)/document_counts: docs/results-format.md $(GPUSCHED) tb/drift/document.sh
	@$(CHECK) $@ tb/drift/document.sh check $< stats $(GPUSCHED) stats --format=markdown
# The rules that the code cites, and the tests that the page names.
CITING := $(foreach f,cmodel/*/ cmodel/*/*/ sim/*/ sim/*/*/ sim/*/*/*/ rtl/*/ tb/*/ tb/*/*/,$(wildcard $(addprefix $(f),*.[chv] *.def *.sh)))
$(LOG)/rules: docs/rules.md $(CITING) tb/drift/rules.sh
	@$(CHECK) $@ tb/drift/rules.sh check
$(LOG)/document_rules: docs/rules.md $(CITING) tb/drift/rules.sh tb/drift/document.sh
	@$(CHECK) $@ tb/drift/document.sh check $< rules tb/drift/rules.sh table
$(LOG)/document_commands: docs/commands.md $(GPUSCHED) $(TOOL) tb/drift/document.sh tb/drift/commands.sh
	@$(CHECK) $@ tb/drift/document.sh check $< commands tb/drift/commands.sh $(GPUSCHED) $(TOOL)
docs: $(TOOL) $(GPUSCHED)
	@tb/drift/document.sh write docs/commands.md commands tb/drift/commands.sh $(GPUSCHED) $(TOOL)
	@for unit in $(UNITS); do \
		tb/drift/document.sh write docs/units/$$unit.md ports $(TOOL) ports $$unit --format=markdown; done
	@tb/drift/document.sh write docs/gpu-model.md parameters $(GPUSCHED) config keys --format=markdown
	@tb/drift/document.sh write docs/results-format.md stats $(GPUSCHED) stats --format=markdown
	@tb/drift/document.sh write docs/rules.md rules tb/drift/rules.sh table

# ---- Results: a page an experiment ---------------------------------------------------------------

RESULTS := $(BUILD)/results
$(RESULTS)/%.csv: configs/experiments/%.yaml $(GPUSCHED) $(PTX) FORCE
	@$(GPUSCHED) experiment $< -o $(RESULTS) --csv=$@
# One after the other: each uses all cores by itself.
results:
	@$(MAKE) --no-print-directory results-claso
	@$(MAKE) --no-print-directory results-icc
results-claso: $(RESULTS)/claso.csv $(RESULTS)/claso-grid.csv $(RESULTS)/claso-ctas.csv
	@for base in lrr tl; do \
		tb/drift/document.sh write docs/results/claso.md $$base docs/results/claso.sh $$base $<; done
	@docs/results/claso-grid.sh $(word 2,$^) docs/images/claso-grid.svg
	@docs/results/claso-ctas.sh $(RESULTS)/claso-ctas.sqlite docs/images/claso-ctas.svg
	@$(GPUSCHED) report $(RESULTS)/claso.sqlite -o $(RESULTS)/claso.html -q
ICC_CSV := $(patsubst %,$(RESULTS)/%.csv,icc icc-sizes icc-clusters icc-bandwidth)
results-icc: $(ICC_CSV)
	@docs/results/icc-tables.sh $(ICC_CSV) docs/results/icc.md
	@docs/results/icc-charts.sh $(ICC_CSV) docs/images
	@for csv in $(ICC_CSV); do $(GPUSCHED) report $${csv%.csv}.sqlite -o $${csv%.csv}.html -q; done
.PHONY: results results-claso results-icc

# ---- Lockstep ----------------------------------------------------------------------------------

# Lint is for make lint: RTL that is being worked on may run all the same.
NO_LINT := -Wno-fatal -Wno-lint -Wno-style
TOOLS   := $(BUILD)/verilated/tools
VERILATE := cmodel/lockstep/rtl_library.sh cmodel/lockstep/rtl_unit.cpp cmodel/lockstep/rtl.h cmodel/lockstep/registers.vlt cmodel/base/unit.h
RUNTIME := $(patsubst %,$(BUILD)/verilated/%.o,verilated verilated_fst_c verilated_threads)
$(TOOLS): FORCE
	@mkdir -p $(@D)
	@now=$$(verilator --version && $(CXX) --version) && { [ "$$now" = "$$(cat $@ 2> /dev/null)" ] || \
		{ echo "$$now" > $@.$$$$ && mv $@.$$$$ $@; }; }
$(RUNTIME): $(BUILD)/verilated/%.o: $(TOOLS)
	$(call say,compile)
	$(Q)$(CXX) -std=c++17 -O3 -fPIC -fvisibility=hidden -I$(VERILATED) -I$(VERILATED)/vltstd -c -o $@ $(VERILATED)/$*.cpp

# Whether it must be built is decided by what is in the files, and not by their times.
$(SO)/%.so: FORCE $(RUNTIME) $(TOOLS)
	$(Q)cmodel/lockstep/rtl_library.sh '$(if $(V),,say)' '$@' '$(call verilog,$*)' '$(SEARCH)' '$(call params,$*)' \
		'$(CXX)' '$(CXXFLAGS)' '$(INCLUDES)' '$(TOOLS)' $(call parts,$*) $(filter %.v,$(LIB)) \
		cmodel/units/$(call unit,$*)_ports.def cmodel/base/unit.h cmodel/base/bits.h cmodel/base/unit_rows.h \
		cmodel/lockstep/rtl_unit.cpp cmodel/lockstep/rtl.h cmodel/lockstep/registers.vlt $(RUNTIME)

# The sizes of the list and some that are drawn, in one process. Others are drawn with SIZES_SEED=...; make long
# draws more, with a seed of its own, and runs a million cycles. With PARAMS, one size, and not as a check.
CHECKS_lockstep := $(UNITS:%=$(LOG)/lockstep-%) $(if $(UNIT),,$(LOG)/rtl_libraries)
CHECKS_long     += $(UNITS:%=$(LOG)/lockstep_long-%)
SIZES_DRAWN := 3
SIZES_SEED  ?= 2
# $(call at_sizes,FOLDER,NUMBER,SEED,CYCLES)
at_sizes = @$(CHECK) $@ tb/lockstep/sizes.sh $(OUT)/sizes/$(1) $< $(2) $(3) $(TOOL) $* BUILD='$(BUILD)' OUT='$(OUT)' \
	RTL='$(RTL)' CXX='$(CXX)' CXXFLAGS='$(CXXFLAGS)' -- --rtl=$(SO) --complete --cycles=$(4) \
	--seed=$(SEED) --mode=$(MODE) --report=$(OUT)/report
AT_SIZES := $(TOOL) $(RUNTIME) $(STIMULUS) $(VERILATE) $(LIB) tb/lockstep/sizes.sh
$(LOG)/lockstep-%: $$(call sizes_of,$$*) $(AT_SIZES) $$(call verilog,$$*) $$(call parts,$$*)
	$(call at_sizes,list,$(SIZES_DRAWN),$(SIZES_SEED),$(CYCLES))
$(LOG)/lockstep_long-%: $$(call sizes_of,$$*) $(AT_SIZES) $$(call verilog,$$*) $$(call parts,$$*) \
		$(if $(filter file,$(origin SIZES_SEED)),FORCE)
	$(call at_sizes,long,12,$(if $(filter file,$(origin SIZES_SEED)),new,$(SIZES_SEED)),$(if $(filter file,$(origin CYCLES)),1000000,$(CYCLES)))
$(LOG)/rtl_libraries: $(TOOL) $(RUNTIME) $(VERILATE) $(LIB) Makefile rtl/units/coalesced_cache.v tb/lockstep/libraries.sh
	@$(CHECK) $@ tb/lockstep/libraries.sh $(TOOL) $(BUILD)/verilated
# RTL= in every check of Verilog.
CHECKS_long += $(if $(UNIT),,$(LOG)/rtl_folder)
$(LOG)/rtl_folder: $(TOOL) $(BUILD)/libgolden.a $(RUNTIME) $(VERILATE) $(LIB) Makefile $(SCRIPTS) $(wildcard rtl/*/*.v)
	@$(CHECK) $@ tb/rtl_folder.sh $(OUT)/rtl_folder $(BUILD)
.PHONY: libraries
libraries: $(CASES:%=$(SO)/%.so)

ifneq ($(PARAMS),)
CHECKS_lockstep :=
lockstep: $(TOOL)
	+@$(MAKE) --no-print-directory -s PARAMS= $(SO)/$$($(TOOL) ports $(UNIT) $(PARAMS) --format=file).so
	@$(TOOL) lockstep $(UNIT) $(PARAMS) --rtl=$(SO) --cycles=$(CYCLES) --seed=$(SEED) --mode=$(MODE) --report=$(OUT)/report
endif

# ---- Conformance: vectors for any simulator ---------------------------------------------------

VECTOR_CYCLES := 2000
KIT := $(OUT)/conformance
CHECKS_conformance := $(CASES:%=$(LOG)/icarus-%) $(FEW:%=$(LOG)/verilator-%) $(CASES:%=$(LOG)/replay-%)

$(KIT)/%.vec: $(TOOL) $(STIMULUS)
	@mkdir -p $(@D)
	$(call say,vectors)
	$(Q)$(TOOL) vectors $(call unit,$*) $(call params,$*) --output=$@ --cycles=$(VECTOR_CYCLES) --seed=$(SEED) --mode=$(MODE)
# One file that a third party needs: the unit's bench with the replayer.
$(KIT)/%_tb.v: tb/units/$$*/$$*_tb.v tb/conformance/replay.v
	@mkdir -p $(@D)
	$(Q)cat $^ > $@
$(LOG)/icarus-%: $(KIT)/%.vec $(KIT)/$$(call unit,$$*)_tb.v $$(call verilog,$$*) $$(call parts,$$*) $(LIB) tb/conformance/icarus.sh
	@$(CHECK) $@ tb/conformance/icarus.sh $(KIT)/$* $(wordlist 1,3,$^) $(call params,$*)
$(LOG)/verilator-%: $(KIT)/%.vec $(KIT)/$$(call unit,$$*)_tb.v $$(call verilog,$$*) $$(call parts,$$*) $(LIB) tb/conformance/verilator.sh
	@$(CHECK) $@ tb/conformance/verilator.sh $(KIT)/$* $(wordlist 1,3,$^) $(call params,$*)
$(LOG)/replay-%: $(KIT)/%.vec $(SO)/%.so
	@$(CHECK) $@ $(TOOL) replay --rtl=$(SO)/$*.so $<

# ---- SystemC and DPI -----------------------------------------------------------------------------

CHECKS_systemc := $(FEW:%=$(LOG)/systemc-%) $(if $(filter work_distributor,$(UNITS)),$(LOG)/systemc-platform)
dpi_bench = tb/units/$(call unit,$(1))/$(call unit,$(1))_dpi_tb.sv
CHECKS_dpi := $(foreach c,$(FEW),$(if $(wildcard $(call dpi_bench,$(c))),$(LOG)/dpi-$(c)))
# $(call systemc,MAIN,UNIT,PARAM=VALUE ...,FLAGS): a program with the unit verilated.
define systemc
	$(call say,systemc)
	@rm -f $@ && mkdir -p $@.obj
	$(Q)here=$$(realpath --relative-to=$@.obj .) && golden=$$(realpath --relative-to=$@.obj $(BUILD)/libgolden.a) && \
		env -u MAKEFLAGS verilator --sc --exe --build -O3 --noassert --prefix Vdut $(NO_LINT) $(SEARCH) $(addprefix -G,$(3)) --Mdir $@.obj \
		-CFLAGS "-std=c++17 $(4) $$($(TOOL) ports $(2) $(3) --format=defines) \
		-I$$here/cmodel -I$$here/sim -I$$here/tb/systemc" -LDFLAGS "$$golden $(LIBS)" \
		-o ../$(@F) $< $$here/$(1) > $@.log || (cat $@.log; false)
endef
$(OUT)/systemc/%: $$(call verilog,$$*) $$(call parts,$$*) $(LIB) $(BUILD)/libgolden.a $(TOOL) tb/systemc/unit_sc.h tb/systemc/unit_sc_main.cpp
	$(call systemc,tb/systemc/unit_sc_main.cpp,$(call unit,$*),$(call params,$*),-DUNIT=$(call unit,$*))
$(LOG)/systemc-%: $(OUT)/systemc/% $(STIMULUS)
	@$(CHECK) $@ tb/tested.sh $(call verilog,$*) $< 10000 $(SEED) $(MODE)

# build/platform/c2050: this GPU runs a kernel, and its work distributor is a module beside it.
key = $(shell $(GPUSCHED) config show $(1) | sed -n '/^$(2):/,/^$$/s/^  $(3): *\([0-9]*\).*/\1/p')
$(OUT)/platform/%: $(call verilog,work_distributor) $(call parts,work_distributor) $(LIB) $(BUILD)/libgolden.a \
		$(TOOL) $(GPUSCHED) configs/gpu/%.yaml tb/systemc/unit_sc.h tb/systemc/gpu_sc.h tb/systemc/platform.cpp
	$(call systemc,tb/systemc/platform.cpp,work_distributor,$(strip N_SM=$(call key,$*,sm,count) \
		N_CLUSTER=$(call key,$*,cluster,count) N_KERNEL=$(call key,$*,dispatch,kernels)))
$(LOG)/systemc-platform: $(OUT)/platform/c2050 $(GPUSCHED) $(BUILD)/workloads/hotspot.ptx \
		tb/systemc/platform.sh tb/units/work_distributor/work_distributor_defect.sed
	@$(CHECK) $@ tb/tested.sh $(call verilog,work_distributor) tb/systemc/platform.sh $(OUT)/systemc/platform $(GPUSCHED) $< $(call verilog,work_distributor)

$(LOG)/dpi-%: $$(call verilog,$$*) $$(call parts,$$*) $(LIB) $(BUILD)/libgolden.a $(TOOL) tb/dpi/unit_dpi.c $$(call dpi_bench,$$*) tb/dpi/run.sh
	@mkdir -p $(OUT)/dpi
	@$(CHECK) $@ tb/dpi/run.sh $(OUT)/dpi/$* $(TOOL) $(BUILD)/libgolden.a "$(CPPFLAGS)" $< $(call params,$*)

# ---- Examples: a page's commands print what the page shows ----------------------------------------------

EXAMPLES := $(patsubst docs/examples/%/README.md,%,$(wildcard docs/examples/*/README.md))
CHECKS_examples := $(if $(UNIT),,$(EXAMPLES:%=$(LOG)/example-%))
# What they use of ours.
PUBLIC := $(HEADERS) $(wildcard cmodel/*/*.def cmodel/*/*/*.def rtl/units/*.v tb/units/*/*.v tb/conformance/*.v tb/dpi/*.c tb/systemc/*.h)
$(LOG)/example-%: $$(wildcard docs/examples/$$*/*.*) docs/examples/README.md $(TOOL) $(BUILD)/libgolden.a $(PUBLIC) \
		tb/examples/transcript.sh
	@$(CHECK) $@ tb/examples/transcript.sh $(OUT)/examples/$* $(BUILD) docs/examples/$*
# Pages of which some commands are run.
CHECKS_examples += $(if $(UNIT),,$(LOG)/page-conformance $(LOG)/page-lockstep)
$(LOG)/page-%: docs/%.md $(TOOL) $$(BESIDE) $(BUILD)/libgolden.a $(PUBLIC) tb/examples/transcript.sh
	@$(CHECK) $@ tb/examples/transcript.sh $(OUT)/pages/$* $(BUILD) $<

# ---- Planted defects: the same comparison, on spoiled RTL, must fail and say so ----------------------

CHECKS_planted := $(UNITS:%=$(LOG)/planted-%)
# Reports replayed, over all sizes; make long has more.
CHECKS_long += $(UNITS:%=$(LOG)/planted_long-%)
planted = @$(CHECK) $@ tb/lockstep/planted.sh $(OUT)/$(@F) $(TOOL) $(call verilog,$*) tb/units/$*/$*_defect.sed \
	$(call sizes_of,$*) $(1)
PLANTED := $(LIB) $(TOOL) $(RUNTIME) $(VERILATE) tb/lockstep/planted.sh
$(LOG)/planted-%: $$(call sizes_of,$$*) tb/units/$$*/$$*_defect.sed $(PLANTED) $$(call verilog,$$*) $$(call parts,$$*)
	$(call planted,30)
$(LOG)/planted_long-%: $$(call sizes_of,$$*) tb/units/$$*/$$*_defect.sed $(PLANTED) $$(call verilog,$$*) $$(call parts,$$*)
	$(call planted,300)

# ---- Proofs ---------------------------------------------------------------------------------------------

proofs_of     = tb/units/$(1)/$(1)_proofs.txt
PROVE        := tb/formal/prove.sh tb/formal/cover.v
CHECKS_prove := $(foreach u,$(UNITS),$(patsubst %,$(LOG)/prove-%,$(call sizes,$(u),$(call proofs_of,$(u)))))
$(LOG)/prove-%: $$(call verilog,$$*) $$(call parts,$$*) $(LIB) $(PROVE)
	@mkdir -p $(OUT)/formal
	@$(CHECK) $@ tb/formal/prove.sh $(OUT)/formal $< $(call params,$*)

# The same, planted in its RTL: an assertion fails for each. At the second size.
PROVED_READINGS := $(foreach u,$(UNITS),$(if $(wildcard tb/units/$(u)/$(u)_proof_readings.sed),$(u)))
CHECKS_long += $(PROVED_READINGS:%=$(LOG)/prove_readings-%)
$(LOG)/prove_readings-%: $$(call verilog,$$*) $$(call parts,$$*) $(LIB) tb/units/$$*/$$*_proof_readings.sed tb/formal/readings.sh $(PROVE)
	@$(CHECK) $@ tb/formal/readings.sh $(OUT)/formal/readings-$* $< tb/units/$*/$*_proof_readings.sed \
		$(call params,$(word 2,$(call sizes,$*,$(call proofs_of,$*))))

# ---- Runs of the GPU model ---------------------------------------------------------------------------------

# The same program, as a debug build.
DEBUG := $(BUILD)/gpusched-debug
$(DEBUG): $(BUILD)/d/sim/gpusched/command/main.o $(BUILD)/libdebug.a | $(BUILD)/checkout
	$(call say,link)
	$(Q)$(CC) -o $@ $^ $(LIBS)

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

$(LOG)/run_m2090-%: configs/workloads/%.yaml configs/gpu/m2090.yaml $(GPUSCHED) $(DEBUG) tb/run/same.sh
	@$(CHECK) $@ tb/run/same.sh $(OUT)/run/m2090-$* $(GPUSCHED) $(DEBUG) m2090 $*
$(LOG)/run_mix-%: configs/gpu/%.yaml configs/workloads/mix.yaml $(GPUSCHED) $(DEBUG) tb/run/same.sh
	@$(CHECK) $@ tb/run/same.sh $(OUT)/run/mix-$* $(GPUSCHED) $(DEBUG) $* mix
$(LOG)/run_errors: $(GPUSCHED) $(BUILD)/workloads/hotspot.ptx tb/run/errors.sh
	@$(CHECK) $@ tb/run/errors.sh $(GPUSCHED)
$(LOG)/run_queries: $(GPUSCHED) $(CONFIGS) docs/experiments.md tb/run/queries.sh tb/run/checks.sh
	@$(CHECK) $@ tb/run/queries.sh $(GPUSCHED) docs/experiments.md
$(LOG)/run_names: $(GPUSCHED) tb/run/names.sh tb/run/checks.sh
	@$(CHECK) $@ tb/run/names.sh $(GPUSCHED)
# With a case's RTL, for the commands that load one.
$(LOG)/run_output: $(GPUSCHED) $(TOOL) $(BUILD)/saxpy.ptx $(BUILD)/workloads/hotspot.ptx $(SO)/$(firstword $(FEW)).so $(CONFIGS) tb/run/output.sh tb/run/checks.sh
	@$(CHECK) $@ tb/run/output.sh $(GPUSCHED) $(TOOL) $(BUILD)/saxpy.ptx $(SO)/$(firstword $(FEW)).so \
		$(call unit,$(firstword $(FEW))) $(call params,$(firstword $(FEW)))
$(LOG)/run_places: $(GPUSCHED) $(BUILD)/workloads/hotspot.ptx tb/run/places.sh tb/run/checks.sh
	@$(CHECK) $@ tb/run/places.sh $(OUT)/run/places $(GPUSCHED)
CHECKS_long += $(LOG)/run_clone
$(LOG)/run_clone: $(GPUSCHED) $(SOURCES) $(HEADERS) $(LIB) Makefile tb/run/clone.sh tb/run/checks.sh
	@$(CHECK) $@ tb/run/clone.sh $(OUT)/run/clone $(GPUSCHED)
$(LOG)/run_install: $(BESIDE) $(MAN)/gpusched.1 $(PUBLIC) Makefile tb/install.sh tb/run/install.sh tb/run/checks.sh
	@$(CHECK) $@ tb/run/install.sh $(BUILD)
# What the surroundings do not give, at a few places of each command; in the long
# checks at all, or at 300 of more than 3000.
FAULTS := malloc write space kill
CHECKS_runs += $(if $(UNIT)$(RTL),,$(FAULTS:%=$(LOG)/run_fault-%))
CHECKS_long += $(if $(UNIT),,$(FAULTS:%=$(LOG)/fault-%))
FAULT_INPUTS := $(BUILD)/fault/malloc_fault.so $(GPUSCHED) $(TOOL) $(BUILD)/saxpy.ptx
$(BUILD)/fault/%.so: tb/fault/%.c
	@mkdir -p $(@D)
	$(call say,compile)
	$(Q)$(CC) -std=c11 $(WARNINGS) $(DEFINES) -O2 -fPIC -shared -o $@ $<
$(LOG)/run_fault-%: $(FAULT_INPUTS) $(BUILD)/workloads/hotspot.ptx tb/run/fault.sh tb/run/checks.sh
	@$(CHECK) $@ tb/run/fault.sh $* 3 $(SEED) $(FAULT_INPUTS) $(firstword $(UNITS))
$(LOG)/fault-%: $(FAULT_INPUTS) $(BUILD)/workloads/hotspot.ptx tb/run/fault.sh tb/run/checks.sh FORCE
	@$(CHECK) $@ tb/run/fault.sh $* 0 new $(FAULT_INPUTS) $(firstword $(UNITS))
$(LOG)/run_ptx: $(GPUSCHED) $(BUILD)/saxpy.ptx docs/workloads-cuda.md $(wildcard sim/workloads/include/*.h) tb/run/ptx.sh
	@$(CHECK) $@ tb/run/ptx.sh $(GPUSCHED) $(BUILD)/saxpy.ptx
$(LOG)/run_experiment: $(GPUSCHED) $(BUILD)/workloads/hotspot.ptx $(CONFIGS) tb/run/experiment.sh tb/run/checks.sh
	@$(CHECK) $@ tb/run/experiment.sh $(GPUSCHED)
$(LOG)/run_report: $(GPUSCHED) $(BUILD)/workloads/hotspot.ptx $(CONFIGS) tb/run/report.sh tb/run/checks.sh
	@$(CHECK) $@ tb/run/report.sh $(GPUSCHED)
$(LOG)/run_experiment_rtl: $(BESIDE) tb/run/experiment_rtl.sh tb/run/checks.sh
	@$(CHECK) $@ tb/run/experiment_rtl.sh $(OUT)/run/experiment_rtl $(GPUSCHED)
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
$(LOG)/run_stale: $(BESIDE) configs/workloads/exchange.yaml tb/run/stale.sh
	@$(CHECK) $@ tb/run/stale.sh $(OUT)/run/stale $(GPUSCHED) $(BUILD) "$(CPPFLAGS)" "$(LIBS)"
$(LOG)/record-%: $(BESIDE) tb/run/record.sh tb/units/$$*/$$*_tb.v tb/conformance/replay.v tb/conformance/icarus.sh
	@$(CHECK) $@ tb/run/record.sh $(OUT)/run/record-$* $(GPUSCHED) $(TOOL) $*
$(LOG)/run_help: $(BESIDE) $(BUILD)/saxpy.ptx tb/run/help.sh
	@$(CHECK) $@ tb/run/help.sh $(OUT)/run/help $(GPUSCHED) $(TOOL) $(BUILD)/saxpy.ptx
$(LOG)/run_man: $(GPUSCHED) $(TOOL) $(MAN)/gpusched.1 tb/man.sh tb/run/man.sh
	@$(CHECK) $@ tb/run/man.sh $(OUT)/run/man1 $(GPUSCHED) $(TOOL) $(MAN)/*.1
$(LOG)/run_completion: $(GPUSCHED) $(CONFIGS) tb/run/completion.sh
	@$(CHECK) $@ tb/run/completion.sh $(GPUSCHED)
$(LOG)/run_results: $(GPUSCHED) $(PTX) $(CONFIGS) tb/run/results.sh tb/drift/document.sh $(wildcard docs/results/*)
	@$(CHECK) $@ tb/run/results.sh $(OUT)/run/results $(GPUSCHED)
$(LOG)/verify-%: $(GPUSCHED) $(DEBUG) $(PLAIN) $(CONFIGS) $(BUILD)/workloads/%.ptx tb/run/verify.sh
	@$(CHECK) $@ tb/run/verify.sh $(OUT)/run/verify-$* $(GPUSCHED) $* $(PLAIN) $(DEBUG)
$(LOG)/run_linear: $(GPUSCHED) tb/run/linear.sh
	@$(CHECK) $@ tb/run/linear.sh $(GPUSCHED)
$(LOG)/run_nvcc: $(NVCC_KERNELS) $(PLAIN_KERNELS) $(wildcard tb/ptx/nvcc/*) tb/plain/nvcc.sh
	@$(CHECK) $@ tb/plain/nvcc.sh $(NVCC_KERNELS) $(PLAIN_KERNELS) tb/ptx/nvcc

# make fuzz SECONDS=3600: first the reader, then what executes; their corpora grow under build/fuzz. Other
# compilers have no libFuzzer.
SECONDS ?= 60
CLANG   ?= clang
FUZZED  := $(filter $(BUILD)/c/cmodel/%,$(OBJECTS)) $(GENERATED)
FUZZER  := -O1 -g -fno-sanitize-recover=all -fsanitize=address,undefined
# Comparisons are not followed: most of PTX is right already.
COVERAGE := -fsanitize-coverage=inline-8bit-counters,pc-table
$(BUILD)/f/tb/fuzz/%.o: COVERAGE :=
FUZZ_COMPILE = $(CLANG) -std=c11 $(WARNINGS) $(CPPFLAGS) -MMD -MP -MT '$$(BUILD)/$(@:$(BUILD)/%=%)' $(FUZZER) $(COVERAGE) -c -o $@ $<
FUZZ_RUN := ASAN_OPTIONS=allocator_may_return_null=1 $(BUILD)/exec_fuzz -max_len=16384 -timeout=20 -rss_limit_mb=2048
FUZZ_SEEDS := tb/fuzz/exec tb/fuzz/ptx $(BUILD)/workloads
$(BUILD)/f/%.o: %.c $(FLAGS)
	@mkdir -p $(@D)
	$(call say,fuzz)
	$(Q)$(FUZZ_COMPILE)
$(BUILD)/f/gen/%.o: $(GEN)/%.c $(FLAGS)
	@mkdir -p $(@D)
	$(call say,fuzz)
	$(Q)$(FUZZ_COMPILE) -w -I$(GEN)
$(BUILD)/libfuzzed.a: $(FUZZED:$(BUILD)/c/%=$(BUILD)/f/%)
	$(Q)rm -f $@ && ar rcs $@ $^
$(BUILD)/exec_fuzz: $(BUILD)/f/tb/fuzz/exec_fuzz.o $(BUILD)/f/tb/fuzz/ptx_mutate.o $(BUILD)/libfuzzed.a
	$(call say,link)
	$(Q)$(CLANG) $(FUZZER) -fsanitize=fuzzer -o $@ $^ -lyaml -lcyaml -lm -ldl
$(BUILD)/ptx_fuzz: tb/fuzz/ptx_fuzz.c $(wildcard cmodel/ptx/*.h cmodel/ptx/*/*.[ch] cmodel/base/*.h) $(GEN)/ptx_grammar.c $(GEN)/ptx_scanner.c
	$(call say,fuzz)
	$(Q)$(CLANG) -std=c11 -w $(FUZZER) -fsanitize=fuzzer $(CPPFLAGS) -I$(GEN) -o $@ $(filter %.c,$^) -lm
.PHONY: fuzz
fuzz: $(BUILD)/ptx_fuzz $(BUILD)/exec_fuzz $(PTX)
	@mkdir -p $(BUILD)/fuzz/ptx $(BUILD)/fuzz/exec
	$< -max_total_time=$(SECONDS) -max_len=8192 -timeout=20 -artifact_prefix=$(BUILD)/fuzz/ $(BUILD)/fuzz/ptx tb/fuzz/ptx
	$(FUZZ_RUN) -max_total_time=$(SECONDS) -artifact_prefix=$(BUILD)/fuzz/ $(BUILD)/fuzz/exec $(FUZZ_SEEDS)
# From the seeds alone, for so many seconds.
CHECKS_long += $(LOG)/fuzz_exec-60
$(LOG)/fuzz_exec-%: $(BUILD)/exec_fuzz $(PTX) $(wildcard tb/fuzz/*/*)
	@rm -rf $(OUT)/fuzz_exec-$* && mkdir -p $(OUT)/fuzz_exec-$*
	@$(CHECK) $@ env $(FUZZ_RUN) -seed=$(SEED) -max_total_time=$* -print_final_stats=1 \
		-artifact_prefix=$(OUT)/fuzz_exec-$*/ $(OUT)/fuzz_exec-$* $(FUZZ_SEEDS)

.PHONY: bench
bench: $(GPUSCHED)
	@$(GPUSCHED) bench
	@tb/run/count.sh $(GPUSCHED)

# ---- The checks' own check ------------------------------------------------------------------------------

CHECKS_sabotage := $(if $(UNIT),,$(LOG)/sabotage)
$(LOG)/sabotage: $(BUILD)/test/report_ctas $(TOOL) $(GPUSCHED) $(RUNTIME) Makefile tb/sabotage.sh $(filter-out tb/run/%,$(SCRIPTS)) $(wildcard tb/canary/*)
	@$(CHECK) $@ tb/sabotage.sh $(OUT)/sabotage $(BUILD)

# ---- All ------------------------------------------------------------------------------------------------

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

checks: $(CHECKS:$(LOG)/%=made-%)

# Every check is tried even if others fail; the count of them all is the last line. A check is
# counted if make made its log or found it up to date in this run, which it says by made-%.
test: deps
	@mkdir -p $(LOG) && : > $(LOG)/made
	@$(MAKE) --no-print-directory --keep-going checks || true
	@$(MAKE) --no-print-directory count
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
	@mkdir -p $(LOG) && : > $(LOG)/made
	@$(MAKE) --no-print-directory --keep-going long-checks || true
	@$(MAKE) --no-print-directory long-count

COUNT   = $(file >$(LOG)/known,$(notdir $(ALL_CHECKS) $(CHECKS_long)))@tb/count.sh $(LEDGER) $(if $(filter -,$(LEDGER)),-,$(LOG)/known) $(LOG)/made
count:
	$(COUNT) $(CHECKS)
long-checks: $(CHECKS_long:$(LOG)/%=made-%)
long-count:
	$(COUNT) $(CHECKS_long)

clean:
	rm -rf $(BUILD)

-include $(foreach b,c s d f,$(patsubst $(BUILD)/c/%.o,$(BUILD)/$(b)/%.d,$(OBJECTS) $(GENERATED)) $(TEST_FILES:%.c=$(BUILD)/$(b)/%.d)) \
	$(patsubst %.o,%.d,$(PLAIN_OBJECTS) $(KERNEL_OBJECTS) $(BUILD)/c/tb/run/sets.o) \
	$(patsubst %,$(BUILD)/f/tb/fuzz/%.d,exec_fuzz ptx_mutate)
